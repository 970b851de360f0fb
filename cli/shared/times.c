/* Reads the start, the step and the end time from the command line. See times.h. */
#include "cli/shared/times.h"

#include "foundation/memory.h"
#include <math.h>
#include <stdlib.h>

bool shk_fill_start(struct shk_cell *cell, const struct shk_arguments *arguments,
                    struct shk_message *error)
{
  if ((!arguments->q) != (!arguments->p))
    return shk_message_set(
        error, "--q and --p must be given together, because a start has coordinates and momenta");
  if (arguments->project && !arguments->q)
    return shk_message_set(error, "--project: no explicit start (--q, --p) to project was given");
  cell->q = shk_copy_text(arguments->q);
  cell->p = shk_copy_text(arguments->p);
  cell->kick = arguments->kick > 0 ? shk_print_text("%ld", arguments->kick) : NULL;
  cell->project = arguments->project;
  return true;
}

static bool read_number(struct shk_decimal *x, const char *what, const char *text,
                        struct shk_message *error)
{
  return shk_decimal_read(x, text) ||
         shk_message_set(error, "--%s: '%s' is not a decimal number of at most %d digits", what,
                         text, SHK_DECIMAL_DIGITS);
}

bool shk_positive_number(struct shk_decimal *x, const char *what, const char *text,
                         struct shk_message *error)
{
  return read_number(x, what, text, error) &&
         (x->coefficient > 0 || shk_message_set(error, "--%s: %s is not above zero", what, text));
}

static bool not_whole(struct shk_decimal step, struct shk_decimal until, const char *step_text,
                      const char *until_text, struct shk_message *error)
{
  struct shk_decimal near;
  char *const best = shk_decimal_nearest_part(&near, until, shk_decimal_approximate(step))
                         ? shk_decimal_text(near)
                         : NULL;
  shk_message_set(error, "--until %s is not a whole number of steps of %s%s%s", until_text,
                  step_text, best ? "; the nearest step that divides it is " : "",
                  best ? best : "");
  free(best);
  return false;
}

bool shk_check_times(long *steps, char **step_text, char **until_text, const char *step,
                     const char *until, struct shk_message *error)
{
  enum { MOST_STEPS_EXPONENT = 15 };
  struct shk_decimal h, T;
  long long count;
  if (!read_number(&h, "step", step, error) || !read_number(&T, "until", until, error))
    return false;
  if (h.coefficient == 0 || T.coefficient == 0 || (h.coefficient < 0) != (T.coefficient < 0))
    return shk_message_set(
        error, "--step %s and --until %s: expected nonzero numbers of the same sign", step, until);
  const double ratio = shk_decimal_approximate(T) / shk_decimal_approximate(h);
  const bool exact = shk_decimal_is_multiple(&count, T, h);
  if (!(ratio < pow(10, MOST_STEPS_EXPONENT)))
    return shk_message_set(error, "--until %s is more than 1e%d steps of %s", until,
                           MOST_STEPS_EXPONENT, step);
  if (!exact && ratio < 1 - 1e-9)
    return shk_message_set(error, "--step %s is longer than the whole run, --until %s", step,
                           until);
  if (!exact && fabs(ratio - round(ratio)) > 1e-9 * fmax(1, ratio))
    return not_whole(h, T, step, until, error);
  *steps = lround(ratio);
  *step_text = shk_decimal_text(h);
  *until_text = shk_decimal_text(T);
  return true;
}
