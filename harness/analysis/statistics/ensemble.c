/*
 * Energy classes of ensembles.
 *
 * Each member has 32 windows (drift.c) with their means m_i(t), a slope b_i of a straight line
 * through them, and an oscillation. Over the members: the mean slope b with its standard error
 * s/√N, the mean oscillation, and the spread S(t), the standard deviation of m_i(t) about the mean
 * of the members, which is zero at t = 0.
 */
#include "harness/analysis/statistics/ensemble.h"

#include "foundation/memory.h"
#include "harness/analysis/statistics/members.h"

#include <gsl/gsl_fit.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Criteria of the classes, in this order:
 * - blow-up: if a member blew up, which is named.
 * - exact: if every member is.
 * - exponential: if half of the members or more grow exponentially, each one; the rate is their
 *   mean.
 * - drift: the mean slope is beyond 3 standard errors (99.73 % of Student's t) and moves the energy
 *   by more than 2 % of the oscillation over the run, and each half of the run shows a mean slope
 *   of the same sign, between a third and three times as large, the second one beyond 3 standard
 *   errors as well (a relaxation from the start to the usual level has no such second half). Or
 *   half of the members or more drift, each one, and all of these in one direction.
 * - random walk: S grows like t^(0.35…0.65), to more than half the oscillation.
 * - bounded: no such slope, 3 standard errors resolve a drift of a quarter of the oscillation over
 *   the run, and the spread does not grow (exponent below 0.3) or stays below a quarter of the
 *   oscillation.
 * - else undetermined.
 *
 * Members are assumed to be independent samples. A scan over a parameter is not: its half-width
 * shows how much the slope depends on the parameter.
 */
static const double significant = 0.9973, reported = 0.95;

struct ensemble {
  int count;
  const struct shk_energy_run *runs;
  const char *const *names;
  struct shk_drift *own; /* class of each member alone */
  struct shk_energy_windows *windows;
  double *values; /* work space, one per member */
};

double shk_ensemble_time_scales(double time_scales, int members)
{
  const bool enough =
      members >= SHK_ENSEMBLE_MEMBERS && time_scales >= 0.1 * SHK_ENERGY_TIME_SCALES * (1 - 1e-9);
  return enough ? time_scales * members : time_scales;
}

static int count_class(const struct ensemble *e, enum shk_energy_class class)
{
  int count = 0;
  for (int i = 0; i < e->count; i++)
    count += e->own[i].class == class;
  return count;
}

static int first_of(const struct ensemble *e, enum shk_energy_class class)
{
  int i = 0;
  while (i < e->count && e->own[i].class != class)
    i++;
  return i;
}

enum which_slope { ALL, EARLY, LATE };

/* Returns the mean slope; *half: half-width at this confidence. */
static double mean_slope(const struct ensemble *e, enum which_slope which, double confidence,
                         double *half)
{
  for (int i = 0; i < e->count; i++)
    e->values[i] = which == ALL     ? e->windows[i].slope
                   : which == EARLY ? e->windows[i].early_slope
                                    : e->windows[i].late_slope;
  *half = shk_member_half_width(e->values, e->count, confidence);
  return gsl_stats_mean(e->values, 1, (size_t)e->count);
}

/* Returns the mean oscillation. Like slopes it is dominated by the members
 * with the largest energies. */
static double mean_oscillation(const struct ensemble *e)
{
  for (int i = 0; i < e->count; i++)
    e->values[i] = e->windows[i].oscillation;
  return gsl_stats_mean(e->values, 1, (size_t)e->count);
}

/* Returns the standard deviation over the members of the means in a window. */
static double spread_in(const struct ensemble *e, int window)
{
  for (int i = 0; i < e->count; i++)
    e->values[i] = e->windows[i].mean[window];
  return gsl_stats_sd(e->values, 1, (size_t)e->count);
}

/* Returns the exponent of the spread's growth over all windows; *last: in the last quarter of
 * them. */
static double spread_exponent(const struct ensemble *e, double *last)
{
  double x[SHK_ENERGY_WINDOWS], y[SHK_ENERGY_WINDOWS];
  const int windows = e->windows[0].count, late = windows - windows / 4;
  int count = 0, averaged = 0;
  *last = 0;
  for (int w = 0; w < windows; w++) {
    const double spread = spread_in(e, w);
    if (w >= late) {
      *last += spread;
      averaged++;
    }
    if (!(spread > 0))
      continue;
    x[count] = log(e->windows[0].time[w]);
    y[count++] = log(spread);
  }
  *last /= averaged;
  if (count < SHK_ENERGY_LEAST_WINDOWS)
    return NAN;
  double c0, c1, cov00, cov01, cov11, residual;
  gsl_fit_linear(x, 1, y, 1, (size_t)count, &c0, &c1, &cov00, &cov01, &cov11, &residual);
  return c1;
}

/* True if half of the members or more drift, each one, and all of these in one direction. */
static bool drift_alone(const struct ensemble *e)
{
  int up = 0, down = 0;
  for (int i = 0; i < e->count; i++)
    if (e->own[i].class == SHK_ENERGY_DRIFT) {
      up += e->own[i].slope > 0;
      down += e->own[i].slope < 0;
    }
  return 2 * (up + down) >= e->count && (up == 0 || down == 0);
}

static void classify(struct shk_drift *drift, const struct ensemble *e)
{
  const struct shk_series *series = e->runs[0].series;
  const double T = series->time[series->count - 1];
  double half, half_early, half_late, last;
  const double slope = mean_slope(e, ALL, significant, &half);
  const double early = mean_slope(e, EARLY, significant, &half_early);
  const double late = mean_slope(e, LATE, significant, &half_late);
  drift->slope = mean_slope(e, ALL, reported, &drift->slope_half_width);
  drift->member_slopes = shk_member_statistics(e->values, e->count);
  drift->oscillation = mean_oscillation(e);
  drift->exponent = spread_exponent(e, &last);
  drift->near_roundoff = drift->largest <= 1000 * drift->floor;

  const double change = fabs(slope) * T;
  const bool moves = fabs(slope) > half && change > 0.02 * drift->oscillation;
  const bool steady = early / slope > 1.0 / 3 && early / slope < 3 && late / slope > 1.0 / 3 &&
                      late / slope < 3 && fabs(late) > half_late;
  if ((moves && steady) || drift_alone(e)) {
    drift->class = SHK_ENERGY_DRIFT;
    snprintf(drift->why, sizeof drift->why, "slope %.3g ± %.1g over %d members", drift->slope,
             drift->slope_half_width, e->count);
  } else if (drift->exponent >= 0.35 && drift->exponent <= 0.65 &&
             last > 0.5 * drift->oscillation) {
    drift->class = SHK_ENERGY_RANDOM_WALK;
    snprintf(drift->why, sizeof drift->why, "the spread of %d members grows like t^%.2f", e->count,
             drift->exponent);
  } else if (moves) {
    snprintf(drift->why, sizeof drift->why,
             "the mean of %d members moves by %.2g of the oscillation, but not linearly", e->count,
             change / drift->oscillation);
  } else if (!(half * T <= 0.25 * drift->oscillation)) {
    snprintf(drift->why, sizeof drift->why,
             "%d members leave an uncertainty of %.2g of the oscillation in the mean slope times T",
             e->count, half * T / drift->oscillation);
  } else if (!(drift->exponent < 0.3 || last <= 0.25 * drift->oscillation)) {
    snprintf(drift->why, sizeof drift->why,
             "no mean slope is significant, but the members diverge like t^%.2f, by %.2g of the "
             "oscillation",
             drift->exponent, last / drift->oscillation);
  } else {
    drift->class = SHK_ENERGY_BOUNDED;
    snprintf(drift->why, sizeof drift->why,
             "slope·T is %.2g ± %.1g of the oscillation over %d members",
             drift->slope * T / drift->oscillation,
             drift->slope_half_width * T / drift->oscillation, e->count);
  }
}

/* Decides by a single member, if that is enough; else false. */
static bool decide_by_one(struct shk_drift *drift, const struct ensemble *e)
{
  int at = first_of(e, SHK_ENERGY_BLOW_UP);
  if (at < e->count) {
    drift->class = SHK_ENERGY_BLOW_UP;
    snprintf(drift->why, sizeof drift->why, "member %d, %.64s: %.100s", at + 1, e->names[at],
             e->own[at].why);
    return true;
  }
  for (at = 0; at < e->count && e->runs[at].finished; at++)
    ;
  if (at < e->count) {
    snprintf(drift->why, sizeof drift->why, "member %d, %.64s, ended early", at + 1, e->names[at]);
    return true;
  }
  if (count_class(e, SHK_ENERGY_EXACT) == e->count) {
    drift->class = SHK_ENERGY_EXACT;
    drift->slope = drift->oscillation = 0;
    drift->slope_half_width = shk_energy_hidden_slope(drift, e->runs[0].series);
    snprintf(drift->why, sizeof drift->why, "|H - H(0)| stays at round-off in all %d members",
             e->count);
    return true;
  }
  for (at = 0; at < e->count; at++)
    if (e->windows[at].count < SHK_ENERGY_LEAST_WINDOWS ||
        e->windows[at].count != e->windows[0].count) {
      snprintf(drift->why, sizeof drift->why, "%d intervals, %d needed", e->windows[at].count,
               SHK_ENERGY_LEAST_WINDOWS);
      return true;
    }
  const int growing = count_class(e, SHK_ENERGY_EXPONENTIAL);
  if (2 * growing < e->count)
    return false;
  int used = 0;
  for (int i = 0; i < e->count; i++)
    if (e->own[i].class == SHK_ENERGY_EXPONENTIAL)
      e->values[used++] = e->own[i].slope;
  drift->class = SHK_ENERGY_EXPONENTIAL;
  drift->slope = gsl_stats_mean(e->values, 1, (size_t)used);
  drift->slope_half_width = shk_member_half_width(e->values, used, reported);
  snprintf(drift->why, sizeof drift->why, "%d of %d members grow exponentially, like exp(%.3g t)",
           growing, e->count, drift->slope);
  return true;
}

/* In *drift, slope is the mean of the members' slopes and slope_half_width is by Student's t over
 * them, 95 %; oscillation is the mean; exponent is that of the growth of the spread between
 * members; largest and floor are the worst member's. */
void shk_ensemble_classify(struct shk_drift *drift, const struct shk_energy_run *runs,
                           const char *const *names, int count)
{
  struct ensemble e = {.count = count,
                       .runs = runs,
                       .names = names,
                       .own = shk_allocate((size_t)count, sizeof *e.own),
                       .windows = shk_allocate((size_t)count, sizeof *e.windows),
                       .values = shk_allocate((size_t)count, sizeof *e.values)};
  *drift = (struct shk_drift){
      .slope = NAN, .slope_half_width = NAN, .oscillation = NAN, .exponent = NAN};
  for (int i = 0; i < count; i++) {
    shk_energy_classify(&e.own[i], &runs[i]);
    shk_energy_windows(&e.windows[i], runs[i].series);
    drift->largest = fmax(drift->largest, e.own[i].largest);
    drift->floor = fmax(drift->floor, e.own[i].floor);
  }
  if (!decide_by_one(drift, &e))
    classify(drift, &e);
  free(e.own);
  free(e.windows);
  free(e.values);
}
