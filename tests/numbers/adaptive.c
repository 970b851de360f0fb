/*
 * Variable steps: both controls follow their tolerance; on an eccentric problem, at equal work, the
 * energy drifts under step doubling and does not under the reversible controller nor at fixed step;
 * output times do not change what the reversible controller does; what cannot work is refused.
 */
#include "engine/cells/drive.h"
#include "harness/analysis/statistics/drift.h"
#include "mechanics/system/state.h"
#include "tests/kit/orders.h"
#include "tests/kit/tap.h"

/* The bob passes at a tenth of its circle's radius from the anchor of a stiff spring, where
 * the force turns at once. */
#define ECCENTRIC "sprung-pendulum(stiffness=20,anchor-x=1.1,anchor-y=0,rate=4)"

/* ---- errors ---- */

static double final_error(const char *integrator, const char *tolerance,
                          const struct shk_outcome *reference)
{
  OUTCOME outcome = {0};
  order_run(&outcome, "double-pendulum", integrator, NULL, tolerance);
  const double error =
      fmax(order_error(&outcome, reference, "q"), order_error(&outcome, reference, "p"));
  return error;
}

/* The error per step is the tolerance, the number of steps its power -1/(p+1): 10⁻³ times the
 * tolerance is 10^(-3p/(p+1)) times the error. */
static void check_tolerance(const struct shk_outcome *reference)
{
  static const struct {
    const char *spec;
    int order;
  } each[] = {{"adaptive", 2},
              {"adaptive(carry=one)", 2},
              {"adaptive(control=reversible)", 2},
              {"adaptive(base=composition)", 4},
              {"adaptive(base=composition,control=reversible)", 4},
              {"adaptive(base=spark(stages=3))", 4},
              {"adaptive(base=symplectic-euler-rattle)", 1}};
  for (size_t i = 0; i < sizeof each / sizeof each[0]; i++) {
    const double coarse = final_error(each[i].spec, "1e-5", reference);
    const double fine = final_error(each[i].spec, "1e-8", reference);
    const double expected = pow(10, 3.0 * each[i].order / (each[i].order + 1));
    tap_ok(coarse / fine > expected / 4 && coarse / fine < expected * 4 && fine < 1e-3,
           "%s: errors %.1e and %.1e at tolerances 1e-5 and 1e-8: ratio %.0f, expected about %.0f",
           each[i].spec, coarse, fine, coarse / fine, expected);
  }
}

/* ---- energy, in double only: the runs are long, and what they show is far above round-off ---- */

#if SHK_PRECISION == 64

enum { SAMPLES = 740 };

static double work_of(const struct shk_outcome *outcome)
{
  return shk_outcome_scalar(outcome, "work-gradient") +
         shk_outcome_scalar(outcome, "work-constraint") +
         shk_outcome_scalar(outcome, "work-jacobian") +
         shk_outcome_scalar(outcome, "work-curvature") +
         shk_outcome_scalar(outcome, "work-factorizations");
}

/* The class of the energy error over some 4000 time scales; the work in *work. */
static enum shk_energy_class long_run(const char *integrator, const char *step,
                                      const char *tolerance, double *work)
{
  static char texts[SAMPLES][16];
  char *times[SAMPLES];
  for (int i = 0; i < SAMPLES; i++) {
    snprintf(texts[i], sizeof texts[i], "%d.%02d", (i + 1) * 135 / 100, (i + 1) * 135 % 100);
    times[i] = texts[i];
  }
  const struct shk_cell cell =
      TEST_CELL(.problem = ECCENTRIC, .integrator = (char *)integrator, .step = (char *)step,
                .tolerance = (char *)tolerance, .until = times[SAMPLES - 1], .times = times,
                .time_count = SAMPLES);
  OUTCOME outcome = {0};
  struct shk_inspection inspection;
  struct shk_message error;
  struct shk_drift drift = {.class = SHK_ENERGY_UNDETERMINED};
  const struct shk_cell run = with_step_counts((long long[SAMPLES]){0}, cell);
  shk_run_cell(&test_context, &outcome, &run, true);
  *work = work_of(&outcome);
  const struct shk_series *series = shk_outcome_series(&outcome, "energy-error");
  if (outcome.code == SHK_OK && series &&
      SHK_ENGINE.inspect(&test_context, &inspection, ECCENTRIC, &error)) {
    const double scale = fabs(shk_outcome_scalar(&outcome, "energy-start"));
    shk_energy_classify(&drift, &(struct shk_energy_run){.series = series,
                                                         .epsilon = SHK_ENGINE.epsilon,
                                                         .scale = scale,
                                                         .steps = *work / 20,
                                                         .finished = true});
  }
  tap_diag("%s: energy %s: max %.1e, final %.1e, slope %.1e, oscillation %.1e, work %.3g %s",
           integrator, shk_energy_words[drift.class], drift.largest,
           shk_outcome_scalar(&outcome, "energy-error-final"), drift.slope, drift.oscillation,
           *work, outcome.reason);
  return drift.class;
}

