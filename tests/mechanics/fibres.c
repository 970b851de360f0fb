/*
 * Fibres of constraints g(q,p): brackets against differences, fibres integrated against exact ones,
 * SHAKE and RATTLE with two commuting constraints on a system of this test's own, and two that do
 * not commute, which are refused.
 */
#include "mechanics/system/fibre.h"
#include "tests/kit/driving.h"

/*     H = ½|p|² + (3 q1⁴ + 2 q2⁴ + q3⁴)/4 + q3
 *     g1 = ½ (|q|² + |p|² - ρ),   g2 = q1 p2 - q2 p1 - c
 *
 * {g1,g2} = 0. `crossed`: g2 = q1 p3 - c, which does not commute with g1. */
struct pair {
  real rho, c;
  bool crossed;
};

static const real unit[3] = {1, 1, 1}, weights[3] = {3, 2, 1};

static int pair_potential(const void *context, real *value, real t, const real *q)
{
  *value = q[2];
  for (int i = 0; i < 3; i++)
    *value += weights[i] * q[i] * q[i] * q[i] * q[i] / 4;
  return 0;
}

static int pair_gradient(const void *context, real *out, real t, const real *q)
{
  for (int i = 0; i < 3; i++)
    out[i] = weights[i] * q[i] * q[i] * q[i] + (i == 2);
  return 0;
}

static int pair_hessian(const void *context, real *out, real t, const real *q, const real *p)
{
  memset(out, 0, 36 * sizeof *out);
  for (int i = 0; i < 3; i++) {
    out[7 * i] = 3 * weights[i] * q[i] * q[i];
    out[21 + 7 * i] = 1;
  }
  return 0;
}

static int pair_constraint(const void *context, real *g, real t, const real *q, const real *p)
{
  const struct pair *s = context;
  g[0] = -s->rho / 2;
  for (int i = 0; i < 3; i++)
    g[0] += (q[i] * q[i] + p[i] * p[i]) / 2;
  g[1] = (s->crossed ? q[0] * p[2] : q[0] * p[1] - q[1] * p[0]) - s->c;
  return 0;
}

static int pair_gradients(const void *context, real *g_q, real *g_p, real t, const real *q,
                          const real *p)
{
  const struct pair *s = context;
  memset(g_q, 0, 6 * sizeof *g_q);
  memset(g_p, 0, 6 * sizeof *g_p);
  memcpy(g_q, q, 3 * sizeof *q);
  memcpy(g_p, p, 3 * sizeof *p);
  if (s->crossed) {
    g_q[3] = p[2];
    g_p[5] = q[0];
  } else {
    g_q[3] = p[1];
    g_q[4] = -p[0];
    g_p[3] = -q[1];
    g_p[4] = q[0];
  }
  return 0;
}

static int pair_second(const void *context, real *out, real t, const real *q, const real *p,
                       const real *w)
{
  const struct pair *s = context;
  memset(out, 0, 12 * sizeof *out);
  memcpy(out, w, 6 * sizeof *w);
  real *second = out + 6;
  if (s->crossed) {
    second[0] = w[5];
    second[5] = w[0];
  } else {
    second[0] = w[4];
    second[1] = -w[3];
    second[3] = -w[1];
    second[4] = w[0];
  }
  return 0;
}

static int pair_fibre(const void *context, real *dq, real *dp, const real *q, const real *p,
                      const real *s)
{
  /* e^(-is1) on (q,p), then the rotation of the first two by s2: they commute. */
  const real c1 = real_cos(s[0]), s1 = real_sin(s[0]), c2 = real_cos(s[1]), s2 = real_sin(s[1]);
  real x[3], y[3];
  for (int i = 0; i < 3; i++) {
    x[i] = c1 * q[i] + s1 * p[i];
    y[i] = c1 * p[i] - s1 * q[i];
  }
  dq[0] = c2 * x[0] - s2 * x[1] - q[0];
  dq[1] = s2 * x[0] + c2 * x[1] - q[1];
  dq[2] = x[2] - q[2];
  dp[0] = c2 * y[0] - s2 * y[1] - p[0];
  dp[1] = s2 * y[0] + c2 * y[1] - p[1];
  dp[2] = y[2] - p[2];
  return 0;
}

