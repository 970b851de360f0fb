/*
 * What few systems have, checked on systems that are made for it: a mass matrix that depends on q
 * against a Hamiltonian worked out by hand, generalized forces and constraints that depend on time
 * against central differences, and each derivative once more with a fault in it.
 */
#include "mechanics/system/derivatives.h"
#include "tests/kit/tap.h"

#include <shakedown/bind.h>

enum fault { NONE, MASS_GRADIENT, MASS_CURVATURE, HESSIAN_OF_V, FORCE_GRADIENTS, RATE, CURVATURE };

/* A double pendulum of unit masses and lengths in its two angles, g = 1: M = [2 c; c 1] with
 * c = cos(a - b), V = -2 cos a - cos b. */
static int mass_matrix(const void *context, real *M, const real *q)
{
  M[0] = 2;
  M[1] = M[2] = real_cos(q[0] - q[1]);
  M[3] = 1;
  return 0;
}

static int mass_gradient(const void *context, real *out, const real *q, const real *v)
{
  const enum fault *fault = context;
  const real s = real_sin(q[0] - q[1]);
  out[0] = -s * v[1];
  out[1] = -s * v[0];
  out[2] = s * v[1];
  out[3] = *fault == MASS_GRADIENT ? 0 : s * v[0];
  return 0;
}

static int mass_curvature(const void *context, real *out, const real *q, const real *v)
{
  const enum fault *fault = context;
  const real c = real_cos(q[0] - q[1]), both = 2 * v[0] * v[1];
  out[0] = out[3] = -c * both;
  out[1] = out[2] = *fault == MASS_CURVATURE ? -c * both : c * both;
  return 0;
}

static int potential(const void *context, real *value, real t, const real *q)
{
  *value = -2 * real_cos(q[0]) - real_cos(q[1]);
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  out[0] = 2 * real_sin(q[0]);
  out[1] = real_sin(q[1]);
  return 0;
}

static int potential_hessian(const void *context, real *out, real t, const real *q)
{
  const enum fault *fault = context;
  out[0] = 2 * real_cos(q[0]);
  out[1] = out[2] = 0;
  out[3] = *fault == HESSIAN_OF_V ? real_cos(q[0]) : real_cos(q[1]);
  return 0;
}

/* A drive and a damping that mixes the coordinates. */
static int force(const void *context, real *Q, real t, const real *q, const real *p)
{
  Q[0] = real_sin(3 * t) - p[0] * p[1] / 4;
  Q[1] = -q[0] * p[1];
  return 0;
}

static int force_gradients(const void *context, real *Q_q, real *Q_p, real t, const real *q,
                           const real *p)
{
  const enum fault *fault = context;
  memset(Q_q, 0, 4 * sizeof *Q_q);
  Q_q[2] = -p[1];
  Q_p[0] = -p[1] / 4;
  Q_p[1] = *fault == FORCE_GRADIENTS ? 0 : -p[0] / 4;
  Q_p[2] = 0;
  Q_p[3] = -q[0];
  return 0;
}

/* g = ½ (a - sin t)² + b t² - 1 */
static int constraint(const void *context, real *g, real t, const real *q)
{
  const real x = q[0] - real_sin(t);
  g[0] = x * x / 2 + q[1] * t * t - 1;
  return 0;
}

static int jacobian(const void *context, real *G, real t, const real *q)
{
  G[0] = q[0] - real_sin(t);
  G[1] = t * t;
  return 0;
}

static int constraint_rate(const void *context, real *out, real t, const real *q)
{
  const enum fault *fault = context;
  out[0] = -(q[0] - real_sin(t)) * real_cos(t) + (*fault == RATE ? 1 : 2) * q[1] * t;
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const enum fault *fault = context;
  const real x = q[0] - real_sin(t), rate = v[0] - real_cos(t);
  out[0] = rate * rate + x * real_sin(t) + (*fault == CURVATURE ? 2 : 4) * t * v[1] + 2 * q[1];
  return 0;
}

