/*
 * Runs of fixed-step integrators for tests that are compiled per precision.
 */
#ifndef TESTS_KIT_STEPPING_H
#define TESTS_KIT_STEPPING_H

#include "engine/cells/drive.h"
#include "mechanics/system/manifold.h"
#include "mechanics/system/state.h"
#include "tests/kit/context.h"
#include "tests/kit/tap.h"

/* Binds a cell at its start; end with end_drive. Returns false, with code and reason in *outcome,
 * if that fails. */
static inline bool begin_drive(struct shk_drive *d, struct shk_outcome *outcome,
                               const char *problem, const char *integrator, const char *step,
                               const char *tolerance)
{
  const struct shk_cell cell =
      TEST_CELL(.problem = (char *)problem, .integrator = (char *)integrator, .step = (char *)step,
                .tolerance = (char *)tolerance, .until = "1");
  *outcome = (struct shk_outcome){0};
  return shk_drive_begin(&test_context, d, outcome, &cell);
}

static inline void end_drive(struct shk_drive *d, struct shk_outcome *outcome)
{
  shk_drive_end(d);
  shk_outcome_clear(outcome);
}

/* The same, and prints the reason as a diagnosis; end with shk_drive_end. */
static inline bool begin_or_tell(struct shk_drive *d, const char *problem, const char *integrator,
                                 const char *step)
{
  struct shk_outcome outcome;
  const bool ok = begin_drive(d, &outcome, problem, integrator, step, NULL);
  if (!ok)
    tap_diag("%s on %s: %s", integrator, problem, outcome.reason);
  shk_outcome_clear(&outcome);
  return ok;
}

/* Advances by `steps` steps. */
static inline struct shk_status go_steps(struct shk_drive *d, long steps)
{
  const real t0 = d->current.t;
  for (long k = 1; k <= steps; k++) {
    SHK_TRY(shk_drive_step(d, t0 + (real)k * d->bound.step));
    shk_drive_accept(d);
  }
  return shk_ok();
}

/* Computes the state after `steps` steps from the start, in *to (shk_state_clear); false if it
 * stopped. */
static inline bool reach(struct shk_state *to, const char *problem, const char *integrator,
                         const char *step, const char *tolerance, long steps)
{
  struct shk_drive d;
  struct shk_outcome outcome;
  bool ok = begin_drive(&d, &outcome, problem, integrator, step, tolerance) &&
            go_steps(&d, steps).code == SHK_OK && shk_state_init_like(to, &d.current);
  if (ok)
    shk_state_copy(to, &d.current);
  end_drive(&d, &outcome);
  return ok;
}

/* True if two runs needed equally many iterations. All steps need a common number, and then a
 * residual at the edge of round-off needs one more or not, at random: the counts of such events
 * differ by three times the root of their sum at most. In quad, factors in double may need one or
 * two corrections more a solve, and the full quadratic equation that many less. */
static inline bool as_many(long a, long b, long steps)
{
  const long by_all = b / steps * steps, chance = labs(a - by_all) + b - by_all;
  if (REAL_DIGITS > 30)
    return labs(a - b) <= 4 * steps;
  return (a - b) * (a - b) <= 9 * chance && labs(a - b) * 10 <= b;
}

/* The number of sums of q and p with a nonzero rounding error to carry. */
static inline int carries(const struct shk_state *s)
{
  int count = 0;
  for (int i = 0; i < s->n; i++)
    count += (s->q_carry[i] != 0) + (s->p_carry[i] != 0);
  return count;
}

static inline real largest_difference(const real *a, const real *b, int n)
{
  real worst = 0;
  for (int i = 0; i < n; i++) {
    const real one = real_fabs(a[i] - b[i]);
    worst = one <= worst ? worst : one; /* keeps a NaN */
  }
  return worst;
}

/* Prints points: after so many steps two integrators have the same states, to so many roundings of their
 * size, and the same multipliers, to so many eps/h². */
static inline void agree(const char *problem, const char *one, const char *other, const char *step,
                         long steps, real limit, real limit_lambda)
{
  struct shk_drive a, b;
  const bool ok = begin_or_tell(&a, problem, one, step) & begin_or_tell(&b, problem, other, step) &&
                  go_steps(&a, steps).code == SHK_OK && go_steps(&b, steps).code == SHK_OK;
  const struct shk_state *x = &a.current, *y = &b.current;
  real q = 0, p = 0, lambda = 0;
  if (ok) {
    q = largest_difference(x->q, y->q, x->n) / real_max(1, real_max_norm(x->q, x->n));
    p = largest_difference(x->p, y->p, x->n) / real_max(1, real_max_norm(x->p, x->n));
    lambda = real_max(largest_difference(x->lambda, y->lambda, x->m),
                      largest_difference(x->mu, y->mu, x->m)) *
             a.bound.step * a.bound.step;
  }
  tap_ok(ok && real_max(q, p) <= limit * REAL_EPSILON,
         "%s: %s and %s agree after %ld steps: %.1f eps", problem, one, other, steps,
         (double)(real_max(q, p) / REAL_EPSILON));
  tap_ok(ok && lambda <= limit_lambda * REAL_EPSILON, "... and their multipliers: %.1f eps/h²",
         (double)(lambda / REAL_EPSILON));
  shk_drive_end(&a);
  shk_drive_end(&b);
}

/* max|g| and max|G H_p| at the current state. */
static inline void residuals_of(const struct shk_drive *d, real *constraint, real *hidden)
{
  const struct shk_state *s = &d->current;
  const int m = s->m;
  real *g = malloc((2 * (size_t)m + 1) * sizeof *g);
  if (!g || shk_manifold_residuals(d->bound.manifold, g, g + m, s->t, s->q, s->p).code != SHK_OK)
    abort();
  *constraint = real_max_norm(g, m);
  *hidden = real_max_norm(g + m, m);
  free(g);
}

/* Largest values of |H - H(0)|, max|g| and max|G H_p| over `steps` steps; NaN if one fails. */
struct extremes {
  real energy, constraint, hidden, last_energy; /* last_energy: H - H(0) at the end, signed */
};

static inline struct extremes extremes_of(const char *problem, const char *integrator,
                                          const char *step, long steps)
{
  struct shk_drive d;
  struct shk_outcome outcome;
  struct extremes e = {0};
  real H0 = 0, H, g[2 * 64];
  bool ok =
      begin_drive(&d, &outcome, problem, integrator, step, NULL) && d.current.m <= 64 &&
      shk_hamiltonian(&d.bound.observer, &H0, d.current.t, d.current.q, d.current.p).code == SHK_OK;
  for (long k = 0; ok && k < steps; k++) {
    ok = go_steps(&d, 1).code == SHK_OK;
    const struct shk_state *s = &d.current;
    const int m = s->m;
    ok = ok && shk_hamiltonian(&d.bound.observer, &H, s->t, s->q, s->p).code == SHK_OK &&
         shk_manifold_residuals(d.bound.manifold, g, g + m, s->t, s->q, s->p).code == SHK_OK;
    if (ok) {
      e.last_energy = H - H0;
      e.energy = real_max(e.energy, real_fabs(H - H0));
      e.constraint = real_max(e.constraint, real_max_norm(g, m));
      e.hidden = real_max(e.hidden, real_max_norm(g + m, m));
    }
  }
  end_drive(&d, &outcome);
  if (!ok)
    e.energy = e.constraint = e.hidden = e.last_energy = NAN;
  return e;
}

#endif
