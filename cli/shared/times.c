/* The start, the step and the end time from a command line. See times.h. */
#include "cli/shared/times.h"

#include "foundation/memory.h"
#include <math.h>
#include <stdlib.h>

bool shk_fill_start(struct shk_cell *cell, const char *q, const char *p, bool project,
                    struct shk_message *error)
{
  if ((!q) != (!p)) {
    shk_message_set(error, "--q and --p go together: a start has coordinates and momenta");
    return false;
  }
  if (project && !q) {
    shk_message_set(error, "--project: there is no explicit start (--q, --p) to project");
    return false;
  }
  cell->q = shk_copy_text(q);
  cell->p = shk_copy_text(p);
  cell->project = project;
  return true;
}

static bool read_number(struct shk_decimal *x, const char *what, const char *text,
                        struct shk_message *error)
{
  if (shk_decimal_read(x, text))
    return true;
  shk_message_set(error, "--%s: '%s' is not a decimal number of at most %d digits", what, text,
                  SHK_DECIMAL_DIGITS);
  return false;
}

bool shk_positive_number(struct shk_decimal *x, const char *what, const char *text,
                         struct shk_message *error)
{
  if (!read_number(x, what, text, error))
    return false;
  if (x->coefficient != 0 && !x->negative)
    return true;
  shk_message_set(error, "--%s: %s is not above zero", what, text);
  return false;
}

/* Computes the step nearest to the one given that divides `until` exactly: until/N, a decimal, with
 * N near `ratio`. */
static bool nearest_step(struct shk_decimal *nearest, struct shk_decimal until, double ratio)
{
  enum { AROUND = 2000 };
  const long long centre = llround(ratio);
  for (long long d = 0; d < AROUND; d++)
    for (int side = 0; side < 2; side++) {
      /* The nearest N comes first: it is on the side of the fraction. */
      const bool up = (ratio >= (double)centre) == (side == 0);
      const long long n = centre + (up ? d : -d);
      if (n > 0 && shk_decimal_divide(nearest, until, shk_decimal_from_integer(n)))
        return true;
    }
  return false;
}

static void not_whole(struct shk_decimal step, struct shk_decimal until, double ratio,
                      const char *step_text, const char *until_text, struct shk_message *error)
{
  struct shk_decimal near, below, above;
  const long long whole = (long long)floor(ratio);
  char *step_near = nearest_step(&near, until, ratio) ? shk_decimal_text(near) : NULL;
  char *lower = shk_decimal_multiply(&below, step, whole) ? shk_decimal_text(below) : NULL;
  char *upper = shk_decimal_multiply(&above, step, whole + 1) ? shk_decimal_text(above) : NULL;
  if (step_near && lower && upper)
    shk_message_set(error,
                    "--until %s is not a whole number of steps of %s; the nearest step that "
                    "divides it is %s, and the nearest times that the step divides are %s and %s",
                    until_text, step_text, step_near, lower, upper);
  else if (step_near)
    shk_message_set(error,
                    "--until %s is not a whole number of steps of %s; the nearest step that "
                    "divides it is %s",
                    until_text, step_text, step_near);
  else
    shk_message_set(error, "--until %s is not a whole number of steps of %s", until_text,
                    step_text);
  free(step_near);
  free(lower);
  free(upper);
}

bool shk_check_times(char **step_text, char **until_text, const char *step, const char *until,
                     struct shk_message *error)
{
  enum { MOST_STEPS_EXPONENT = 15 };
  struct shk_decimal h, T;
  long long count;
  if (!read_number(&h, "step", step, error) || !read_number(&T, "until", until, error))
    return false;
  if (h.coefficient == 0 || T.coefficient == 0) {
    shk_message_set(error, h.coefficient == 0
                               ? "--step: found zero, expected a positive or negative step"
                               : "--until: found zero, expected a positive or negative time");
    return false;
  }
  if (h.negative != T.negative) {
    shk_message_set(error,
                    "--step %s and --until %s have opposite signs: a negative step goes with a "
                    "negative --until",
                    step, until);
    return false;
  }
  const double ratio = shk_decimal_approximate(T) / shk_decimal_approximate(h);
  const bool exact = shk_decimal_is_multiple(&count, T, h);
  if (!(ratio < pow(10, MOST_STEPS_EXPONENT))) {
    shk_message_set(error, "--until %s is more than 1e%d steps of %s", until, MOST_STEPS_EXPONENT,
                    step);
    return false;
  }
  if (!exact && ratio < 1 - 1e-9) {
    shk_message_set(error, "--step %s is longer than the whole run, --until %s", step, until);
    return false;
  }
  if (!exact && fabs(ratio - round(ratio)) > 1e-9 * fmax(1, ratio)) {
    not_whole(h, T, ratio, step, until, error);
    return false;
  }
  *step_text = shk_decimal_text(h);
  *until_text = shk_decimal_text(T);
  return true;
}
