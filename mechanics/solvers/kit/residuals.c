/* Computes residuals and their rounding errors. See residuals.h. */
#include "mechanics/solvers/kit/residuals.h"
#include "mechanics/solvers/kit/relative.h"
#include "mechanics/system/evaluate.h"

#include "mechanics/algebra/inlined.h"
#include "mechanics/binding/binding.h"
#include "mechanics/system/row_weights.h"

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAYS(shk_residuals, (.m = 1), residual, weights_room),
             SHK_ARRAYS(shk_residuals, (.n = 1), velocity, sizes),
             SHK_ARRAY(shk_residuals, hessian, .nn = 4, .only = SHK_GENERAL));

real shk_residual_size(const struct shk_residuals *r, const real *g)
{
  return r->rods ? shk_relative_size(r->rods, g, r->evaluator->system->m, r->by_length)
                 : shk_rows_norm(r->evaluator, r->row_weights, g);
}

struct shk_status shk_residuals_init(struct shk_residuals *r, const struct shk_binding *binding)
{
  struct shk_evaluator *e = binding->evaluator;
  *r = (struct shk_residuals){.evaluator = e};
  SHK_TRY(shk_relative_criterion(&r->rods, &r->by_length, e->system, binding->options));
  return shk_create_arrays(r, arrays, e, binding->workspace);
}

void shk_unconstrained_momenta(const struct shk_evaluator *e, const struct shk_kick *kick)
{
  for (int i = 0, n = e->system->n; i < n; i++)
    kick->dp[i] = kick->dp_free ? kick->dp_free[i] : 0;
}

/* way <- drift M⁻¹ (p + dp) + q_carry; q1 <- q + way. `mass` contains the masses or their
 * inverses. */
SHK_CLONES static void drift_all(real *restrict q1, real *restrict way, const real *restrict q,
                                 const real *restrict q_carry, const real *restrict p,
                                 const real *restrict p_carry, const real *restrict dp, real drift,
                                 const real *restrict mass, bool inverse, int n)
{
  for (int i = 0; i < n; i++) {
    const real p1 = p[i] + (dp[i] + p_carry[i]);
    way[i] = drift * (inverse ? p1 * mass[i] : p1 / mass[i]) + q_carry[i];
    q1[i] = q[i] + way[i];
  }
}

void shk_drift_points(const struct shk_evaluator *e, const struct shk_kick *kick)
{
  const struct shk_state *const from = kick->from, *const to = kick->to;
  const bool inverse = e->inverse_mass != NULL;
  drift_all(to->q, to->q_carry, from->q, from->q_carry, from->p, from->p_carry, kick->dp,
            kick->drift, inverse ? e->inverse_mass : e->system->mass, inverse, e->system->n);
}

/* way <- dp + p_carry; p1 <- p + way */
SHK_CLONES static void kick_all(real *restrict p1, real *restrict way, const real *restrict p,
                                const real *restrict p_carry, const real *restrict dp, int n)
{
  for (int i = 0; i < n; i++) {
    way[i] = dp[i] + p_carry[i];
    p1[i] = p[i] + way[i];
  }
}

static void move_points(struct shk_residuals *r, const struct shk_kick *kick)
{
  shk_unconstrained_momenta(r->evaluator, kick);
  shk_jacobian_transposed_add(r->evaluator, kick->dp, kick->along, -kick->by, kick->multiplier);
  shk_drift_points(r->evaluator, kick);
}

struct shk_status shk_residuals_position(struct shk_residuals *r, real *size,
                                         const struct shk_kick *kick)
{
  struct shk_evaluator *e = r->evaluator;
  move_points(r, kick);
  SHK_TRY(shk_iterate_constraint(e, r->residual, kick->t, kick->to->q));
  for (int i = 0; r->epsilon > 0 && i < e->system->m; i++)
    r->residual[i] -= r->epsilon * (kick->drift * kick->by * kick->multiplier[i]);
  *size = shk_residual_size(r, r->residual);
  return shk_ok();
}

/* ---- rounding ---- */

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

static real weight_of(const struct shk_residuals *r, int row)
{
  return r->row_weights ? r->row_weights[row] : 1;
}

/* Returns true if the largest residual does not exceed the rounding error of its own row. *rounding
 * receives this rounding error, divided by eps and multiplied by the row's weight. */
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

/* Returns max_i w_i Σ_k |G_ik| (|v_k| + |dp_k|/m_k), which is the rounding error of G H_p divided
 * by epsilon. Increments are included because v may nearly vanish after large increments. If the
 * largest residual does not exceed the rounding error of its own row, only the sum for that row is
 * used. For general systems, the largest entry of H_pp replaces 1/m, and increments are ignored
 * until the Hessian is available. */
static real momentum_rounding(const struct shk_residuals *r, const struct shk_kick *kick)
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

/* ---- the two solves ---- */

static void begin_residuals(struct shk_residuals *r, struct shk_iteration *iteration,
                            const struct shk_iteration_rule *rule, const struct shk_kick *kick)
{
  r->kick = kick;
  r->iteration = iteration;
  shk_iteration_begin(iteration, rule, 0);
  iteration->cancelled = shk_cancelled_terms;
  iteration->user = r;
}

void shk_begin_position(struct shk_residuals *r, struct shk_iteration *iteration,
                        const struct shk_iteration_rule *rule, const struct shk_kick *kick)
{
  r->row_weights = iteration->tolerance > 0 ? NULL
                                            : shk_row_weights(r->evaluator, r->weights_room,
                                                              r->sizes, kick->along, kick->from->q);
  begin_residuals(r, iteration, rule, kick);
  if (iteration->within == 0)
    iteration->rounding = REAL_EPSILON * shk_position_rounding(r, kick);
}

void shk_begin_hidden(struct shk_residuals *r, struct shk_iteration *iteration,
                      const struct shk_iteration_rule *rule, const struct shk_kick *kick)
{
  r->row_weights =
      shk_row_weights(r->evaluator, r->weights_room, r->sizes, kick->along, kick->to->q);
  r->has_hessian = false;
  begin_residuals(r, iteration, rule, kick);
  iteration->within = 0; /* always to round-off */
}

struct shk_status shk_residuals_hidden(struct shk_residuals *r, real *size,
                                       const struct shk_kick *kick)
{
  struct shk_evaluator *e = r->evaluator;
  kick_all(kick->to->p, kick->to->p_carry, kick->from->p, kick->from->p_carry, kick->dp,
           e->system->n);
  SHK_TRY(shk_velocity(e, r->velocity, kick->t, kick->to->q, kick->to->p));
  SHK_TRY(shk_hidden_residual(e, r->residual, kick->along, kick->t, kick->to->q, r->velocity));
  for (int i = 0; r->epsilon > 0 && i < e->system->m; i++)
    r->residual[i] -= r->epsilon * (kick->by * kick->multiplier[i]);
  *size = shk_rows_norm(e, r->row_weights, r->residual);
  real *const rounding = &r->iteration->rounding;
  if (!(*size <= *rounding))
    *rounding = real_max(*rounding, REAL_EPSILON * momentum_rounding(r, kick));
  return shk_ok();
}
