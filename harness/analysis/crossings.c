/* Findings about rank, crossings and impasses along runs. See crossings.h. */
#include "harness/analysis/crossings.h"

#include "foundation/memory.h"
#include "harness/analysis/statistics/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double shk_extrapolate(double *uncertainty, const double *steps, const double *values, int count)
{
  *uncertainty = NAN;
  if (count < 2)
    return NAN;
  const double finest = values[count - 1], change = finest - values[count - 2];
  double power = 1;
  if (count > 2) {
    /* The order p from (x_0 - x_1)/(x_1 - x_2) = (h_0^p - h_1^p)/(h_1^p - h_2^p), by bisection. */
    const double h0 = steps[count - 3], h1 = steps[count - 2], h2 = steps[count - 1];
    const double ratio = (values[count - 3] - values[count - 2]) / -change;
    double low = 0.25, high = 12;
    for (int pass = 0; pass < 60; pass++) {
      const double p = (low + high) / 2;
      const double now = (pow(h0, p) - pow(h1, p)) / (pow(h1, p) - pow(h2, p));
      if (now < ratio)
        low = p;
      else
        high = p;
    }
    power = ratio > 0 ? low : 1;
  }
  const double correction = change / (pow(steps[count - 2] / steps[count - 1], power) - 1);
  *uncertainty = fabs(correction);
  return finest + correction;
}

/* True if the cell ran to its end or stopped without an external cause. */
static bool has_answer(const struct shk_record *record)
{
  return record && record->end == SHK_END_FINISHED && record->outcome.code != SHK_REFUSED &&
         !isnan(shk_recorded(&record->outcome, SHK_QUANTITY_RANK_MOST, NULL));
}

static struct shk_finding *add(struct shk_findings *findings, const struct shk_family *family,
                               enum shk_quantity_id quantity, double value)
{
  return shk_findings_add(findings, family, quantity, NULL, value, NAN);
}

/* Reports the cells without an answer. False if no cell has one. */
static bool report_status(struct shk_findings *findings, const struct shk_family *family)
{
  int answers = 0, silent = -1, missing = 0;
  for (int i = 0; i < family->count; i++) {
    answers += has_answer(family->records[i]);
    missing += !family->records[i];
    if (family->records[i] && !has_answer(family->records[i]))
      silent = i;
  }
  if (silent < 0 && missing == 0)
    return answers > 0;
  if (silent >= 0) {
    const struct shk_record *record = family->records[silent];
    const bool refused = record->end == SHK_END_FINISHED && record->outcome.code == SHK_REFUSED;
    shk_findings_add_status(findings, family, SHK_QUANTITY_REGULARITY, record,
                            refused ? SHK_VERDICT_REFUSED : SHK_VERDICT_FAILED);
  } else {
    shk_findings_add_missing(findings, family, SHK_QUANTITY_REGULARITY, missing, family->count);
  }
  return answers > 0;
}

/* Returns the least or largest over the steps; NaN if no cell has the quantity. */
static double worst(const struct shk_family *family, enum shk_quantity_id quantity, bool least)
{
  double value = NAN;
  for (int i = 0; i < family->count; i++)
    if (has_answer(family->records[i])) {
      const double one = shk_recorded(&family->records[i]->outcome, quantity, NULL);
      value = least ? fmin(value, one) : fmax(value, one);
    }
  return value;
}

static double finest(const struct shk_family *family, enum shk_quantity_id quantity)
{
  for (int i = family->count - 1; i >= 0; i--)
    if (shk_record_finished(family->records[i]))
      return shk_recorded(&family->records[i]->outcome, quantity, NULL);
  return NAN;
}

static void report_number(struct shk_findings *findings, const struct shk_family *family,
                          enum shk_quantity_id quantity, double value)
{
  if (!isnan(value))
    add(findings, family, quantity, value);
}

