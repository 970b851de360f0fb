/*
 * Broyden's method for r(s) = 0 ("good" Broyden, limited memory: Kelley, Iterative Methods for
 * Linear and Nonlinear Equations, alg. brsol), from an approximate derivative that is updated in
 * the first iterations and whenever the memory is full.
 *
 * A solve ends when max|r| is down to `tolerance`, or, with tolerance 0, when it is no larger than
 * its rounding or has stopped falling within a small factor of it. Where Broyden's method fails
 * before its limit of iterations and m is at most DIFFERENCES_LIMIT, Newton's method with
 * differences and a line search starts again from the guess. If it comes near a solution, Broyden's
 * method finishes; if it stops at a minimum of max|r|, the step has no real solution near.
 */
#include "integrators/geometric/fibre_solve.h"

#include "mechanics/algebra/iteration.h"
#include <shakedown/iteration.h>

enum { MEMORY = 10, RENEWED = 2, DAMPED = 60, HALVINGS = 30 };

/* Largest number of unknowns for which derivatives are computed by differences. */
#define DIFFERENCES_LIMIT 64

static const struct shk_iteration_rule rule = {
    .stops = SHK_BY_RESIDUAL,
    .diverged = "the iteration for the multipliers diverged" SHK_TRY_SMALLER_STEP,
    .stopped = "the multiplier solve stopped improving at max|g| = %g (rounding: "
               "%g)" SHK_TRY_SMALLER_STEP,
    .limit = "the multiplier solve met its limit of iterations at max|g| = %g (limit "
             "%g)" SHK_TRY_SMALLER_STEP};

struct shk_fibre_solver {
  struct shk_evaluator *evaluator;
  int m;
  const struct shk_fibre_task *task; /* of the solve under way */
  struct shk_iteration iteration;
  real *start, *trial, *r, *r_trial, *z;
  real *steps;      /* MEMORY x m */
  real *matrix;     /* m x m, by differences; NULL beyond DIFFERENCES_LIMIT */
  int *pivots;      /* m; NULL likewise */
  bool differences; /* the current matrix was computed by differences */
};

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAYS(shk_fibre_solver, (.m = 1), start, trial, r, r_trial, z),
             SHK_ARRAY(shk_fibre_solver, steps, .m = MEMORY));

struct shk_status shk_bind_fibre_solver(struct shk_fibre_solver **fibre,
                                        const struct shk_binding *binding)
{
  struct shk_workspace *workspace = binding->workspace;
  const size_t m = (size_t)binding->evaluator->system->m;
  struct shk_fibre_solver *w = *fibre = shk_part(workspace, sizeof *w, arrays, binding->evaluator);
  SHK_TRY(shk_allocated(w));
  w->evaluator = binding->evaluator;
  w->m = (int)m;
  w->iteration.tolerance = shk_values_real(binding->options, "tolerance");
  w->iteration.limit = shk_values_integer(binding->options, "iterations");
  if (m > DIFFERENCES_LIMIT)
    return shk_ok();
  SHK_TRY(shk_reals(workspace, &w->matrix, m * m));
  return shk_integers(workspace, &w->pivots, m);
}

static struct shk_status residual_at(struct shk_fibre_solver *w, real *r, const real *s)
{
  return w->task->residual(w->task->user, r, &w->iteration.rounding, s);
}

static void solve_linear(struct shk_fibre_solver *w, real *x)
{
  if (w->differences)
    shk_lu_solve(x, w->matrix, w->pivots, w->m);
  else
    w->task->solve(w->task->user, x);
}

/* Stores the next step in steps[count], from the residual in z: z <- -B⁻¹ r, with the updates of
 * B⁻¹ by the previous steps. */
static void broyden_step(struct shk_fibre_solver *w, int count)
{
  const int m = w->m;
  solve_linear(w, w->z);
  shk_negate(w->z, m);
  for (int j = 0; j + 1 < count; j++) {
    const real *d = w->steps + j * m, *next = d + m;
    const real factor = real_dot(d, w->z, m) / real_dot(d, d, m);
    shk_vector_add(w->z, factor, next, m);
  }
  real scale = 1;
  if (count > 0) {
    const real *d = w->steps + (count - 1) * m;
    scale = 1 - real_dot(d, w->z, m) / real_dot(d, d, m);
  }
  for (int i = 0; i < m; i++)
    w->steps[count * m + i] = w->z[i] / scale;
}

/* A growing residual may lead to another branch of solutions; a line search prevents it. */
static bool moves_away(const struct shk_fibre_solver *w, real residual)
{
  const struct shk_iteration *it = &w->iteration;
  const bool solved = it->tolerance > 0 && residual <= it->tolerance;
  return w->pivots != NULL && it->count > 0 && real_isfinite(residual) && !solved &&
         residual > 2 * it->before && residual > rule.stops.at_rest * it->rounding;
}

