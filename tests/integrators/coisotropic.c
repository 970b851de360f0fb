/*
 * SHAKE and RATTLE under a constraint that depends on momenta, on the sphere in phase space: the
 * exact circle, one step solved independently, the fibre identity, orders, the closed orbit on the
 * reduced sphere, and every way in which a start or a step is refused. With several constraints, what
 * is said of SHAKE alone: constant on fibres, and its local error along and across them.
 */
#include "tests/kit/driving.h"
#include "tests/kit/registered.h"

#include <shakedown/bind.h>

#include <stdlib.h>

/* ---- without potential ---- */

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

/* The exact solution solves the equations: q' = (1 + lambda) p, p' = -lambda q, by differences. */
static void check_exact(void)
{
  struct shk_drive d;
  const real h = real_pow(REAL_EPSILON, R(0.2));
  static const int at[] = {-2, -1, 1, 2};
  real q[5][2], p[5][2], lambda, worst = 1;
  if (begin(&d, "harmonic-sphere(gravity=0)", "rattle", "verlet", "0.1")) {
    const struct shk_instance *instance = &d.bound.instance;
    worst = 0;
    for (int k = 0; k < 4; k++)
      instance->exact(instance->system.context, q[k], p[k], &lambda, R(1.3) + at[k] * h);
    instance->exact(instance->system.context, q[4], p[4], &lambda, R(1.3));
    for (int i = 0; i < 2; i++) {
      const real dq = (q[0][i] - 8 * q[1][i] + 8 * q[2][i] - q[3][i]) / (12 * h);
      const real dp = (p[0][i] - 8 * p[1][i] + 8 * p[2][i] - p[3][i]) / (12 * h);
      worst = real_max(worst, real_fabs(dq - (1 + lambda) * p[4][i]));
      worst = real_max(worst, real_fabs(dp + lambda * q[4][i]));
    }
    worst = real_max(worst, real_fabs(lambda - d.bound.start.lambda[0]));
  }
  tap_ok(worst <= 100 * real_pow(REAL_EPSILON, R(0.8)),
         "the exact solution solves the equations: %.2g", (double)worst);
  shk_drive_end(&d);
}

static void check_circle(const char *flow)
{
  struct shk_drive d;
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
  shk_drive_end(&d);
}

/* One step from the start, solved here. All flows are the drift q + h p; the slide by s takes
 * q·p + h |p|²/2 to 0, which is -0.3 sin 2s + h/2 (0.5 - 0.3 cos 2s) = 0, by bisection. The point
 * reached goes along its circle to where q·p = 0 by the half angle. */
static void check_one_step(void)
{
  const real h = R(0.9), a = real_sqrt(R(0.8)), b = real_sqrt(R(0.2));
  real low = 0, high = R(0.7); /* below the fold */
  for (int pass = 0; pass < 200; pass++) {
    const real s = (low + high) / 2;
    const real value = -R(0.3) * real_sin(2 * s) + h / 2 * (R(0.5) - R(0.3) * real_cos(2 * s));
    if (value > 0)
      low = s;
    else
      high = s;
  }
  const real s = (low + high) / 2, cosine = real_cos(s), sine = real_sin(s);
  real q[2] = {a * cosine, b * sine}, p[2] = {-a * sine, b * cosine};
  for (int i = 0; i < 2; i++)
    q[i] += h * p[i];
  const real qp = q[0] * p[0] + q[1] * p[1];
  const real gap = q[0] * q[0] + q[1] * q[1] - p[0] * p[0] - p[1] * p[1];
  const real turn = real_atan2(2 * qp, gap) / 2; /* q·p cos 2r - ½ (|q|² - |p|²) sin 2r = 0 */
  struct shk_drive d;
  bool ok = begin(&d, "harmonic-sphere(gravity=0)", "rattle", "midpoint", "0.9") && advance(&d, 1);
  real worst = ok ? 0 : 1;
  for (int i = 0; ok && i < 2; i++) {
    const real q1 = q[i] * real_cos(turn) + p[i] * real_sin(turn);
    const real p1 = p[i] * real_cos(turn) - q[i] * real_sin(turn);
    worst =
        real_max(worst, real_max(real_fabs(q1 - d.current.q[i]), real_fabs(p1 - d.current.p[i])));
  }
  const real kick = h / 2;
  tap_ok(ok && worst <= 100 * REAL_EPSILON,
         "a step of 0.9 is the one solved by bisection: %.0f eps", (double)(worst / REAL_EPSILON));
  tap_ok(ok && real_fabs(d.current.lambda[0] * kick - s) <= 1000 * REAL_EPSILON,
         "lambda h/2 is the slide of the start");
  tap_ok(ok && real_fabs(d.current.mu[0] * kick - turn) <= 1000 * REAL_EPSILON,
         "mu h/2 is the slide of the end");
  shk_drive_end(&d);
}

