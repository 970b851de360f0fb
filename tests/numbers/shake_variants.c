/*
 * The readings of SHAKE that are not SHAKE: a step of each is its formula. That they run down is a
 * verdict of tests/verdicts/claims_of_the_sources.py.
 */
#include "tests/kit/stepping.h"

#define PENDULUM "pendulum(angle=0.7,rate=1.1)"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

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
    DRIVE d = {0};
    OUTCOME outcome = {0};
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
  }
}

int main(void)
{
  check_formula();
  check_linear_solve();
  return tap_done();
}
