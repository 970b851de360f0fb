/*
 * Penalty and Baumgarte: their forces, the frequency and the stability limit that penalty reports
 * against what runs do, convergence in the stiffness, and where Baumgarte's stabilization is unstable.
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

/* ---- the stability limit ---- */

/* Hangs at rest a little off the constrained equilibrium and tells whether ‖g‖ stays below ten
 * times its size at a small step. */
static bool is_stable(const char *integrator, real h, long steps)
{
  DRIVE d = {0};
  OUTCOME outcome = {0};
  real worst = 0, allowed = 0;
  bool ok = begin_drive(&d, &outcome, "pendulum(angle=0,rate=1e-8)", integrator, "0.01", NULL);
  const double frequency = fact("pendulum", integrator, "stiff-frequency");
  /* From the constraint itself the spring is released: |g| rises to twice its equilibrium. */
  allowed = 10 * 2 / (real)(frequency * frequency);
  d.bound.step = h;
  for (long k = 0; ok && k < steps; k++) {
    real g;
    ok = go_steps(&d, 1).code == SHK_OK &&
         shk_constraint(&d.bound.observer, &g, 0, d.current.q).code == SHK_OK;
    worst = ok ? real_max(worst, real_fabs(g)) : INFINITY;
    if (worst > allowed)
      break;
  }
  return ok && worst <= allowed;
}

/* The largest stable step in units of 2/omega, to 2⁻¹². */
static real stability(const char *integrator)
{
  const real limit = 2 / (real)fact("pendulum", integrator, "stiff-frequency");
  real low = R(0.5), high = 2;
  for (int i = 0; i < 12; i++) {
    const real middle = (low + high) / 2;
    if (is_stable(integrator, middle * limit, 20000))
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void check_limit(void)
{
  static const struct {
    const char *integrator;
    double expected, allowed;
  } cases[] = {{"penalty(stiffness=1e4)", 1, 0.01},
               {"penalty(stiffness=1e6)", 1, 0.01},
               {"penalty(stiffness=1e8)", 1, 0.01},
               {"penalty(stiffness=1e6,damping=100)", 1, 0.01}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const double found = (double)stability(cases[i].integrator);
    tap_is_near(found, cases[i].expected, cases[i].allowed,
                "%s: stable to %.4f of 2/omega from near equilibrium", cases[i].integrator, found);
  }
}

/* ---- the limit of large stiffness ---- */

static void check_stiffness(void)
{
  static const char *const stiffness[] = {"1e4", "1e6"};
  static const char *const steps[] = {"0.001", "0.0001"};
  static const long counts[] = {1600, 16000};
  STATE reference = {0};
  double errors[2] = {NAN, NAN};
  if (!tap_ok(reach(&reference, "sprung-pendulum", "reference", "1.6", "1e-12", 1),
              "the reference is found"))
    return;
  for (int i = 0; i < 2; i++) {
    struct shk_state s;
    char name[64];
    snprintf(name, sizeof name, "penalty(stiffness=%s)", stiffness[i]);
    if (reach(&s, "sprung-pendulum", name, steps[i], NULL, counts[i])) {
      errors[i] = (double)largest_difference(s.q, reference.q, s.n);
      shk_state_clear(&s);
    }
  }
  const double power = log(errors[0] / errors[1]) / log(100);
  tap_ok(power > 0.7 && power < 1.3, "the error in q falls like k^-%.2f (%.2g, %.2g)", power,
         errors[0], errors[1]);
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

/* Damping takes energy from the violation. */
static void check_damping(void)
{
  const real free = extremes_of("pendulum(angle=0.7,rate=1.1)", "penalty", "0.002", 2000).hidden;
  DRIVE d = {0};
  OUTCOME outcome = {0};
  real rate = NAN, G[2];
  if (begin_drive(&d, &outcome, "pendulum(angle=0.7,rate=1.1)", "penalty(damping=40)", "0.002",
                  NULL) &&
      go_steps(&d, 2000).code == SHK_OK &&
      shk_jacobian(&d.bound.observer, G, 0, d.current.q).code == SHK_OK)
    rate = real_fabs(G[0] * d.current.p[0] + G[1] * d.current.p[1]);
  tap_ok(rate < free / 20, "damping 40: |G v| = %.2g at the end, undamped up to %.2g", (double)rate,
         (double)free);
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

static void check_baumgarte_gain(void)
{
  const char *problem = "pendulum(angle=0.7,rate=1.1)";
  const real none = extremes_of(problem, "projection(onto=none)", "0.05", 2000).constraint;
  const real some = extremes_of(problem, "baumgarte(alpha=1,beta=1)", "0.05", 2000).constraint;
  tap_ok(some < none / 100, "alpha h = 0.05 over t = 100: max|g| = %.2g, without %.2g",
         (double)some, (double)none);
  const struct extremes zero = extremes_of(problem, "baumgarte(alpha=0,beta=0)", "0.05", 2000);
  tap_ok(zero.constraint == none, "alpha = beta = 0 is projection(onto=none), bit for bit");
}

int main(void)
{
  check_facts();
  if (SHK_PRECISION == 64)
    check_limit();
  check_stiffness();
  check_multiplier();
  check_damping();
  check_refused();
  check_baumgarte_stability();
  check_baumgarte_gain();
  return tap_done();
}
