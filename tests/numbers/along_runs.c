/*
 * Series along runs that are only drawn, against numbers of the same run that are found otherwise:
 * increments of the energy and of invariants, single constraints, and the steps of integrators that
 * choose them.
 */
#include "engine/cells/cells.h"
#include "tests/kit/step_counts.h"
#include "tests/kit/stepping.h"
#include "tests/kit/tap.h"

#include <math.h>
#include <stdio.h>

enum { SAMPLES = 50 };

/* Runs a cell of this kind over fifty sample times, 0.02 apart, or 0.2 with a tolerance. */
static struct shk_outcome run(const char *kind, const char *problem, const char *integrator,
                              const char *step, const char *tolerance)
{
  char texts[SAMPLES][16], *times[SAMPLES];
  long long counts[SAMPLES];
  for (int i = 0; i < SAMPLES; i++) {
    snprintf(texts[i], sizeof texts[i], "%.2f", (tolerance ? 0.2 : 0.02) * (i + 1));
    times[i] = texts[i];
  }
  const struct shk_cell cell = {.kind = (char *)kind,
                                .problem = (char *)problem,
                                .integrator = (char *)integrator,
                                .precision = (char *)"",
                                .step = (char *)step,
                                .tolerance = (char *)tolerance,
                                .until = times[SAMPLES - 1],
                                .time_count = SAMPLES,
                                .times = times};
  struct shk_outcome outcome;
  const struct shk_cell counted = with_step_counts(counts, cell);
  shk_run_cell(&test_context, &outcome, &counted, true);
  tap_ok(outcome.code == SHK_OK, "%s on %s runs %s", integrator, problem, outcome.reason);
  return outcome;
}

/* Returns the largest difference of an increment from the change of the quantity, of which there is
 * one for each step, relative to the largest increment; NaN if a series is missing. */
static double worst_increment(const struct shk_outcome *outcome, const char *of, const char *name)
{
  const struct shk_series *const values = shk_outcome_series(outcome, of);
  const struct shk_series *const steps = shk_outcome_series(outcome, name);
  double worst = 0, largest = 0;
  if (!values || !steps || values->count != SAMPLES || steps->count != SAMPLES)
    return NAN;
  for (int i = 0; i < SAMPLES; i++) {
    const double change = fabs(values->mean[i] - (i > 0 ? values->mean[i - 1] : 0));
    worst = fmax(worst, fabs(change - steps->maximum[i]));
    largest = fmax(largest, change);
  }
  return worst / largest;
}

static void test_increments(void)
{
  OUTCOME outcome = run("run", "spherical-pendulum", "index-reduced", "0.02", NULL);
  const double energy = worst_increment(&outcome, "energy-error", "energy-increment");
  const double momentum = worst_increment(&outcome, "invariant-vertical-angular-momentum",
                                          "increment-vertical-angular-momentum");
  tap_ok(energy < 1e-6, "increments of the energy are its changes: to %.1e", energy);
  tap_ok(momentum < 1e-4, "and those of a momentum: to %.1e", momentum);
}

static void test_single_constraints(void)
{
  OUTCOME outcome = run("regularity", "double-pendulum", "index-reduced", "0.02", NULL);
  const struct shk_series *const all = shk_outcome_series(&outcome, "constraint");
  const struct shk_series *const first = shk_outcome_series(&outcome, "constraint-1");
  const struct shk_series *const second = shk_outcome_series(&outcome, "constraint-2");
  int same = 0, negative = 0;
  for (int i = 0; all && first && second && i < all->count; i++) {
    same += all->mean[i] == fmax(fabs(first->mean[i]), fabs(second->mean[i]));
    negative += first->mean[i] < 0;
  }
  tap_is_int(same, SAMPLES, "the larger of two constraints is |g| at every step");
  tap_ok(negative > 0, "they have signs: one is negative at %d of them", negative);
  OUTCOME usual = run("run", "double-pendulum", "index-reduced", "0.02", NULL);
  tap_ok(!shk_outcome_series(&usual, "constraint-1"), "no run has them that is not asked for them");
}

static void test_steps(void)
{
  OUTCOME outcome = run("run", "double-pendulum", "projection-adaptive", NULL, "1e-6");
  const struct shk_series *const size = shk_outcome_series(&outcome, "step-size");
  const struct shk_series *const rejected = shk_outcome_series(&outcome, "rejected");
  double steps = 0, rejections = 0, before = 0;
  for (int i = 0; size && rejected && i < size->count; i++) {
    steps += (size->time[i] - before) / size->mean[i];
    rejections += rejected->mean[i];
    before = size->time[i];
  }
  const double all = shk_outcome_scalar(&outcome, "work-steps");
  tap_ok(all > 5 && fabs(steps - all) < 1e-4 * all, "step sizes make up %g of %g steps", steps,
         all);
  tap_ok(rejections > 0 && rejections == shk_outcome_scalar(&outcome, "work-rejected"),
         "%g were rejected", rejections);
  tap_ok(!shk_outcome_series(&outcome, "energy-increment"), "there are no increments of its steps");
  OUTCOME fixed = run("run", "double-pendulum", "rattle", "0.02", NULL);
  tap_ok(!shk_outcome_series(&fixed, "step-size"), "nor sizes of fixed steps");
}

int main(void)
{
  test_increments();
  test_single_constraints();
  if (SHK_PRECISION == 64)
    test_steps(); /* no integrator of any other precision rejects steps */
  return tap_done();
}
