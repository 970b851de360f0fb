/*
 * RATTLE as a C plug-in with dense matrices, for H = ½ pᵀM⁻¹p + V(q) and constraints g(q) = 0. This
 * is the same integrator as examples/external/rattle.py and examples/python/rattle.py.
 *
 * Source: Hairer, Lubich & Wanner, Geometric Numerical Integration, (VII.1.26).
 *
 *     shakedown plugin build rattle.c
 *     shakedown certify rattle-c --plugin ./rattle.so
 */

static const char equations[] =
    "p_half = p0 - h/2 (V_q(q0) + G(q0)ᵀ lambda)                   (1)\n"
    "q1 = q0 + h M⁻¹ p_half,  g(q1) = 0                            (2)\n"
    "p1 = p_half - h/2 (V_q(q1) + G(q1)ᵀ mu),  G(q1) M⁻¹ p1 = 0    (3)\n";

#include <shakedown/plugin.h>
#include <shakedown/solve.h>

#include <string.h>

struct rattle {
  struct shk_evaluator *evaluator;
  int n, m;
  /* Jacobian values in the order of the sparsity pattern; m x n matrices at both ends of the
   * step */
  real *values, *G0, *G1;
  real *kick, *half, *V_q, *K, *g, *kept;
  int *pivots;
};

static struct shk_status jacobian(const struct rattle *rattle, real *G, real t, const real *q)
{
  const struct shk_evaluator *e = rattle->evaluator;
  SHK_TRY(shk_jacobian(rattle->evaluator, rattle->values, t, q));
  memset(G, 0, (size_t)rattle->m * (size_t)rattle->n * sizeof *G);
  for (int i = 0; i < rattle->m; i++)
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
      G[i * rattle->n + e->columns[k]] = rattle->values[k];
  return shk_ok();
}

/* out <- a - h/2 Gᵀ lambda */
static void push(const struct rattle *rattle, real *out, const real *a, real h, const real *G,
                 const real *lambda)
{
  for (int j = 0; j < rattle->n; j++) {
    real force = 0;
    for (int i = 0; i < rattle->m; i++)
      force += G[i * rattle->n + j] * lambda[i];
    out[j] = a[j] - h / 2 * force;
  }
}

/* x <- (factor A M⁻¹ Bᵀ)⁻¹ x */
static struct shk_status solve(const struct rattle *rattle, real *x, real factor, const real *A,
                               const real *B)
{
  const int n = rattle->n, m = rattle->m;
  for (int i = 0; i < m; i++)
    for (int k = 0; k < m; k++) {
      rattle->K[i * m + k] = 0;
      for (int j = 0; j < n; j++)
        rattle->K[i * m + k] +=
            factor * A[i * n + j] * B[k * n + j] / rattle->evaluator->system->mass[j];
    }
  if (!shk_lu_factor(rattle->K, rattle->pivots, m))
    return shk_failure(SHK_SINGULAR, "the multiplier matrix is singular", 0, 0);
  shk_lu_solve(x, rattle->K, rattle->pivots, m);
  return shk_ok();
}

static struct shk_status place(const struct rattle *rattle, real *q1, const struct shk_state *from,
                               real h, const real *lambda)
{
  push(rattle, rattle->half, rattle->kick, h, rattle->G0, lambda);
  for (int j = 0; j < rattle->n; j++)
    q1[j] = from->q[j] + h * rattle->half[j] / rattle->evaluator->system->mass[j];
  SHK_TRY(shk_constraint(rattle->evaluator, rattle->g, from->t + h, q1));
  return jacobian(rattle, rattle->G1, from->t + h, q1);
}

/* Computes lambda using Newton's iteration, which continues until round-off prevents g from
 * decreasing. */
