/*
 * Differential-algebraic equations of index 2 and 3 with exact solutions. They do not describe
 * mechanical systems.
 *
 *     index 2     y1' = y1 y2 u       y2' = y1² y2² - 3 y2² u           0 = y1² y2 - 1
 *                 y1 = eᵗ,  y2 = e^(-2t),  u = e^(2t)
 *                 q = y1,  p = y2
 *
 *     index 3     y1' = 2 y1 y2 z1 z2     z1' = (y1 y2 + z1 z2) u       0 = y1 y2² - 1
 *                 y2' = -y1 y2 z2²        z2' = -y1 y2² z2² u,          quadratic: -y1 y2² z2³ u²
 *                 y1 = z1 = e^(2t),  y2 = z2 = e^(-t),  u = eᵗ
 *                 q = (y1, y2),  p = (z1, z2)
 *
 * lambda = u. There is no energy, and no force -Gᵀ lambda. In the quadratic variant, the equation
 * that maintains the constraint is quadratic in u, with a second solution of opposite sign.
 *
 * Source: Jay, BIT 33 (1993) 137, example 7 (index 2); Jay, Appl. Numer. Math. 17 (1995) 97,
 * examples 7.1 and 7.2 (index 3).
 */
#include "problems/kit/problem.h"

struct jay {
  long index;
  bool quadratic;
};

/* ---- index 2 ---- */

static int second_slope(const void *context, real *dq, real *dp, real t, const real *q,
                        const real *p, const real *lambda)
{
  const real y1 = q[0], y2 = p[0], u = lambda[0];
  dq[0] = y1 * y2 * u;
  dp[0] = y1 * y1 * y2 * y2 - 3 * y2 * y2 * u;
  return 0;
}

static int second_constraint(const void *context, real *g, real t, const real *q, const real *p)
{
  g[0] = q[0] * q[0] * p[0] - 1;
  return 0;
}

static int second_derivatives(const void *context, real *f_x, real *f_lambda, real *g_x, real t,
                              const real *q, const real *p, const real *lambda)
{
  const real y1 = q[0], y2 = p[0], u = lambda[0];
  f_x[0] = y2 * u;
  f_x[1] = y1 * u;
  f_x[2] = 2 * y1 * y2 * y2;
  f_x[3] = 2 * y1 * y1 * y2 - 6 * y2 * u;
  f_lambda[0] = y1 * y2;
  f_lambda[1] = -3 * y2 * y2;
  g_x[0] = 2 * y1 * y2;
  g_x[1] = y1 * y1;
  return 0;
}

static int second_exact(const void *context, real *q, real *p, real *lambda, real t)
{
  q[0] = real_exp(t);
  p[0] = real_exp(-2 * t);
  lambda[0] = real_exp(2 * t);
  return 0;
}

/* ---- index 3 ---- */

static int third_slope(const void *context, real *dq, real *dp, real t, const real *q,
                       const real *p, const real *lambda)
{
  const struct jay *jay = context;
  const real y1 = q[0], y2 = q[1], z1 = p[0], z2 = p[1], u = lambda[0];
  dq[0] = 2 * y1 * y2 * z1 * z2;
  dq[1] = -y1 * y2 * z2 * z2;
  dp[0] = (y1 * y2 + z1 * z2) * u;
  dp[1] = -y1 * y2 * y2 * z2 * z2 * u * (jay->quadratic ? z2 * u : 1);
  return 0;
}

static int third_constraint(const void *context, real *g, real t, const real *q, const real *p)
{
  g[0] = q[0] * q[1] * q[1] - 1;
  return 0;
}

static int third_curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  out[0] = 4 * q[1] * v[0] * v[1] + 2 * q[0] * v[1] * v[1];
  return 0;
}

