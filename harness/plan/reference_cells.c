/* The choice of references. See reference_cells.h. */
#include "harness/plan/reference_cells.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "harness/study/decimal.h"

#include <stdlib.h>

/* Steps of the composition a time scale: its error is then near 1e-25 on smooth problems. Where a
 * step is a system of equations to be solved and costs a hundred times as much, fewer: 1e-20. */
enum { STEPS_PER_TIME_SCALE = 128, DEAR_STEPS_PER_TIME_SCALE = 32 };
#define COMPOSITION "composition(scheme=sofroniou-spaletta10)"
#define OTHER "composition(scheme=kahan-li8)"
#define TIGHT_IN_DOUBLE "1e-12"

/* The longest time of which all of these are multiples. */
static bool common_divisor(struct shk_decimal *divisor, char *const *times, int count)
{
  enum { MOST_DIGITS = 36 };
  if (!shk_decimal_read(divisor, times[0]))
    return false;
  for (int i = 1; i < count; i++) {
    struct shk_decimal other;
    if (!shk_decimal_read(&other, times[i]))
      return false;
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

/* The step of the composition: the longest that divides all times 2^a 5^b times and is no longer
 * than this part of the time scale. NULL if there is no such decimal. */
static char *composition_step(const struct shk_cell *cell, const struct shk_inspection *inspection,
                              int steps_per_time_scale)
{
  struct shk_decimal interval, step;
  if (!common_divisor(&interval, cell->times, cell->time_count))
    return NULL;
  const double least =
      shk_decimal_approximate(interval) * steps_per_time_scale / inspection->time_scale;
  if (!(least < 1e12))
    return NULL;
  long long best = 0;
  for (long long fives = 1; (double)fives < 5 * least + 5; fives *= 5)
    for (long long n = fives; (double)n < 2 * least + 2; n *= 2)
      if ((double)n >= least && (best == 0 || n < best))
        best = n;
  return shk_decimal_divide(&step, interval, shk_decimal_from_integer(best))
             ? shk_decimal_text(step)
             : NULL;
}

static void fill(struct shk_cell *cell, const struct shk_cell *like, const char *integrator,
                 const char *precision, const char *tolerance, const char *step)
{
  shk_cell_copy(cell, like);
  free(cell->integrator);
  free(cell->precision);
  free(cell->tolerance);
  free(cell->step);
  cell->integrator = shk_copy_text(integrator);
  cell->precision = shk_copy_text(precision);
  cell->tolerance = shk_copy_text(tolerance);
  cell->step = shk_copy_text(step);
}

bool shk_reference_needs_steps(const struct shk_inspection *inspection, bool exact)
{
  return (inspection->features & SHK_MOMENTUM_CONSTRAINT) != 0 && !exact;
}

bool shk_reference_by_steps(const struct shk_context *context, struct shk_cell cells[2],
                            const struct shk_cell *like, const struct shk_inspection *inspection,
                            int steps_per_time_scale, struct shk_message *error)
{
  struct shk_decimal half;
  char *composition = shk_canonical_integrator(context, COMPOSITION, error);
  char *step = composition_step(like, inspection, steps_per_time_scale);
  const bool divisible =
      step != NULL && shk_decimal_read(&half, step) && shk_decimal_halve(&half, half);
  if (composition != NULL && divisible) {
    char *half_step = shk_decimal_text(half);
    fill(&cells[SHK_REFERENCE_BEST], like, composition, "quad", NULL, half_step);
    fill(&cells[SHK_REFERENCE_AGAINST], like, composition, "quad", NULL, step);
    free(half_step);
  } else if (composition != NULL) {
    shk_message_set(error, "%s: the times have no common step of %d digits", like->problem,
                    SHK_DECIMAL_DIGITS);
  }
  const bool good = composition != NULL && divisible;
  free(composition);
  free(step);
  return good;
}

/* The cells whose method is the composition alone, at the step of the best of them. */
static bool fill_by_steps(const struct shk_context *context,
                          struct shk_cell cells[SHK_REFERENCE_CELLS], const struct shk_cell *like,
                          const struct shk_inspection *inspection, struct shk_message *error)
{
  char *other = shk_canonical_integrator(context, OTHER, error);
  const bool good = other != NULL && shk_reference_by_steps(context, cells, like, inspection,
                                                            STEPS_PER_TIME_SCALE, error);
  if (good)
    fill(&cells[SHK_REFERENCE_COMPOSITION], like, other, "quad", NULL,
         cells[SHK_REFERENCE_BEST].step);
  free(other);
  return good;
}

static bool fill_by_tolerance(const struct shk_context *context,
                              struct shk_cell cells[SHK_REFERENCE_CELLS],
                              const struct shk_cell *like, const struct shk_inspection *inspection,
                              bool exact, struct shk_message *error)
{
  const bool dear =
      (inspection->features & (SHK_GENERAL_HAMILTONIAN | SHK_FORCES | SHK_RHEONOMIC)) != 0;
  char *composition = shk_canonical_integrator(context, COMPOSITION, error);
  char *step =
      composition_step(like, inspection, dear ? DEAR_STEPS_PER_TIME_SCALE : STEPS_PER_TIME_SCALE);
  const bool good = composition != NULL && step != NULL;
  if (good) {
    fill(&cells[SHK_REFERENCE_BEST], like, exact ? "exact" : "reference", "quad",
         exact ? NULL : SHK_REFERENCE_TOLERANCE, NULL);
    fill(&cells[SHK_REFERENCE_AGAINST], like, "reference", "quad",
         exact ? SHK_REFERENCE_TOLERANCE : SHK_REFERENCE_CHECK_TOLERANCE, NULL);
    fill(&cells[SHK_REFERENCE_COMPOSITION], like, composition, "quad", NULL, step);
  } else if (composition != NULL) {
    shk_message_set(error, "%s: the times have no common step of %d digits", like->problem,
                    SHK_DECIMAL_DIGITS);
  }
  free(composition);
  free(step);
  return good;
}

bool shk_reference_cells(const struct shk_context *context,
                         struct shk_cell cells[SHK_REFERENCE_CELLS], const struct shk_cell *like,
                         const struct shk_inspection *inspection, struct shk_message *error)
{
  const bool exact = inspection->exact && like->q == NULL;
  if (!(shk_reference_needs_steps(inspection, exact)
            ? fill_by_steps(context, cells, like, inspection, error)
            : fill_by_tolerance(context, cells, like, inspection, exact, error)))
    return false;
  fill(&cells[SHK_REFERENCE_RADAU5], like, "radau5", "double", TIGHT_IN_DOUBLE, NULL);
  fill(&cells[SHK_REFERENCE_IDA], like, "ida", "double", TIGHT_IN_DOUBLE, NULL);
  return true;
}