static void check_energy(void)
{
  double doubling, reversible, fixed;
  tap_ok(long_run("adaptive", NULL, "1e-5", &doubling) == SHK_ENERGY_DRIFT,
         "step doubling drifts in energy");
  tap_ok(long_run("adaptive(control=reversible)", NULL, "1.3e-6", &reversible) ==
             SHK_ENERGY_BOUNDED,
         "the reversible controller does not");
  tap_ok(long_run("rattle", "0.0027", NULL, &fixed) == SHK_ENERGY_BOUNDED, "nor do fixed steps");
  tap_ok(fabs(reversible / doubling - 1) < 0.1 && fabs(fixed / doubling - 1) < 0.1,
         "at equal work: %.3g, %.3g, %.3g evaluations and factorizations", doubling, reversible,
         fixed);
}

#endif

/* ---- stepping ---- */

static bool begin(struct shk_drive *d, const char *integrator, const char *tolerance,
                  struct shk_outcome *outcome)
{
  const struct shk_cell cell =
      TEST_CELL(.problem = "double-pendulum", .integrator = (char *)integrator,
                .tolerance = (char *)tolerance, .until = "1");
  *outcome = (struct shk_outcome){0};
  return shk_drive_begin(&test_context, d, outcome, &cell);
}

static real distance(const struct shk_state *a, const struct shk_state *b)
{
  real worst = 0;
  for (int i = 0; i < a->n; i++)
    worst = real_max(worst, real_max(real_fabs(a->q[i] - b->q[i]), real_fabs(a->p[i] - b->p[i])));
  return worst;
}

/* To t = 1 in `count` equal pieces. */
static bool go(struct shk_drive *d, int count)
{
  bool ok = true;
  for (int k = 1; ok && k <= count; k++) {
    ok = shk_drive_step(d, (real)k / count).code == SHK_OK;
    shk_drive_accept(d);
  }
  return ok;
}

static void check_outputs(void)
{
  DRIVE once = {0}, often = {0};
  OUTCOME first = {0}, second = {0};
  const bool ok = begin(&once, "adaptive(control=reversible)", "1e-6", &first) &&
                  begin(&often, "adaptive(control=reversible)", "1e-6", &second) && go(&once, 1) &&
                  go(&often, 64);
  tap_ok(ok && distance(&once.current, &often.current) < 100 * REAL_EPSILON,
         "reversible: 64 outputs on the way change the end by %.0f eps",
         (double)(distance(&once.current, &often.current) / REAL_EPSILON));
}

static void is_refused(const char *integrator, const char *tolerance, const char *part)
{
  DRIVE d = {0};
  OUTCOME outcome = {0};
  tap_ok(!begin(&d, integrator, tolerance, &outcome) && strstr(outcome.reason, part),
         "%s at tolerance %s: %s", integrator, tolerance, outcome.reason);
}

static void check_too_loose(void)
{
  OUTCOME outcome = {0};
  char *times[] = {"10"};
  const struct shk_cell cell =
      TEST_CELL(.problem = ECCENTRIC, .integrator = "adaptive(control=reversible)",
                .tolerance = "10", .until = "10", .times = times, .time_count = 1);
  shk_run_cell(&test_context, &outcome, &cell, true);
  tap_ok(outcome.code == SHK_NOT_CONVERGED, "a tolerance too large for the controller stops: %s",
         outcome.reason);
}

int main(void)
{
  OUTCOME reference = {0};
  order_run(&reference, "double-pendulum", "reference", NULL, "1e-13");
  if (tap_ok(reference.code == SHK_OK, "the reference runs %s", reference.reason)) {
    check_tolerance(&reference);
  }
#if SHK_PRECISION == 64
  check_energy();
#endif
  check_outputs();
  check_too_loose();
  is_refused("adaptive", "0", "must be positive");
  is_refused("adaptive", "1e-40", "at least");
  is_refused("adaptive(base=exact)", "1e-6", "one-step map");
  is_refused("adaptive(base=adaptive)", "1e-6", "one-step map");
  is_refused("adaptive(base=shake,control=reversible)", "1e-6", "not symmetric");
  struct shk_claims claims;
  struct shk_message error;
  tap_ok(SHK_ENGINE.claims(&test_context, &claims, "adaptive(base=shake)", &error) &&
             claims.keeps_hidden == SHK_NO && claims.energy_bounded == SHK_NO,
         "adaptive claims what its base claims to keep, but no energy under step doubling");
  tap_ok(SHK_ENGINE.claims(&test_context, &claims, "adaptive(control=reversible)", &error) &&
             claims.energy_bounded == SHK_YES,
         "under the reversible controller energy too");
  return tap_done();
}
