/*
 * Reports, for each run, the quantities that scale with the step: the alternation of the multiplier
 * and its class, the energy balance, and the period and its error. Periods have no reference
 * solution. Their order is estimated from the differences between neighbouring steps and is then
 * used to extrapolate their limit.
 */
#include "harness/analysis/report.h"

#include "foundation/memory.h"

#include <math.h>
#include <stdlib.h>

/* A multiplier whose alternation has at least this order counts as smooth. For a perfectly smooth
 * multiplier, the alternation has order 4. */
#define SMOOTH 3

/* Stores the value of a quantity and its floor at each step. Returns the number of values
 * stored. */
static int gather_scalings(struct shk_point *points, const struct shk_family *family,
                           enum shk_quantity_id quantity)
{
  int count = 0;
  for (int i = 0; i < family->count; i++) {
    const double value = shk_family_number(family, i, quantity, NULL);
    const double steps = family->time_scale / family->steps[i];
    if (isnan(value))
      continue;
    points[count++] = (struct shk_point){
        .step = family->steps[i],
        .error = value,
        .floor = quantity == SHK_QUANTITY_BALANCE ? shk_family_energy_floor(family, i)
                 : quantity == SHK_QUANTITY_PERIOD
                     ? family->epsilon * fmax(1, value)
                     : 2.5 * family->epsilon * fmax(1, steps * steps)};
  }
  return count;
}

/* Returns the order computed from the two finest points, or infinity if the finest error is at
 * round-off. */
static double last_order(const struct shk_point *points, int count)
{
  const struct shk_point *const a = &points[count - 2], *const b = &points[count - 1];
  return b->error <= b->floor ? INFINITY : log(a->error / b->error) / log(a->step / b->step);
}

static void report_alternation(struct shk_reporter *c, struct shk_point *points)
{
  const int early = gather_scalings(points, c->family, SHK_QUANTITY_ALTERNATION_EARLY);
  const bool begins = early >= 2 && last_order(points, early) < SMOOTH;
  const int count = gather_scalings(points, c->family, SHK_QUANTITY_ALTERNATION);
  if (count < 2)
    return;
  const bool stays = last_order(points, count) < SMOOTH;
  shk_finding_points(c, SHK_QUANTITY_ALTERNATION, SHK_QUANTITY_ALTERNATION_ORDER, points, count);
  shk_finding_word(c, SHK_QUANTITY_ALTERNATION_CLASS, NULL,
                   stays    ? "undamped"
                   : begins ? "damped"
                            : "none");
}

static void report_balance(struct shk_reporter *c, struct shk_point *points)
{
  const int count = gather_scalings(points, c->family, SHK_QUANTITY_BALANCE);
  if (count > 0)
    shk_finding_points(c, SHK_QUANTITY_BALANCE, SHK_QUANTITY_BALANCE_ORDER, points, count);
}

static void report_period(struct shk_reporter *c, struct shk_point *points)
{
  const int finest = shk_family_finest(c->family);
  const int count = gather_scalings(points, c->family, SHK_QUANTITY_PERIOD);
  if (count < 3)
    return;
  const double period = points[count - 1].error;
  shk_report(c, SHK_QUANTITY_PERIOD, NULL, period, NAN);
  shk_report(c, SHK_QUANTITY_RETURNS, NULL,
             shk_family_number(c->family, finest, SHK_QUANTITY_RETURNS, NULL), NAN);
  for (int i = 0; i < count - 1; i++)
    points[i].error = fabs(points[i].error - points[i + 1].error);
  const double order = shk_finding_fit(c, SHK_QUANTITY_PHASE_ORDER, points, count - 1);
  const double ratio = pow(points[count - 2].step / points[count - 1].step, order);
  if (!isnan(order))
    shk_report(c, SHK_QUANTITY_PHASE_ERROR, NULL, points[count - 2].error / (ratio - 1), NAN);
}

static void report_scalings(struct shk_reporter *c)
{
  if (c->family->by_tolerance)
    return;
  struct shk_point *const points = shk_allocate((size_t)c->family->count, sizeof *points);
  if (shk_reporter_is_asked(c, SHK_BIT(ALTERNATION)))
    report_alternation(c, points);
  if (shk_reporter_is_asked(c, SHK_BIT(BALANCE)))
    report_balance(c, points);
  if (shk_reporter_is_asked(c, SHK_BIT(PHASE)))
    report_period(c, points);
  free(points);
}

const struct shk_finder shk_finder_scalings = {.in = SHK_IN_RUNS,
                                               .measures = SHK_BIT(ALTERNATION) | SHK_BIT(BALANCE) |
                                                           SHK_BIT(PHASE),
                                               .report = report_scalings};
