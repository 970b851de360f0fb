/*
 * Runs of adaptive integrators for tests that are compiled per precision.
 */
#ifndef TESTS_KIT_ADAPTIVE_H
#define TESTS_KIT_ADAPTIVE_H

#include "engine/cells/drive.h"
#include "mechanics/system/manifold.h"
#include "mechanics/system/state.h"
#include "tests/kit/context.h"
#include "tests/kit/tap.h"

/* The result of a run; `RUN run = {0}` is cleared where its name ends. */
struct run {
  struct shk_status status;
  struct shk_drive drive; /* current: the last valid state */
  struct shk_outcome outcome;
  real energy, constraint, hidden; /* largest over the output times: |H - H_0|, |g|, |G H_p| */
};

static inline void end_run(struct run *run)
{
  shk_drive_end(&run->drive);
  shk_outcome_clear(&run->outcome);
}
#define RUN __attribute__((cleanup(end_run))) struct run

static inline struct shk_cell adaptive_cell(const char *problem, const char *integrator,
                                            const char *tolerance)
{
  return (struct shk_cell){.kind = "run",
                           .problem = (char *)problem,
                           .integrator = (char *)integrator,
                           .precision = "",
                           .tolerance = (char *)tolerance,
                           .until = "1"};
}

/* Binds problem and integrator; returns false, with the code in run->status, if that fails. */
static inline bool begin_run(struct run *run, const char *problem, const char *integrator,
                             const char *tolerance)
{
  *run = (struct run){0};
  const struct shk_cell cell = adaptive_cell(problem, integrator, tolerance);
  if (shk_drive_begin(&test_context, &run->drive, &run->outcome, &cell))
    return true;
  run->status.code = run->outcome.code;
  run->status.reason = run->outcome.reason;
  return false;
}

/* Continues by `time` in `count` equal steps, until one fails. */
static inline void go_on(struct run *run, real time, int count)
{
  struct shk_drive *d = &run->drive;
  struct shk_bound *b = &d->bound;
  const int m = d->current.m;
  const real t0 = d->current.t;
  real H0 = 0, H = 0, residuals[2 * 64];
  if (2 * m > 2 * 64 || shk_hamiltonian(&b->observer, &H0, t0, d->current.q, d->current.p).code) {
    run->status = shk_failure(SHK_BAD_INPUT, "the test cannot measure this", 0, 0);
    return;
  }
  for (int k = 1; k <= count; k++) {
    run->status = shk_drive_step(d, t0 + time * k / count);
    if (run->status.code != SHK_OK)
      return;
    shk_drive_accept(d);
    const struct shk_state *s = &d->current;
    if (shk_hamiltonian(&b->observer, &H, s->t, s->q, s->p).code != SHK_OK ||
        shk_manifold_residuals(b->manifold, residuals, residuals + m, s->t, s->q, s->p).code !=
            SHK_OK) {
      run->status = shk_failure(SHK_STOPPED, "a measure failed", 0, 0);
      return;
    }
    run->energy = real_max(run->energy, real_fabs(H - H0));
    run->constraint = real_max(run->constraint, real_max_norm(residuals, m));
    run->hidden = real_max(run->hidden, real_max_norm(residuals + m, m));
  }
}

/* Runs from the problem's start; returns false, with a failed point, unless it reaches the end. */
static inline bool make_run(struct run *run, const char *problem, const char *integrator,
                            const char *tolerance, real time, int count)
{
  char reason[256];
  if (begin_run(run, problem, integrator, tolerance))
    go_on(run, time, count);
  if (run->status.code != SHK_OK)
    tap_ok(false, "%s on %s at %s: %s", integrator, problem, tolerance,
           shk_status_text(reason, sizeof reason, run->status));
  return run->status.code == SHK_OK;
}

/* True if an integrator is available; prints a skipped point if not: SUNDIALS' solvers may be left
 * out of the build, and Hairer's codes are a package of their own. */
static inline bool can_try(const char *integrator)
{
  RUN run = {0};
  const bool begun = begin_run(&run, "pendulum", integrator, "1e-8");
  const bool of_sundials =
      strncmp(integrator, "ida", 3) == 0 || strncmp(integrator, "cvode", 5) == 0;
  if (!begun)
    tap_skip_without(of_sundials ? "sundials" : "libsiconos-numerics-dev", "%s: %s", integrator,
                     run.outcome.reason);
  return begun;
}

