/*
 * Regularity along a run: crossings of singular configurations against exact times, at the order of
 * the method and to 1e-10; near misses and turning points that are no crossings; redundant rows;
 * the time of an impasse against an independent value, its exponent, and what stops
 * there.
 */
#include "engine/cells/cells.h"
#include "measures/impasse.h"
#include "mechanics/binding/real_text.h"
#include "tests/kit/driving.h"
#include "tests/kit/step_counts.h"
#include "tests/kit/stepping.h"
#include "tests/kit/test_plugin.h"

/* From the start (q,p), projected; NULL: from the problem's own. */
static struct shk_outcome run_from(const char *q, const char *p, const char *problem,
                                   const char *integrator, const char *step, const char *until)
{
  char *times[] = {(char *)until};
  const struct shk_cell cell = {.kind = (char *)"regularity",
                                .problem = (char *)problem,
                                .integrator = (char *)integrator,
                                .precision = (char *)"",
                                .step = (char *)step,
                                .until = (char *)until,
                                .time_count = 1,
                                .times = times,
                                .q = (char *)q,
                                .p = (char *)p,
                                .project = q != NULL};
  struct shk_outcome outcome;
  const struct shk_cell run = with_step_counts((long long[1]){0}, cell);
  shk_run_cell(&test_context, &outcome, &run, true);
  return outcome;
}

static struct shk_outcome run(const char *problem, const char *integrator, const char *step,
                              const char *until)
{
  return run_from(NULL, NULL, problem, integrator, step, until);
}

/* ---- crossings ---- */

/* Largest distance of the crossings from the exact ones, each of which counts `loops` times. */
static double crossing_error(const char *problem, const char *integrator, const char *step,
                             const char *until, int loops, int *passes)
{
  DRIVE d = {0};
  real exact[64], end = 0;
  double worst = NAN;
  *passes = 0;
  if (begin_own(&d, problem, integrator, step) && shk_real_parse(&end, until)) {
    const struct shk_instance *instance = &d.bound.instance;
    *passes = instance->crossings(instance->system.context, exact, 64, end);
    OUTCOME outcome = run(problem, integrator, step, until);
    const struct shk_series *series = shk_outcome_series(&outcome, "crossing");
    if (outcome.code != SHK_OK)
      tap_diag("%s: %s", integrator, outcome.reason);
    if (series)
      tap_diag("%s, h = %s: %d crossings, %g near misses, least %.3g", integrator, step,
               series->count, shk_outcome_scalar(&outcome, "regularity-near-misses"),
               shk_outcome_scalar(&outcome, "regularity-least"));
    if (series && series->count == loops * *passes && outcome.code == SHK_OK) {
      worst = 0;
      for (int i = 0; i < series->count; i++)
        worst = fmax(worst, fabs(series->time[i] - (double)exact[i / loops]));
    }
  }
  return worst;
}

static void test_four_bar(void)
{
  static const char *const rattle_steps[] = {"0.02", "0.01"};
  double error[2] = {NAN, NAN};
  int passes = 0;
  for (int i = 0; i < 2; i++)
    error[i] = crossing_error("four-bar(loops=2)", "rattle", rattle_steps[i], "10", 2, &passes);
  tap_ok(passes == 10, "ten passes are known in 10 s: %d", passes);
  tap_is_near(log2(error[0] / error[1]), 2, 0.05,
              "rattle finds every crossing twice, for its two loops, at order 2 (%.2e)", error[1]);
  const char *const fine = "composition(scheme=kahan-li8)";
  const double best = crossing_error("four-bar(loops=2)", fine, "0.0125", "10", 2, &passes);
  tap_ok(best < 1e-10, "a composition of order 8 at h = 0.0125: to %.1e", best);
  if (SHK_PRECISION == 64) {
    const double smaller = crossing_error("four-bar(loops=2)", fine, "0.003125", "10", 2, &passes);
    tap_ok(smaller > 2 * best, "in double smaller steps lose digits to round-off: %.1e", smaller);
  }
}

/* The signed singular value passes zero at each of ten passes, also if several loops flatten at once:
 * the least of either sign is as large as the other, and the values change sign ten times. */
