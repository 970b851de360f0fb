/*
 * The readings of SHAKE that are not SHAKE: each keeps the constraint, converges with order 1 (or,
 * without velocity projection, not at all), contracts phase-space area, and runs down to the rest
 * position; SHAKE and RATTLE do none of this.
 */
#include "tests/kit/stepping.h"
#include "tests/kit/tap.h"

#define PENDULUM "pendulum(angle=0.7,rate=1.1)"

static const char *const drifting[] = {"shake-position-only", "shake-minimal-displacement",
                                       "shake-minimal-displacement(direction=trial)",
                                       "shake-minimal-displacement(project-velocity=no)",
                                       "verlet-projected"};

static const char *const unfed[] = {"shake-position-only(project-velocity=no)",
                                    "verlet-projected(project-velocity=no)"};

static const char *const proper[] = {"shake", "rattle"};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Error in q at t = 1.6 with steps of 1.6/steps. */
static real position_error(const char *problem, const char *integrator, const char *step,
                           long steps, const struct shk_state *reference)
{
  struct shk_state s;
  if (!reach(&s, problem, integrator, step, NULL, steps))
    return NAN;
  const real error = largest_difference(s.q, reference->q, s.n);
  shk_state_clear(&s);
  return error;
}

static void check_order(const char *integrator, double order)
{
  struct shk_state reference;
  const char *problem = "sprung-pendulum";
  if (!tap_ok(reach(&reference, problem, "reference", "1.6", "1e-13", 1), "the reference is found"))
    return;
  const real one = position_error(problem, integrator, "0.003125", 512, &reference);
  const real two = position_error(problem, integrator, "0.0015625", 1024, &reference);
  const double measured = log2((double)(one / two));
  tap_ok(fabs(measured - order) < 0.1, "%s: order %.3f of q, expected %.0f", integrator, measured,
         order);
  shk_state_clear(&reference);
}

/* The determinant of one step's derivative on the pendulum, in (angle, rate), by central
 * differences of starts on the manifold. Area is all that is symplectic there. */
static real area(const char *integrator, real h)
{
  struct shk_drive d;
  struct shk_outcome outcome;
  real jacobian[2][2], determinant = NAN;
  const real increment = SHK_PRECISION == 64 ? R(1e-4) : R(1e-8), start[2] = {R(0.7), R(1.1)};
  bool ok = begin_drive(&d, &outcome, PENDULUM, integrator, "0.1", NULL);
  for (int k = 0; ok && k < 2; k++) {
    real image[2][2] = {{0}};
    for (int side = 0; ok && side < 2; side++) {
      const real s = side == 0 ? increment : -increment;
      const real angle = start[0] + (k == 0 ? s : 0), rate = start[1] + (k == 1 ? s : 0);
      real *q = d.current.q, *p = d.current.p;
      q[0] = real_sin(angle);
      q[1] = -real_cos(angle);
      p[0] = rate * real_cos(angle);
      p[1] = rate * real_sin(angle);
      for (int i = 0; i < 2; i++)
        d.current.q_carry[i] = d.current.p_carry[i] = 0;
      ok = d.bound.integrator->step(d.bound.method, &d.next, &d.current, h).code == SHK_OK;
      q = d.next.q;
      p = d.next.p;
      image[side][0] = real_atan2(q[0], -q[1]);
      image[side][1] = q[0] * p[1] - q[1] * p[0]; /* the rate, and all of p that is tangent */
    }
    for (int i = 0; i < 2; i++)
      jacobian[i][k] = (image[0][i] - image[1][i]) / (2 * increment);
  }
  if (ok)
    determinant = jacobian[0][0] * jacobian[1][1] - jacobian[0][1] * jacobian[1][0];
  end_drive(&d, &outcome);
  return determinant;
}

