/*
 * Newton's method for small dense systems with an analytic Jacobian, iterated to round-off in
 * `real`. Convergence is judged by the corrections, because the residuals of the stages have no
 * common scale.
 *
 * If constraints are redundant, the matrix of a bordered system is singular, because the
 * multipliers are not unique and the equations are dependent. Let the rows of E (r x m) be the
 * directions that span the range of G at the start of the step (redundant.h). The substitution
 *
 *     lambda = Eᵀ y,     E g = 0
 *
 * then makes the matrix regular if the motion is determined. The remaining part of g is checked at
 * the end.
 *
 * In quad, a system of more than FEW equations is factored in double, and its solution is refined
 * using residuals in quad (Higham 2002, section 12.1). If refinement gains too few digits, the
 * system is factored in quad.
 */
#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/algebra/factorizations/in_double.h"
#include "mechanics/algebra/factorizations/redundant.h"
#include "mechanics/algebra/iteration.h"
#include "mechanics/algebra/rough.h"
#include "mechanics/binding/binding.h"
#include <shakedown/bind.h>
#include <shakedown/iteration.h>

/* Upper bound on the residual of a removed equation, relative to the residual that can be explained
 * by the last correction and the rounding of the unknowns. */
#define EXPLAINED 1000

/* With up to this many equations, factoring in quad costs no more than refinement. */
enum { FEW = 16 };
#define LEAST_GAIN R(1e-6)            /* largest allowed ratio of two successive changes */
#define DIGITS_OF_CORRECTION R(1e-25) /* the next iterate corrects the remaining digits */

struct shk_newton {
  int size;
  struct shk_iteration_rule rule;
  struct shk_iteration iteration;
  real *F, *jacobian;
  int *pivots;
  struct shk_refinement {
    double *factors, *x; /* size² and `size` entries; NULL if factors are in full precision */
    /* `size` entries each, where `scales` contains the largest entry of each row */
    real *right, *residual, *scales;
  } refinement;
  /* The following members handle redundant constraints. `redundant` is NULL if the options do not
   * remove redundant constraints. */
  struct shk_redundant *redundant;
  int m;       /* 0 if there are no redundant constraints */
  real *range; /* m x m, where the first `rank` rows contain E */
  /* `size` entries each; `constraints` contains the constraint residuals of F before the linear
   * solve */
  real *F_kept, *constraints;
  /* size² entries each; `half` contains all rows, but only the reduced columns */
  real *jacobian_kept, *half;
};

/* Corrections that have stopped decreasing are round-off. This round-off can be large. For an
 * impulse, its relative size is eps/h, or eps/h² if the motion starts from rest. Corrections count
 * as stopped only if they do not decrease at all, because close to a double root each iteration
 * merely halves them. */
static void set_rule(struct shk_iteration_rule *rule)
{
  *rule = (struct shk_iteration_rule){
      .stops = {1, 1 / real_sqrt(REAL_EPSILON), 1, 1, 6},
      .diverged = "Newton's iteration for the implicit step diverged" SHK_TRY_SMALLER_STEP,
      .stopped = "Newton's iteration for the implicit step did not converge: correction %g "
                 "(rounding: %g)" SHK_TRY_SMALLER_STEP,
      .at_limit = "Newton's iteration for the implicit step did not converge: correction %g "
                  "(iteration limit %g)" SHK_TRY_SMALLER_STEP};
}

struct shk_status shk_bind_newton(struct shk_newton **created, const struct shk_binding *binding,
                                  int size, long iterations)
{
  struct shk_workspace *workspace = binding->workspace;
  const size_t wide = (size_t)size;
  struct shk_newton *newton = *created = shk_memory(workspace, sizeof *newton);
  SHK_TRY(shk_allocated(newton));
  newton->size = size;
  newton->iteration.limit = iterations;
  set_rule(&newton->rule);
  SHK_TRY(shk_reals(workspace, &newton->F, wide));
  SHK_TRY(shk_reals(workspace, &newton->jacobian, wide * wide));
  if (RESIDUALS_ARE_FINER && size > FEW) {
    newton->refinement.factors = shk_memory(workspace, wide * wide * sizeof(double));
    newton->refinement.x = shk_memory(workspace, wide * sizeof(double));
    SHK_TRY(shk_allocated(newton->refinement.factors));
    SHK_TRY(shk_allocated(newton->refinement.x));
    SHK_TRY(shk_reals(workspace, &newton->refinement.right, wide));
    SHK_TRY(shk_reals(workspace, &newton->refinement.residual, wide));
    SHK_TRY(shk_reals(workspace, &newton->refinement.scales, wide));
  }
  return shk_integers(workspace, &newton->pivots, wide);
}