/* From the same formula: real solutions exist up to h = 1.5. */
static void check_no_solution(void)
{
  static const char *const steps[] = {"1.49", "1.51", "4"};
  for (int i = 0; i < 3; i++) {
    struct shk_drive d;
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
    shk_drive_end(&d);
  }
}

/* ---- with potential ---- */

static void check_fibre_identity(const char *problem, const char *flow, const char *step)
{
  struct shk_drive a, b;
  bool ok = begin(&a, problem, "shake", flow, step) & begin(&b, problem, "rattle", flow, step) &&
            advance(&a, 200) && advance(&b, 200);
  const real before = ok ? difference(&a.current, &b.current) : 0;
  ok = ok &&
       shk_manifold_project(a.bound.manifold, a.current.q, a.current.p, a.current.t).code == SHK_OK;
  const real after = ok ? difference(&a.current, &b.current) / REAL_EPSILON : 0;
  tap_ok(ok && after <= 5000 && before > R(1e-4),
         "%s over %s: shake slid onto the hidden constraint is rattle: %.0f eps (before %.1g)",
         problem, flow, (double)after, (double)before);
  shk_drive_end(&a);
  shk_drive_end(&b);
}

/* Largest residuals after the first step of 100. */
static void residuals(real *g, real *hidden, const char *method, const char *flow, const char *step)
{
  struct shk_drive d;
  bool ok = begin(&d, "harmonic-sphere(quartic=0.3)", method, flow, step);
  *g = *hidden = 0;
  for (int k = 0; ok && k < 100; k++) {
    real one, other;
    ok = advance(&d, 1) &&
         shk_manifold_residuals(d.bound.manifold, &one, &other, 0, d.current.q, d.current.p).code ==
             SHK_OK;
    *g = real_max(*g, real_fabs(one));
    *hidden = real_max(*hidden, real_fabs(other));
  }
  if (!ok)
    *g = *hidden = 1;
  shk_drive_end(&d);
}

static void check_residuals(const char *flow)
{
  real g, coarse, fine, hidden;
  residuals(&g, &hidden, "rattle", flow, "0.05");
  tap_ok(g <= 20 * REAL_EPSILON && hidden <= 20 * REAL_EPSILON,
         "rattle over %s keeps both constraints: %.2g, %.2g", flow, (double)g, (double)hidden);
  residuals(&g, &coarse, "shake", flow, "0.02");
  tap_ok(g <= 20 * REAL_EPSILON, "shake over %s keeps g: %.2g", flow, (double)g);
  residuals(&g, &fine, "shake", flow, "0.01");
  tap_is_near(log2((double)(coarse / fine)), 1, 0.2, "shake's hidden residual is of order 1 in h");
}

/* Against the finest solution: order of q and p together; and forward and back. */
static real end_error(const char *flow, const char *step, long steps, const struct shk_state *exact)
{
  struct shk_drive d;
  const bool ok =
      begin(&d, "harmonic-sphere(quartic=0.3)", "rattle", flow, step) && advance(&d, steps);
  const real error = ok ? difference(&d.current, exact) : 1;
  shk_drive_end(&d);
  return error;
}

