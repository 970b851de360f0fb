/* The rounding of residuals. See residuals.h. */
#include "mechanics/solvers/kit/residuals.h"
#include "mechanics/system/row_weights.h"

real shk_position_rounding(struct shk_residuals *r, const struct shk_kick *kick)
{
  const struct shk_evaluator *e = r->evaluator;
  if ((e->system->features & SHK_RHEONOMIC) == 0)
    return shk_rows_size(r->evaluator, r->row_weights, kick->along, kick->from->q);
  for (int c = 0; c < e->system->n; c++)
    r->sizes[c] = real_fabs(kick->from->q[c]) +
                  real_fabs(kick->drift * kick->from->p[c] / e->system->mass[c]);
  return shk_rows_size(r->evaluator, r->row_weights, kick->along, r->sizes);
}

/* Returns max_i Σ_k |G_ik| |drift kick|/m_k Σ_j |G_jk lambda_j|, G = G_b: the effect on g of
 * rounding the terms of Gᵀlambda, over eps. Large multipliers may cancel in this sum. */
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

static real weight_of(const struct shk_residuals *r, int row)
{
  return r->row_weights ? r->row_weights[row] : 1;
}

/* True if the largest residual is within the rounding of its own row; *rounding: that, over eps. */
static bool is_within_row(const struct shk_residuals *r, const struct shk_kick *kick,
                          real *rounding)
{
  const struct shk_evaluator *e = r->evaluator;
  int row = 0;
  for (int i = 1; i < e->system->m; i++)
    row = weight_of(r, i) * real_fabs(r->residual[i]) >
                  weight_of(r, row) * real_fabs(r->residual[row])
              ? i
              : row;
  *rounding = 0;
  for (int k = e->row_start[row]; k < e->row_start[row + 1]; k++) {
    const int c = e->columns[k];
    const real impulse = shk_over_mass(e, kick->dp[c], c);
    *rounding += real_fabs(kick->along[k] * (real_fabs(r->velocity[c]) + real_fabs(impulse)));
  }
  const bool is_within = real_fabs(r->residual[row]) <= REAL_EPSILON * *rounding;
  *rounding *= weight_of(r, row);
  return is_within;
}

real shk_momentum_rounding(const struct shk_residuals *r, const struct shk_kick *kick)
{
  const struct shk_evaluator *e = r->evaluator;
  const int n = e->system->n;
  real inverse = 0, of_row;
  if (!r->hessian && e->system->m > 1 && is_within_row(r, kick, &of_row))
    return of_row;
  for (int i = 0; r->has_hessian && i < n; i++)
    inverse = real_max(inverse, real_max_norm(r->hessian + (size_t)(n + i) * 2 * n + n, n));
  for (int c = 0; c < n; c++) {
    const real impulse = r->hessian ? kick->dp[c] * inverse : shk_over_mass(e, kick->dp[c], c);
    r->sizes[c] = real_fabs(r->velocity[c]) + real_fabs(impulse);
  }
  return shk_rows_size(r->evaluator, r->row_weights, kick->along, r->sizes);
}

/* Returns max_i Σ_k |G_ik| Σ_j (|H_pq|_kj |q_j| + |H_pp|_kj |p_j|): in general systems terms of H_p
 * may cancel, and have about the size of its derivatives times q and p. Zero for separable
 * systems. */
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
