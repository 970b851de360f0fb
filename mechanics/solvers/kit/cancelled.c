/* Estimates the rounding error of terms that cancel in a residual that has stopped decreasing. See
 * residuals.h. */
#include "mechanics/solvers/kit/residuals.h"
#include "mechanics/system/row_weights.h"

/* Returns max_i Σ_k |G_ik| |drift kick|/m_k Σ_j |G_jk lambda_j| with G = G_b. This is the effect on
 * g of rounding the terms of Gᵀlambda, in which the contributions of large multipliers may cancel,
 * divided by eps. */
static real cancelled_position(struct shk_residuals *r, const struct shk_kick *kick)
{
  const struct shk_evaluator *e = r->evaluator;
  const real factor = real_fabs(kick->drift * kick->by);
  real *const terms = r->sizes;
  shk_fill(terms, 0, e->system->n);
  for (int i = 0; i < e->system->m; i++)
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
      terms[e->columns[k]] += real_fabs(kick->along[k] * kick->multiplier[i]);
  for (int k = 0; k < e->system->n; k++)
    terms[k] = factor * terms[k] / e->system->mass[k];
  return shk_rows_size(r->evaluator, r->row_weights, kick->along, r->sizes);
}

/* Returns max_i Σ_k |G_ik| Σ_j (|H_pq|_kj |q_j| + |H_pp|_kj |p_j|), or zero for separable systems.
 * In general systems, terms of H_p may cancel. Their size is estimated as the derivatives of H_p
 * times q and p. */
static real cancelled_velocity(const struct shk_residuals *r, const struct shk_kick *kick)
{
  const int n = r->evaluator->system->n;
  if (!r->hessian)
    return 0;
  for (int c = 0; c < n; c++) {
    const real *const row = r->hessian + (size_t)(n + c) * 2 * n;
    r->sizes[c] = 0;
    for (int j = 0; j < n; j++)
      r->sizes[c] += real_fabs(row[j] * kick->to->q[j]) + real_fabs(row[n + j] * kick->to->p[j]);
  }
  return shk_rows_size(r->evaluator, r->row_weights, kick->along, r->sizes);
}

real shk_cancelled_terms(void *user)
{
  struct shk_residuals *const r = user;
  return r->kick->until == SHK_ON_CONSTRAINT ? cancelled_position(r, r->kick)
                                             : cancelled_velocity(r, r->kick);
}
