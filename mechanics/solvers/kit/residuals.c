/* Residuals and their rounding. See residuals.h. */
#include "mechanics/solvers/kit/residuals.h"

#include "mechanics/algebra/inlined.h"
#include "mechanics/algebra/row_weights.h"
#include "mechanics/binding/binding.h"
#include "mechanics/system/rods.h"

static const char relative[] =
    "criterion=squared and length are for systems whose constraints are rods";

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAYS(shk_residuals, residual, weights, .m = 1),
             SHK_ARRAYS(shk_residuals, velocity, sizes, .n = 1),
             SHK_ARRAY(shk_residuals, hessian, .nn = 4, .only = SHK_GENERAL));

/* Returns the largest residual; for distance constraints with a relative criterion the largest
 * g_i/d_i², or by_length the largest relative error of a length. */
static real size_of(const struct shk_residuals *r, const real *residual, bool by_length)
{
  real largest = 0;
  if (!r->rods)
    return shk_rows_norm(r->evaluator, r->weighted, residual);
  for (int i = 0; i < r->evaluator->system->m; i++) {
    const real ratio = residual[i] / r->rods->rod[i].square;
    const real size =
        by_length ? real_fabs(real_sqrt(real_max(0, 1 + 2 * ratio)) - 1) : real_fabs(ratio);
    largest = !(size <= largest) ? size : largest;
  }
  return largest;
}

real shk_residual_size(const struct shk_residuals *r, const real *g)
{
  return size_of(r, g, r->by_length);
}

real shk_rate_size(const struct shk_residuals *r)
{
  return r->rods ? size_of(r, r->residual, false)
                 : real_max_norm(r->residual, r->evaluator->system->m);
}

struct shk_status shk_residuals_init(struct shk_residuals *r, const struct shk_binding *binding)
{
  const struct shk_values *options = binding->options;
  struct shk_evaluator *e = binding->evaluator;
  const int criterion =
      options ? shk_values_choice(options, "criterion") : (int)SHK_CRITERION_ABSOLUTE;
  *r = (struct shk_residuals){.evaluator = e, .by_length = criterion == SHK_CRITERION_LENGTH};
  if (criterion == SHK_CRITERION_SQUARED || criterion == SHK_CRITERION_LENGTH) {
    SHK_TRY(shk_rods_needed(e->system, relative));
    r->rods = shk_values_real(options, "tolerance") > 0 ? e->system->rods : NULL;
  }
  return shk_land_arrays(r, arrays, e, binding->workspace);
}

void shk_free_momenta(const struct shk_evaluator *e, const struct shk_position_solve *task)
{
  for (int i = 0, n = e->system->n; i < n; i++)
    task->dp[i] = task->dp_free ? task->dp_free[i] : 0;
}

/* Split into loops over few arrays so that compilers vectorize them. */
void shk_drift_points(struct shk_residuals *r, const struct shk_position_solve *task)
{
  const struct shk_evaluator *e = r->evaluator;
  const real *const p = task->p, *const dp = task->dp, *const carry = task->p_carry;
  const real *const q = task->q, *const q_carry = task->q_carry, drift = task->drift;
  real *const p1 = task->p1 ? task->p1 : r->velocity, *const q1 = task->q1;
  real *const way = task->q1_carry;
  const int n = e->system->n;
  for (int i = 0; i < n; i++)
    p1[i] = p[i] + (dp[i] + carry[i]);
  for (int i = 0; i < n; i++) {
    way[i] = drift * shk_over_mass(e, p1[i], i) + q_carry[i];
    q1[i] = q[i] + way[i];
  }
}

static void move_points(struct shk_residuals *r, const struct shk_position_solve *task)
{
  shk_free_momenta(r->evaluator, task);
  shk_jacobian_transposed_add(r->evaluator, task->dp, task->G_b, -task->kick, task->lambda);
  shk_drift_points(r, task);
}

