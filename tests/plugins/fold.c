/*
 * A Hamiltonian system of index one with two folds, in (q, α; p, β):
 *
 *     H = p²/2 + β⁴/12 - β²/2 - β q        0 = α,    hidden: 0 = H_β = β³/3 - β - q
 *
 *     q' = p,   p' = β,   β' = -λ,         N = H_ββ = β² - 1
 *
 * Between the folds at β = ±1 N is negative. The start, β = 1/2 and p = -1, runs into that at
 * β = 1, q = -2/3, where p is not zero and λ grows like (t* - t)^(-1/2). Beyond it the hidden
 * constraint has the root β < -2 only, with N positive: nothing that the motion leads to.
 */
#include "general.h"

static int hamiltonian(const void *context, real *value, real t, const real *q, const real *p)
{
  const real b = p[1], b2 = b * b;
  *value = p[0] * p[0] / 2 + b2 * b2 / 12 - b2 / 2 - b * q[0];
  return 0;
}

static int hamiltonian_q(const void *context, real *out, real t, const real *q, const real *p)
{
  out[0] = -p[1];
  out[1] = 0;
  return 0;
}

static int hamiltonian_p(const void *context, real *out, real t, const real *q, const real *p)
{
  out[0] = p[0];
  out[1] = p[1] * p[1] * p[1] / 3 - p[1] - q[0];
  return 0;
}

static int hessian(const void *context, real *out, real t, const real *q, const real *p)
{
  memset(out, 0, 16 * sizeof *out);
  out[3] = out[12] = -1; /* H_qβ */
  out[10] = 1;           /* H_pp */
  out[15] = p[1] * p[1] - 1;
  return 0;
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  g[0] = q[1];
  return 0;
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  values[0] = 0;
  values[1] = 1;
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  out[0] = 0;
  return 0;
}

static int start(const void *context, real *q, real *p)
{
  p[0] = -1;
  p[1] = R(0.5);
  q[0] = p[1] * p[1] * p[1] / 3 - p[1];
  q[1] = 0;
  return 0;
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  instance->time_scale = R(0.5);
  instance->horizon = R(0.2);
  instance->undecidable = SHK_LINEAR_CONSTRAINTS | SHK_ONE_DEGREE_OF_FREEDOM | SHK_NO_REVERSAL;
  instance->start = start;
  return shk_ok();
}

static const struct shk_system fold_system = GENERAL_SYSTEM(2);

static const struct shk_problem fold = {
    .struct_size = sizeof fold,
    .info = {.name = "fold", .summary = "runs into a fold of its hidden constraint"},
    .system = &fold_system,
    .set_up = set_up,
};

SHK_PROVIDE(fold, .problems = SHK_PROBLEMS(&fold));
