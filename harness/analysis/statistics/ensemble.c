/*
 * Classifies the energy of ensembles.
 *
 * Each of the N members has 32 windows (drift.c) with means m_i(t), a straight line of slope b_i
 * through these means, and an oscillation. Three statistics over the members are used: the mean
 * slope b with its standard error s/√N, where s is the standard deviation of b_i; the mean
 * oscillation; and the spread S(t), which is the standard deviation of m_i(t). The spread is zero
 * at t = 0.
 */
#include "harness/analysis/statistics/drift.h"

#include "foundation/memory.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

/*
 * The class of an ensemble is the first of the following whose criterion is met:
 * - blow-up: at least one member blew up, and the evidence names it. If instead a member ended
 *   early, the class is undetermined.
 * - exact: every member is exact.
 * - exponential: at least half of the members grow exponentially when classified individually. The
 *   rate is the mean of their rates.
 * - drift: the mean slope exceeds 3 standard errors (99.73 % of Student's t) and changes the energy
 *   by more than 2 % of the oscillation over the run. The mean slope of each half of the run has
 *   the same sign and is between a third and three times as large. The mean slope of the second
 *   half also exceeds 3 standard errors, which rules out a relaxation from the initial state to the
 *   usual level.
 * - dissipates: at least half of the members dissipate when classified individually.
 * - drift (second criterion): at least half of the members drift or dissipate when classified
 *   individually, all of them in the same direction.
 * - random walk: S grows like t^(0.35…0.65) and exceeds half the oscillation.
 * - bounded: the mean slope meets none of the criteria above, 3 standard errors are enough to
 *   resolve a drift of a quarter of the oscillation over the run, and the spread either does not
 *   grow (exponent below 0.3) or stays below a quarter of the oscillation.
 * - undetermined: none of the above.
 *
 * Members are assumed to be independent samples. The members of a parameter scan are not
 * independent, so for a scan the half-width shows only how much the slope depends on the parameter.
 */
static const double significant = 0.9973, reported = 0.95;

/* The stride, in doubles, from a field in one member's windows to the same field in the next
 * member's. */
enum { NEXT = sizeof(struct shk_energy_windows) / sizeof(double) };

struct ensemble {
  int count;
  const struct shk_energy_run *runs;
  struct shk_drift *own; /* the class of each member when it is classified individually */
  struct shk_energy_windows *windows;
  double *slopes; /* work space for the slopes of the members in a class */
};

double shk_ensemble_time_scales(double time_scales, int members)
{
  const bool enough =
      members >= SHK_ENSEMBLE_MEMBERS && time_scales >= 0.1 * SHK_ENERGY_TIME_SCALES * (1 - 1e-9);
  return enough ? time_scales * members : time_scales;
}

/* Appends the slopes of the members in this class after the first `count` slopes. Returns the new
 * number of slopes. */
static int add_slopes(const struct ensemble *e, int count, enum shk_energy_class class)
{
  for (int i = 0; i < e->count; i++)
    if (e->own[i].class == class)
      e->slopes[count++] = e->own[i].slope;
  return count;
}

/* Collects the slopes of the members in this class and returns their number. */
static int slopes_in(const struct ensemble *e, enum shk_energy_class class)
{
  return add_slopes(e, 0, class);
}

/* Returns the mean of a field over all members. `first` points to that field in the windows of the
 * first member. */
static double mean_of(const struct ensemble *e, const double *first)
{
  return gsl_stats_mean(first, NEXT, (size_t)e->count);
}

/* Returns the exponent with which the spread grows in time. The spread in a window is the standard
 * deviation of the members' means. Sets *last to the average spread in the last quarter of the
 * windows. */
static double spread_exponent(const struct ensemble *e, double *last)
{
  double times[SHK_ENERGY_WINDOWS], spreads[SHK_ENERGY_WINDOWS];
  const struct shk_energy_windows *const first = e->windows;
  const int late = first->count - first->count / 4;
  int count = 0;
  *last = 0;
  for (int w = 0; w < first->count; w++) {
    const double spread = gsl_stats_sd(&first->mean[w], NEXT, (size_t)e->count);
    *last += w >= late ? spread / (first->count - late) : 0;
    times[count] = first->time[w];
    spreads[count] = spread;
    count += spread > 0;
  }
  return count < SHK_ENERGY_LEAST_WINDOWS ? NAN : shk_power_fit(times, spreads, count).slope;
}

/* Returns true if the mean over the members stays close to the line whose slope is their mean
 * slope. */
static bool follows_line(const struct ensemble *e, double slope, double oscillation)
{
  const struct shk_energy_windows *const first = e->windows;
  double means[SHK_ENERGY_WINDOWS];
  for (int w = 0; w < first->count; w++)
    means[w] = mean_of(e, &first->mean[w]);
  return shk_follows_line(first->time, means, first->count, slope, oscillation);
}

/* Returns true if at least half of the members drift or dissipate when classified individually, all
 * of them in the same direction. */
static bool drift_alone(const struct ensemble *e)
{
  const int count = add_slopes(e, slopes_in(e, SHK_ENERGY_DRIFT), SHK_ENERGY_DISSIPATES);
  double least, most;
  if (count == 0 || 2 * count < e->count)
    return false;
  gsl_stats_minmax(&least, &most, e->slopes, 1, (size_t)count);
  return least > 0 || most < 0;
}

