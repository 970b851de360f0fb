/*
 * SHAKE and RATTLE under a constraint that depends on momenta, on the sphere in phase space: the
 * exact circle, and every way in which a start or a step is refused. With several constraints, what
 * is said of SHAKE alone: constant on fibres, and its local error along and across them.
 */
#include "tests/kit/driving.h"
#include "tests/kit/registered.h"

#include <shakedown/bind.h>

/* Distance of (q,p) from the circle of (R q0, R p0), R any rotation: that of (q,p) from R(θ)(q0,p0)
 * with the θ of q. The start is q0 = (a,0), p0 = (0,b). */
static real off_circle(const struct shk_state *s)
{
  const real a = real_sqrt(R(0.8)), b = real_sqrt(R(0.2));
  const real angle = real_atan2(s->q[1], s->q[0]);
  const real cosine = real_cos(angle), sine = real_sin(angle);
  real worst = real_fabs(s->q[0] - a * cosine);
  worst = real_max(worst, real_fabs(s->q[1] - a * sine));
  worst = real_max(worst, real_fabs(s->p[0] + b * sine));
  return real_max(worst, real_fabs(s->p[1] - b * cosine));
}

static void check_circle(const char *flow)
{
  DRIVE d = {0};
  const real limit = SHK_PRECISION == 64 ? R(1e-13) : R(1e-30);
  real worst = 0;
  bool ok = begin(&d, "harmonic-sphere(gravity=0,start=half)", "rattle", flow, "0.1");
  for (int k = 0; ok && k < 1000; k++) {
    ok = advance(&d, 1);
    worst = real_max(worst, off_circle(&d.current));
  }
  const real turned = ok ? real_atan2(d.current.q[1], d.current.q[0]) : 0;
  tap_ok(ok && worst <= limit, "rattle over %s stays on the exact circle: %.2g after 1000 steps",
         flow, (double)worst);
  tap_ok(real_fabs(turned) > R(1e-3), "and it has moved");
}

/* All flows are the drift q + h p; the slide by s takes q·p + h |p|²/2 to 0, which is
 * -0.3 sin 2s + h/2 (0.5 - 0.3 cos 2s) = 0: real solutions exist up to h = 1.5. */
static void check_no_solution(void)
{
  static const char *const steps[] = {"1.49", "1.51", "4"};
  for (int i = 0; i < 3; i++) {
    DRIVE d = {0};
    char text[256];
    const bool ok = begin(&d, "harmonic-sphere(gravity=0)", "rattle", "midpoint", steps[i]);
    const struct shk_status status =
        ok ? d.bound.integrator->step(d.bound.method, &d.next, &d.current, d.bound.step) : shk_ok();
    shk_status_text(text, sizeof text, status);
    if (i == 0)
      tap_ok(ok && status.code == SHK_OK, "h = %s has a real solution", steps[i]);
    else
      tap_ok(status.code == SHK_NOT_CONVERGED && strstr(text, "no real solution") &&
                 difference(&d.current, &d.bound.start) == 0,
             "h = %s stops, the state stays: %s", steps[i], text);
  }
}

/* ---- SHAKE itself ---- */

static bool slide_by(struct shk_drive *d, const real *s)
{
  struct shk_fibre *fibre = NULL;
  struct shk_evaluator *const e = &d->bound.observer;
  real dq[16], dp[16];
  if (shk_bind_fibre(&fibre, BINDING_OF(e)).code != SHK_OK ||
      shk_fibre_slide(fibre, dq, dp, 0, d->current.q, d->current.p, s).code != SHK_OK)
    return false;
  for (int i = 0; i < d->current.n; i++) {
    d->current.q[i] += dq[i];
    d->current.p[i] += dp[i];
  }
  return true;
}

/* S_h(exp(s) z) = S_h(z): where on the fibre a step begins does not matter. At Gamma(z), s the slide of
 * the step itself, the slide that is left is zero: Gamma ∘ Gamma = Gamma. */
