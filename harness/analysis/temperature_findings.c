/*
 * Limits of temperatures at a vanishing step; see temperature_findings.h. For each temperature, and
 * for rotation over translation, the line
 *
 *     T(h) = T(0) + c h²
 *
 * through the runs at three steps or more, each weighted by its standard error: momenta of
 * the geometric methods, at full and at half steps, differ from those of the modified
 * Hamiltonian by h². The half-width is Student's t, enlarged if points lie further from the
 * line than their errors explain.
 */
#include "harness/analysis/temperature_findings.h"

#include "foundation/memory.h"
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct temperature {
  int count;
  double *squares, *values, *weights; /* of the steps; weights: one over the squared errors */
};

static void add(struct temperature *t, double step, double value, double error)
{
  if (!(error > 0) || !isfinite(value))
    return;
  t->squares[t->count] = step * step;
  t->values[t->count] = value;
  t->weights[t->count++] = 1 / (error * error);
}

static void fit(struct shk_reporter *c, const struct shk_family *family,
                const struct temperature *t, const char *name)
{
  double limit, slope, variance, covariance, of_slope, squares;
  if (t->count < 3)
    return;
  const int freedom = t->count - 2;
  gsl_fit_wlinear(t->squares, 1, t->weights, 1, t->values, 1, (size_t)t->count, &limit, &slope,
                  &variance, &covariance, &of_slope, &squares);
  const double half_width =
      sqrt(variance * fmax(1, squares / freedom)) * gsl_cdf_tdist_Pinv(0.975, freedom);
  shk_findings_add(&c->findings, family, SHK_QUANTITY_TEMPERATURE_LIMIT, name, limit, half_width);
}

/* Returns a scalar of a run, and its standard error. */
static double recorded(const struct shk_outcome *outcome, const char *name, double *error)
{
  char whole[96];
  snprintf(whole, sizeof whole, "%s-error", name);
  *error = shk_outcome_scalar(outcome, whole);
  return shk_outcome_scalar(outcome, name);
}

/* Reports the limit of one scalar, or of its quotient by another (NULL: none). */
static void report(struct shk_reporter *c, const struct shk_family *family, const char *name,
                   const char *scalar, const char *over)
{
  struct temperature t = {.squares = shk_allocate((size_t)family->count + 1, sizeof *t.squares),
                          .values = shk_allocate((size_t)family->count + 1, sizeof *t.values),
                          .weights = shk_allocate((size_t)family->count + 1, sizeof *t.weights)};
  for (int i = 0; i < family->count; i++) {
    if (!shk_record_finished(family->records[i]))
      continue;
    const struct shk_outcome *const outcome = &family->records[i]->outcome;
    double error, of_other = 0;
    const double value = recorded(outcome, scalar, &error),
                 other = over ? recorded(outcome, over, &of_other) : 1;
    add(&t, family->steps[i], value / other,
        value / other * hypot(error / value, of_other / other));
  }
  fit(c, family, &t, name);
  free(t.squares);
  free(t.values);
  free(t.weights);
}

void shk_report_temperatures(struct shk_reporter *c, const struct shk_family *family)
{
  const int finest = shk_family_finest(family);
  if (finest < 0 || family->by_tolerance ||
      !shk_reporter_wants(c, family, SHK_MEASURE_TEMPERATURES))
    return;
  const struct shk_outcome *const outcome = &family->records[finest]->outcome;
  for (int i = 0; i < outcome->scalar_count; i++) {
    const char *const name = outcome->scalars[i].name;
    const size_t length = strlen(name);
    if (strncmp(name, "temperature-", 12) == 0 &&
        !(length > 6 && strcmp(name + length - 6, "-error") == 0))
      report(c, family, strchr(name, '-') + 1, name, NULL);
  }
  report(c, family, "rotation over translation", "temperature-rotation", "temperature-translation");
  report(c, family, "rotation-half over translation-half", "temperature-rotation-half",
         "temperature-translation-half");
}
