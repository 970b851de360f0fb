/* What an accuracy costs. See cost.h. */
#include "harness/analysis/cost.h"

#include "foundation/memory.h"

#include <math.h>
#include <stdlib.h>

static const struct {
  const char *name;
  double error;
} goals[] = {{"1e-4", 1e-4}, {"1e-6", 1e-6}, {"1e-8", 1e-8}};

static bool counts(const struct shk_point *point, double cost)
{
  return point->error > 0 && isfinite(point->error) && cost > 0 && isfinite(cost);
}

struct shk_cost shk_least_cost(const struct shk_point *points, const double *costs, int count,
                               double error)
{
  struct shk_cost found = {.least = NAN, .run = -1};
  int before = -1; /* the coarser run that counts */
  for (int i = 0; i < count; i++) {
    if (!counts(&points[i], costs[i]))
      continue;
    double here = costs[i];
    const bool between = before >= 0 && points[before].error > error;
    if (between) {
      const double part =
          log(points[before].error / error) / log(points[before].error / points[i].error);
      here = costs[before] * pow(costs[i] / costs[before], part);
    }
    if (points[i].error <= error && !(here >= found.least))
      found = (struct shk_cost){.least = here, .bound = before < 0, .run = i};
    before = i;
  }
  return found;
}

static double least_error(const struct shk_curve *curve, const double *costs)
{
  double least = NAN;
  for (int i = 0; i < curve->count; i++)
    if (counts(&curve->points[i], costs[i]))
      least = fmin(least, curve->points[i].error);
  return least;
}

static void report(struct shk_findings *findings, const struct shk_family *family,
                   const struct shk_curve *curve, enum shk_quantity_id quantity,
                   const double *costs)
{
  const double best = least_error(curve, costs);
  for (size_t i = 0; !isnan(best) && i < sizeof goals / sizeof goals[0]; i++) {
    const struct shk_cost cost = shk_least_cost(curve->points, costs, curve->count, goals[i].error);
    struct shk_finding *const f =
        shk_findings_add(findings, family, quantity, goals[i].name, cost.least, NAN);
    const char *const setting = curve->against_tolerance ? "tolerance" : "step";
    if (isnan(cost.least))
      f->reason = shk_print_text("no run is so accurate: the least error is %.2g", best);
    else if (cost.bound)
      f->reason = shk_print_text("at most: the coarsest run, %s %g, is more accurate", setting,
                                 curve->points[cost.run].step);
  }
}

void shk_costs_report(struct shk_findings *findings, const struct shk_family *family,
                      const struct shk_curve *curve)
{
  double *const costs = shk_allocate((size_t)curve->count + 1, sizeof *costs);
  for (int i = 0; i < curve->count; i++)
    costs[i] = curve->points[i].seconds;
  report(findings, family, curve, SHK_QUANTITY_COST_SECONDS, costs);
  for (int i = 0; i < curve->count; i++)
    costs[i] = curve->points[i].work;
  report(findings, family, curve, SHK_QUANTITY_COST_EVALUATIONS, costs);
  free(costs);
}