static struct shk_status find_position(const struct rattle *rattle, struct shk_state *to,
                                       const struct shk_state *from, real h)
{
  enum { MOST = 100 };
  const size_t size = (size_t)rattle->m * sizeof *rattle->kept;
  real best = R(1e100);
  memcpy(rattle->kept, from->lambda, size);
  memcpy(to->lambda, from->lambda, size);
  for (int k = 0; k < MOST && best > 0; k++) {
    SHK_TRY(place(rattle, to->q, from, h, to->lambda));
    const real left = real_max_norm(rattle->g, rattle->m);
    if (!(left < best))
      break;
    best = left;
    memcpy(rattle->kept, to->lambda, size);
    SHK_TRY(solve(rattle, rattle->g, h * h / 2, rattle->G1, rattle->G0));
    for (int i = 0; i < rattle->m; i++)
      to->lambda[i] += rattle->g[i];
  }
  if (!(best < real_sqrt(REAL_EPSILON)))
    return shk_failure(SHK_NOT_CONVERGED, "Newton's method does not converge", 0, 0);
  memcpy(to->lambda, rattle->kept, size);
  return place(rattle, to->q, from, h, to->lambda);
}

static struct shk_status rattle_step(void *method, struct shk_state *to,
                                     const struct shk_state *from, real h)
{
  const struct rattle *rattle = method;
  const int n = rattle->n, m = rattle->m;
  const real *mass = rattle->evaluator->system->mass;
  SHK_TRY(jacobian(rattle, rattle->G0, from->t, from->q));
  SHK_TRY(shk_gradient(rattle->evaluator, rattle->V_q, from->t, from->q, NULL));
  for (int j = 0; j < n; j++)
    rattle->kick[j] = from->p[j] - h / 2 * rattle->V_q[j];
  SHK_TRY(find_position(rattle, to, from, h));
  SHK_TRY(shk_gradient(rattle->evaluator, rattle->V_q, from->t + h, to->q, NULL));
  for (int j = 0; j < n; j++)
    rattle->half[j] -= h / 2 * rattle->V_q[j];
  for (int i = 0; i < m; i++) {
    to->mu[i] = 0;
    for (int j = 0; j < n; j++)
      to->mu[i] += rattle->G1[i * n + j] * rattle->half[j] / mass[j];
  }
  SHK_TRY(solve(rattle, to->mu, h / 2, rattle->G1, rattle->G1));
  push(rattle, to->p, rattle->half, h, rattle->G1, to->mu);
  for (int j = 0; j < n; j++)
    to->q_carry[j] = to->p_carry[j] = 0; /* no compensated summation */
  return shk_ok();
}

static const struct shk_array arrays[] = {SHK_ARRAY(rattle, values, .entries = 1),
                                          SHK_ARRAYS(rattle, (.nm = 1), G0, G1),
                                          SHK_ARRAYS(rattle, (.n = 1), kick, half, V_q),
                                          SHK_ARRAYS(rattle, (.m = 1), g, kept),
                                          SHK_ARRAY(rattle, K, .mm = 1),
                                          SHK_INTEGERS(rattle, pivots, .m = 1),
                                          {0}};

static const struct shk_stated claims[] = {
    SHK_CLAIM(ORDER_Q, 2),  SHK_CLAIM(ORDER_P, 2),           SHK_CLAIM(ORDER_LAMBDA, 1),
    SHK_CLAIM(ORDER_MU, 1), SHK_CLAIM(ORDER_LAMBDA_MEAN, 2), SHK_CLAIM(ORDER_LAMBDA_STATE, 2),
    SHK_GEOMETRY(SHK_YES),  SHK_CONSTRAINTS(SHK_YES),        {0}};

static const struct shk_integrator rattle = {
    .struct_size = sizeof rattle,
    .info = {.name = "rattle-c",
             .summary = "an example: RATTLE with dense matrices",
             .equations = equations,
             .citation = "Hairer, Lubich & Wanner, GNI, (VII.1.26)",
             .claims = claims},
    SHK_METHOD(rattle),
    .arrays = arrays,
    .step = rattle_step};

SHK_PROVIDE(rattle_c, .integrators = SHK_INTEGRATORS(&rattle));
