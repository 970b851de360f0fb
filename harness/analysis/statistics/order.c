/*
 * The order of convergence from an error curve.
 *
 * Points are visited from the coarsest on; failed cells are gaps. The first error below 100 × (the
 * reference's error + the round-off floor) ends the curve: finer points are not used. At least 4
 * points must remain.
 */
#include "harness/analysis/statistics/order.h"
#include "foundation/memory.h"
#include "harness/analysis/statistics/expansion.h"
#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEAST_POINTS = 4 };

/* A curve with an order below the first, pairwise orders above the second and
 * small errors is a plateau. */
static const double level_slope = 0.3, falling_slope = 0.5, small_error = 1e-3;
/* Changes of pairwise orders below this need not shrink. */
static const double small_change = 0.05;
/* Extrapolated pairwise orders with a larger uncertainty decide nothing. */
static const double uncertain = 0.2;
/* Rounding of signed errors, relative to their size. */
static const double rounding = 4e-15;

/*
 * Floors, all relative to the size of the block:
 * - states: one rounding of increments per step, random in sign, makes a random walk eps·sqrt(N) of
 *   the actions, and the phases follow it over the run, eps·sqrt(N)·T/τ. Methods with compensated
 *   summation stay below; the value is too large rather than too small.
 * - discrete multipliers: they come from g(q) = 0 divided by h², so the rounding of q appears as
 *   about 2.5 eps (τ/h)² of the multiplier's size.
 */
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

/* Finds the points that are used: indices of finite positive errors above
 * the margin, coarsest first. */
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

/* The points that are used, coarsest first. */
struct curve {
  int count;
  int *index;                   /* indices of the given points */
  double *steps, *sizes;        /* root mean squares of the signed errors, or the errors */
  double *noise, *pairs;        /* bounds of the errors of both; pairwise orders */
  const double **signed_errors; /* if every point has them */
  int signed_count;             /* 0: some point has none */
};

static bool all_signed(const struct curve *curve, const struct shk_step_error *errors)
{
  const int size = errors[curve->index[0]].signed_count;
  bool all = size > 0;
  for (int i = 0; i < curve->count; i++) {
    const struct shk_step_error *point = &errors[curve->index[i]];
    all = all && point->signed_errors && point->signed_count == size;
  }
  return all;
}

static void set_curve(struct curve *curve, const struct shk_step_error *errors)
{
  const bool all = all_signed(curve, errors);
  curve->signed_count = all ? errors[curve->index[0]].signed_count : 0;
  for (int i = 0; i < curve->count; i++) {
    const struct shk_step_error *point = &errors[curve->index[i]];
    curve->signed_errors[i] = point->signed_errors;
    curve->steps[i] = point->step;
    curve->sizes[i] =
        all ? shk_root_mean_square(point->signed_errors, point->signed_count) : point->error;
    curve->noise[i] = point->reference_error + point->floor + rounding * curve->sizes[i];
    if (i > 0)
      curve->pairs[i - 1] =
          log(curve->sizes[i - 1] / curve->sizes[i]) / log(curve->steps[i - 1] / curve->steps[i]);
  }
}

/* Returns the limit of the pairwise orders, each at the geometric mean of its two steps. */
static struct shk_limit limit_of_pairs(const struct curve *curve)
{
  const int count = curve->count - 1;
  double *const steps = shk_allocate(2 * (size_t)count, sizeof *steps);
  double *const noise = steps + count;
  const double **const values = shk_allocate((size_t)count, sizeof *values);
  for (int i = 0; i < count; i++) {
    steps[i] = sqrt(curve->steps[i] * curve->steps[i + 1]);
    noise[i] = (curve->noise[i] / curve->sizes[i] + curve->noise[i + 1] / curve->sizes[i + 1]) /
               log(curve->steps[i] / curve->steps[i + 1]);
    values[i] = &curve->pairs[i];
  }
  struct shk_windows windows = shk_windows_make(steps, count, 1);
  const struct shk_limit limit =
      shk_limit_of(&(struct shk_sequence){count, 1, values, noise}, &windows);
  shk_windows_clear(&windows);
  free(values);
  free(steps);
  return limit;
}

/* True if the changes of pairwise orders shrink, or are small. */
static bool settles(const struct curve *curve)
{
  const double *const pairs = curve->pairs + curve->count - 4;
  return fabs(pairs[2] - pairs[1]) <= fmax(small_change, fabs(pairs[1] - pairs[0]));
}

static void set_order(struct shk_fit *fit, double order, double half_width, int used)
{
  fit->determined = true;
  fit->order = order;
  fit->half_width = half_width;
  fit->first = used;
}

/*
 * The order is a limit for h -> 0 and is found in two ways:
 * - pairwise orders log(e_i/e_{i+1}) / log(h_i/h_{i+1}) are extrapolated by polynomials in the
 *   step, which eliminates the next terms of the expansion (limit.h). e is the root mean square of
 *   the signed errors, which is smooth in the step; without them, the error itself;
 * - the leading term of the expansion of the signed errors (expansion.h).
 * Each has an uncertainty from several degrees and windows. If both decide, the order is that of
 * the expansion and the half-width at least their difference. If they contradict each other, a term
 * of lower order than the slopes' is accepted: it dominates as h -> 0, and slopes show it late. A
 * term of higher order must be known to a thousandth; else the order is undetermined.
 *
 * A curve that falls and then stays level is no evidence of order 0. It is a plateau (a solver's
 * tolerance, a reference with the same defect) and is undetermined.
 */

