/*
 * The index-reduced equations: the multiplier is eliminated by differentiating g twice (equations
 * in shakedown/ode.h). Each slope takes one evaluation of each kind and one factorization.
 *
 * Source: Hairer & Wanner, Solving Ordinary Differential Equations II, §VII.1; Baumgarte, Comput.
 * Methods Appl. Mech. Eng. 1 (1972) 1. The constraint force is -Gᵀ lambda. Not for constraints that
 * depend on p.
 */
#include <shakedown/bind.h>

struct shk_reduced {
  struct shk_evaluator *evaluator;
  struct shk_linear *linear;
  bool general;
  real *G, *acceleration, *residual;
  real *hessian; /* general systems: 2n x 2n */
};

struct shk_status shk_bind_reduced(struct shk_reduced **reduced, const struct shk_binding *binding)
{
  struct shk_workspace *workspace = binding->workspace;
  struct shk_evaluator *e = binding->evaluator;
  const size_t n = (size_t)e->system->n, m = (size_t)e->system->m;
  struct shk_reduced *w = *reduced = shk_memory(workspace, sizeof *w);
  if (!w)
    return shk_no_memory();
  w->evaluator = e;
  w->general = shk_is_general(e->system);
  SHK_TRY(shk_reals(workspace, &w->G, (size_t)e->row_start[m]));
  SHK_TRY(shk_reals(workspace, &w->acceleration, n));
  SHK_TRY(shk_reals(workspace, &w->residual, m));
  if (w->general)
    SHK_TRY(shk_reals(workspace, &w->hessian, 4 * n * n));
  return shk_bind_linear(&w->linear, binding, binding->options);
}

/* Stores H_pq v - H_pp H_q in `acceleration`, and factors N. */
static struct shk_status free_acceleration(struct shk_reduced *w, real t, const real *q,
                                           const real *p, const real *v, const real *H_q)
{
  struct shk_evaluator *e = w->evaluator;
  const int n = e->system->n, stride = 2 * n;
  e->work.factorizations++;
  if (!w->general) {
    for (int i = 0; i < n; i++)
      w->acceleration[i] = shk_over_mass(e, -H_q[i], i);
    return shk_linear_factor(w->linear, w->G, w->G);
  }
  SHK_TRY(shk_hessian_p(e, w->hessian, t, q, p));
  for (int i = 0; i < n; i++) {
    const real *H_pq = w->hessian + (size_t)(n + i) * stride, *H_pp = H_pq + n;
    w->acceleration[i] = 0;
    for (int j = 0; j < n; j++)
      w->acceleration[i] += H_pq[j] * v[j] - H_pp[j] * H_q[j];
  }
  return shk_linear_factor_metric(w->linear, w->G, w->hessian + (size_t)n * stride + n, stride);
}

struct shk_status shk_reduced_begin(struct shk_reduced *w, real *v, real *H_q, real *gamma, real t,
                                    const real *q, const real *p)
{
  struct shk_evaluator *e = w->evaluator;
  const int m = e->system->m;
  SHK_TRY(shk_velocity(e, v, t, q, p));
  if (m == 0)
    return shk_gradient(e, H_q, t, q, p);
  SHK_TRY(shk_forces_and_constraints(e, H_q, w->G, gamma, t, q, p, v));
  SHK_TRY(free_acceleration(w, t, q, p, v, H_q));
  shk_jacobian_times(e, w->residual, w->G, w->acceleration);
  for (int i = 0; i < m; i++)
    gamma[i] += w->residual[i];
  return shk_ok();
}

const real *shk_reduced_jacobian(const struct shk_reduced *w)
{
  return w->G;
}

void shk_reduced_end(struct shk_reduced *w, real *dp, real *lambda)
{
  struct shk_evaluator *e = w->evaluator;
  if (e->system->m > 0)
    shk_linear_solve(w->linear, lambda);
  for (int i = 0; i < e->system->n; i++)
    dp[i] = -dp[i];
  shk_jacobian_transposed_add(e, dp, w->G, -1, lambda);
}

struct shk_status shk_reduced_slope(struct shk_reduced *w, real *dq, real *dp, real *lambda, real t,
                                    const real *q, const real *p)
{
  SHK_TRY(shk_reduced_begin(w, dq, dp, lambda, t, q, p));
  shk_reduced_end(w, dp, lambda);
  return shk_ok();
}
