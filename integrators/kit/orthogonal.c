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

#define HISTORY 64
/* A correction that has stopped falling is accepted up to this many roundings of q. */
#define STAGNATION_FACTOR 64

struct shk_orthogonal {
  struct shk_evaluator *evaluator;
  struct shk_linear *linear;
  bool general;
  real tolerance;
  long limit;
  real *change, *correction, *before; /* m, n, n */
  double history[HISTORY];
  int history_count; /* the newest HISTORY are kept, cyclically */
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
                               .limit = shk_values_integer(options, "iterations"),
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

struct shk_status shk_orthogonal_project(struct shk_orthogonal *w,
                                         const struct shk_orthogonal_task *task)
{
  struct shk_evaluator *e = w->evaluator;
  const int n = e->system->n, m = e->system->m;
  memset(w->correction, 0, (size_t)n * sizeof(real));
  memset(task->lambda, 0, (size_t)m * sizeof(real));
  w->history_count = 0;
  move(w, task);
  real residual = 0, last = 0;
  for (long iteration = 0; iteration < w->limit; iteration++) {
    SHK_TRY(shk_constraint(e, w->change, task->t1, task->q1));
    SHK_TRY(shk_jacobian(e, task->G1, task->t1, task->q1));
    residual = real_max_norm(w->change, m);
    w->history[w->history_count++ % HISTORY] = (double)residual;
    if (!real_isfinite(residual))
      break;
    if (w->tolerance > 0 && residual <= w->tolerance) {
      for (int i = 0; i < n; i++)
        task->dq[i] += w->correction[i];
      return shk_ok();
    }
    e->work.iterations++;
    e->work.factorizations++;
    SHK_TRY(w->general ? shk_linear_factor_metric(w->linear, task->G1, NULL, 0)
                       : shk_linear_factor(w->linear, task->G1, task->G1));
    shk_linear_solve(w->linear, w->change);
    for (int i = 0; i < m; i++)
      task->lambda[i] += w->change[i];
    const real change = correct(w, task);
    move(w, task);
    /* The iterate follows the change, so that a change at round-off needs no further one. */
    const real rounding = REAL_EPSILON * real_max_norm(task->q1, n);
    if (change <= rounding / 2 ||
        (iteration > 0 && change >= last / 2 && change <= STAGNATION_FACTOR * rounding)) {
      for (int i = 0; i < n; i++)
        task->dq[i] += w->correction[i];
      return shk_jacobian(e, task->G1, task->t1, task->q1);
    }
    last = change;
  }
  return shk_failure(SHK_NOT_CONVERGED,
                     "the projection of the position did not converge: max|g| = %g",
                     (double)residual, 0);
}

int shk_orthogonal_history(const struct shk_orthogonal *w, double *residuals, int limit)
{
  int count = w->history_count < HISTORY ? w->history_count : HISTORY;
  if (count > limit)
    count = limit;
  for (int i = 0; i < count; i++)
    residuals[i] = w->history[(w->history_count - count + i) % HISTORY];
  return count;
}