static struct shk_system driven(const enum fault *fault)
{
  return (struct shk_system){.struct_size = sizeof(struct shk_system),
                             .n = 2,
                             .m = 1,
                             .features = SHK_GENERAL_HAMILTONIAN | SHK_FORCES | SHK_RHEONOMIC,
                             .context = fault,
                             .mass_matrix = mass_matrix,
                             .mass_gradient = mass_gradient,
                             .mass_curvature = mass_curvature,
                             .potential = potential,
                             .gradient = gradient,
                             .potential_hessian = potential_hessian,
                             .force = force,
                             .force_gradients = force_gradients,
                             .constraint = constraint,
                             .jacobian = jacobian,
                             .constraint_rate = constraint_rate,
                             .curvature = curvature};
}

static const real at_q[] = {R(0.7), R(-0.4)}, at_p[] = {R(0.3), R(1.1)};

/* Whether the check of that name holds; all others must. */
static void judge(enum fault fault, const char *name)
{
  const struct shk_system system = driven(&fault);
  struct shk_evaluator e;
  struct shk_derivative_check checks[8];
  int count = 0, failed = 0;
  bool named = false;
  tap_ok(shk_evaluator_init(&e, &system).code == SHK_OK, "an evaluator, fault %d", (int)fault);
  const struct shk_status status = shk_check_derivatives(checks, &count, &e, R(0.6), at_q, at_p);
  tap_ok(status.code == SHK_OK && count == 6, "six derivatives are checked (%d)", count);
  for (int i = 0; i < count; i++) {
    failed += !checks[i].holds;
    named = named || (!checks[i].holds && name && strcmp(checks[i].name, name) == 0);
    if (!checks[i].holds)
      tap_diag("%s: error %.3g, floor %.3g", checks[i].name, checks[i].error, checks[i].floor);
  }
  tap_ok(name ? named : failed == 0, "fault %d: %s", (int)fault,
         name ? name : "all derivatives hold");
  shk_evaluator_clear(&e);
}

/* The textbook's H = (p1² + 2 p2² - 2 c p1 p2) / (2 (2 - c²)) + V. */
static void test_hamiltonian(void)
{
  const enum fault none = NONE;
  const struct shk_system system = driven(&none);
  struct shk_evaluator e;
  real value = 0, v[2] = {0};
  const real c = real_cos(at_q[0] - at_q[1]), determinant = 2 - c * c;
  tap_ok(shk_evaluator_init(&e, &system).code == SHK_OK, "an evaluator");
  tap_ok(shk_hamiltonian(&e, &value, 0, at_q, at_p).code == SHK_OK &&
             shk_velocity(&e, v, 0, at_q, at_p).code == SHK_OK,
         "H and H_p");
  const real want =
      (at_p[0] * at_p[0] + 2 * at_p[1] * at_p[1] - 2 * c * at_p[0] * at_p[1]) / (2 * determinant) -
      2 * real_cos(at_q[0]) - real_cos(at_q[1]);
  tap_is_near((double)(value - want), 0, 8 * (double)REAL_EPSILON, "H by hand");
  tap_is_near((double)(v[0] - (at_p[0] - c * at_p[1]) / determinant), 0, 8 * (double)REAL_EPSILON,
              "its velocity");
  shk_evaluator_clear(&e);
}

/* Along the exact multiplier's slope g'' = 0: the second difference of g on a step of the
 * index-reduced equations, q + h q' + ½ h² q'', is O(h³). */
