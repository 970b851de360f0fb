/*
 * A bob on a unit sphere whose kinetic energy bends over:
 *
 *     H = ½ |p|² - ¼ a |p|⁴ + z + ¼ x⁴        0 = ½ (|q|² - 1)
 *     H_p = (1 - a |p|²) p                     H_pp = (1 - a |p|²) 1 - 2 a p pᵀ
 *
 * On the fibre p = p_t + μ q through a tangential p_t, g_q H_pp g_qᵀ = 1 - a |p_t|² - 3 a μ² is zero at
 * μ² = (1/a - |p_t|²)/3. The hidden constraint is μ (1 - a |p|²) = 0.
 */
#include "general.h"

static const real A = R(0.1);

static real squared(const real *x)
{
  return x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
}

static int hamiltonian(const void *context, real *value, real t, const real *q, const real *p)
{
  const real p2 = squared(p), x2 = q[0] * q[0];
  *value = p2 / 2 - A * p2 * p2 / 4 + q[2] + x2 * x2 / 4;
  return 0;
}

static int hamiltonian_q(const void *context, real *out, real t, const real *q, const real *p)
{
  out[0] = q[0] * q[0] * q[0];
  out[1] = 0;
  out[2] = 1;
  return 0;
}

static int hamiltonian_p(const void *context, real *out, real t, const real *q, const real *p)
{
  const real factor = 1 - A * squared(p);
  for (int i = 0; i < 3; i++)
    out[i] = factor * p[i];
  return 0;
}

static int hessian(const void *context, real *out, real t, const real *q, const real *p)
{
  memset(out, 0, 36 * sizeof *out);
  out[0] = 3 * q[0] * q[0];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[6 * (3 + i) + 3 + j] = (i == j ? 1 - A * squared(p) : 0) - 2 * A * p[i] * p[j];
  return 0;
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  g[0] = (squared(q) - 1) / 2;
  return 0;
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  memcpy(values, q, 3 * sizeof *q);
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  out[0] = squared(v);
  return 0;
}

static int start(const void *context, real *q, real *p)
{
  static const real at[] = {R(0.6), 0, R(0.8)}, momentum[] = {R(0.8), R(0.5), R(-0.6)};
  memcpy(q, at, sizeof at);
  memcpy(p, momentum, sizeof momentum);
  return 0;
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  instance->time_scale = 1;
  instance->horizon = 5;
  instance->start = start;
  return shk_ok();
}

static const struct shk_system soft_system = GENERAL_SYSTEM(3);

static const struct shk_problem soft = {
    .struct_size = sizeof soft,
    .info = {.name = "soft", .summary = "a bob whose kinetic energy bends over"},
    .system = &soft_system,
    .set_up = set_up,
};

SHK_PROVIDE(soft, .problems = SHK_PROBLEMS(&soft));
