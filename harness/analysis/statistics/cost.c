/* What an accuracy costs. See cost.h. */
#include "harness/analysis/statistics/cost.h"

#include <math.h>
#include <stddef.h>

static bool counts(const struct shk_run_cost *run)
{
  return run->error > 0 && isfinite(run->error) && run->cost > 0 && isfinite(run->cost);
}

/* At an error between those of two runs. */
static double cost_between(const struct shk_run_cost *a, const struct shk_run_cost *b, double error)
{
  return a->cost * pow(b->cost / a->cost, log(a->error / error) / log(a->error / b->error));
}

struct shk_least_cost shk_least_cost(const struct shk_run_cost *runs, int count, double error)
{
  struct shk_least_cost found = {.least = NAN, .run = -1, .best_error = NAN};
  const struct shk_run_cost *before = NULL; /* the coarser run that counts */
  for (int i = 0; i < count; i++) {
    const struct shk_run_cost *const run = &runs[i];
    if (!counts(run))
      continue;
    const bool between = before && before->error > error && run->error <= error;
    const double here = between ? cost_between(before, run, error) : run->cost;
    if (run->error <= error && !(here >= found.least)) {
      found.least = here;
      found.bound = !before;
      found.run = i;
    }
    found.best_error = fmin(found.best_error, run->error);
    before = run;
  }
  return found;
}