struct shk_status shk_newton_take_redundant(struct shk_newton *newton,
                                            const struct shk_evaluator *e,
                                            const struct shk_values *options)
{
  struct shk_workspace *workspace = shk_workspace_of(newton);
  const int kind = shk_values_choice(options, "linear");
  const size_t size = (size_t)newton->size, m = (size_t)e->system->m;
  if (m == 0 || (shk_linear_traits(kind) & SHK_TAKES_REDUNDANT) == 0)
    return shk_ok();
  newton->m = (int)m;
  SHK_TRY(shk_reals(workspace, &newton->range, m * m));
  SHK_TRY(shk_reals(workspace, &newton->F_kept, size));
  SHK_TRY(shk_reals(workspace, &newton->constraints, size));
  SHK_TRY(shk_reals(workspace, &newton->jacobian_kept, size * size));
  SHK_TRY(shk_reals(workspace, &newton->half, size * size));
  return shk_redundant_create(&newton->redundant, workspace, e, kind == SHK_LINEAR_SVD);
}

struct shk_status shk_newton_find_range(struct shk_newton *newton, const real *G)
{
  if (!newton->redundant)
    return shk_ok();
  SHK_TRY(shk_redundant_basis(newton->redundant, G));
  for (int k = 0; k < shk_redundant_rank(newton->redundant); k++)
    shk_redundant_direction(newton->redundant, newton->range + (size_t)k * newton->m, k);
  return shk_ok();
}

int shk_last_residuals(const struct shk_evaluator *e, double *residuals, int limit)
{
  const struct shk_iteration *const it = e->solving;
  if (!it)
    return 0;
  int count = it->history_count < SHK_ITERATION_HISTORY ? it->history_count : SHK_ITERATION_HISTORY;
  if (count > limit)
    count = limit;
  for (int i = 0; i < count; i++)
    residuals[i] = it->history[(it->history_count - count + i) % SHK_ITERATION_HISTORY];
  return count;
}

void shk_momentum_weights(real *weights, int n, real size_q, real size_p, real h,
                          const real *hessian)
{
  const real *H_pp = hessian + 2 * (size_t)n * (size_t)n + n;
  const real reach = size_q / real_fabs(h);
  real largest = 0;
  for (int i = 0; i < n; i++) {
    const real inverse_mass = H_pp[(size_t)i * 2 * (size_t)n + (size_t)i];
    weights[i] = inverse_mass > 0 ? real_max(size_p, reach / inverse_mass) : size_p;
    largest = real_max(largest, weights[i]);
  }
  for (int i = 0; i < n && size_p == 0; i++)
    weights[i] = weights[i] > 0 ? weights[i] : largest > 0 ? largest : 1;
}

/* ---- linear systems ---- */

/* Scales the rows of A (n x n) to size 1 and factors A in double. Returns false if A is singular or
 * contains a NaN. */
static bool factor_roughly(struct shk_newton *newton, const real *A, int n)
{
  for (int i = 0; i < n; i++) {
    const real *const row = A + (size_t)i * n;
    const real scale = newton->refinement.scales[i] = real_max_norm(row, n), inverse = 1 / scale;
    if (!(scale > 0))
      return false;
    for (int j = 0; j < n; j++)
      newton->refinement.factors[(size_t)i * n + j] = (double)(row[j] * inverse);
  }
  return shk_in_double_lu_factor(newton->refinement.factors, newton->pivots, n);
}

/* x <- A⁻¹ x by iterative refinement. If a refinement pass gains too little, returns false and
 * leaves x unchanged. */
static bool refine(struct shk_newton *newton, const real *A, real *x, int n)
{
  const struct shk_refinement *const to = &newton->refinement;
  if (!to->factors || !factor_roughly(newton, A, n))
    return false;
  shk_copy(to->right, x, n);
  shk_fill(x, 0, n);
  real last = 0, change = 0;
  for (int pass = 0; pass == 0 || change <= LEAST_GAIN * last; pass++) {
    last = pass == 0 ? (real)INFINITY : change;
    for (int i = 0; i < n; i++)
      to->residual[i] = (to->right[i] - real_dot(A + (size_t)i * n, x, n)) / to->scales[i];
    const real size = real_max_norm(to->residual, n);
    for (int i = 0; i < n; i++)
      to->x[i] = size > 0 ? (double)(to->residual[i] / size) : 0;
    shk_in_double_lu_solve(to->x, to->factors, newton->pivots, n);
    change = 0;
    for (int i = 0; i < n; i++) {
      const real step = size * (real)to->x[i];
      x[i] += step;
      change = real_max(change, real_fabs(step));
    }
    if (change <= DIGITS_OF_CORRECTION * real_max_norm(x, n))
      return true;
  }
  shk_copy(x, to->right, n);
  return false;
}

/* x <- A⁻¹ x. May overwrite A. Returns false if A is singular. */
static bool solve_linear(struct shk_newton *newton, real *A, real *x, int n)
{
  if (refine(newton, A, x, n))
    return true;
  if (!shk_lu_factor(A, newton->pivots, n))
    return false;
  shk_lu_solve(x, A, newton->pivots, n);
  return true;
}

