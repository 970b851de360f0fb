/*
 * Solves r(s) = 0 by the limited-memory version of Broyden's "good" method (Kelley, Iterative
 * Methods for Linear and Nonlinear Equations, alg. brsol). It starts from an approximate
 * derivative, which is recomputed in the first iterations and whenever the memory is full.
 *
 * A solve ends when max|r| is at most `tolerance`. If the tolerance is 0, it ends when max|r| does
 * not exceed its rounding error or stops decreasing at a small multiple of it. If Broyden's method
 * fails before its iteration limit and m is at most DIFFERENCES_LIMIT, the solve starts again from
 * the initial guess by Newton's method with finite differences and a line search. Once this method
 * comes close to a solution, Broyden's method takes over. If it stops at a minimum of max|r|, the
 * step has no real solution nearby.
 */
#include "integrators/geometric/fibre_solve.h"

#include "mechanics/algebra/iteration.h"
#include <shakedown/iteration.h>

enum { MEMORY = 10, RENEWED = 2, DAMPED = 60, HALVINGS = 30 };

/* Largest number of unknowns for which derivatives are approximated by finite differences. */
#define DIFFERENCES_LIMIT 64

static const struct shk_iteration_rule rule = {
    .stops = SHK_BY_RESIDUAL,
    .diverged = "the iteration for the multipliers diverged" SHK_TRY_SMALLER_STEP,
    .stopped = "the multiplier solve stopped improving at max|g| = %g (rounding: "
               "%g)" SHK_TRY_SMALLER_STEP,
    .at_limit = "the multiplier solve reached its iteration limit at max|g| = %g (limit "
                "%g)" SHK_TRY_SMALLER_STEP};

struct shk_fibre_solver {
  struct shk_evaluator *evaluator;
  int m;
  const struct shk_fibre_task *task; /* the task of the current solve */
  struct shk_iteration iteration;
  real *start, *trial, *r, *r_trial, *z;
  real *steps;      /* MEMORY x m */
  real *matrix;     /* m x m, computed by differences; NULL if m > DIFFERENCES_LIMIT */
  int *pivots;      /* m; NULL likewise */
  bool differences; /* whether the current matrix was computed by differences */
};

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAYS(shk_fibre_solver, (.m = 1), start, trial, r, r_trial, z),
             SHK_ARRAY(shk_fibre_solver, steps, .m = MEMORY));

struct shk_status shk_bind_fibre_solver(struct shk_fibre_solver **created,
                                        const struct shk_binding *binding)
{
  struct shk_workspace *workspace = binding->workspace;
  const size_t m = (size_t)binding->evaluator->system->m;
  struct shk_fibre_solver *fibre = *created =
      shk_part(workspace, sizeof *fibre, arrays, binding->evaluator);
  SHK_TRY(shk_allocated(fibre));
  fibre->evaluator = binding->evaluator;
  fibre->m = (int)m;
  fibre->iteration.tolerance = shk_values_real(binding->options, "tolerance");
  fibre->iteration.limit = shk_values_integer(binding->options, "iterations");
  if (m > DIFFERENCES_LIMIT)
    return shk_ok();
  SHK_TRY(shk_reals(workspace, &fibre->matrix, m * m));
  return shk_integers(workspace, &fibre->pivots, m);
}

static struct shk_status residual_at(struct shk_fibre_solver *fibre, real *r, const real *s)
{
  return fibre->task->residual(fibre->task->user, r, &fibre->iteration.rounding, s);
}

static void solve_linear(struct shk_fibre_solver *fibre, real *x)
{
  if (fibre->differences)
    shk_lu_solve(x, fibre->matrix, fibre->pivots, fibre->m);
  else
    fibre->task->solve(fibre->task->user, x);
}

/* Computes the next step from the residual in z and stores it in steps[count]: z <- -B⁻¹ r, where
 * B⁻¹ includes the updates from all previous steps. */
static void broyden_step(struct shk_fibre_solver *fibre, int count)
{
  const int m = fibre->m;
  solve_linear(fibre, fibre->z);
  shk_negate(fibre->z, m);
  for (int j = 0; j + 1 < count; j++) {
    const real *d = fibre->steps + j * m, *next = d + m;
    const real factor = real_dot(d, fibre->z, m) / real_dot(d, d, m);
    shk_vector_add(fibre->z, factor, next, m);
  }
  real scale = 1;
  if (count > 0) {
    const real *d = fibre->steps + (count - 1) * m;
    scale = 1 - real_dot(d, fibre->z, m) / real_dot(d, d, m);
  }
  for (int i = 0; i < m; i++)
    fibre->steps[count * m + i] = fibre->z[i] / scale;
}

/* A growing residual could lead to another branch of solutions, which a line search prevents. */
static bool moves_away(const struct shk_fibre_solver *fibre, real residual)
{
  const struct shk_iteration *it = &fibre->iteration;
  const bool solved = it->tolerance > 0 && residual <= it->tolerance;
  return fibre->pivots != NULL && it->count > 0 && real_isfinite(residual) && !solved &&
         residual > 2 * it->before && residual > rule.stops.at_rest * it->rounding;
}

