/*
 * Penalty and Baumgarte: the multiplier of a penalty, the frequency and the stability limit that it
 * reports, and where Baumgarte's stabilization is unstable.
 */
#include "tests/kit/stepping.h"

/* A fact that the method reports at the start; NaN without it. */
static double fact(const char *problem, const char *integrator, const char *name)
{
  DRIVE d = {0};
  OUTCOME outcome = {0};
  double value = NAN;
  if (begin_drive(&d, &outcome, problem, integrator, "0.01", NULL)) {
    struct shk_fact facts[8];
    const int count = d.bound.integrator->facts(d.bound.method, facts, 8, &d.current);
    for (int i = 0; i < count; i++)
      if (strcmp(facts[i].name, name) == 0)
        value = facts[i].value;
  }
  return value;
}

static void check_facts(void)
{
  /* One link of mass m: A = L²/m. Two equal ones in line: A = [1 -1; -1 2], of which the larger
   * eigenvalue is (3 + √5)/2. */
  const double one = fact("pendulum(length=2,mass=3)", "penalty(stiffness=1e6)", "stiff-frequency");
  tap_is_near(one, sqrt(1e6 * 4 / 3), 1e-9 * one, "one link: omega = sqrt(k L²/m)");
  const double limit =
      fact("pendulum(length=2,mass=3)", "penalty(stiffness=1e6)", "stability-limit");
  tap_is_near(limit, 2 / one, 1e-12, "the limit is 2/omega");
  const double two = fact("double-pendulum(angle1=0,angle2=0)", "penalty", "stiff-frequency");
  tap_is_near(two, sqrt(1e4 * (3 + sqrt(5)) / 2), 1e-5 * two, "two links in line: golden ratio");
  tap_ok(isnan(fact("pendulum", "penalty(base=rk4)", "stability-limit")),
         "no limit is reported over another base");
  const double general = fact("charged-pendulum", "penalty(base=rk4)", "stiff-frequency");
  tap_ok(general > 0 && isfinite(general), "a general Hamiltonian has a frequency: %g", general);
}

/* lambda is what the spring exerts: k g, and the damper's share. */
static void check_multiplier(void)
{
  DRIVE d = {0};
  OUTCOME outcome = {0};
  real g = NAN, G[2], rate = NAN, wrong = INFINITY, damped = 0;
  if (begin_drive(&d, &outcome, "pendulum(angle=0.7,rate=1.1)", "penalty(stiffness=100,damping=3)",
                  "0.01", NULL) &&
      go_steps(&d, 5).code == SHK_OK && shk_drive_step(&d, R(0.06)).code == SHK_OK &&
      shk_constraint(&d.bound.observer, &g, 0, d.next.q).code == SHK_OK &&
      shk_jacobian(&d.bound.observer, G, 0, d.next.q).code == SHK_OK) {
    /* The second half kick: p1 = p½ + h/2 (0,-1) - h/2 Gᵀ mu; mu = k g + c G p½. */
    const real half = R(0.005), gravity[2] = {0, 1};
    rate = 0;
    for (int i = 0; i < 2; i++)
      rate += G[i] * (d.next.p[i] + half * (gravity[i] + G[i] * d.next.mu[0]));
    wrong = real_fabs(d.next.mu[0] - (100 * g + 3 * rate));
    damped = real_fabs(3 * rate);
  }
  tap_ok(wrong <= 1000 * REAL_EPSILON && damped > R(1e-3),
         "mu = k g + c G v½ to %.2g (c G v½ %.2g)", (double)wrong, (double)damped);
}

static void check_refused(void)
{
  DRIVE d = {0};
  OUTCOME outcome = {0};
  tap_ok(!begin_drive(&d, &outcome, "charged-pendulum", "penalty", "0.1", NULL) &&
             outcome.code == SHK_REFUSED && strstr(outcome.reason, "other bases"),
         "penalty over Verlet on a general Hamiltonian is refused: %s", outcome.reason);
  tap_ok(extremes_of("charged-pendulum", "penalty(base=rk4)", "0.002", 50).constraint < R(1e-3),
         "over rk4 it runs");
}

/* ---- Baumgarte ---- */

/* g'' + 2 alpha g' + beta² g = 0 with alpha = beta: RK4 is stable for alpha h below about 2.8 (the
 * linear test equation with a double eigenvalue -alpha), and somewhat less for the whole system. */
static void check_baumgarte_stability(void)
{
  static const struct {
    const char *integrator;
    bool stable;
  } cases[] = {{"baumgarte(alpha=20,beta=20)", true}, {"baumgarte(alpha=35,beta=35)", false}};
  for (int i = 0; i < 2; i++) { /* h = 0.1: alpha h = 2 and 3.5 */
    const real g =
        extremes_of("pendulum(angle=0.7,rate=1.1)", cases[i].integrator, "0.1", 200).constraint;
    tap_ok(cases[i].stable ? g < R(0.1) : !(g < 1), "%s at h = 0.1: max|g| = %.2g",
           cases[i].integrator, (double)g);
  }
}

int main(void)
{
  check_facts();
  check_multiplier();
  check_refused();
  check_baumgarte_stability();
  return tap_done();
}