static void test_signs(int loops)
{
  char problem[32];
  snprintf(problem, sizeof problem, "four-bar(loops=%d)", loops);
  OUTCOME outcome = run(problem, "rattle", "0.01", "10");
  const struct shk_series *const series = shk_outcome_series(&outcome, "singular-value");
  int changes = 0;
  double least = 0, most = 0;
  for (int i = 0; series && i < series->count; i++) {
    changes += i > 0 && (series->mean[i] < 0) != (series->mean[i - 1] < 0);
    least = fmin(least, series->minimum[i]);
    most = fmax(most, series->maximum[i]);
  }
  tap_ok(changes == 10 && fabs(least + most) < 0.01 * most,
         "%s: the least singular value changes its sign %d times, from %.3g to %.3g", problem,
         changes, least, most);
}

/* Accelerations of the path come from the Hessian of H; with `pace` H_p depends on time. */
static void test_general(void)
{
  static const char *const rattle_steps[] = {"0.02", "0.01"};
  double error[2];
  int passes = 0;
  if (!load_test_plugin("SHAKEDOWN_CHARGED_BEAD"))
    return;
  for (int i = 0; i < 2; i++)
    error[i] = crossing_error("charged-bead(pace=1)", "rattle", rattle_steps[i], "2", 1, &passes);
  tap_is_near(log2(error[0] / error[1]), 2, 0.1,
              "a bead whose H_p depends on time crosses %d times, at order 2 (%.2e)", passes,
              error[1]);
  const double off = (double)extremes_of("charged-bead(pace=1)", "rattle", "0.02", 50).constraint;
  tap_ok(off < 100 * (double)REAL_EPSILON, "and stays on its curve: max|g| = %.2g", off);
  error[0] =
      crossing_error("charged-bead", "composition(scheme=kahan-li8)", "0.0125", "5", 1, &passes);
  tap_ok(error[0] < 1e-10, "a bead in a magnetic field crosses %d times: to %.1e", passes,
         error[0]);
}

/* ---- what is no crossing ---- */

static void test_regular(const char *problem, const char *until, double rank, double constraints)
{
  OUTCOME outcome = run(problem, "rattle(linear=svd)", "0.02", until);
  tap_ok(outcome.code == SHK_OK && shk_outcome_scalar(&outcome, "regularity-crossings") == 0 &&
             shk_outcome_scalar(&outcome, "regularity-near-misses") == 0,
         "%s: no crossings (%s)", problem, outcome.reason);
  tap_ok(shk_outcome_scalar(&outcome, "regularity-rank-least") == rank &&
             shk_outcome_scalar(&outcome, "regularity-rank-most") == rank &&
             outcome.m == constraints,
         "%s: rank %g of %g all along", problem,
         shk_outcome_scalar(&outcome, "regularity-rank-least"), constraints);
  tap_ok(shk_outcome_scalar(&outcome, "regularity-least") > 1e-3,
         "%s: the least singular value that is not always zero is %.3g", problem,
         shk_outcome_scalar(&outcome, "regularity-least"));
}

/* Of a general H with g(q), what must not vanish is G H_pp Gᵀ of rows of length one: 1/m, of a bob. */
static void test_nondegenerate(void)
{
  OUTCOME outcome = run("charged-pendulum(mass=4,length=2)", "rattle", "0.01", "0.1");
  const double least = shk_outcome_scalar(&outcome, "nondegeneracy-least");
  tap_ok(fabs(least - 0.25) < 1e-14,
         "charged-pendulum(mass=4,length=2): the nondegeneracy is %.15g, 1/m", least);
}

/* ---- impasses ---- */

/* By integration of N z' in a time of its own, to 20 digits, by another program. */
#define IMPASSE 0.88747226162396907

