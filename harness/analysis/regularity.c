/*
 * Reports rank, crossings and impasses along runs, measured by cells of type "regularity"
 * (measures/regularity.c). For each family, which has one problem, integrator and precision, there
 * are these findings:
 *
 *   least rank, least singular value  the smallest value over all step sizes
 *   crossings, near misses            at the finest step that finished
 *   crossing times                    the largest distance from the exact times, if they are known,
 *                                     at the finest step that finished
 *   order of crossing times           the power of the step with which that distance decreases
 *   changes of inertia                the largest number over all step sizes; only if H is not
 *                                     separable or for constraints g(q,p)
 *   impasse time                      extrapolated to h = 0, ± the last correction and the error of
 *                                     the fit
 *   impasse exponent                  extrapolated to h = 0; it is -½ at a fold
 *   regularity                        which cells were not run, and which failed or were refused
 *                                     and why
 *
 * A cell that stopped early, for example at an impasse, still has a result. Methods make no claims
 * about these quantities, but one finding can be falsified without a claim. If the inertia of N,
 * the matrix of the multipliers, changes during a run, the run has stepped over a fold, and its
 * later states are not a solution.
 */
#include "harness/analysis/report.h"

#include "foundation/memory.h"

#include <math.h>
#include <stdlib.h>

/* Extrapolates values that converge like a power of the step to h = 0. The steps must be in
 * decreasing order. The power is found from the three finest values if their steps decrease by a
 * constant factor and their changes have the same sign. Otherwise it is taken to be 1. Stores the
 * size of the correction in *uncertainty. If there is only one value, returns it unchanged and sets
 * *uncertainty to NaN. */
static double extrapolate_regularity(double *uncertainty, const double *steps, const double *values,
                                     int count)
{
  *uncertainty = NAN;
  if (count < 2)
    return values[0];
  const double finest = values[count - 1], change = finest - values[count - 2],
               ratio = log(steps[count - 2] / steps[count - 1]);
  double power = 1;
  const double before = count > 2 ? (values[count - 2] - values[count - 3]) / change : 0;
  const double spread = count > 2 ? log(steps[count - 3] / steps[count - 2]) / ratio : 0;
  if (before > 0 && fabs(spread - 1) < 1e-6)
    power = log(before) / ratio;
  const double correction = change / expm1(fmin(fmax(power, 0.25), 12) * ratio);
  *uncertainty = fabs(correction);
  return finest + correction;
}

/* Returns true if the cell has results, that is, if it ran to completion or stopped with a status
 * other than refused. */
static bool has_answer(const struct shk_record *record)
{
  return record && record->end == SHK_END_FINISHED && !shk_was_refused(record) &&
         !isnan(shk_recorded(&record->outcome, SHK_QUANTITY_RANK_MOST, NULL));
}

/* Returns the smallest (if `least` is true) or the largest value over all step sizes, or NaN if no
 * cell recorded the quantity. */
static double extreme_over_steps(const struct shk_family *family, enum shk_quantity_id quantity,
                                 bool least)
{
  double value = NAN;
  for (int i = 0; i < family->count; i++)
    if (has_answer(family->records[i])) {
      const double one = shk_recorded(&family->records[i]->outcome, quantity, NULL);
      value = least ? fmin(value, one) : fmax(value, one);
    }
  return value;
}

static void report_number(struct shk_reporter *c, enum shk_quantity_id quantity, double value)
{
  if (!isnan(value))
    shk_report(c, quantity, NULL, value, NAN);
}

static void report_crossings(struct shk_reporter *c)
{
  const struct shk_family *const family = c->family;
  const int at = shk_family_finest(family);
  struct shk_point *const points = shk_allocate((size_t)family->count, sizeof *points);
  int count = 0;
  if (at >= 0) {
    report_number(c, SHK_QUANTITY_CROSSINGS,
                  shk_family_number(family, at, SHK_QUANTITY_CROSSINGS, NULL));
    report_number(c, SHK_QUANTITY_NEAR_MISSES,
                  shk_family_number(family, at, SHK_QUANTITY_NEAR_MISSES, NULL));
  }
  for (int i = 0; i < family->count; i++) {
    const double error = shk_family_number(family, i, SHK_QUANTITY_CROSSING_TIMES, NULL);
    if (!isnan(error))
      points[count++] = (struct shk_point){
          .step = family->steps[i], .error = error, .floor = 100 * family->epsilon * family->until};
  }
  if (count > 0)
    shk_finding_points(c, SHK_QUANTITY_CROSSING_TIMES, SHK_QUANTITY_ORDER_CROSSING, points, count);
  free(points);
}

static void report_impasse(struct shk_reporter *c)
{
  const struct shk_family *const family = c->family;
  double *const steps = shk_allocate(3 * (size_t)family->count, sizeof *steps);
  double *const times = steps + family->count, *const exponents = times + family->count;
  double doubt = 0, uncertainty;
  int count = 0;
  for (int i = 0; i < family->count; i++) {
    if (!has_answer(family->records[i]))
      continue;
    const struct shk_outcome *outcome = &family->records[i]->outcome;
    steps[count] = family->steps[i];
    times[count] = shk_recorded(outcome, SHK_QUANTITY_IMPASSE_TIME, NULL);
    exponents[count] = shk_recorded(outcome, SHK_QUANTITY_IMPASSE_EXPONENT, NULL);
    if (isnan(times[count]))
      continue;
    doubt = shk_recorded(outcome, SHK_QUANTITY_IMPASSE_DOUBT, NULL);
    count++;
  }
  if (count > 0) {
    const double limit = extrapolate_regularity(&uncertainty, steps, times, count);
    shk_report(c, SHK_QUANTITY_IMPASSE_TIME, NULL, limit, uncertainty + doubt);
    const double exponent = extrapolate_regularity(&uncertainty, steps, exponents, count);
    shk_report(c, SHK_QUANTITY_IMPASSE_EXPONENT, NULL, exponent, uncertainty);
  }
  free(steps);
}

static void report_inertia(struct shk_reporter *c)
{
  const double changes = extreme_over_steps(c->family, SHK_QUANTITY_INERTIA_CHANGES, false);
  if (isnan(changes))
    return;
  shk_report(c, SHK_QUANTITY_INERTIA_CHANGES, NULL, changes, NAN);
  shk_finding_verdict(c, &(struct shk_evidence){
                             .kind = SHK_EVIDENCE_NUMBER,
                             .number = changes,
                             .why = changes > 0
                                        ? "the inertia of the matrix that determines the "
                                          "multipliers changed during a run: the method stepped "
                                          "over a fold, and the states after it are not a solution"
                                        : NULL});
}

static void report_regularity(struct shk_reporter *c)
{
  const struct shk_ends ends = shk_count_ends(c->family, has_answer);
  if (ends.failed || ends.refused || ends.missing > 0)
    shk_finding_end(c, SHK_QUANTITY_REGULARITY, ends.failed ? ends.failed : ends.refused,
                    ends.missing);
  if (ends.answers == 0)
    return;
  report_number(c, SHK_QUANTITY_RANK_LEAST,
                extreme_over_steps(c->family, SHK_QUANTITY_RANK_LEAST, true));
  report_number(c, SHK_QUANTITY_SINGULAR_VALUE,
                extreme_over_steps(c->family, SHK_QUANTITY_SINGULAR_VALUE, true));
  report_crossings(c);
  report_inertia(c);
  report_impasse(c);
}

const struct shk_finder shk_finder_regularity = {.in = SHK_IN_PATHS, .report = report_regularity};