static struct shk_status solve_by_broyden(struct shk_fibre_solver *fibre, real *s)
{
  const int m = fibre->m;
  struct shk_iteration *it = &fibre->iteration;
  int count = 0;
  shk_iteration_restart(it, &rule, 0);
  for (;;) {
    SHK_TRY(residual_at(fibre, fibre->r, s));
    const real residual = real_max_norm(fibre->r, m);
    if (moves_away(fibre, residual)) {
      shk_iteration_note(it, residual);
      return shk_failure(
          SHK_NOT_CONVERGED,
          "the iteration for the multipliers moves away from a solution: max|g| = %g after "
          "%g" SHK_TRY_SMALLER_STEP,
          (double)residual, (double)it->before);
    }
    const struct shk_status status = shk_iteration_next(it, residual);
    if (status.code != SHK_OK || it->converged)
      return status;
    if (!fibre->differences && (it->count <= RENEWED || count == MEMORY)) {
      fibre->evaluator->counters.factorizations++;
      SHK_TRY(fibre->task->matrix(fibre->task->user));
      count = 0;
    } else if (count == MEMORY) {
      count = 0;
    }
    fibre->evaluator->counters.iterations++;
    shk_copy(fibre->z, fibre->r, m);
    broyden_step(fibre, count);
    const real *step = fibre->steps + count * m;
    const real length = real_dot(step, step, m);
    if (!(length > 0) || !real_isfinite(length))
      return shk_failure(SHK_NOT_CONVERGED,
                         "the multiplier solve cannot improve beyond max|g| = %g (rounding: "
                         "%g)" SHK_TRY_SMALLER_STEP,
                         (double)residual, (double)fibre->iteration.rounding);
    shk_vector_add(s, 1, step, m);
    count++;
  }
}

/* Approximates the derivative at s by forward differences from the residual r at s, and factors it.
 * Sets *regular to false if it is singular. */
static struct shk_status differentiate_fibre_solve(struct shk_fibre_solver *fibre, bool *regular,
                                                   const real *s)
{
  const int m = fibre->m;
  const real size = real_max_norm(s, m), root = real_sqrt(REAL_EPSILON);
  const real increment = root * (size > 0 ? size : 1);
  shk_copy(fibre->trial, s, m);
  for (int j = 0; j < m; j++) {
    fibre->trial[j] = s[j] + increment;
    SHK_TRY(residual_at(fibre, fibre->r_trial, fibre->trial));
    for (int i = 0; i < m; i++)
      fibre->matrix[i * m + j] = (fibre->r_trial[i] - fibre->r[i]) / (fibre->trial[j] - s[j]);
    fibre->trial[j] = s[j];
  }
  fibre->evaluator->counters.factorizations++;
  *regular = shk_lu_factor(fibre->matrix, fibre->pivots, m);
  return shk_ok();
}

/* Returns true if the failure was caused by the trial point rather than by the problem. */
static bool is_of_point(struct shk_status status)
{
  return status.code == SHK_NOT_CONVERGED || status.code == SHK_NOT_FINITE ||
         status.code == SHK_SINGULAR;
}

/* Starts Newton's method with finite differences and a line search from s. Stops when convergence
 * becomes quadratic (and sets *near to true), when the residual no longer improves, or after DAMPED
 * iterations. */
static struct shk_status solve_with_line_search(struct shk_fibre_solver *fibre, bool *near, real *s)
{
  const int m = fibre->m;
  *near = false;
  SHK_TRY(residual_at(fibre, fibre->r, s));
  real norm = real_sqrt(real_dot(fibre->r, fibre->r, m));
  for (int iteration = 0; iteration < DAMPED && norm > 0; iteration++) {
    bool regular;
    SHK_TRY(differentiate_fibre_solve(fibre, &regular, s));
    fibre->evaluator->counters.iterations++;
    if (!regular)
      return shk_ok();
    shk_copy(fibre->z, fibre->r, m);
    shk_lu_solve(fibre->z, fibre->matrix, fibre->pivots, m);
    real part = 1, now = norm;
    for (int k = 0; k < HALVINGS; k++, part /= 2) {
      for (int i = 0; i < m; i++)
        fibre->trial[i] = s[i] - part * fibre->z[i];
      const struct shk_status status = residual_at(fibre, fibre->r_trial, fibre->trial);
      if (status.code != SHK_OK && !is_of_point(status))
        return status;
      now = status.code == SHK_OK ? real_sqrt(real_dot(fibre->r_trial, fibre->r_trial, m)) : norm;
      if (now < norm * (1 - part / 4))
        break;
    }
    if (!(now < norm * (1 - part / 4)))
      return shk_ok();
    shk_copy(s, fibre->trial, m);
    shk_copy(fibre->r, fibre->r_trial, m);
    const bool fast = part == 1 && now < norm / 100;
    norm = now;
    shk_iteration_note(&fibre->iteration, real_max_norm(fibre->r, m));
    if (fast) {
      *near = true;
      SHK_TRY(differentiate_fibre_solve(fibre, &regular, s));
      return shk_ok();
    }
  }
  return shk_ok();
}

struct shk_status shk_fibre_solve(struct shk_fibre_solver *fibre, real *s,
                                  const struct shk_fibre_task *task)
{
  fibre->evaluator->solving = &fibre->iteration;
  shk_iteration_begin(&fibre->iteration, &rule, 0);
  fibre->task = task;
  fibre->differences = false;
  shk_copy(fibre->start, s, fibre->m);
  const struct shk_status first = solve_by_broyden(fibre, s);
  if (first.code == SHK_OK || !is_of_point(first) || first.reason == rule.at_limit ||
      !fibre->pivots)
    return first;
  bool near;
  shk_copy(s, fibre->start, fibre->m);
  const struct shk_status second = solve_with_line_search(fibre, &near, s);
  if (second.code != SHK_OK)
    return is_of_point(second) ? first : second;
  if (near) {
    fibre->differences = true;
    return solve_by_broyden(fibre, s);
  }
  return shk_failure(SHK_NOT_CONVERGED,
                     "the step has no real solution nearby: along the fibre, max|g| does not fall "
                     "below %g (rounding: %g)" SHK_TRY_SMALLER_STEP,
                     (double)real_max_norm(fibre->r, fibre->m), (double)fibre->iteration.rounding);
}
