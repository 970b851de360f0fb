/* The choice of references. See reference_cells.h. */
#include "harness/plan/reference_cells.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "harness/study/decimal.h"

#include <math.h>
#include <stdlib.h>

/* Steps of the composition a time scale: its error is then near 1e-25 on smooth problems. Where a
 * step is a system of equations to be solved and costs a hundred times as much, fewer: 1e-20. */
enum { STEPS_PER_TIME_SCALE = 128, DEAR_STEPS_PER_TIME_SCALE = 32 };
#define COMPOSITION "composition(scheme=sofroniou-spaletta10)"
#define OTHER "composition(scheme=kahan-li8)"

const struct shk_decimal shk_reference_check_tolerance = {.coefficient = 1, .exponent = -26};
const struct shk_decimal shk_reference_tolerance = {.coefficient = 1, .exponent = -28};
static const struct shk_decimal tight_in_double = {.coefficient = 1, .exponent = -12};

/* The longest time of which all of these are multiples. */
static bool common_divisor(struct shk_decimal *divisor, const struct shk_numbers *times)
{
  enum { MOST_DIGITS = 36 };
  *divisor = times->exact[0];
  for (int i = 1; i < times->count; i++) {
    struct shk_decimal other = times->exact[i];
    struct shk_decimal *fine = other.exponent < divisor->exponent ? &other : divisor;
    struct shk_decimal *coarse = fine == divisor ? &other : divisor;
    if (coarse->exponent - fine->exponent > MOST_DIGITS - SHK_DECIMAL_DIGITS)
      return false;
    for (; coarse->exponent > fine->exponent; coarse->exponent--)
      coarse->coefficient *= 10;
    shk_wide a = divisor->coefficient, b = other.coefficient;
    while (b > 0) {
      const shk_wide rest = a % b;
      a = b;
      b = rest;
    }
    divisor->coefficient = a;
  }
  return true;
}

static bool no_step(const char *problem, struct shk_message *error)
{
  shk_message_set(error, "%s: the times have no common step of %d digits", problem,
                  SHK_DECIMAL_DIGITS);
  return false;
}

/* The step of the composition: the longest that divides all times 2^a 5^b times and is no longer
 * than this part of the time scale. False, and said, if there is no such decimal. */
static bool composition_step(struct shk_decimal *step, const struct shk_numbers *times,
                             const char *problem, const struct shk_inspection *inspection,
                             int steps_per_time_scale, struct shk_message *error)
{
  struct shk_decimal interval;
  if (!common_divisor(&interval, times))
    return no_step(problem, error);
  const double least =
      shk_decimal_approximate(interval) * steps_per_time_scale / inspection->time_scale;
  if (!(least < 1e12))
    return no_step(problem, error);
  long long best = 0;
  for (long long fives = 1; (double)fives < 5 * least + 5; fives *= 5)
    for (long long n = fives; (double)n < 2 * least + 2; n *= 2)
      if ((double)n >= least && (best == 0 || n < best))
        best = n;
  return shk_decimal_divide(step, interval, shk_decimal_from_integer(best)) ||
         no_step(problem, error);
}

/* A copy of a text of a cell's numbers, and the number; no text and NaN of NULL. */
static char *set(double *value, const struct shk_decimal *number)
{
  *value = number != NULL ? shk_decimal_approximate(*number) : NAN;
  return number != NULL ? shk_decimal_text(*number) : NULL;
}

/* What the cells of a reference are made from. */
struct pattern {
  const struct shk_cell *like;
  const struct shk_numbers *times;
};

static void fill(struct shk_cell *cell, const struct pattern *pattern, const char *integrator,
                 const char *precision, const struct shk_decimal *tolerance,
                 const struct shk_decimal *step)
{
  const struct shk_numbers *const times = pattern->times;
  struct shk_cell its = *pattern->like;
  its.integrator = (char *)integrator;
  its.precision = (char *)precision;
  its.until = times->texts[times->count - 1];
  its.time_count = times->count;
  its.times = times->texts;
  its.numbers.until = times->values[times->count - 1];
  its.numbers.times = times->values;
  shk_cell_copy(cell, &its);
  cell->tolerance = set(&cell->numbers.tolerance, tolerance);
  cell->step = set(&cell->numbers.step, step);
}

bool shk_reference_needs_steps(const struct shk_inspection *inspection, bool exact)
{
  return (inspection->features & SHK_MOMENTUM_CONSTRAINT) != 0 && !exact;
}