static void classify_ensemble(struct shk_drift *drift, const struct ensemble *e)
{
  const struct shk_energy_windows *const first = e->windows;
  const struct shk_series *series = e->runs[0].series;
  const double T = series->time[series->count - 1];
  const double slope = mean_of(e, &first->slope.slope), late = mean_of(e, &first->late.slope);
  const double half = shk_member_half_width(&first->slope.slope, NEXT, e->count, significant),
               half_late = shk_member_half_width(&first->late.slope, NEXT, e->count, significant);
  double last;
  drift->member_slopes = shk_member_statistics(&first->slope.slope, NEXT, e->count);
  drift->slope = drift->member_slopes.mean;
  drift->slope_half_width = drift->member_slopes.half_width;
  /* Use the mean, as for the slopes, because the members with the largest energies dominate
   * both. */
  drift->oscillation = mean_of(e, &first->oscillation);
  drift->exponent = spread_exponent(e, &last);
  drift->near_roundoff = drift->largest <= 1000 * drift->floor;

  drift->straight = follows_line(e, slope, drift->oscillation);

  const double change = fabs(slope) * T, oscillation = drift->oscillation;
  const int dissipating = slopes_in(e, SHK_ENERGY_DISSIPATES);
  const bool moves = fabs(slope) > half && change > 0.02 * oscillation;
  const bool steady =
      shk_is_linear(slope, mean_of(e, &first->early.slope), late) && fabs(late) > half_late;
  if (!(moves && steady) && 2 * dissipating >= e->count)
    shk_conclude(drift, SHK_ENERGY_DISSIPATES, "%d of %d members dissipate", dissipating, e->count);
  else if ((moves && steady) || drift_alone(e))
    shk_conclude(drift, SHK_ENERGY_DRIFT, "slope %.3g ± %.1g over %d members", drift->slope,
                 drift->slope_half_width, e->count);
  else if (drift->exponent >= 0.35 && drift->exponent <= 0.65 && last > 0.5 * oscillation)
    shk_conclude(drift, SHK_ENERGY_RANDOM_WALK, "the spread of %d members grows like t^%.2f",
                 e->count, drift->exponent);
  else if (moves)
    shk_undetermined(drift,
                     "the mean of %d members changes by %.2g of the oscillation, but not linearly",
                     e->count, change / oscillation);
  else if (!(half * T <= 0.25 * oscillation))
    shk_undetermined(
        drift,
        "with %d members, the uncertainty of the mean slope times T is %.2g of the oscillation",
        e->count, half * T / oscillation);
  else if (!(drift->exponent < 0.3 || last <= 0.25 * oscillation))
    shk_undetermined(drift,
                     "the mean slope is not significant, but the members diverge like t^%.2f, by "
                     "%.2g of the oscillation",
                     drift->exponent, last / oscillation);
  else
    shk_conclude(
        drift, SHK_ENERGY_BOUNDED, "slope·T is %.2g ± %.1g of the oscillation over %d members",
        drift->slope * T / oscillation, drift->slope_half_width * T / oscillation, e->count);
}

/* If the classes of the individual members are enough to decide the class of the ensemble, sets it
 * and returns true. */
static bool decide_by_some(struct shk_drift *drift, const struct ensemble *e)
{
  const int exact = slopes_in(e, SHK_ENERGY_EXACT), count = e->count;
  const int growing = slopes_in(e, SHK_ENERGY_EXPONENTIAL);
  for (int i = 0; i < count; i++)
    if (e->own[i].class == SHK_ENERGY_BLOW_UP) {
      shk_conclude(drift, SHK_ENERGY_BLOW_UP, "member %d, %s: %s", i + 1, e->runs[i].name,
                   e->own[i].why);
      return true;
    }
  for (int i = 0; i < count; i++)
    if (!e->runs[i].finished || e->windows[i].count < SHK_ENERGY_LEAST_WINDOWS ||
        e->windows[i].count != e->windows[0].count) {
      shk_undetermined(drift, "member %d, %.64s, ended early: %d intervals", i + 1, e->runs[i].name,
                       e->windows[i].count);
      return true;
    }
  if (exact == count) {
    shk_energy_level(drift, e->runs[0].series);
    shk_conclude(drift, SHK_ENERGY_EXACT, "|H - H(0)| stays at round-off in all %d members", count);
  } else if (2 * growing >= count) {
    drift->slope = gsl_stats_mean(e->slopes, 1, (size_t)growing);
    drift->slope_half_width = shk_member_half_width(e->slopes, 1, growing, reported);
    shk_conclude(drift, SHK_ENERGY_EXPONENTIAL,
                 "%d of %d members grow exponentially, like exp(%.3g t)", growing, count,
                 drift->slope);
  }
  return exact == count || 2 * growing >= count;
}

/* In *drift, the slope and the oscillation are means over the members, and slope_half_width is the
 * 95 % half-width of the mean slope from Student's t. The exponent describes how the spread between
 * members grows. The fields `largest` and `floor` are maxima over the members. */
void shk_ensemble_classify(struct shk_drift *drift, const struct shk_energy_run *runs, int count)
{
  struct ensemble e = {.count = count,
                       .runs = runs,
                       .own = shk_allocate((size_t)count, sizeof *e.own),
                       .windows = shk_allocate((size_t)count, sizeof *e.windows),
                       .slopes = shk_allocate((size_t)count, sizeof *e.slopes)};
  *drift = shk_no_drift;
  for (int i = 0; i < count; i++) {
    shk_energy_classify(&e.own[i], &runs[i]);
    shk_energy_windows(&e.windows[i], runs[i].series);
    drift->largest = fmax(drift->largest, e.own[i].largest);
    drift->floor = fmax(drift->floor, e.own[i].floor);
  }
  if (!decide_by_some(drift, &e))
    classify_ensemble(drift, &e);
  free(e.own);
  free(e.windows);
  free(e.slopes);
}