struct shk_status shk_move(struct shk_residuals *r, real *size,
                           const struct shk_position_solve *task)
{
  struct shk_evaluator *e = r->evaluator;
  move_points(r, task);
  SHK_TRY(shk_constraint(e, r->residual, task->t1, task->q1));
  for (int i = 0; r->epsilon > 0 && i < e->system->m; i++)
    r->residual[i] -= r->epsilon * (task->drift * task->kick * task->lambda[i]);
  *size = shk_residual_size(r, r->residual);
  return shk_ok();
}

struct shk_status shk_kick(struct shk_residuals *r, real *size, const struct shk_hidden_solve *task)
{
  struct shk_evaluator *e = r->evaluator;
  const real *const p = task->p, *const carry = task->p_carry, *const dp = task->dp;
  real *const p1 = task->p1, *const way = task->p1_carry;
  for (int i = 0, n = e->system->n; i < n; i++) {
    way[i] = dp[i] + carry[i];
    p1[i] = p[i] + way[i];
  }
  SHK_TRY(shk_velocity(e, r->velocity, task->t1, task->q1, task->p1));
  SHK_TRY(shk_hidden_residual(e, r->residual, task->G1, task->t1, task->q1, r->velocity));
  for (int i = 0; r->epsilon > 0 && i < e->system->m; i++)
    r->residual[i] -= r->epsilon * (task->kick * task->mu[i]);
  *size = shk_rows_norm(e, r->weighted, r->residual);
  return shk_ok();
}

static struct shk_status note(struct shk_iteration *iteration, real residual, const char *reason)
{
  shk_iteration_note(iteration, residual);
  return real_isfinite(residual) ? shk_ok() : shk_failure(SHK_NOT_FINITE, reason, 0, 0);
}

struct shk_status shk_move_on(struct shk_residuals *r, struct shk_iteration *iteration,
                              const struct shk_position_solve *task)
{
  real residual;
  SHK_TRY(shk_move(r, &residual, task));
  return note(iteration, residual, "the positions are not finite");
}

struct shk_status shk_kick_on(struct shk_residuals *r, struct shk_iteration *iteration,
                              const struct shk_hidden_solve *task)
{
  real residual;
  SHK_TRY(shk_kick(r, &residual, task));
  return note(iteration, residual, "the momenta are not finite");
}

/* ---- rounding ---- */

real shk_position_rounding(struct shk_residuals *r, const struct shk_position_solve *task)
{
  const struct shk_evaluator *e = r->evaluator;
  if ((e->system->features & SHK_RHEONOMIC) == 0)
    return shk_rows_size(r->evaluator, r->weighted, task->G_b, task->q);
  for (int c = 0; c < e->system->n; c++)
    r->sizes[c] = real_fabs(task->q[c]) + real_fabs(task->drift * task->p[c] / e->system->mass[c]);
  return shk_rows_size(r->evaluator, r->weighted, task->G_b, r->sizes);
}

/* Returns max_i Σ_k |G_ik| |drift kick|/m_k Σ_j |G_jk lambda_j|, G = G_b: the effect on g of
 * rounding the terms of Gᵀlambda, over eps. Large multipliers may cancel in this sum. */
static real cancelled_position(struct shk_residuals *r, const struct shk_position_solve *task)
{
  const struct shk_evaluator *e = r->evaluator;
  const real factor = real_fabs(task->drift * task->kick);
  real *const terms = r->sizes;
  shk_fill(terms, 0, e->system->n);
  for (int i = 0; i < e->system->m; i++)
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
      terms[e->columns[k]] += real_fabs(task->G_b[k] * task->lambda[i]);
  for (int k = 0; k < e->system->n; k++)
    terms[k] = factor * terms[k] / e->system->mass[k];
  return shk_rows_size(r->evaluator, r->weighted, task->G_b, r->sizes);
}

static real rounding_of_position(void *user, bool cancelled)
{
  struct shk_residuals *r = user;
  return cancelled ? cancelled_position(r, r->position) : shk_position_rounding(r, r->position);
}

