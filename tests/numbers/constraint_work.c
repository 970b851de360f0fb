/*
 * The work of the constraints: with the energy error of the flow between the impulses it is exactly
 * the change of the energy in a step, worked out here from the problem's own functions; what readings
 * of SHAKE lose; absent where a method cannot tell. And the residuals that are left, where it is known
 * how large they are.
 */
#include "integrators/kit/base.h"
#include "tests/kit/stepping.h"
#include "tests/kit/whole_run.h"

#define SPRUNG "sprung-pendulum"

/* ---- one step taken apart ---- */

static real energy(struct shk_drive *d, real t, const real *q, const real *p)
{
  real value;
  return shk_hamiltonian(&d->bound.observer, &value, t, q, p).code == SHK_OK ? value : NAN;
}

/* p += factor Gᵀ lambda with G at (t,q) */
static void add_normal(struct shk_drive *d, real *p, real factor, real t, const real *q,
                       const real *lambda)
{
  struct shk_evaluator *e = &d->bound.observer;
  real G[64];
  if (e->row_start[e->system->m] > 64 || shk_jacobian(e, G, t, q).code != SHK_OK)
    abort();
  shk_jacobian_transposed_add(e, p, G, factor, lambda);
}

static void force_kick(struct shk_drive *d, real *p, real h, real t, const real *q)
{
  real slope[16];
  if (d->current.n > 16 || shk_gradient(&d->bound.observer, slope, t, q, p).code != SHK_OK)
    abort();
  for (int i = 0; i < d->current.n; i++)
    p[i] -= h * slope[i];
}

static void drift(struct shk_drive *d, real *q, real h, const real *p)
{
  for (int i = 0; i < d->current.n; i++)
    q[i] += h * p[i] / d->bound.instance.system.mass[i];
}

/* The error in energy of the unconstrained flow, Störmer-Verlet or symplectic Euler, from the point
 * to which the first kick leads. */
static real flow_error(struct shk_drive *d, bool is_euler, const struct shk_state *to)
{
  const struct shk_state *from = &d->current;
  const real h = d->bound.step, t0 = from->t, t1 = t0 + h, kick = is_euler ? h : h / 2;
  real q[16], p[16];
  memcpy(q, from->q, (size_t)from->n * sizeof *q);
  memcpy(p, from->p, (size_t)from->n * sizeof *p);
  add_normal(d, p, -kick, t0, q, to->lambda);
  const real before = energy(d, t0, q, p);
  force_kick(d, p, kick, t0, q);
  drift(d, q, h, p);
  if (!is_euler)
    force_kick(d, p, kick, t1, q);
  return energy(d, t1, q, p) - before;
}

/* H after less H before is the work and the flow's error, in each of some steps. */
static void test_taken_apart(const char *problem, const char *integrator, bool is_euler)
{
  DRIVE d = {0};
  OUTCOME outcome = {0};
  real worst = 0, largest = 0, work = 0;
  bool ok = begin_drive(&d, &outcome, problem, integrator, "0.05", NULL) &&
            shk_method_constraint_work(d.bound.integrator, d.bound.method, &work);
  for (int k = 0; ok && k < 20; k++) {
    const struct shk_state *from = &d.current;
    const real H0 = energy(&d, from->t, from->q, from->p);
    work = 0;
    ok = shk_drive_step(&d, from->t + d.bound.step).code == SHK_OK;
    if (!ok)
      break;
    const real change = energy(&d, d.next.t, d.next.q, d.next.p) - H0;
    const real rest = real_fabs(change - work - flow_error(&d, is_euler, &d.next));
    worst = rest <= worst ? worst : rest; /* keeps a NaN */
    largest = real_max(largest, real_fabs(work));
    shk_drive_accept(&d);
  }
  tap_ok(ok && largest > R(1e-7) && worst < 200 * REAL_EPSILON,
         "%s, %s: change of H = work + error of the flow, to %.1f eps (work up to %.1e)", problem,
         integrator, (double)(worst / REAL_EPSILON), (double)largest);
}

/* ---- runs ---- */