static struct shk_system pair_system(const struct pair *s)
{
  return (struct shk_system){.struct_size = sizeof(struct shk_system),
                             .n = 3,
                             .m = 2,
                             .features = SHK_MOMENTUM_CONSTRAINT,
                             .context = s,
                             .mass = unit,
                             .potential = pair_potential,
                             .gradient = pair_gradient,
                             .hessian = pair_hessian,
                             .constraint_qp = pair_constraint,
                             .constraint_gradients = pair_gradients,
                             .constraint_second = pair_second};
}

static const real pair_q[3] = {R(0.9), R(-0.5), R(0.4)}, pair_p[3] = {R(0.2), R(0.3), R(-0.1)};

/* N and {psi,H} against differences along the fibre and along X_H. */
static void check_brackets(struct shk_fibre *fibre, struct shk_fibre_flow *flow)
{
  const real d = real_pow(REAL_EPSILON, R(0.2));
  real N[4], drift[2], psi[4][2], g[2], worst = 0, along = 0;
  shk_fibre_matrix(fibre, N, drift, 0, pair_q, pair_p);
  for (int direction = 0; direction < 3; direction++) {
    static const int at[] = {-2, -1, 1, 2};
    for (int k = 0; k < 4; k++) {
      real q[3], p[3], dq[3], dp[3], s[2] = {0}, force[3];
      if (direction < 2) {
        s[direction] = at[k] * d;
        shk_fibre_flow_integrate(flow, dq, dp, 0, pair_q, pair_p, s);
      } else {
        pair_gradient(NULL, force, 0, pair_q);
        for (int i = 0; i < 3; i++) {
          dq[i] = at[k] * d * pair_p[i];
          dp[i] = -at[k] * d * force[i];
        }
      }
      for (int i = 0; i < 3; i++) {
        q[i] = pair_q[i] + dq[i];
        p[i] = pair_p[i] + dp[i];
      }
      shk_fibre_residuals(fibre, g, psi[k], NULL, 0, q, p);
    }
    for (int i = 0; i < 2; i++) {
      const real slope = (psi[0][i] - 8 * psi[1][i] + 8 * psi[2][i] - psi[3][i]) / (12 * d);
      if (direction < 2)
        worst = real_max(worst, real_fabs(slope + N[2 * i + direction]));
      else
        along = real_max(along, real_fabs(slope - drift[i]));
    }
  }
  const real limit = 100 * real_pow(REAL_EPSILON, R(0.8));
  tap_ok(worst <= limit, "N is minus the slope of psi along the fibres: %.2g", (double)worst);
  tap_ok(along <= limit, "{psi,H} is its slope along the motion: %.2g", (double)along);
  tap_ok(real_fabs(N[1]) > R(1e-3), "and the two constraints are coupled");
}

static void check_integrated(struct shk_fibre_flow *flow)
{
  static const real lengths[][2] = {{R(0.001), R(-0.002)}, {R(0.3), R(0.2)}, {R(-2.0), R(5.0)}};
  for (int k = 0; k < 3; k++) {
    real a[6], b[6], worst = 0, size = 0;
    pair_fibre(NULL, a, a + 3, pair_q, pair_p, lengths[k]);
    const struct shk_status status =
        shk_fibre_flow_integrate(flow, b, b + 3, 0, pair_q, pair_p, lengths[k]);
    for (int i = 0; i < 6; i++) {
      worst = real_max(worst, real_fabs(a[i] - b[i]));
      size = real_max(size, real_fabs(b[i]));
    }
    tap_ok(status.code == SHK_OK && worst <= 32 * REAL_EPSILON && size > R(1e-4),
           "the fibre integrated over (%.3g, %.3g) is the exact one: %.1f eps",
           (double)lengths[k][0], (double)lengths[k][1], (double)(worst / REAL_EPSILON));
  }
}