void shk_begin_position(struct shk_residuals *r, struct shk_iteration *iteration,
                        const struct shk_iteration_rule *rule,
                        const struct shk_position_solve *task)
{
  r->position = task;
  r->weighted = iteration->tolerance > 0
                    ? NULL
                    : shk_row_weights(r->evaluator, r->weights, r->sizes, task->G_b, task->q);
  shk_iteration_begin_estimated(iteration, rule, rounding_of_position, r);
}

static real weight_of(const struct shk_residuals *r, int row)
{
  return r->weighted ? r->weighted[row] : 1;
}

/* True if the largest residual is within the rounding of its own row; *rounding: that, over eps. */
static bool is_within_row(const struct shk_residuals *r, const struct shk_hidden_solve *task,
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
    const real kick = shk_over_mass(e, task->dp[c], c);
    *rounding += real_fabs(task->G1[k] * (real_fabs(r->velocity[c]) + real_fabs(kick)));
  }
  const bool is_within = real_fabs(r->residual[row]) <= REAL_EPSILON * *rounding;
  *rounding *= weight_of(r, row);
  return is_within;
}

/* Returns max_i Σ_k |G_ik| (|v_k| + |dp_k|/m_k), the rounding of G H_p over eps. Increments are
 * included because v may nearly vanish after large ones. If the largest residual is within the
 * rounding of its own row, the sum of that row suffices. General systems: the largest entry of H_pp
 * in place of 1/m; without increments until the Hessian is known. */
static real momentum_rounding(const struct shk_residuals *r, const struct shk_hidden_solve *task)
{
  const struct shk_evaluator *e = r->evaluator;
  const int n = e->system->n;
  real inverse = 0, of_row;
  if (!r->hessian && e->system->m > 1 && is_within_row(r, task, &of_row))
    return of_row;
  for (int i = 0; r->has_hessian && i < n; i++)
    inverse = real_max(inverse, real_max_norm(r->hessian + (size_t)(n + i) * 2 * n + n, n));
  for (int c = 0; c < n; c++) {
    const real kick = r->hessian ? task->dp[c] * inverse : shk_over_mass(e, task->dp[c], c);
    r->sizes[c] = real_fabs(r->velocity[c]) + real_fabs(kick);
  }
  return shk_rows_size(r->evaluator, r->weighted, task->G1, r->sizes);
}

/* Returns max_i Σ_k |G_ik| Σ_j (|H_pq|_kj |q_j| + |H_pp|_kj |p_j|): in general systems terms of H_p
 * may cancel, and have about the size of its derivatives times q and p. Zero for separable
 * systems. */
static real cancelled_velocity(const struct shk_residuals *r, const struct shk_hidden_solve *task)
{
  const int n = r->evaluator->system->n;
  if (!r->hessian)
    return 0;
  for (int c = 0; c < n; c++) {
    const real *const row = r->hessian + (size_t)(n + c) * 2 * n;
    r->sizes[c] = 0;
    for (int j = 0; j < n; j++)
      r->sizes[c] += real_fabs(row[j] * task->q1[j]) + real_fabs(row[n + j] * task->p1[j]);
  }
  return shk_rows_size(r->evaluator, r->weighted, task->G1, r->sizes);
}

static real rounding_of_momenta(void *user, bool cancelled)
{
  const struct shk_residuals *r = user;
  return cancelled ? cancelled_velocity(r, r->hidden) : momentum_rounding(r, r->hidden);
}

void shk_begin_hidden(struct shk_residuals *r, struct shk_iteration *iteration,
                      const struct shk_iteration_rule *rule, const struct shk_hidden_solve *task)
{
  r->hidden = task;
  r->weighted = shk_row_weights(r->evaluator, r->weights, r->sizes, task->G1, task->q1);
  r->has_hessian = false;
  shk_iteration_begin_estimated(iteration, rule, rounding_of_momenta, r);
}