static void check_area(void)
{
  /* Differences leave increment², in double round-off over the increment. */
  const real floor = SHK_PRECISION == 64 ? R(1e-7) : R(1e-14);
  for (size_t i = 0; i < COUNT(drifting); i++) {
    const real coarse = 1 - area(drifting[i], R(0.1)), fine = 1 - area(drifting[i], R(0.05));
    tap_ok(coarse > R(1e-3) && coarse < R(0.1), "%s contracts area: 1 - det = %.3g at h = 0.1",
           drifting[i], (double)coarse);
    const double rate = log2((double)(coarse / fine));
    tap_ok(fabs(rate - 2) < 0.5, "%s: 1 - det falls like h^%.2f", drifting[i], rate);
  }
  for (size_t i = 0; i < COUNT(proper); i++) {
    const real defect = real_fabs(1 - area(proper[i], R(0.1)));
    tap_ok(defect < floor, "%s keeps area: |1 - det| = %.2g", proper[i], (double)defect);
  }
}

/* Energy above the rest position at t = 1000, as a share of the initial one. */
static void check_run_down(void)
{
  const struct {
    const char *const *names;
    size_t count;
    bool drifts;
  } groups[] = {{drifting, COUNT(drifting), true}, {proper, COUNT(proper), false}};
  const real first = R(1.1) * R(1.1) / 2 + 1 - real_cos(R(0.7));
  for (size_t g = 0; g < COUNT(groups); g++)
    for (size_t i = 0; i < groups[g].count; i++) {
      const char *name = groups[g].names[i];
      const struct extremes e = extremes_of(PENDULUM, name, "0.05", 20000);
      const real left = (first + e.last_energy) / first;
      tap_ok(groups[g].drifts ? left < R(0.01) : left > R(0.99),
             "%s: %.4g of the energy is left after t = 1000", name, (double)left);
    }
}

/* One linear solve for both multipliers (block-triangular, as lecture notes have it), with the matrix
 * of the predicted point or of the old one: the change of the energy of the pendulum at t = 40, of an
 * independent program in 40 digits (mpmath). */
static void check_linear_solve(void)
{
  static const struct {
    const char *name, *step;
    int steps;
    real change;
  } each[] = {{"shake-minimal-displacement(direction=trial,solver=linearized)", "0.02", 2000,
               R(-0.397792189845289503305471041148)},
              {"shake-minimal-displacement(direction=trial,solver=linearized)", "0.01", 4000,
               R(-0.243023220054772020869106211615)},
              {"shake-minimal-displacement(direction=trial,solver=linearized)", "0.005", 8000,
               R(-0.136960780910422499546299579184)},
              {"rattle(solver=linearized)", "0.04", 1000, R(2.24284372285038234819058503339e-4)},
              {"rattle(solver=linearized)", "0.02", 2000, R(5.59237278090038397664402836733e-5)}};
  const real close = SHK_PRECISION == 64 ? R(1e-11) : R(1e-26);
  for (size_t i = 0; i < COUNT(each); i++) {
    const struct extremes e = extremes_of(PENDULUM, each[i].name, each[i].step, each[i].steps);
    const real off = real_fabs(e.last_energy - each[i].change);
    tap_ok(off < close, "%s, h = %s: the energy changes by %.6g, off by %.2g", each[i].name,
           each[i].step, (double)e.last_energy, (double)off);
  }
}

static void check_contract(const char *integrator, bool hidden)
{
  const struct extremes e = extremes_of("double-pendulum", integrator, "0.01", 100);
  tap_ok(e.constraint <= 200 * REAL_EPSILON, "%s keeps g = 0: %.2g", integrator,
         (double)e.constraint);
  tap_ok(hidden ? e.hidden <= 1000 * REAL_EPSILON : e.hidden > R(1e-4), "%s: max|G v| = %.2g",
         integrator, (double)e.hidden);
  const real defect = asymmetry("double-pendulum", integrator, "0.01", 3);
  tap_ok(defect > R(1e-8), "%s is not symmetric: %.2g", integrator, (double)defect);
}