static int third_derivatives(const void *context, real *f_x, real *f_lambda, real *g_x, real t,
                             const real *q, const real *p, const real *lambda)
{
  const struct jay *jay = context;
  const real y1 = q[0], y2 = q[1], z1 = p[0], z2 = p[1], u = lambda[0];
  /* the additional factor in z2' of the quadratic variant */
  const real factor = jay->quadratic ? z2 * u : 1;
  const real power = jay->quadratic ? 3 : 2; /* exponent of z2 in z2' */
  const real rows[16] = {2 * y2 * z1 * z2,
                         2 * y1 * z1 * z2,
                         2 * y1 * y2 * z2,
                         2 * y1 * y2 * z1,
                         -y2 * z2 * z2,
                         -y1 * z2 * z2,
                         0,
                         -2 * y1 * y2 * z2,
                         y2 * u,
                         y1 * u,
                         z2 * u,
                         z1 * u,
                         -y2 * y2 * z2 * z2 * u * factor,
                         -2 * y1 * y2 * z2 * z2 * u * factor,
                         0,
                         -power * y1 * y2 * y2 * z2 * u * factor};
  for (int i = 0; i < 16; i++)
    f_x[i] = rows[i];
  f_lambda[0] = f_lambda[1] = 0;
  f_lambda[2] = y1 * y2 + z1 * z2;
  f_lambda[3] = -y1 * y2 * y2 * z2 * z2 * (jay->quadratic ? 2 : 1) * factor;
  g_x[0] = y2 * y2;
  g_x[1] = 2 * y1 * y2;
  g_x[2] = g_x[3] = 0;
  return 0;
}

static int third_exact(const void *context, real *q, real *p, real *lambda, real t)
{
  q[0] = p[0] = real_exp(2 * t);
  q[1] = p[1] = real_exp(-t);
  lambda[0] = real_exp(t);
  return 0;
}

/* ---- the problem ---- */

/* All components of the exact solutions are 1 at t = 0. */
static int second_start(const void *context, real *q, real *p)
{
  q[0] = p[0] = 1;
  return 0;
}

static int third_start(const void *context, real *q, real *p)
{
  q[0] = q[1] = p[0] = p[1] = 1;
  return 0;
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  const struct jay *s = context;
  const bool second = s->index == 2;
  if (second && s->quadratic)
    return shk_failure(SHK_BAD_INPUT, "quadratic=yes requires index=3", 0, 0);
  struct shk_system *system = &instance->system;
  system->n = second ? 1 : 2;
  system->curvature = second ? NULL : third_curvature;
  system->dae_index = (int)s->index;
  system->dae_slope = second ? second_slope : third_slope;
  system->dae_constraint = second ? second_constraint : third_constraint;
  system->dae_derivatives = second ? second_derivatives : third_derivatives;
  instance->time_scale = R(0.5); /* the rate of the fastest-growing component, e^(2t) */
  instance->horizon = R(1.3);
  instance->undecidable = SHK_NO_REVERSAL;
  instance->start = second ? second_start : third_start;
  instance->exact = second ? second_exact : third_exact;
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_INTEGER(jay, index, "index", "3", "index of the equations", .minimum = "2", .maximum = "3",
                .positional = true),
    SHK_FLAG(jay, quadratic, "quadratic", "no", "square of u in z2' (index=3)"),
    {0}};

static const struct shk_system jay_system = {.m = 1, .features = SHK_GENERAL_DAE};

SHK_PROVIDE_PROBLEM(
    jay, jay, &jay_system, .name = "jay", .family = "test sets of DAEs",
    .summary = "differential-algebraic equations of index 2 or 3 with exact solutions, "
               "for DAE solvers",
    .equations = "index 2: y1' = y1 y2 u,  y2' = y1² y2² - 3 y2² u,  0 = y1² y2 - 1;\n"
                 "         exact: y1 = eᵗ, y2 = e^(-2t), u = e^(2t)\n"
                 "index 3: y1' = 2 y1 y2 z1 z2,  y2' = -y1 y2 z2²,\n"
                 "         z1' = (y1 y2 + z1 z2) u,  z2' = -y1 y2² z2² u\n"
                 "         (quadratic: -y1 y2² z2³ u²),  0 = y1 y2² - 1;\n"
                 "         exact: y1 = z1 = e^(2t), y2 = z2 = e^(-t), u = eᵗ",
    .citation = "Jay, BIT 33 (1993) 137, example 7 (index 2); Jay, Appl. Numer. Math. 17 "
                "(1995) 97, examples 7.1 and 7.2 (index 3)",
    .units = "dimensionless",
    .coordinates = "index 2: q = y1, p = y2; index 3: q = (y1, y2), p = (z1, z2); "
                   "lambda = u");