static void check_constant_on_fibres(const char *problem, const char *flow)
{
  static const real elsewhere[3] = {R(0.04), R(-0.03), R(0.02)};
  const real half = R(0.05);
  DRIVE a = {0}, b = {0}, c = {0};
  real slide[3], left = 1;
  bool ok = begin(&a, problem, "shake", flow, "0.1") & begin(&b, problem, "shake", flow, "0.1") &
            begin(&c, problem, "shake", flow, "0.1");
  ok = ok && slide_by(&b, elsewhere) && advance(&a, 1) && advance(&b, 1);
  for (int i = 0; ok && i < a.current.m; i++)
    slide[i] = half * a.current.lambda[i];
  ok = ok && slide_by(&c, slide) && advance(&c, 1);
  for (int i = 0; ok && i < c.current.m; i++)
    left = real_max(i == 0 ? 0 : left, half * real_fabs(c.current.lambda[i]));
  const real off = ok ? difference(&a.current, &b.current) / REAL_EPSILON : 0;
  const real same = ok ? difference(&a.current, &c.current) / REAL_EPSILON : 0;
  tap_ok(ok && off <= 1000 && real_fabs(slide[0]) > R(1e-4),
         "%s over %s: shake takes a fibre to a point: %.0f eps", problem, flow, (double)off);
  /* A slide is found to the rounding of g over h N. */
  tap_ok(ok && same <= 1000 && left <= 1000 * REAL_EPSILON,
         "%s over %s: from Gamma(z) the slide is zero: %.0f eps", problem, flow,
         (double)(left / REAL_EPSILON));
}

/* Of one step from M^H: O(h) along the fibre, O(h^(r+1)) across it, where r is the order of RATTLE, at
 * most 2 whatever the flow's. */
static void check_local_error(const char *problem, const char *flow, int order)
{
  static const char *const steps[][2] = {{"0.0125", "0.0015625"}, {"0.00625", "0.00078125"}};
  real along[2] = {1, 1}, across[2] = {1, 1};
  for (int k = 0; k < 2; k++) {
    DRIVE a = {0}, exact = {0};
    bool ok = begin(&a, problem, "shake", flow, steps[k][0]) &&
              begin_own(&exact, problem, "composition(scheme=kahan-li8)", steps[k][1]) &&
              advance(&a, 1) && advance(&exact, 8);
    along[k] = ok ? difference(&a.current, &exact.current) : 0;
    ok = ok && shk_manifold_project(a.bound.manifold, a.current.q, a.current.p, a.current.t).code ==
                   SHK_OK;
    across[k] = ok ? difference(&a.current, &exact.current) : 0;
  }
  tap_is_near(log2((double)(along[0] / along[1])), 1, 0.25, "%s over %s: local error of shake",
              problem, flow);
  tap_is_near(log2((double)(across[0] / across[1])), order + 1, 0.25,
              "%s over %s: ... across fibres", problem, flow);
}

static void check_shake(void)
{
  static const char *const problems[] = {"coupled-spheres", "zero-angular-momentum",
                                         "lifted-rotation"};
  for (int i = 0; i < 3; i++) {
    check_constant_on_fibres(problems[i], "verlet");
    check_constant_on_fibres(problems[i], "gauss(stages=3)");
    check_local_error(problems[i], "midpoint", 2);
    check_local_error(problems[i], "gauss(stages=3)", 2);
    check_local_error(problems[i], "symplectic-euler", 1);
    check_local_error(problems[i], "one-step(rk4)", 2);
    check_local_error(problems[i], "one-step(euler)", 1);
  }
}

/* ---- refusals ---- */

static void check_start(const char *problem, const char *integrator, const char *q, const char *p,
                        bool project, enum shk_code expected, const char *word)
{
  DRIVE d = {0};
  char reason[256];
  const enum shk_code code = begin_at(&d, reason, problem, integrator, "0.1", q, p, project);
  tap_ok(code == expected && strstr(reason, word), "%s on %s from q = %s, p = %s: %s%s%s",
         integrator, problem, q ? q : "its own", p ? p : "its own", shk_code_name(code),
         reason[0] != '\0' ? ": " : "", reason);
}

