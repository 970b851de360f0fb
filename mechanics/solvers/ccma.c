/*
 * solver=ccma, for distance constraints (P. Eastman & V. S. Pande, J. Chem. Theory Comput. 6 (2010)
 * 434): Newton's method with the matrix diag(K_ii(q1,q0)) (D⁻¹ K), D = diag(K). The second factor
 * changes little as long as the angles between bonds change little. Its inverse is computed once,
 * and entries below `cutoff` are dropped. The correction
 *
 *     lambda_i += Σ_j C_ij g_j(q1) / (drift kick K_jj(q1,q0)),     C ≈ (D⁻¹ K)⁻¹,
 *
 * is repeated until g = 0. The angles are those of the problem's initial state, so that a step
 * depends only on the state from which it starts. In the original method, the angles come from the
 * force field.
 */
#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/solvers/kit/diagonal.h"
#include "mechanics/solvers/kit/residuals.h"
#include "mechanics/solvers/kit/solvers.h"
#include "mechanics/solvers/kit/stopping.h"
#include "mechanics/system/callback.h"
#include "mechanics/system/evaluate.h"
#include "mechanics/system/rods.h"

/* Largest number of constraints. It is limited because the inverse is computed as a dense
 * matrix. */
#define LARGEST 1024

struct ccma {
  struct shk_residuals at;
  struct shk_linear *linear;
  real cutoff;
  /* the rows of C in compressed form; `start` has m + 1 entries, the other arrays have up to m² */
  int *start, *column;
  real *entry;
  real *scaled; /* m */
  real *G1;     /* values of G at the current q1 */
};

/* Computes C and stores it in `entry` as a dense row-major matrix. */
static struct shk_status invert_ccma(struct ccma *ccma, const real *G)
{
  struct shk_evaluator *e = ccma->at.evaluator;
  const int m = e->system->m;
  e->counters.factorizations++;
  SHK_TRY(shk_linear_factor(ccma->linear, G, G));
  for (int j = 0; j < m; j++) {
    const real own = shk_own_entry(e, G, G, j);
    for (int i = 0; i < m; i++)
      ccma->scaled[i] = i == j ? own : 0;
    shk_linear_solve(ccma->linear, ccma->scaled);
    for (int i = 0; i < m; i++)
      ccma->entry[(size_t)i * m + j] = ccma->scaled[i];
  }
  return shk_ok();
}

/* Compresses C in place, row by row, keeping only the entries with |C_ij| >= cutoff. */
static void leave_out_small(struct ccma *ccma)
{
  const int m = ccma->at.evaluator->system->m;
  int count = 0;
  for (int i = 0; i < m; i++) {
    ccma->start[i] = count;
    for (int j = 0; j < m; j++) {
      const real entry = ccma->entry[(size_t)i * m + j];
      if (real_fabs(entry) < ccma->cutoff)
        continue;
      ccma->column[count] = j;
      ccma->entry[count++] = entry;
    }
  }
  ccma->start[m] = count;
}

/* Computes C at the problem's initial state. */
static struct shk_status find_inverse(struct ccma *ccma, const struct shk_binding *b)
{
  struct shk_evaluator *const e = ccma->at.evaluator;
  const struct shk_instance *const instance = b->instance;
  const size_t n = (size_t)e->system->n;
  real *q, *G;
  SHK_TRY(shk_reals(b->workspace, &q, 2 * n));
  SHK_TRY(shk_reals(b->workspace, &G, (size_t)e->row_start[e->system->m]));
  SHK_TRY(
      shk_callback_status(&instance->system, instance->start(instance->system.context, q, q + n)));
  SHK_TRY(shk_jacobian(e, G, instance->initial_time, q));
  SHK_TRY(invert_ccma(ccma, G));
  leave_out_small(ccma);
  shk_give_back(G);
  shk_give_back(q);
  return shk_ok();
}

/* Replaces the residual (m) with the correction to the multipliers, and adds this correction to the
 * multipliers. */
static void correct_ccma(struct ccma *ccma, real *multipliers, const real *G_a, const real *G_b,
                         real factor)
{
  struct shk_evaluator *e = ccma->at.evaluator;
  const int m = e->system->m;
  real *step = ccma->at.residual;
  e->counters.iterations++;
  for (int j = 0; j < m; j++)
    ccma->scaled[j] = step[j] / (factor * shk_own_entry(e, G_a, G_b, j));
  for (int i = 0; i < m; i++) {
    step[i] = 0;
    for (int k = ccma->start[i]; k < ccma->start[i + 1]; k++)
      step[i] += ccma->entry[k] * ccma->scaled[ccma->column[k]];
    multipliers[i] += step[i];
  }
}

static struct shk_status position(void *self, struct shk_iteration *iteration,
                                  const struct shk_kick *kick)
{
  struct ccma *ccma = self;
  struct shk_evaluator *e = ccma->at.evaluator;
  shk_begin_position(&ccma->at, iteration, &shk_position_sweep_rule, kick);
  for (;;) {
    real residual;
    SHK_TRY(shk_residuals_position(&ccma->at, &residual, kick));
    SHK_TRY(shk_iteration_next(iteration, residual));
    if (iteration->converged)
      return shk_ok();
    SHK_TRY(shk_iterate_jacobian(e, ccma->G1, kick->t, kick->to->q));
    correct_ccma(ccma, kick->multiplier, ccma->G1, kick->along, kick->drift * kick->by);
  }
}

static struct shk_status hidden(void *self, struct shk_iteration *iteration,
                                const struct shk_kick *kick)
{
  struct ccma *ccma = self;
  shk_begin_hidden(&ccma->at, iteration, &shk_hidden_sweep_rule, kick);
  for (;;) {
    real residual;
    SHK_TRY(shk_residuals_hidden(&ccma->at, &residual, kick));
    SHK_TRY(shk_iteration_next(iteration, residual));
    if (iteration->converged)
      return shk_ok();
    correct_ccma(ccma, kick->multiplier, kick->along, kick->along, kick->by);
    shk_jacobian_transposed_add(ccma->at.evaluator, kick->dp, kick->along, -kick->by,
                                ccma->at.residual);
  }
}

struct shk_status shk_ccma_solver_create(struct shk_solver *solver, const struct shk_binding *b)
{
  struct shk_evaluator *e = b->evaluator;
  const size_t m = (size_t)e->system->m;
  struct ccma *ccma = shk_memory(b->workspace, sizeof *ccma);
  *solver = (struct shk_solver){ccma, position, hidden};
  SHK_TRY(shk_allocated(ccma));
  SHK_TRY(shk_rods_needed(e->system, "solver=ccma is for systems whose constraints are rods"));
  if (m > LARGEST)
    return shk_failure(SHK_REFUSED, "solver=ccma accepts at most %g constraints, but there are %g",
                       LARGEST, (double)m);
  ccma->cutoff = shk_values_real(shk_values_nested(b->options, "solver"), "cutoff");
  SHK_TRY(shk_linear_create_kind(&ccma->linear, b->workspace, e, SHK_LINEAR_AUTO, NULL));
  SHK_TRY(shk_residuals_init(&ccma->at, b));
  SHK_TRY(shk_integers(b->workspace, &ccma->start, m + 1));
  SHK_TRY(shk_integers(b->workspace, &ccma->column, m * m));
  SHK_TRY(shk_reals(b->workspace, &ccma->entry, m * m));
  SHK_TRY(shk_reals(b->workspace, &ccma->scaled, m));
  SHK_TRY(shk_reals(b->workspace, &ccma->G1, (size_t)e->row_start[m]));
  return find_inverse(ccma, b);
}