/* The composition of order 10 in steps that divide the times. NULL with the reason. */
static char *composition_of(const struct shk_context *context, struct shk_decimal *step,
                            const struct shk_numbers *times, const char *problem,
                            const struct shk_inspection *inspection, int steps_per_time_scale,
                            struct shk_message *error)
{
  return composition_step(step, times, problem, inspection, steps_per_time_scale, error)
             ? shk_canonical_integrator(context, COMPOSITION, error)
             : NULL;
}

char *shk_reference_by_steps(const struct shk_context *context, struct shk_numbers *steps,
                             const struct shk_numbers *times, const char *problem,
                             const struct shk_inspection *inspection, int steps_per_time_scale,
                             struct shk_message *error)
{
  struct shk_decimal step, half;
  char *composition =
      composition_of(context, &step, times, problem, inspection, steps_per_time_scale, error);
  if (composition == NULL)
    return NULL;
  if (!shk_decimal_halve(&half, step)) {
    no_step(problem, error);
    free(composition);
    return NULL;
  }
  shk_numbers_add(steps, step);
  shk_numbers_add(steps, half);
  return composition;
}

/* The cells whose method is the composition alone, at the step of the best of them. */
static bool fill_by_steps(const struct shk_context *context,
                          struct shk_cell cells[SHK_REFERENCE_CELLS], const struct pattern *pattern,
                          const struct shk_inspection *inspection, struct shk_message *error)
{
  struct shk_numbers steps = {.count = 0};
  char *other = shk_canonical_integrator(context, OTHER, error);
  char *composition = other != NULL ? shk_reference_by_steps(context, &steps, pattern->times,
                                                             pattern->like->problem, inspection,
                                                             STEPS_PER_TIME_SCALE, error)
                                    : NULL;
  if (composition != NULL) {
    fill(&cells[SHK_REFERENCE_AGAINST], pattern, composition, "quad", NULL, &steps.exact[0]);
    fill(&cells[SHK_REFERENCE_BEST], pattern, composition, "quad", NULL, &steps.exact[1]);
    fill(&cells[SHK_REFERENCE_COMPOSITION], pattern, other, "quad", NULL, &steps.exact[1]);
  }
  const bool good = composition != NULL;
  shk_numbers_clear(&steps);
  free(composition);
  free(other);
  return good;
}

static bool fill_by_tolerance(const struct shk_context *context,
                              struct shk_cell cells[SHK_REFERENCE_CELLS],
                              const struct pattern *pattern,
                              const struct shk_inspection *inspection, bool exact,
                              struct shk_message *error)
{
  const bool dear =
      (inspection->features & (SHK_GENERAL_HAMILTONIAN | SHK_FORCES | SHK_RHEONOMIC)) != 0;
  struct shk_decimal step;
  char *composition =
      composition_of(context, &step, pattern->times, pattern->like->problem, inspection,
                     dear ? DEAR_STEPS_PER_TIME_SCALE : STEPS_PER_TIME_SCALE, error);
  if (composition == NULL)
    return false;
  fill(&cells[SHK_REFERENCE_BEST], pattern, exact ? "exact" : "reference", "quad",
       exact ? NULL : &shk_reference_tolerance, NULL);
  fill(&cells[SHK_REFERENCE_AGAINST], pattern, "reference", "quad",
       exact ? &shk_reference_tolerance : &shk_reference_check_tolerance, NULL);
  fill(&cells[SHK_REFERENCE_COMPOSITION], pattern, composition, "quad", NULL, &step);
  free(composition);
  return true;
}

bool shk_reference_cells(const struct shk_context *context,
                         struct shk_cell cells[SHK_REFERENCE_CELLS], const struct shk_cell *like,
                         const struct shk_numbers *times, const struct shk_inspection *inspection,
                         struct shk_message *error)
{
  const struct pattern pattern = {like, times};
  const bool exact = inspection->exact && like->q == NULL;
  if (!(shk_reference_needs_steps(inspection, exact)
            ? fill_by_steps(context, cells, &pattern, inspection, error)
            : fill_by_tolerance(context, cells, &pattern, inspection, exact, error)))
    return false;
  fill(&cells[SHK_REFERENCE_RADAU5], &pattern, "radau5", "double", &tight_in_double, NULL);
  fill(&cells[SHK_REFERENCE_IDA], &pattern, "ida", "double", &tight_in_double, NULL);
  return true;
}