/* Steps of the registered method on a system of our own. */
static bool drive_pair(struct shk_state *end, const struct pair *s, bool with_fibre,
                       const char *method, const char *flow, real h, int steps)
{
  struct shk_drive d; /* lends the options and the integrator */
  struct shk_system system = pair_system(s);
  struct shk_instance instance = {.struct_size = sizeof instance, .system = system};
  struct shk_evaluator evaluator;
  struct shk_manifold *manifold = NULL;
  struct shk_state from, to;
  void *w = NULL;
  if (with_fibre)
    instance.system.fibre = pair_fibre;
  bool ok = begin(&d, "harmonic-sphere", method, flow, "0.1");
  ok = shk_evaluator_init(&evaluator, &instance.system).code == SHK_OK && ok;
  ok = shk_state_init(&from, 3, 2) & shk_state_init(&to, 3, 2) && ok;
  ok = ok && shk_bind_manifold(&manifold, &(struct shk_binding){.workspace = evaluator.workspace,
                                                                .evaluator = &evaluator})
                     .code == SHK_OK;
  const struct shk_binding binding = {.struct_size = sizeof binding,
                                      .instance = &instance,
                                      .evaluator = &evaluator,
                                      .options = d.bound.options};
  ok = ok && shk_method_create(&w, d.bound.integrator, &binding).code == SHK_OK;
  memcpy(from.q, pair_q, sizeof pair_q);
  memcpy(from.p, pair_p, sizeof pair_p);
  ok = ok && shk_manifold_project(manifold, from.q, from.p, 0).code == SHK_OK &&
       shk_exact_multiplier(manifold, from.lambda, 0, from.q, from.p).code == SHK_OK;
  for (int k = 0; ok && k < steps; k++) {
    const struct shk_status status = d.bound.integrator->step(w, &to, &from, h);
    ok = status.code == SHK_OK;
    if (!ok) {
      char text[256];
      tap_diag("step %d: %s", k, shk_status_text(text, sizeof text, status));
    }
    to.t = from.t + h;
    shk_state_copy(&from, &to);
  }
  /* The last state slid onto the hidden constraint, for shake. */
  real g[2], psi[2];
  ok = ok && shk_manifold_residuals(manifold, g, psi, 0, from.q, from.p).code == SHK_OK;
  if (ok && strcmp(method, "rattle") == 0)
    ok = real_max_norm(g, 2) <= 50 * REAL_EPSILON && real_max_norm(psi, 2) <= 50 * REAL_EPSILON;
  ok = ok && shk_manifold_project(manifold, from.q, from.p, 0).code == SHK_OK;
  shk_method_destroy(w);
  shk_evaluator_clear(&evaluator);
  shk_drive_end(&d);
  shk_state_clear(&to);
  *end = from;
  return ok;
}