static double scalar_of(const char *problem, const char *integrator, const char *step,
                        const char *until, const char *name)
{
  OUTCOME outcome = {0};
  const bool finished = run_whole(&outcome, problem, integrator, step, until);
  const double value = finished ? shk_outcome_scalar(&outcome, name) : NAN;
  return value;
}

#if SHK_PRECISION == 64
#endif

/* The work and the change of the energy agree at the end. */
static void test_energy(const char *problem, const char *integrator, const char *until,
                        double tolerance)
{
  const double work = scalar_of(problem, integrator, "0.01", until, "constraint-work-final");
  const double change = scalar_of(problem, integrator, "0.01", until, "energy-error-final");
  tap_ok(fabs(work - change) < tolerance * fabs(change),
         "%s on %s: the work %.4e is the change of the energy, %.4e", integrator, problem, work,
         change);
}

/* On the pendulum, whose |G| is 1, lambda = rate² + cos(angle) in units of gravity. SHAKE leaves half a
 * kick, g' = ½ h lambda, which is largest at the lowest point. A spring of stiffness k that begins
 * unstretched oscillates about lambda / k with the amplitude lambda(0) / k. */
static void test_residuals(void)
{
  static const char problem[] = "pendulum(angle=0.7,rate=1.1)";
  const double at_start = 1.1 * 1.1 + cos(0.7), lowest = 1.1 * 1.1 + 3 - 2 * cos(0.7);
  const double hidden = scalar_of(problem, "shake", "0.01", "8", "hidden-max");
  tap_ok(fabs(hidden / (0.005 * lowest) - 1) < 1e-3, "shake: |g'| up to %.6e, ½ h lambda is %.6e",
         hidden, 0.005 * lowest);
  const double stretch =
      scalar_of(problem, "penalty(stiffness=1e6)", "0.001", "8", "constraint-max");
  tap_ok(fabs(stretch / (1e-6 * (at_start + lowest)) - 1) < 1e-2,
         "penalty: |g| up to %.6e, lambda there and at the start over k is %.6e", stretch,
         1e-6 * (at_start + lowest));
}

/* Times of a series are counted from the problem's initial time. */
static void test_times(void)
{
  OUTCOME outcome = {0};
  run_whole(&outcome, "transformed(pendulum,shift=3)", "rattle", "0.01", "1");
  const struct shk_series *const series = shk_outcome_series(&outcome, "energy-error");
  const double last = series && series->count > 0 ? series->time[series->count - 1] : NAN;
  tap_ok(last > 0 && last <= 1, "the energy of a run from t = 3 on for 1 is known at %g", last);
}

int main(void)
{
  test_taken_apart(SPRUNG, "rattle", false);
  test_taken_apart(SPRUNG, "shake", false);
  test_taken_apart("double-pendulum", "rattle", false);
  /* Where g depends on t, impulses work at v as well: G v = -g_t. */
  test_taken_apart("driven-pendulum", "rattle", false);
  test_taken_apart("double-pendulum", "shake", false);
  test_taken_apart(SPRUNG, "symplectic-euler-rattle", true);
  test_taken_apart(SPRUNG, "symplectic-euler-shake", true);
  test_taken_apart(SPRUNG, "rattle(flow=symplectic-euler)", true);
  test_energy("pendulum", "shake-minimal-displacement", "20", 1e-3);
  test_energy("pendulum", "shake-minimal-displacement(direction=trial)", "20", 1e-3);
  test_energy("pendulum", "shake-position-only", "20", 1e-3);
  test_energy("pendulum", "verlet-projected", "20", 1e-3);
  test_energy(SPRUNG, "penalty(stiffness=100)", "8", 5e-3); /* the spring's energy among it */
  /* The midpoint rule keeps quadratic H: the slides along the fibres do the rest, to round-off. */
  test_energy("harmonic-sphere(gravity=0.05,start=half)", "rattle(flow=midpoint)", "3", 1e-6);
  test_residuals();
  test_times();
  tap_ok(isnan(scalar_of(SPRUNG, "spark", "0.02", "1", "constraint-work-max")),
         "absent where it is not offered");
  return tap_done();
}
