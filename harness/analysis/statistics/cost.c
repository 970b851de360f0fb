/* Cost of an accuracy. See cost.h. */
#include "harness/analysis/statistics/cost.h"

#include <math.h>
#include <stddef.h>

static bool counts(const struct shk_run_cost *run)
{
  return run->error > 0 && isfinite(run->error) && run->cost > 0 && isfinite(run->cost);
}

/* Interpolates between two numbers as an error lies between those of two runs, in the
 * logarithms. */
static double between_runs(double of_a, double of_b, const struct shk_run_cost *a,
                           const struct shk_run_cost *b, double error)
{
  return of_a * pow(of_b / of_a, log(a->error / error) / log(a->error / b->error));
}

struct shk_least_cost shk_least_cost(const struct shk_run_cost *runs, int count, double error)
{
  struct shk_least_cost found = {.least = NAN, .step = NAN, .run = -1, .best_error = NAN};
  const struct shk_run_cost *before = NULL; /* the coarser run that counts */
  for (int i = 0; i < count; i++) {
    const struct shk_run_cost *const run = &runs[i];
    if (!counts(run))
      continue;
    const bool between = before && before->error > error && run->error <= error;
    const double here =
        between ? between_runs(before->cost, run->cost, before, run, error) : run->cost;
    if (run->error <= error && !(here >= found.least)) {
      found.least = here;
      found.step = between ? between_runs(before->step, run->step, before, run, error) : run->step;
      found.bound = !before;
      found.run = i;
    }
    found.best_error = fmin(found.best_error, run->error);
    before = run;
  }
  return found;
}
