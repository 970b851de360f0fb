/*
 * Determines the order of convergence from an error curve.
 *
 * Points are visited from the largest step to the smallest, skipping those of failed cells. The
 * curve ends before the first error below 100 × (error of the reference + round-off floor). Finer
 * points are not used. At least 4 points must remain.
 */
#include "harness/analysis/statistics/order.h"
#include "foundation/memory.h"
#include "harness/analysis/statistics/line.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_POINTS = 4 };

/* A curve has a plateau if its order is below `level_slope`, one of its pairwise orders exceeds
 * that order by more than `falling_slope`, and its finest error is below `small_error`. */
static const double level_slope = 0.3, falling_slope = 0.5, small_error = 1e-3;
/* Pairwise orders count as settled if their last change is smaller than this. */
static const double small_change = 0.05;
/* Extrapolated pairwise orders are not used if their uncertainty is larger than this. */
static const double uncertain = 0.2;
/* The rounding error of signed errors, relative to their size. */
static const double rounding = 4e-15;

/*
 * Floors of the errors, all relative to the size of the block:
 * - States: if every step makes one rounding error of random sign, the actions perform a random
 *   walk eps·sqrt(N), which shifts the phases by eps·sqrt(N)·T/τ over the run. For methods that use
 *   compensated summation this floor is larger than necessary, which is on the safe side.
 * - Discrete multipliers: they are obtained from g(q) = 0 divided by h², so rounding errors in q
 *   cause an error of about 2.5 eps (τ/h)² times the multiplier's size.
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

/* The points in use, starting with the largest step. */
struct curve {
  int count;
  struct shk_point **points;
  /* `sizes` contains the root mean squares of the signed errors or, if there are no signed errors,
   * the errors themselves. */
  double *steps, *sizes;
  double *pairs; /* pairwise orders */
  /* the signed errors, and the pairwise orders at the geometric means of the steps */
  struct shk_term *errors, *orders;
  int signed_count; /* 0 if any point lacks signed errors */
};

/* Explains why there are too few points. Of the `count` points, `finite` have an error and `usable`
 * are above the margin. `cut` is the first point below the margin, or NULL if there is none. */
static void tell_too_few(struct shk_fit *fit, int usable, int finite, int count,
                         const struct shk_point *cut)
{
  const bool by_reference = cut && cut->reference_error > cut->floor;
  const int left = cut ? usable : finite;
  fit->exact = cut && usable == 0 && !by_reference;
  if (cut && usable == 0)
    snprintf(fit->why, sizeof fit->why, "%s",
             by_reference ? "every error is below 100 times the error of the reference"
                          : "exact on this problem: every error is at round-off");
  else
    snprintf(fit->why, sizeof fit->why, "%d point%s%s, %d needed%s", left, left == 1 ? "" : "s",
             !cut           ? ""
             : by_reference ? " above 100 times the reference's error"
                            : " above the round-off floor",
             LEAST_POINTS, !cut && finite < count ? " (others failed or are missing)" : "");
}

/* Selects all points with finite errors that come before the first one below the margin. If there
 * are too few of them, sets the reason and returns false. */
static bool find_points(struct curve *curve, struct shk_fit *fit, struct shk_point *points,
                        int count)
{
  const struct shk_point *cut = NULL;
  int finite = 0;
  bool no_reference = false;
  for (int i = 0; i < count; i++) {
    struct shk_point *const point = &points[i];
    if (!isfinite(point->error) || !(point->step > 0))
      continue;
    finite++;
    if (isnan(point->reference_error))
      no_reference = true;
    else if (cut)
      continue;
    else if (point->error < SHK_ORDER_MARGIN * (point->reference_error + point->floor) ||
             point->error == 0)
      cut = point;
    else
      curve->points[curve->count++] = point;
  }
  if (no_reference && curve->count < LEAST_POINTS)
    snprintf(fit->why, sizeof fit->why, "the error of the reference is unknown");
  else if (curve->count < LEAST_POINTS)
    tell_too_few(fit, curve->count, finite, count, cut);
  return curve->count >= LEAST_POINTS;
}

/* Fills in the errors and the pairwise orders. Each pairwise order is assigned to the geometric
 * mean of its two steps. */