/* Copies a row to `out` and replaces the vector x formed by its last m entries with E x. The
 * entries of both rows are `stride` apart. */
static void keep_dense_newton(const struct shk_newton *newton, real *out, const real *row,
                              int stride)
{
  const int m = newton->m, rank = shk_redundant_rank(newton->redundant), head = newton->size - m;
  for (int i = 0; i < head; i++)
    out[(size_t)i * stride] = row[(size_t)i * stride];
  for (int k = 0; k < rank; k++)
    out[(size_t)(head + k) * stride] =
        shk_dot_strided(newton->range + (size_t)k * m, row + (size_t)head * stride, stride, m);
}

/* F <- the correction to all unknowns, where the constraints are restricted to their range. Returns
 * false if the matrix is singular. */
static bool correct_within_range(struct shk_newton *newton)
{
  const int size = newton->size, m = newton->m, rank = shk_redundant_rank(newton->redundant);
  const int head = size - m, kept = head + rank;
  for (int i = 0; i < size; i++) /* columns of unknowns */
    keep_dense_newton(newton, newton->half + (size_t)i * size, newton->jacobian + (size_t)i * size,
                      1);
  for (int j = 0; j < kept; j++) /* rows of equations */
    keep_dense_newton(newton, newton->jacobian_kept + j, newton->half + j, size);
  for (int i = 0; i < kept; i++) /* close the gaps between the rows */
    memmove(newton->jacobian_kept + (size_t)i * kept, newton->jacobian_kept + (size_t)i * size,
            (size_t)kept * sizeof(real));
  keep_dense_newton(newton, newton->F_kept, newton->F, 1);
  if (!solve_linear(newton, newton->jacobian_kept, newton->F_kept, kept))
    return false;
  shk_copy(newton->F, newton->F_kept, head);
  for (int i = 0; i < m; i++)
    newton->F[head + i] = shk_dot_strided(newton->F_kept + head, newton->range + i, m, rank);
  return true;
}

/* Returns the largest constraint residual, relative to the residual that can be explained by the
 * rounding of the unknowns and by their last `correction`, which is given relative to the
 * weights. */
static real unexplained_residual(const struct shk_newton *newton, const real *x, int watched,
                                 const real *weights, real correction)
{
  const int head = newton->size - newton->m;
  real worst = 0;
  for (int i = 0; i < newton->m; i++) {
    const real *row = newton->jacobian + (size_t)(head + i) * newton->size;
    real sum = REAL_SMALLEST / REAL_EPSILON;
    for (int j = 0; j < watched; j++)
      sum += real_fabs(row[j]) *
             (REAL_EPSILON * real_fabs(x[j]) + (REAL_EPSILON + correction) * weights[j]);
    worst = real_max(worst, real_fabs(newton->constraints[i]) / sum);
  }
  return worst;
}

/* F <- the correction to all unknowns. Returns false if the matrix is singular. */
static bool correct_dense_newton(struct shk_newton *newton)
{
  if (!newton->redundant)
    return solve_linear(newton, newton->jacobian, newton->F, newton->size);
  shk_copy(newton->constraints, newton->F + (newton->size - newton->m), newton->m);
  return correct_within_range(newton);
}

/* After convergence, checks that the removed redundant constraints hold too. */
static struct shk_status accept_dense_newton(const struct shk_newton *newton, const real *x,
                                             int watched, const real *weights, real correction)
{
  if (!newton->redundant)
    return shk_ok();
  const real off = unexplained_residual(newton, x, watched, weights, correction);
  return off <= EXPLAINED ? shk_ok()
                          : shk_failure(SHK_NOT_CONVERGED,
                                        "constraints that were treated as redundant do not hold at "
                                        "the end of the step: they are off by %g times rounding",
                                        (double)off, 0);
}

struct shk_status shk_newton_solve(struct shk_newton *newton, struct shk_evaluator *evaluator,
                                   real *x, int watched, const real *weights,
                                   shk_newton_function *function, void *user)
{
  evaluator->solving = &newton->iteration;
  shk_iteration_begin(&newton->iteration, &newton->rule, REAL_EPSILON);
  for (int i = newton->size - newton->m; i < newton->size; i++)
    x[i] = 0;
  for (;;) {
    SHK_TRY(function(user, newton->F, newton->jacobian, x));
    evaluator->counters.factorizations++;
    evaluator->counters.iterations++;
    if (!correct_dense_newton(newton))
      return shk_failure(SHK_SINGULAR,
                         "the matrix of the implicit step is singular (linear=qr and linear=svd "
                         "accept redundant constraints)",
                         0, 0);
    for (int i = 0; i < newton->size; i++) {
      x[i] -= newton->F[i];
      if (i < watched)
        newton->F[i] /= weights[i];
    }
    const real correction = real_max_norm(newton->F, watched);
    SHK_TRY(shk_iteration_next(&newton->iteration, correction));
    if (newton->iteration.converged)
      return accept_dense_newton(newton, x, watched, weights, correction);
  }
}