static struct shk_status broyden(struct shk_fibre_solver *w, real *s)
{
  const int m = w->m;
  struct shk_iteration *it = &w->iteration;
  int count = 0;
  shk_iteration_restart(it, &rule, 0);
  for (;;) {
    SHK_TRY(residual_at(w, w->r, s));
    const real residual = real_max_norm(w->r, m);
    if (moves_away(w, residual)) {
      shk_iteration_note(it, residual);
      return shk_failure(SHK_NOT_CONVERGED,
                         "the iteration for the multipliers moves away: max|g| = %g after "
                         "%g" SHK_TRY_SMALLER_STEP,
                         (double)residual, (double)it->before);
    }
    const struct shk_status status = shk_iteration_next(it, residual);
    if (status.code != SHK_OK || it->converged)
      return status;
    if (!w->differences && (it->count <= RENEWED || count == MEMORY)) {
      w->evaluator->work.factorizations++;
      SHK_TRY(w->task->matrix(w->task->user));
      count = 0;
    } else if (count == MEMORY) {
      count = 0;
    }
    w->evaluator->work.iterations++;
    shk_copy(w->z, w->r, m);
    broyden_step(w, count);
    const real *step = w->steps + count * m;
    const real length = real_dot(step, step, m);
    if (!(length > 0) || !real_isfinite(length))
      return shk_failure(SHK_NOT_CONVERGED,
                         "the multiplier solve can improve no further than max|g| = %g (rounding: "
                         "%g)" SHK_TRY_SMALLER_STEP,
                         (double)residual, (double)w->iteration.rounding);
    shk_vector_add(s, 1, step, m);
    count++;
  }
}

/* Computes and factors the derivative at s by forward differences from the residual r there.
 * *regular: false if it is singular. */
static struct shk_status differentiate(struct shk_fibre_solver *w, bool *regular, const real *s)
{
  const int m = w->m;
  const real size = real_max_norm(s, m), root = real_sqrt(REAL_EPSILON);
  const real increment = root * (size > 0 ? size : 1);
  shk_copy(w->trial, s, m);
  for (int j = 0; j < m; j++) {
    w->trial[j] = s[j] + increment;
    SHK_TRY(residual_at(w, w->r_trial, w->trial));
    for (int i = 0; i < m; i++)
      w->matrix[i * m + j] = (w->r_trial[i] - w->r[i]) / (w->trial[j] - s[j]);
    w->trial[j] = s[j];
  }
  w->evaluator->work.factorizations++;
  *regular = shk_lu_factor(w->matrix, w->pivots, m);
  return shk_ok();
}

/* True if the failure is due to the trial point, not to the problem. */
static bool is_of_point(struct shk_status status)
{
  return status.code == SHK_NOT_CONVERGED || status.code == SHK_NOT_FINITE ||
         status.code == SHK_SINGULAR;
}

/* Newton's method with differences and a line search from s. Ends when convergence is quadratic
 * (*near is then true), when nothing improves, or after DAMPED iterations. */
static struct shk_status damped(struct shk_fibre_solver *w, bool *near, real *s)
{
  const int m = w->m;
  *near = false;
  SHK_TRY(residual_at(w, w->r, s));
  real norm = real_sqrt(real_dot(w->r, w->r, m));
  for (int iteration = 0; iteration < DAMPED && norm > 0; iteration++) {
    bool regular;
    SHK_TRY(differentiate(w, &regular, s));
    w->evaluator->work.iterations++;
    if (!regular)
      return shk_ok();
    shk_copy(w->z, w->r, m);
    shk_lu_solve(w->z, w->matrix, w->pivots, m);
    real part = 1, now = norm;
    for (int k = 0; k < HALVINGS; k++, part /= 2) {
      for (int i = 0; i < m; i++)
        w->trial[i] = s[i] - part * w->z[i];
      const struct shk_status status = residual_at(w, w->r_trial, w->trial);
      if (status.code != SHK_OK && !is_of_point(status))
        return status;
      now = status.code == SHK_OK ? real_sqrt(real_dot(w->r_trial, w->r_trial, m)) : norm;
      if (now < norm * (1 - part / 4))
        break;
    }
    if (!(now < norm * (1 - part / 4)))
      return shk_ok();
    shk_copy(s, w->trial, m);
    shk_copy(w->r, w->r_trial, m);
    const bool fast = part == 1 && now < norm / 100;
    norm = now;
    shk_iteration_note(&w->iteration, real_max_norm(w->r, m));
    if (fast) {
      *near = true;
      SHK_TRY(differentiate(w, &regular, s));
      return shk_ok();
    }
  }
  return shk_ok();
}

struct shk_status shk_fibre_solve(struct shk_fibre_solver *w, real *s,
                                  const struct shk_fibre_task *task)
{
  w->evaluator->solving = &w->iteration;
  shk_iteration_begin(&w->iteration, &rule, 0);
  w->task = task;
  w->differences = false;
  shk_copy(w->start, s, w->m);
  const struct shk_status first = broyden(w, s);
  if (first.code == SHK_OK || !is_of_point(first) || first.reason == rule.limit || !w->pivots)
    return first;
  bool near;
  shk_copy(s, w->start, w->m);
  const struct shk_status second = damped(w, &near, s);
  if (second.code != SHK_OK)
    return is_of_point(second) ? first : second;
  if (near) {
    w->differences = true;
    return broyden(w, s);
  }
  return shk_failure(SHK_NOT_CONVERGED,
                     "the step has no real solution near: along the fibre max|g| falls to %g at "
                     "least (rounding: %g)" SHK_TRY_SMALLER_STEP,
                     (double)real_max_norm(w->r, w->m), (double)w->iteration.rounding);
}
