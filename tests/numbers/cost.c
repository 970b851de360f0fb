/* What an error costs, of made-up curves whose costs are known. */
#include "harness/analysis/families/curve.h"
#include "tests/kit/tap.h"

enum { RUNS = 3 };

static struct shk_least_cost cost_of(const double errors[RUNS], const double costs[RUNS],
                                     double error)
{
  struct shk_point points[RUNS];
  for (int i = 0; i < RUNS; i++)
    points[i] = (struct shk_point){.error = errors[i], .work = costs[i], .step = pow(10, -i)};
  return shk_least_cost(points, RUNS, error, false);
}

static bool is(double a, double b)
{
  return fabs(a - b) <= 1e-12 * fabs(b);
}

int main(void)
{
  const double errors[] = {1e-2, 1e-4, 1e-8}, costs[] = {1e-3, 1e-2, 1};
  tap_ok(is(cost_of(errors, costs, 1e-3).least, sqrt(1e-5)) &&
             is(cost_of(errors, costs, 1e-6).least, 0.1) && cost_of(errors, costs, 1e-6).run == 2,
         "between two runs the cost is interpolated in the logarithms");
  tap_ok(is(cost_of(errors, costs, 1e-3).step, sqrt(0.1)) &&
             is(cost_of(errors, costs, 0.1).step, 1) && isnan(cost_of(errors, costs, 1e-9).step),
         "and so is the step");
  const struct shk_least_cost exact = cost_of(errors, costs, 1e-4);
  tap_ok(is(exact.least, 1e-2) && !exact.bound, "at a run it is the run's");
  const struct shk_least_cost coarse = cost_of(errors, costs, 0.1);
  tap_ok(is(coarse.least, 1e-3) && coarse.bound, "beyond the coarsest it is at most that run's");
  tap_ok(isnan(cost_of(errors, costs, 1e-9).least), "beyond the finest nothing is extrapolated");
  /* The coarse step of an implicit method may cost more than a finer one. */
  const double dear[] = {1, 1e-2, 2e-2}, good[] = {1e-5, 1e-6, 1e-7};
  const struct shk_least_cost cheaper = cost_of(good, dear, 1e-4);
  tap_ok(is(cheaper.least, 1e-2) && !cheaper.bound && cheaper.run == 1,
         "of all runs that are so accurate the cheapest counts");
  const double failed[] = {1e-2, NAN, 1e-8};
  tap_ok(is(cost_of(failed, costs, 1e-5).least, sqrt(1e-3)), "a run that failed does not count");
  const double nothing[] = {0, 0, 0};
  tap_ok(isnan(cost_of(errors, nothing, 1e-3).least), "what evaluates nothing costs nothing");
  const double back[] = {1e-5, 1e-3, 1e-7};
  tap_ok(is(cost_of(back, costs, 1e-4).least, 1e-3), "an error that rises again is crossed twice");
  return tap_done();
}
