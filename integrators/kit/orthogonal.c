/*
 * The M-orthogonal projection of positions onto g = 0 (equations in shakedown/ode.h). Corrections
 * go into the increment of the step before it is summed, so that compensated sums stay compensated.
 *
 * Source: Hairer, Lubich & Wanner, GNI, §IV.4 and eq. (VII.1.8); Lubich, Computing 44 (1990).
 */
#include <shakedown/ode.h>
#include <shakedown/solve.h>

#include <stdlib.h>
#include <string.h>

/* Of the changes of q; what is noted are the residuals. */
static const struct shk_iteration_rule rule = {.at_once = R(0.5),
                                               .slow = 64,
                                               .from = 1,
                                               .diverged =
                                                   "the projection of the position diverged"};

struct shk_orthogonal {
  struct shk_evaluator *evaluator;
  struct shk_linear *linear;
  bool general;
  real tolerance;
  real *change, *correction, *before; /* m, n, n */
  struct shk_iteration iteration;
};

void shk_orthogonal_destroy(struct shk_orthogonal *w)
{
  if (w == NULL)
    return;
  shk_linear_destroy(w->linear);
  free(w->change);
  free(w);
}

struct shk_status shk_orthogonal_create(struct shk_orthogonal **orthogonal,
                                        struct shk_evaluator *evaluator,
                                        const struct shk_values *options)
{
  const size_t n = (size_t)evaluator->system->n, m = (size_t)evaluator->system->m;
  struct shk_orthogonal *w = calloc(1, sizeof *w);
  real *block = calloc(m + 2 * n + 1, sizeof *block);
  *orthogonal = NULL;
  if (w == NULL || block == NULL) {
    free(w);
    free(block);
    return shk_failure(SHK_NO_MEMORY, "no memory for a projection", 0, 0);
  }
  *w = (struct shk_orthogonal){.evaluator = evaluator,
                               .general = shk_is_general(evaluator->system),
                               .tolerance = shk_values_real(options, "tolerance"),
                               .iteration.limit = shk_values_integer(options, "iterations"),
                               .change = block,
                               .correction = block + m,
                               .before = block + m + n};
  const struct shk_status status = shk_linear_create(&w->linear, evaluator, options);
  if (status.code != SHK_OK) {
    shk_orthogonal_destroy(w);
    return status;
  }
  *orthogonal = w;
  return status;
}

/* q1 <- q + dq + correction, with its carry. */
static void move(const struct shk_orthogonal *w, const struct shk_orthogonal_task *task)
{
  for (int i = 0; i < w->evaluator->system->n; i++) {
    task->q1[i] = task->q[i];
    task->q1_carry[i] = task->q_carry[i];
    real_accumulate(&task->q1[i], &task->q1_carry[i], task->dq[i] + w->correction[i]);
  }
}

/* correction <- -W G1ᵀ lambda; returns the largest change of it. */
static real correct(struct shk_orthogonal *w, const struct shk_orthogonal_task *task)
{
  const struct shk_evaluator *e = w->evaluator;
  const int n = e->system->n;
  memcpy(w->before, w->correction, (size_t)n * sizeof(real));
  memset(w->correction, 0, (size_t)n * sizeof(real));
  shk_jacobian_transposed_add(e, w->correction, task->G1, -1, task->lambda);
  real largest = 0;
  for (int i = 0; i < n; i++) {
    if (!w->general)
      w->correction[i] /= e->system->mass[i];
    largest = real_max(largest, real_fabs(w->correction[i] - w->before[i]));
  }
  return largest;
}

/* dq <- what leads to q1. */
static void end(const struct shk_orthogonal *w, const struct shk_orthogonal_task *task)
{
  for (int i = 0; i < w->evaluator->system->n; i++)
    task->dq[i] += w->correction[i];
}

/* lambda and q1 <- corrected by a solve with g, which is in `change`. */
static struct shk_status improve(struct shk_orthogonal *w, const struct shk_orthogonal_task *task)
{
  struct shk_evaluator *e = w->evaluator;
  e->work.iterations++;
  e->work.factorizations++;
  SHK_TRY(w->general ? shk_linear_factor_metric(w->linear, task->G1, NULL, 0)
                     : shk_linear_factor(w->linear, task->G1, task->G1));
  shk_linear_solve(w->linear, w->change);
  for (int i = 0; i < e->system->m; i++)
    task->lambda[i] += w->change[i];
  const real change = correct(w, task);
  move(w, task);
  w->iteration.rounding = REAL_EPSILON * real_max_norm(task->q1, e->system->n);
  return shk_iteration_decide(&w->iteration, change);
}

struct shk_status shk_orthogonal_project(struct shk_orthogonal *w,
                                         const struct shk_orthogonal_task *task)
{
  struct shk_evaluator *e = w->evaluator;
  const int n = e->system->n, m = e->system->m;
  real residual = 0;
  memset(w->correction, 0, (size_t)n * sizeof(real));
  memset(task->lambda, 0, (size_t)m * sizeof(real));
  e->solving = &w->iteration;
  shk_iteration_begin(&w->iteration, &rule, 0);
  move(w, task);
  while (w->iteration.count < w->iteration.limit) {
    SHK_TRY(shk_constraint(e, w->change, task->t1, task->q1));
    SHK_TRY(shk_jacobian(e, task->G1, task->t1, task->q1));
    residual = real_max_norm(w->change, m);
    shk_iteration_note(&w->iteration, residual);
    if (!real_isfinite(residual))
      break;
    if (w->tolerance > 0 && residual <= w->tolerance) {
      end(w, task);
      return shk_ok();
    }
    SHK_TRY(improve(w, task));
    /* The iterate follows the change, so that a change at round-off needs no further one. */
    if (w->iteration.converged) {
      end(w, task);
      return shk_jacobian(e, task->G1, task->t1, task->q1);
    }
  }
  return shk_failure(SHK_NOT_CONVERGED,
                     "the projection of the position did not converge: max|g| = %g",
                     (double)residual, 0);
}
