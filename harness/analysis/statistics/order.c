/*
 * The order of convergence from an error curve.
 *
 * The window: points are walked from the coarsest on, failed cells are gaps; the first error below
 * 100 × (the reference's error + the round-off floor) ends the curve, so that nothing finer counts.
 * Of what is left, coarse points are dropped until all successive pairwise orders
 *
 *     p_i = log(e_i/e_{i+1}) / log(h_i/h_{i+1})
 *
 * differ by less than 0.05. At least 4 points must remain. Signs are kept and nothing is averaged:
 * a sequence that diverges has a negative order, one that scatters has none. Least squares of log e
 * on log h (gsl_fit_linear); the uncertainty is the larger of 2 standard errors and the last
 * pairwise change, since the bias of an asymptotic expansion is no noise.
 *
 * A curve that falls and then stays level is no evidence of order 0: it is a plateau (a solver's
 * tolerance, a reference that shares the defect) and is undetermined.
 *
 * Floors, all relative to the size of the block:
 * - states: one rounding per step of what moves the state, random in sign, makes a random walk
 *   eps·sqrt(N) of the actions, and the phases follow it over the run, eps·sqrt(N)·T/τ. Methods
 *   with compensated sums stay below; the value is meant to be too large rather than too small.
 * - discrete multipliers: they come from g(q) = 0 divided by h², so the rounding of q appears as
 *   about 2.5 eps (τ/h)² of the multiplier's size.
 */
#include "harness/analysis/statistics/order.h"
#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEAST_POINTS = 4 };

/* A fall of the slope to less than this, from a settled slope larger by 0.5 or more, is a plateau.
 */
static const double level_slope = 0.3;

double shk_state_floor(double epsilon, double steps, double until, double time_scale)
{
  const double phases = until / time_scale;
  return epsilon * (4 + sqrt(fmax(steps, 0)) * (phases > 1 ? phases : 1));
}

double shk_multiplier_floor(double epsilon, double step, double time_scale)
{
  const double ratio = time_scale / step;
  return 2.5 * epsilon * ratio * ratio;
}

/* The points that count: indices of finite positive errors above the margin, coarsest first. */
static int countable(int *index, const struct shk_step_error *errors, int count,
                     struct shk_fit *fit)
{
  int usable = 0, finite = 0;
  bool cut = false, by_reference = false, no_reference = false;
  for (int i = 0; i < count; i++) {
    const struct shk_step_error *point = &errors[i];
    if (!isfinite(point->error) || !(point->step > 0))
      continue;
    finite++;
    if (isnan(point->reference_error)) {
      no_reference = true;
      continue;
    }
    if (cut)
      continue;
    if (point->error < SHK_ORDER_MARGIN * (point->reference_error + point->floor) ||
        point->error == 0) {
      cut = true;
      by_reference = point->reference_error > point->floor;
      continue;
    }
    index[usable++] = i;
  }
  if (usable >= LEAST_POINTS)
    return usable;
  if (no_reference)
    snprintf(fit->why, sizeof fit->why, "the error of the reference is unknown");
  else if (cut && usable == 0 && by_reference)
    snprintf(fit->why, sizeof fit->why, "every error is below 100 times the reference's own");
  else if (cut && usable == 0) {
    fit->exact = true;
    snprintf(fit->why, sizeof fit->why, "exact on this problem: every error is at round-off");
  } else if (cut)
    snprintf(
        fit->why, sizeof fit->why, "%d point%s above %s, %d needed", usable, usable == 1 ? "" : "s",
        by_reference ? "100 times the reference's error" : "the round-off floor", LEAST_POINTS);
  else
    snprintf(fit->why, sizeof fit->why, "%d point%s, %d needed%s", finite, finite == 1 ? "" : "s",
             LEAST_POINTS, finite < count ? " (others failed or are missing)" : "");
  return usable;
}

/* The first point of the longest run of points that ends at `last` and whose successive pairwise
 * orders differ by less than `settled`. */
static int settled_from(const double *pair, int last, double settled)
{
  int first = last - 1;
  while (first > 0 && fabs(pair[first] - pair[first - 1]) < settled)
    first--;
  return first;
}

struct shk_fit shk_order_fit(bool *in_window, const struct shk_step_error *errors, int count,
                             double settled)
{
  struct shk_fit fit = {.order = NAN,
                        .half_width = NAN,
                        .intercept = NAN,
                        .last_pair = NAN,
                        .trend = NAN,
                        .finest_error = NAN,
                        .first = -1,
                        .last = -1};
  for (int i = 0; in_window && i < count; i++)
    in_window[i] = false;

  const size_t room = (size_t)(count > 0 ? count : 1);
  int *index = malloc(room * sizeof *index);
  double *x = malloc(3 * room * sizeof *x), *y = x + room, *pair = y + room;
  if (!index || !x) {
    snprintf(fit.why, sizeof fit.why, "out of memory");
    goto done;
  }

  const int usable = countable(index, errors, count, &fit);
  if (usable < LEAST_POINTS)
    goto done;
  for (int i = 0; i < usable; i++) {
    x[i] = log(errors[index[i]].step);
    y[i] = log(errors[index[i]].error);
    if (i > 0)
      pair[i - 1] = (y[i - 1] - y[i]) / (x[i - 1] - x[i]);
  }

  const int last = usable - 1, first = settled_from(pair, last, settled);
  if (last - first + 1 < LEAST_POINTS) {
    snprintf(fit.why, sizeof fit.why,
             "pairwise orders do not settle: the last are %.3g, %.3g, %.3g", pair[last - 3],
             pair[last - 2], pair[last - 1]);
    goto done;
  }

  const size_t used = (size_t)(last - first + 1);
  double c0, c1, cov00, cov01, cov11, residual;
  gsl_fit_linear(x + first, 1, y + first, 1, used, &c0, &c1, &cov00, &cov01, &cov11, &residual);

  if (fabs(c1) < level_slope)
    for (int end = first; end >= LEAST_POINTS - 2; end--) {
      const int begin = settled_from(pair, end, settled);
      if (end - begin + 1 >= LEAST_POINTS - 1 && pair[end - 1] > c1 + 0.5) {
        snprintf(
            fit.why, sizeof fit.why,
            "a plateau at %.2g after order %.3g: a tolerance or the reference limits the error",
            errors[index[last]].error, pair[end - 1]);
        goto done;
      }
    }

  fit.determined = true;
  fit.order = c1;
  fit.intercept = c0;
  fit.last_pair = pair[last - 1];
  fit.trend = pair[last - 1] - pair[last - 2];
  fit.half_width = fmax(2 * sqrt(cov11), fabs(fit.trend));
  fit.finest_error = errors[index[last]].error;
  fit.first = index[first];
  fit.last = index[last];
  for (int i = first; in_window && i <= last; i++)
    in_window[index[i]] = true;

done:
  free(index);
  free(x);
  return fit;
}