static void test_impasse(const char *integrator)
{
  static const char *const steps[] = {"0.004", "0.001"};
  double error[2];
  for (int i = 0; i < 2; i++) {
    OUTCOME outcome =
        run_from("0.9,-0.1", "0.1,0.4", "harmonic-sphere(radius2=1)", integrator, steps[i], "1");
    error[i] = fabs(shk_outcome_scalar(&outcome, "impasse-time") - IMPASSE);
    const double exponent = shk_outcome_scalar(&outcome, "impasse-exponent");
    tap_ok(outcome.code != SHK_OK && outcome.reached < IMPASSE &&
               shk_outcome_scalar(&outcome, "regularity-inertia-changes") == 0,
           "%s, h = %s: stops at %.4f, before t*: %s", integrator, steps[i], outcome.reached,
           outcome.reason);
    tap_is_near(exponent, -0.5, 0.005, "%s, h = %s: the exponent is -1/2", integrator, steps[i]);
    const bool fourth = strncmp(integrator, "composition", 11) == 0;
    const double fine = !fourth ? 4e-7 : SHK_PRECISION == 64 ? 5e-8 : 5e-9;
    tap_is_near(error[i], 0, i == 0 ? 1e-5 : fine, "%s, h = %s: t* (its own doubt is %.1e)",
                integrator, steps[i], shk_outcome_scalar(&outcome, "impasse-doubt"));
  }
  tap_ok(error[1] < error[0], "%s: and it converges", integrator);
}

/* lambda = (t* - t)^e (1 + s/3): the fit must find other exponents than that of a fold too. */
static void test_fit(real exponent)
{
  enum { COUNT = 500 };
  real t[COUNT], size[COUNT];
  struct shk_impasse impasse;
  for (int i = 0; i < COUNT; i++) {
    const real left = R(0.0004) + R(0.0016) * (COUNT - 1 - i);
    t[i] = R(0.8) - left;
    size[i] = real_pow(left, exponent) * (1 + real_sqrt(left) / 3);
  }
  const struct shk_status status = shk_impasse_fit(&impasse, t, size, COUNT);
  tap_ok(status.code == SHK_OK, "an impasse with exponent %g is fitted", (double)exponent);
  tap_is_near((double)impasse.exponent, (double)exponent, exponent == R(-0.5) ? 1e-4 : 0.02,
              "and found");
  for (int i = 0; i < COUNT; i++)
    size[i] = 1 + real_sin(t[i]);
  tap_ok(shk_impasse_fit(&impasse, t, size, COUNT).code == SHK_NOT_CONVERGED,
         "a multiplier that stays small is no impasse");
}

/* ---- steps that are checked ---- */

/* After ten steps: 0 as rattle, but for so much; 1 otherwise; 2 a failure. */
static int beside_rattle(const char *integrator, const char *step, real allowed)
{
  DRIVE d = {0}, plain = {0};
  const char *const problem = "sprung-pendulum";
  if (!begin_own(&plain, problem, "rattle", step) || !begin_own(&d, problem, integrator, step) ||
      !advance(&d, 10))
    return 2;
  return !(advance(&plain, 10) && difference(&d.current, &plain.current) <= allowed);
}

static void test_careful_steps(void)
{
  static const char *const same[] = {"step-halving", "reversibility-check",
                                     "rattle(solver=damped-newton)"};
  /* In quad Newton's method has factors in double, but not where steps are halved. */
  const real rounding = REAL_DIGITS > 30 ? 20 * REAL_EPSILON : 0;
  for (int i = 0; i < 3; i++)
    tap_is_int(beside_rattle(same[i], "0.05", i == 2 ? rounding : 0), 0,
               "%s: rattle's bits where it converges, but for rounding in quad", same[i]);
  tap_is_int(beside_rattle("rattle", "2.5", 0), 2, "a step of 2.5 is too long for rattle");
  tap_is_int(beside_rattle("step-halving", "2.5", 0), 1, "step-halving takes it in parts");
  tap_is_int(beside_rattle("reversibility-check(tolerance=1e-40)", "0.05", 0), 2,
             "no step leads back to better than round-off, and none is accepted");
  /* A base that is not symmetric. */
  is_refused("pendulum", "reversibility-check(base=shake)", "symmetric");
}

int main(void)
{
  test_careful_steps();
  test_four_bar();
  for (int loops = 1; loops <= 3; loops++)
    test_signs(loops);
  test_general();
  test_regular("spherical-pendulum", "4", 1, 1);
  test_regular("duplicate(double-pendulum,row=2)", "4", 2, 3);
  test_regular("chain(links=4)", "2", 4, 4);
  test_nondegenerate();
  test_impasse("rattle");
  test_impasse("composition(scheme=suzuki4)");
  test_impasse("reversibility-check");
  test_fit(R(-0.5));
  test_fit(R(-0.55));
  return tap_done();
}