static void report_crossings(struct shk_findings *findings, const struct shk_family *family)
{
  report_number(findings, family, SHK_QUANTITY_CROSSINGS, finest(family, SHK_QUANTITY_CROSSINGS));
  report_number(findings, family, SHK_QUANTITY_NEAR_MISSES,
                finest(family, SHK_QUANTITY_NEAR_MISSES));
  struct shk_step_error *errors = shk_allocate((size_t)family->count, sizeof *errors);
  int count = 0;
  for (int i = 0; i < family->count; i++) {
    const struct shk_record *record = family->records[i];
    const double error = shk_record_finished(record)
                             ? shk_recorded(&record->outcome, SHK_QUANTITY_CROSSING_TIMES, NULL)
                             : NAN;
    if (!isnan(error))
      errors[count++] = (struct shk_step_error){.step = family->steps[i],
                                                .error = error,
                                                .reference_error = 0,
                                                .floor = 100 * family->epsilon * family->until};
  }
  if (count > 0) {
    struct shk_finding *error =
        add(findings, family, SHK_QUANTITY_CROSSING_TIMES, errors[count - 1].error);
    error->floor = errors[count - 1].floor;
    struct shk_fit fit = shk_order_fit(NULL, errors, count, false);
    struct shk_finding *order =
        shk_findings_add(findings, family, SHK_QUANTITY_ORDER_CROSSING, NULL,
                         fit.determined ? fit.order : NAN, fit.determined ? fit.half_width : NAN);
    if (!fit.determined)
      order->reason = shk_copy_text(fit.why);
  }
  free(errors);
}

static void report_impasse(struct shk_findings *findings, const struct shk_family *family)
{
  double *steps = shk_allocate(3 * (size_t)family->count, sizeof *steps);
  double *times = steps + family->count, *exponents = times + family->count;
  double doubt = 0;
  int count = 0;
  for (int i = 0; i < family->count; i++) {
    if (!has_answer(family->records[i]))
      continue;
    const struct shk_outcome *outcome = &family->records[i]->outcome;
    const double time = shk_recorded(outcome, SHK_QUANTITY_IMPASSE_TIME, NULL);
    if (isnan(time))
      continue;
    steps[count] = family->steps[i];
    times[count] = time;
    doubt = shk_recorded(outcome, SHK_QUANTITY_IMPASSE_DOUBT, NULL);
    exponents[count++] = shk_recorded(outcome, SHK_QUANTITY_IMPASSE_EXPONENT, NULL);
  }
  if (count > 0) {
    double uncertainty;
    const double limit = shk_extrapolate(&uncertainty, steps, times, count);
    shk_findings_add(findings, family, SHK_QUANTITY_IMPASSE_TIME, NULL,
                     count > 1 ? limit : times[0], uncertainty + doubt);
    const double exponent = shk_extrapolate(&uncertainty, steps, exponents, count);
    shk_findings_add(findings, family, SHK_QUANTITY_IMPASSE_EXPONENT, NULL,
                     count > 1 ? exponent : exponents[0], uncertainty);
  }
  free(steps);
}

static void report_inertia(struct shk_findings *findings, const struct shk_family *family)
{
  const double changes = worst(family, SHK_QUANTITY_INERTIA_CHANGES, false);
  if (isnan(changes))
    return;
  struct shk_finding *finding = add(findings, family, SHK_QUANTITY_INERTIA_CHANGES, changes);
  finding->expected = shk_copy_text("0");
  finding->verdict = changes > 0 ? SHK_VERDICT_FALSIFIED : SHK_VERDICT_HELD;
  if (changes > 0)
    finding->reason =
        shk_copy_text("the matrix of the multipliers changed its inertia within a run: a fold was "
                      "stepped over, and what follows is no solution");
}

void shk_crossings_report(struct shk_findings *findings, const struct shk_plan *plan,
                          struct shk_records *records, const struct shk_analysis_source *source)
{
  struct shk_families all;
  shk_families_gather(&all, "regularity", plan, records, source);
  for (int i = 0; i < all.count; i++) {
    const struct shk_family *family = &all.families[i];
    shk_family_take(&all, family, NAN, 0);
    if (report_status(findings, family)) {
      report_number(findings, family, SHK_QUANTITY_RANK_LEAST,
                    worst(family, SHK_QUANTITY_RANK_LEAST, true));
      report_number(findings, family, SHK_QUANTITY_SINGULAR_VALUE,
                    worst(family, SHK_QUANTITY_SINGULAR_VALUE, true));
      report_crossings(findings, family);
      report_inertia(findings, family);
      report_impasse(findings, family);
    }
    shk_family_put_back(&all, family, NAN);
  }
  shk_families_clear(&all);
}