static void check_refused(const char *integrator)
{
  struct shk_drive d;
  struct shk_outcome outcome;
  tap_ok(!begin_drive(&d, &outcome, "charged-pendulum", integrator, "0.1", NULL) &&
             outcome.code == SHK_REFUSED,
         "%s on a general Hamiltonian is refused: %s", integrator, outcome.reason);
  end_drive(&d, &outcome);
}

/* What each reading does in one step, from its formula, on a unit mass on the unit circle: there
 * the nearest point is q*'s direction, and so is the one along G(q*). */
static void check_formula(void)
{
  static const struct {
    const char *name;
    bool along_old, fed_back, force_at_trial, projected;
  } readings[] = {{"shake-position-only", true, false, false, true},
                  {"shake-position-only(project-velocity=no)", true, false, false, false},
                  {"shake-minimal-displacement", false, true, false, true},
                  {"shake-minimal-displacement(project-velocity=no)", false, true, false, false},
                  {"shake-minimal-displacement(direction=trial,project-velocity=no)", false, true,
                   false, false},
                  {"verlet-projected", false, false, true, true},
                  {"verlet-projected(project-velocity=no)", false, false, true, false}};
  const real h = R(0.1);
  for (size_t i = 0; i < COUNT(readings); i++) {
    struct shk_drive d;
    struct shk_outcome outcome;
    real error = INFINITY, force[2], q1[2], trial[2], v[2];
    if (begin_drive(&d, &outcome, "sprung-pendulum", readings[i].name, "0.1", NULL)) {
      struct shk_evaluator *e = &d.bound.observer;
      const real *q0 = d.current.q, *v0 = d.current.p;
      bool ok = shk_gradient(e, force, 0, q0, v0).code == SHK_OK;
      for (int k = 0; k < 2; k++) {
        v[k] = v0[k] - h / 2 * force[k];
        trial[k] = q0[k] + h * v[k];
      }
      const real square = trial[0] * trial[0] + trial[1] * trial[1];
      const real b = trial[0] * q0[0] + trial[1] * q0[1];
      const real a = (square - 1) / (b + real_sqrt(b * b - (square - 1)));
      for (int k = 0; k < 2; k++) {
        q1[k] = readings[i].along_old ? trial[k] - a * q0[k] : trial[k] / real_sqrt(square);
        if (readings[i].fed_back)
          v[k] = (q1[k] - q0[k]) / h;
      }
      ok = ok &&
           shk_gradient(e, force, 0, readings[i].force_at_trial ? trial : q1, v0).code == SHK_OK;
      for (int k = 0; k < 2; k++)
        v[k] -= h / 2 * force[k];
      if (readings[i].projected) {
        const real tangent = q1[0] * v[1] - q1[1] * v[0];
        v[0] = -q1[1] * tangent;
        v[1] = q1[0] * tangent;
      }
      if (ok && go_steps(&d, 1).code == SHK_OK)
        error =
            real_max(largest_difference(d.current.q, q1, 2), largest_difference(d.current.p, v, 2));
    }
    tap_ok(error <= 100 * REAL_EPSILON, "%s: one step as its formula says, to %.1f eps",
           readings[i].name, (double)(error / REAL_EPSILON));
    end_drive(&d, &outcome);
  }
}

int main(void)
{
  check_formula();
  for (size_t i = 0; i < COUNT(drifting); i++)
    check_order(drifting[i], 1);
  for (size_t i = 0; i < COUNT(unfed); i++)
    check_order(unfed[i], 0);
  check_area();
  if (SHK_PRECISION == 64)
    check_run_down();
  check_linear_solve();
  check_contract("shake-position-only", true);
  check_contract("shake-minimal-displacement", true);
  check_contract("shake-minimal-displacement(project-velocity=no)", false);
  check_contract("shake-position-only(project-velocity=no)", false);
  check_contract("verlet-projected", true);
  check_contract("verlet-projected(project-velocity=no)", false);
  check_refused("shake-position-only");
  check_refused("shake-minimal-displacement");
  check_refused("verlet-projected");
  return tap_done();
}
