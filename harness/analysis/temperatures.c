/*
 * Reports `temperature at h = 0`, the limits of the molecules' temperatures as the step goes to
 * zero. For each temperature, and for the ratio of the rotational to the translational temperature,
 * the line
 *
 *     T(h) = T(0) + c h²
 *
 * is fitted to runs with at least three different steps, weighted by their standard errors. The fit
 * is linear in h² because the momenta of geometric methods, both at full and at half steps, differ
 * from those of the modified Hamiltonian by O(h²). The half-width is a 95 % confidence bound from
 * Student's t distribution. It is enlarged if the points are farther from the line than their
 * errors explain.
 */
#include "harness/analysis/report.h"

#include "foundation/memory.h"
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns a scalar of a run and stores its standard error in *error. */
static double recorded_temperatures(const struct shk_outcome *outcome, const char *name,
                                    double *error)
{
  char whole[96];
  snprintf(whole, sizeof whole, "%s-error", name);
  *error = shk_outcome_scalar(outcome, whole);
  return shk_outcome_scalar(outcome, name);
}

/* Reports the limit of a scalar or, if `over` is not NULL, the limit of its ratio to the scalar
 * `over`. */
static void report_limit(struct shk_reporter *c, const char *name, const char *scalar,
                         const char *over)
{
  const struct shk_family *const family = c->family;
  const size_t room = (size_t)family->count;
  double *const squares = shk_allocate(3 * room, sizeof *squares), /* the squared step sizes */
      *const values = squares + room, *const weights = values + room;
  size_t count = 0;
  for (int i = 0; i < family->count; i++) {
    if (!shk_record_finished(family->records[i]))
      continue;
    const struct shk_outcome *const outcome = &family->records[i]->outcome;
    double error, of_other = 0;
    const double top = recorded_temperatures(outcome, scalar, &error),
                 other = over ? recorded_temperatures(outcome, over, &of_other) : 1;
    const double value = top / other, off = value * hypot(error / top, of_other / other);
    if (!(off > 0) || !isfinite(value))
      continue;
    squares[count] = family->steps[i] * family->steps[i];
    values[count] = value;
    weights[count++] = 1 / (off * off);
  }
  if (count >= 3) {
    const double freedom = (double)count - 2;
    double limit, slope, variance, covariance, of_slope, rest;
    gsl_fit_wlinear(squares, 1, weights, 1, values, 1, count, &limit, &slope, &variance,
                    &covariance, &of_slope, &rest);
    shk_report(c, SHK_QUANTITY_TEMPERATURE_LIMIT, name, limit,
               sqrt(variance * fmax(1, rest / freedom)) * gsl_cdf_tdist_Pinv(0.975, freedom));
  }
  free(squares);
}

static void report_temperatures(struct shk_reporter *c)
{
  const int finest = shk_family_finest(c->family);
  if (finest < 0 || c->family->by_tolerance)
    return;
  const struct shk_outcome *const outcome = &c->family->records[finest]->outcome;
  for (int i = 0; i < outcome->scalar_count; i++) {
    const char *const name = outcome->scalars[i].name;
    const size_t length = strlen(name);
    if (strncmp(name, "temperature-", 12) == 0 &&
        !(length > 6 && strcmp(name + length - 6, "-error") == 0))
      report_limit(c, strchr(name, '-') + 1, name, NULL);
  }
  report_limit(c, "rotation over translation", "temperature-rotation", "temperature-translation");
  report_limit(c, "rotation-half over translation-half", "temperature-rotation-half",
               "temperature-translation-half");
}

const struct shk_finder shk_finder_temperatures = {
    .in = SHK_IN_RUNS, .measures = SHK_BIT(TEMPERATURES), .report = report_temperatures};