static void check_order(const char *flow, int order, const struct shk_state *exact)
{
  const real coarse = end_error(flow, "0.0125", 64, exact);
  const real fine = end_error(flow, "0.00625", 128, exact);
  tap_is_near(log2((double)(coarse / fine)), order, 0.1, "harmonic-sphere: order of rattle over %s",
              flow);
}

/* Two levels of Richardson's extrapolation of the symmetric method; error h^6. */
static bool extrapolate(struct shk_state *exact)
{
  static const char *const steps[] = {"0.003125", "0.0015625", "0.00078125"};
  struct shk_drive d[3];
  bool ok = true;
  for (int i = 0; i < 3; i++)
    ok = begin(&d[i], "harmonic-sphere(quartic=0.3)", "rattle", "midpoint", steps[i]) &&
         advance(&d[i], 256L << i) && ok;
  ok = ok && shk_state_init(exact, 2, 1);
  for (int i = 0; ok && i < 4; i++) {
    real x[3];
    for (int k = 0; k < 3; k++)
      x[k] = i < 2 ? d[k].current.q[i] : d[k].current.p[i - 2];
    const real one = (4 * x[1] - x[0]) / 3, two = (4 * x[2] - x[1]) / 3;
    *(i < 2 ? &exact->q[i] : &exact->p[i - 2]) = (16 * two - one) / 15;
  }
  for (int i = 0; i < 3; i++)
    shk_drive_end(&d[i]);
  return ok;
}

static void check_symmetry(const char *flow, bool symmetric)
{
  struct shk_drive d;
  bool ok = begin(&d, "harmonic-sphere(quartic=0.3)", "rattle", flow, "0.05") && advance(&d, 20);
  d.bound.step = -d.bound.step;
  ok = ok && advance(&d, 20);
  const real back = ok ? difference(&d.current, &d.bound.start) / REAL_EPSILON : 0;
  tap_ok(ok && (symmetric ? back <= 1000 : back > 1000000),
         "rattle over %s forward and back %s: %.3g eps", flow,
         symmetric ? "returns" : "does not return", (double)back);
  shk_drive_end(&d);
}

/* ---- SHAKE itself ---- */