/* A start beside a sphere whose gradients have not length one is moved onto it, in both constraints. */
static void check_moved(void)
{
  DRIVE d = {0};
  char reason[256];
  const bool ok = begin_at(&d, reason, "harmonic-sphere(radius2=4,gravity=0)",
                           "rattle(flow=midpoint)", "0.01", "1.9,0.2", "0.3,0.1", true) == SHK_OK;
  const real *q = d.current.q, *p = d.current.p;
  const real size = ok ? q[0] * q[0] + q[1] * q[1] + p[0] * p[0] + p[1] * p[1] : 0;
  tap_ok(ok && real_fabs(size - 4) < 40 * REAL_EPSILON &&
             real_fabs(q[0] * p[0] + q[1] * p[1]) < 40 * REAL_EPSILON,
         "a start beside a sphere of radius 2 is moved onto it %s", reason);
}

/* Along a solution whose energy is above E* = ½(ρ + γ² - r²), r = (3γ + √(γ² + 8ρ))/4: N reaches
 * zero. */
static void check_impasse(const char *method)
{
  DRIVE d = {0};
  char reason[256], text[256] = "";
  bool ok = begin_at(&d, reason, "harmonic-sphere", method, "0.01", "0.9,0.1", "0.05,0.35", true) ==
            SHK_OK;
  struct shk_status status = shk_ok();
  real N = 0, energy = 0;
  if (ok) {
    const real *q = d.current.q, *p = d.current.p;
    energy = (p[0] * p[0] + p[1] * p[1]) / 2 + q[1];
    for (int k = 0; k < 3000 && status.code == SHK_OK; k++) {
      N = d.current.q[0] * d.current.q[0] + d.current.q[1] * d.current.q[1] -
          d.current.p[0] * d.current.p[0] - d.current.p[1] * d.current.p[1] - d.current.q[1];
      status = shk_drive_step(&d, d.current.t + d.bound.step);
      if (status.code == SHK_OK)
        shk_drive_accept(&d);
    }
    shk_status_text(text, sizeof text, status);
  } else {
    tap_diag("%s", reason);
  }
  tap_ok(ok && (status.code == SHK_NOT_CONVERGED || status.code == SHK_SINGULAR),
         "%s above the critical energy (%.3g) stops at N = %.2g: %s", method, (double)energy,
         (double)N, text);
}

/* A step so long that a solution is found, but on the other side of a fold. */
static void check_fold(void)
{
  DRIVE d = {0};
  char text[256];
  const bool ok = begin(&d, "harmonic-sphere(start=zb)", "rattle", "midpoint", "1.5");
  const struct shk_status status =
      ok ? d.bound.integrator->step(d.bound.method, &d.next, &d.current, d.bound.step) : shk_ok();
  shk_status_text(text, sizeof text, status);
  tap_ok(status.code == SHK_SINGULAR && strstr(text, "fold") &&
             difference(&d.current, &d.bound.start) == 0,
         "a step across a fold: %s", text);
}

static void check_refusals(void)
{
  const char *free_motion = "harmonic-sphere(gravity=0)";
  check_start(free_motion, "rattle", "0.5,0", "0,0.5", false, SHK_REFUSED, "nondegeneracy");
  check_start(free_motion, "rattle", "0.9,0", "0,0.3", false, SHK_OK, ""); /* its own level */
  check_start("harmonic-sphere(gravity=0,radius2=1)", "rattle", "0.9,0", "0,0.3", false,
              SHK_INCONSISTENT, "max|g|");
  check_start(free_motion, "rattle", "0.9,0", "0.1,0.3", false, SHK_INCONSISTENT, "{g,H}");
  check_start(free_motion, "rattle", "0.9,0", "0.1,0.3", true, SHK_OK, "");
  check_start(free_motion, "rattle(linear=cholesky)", NULL, NULL, false, SHK_REFUSED, "lu");
  check_start(free_motion, "reference", NULL, NULL, false, SHK_OK, "");
  check_start(free_motion, "symplectic-euler-rattle", NULL, NULL, false, SHK_REFUSED, "momenta");
  check_fold();
  check_impasse("rattle");
  check_impasse("shake");
}

int main(void)
{
  check_no_solution();
  check_moved();
  const char *flow;
  for (int i = 0; (flow = next_choice(&i, "flow", NULL)) != NULL;)
    check_circle(flow);
  check_circle("gauss(stages=3)");
  check_shake();
  check_refusals();
  return tap_done();
}