static void test_multiplier(void)
{
  const enum fault none = NONE;
  const struct shk_system system = driven(&none);
  struct shk_evaluator e;
  struct shk_manifold *manifold;
  real q[2] = {at_q[0], at_q[1]}, p[2] = {at_p[0], at_p[1]}, g, hidden, lambda, residual[2];
  const real t = R(0.6);
  tap_ok(shk_evaluator_init(&e, &system).code == SHK_OK &&
             shk_bind_manifold(&manifold,
                               &(struct shk_binding){.workspace = e.workspace, .evaluator = &e})
                     .code == SHK_OK &&
             shk_manifold_project(manifold, q, p, t).code == SHK_OK &&
             shk_manifold_residuals(manifold, &g, &hidden, t, q, p).code == SHK_OK &&
             shk_exact_multiplier(manifold, &lambda, t, q, p).code == SHK_OK,
         "a consistent state and its multiplier");
  tap_ok(real_fabs(g) <= 20 * REAL_EPSILON && real_fabs(hidden) <= 20 * REAL_EPSILON,
         "g and G H_p + g_t vanish (%.2g, %.2g)", (double)g, (double)hidden);
  /* The hidden residual after a short time along q', p'. */
  real dq[2], dp[2], G[2];
  tap_ok(shk_velocity(&e, dq, t, q, p).code == SHK_OK &&
             shk_gradient(&e, dp, t, q, p).code == SHK_OK &&
             shk_jacobian(&e, G, t, q).code == SHK_OK,
         "its slope");
  for (int k = 0; k < 2; k++) {
    const real h = k == 0 ? R(1e-4) : R(0.5e-4);
    real q1[2], p1[2];
    for (int i = 0; i < 2; i++) {
      q1[i] = q[i] + h * dq[i];
      p1[i] = p[i] + h * (-dp[i] - G[i] * lambda);
    }
    tap_ok(shk_manifold_residuals(manifold, &g, &residual[k], t + h, q1, p1).code == SHK_OK,
           "residuals a little later");
  }
  /* Second order in h: halving it leaves a quarter. Without the multiplier it would be a half. */
  tap_is_near((double)(residual[0] / residual[1]), 4, 0.01, "the hidden constraint is kept");
  shk_evaluator_clear(&e);
}

/* V = 0 is what a separable system without its functions has; one of them alone is a mistake. */
static void test_no_potential(void)
{
  static const real mass[] = {R(2.0), R(0.5)};
  const enum fault none = NONE;
  struct shk_system system = driven(&none);
  struct shk_evaluator e;
  real H = 7, H_q[] = {1, 1};
  system.features = SHK_RHEONOMIC;
  system.mass = mass;
  system.mass_matrix = NULL;
  system.potential = NULL;
  system.gradient = NULL;
  tap_ok(shk_evaluator_init(&e, &system).code == SHK_OK &&
             shk_hamiltonian(&e, &H, 0, at_q, at_p).code == SHK_OK &&
             shk_gradient(&e, H_q, 0, at_q, at_p).code == SHK_OK,
         "a system without a potential");
  tap_is_near((double)(H - (at_p[0] * at_p[0] / 4 + at_p[1] * at_p[1])), 0,
              4 * (double)REAL_EPSILON, "H is the kinetic energy");
  tap_ok(H_q[0] == 0 && H_q[1] == 0, "and its gradient is zero");
  shk_evaluator_clear(&e);
  system.potential = potential;
  tap_ok(shk_evaluator_init(&e, &system).code == SHK_STOPPED, "a potential without its gradient");
  system.potential = NULL;
  system.gradient = gradient;
  tap_ok(shk_evaluator_init(&e, &system).code == SHK_STOPPED, "a gradient without its potential");
}

int main(void)
{
  test_hamiltonian();
  test_no_potential();
  judge(NONE, NULL);
  judge(MASS_GRADIENT, "H_q");
  judge(MASS_CURVATURE, "Hessian");
  judge(HESSIAN_OF_V, "Hessian");
  judge(FORCE_GRADIENTS, "Hessian");
  judge(RATE, "g_t");
  judge(CURVATURE, "curvature");
  test_multiplier();
  return tap_done();
}