/* Combines both ways; fit->first is the number of points used so far. */
static void combine(struct shk_fit *fit, const struct shk_limit *pairs, bool settled,
                    const struct shk_expansion *expansion)
{
  const bool by_pairs = settled && pairs->uncertainty < uncertain;
  const double apart = fabs(pairs->value - expansion->value);
  if (expansion->determined) {
    const bool agree =
        by_pairs && apart <= fmax(pairs->uncertainty + expansion->half_width, small_change);
    if (by_pairs && !agree && expansion->value > pairs->value && expansion->certainty < 1000) {
      snprintf(fit->why, sizeof fit->why,
               "pairwise orders tend to %.3g, but the leading term is of order %.3g", pairs->value,
               expansion->value);
      return;
    }
    set_order(fit, expansion->value,
              agree ? fmax(expansion->half_width, apart) : expansion->half_width, expansion->used);
    fit->by_signs = true;
    fit->share = expansion->share;
    fit->unseen = expansion->unseen;
  } else if (by_pairs) {
    set_order(fit, pairs->value, pairs->uncertainty, pairs->used + 1);
  } else {
    snprintf(fit->why, sizeof fit->why, "pairwise orders do not settle: the last are %s",
             fit->pairs);
  }
}

/* Finds a curve that fell, and is small where it stays level. */
static void find_plateau(struct shk_fit *fit, const struct curve *curve)
{
  bool fell = false;
  for (int i = 0; i + 1 < curve->count; i++)
    fell = fell || curve->pairs[i] > fit->order + falling_slope;
  if (!fit->determined || fabs(fit->order) >= level_slope || !fell ||
      fit->finest_error >= small_error)
    return;
  fit->determined = false;
  fit->level = fit->by_signs ? fit->share * curve->sizes[0] : fit->finest_error;
  snprintf(fit->why, sizeof fit->why,
           "a plateau at %.2g after pairwise orders %s: a tolerance or the reference limits the "
           "error",
           fit->level, fit->pairs);
}

/* Fits the least-squares line, with twice its standard error. */
static double fit_line(struct shk_fit *fit, const struct curve *curve)
{
  const size_t count = (size_t)curve->count;
  double *const x = shk_allocate(2 * count, sizeof *x), *const y = x + count;
  for (size_t i = 0; i < count; i++) {
    x[i] = log(curve->steps[i]);
    y[i] = log(curve->sizes[i]);
  }
  double c0, c1, cov00, cov01, cov11, residual;
  gsl_fit_linear(x, 1, y, 1, count, &c0, &c1, &cov00, &cov01, &cov11, &residual);
  free(x);
  fit->slope = c1;
  fit->slope_half_width = 2 * sqrt(cov11);
  return c0;
}

static void fit_curve(struct shk_fit *fit, const struct curve *curve, bool by_tolerance)
{
  const double *const pairs = curve->pairs + curve->count - 4;
  fit->last_pair = pairs[2];
  fit->trend = pairs[2] - pairs[1];
  fit->begins_to_fall = pairs[2] >= fmax(pairs[0], pairs[1]);
  snprintf(fit->pairs, sizeof fit->pairs, "%.3g, %.3g, %.3g", pairs[0], pairs[1], pairs[2]);
  const double intercept = fit_line(fit, curve);
  if (by_tolerance) { /* errors follow tolerances only loosely */
    set_order(fit, fit->slope, fmax(fit->slope_half_width, fabs(fit->trend)), curve->count);
    fit->intercept = intercept;
    return;
  }
  struct shk_expansion expansion = {.determined = false};
  if (curve->signed_count > 0)
    expansion =
        shk_expand(curve->steps, &(struct shk_sequence){curve->count, curve->signed_count,
                                                        curve->signed_errors, curve->noise});
  const struct shk_limit limit = limit_of_pairs(curve);
  combine(fit, &limit, settles(curve), &expansion);
  fit->intercept =
      log(curve->sizes[curve->count - 1]) - fit->order * log(curve->steps[curve->count - 1]);
}

static struct curve new_curve(int count)
{
  const size_t room = (size_t)count + 1;
  struct curve curve = {.index = shk_allocate(room, sizeof *curve.index),
                        .steps = shk_allocate(4 * room, sizeof *curve.steps),
                        .signed_errors = shk_allocate(room, sizeof *curve.signed_errors)};
  curve.sizes = curve.steps + room;
  curve.noise = curve.sizes + room;
  curve.pairs = curve.noise + room;
  return curve;
}

struct shk_fit shk_order_fit(bool *in_window, const struct shk_step_error *errors, int count,
                             bool by_tolerance)
{
  struct shk_fit fit = {.order = NAN,
                        .half_width = NAN,
                        .intercept = NAN,
                        .last_pair = NAN,
                        .trend = NAN,
                        .finest_error = NAN,
                        .unseen = NAN,
                        .share = NAN,
                        .level = NAN,
                        .slope = NAN,
                        .slope_half_width = NAN,
                        .first = -1,
                        .last = -1};
  for (int i = 0; in_window && i < count; i++)
    in_window[i] = false;
  struct curve curve = new_curve(count);
  curve.count = countable(curve.index, errors, count, &fit);
  if (curve.count >= LEAST_POINTS) {
    const int last = curve.index[curve.count - 1];
    set_curve(&curve, errors);
    fit.finest_error = errors[last].error;
    fit_curve(&fit, &curve, by_tolerance);
    find_plateau(&fit, &curve);
    fit.last = fit.determined ? last : -1;
    fit.first = fit.determined ? curve.index[curve.count - fit.first] : -1;
    for (int i = 0; in_window && fit.determined && i < curve.count; i++)
      in_window[curve.index[i]] = curve.index[i] >= fit.first;
  }
  free(curve.index);
  free(curve.steps);
  free(curve.signed_errors);
  return fit;
}