static bool slide_by(struct shk_drive *d, const real *s)
{
  struct shk_fibre *fibre = NULL;
  struct shk_evaluator *const e = &d->bound.observer;
  real dq[16], dp[16];
  if (shk_bind_fibre(&fibre, &(struct shk_binding){.workspace = e->workspace, .evaluator = e})
              .code != SHK_OK ||
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
  struct shk_drive a, b, c;
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
  shk_drive_end(&a);
  shk_drive_end(&b);
  shk_drive_end(&c);
}

/* Of one step from M^H: O(h) along the fibre, O(h^(r+1)) across it, where r is the order of RATTLE, at
 * most 2 whatever the flow's. */
static void check_local_error(const char *problem, const char *flow, int order)
{
  static const char *const steps[][2] = {{"0.0125", "0.0015625"}, {"0.00625", "0.00078125"}};
  real along[2] = {1, 1}, across[2] = {1, 1};
  for (int k = 0; k < 2; k++) {
    struct shk_drive a, exact;
    char reason[256];
    bool ok = begin(&a, problem, "shake", flow, steps[k][0]) &&
              begin_at(&exact, reason, problem, "composition(scheme=kahan-li8)", steps[k][1], NULL,
                       NULL, false) == SHK_OK &&
              advance(&a, 1) && advance(&exact, 8);
    along[k] = ok ? difference(&a.current, &exact.current) : 0;
    ok = ok && shk_manifold_project(a.bound.manifold, a.current.q, a.current.p, a.current.t).code ==
                   SHK_OK;
    across[k] = ok ? difference(&a.current, &exact.current) : 0;
    shk_drive_end(&a);
    shk_drive_end(&exact);
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

#if SHK_PRECISION == 128

/* ---- the closed orbit on the reduced sphere ---- */

enum { ITERATES = 2000, NEIGHBOURS = 4 };

struct polar {
  real angle, radius;
};

static int by_angle(const void *a, const void *b)
{
  const real x = ((const struct polar *)a)->angle, y = ((const struct polar *)b)->angle;
  return (x > y) - (x < y);
}

/* The radius at the angle of point k by interpolation from four points on either side. */
static real interpolate(const struct polar *points, int k)
{
  real x[2 * NEIGHBOURS], y[2 * NEIGHBOURS], sum = 0;
  for (int i = 0; i < 2 * NEIGHBOURS; i++) {
    const int at = k + (i < NEIGHBOURS ? i - NEIGHBOURS : i - NEIGHBOURS + 1);
    const int wrapped = (at + ITERATES) % ITERATES;
    x[i] = points[wrapped].angle + (at < 0 ? -2 * REAL_PI : at >= ITERATES ? 2 * REAL_PI : 0);
    y[i] = points[wrapped].radius;
  }
  for (int i = 0; i < 2 * NEIGHBOURS; i++) {
    real product = y[i];
    for (int j = 0; j < 2 * NEIGHBOURS; j++)
      if (j != i)
        product *= (points[k].angle - x[j]) / (x[i] - x[j]);
    sum += product;
  }
  return sum;
}

/* Hopf's map of (q,p), over its length; then a plane chart around `axis` by the orthonormal e, f.
 */
static void hopf(real *out, const struct shk_state *s)
{
  const real *q = s->q, *p = s->p;
  out[0] = 2 * (q[0] * q[1] + p[0] * p[1]);
  out[1] = 2 * (p[0] * q[1] - q[0] * p[1]);
  out[2] = q[0] * q[0] + p[0] * p[0] - q[1] * q[1] - p[1] * p[1];
  const real size = real_sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
  for (int i = 0; i < 3; i++)
    out[i] /= size;
}

/* The iterates of the symplectic map lie on one smooth curve: each follows from its neighbours. */
static void check_orbit(const char *start, const char *method)
{
  static real points[ITERATES][3];
  static struct polar curve[ITERATES];
  char problem[DRIVING_TEXT];
  struct shk_drive d;
  snprintf(problem, sizeof problem, "harmonic-sphere(start=%s)", start);
  bool ok = begin(&d, problem, method, "midpoint", "0.1");
  real mean[3] = {0};
  for (int k = 0; ok && k < ITERATES; k++) {
    ok = advance(&d, 1);
    hopf(points[k], &d.current);
    for (int i = 0; i < 3; i++)
      mean[i] += points[k][i] / ITERATES;
  }
  shk_drive_end(&d);
  /* e and f orthogonal to the mean; radius and angle in their plane. */
  const real length = real_sqrt(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]);
  real axis[3], e[3], f[3];
  for (int i = 0; i < 3; i++)
    axis[i] = mean[i] / length;
  const int least = real_fabs(axis[0]) < R(0.6) ? 0 : 1;
  real size = 0;
  for (int i = 0; i < 3; i++) {
    e[i] = (i == least) - axis[least] * axis[i];
    size += e[i] * e[i];
  }
  for (int i = 0; i < 3; i++)
    e[i] /= real_sqrt(size);
  for (int i = 0; i < 3; i++)
    f[i] = axis[(i + 1) % 3] * e[(i + 2) % 3] - axis[(i + 2) % 3] * e[(i + 1) % 3];
  for (int k = 0; k < ITERATES; k++) {
    real x = 0, y = 0;
    for (int i = 0; i < 3; i++) {
      x += e[i] * points[k][i];
      y += f[i] * points[k][i];
    }
    curve[k] = (struct polar){real_atan2(y, x), real_sqrt(x * x + y * y)};
  }
  qsort(curve, ITERATES, sizeof curve[0], by_angle);
  real worst = 0, span = 0, gap = 0;
  for (int k = 0; ok && k < ITERATES; k++) {
    const real error = real_fabs(interpolate(curve, k) - curve[k].radius);
    worst = error <= worst ? worst : error;
    span = real_max(span, real_fabs(curve[k].radius - curve[0].radius));
    if (k > 0)
      gap = real_max(gap, curve[k].angle - curve[k - 1].angle);
  }
  tap_ok(ok && worst <= R(1e-10) && span > R(1e-4) && gap < R(0.1),
         "%s from %s: 2000 iterates lie on one smooth closed curve to %.1g (radius varies by %.1g)",
         method, start, (double)worst, (double)span);
}

#endif

/* ---- refusals ---- */

static void check_start(const char *problem, const char *integrator, const char *q, const char *p,
                        bool project, enum shk_code expected, const char *word)
{
  struct shk_drive d;
  char reason[256];
  const enum shk_code code = begin_at(&d, reason, problem, integrator, "0.1", q, p, project);
  tap_ok(code == expected && strstr(reason, word), "%s on %s from q = %s, p = %s: %s%s%s",
         integrator, problem, q ? q : "its own", p ? p : "its own", shk_code_name(code),
         reason[0] != '\0' ? ": " : "", reason);
  shk_drive_end(&d);
}

/* A start beside a sphere whose gradients have not length one is moved onto it, in both constraints. */
static void check_moved(void)
{
  struct shk_drive d;
  char reason[256];
  const bool ok = begin_at(&d, reason, "harmonic-sphere(radius2=4,gravity=0)",
                           "rattle(flow=midpoint)", "0.01", "1.9,0.2", "0.3,0.1", true) == SHK_OK;
  const real *q = d.current.q, *p = d.current.p;
  const real size = ok ? q[0] * q[0] + q[1] * q[1] + p[0] * p[0] + p[1] * p[1] : 0;
  tap_ok(ok && real_fabs(size - 4) < 40 * REAL_EPSILON &&
             real_fabs(q[0] * p[0] + q[1] * p[1]) < 40 * REAL_EPSILON,
         "a start beside a sphere of radius 2 is moved onto it %s", reason);
  shk_drive_end(&d);
}

/* Along a solution whose energy is above E* = ½(ρ + γ² - r²), r = (3γ + √(γ² + 8ρ))/4: N reaches
 * zero. */
static void check_impasse(const char *method)
{
  struct shk_drive d;
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
  shk_drive_end(&d);
}

/* A step so long that a solution is found, but on the other side of a fold. */
static void check_fold(void)
{
  struct shk_drive d;
  char text[256];
  const bool ok = begin(&d, "harmonic-sphere(start=zb)", "rattle", "midpoint", "1.5");
  const struct shk_status status =
      ok ? d.bound.integrator->step(d.bound.method, &d.next, &d.current, d.bound.step) : shk_ok();
  shk_status_text(text, sizeof text, status);
  tap_ok(status.code == SHK_SINGULAR && strstr(text, "fold") &&
             difference(&d.current, &d.bound.start) == 0,
         "a step across a fold: %s", text);
  shk_drive_end(&d);
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

static void check_flow(const char *flow, const struct shk_state *exact)
{
  const bool euler = strncmp(flow, "symplectic", 10) == 0;
  const bool symmetric = !euler && strcmp(flow, "one-step") != 0;
  check_circle(flow);
  check_fibre_identity("harmonic-sphere", flow, "0.1");
  check_fibre_identity("harmonic-sphere(quartic=0.3,start=zb)", flow, "0.05");
  check_residuals(flow);
  check_order(flow, euler ? 1 : 2, exact);
  check_symmetry(flow, symmetric);
}

int main(void)
{
  check_exact();
  check_one_step();
  check_no_solution();
  check_moved();
  struct shk_state exact;
  if (!tap_ok(extrapolate(&exact), "a finer solution"))
    return tap_done();
  const char *flow;
  for (int i = 0; (flow = next_choice(&i, "flow", NULL)) != NULL;)
    check_flow(flow, &exact);
  check_flow("gauss(stages=3)", &exact);
  shk_state_clear(&exact);
  check_shake();
#if SHK_PRECISION == 128
  check_orbit("za", "rattle");
  check_orbit("zb", "rattle");
  check_orbit("zc", "rattle");
  check_orbit("zc", "shake");
#endif
  check_refusals();
  return tap_done();
}