static void check_pair(void)
{
  const struct pair s = {.rho = R(1.36), .c = R(0.37), .crossed = false};
  const struct shk_system system = pair_system(&s);
  struct shk_evaluator evaluator;
  struct shk_fibre *fibre = NULL;
  struct shk_fibre_flow *flow = NULL;
  struct shk_regularity regularity;
  if (shk_evaluator_init(&evaluator, &system).code != SHK_OK ||
      shk_bind_fibre(
          &fibre, &(struct shk_binding){.workspace = evaluator.workspace, .evaluator = &evaluator})
              .code != SHK_OK ||
      shk_fibre_flow_create(&flow, evaluator.workspace, &evaluator).code != SHK_OK)
    abort();
  check_brackets(fibre, flow);
  check_integrated(flow);
  const struct shk_status judged = shk_fibre_regularity(fibre, &regularity, 0, pair_q, pair_p);
  tap_ok(judged.code == SHK_OK && shk_regularity_fault(&regularity, SHK_REFUSED).code == SHK_OK &&
             regularity.bracket <= 10 * REAL_EPSILON,
         "two commuting constraints are regular: eigenvalues %.3g to %.3g, bracket %.1g",
         (double)regularity.least, (double)regularity.largest, (double)regularity.bracket);
  tap_ok(regularity.cancellation >= regularity.largest / 2,
         "the terms of their eigenvalues are as large: %.3g", (double)regularity.cancellation);
  shk_evaluator_clear(&evaluator);

  struct shk_state integrated, exact, slid, half, quarter;
  bool ok = drive_pair(&integrated, &s, false, "rattle", "midpoint", R(0.05), 40);
  ok = drive_pair(&exact, &s, true, "rattle", "midpoint", R(0.05), 40) && ok;
  ok = drive_pair(&slid, &s, false, "shake", "midpoint", R(0.05), 40) && ok;
  ok = drive_pair(&half, &s, true, "rattle", "midpoint", R(0.025), 80) && ok;
  ok = drive_pair(&quarter, &s, true, "rattle", "midpoint", R(0.0125), 160) && ok;
  tap_ok(ok, "two constraints: rattle and shake run, on both constraints");
  tap_ok(ok && difference(&integrated, &exact) <= 2000 * REAL_EPSILON,
         "the problem's fibres and integrated ones lead to the same: %.0f eps",
         (double)(difference(&integrated, &exact) / REAL_EPSILON));
  tap_ok(ok && difference(&slid, &exact) <= 5000 * REAL_EPSILON,
         "shake slid onto the hidden constraint is rattle: %.0f eps",
         (double)(difference(&slid, &exact) / REAL_EPSILON));
  tap_is_near(log2((double)(difference(&exact, &half) / difference(&half, &quarter))), 2, 0.1,
              "two constraints: order");
  shk_state_clear(&integrated);
  shk_state_clear(&exact);
  shk_state_clear(&slid);
  shk_state_clear(&half);
  shk_state_clear(&quarter);
}

static void check_not_coisotropic(void)
{
  const struct pair s = {.rho = R(1.36), .c = R(-0.09), .crossed = true};
  const struct shk_system system = pair_system(&s);
  struct shk_evaluator evaluator;
  struct shk_manifold *manifold = NULL;
  struct shk_regularity regularity = {0};
  char text[256];
  if (shk_evaluator_init(&evaluator, &system).code != SHK_OK ||
      shk_bind_manifold(&manifold, &(struct shk_binding){.workspace = evaluator.workspace,
                                                         .evaluator = &evaluator})
              .code != SHK_OK)
    abort();
  shk_manifold_regularity(manifold, &regularity, 0, pair_q, pair_p);
  const struct shk_status status = shk_regularity_fault(&regularity, SHK_REFUSED);
  shk_status_text(text, sizeof text, status);
  tap_ok(status.code == SHK_REFUSED && strstr(text, "coisotropy"), "refused: %s", text);
  shk_evaluator_clear(&evaluator);
}

static void check_lacking(void)
{
  const struct pair s = {.rho = 1};
  for (int k = 0; k < 4; k++) {
    struct shk_system system = pair_system(&s);
    struct shk_evaluator evaluator;
    struct shk_fibre *fibre = NULL;
    system.constraint_qp = k == 0 ? NULL : pair_constraint;
    system.constraint_gradients = k == 1 ? NULL : pair_gradients;
    system.constraint_second = k == 2 ? NULL : pair_second;
    system.hessian = k == 3 ? NULL : pair_hessian;
    if (shk_evaluator_init(&evaluator, &system).code != SHK_OK)
      abort();
    const struct shk_binding binding = {.workspace = evaluator.workspace, .evaluator = &evaluator};
    tap_is_int(shk_bind_fibre(&fibre, &binding).code, SHK_BAD_INPUT,
               "a system that lacks the function %d of four is refused", k);
    shk_evaluator_clear(&evaluator);
  }
}

int main(void)
{
  check_pair();
  check_lacking();
  check_not_coisotropic();
  return tap_done();
}