static void set_curve(struct curve *curve)
{
  const int size = curve->points[0]->signed_count;
  bool all = size > 0;
  for (int i = 0; i < curve->count; i++)
    all = all && curve->points[i]->signed_errors && curve->points[i]->signed_count == size;
  curve->signed_count = all ? size : 0;
  for (int i = 0; i < curve->count; i++) {
    const struct shk_point *const point = curve->points[i];
    double *const sizes = curve->sizes + i, *const steps = curve->steps + i;
    struct shk_term *const errors = curve->errors + i;
    *steps = point->step;
    *sizes = all ? shk_root_mean_square(point->signed_errors, size) : point->error;
    *errors = (struct shk_term){.step = point->step,
                                .noise = point->reference_error + point->floor + rounding * *sizes,
                                .values = point->signed_errors};
    if (i == 0)
      continue;
    const double ratio = log(steps[-1] / *steps);
    curve->pairs[i - 1] = log(sizes[-1] / *sizes) / ratio;
    curve->orders[i - 1] =
        (struct shk_term){.step = sqrt(steps[-1] * *steps),
                          .noise = (errors[-1].noise / sizes[-1] + errors->noise / *sizes) / ratio,
                          .values = &curve->pairs[i - 1]};
  }
}

static void set_order(struct shk_fit *fit, double order, double half_width, int used)
{
  fit->determined = true;
  fit->order = order;
  fit->half_width = half_width;
  fit->used = used;
}

/*
 * The order is the limit of the observed orders as h goes to zero. It is determined in two ways:
 * - The pairwise orders log(e_i/e_{i+1}) / log(h_i/h_{i+1}) are extrapolated by polynomials in the
 *   step, which eliminates further terms of the expansion. Here e is the root mean square of the
 *   signed errors, which depends smoothly on the step. Without signed errors, e is the error
 *   itself.
 * - The leading term in the expansion of the signed errors is found (expansion.h).
 *
 * The uncertainty of each result is found by varying the degree and the window. If the two results
 * agree, the order is that of the expansion, and the half-width is at least their difference. If
 * they contradict each other, a leading term of lower order than the pairwise orders is accepted,
 * because such a term dominates as h goes to zero but affects the pairwise orders only at very
 * small steps. A leading term of higher order must be known to within one part in a thousand;
 * otherwise the order is undetermined.
 *
 * A curve that first decreases and then levels off is no evidence of order 0. Such a plateau is
 * caused by a solver's tolerance or by a reference with the same defect, and its order is
 * undetermined.
 */

/* Combines the order found from the pairwise orders with the one found from the expansion. */
static void combine_order(struct shk_fit *fit, const struct shk_limit *pairs, bool settled,
                          const struct shk_expansion *expansion)
{
  const bool by_pairs = settled && pairs->uncertainty < uncertain;
  const double apart = fabs(pairs->value - expansion->value);
  if (expansion->determined) {
    const bool agree =
        by_pairs && apart <= fmax(pairs->uncertainty + expansion->half_width, small_change);
    if (by_pairs && !agree && expansion->value > pairs->value && expansion->certainty < 1000) {
      snprintf(fit->why, sizeof fit->why,
               "the pairwise orders tend to %.3g, but the leading term has order %.3g",
               pairs->value, expansion->value);
      return;
    }
    set_order(fit, expansion->value,
              agree ? fmax(expansion->half_width, apart) : expansion->half_width, expansion->used);
    fit->by_signs = true;
    fit->share = expansion->share;
    fit->unseen = expansion->unseen;
    memcpy(fit->at_most, expansion->at_most, sizeof fit->at_most);
  } else if (by_pairs) {
    set_order(fit, pairs->value, pairs->uncertainty, pairs->used + 1);
  } else {
    snprintf(fit->why, sizeof fit->why, "the pairwise orders do not converge: the last ones are %s",
             fit->pairs);
  }
}

/* Marks the order as undetermined if the curve reaches a plateau, that is, if the error decreases
 * and then stays small but constant. */
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

/* Returns the distance of a pairwise order from the nearest whole number. */
static double off_whole(double order)
{
  return fabs(order - round(order));
}