/* Largest difference in q and p. */
static inline real state_difference(const struct shk_state *a, const struct shk_state *b)
{
  real worst = 0;
  for (int i = 0; i < a->n; i++)
    worst = real_max(worst, real_max(real_fabs(a->q[i] - b->q[i]), real_fabs(a->p[i] - b->p[i])));
  return worst;
}

/* Largest error in q and p against the problem's exact solution; *lambda_error: that of lambda. */
static inline real exact_error(const struct run *run, real *lambda_error)
{
  const struct shk_state *s = &run->drive.current;
  const struct shk_instance *instance = &run->drive.bound.instance;
  STATE exact = {0};
  real error = INFINITY;
  *lambda_error = INFINITY;
  if (!shk_state_init(&exact, s->n, s->m))
    return error;
  if (instance->exact &&
      instance->exact(instance->system.context, exact.q, exact.p, exact.lambda, s->t) == 0) {
    error = state_difference(&exact, s);
    *lambda_error = 0;
    for (int i = 0; i < s->m; i++)
      *lambda_error = real_max(*lambda_error, real_fabs(exact.lambda[i] - s->lambda[i]));
  }
  return error;
}

/* ---- a system whose gradient fails beyond a point of the motion ---- */

static struct shk_system well_system;
static real fails_beyond; /* it fails for q[1] above this */
static int fails_with;    /* the value returned; 0: a NaN */
static long fails_once;   /* > 0: only the evaluation of this number fails, anywhere */

static inline int failing_gradient(const void *context, real *out, real t, const real *q)
{
  const int code = well_system.gradient(context, out, t, q);
  const bool now = fails_once > 0 ? --fails_once == 0 : q[1] > fails_beyond;
  if (!now)
    return code;
  if (fails_with == 0)
    out[0] = NAN;
  return fails_with;
}

static inline void make_failing(struct run *run, real beyond, int with)
{
  struct shk_system *system = &run->drive.bound.instance.system;
  well_system = *system;
  fails_beyond = beyond;
  fails_with = with;
  fails_once = 0;
  system->gradient = failing_gradient;
}

/* Tests functions that fail during a run, and continuation after that, on the pendulum of 0.7 and
 * 1.1. A function that asks once for a smaller step must leave an error of at most `limit`. Returns
 * the number of steps rejected in that case. */
static inline long meet_failures(const char *pendulum, const char *integrator,
                                 const char *tolerance, real limit)
{
  const struct {
    int with;
    enum shk_code code;
    const char *name;
  } kinds[] = {{-1, SHK_STOPPED, "a function that stops"},
               {1, SHK_TRY_SMALLER, "a function that asks for less for ever"},
               {0, SHK_NOT_FINITE, "a NaN"}};
  char reason[256];
  long rejected = 0;
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    RUN run = {0};
    if (begin_run(&run, pendulum, integrator, tolerance)) {
      make_failing(&run, R(-0.45), kinds[i].with);
      go_on(&run, 1, 20); /* to the point of failure at y = -0.45, soon after t = 0.3 */
      const struct shk_state *s = &run.drive.current;
      tap_ok(run.status.code == kinds[i].code && s->t > R(0.2) && s->t < R(0.5) &&
                 s->q[1] <= R(-0.45),
             "%s, %s: code %d after t = %g: %s", integrator, kinds[i].name, (int)run.status.code,
             (double)s->t, shk_status_text(reason, sizeof reason, run.status));
      fails_beyond = 2;
      go_on(&run, R(0.5), 1);
      tap_ok(run.status.code == SHK_OK, "%s: after %s it can go on", integrator, kinds[i].name);
    }
  }
  RUN run = {0};
  if (begin_run(&run, pendulum, integrator, tolerance)) {
    make_failing(&run, 0, 1);
    fails_once = 100;
    go_on(&run, 5, 1);
    real lambda_error;
    const real error = exact_error(&run, &lambda_error);
    rejected = run.drive.bound.evaluator.counters.rejected;
    tap_ok(run.status.code == SHK_OK && error <= limit && fails_once == 0,
           "%s: a function that once asks for less gets it: error %.1e", integrator, (double)error);
  }
  return rejected;
}

#endif