/* Returns true if the pairwise orders move away from a whole number at an increasing rate. This
 * happens if there is a term of lower order, because its share of the error grows like a power of
 * 1/h as the step decreases. The share of a term of higher order decreases like a power of h. The
 * last three distances from the whole number must exceed their round-off, and from each of them to
 * the next the distance must grow by a factor of 1.5 to 5 per halving of the step. */
static bool pairs_leave_order(const struct curve *curve)
{
  const int last = curve->count - 2;
  for (int i = last - 2; i <= last; i++) {
    const double here = off_whole(curve->pairs[i]);
    if (!(here > 10 * curve->orders[i].noise) ||
        round(curve->pairs[i]) != round(curve->pairs[last]))
      return false;
    if (i == last - 2)
      continue;
    const double power = log(here / off_whole(curve->pairs[i - 1])) /
                         log(curve->orders[i - 1].step / curve->orders[i].step);
    if (!(power >= log2(1.5) && power <= log2(5)))
      return false;
  }
  return true;
}

/* If the pairwise orders move away from the computed order, enlarges the half-width so that it
 * includes the next lower order. */
static void doubt_order(struct shk_fit *fit, const struct curve *curve)
{
  if (!fit->determined || fabs(fit->order - fit->last_pair) > falling_slope ||
      !pairs_leave_order(curve))
    return;
  fit->half_width = fmax(fit->half_width, fit->order - (round(fit->last_pair) - 1));
  fit->leaves = true;
}

static void fit_curve(struct shk_fit *fit, const struct curve *curve, bool by_tolerance)
{
  const double *const pairs = curve->pairs + curve->count - 4;
  fit->last_pair = pairs[2];
  fit->trend = pairs[2] - pairs[1];
  fit->begins_to_fall = pairs[2] >= fmax(pairs[0], pairs[1]);
  snprintf(fit->pairs, sizeof fit->pairs, "%.3g, %.3g, %.3g", pairs[0], pairs[1], pairs[2]);
  const struct shk_line line = shk_power_fit(curve->steps, curve->sizes, curve->count);
  fit->slope = line.slope;
  fit->slope_half_width = 2 * line.error;
  if (by_tolerance) { /* errors depend on tolerances only loosely */
    set_order(fit, fit->slope, fmax(fit->slope_half_width, fabs(fit->trend)), curve->count);
    return;
  }
  struct shk_expansion expansion = {.determined = false};
  if (curve->signed_count > 0)
    expansion =
        shk_expand(&(struct shk_sequence){curve->count, curve->signed_count, curve->errors});
  const struct shk_limit limit =
      shk_limit_of(&(struct shk_sequence){curve->count - 1, 1, curve->orders});
  /* The pairwise orders have settled if their last change is small or is smaller than the one
   * before. */
  const bool settled = fabs(fit->trend) <= fmax(small_change, fabs(pairs[1] - pairs[0]));
  combine_order(fit, &limit, settled, &expansion);
}

struct shk_fit shk_order_fit(struct shk_point *points, int count, bool by_tolerance)
{
  struct shk_fit fit = {.determined = false};
  fit.order = fit.half_width = fit.last_pair = fit.trend = fit.finest_error = NAN;
  for (int i = 0; i <= SHK_HIGHEST_ORDER; i++)
    fit.at_most[i] = NAN;
  fit.unseen = fit.share = fit.level = fit.slope = fit.slope_half_width = NAN;
  const size_t room = (size_t)count + 1;
  double *const numbers = shk_allocate(3 * room, sizeof *numbers);
  struct curve curve = {.points = shk_allocate(room, sizeof *curve.points),
                        .steps = numbers,
                        .sizes = numbers + room,
                        .pairs = numbers + 2 * room,
                        .errors = shk_allocate(2 * room, sizeof *curve.errors)};
  curve.orders = curve.errors + room;
  for (int i = 0; i < count; i++)
    points[i].in_window = false;
  if (find_points(&curve, &fit, points, count)) {
    set_curve(&curve);
    fit.finest_error = curve.points[curve.count - 1]->error;
    fit_curve(&fit, &curve, by_tolerance);
    if (!by_tolerance)
      doubt_order(&fit, &curve);
    find_plateau(&fit, &curve);
  }
  for (int i = curve.count - fit.used; fit.determined && i < curve.count; i++)
    curve.points[i]->in_window = true;
  free(curve.points);
  free(numbers);
  free(curve.errors);
  return fit;
}
