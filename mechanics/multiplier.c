/*
 * Newton's method for multipliers, to the round-off of the compilation: the position solve of
 * separable systems, the hidden constraint of all.
 *
 * A solve ends when the residual max|g| is down to `tolerance`, or, with tolerance 0, when it is no
 * larger than the rounding of g itself, eps·max_i Σ_k |G_ik| |q_k|, or has stopped falling within
 * a small factor of that. Anything else is a failure with its residual history.
 */
#include <shakedown/solve.h>

#include <stdlib.h>

#define HISTORY 64
/* A residual that has stopped falling is accepted up to this many times the rounding of g. */
#define STAGNATION_FACTOR 64
/* Iterations without a new least residual after which Newton is given up. */
#define PATIENCE 6

struct shk_multiplier_solver {
  struct shk_evaluator *evaluator;
  struct shk_linear *linear;
  real tolerance;
  long limit;
  real *residual; /* m */
  real *velocity; /* n */
  real *hessian;  /* 2n x 2n; general systems only */
  double history[HISTORY];
  int history_count; /* of the last solve; the newest HISTORY are kept, cyclically */
};

void shk_multiplier_destroy(struct shk_multiplier_solver *s)
{
  if (s == NULL)
    return;
  shk_linear_destroy(s->linear);
  free(s->residual);
  free(s->velocity);
  free(s->hessian);
  free(s);
}

struct shk_status shk_multiplier_create(struct shk_multiplier_solver **solver,
                                        struct shk_evaluator *evaluator,
                                        const struct shk_values *options)
{
  struct shk_multiplier_solver *s = calloc(1, sizeof *s);
  *solver = s;
  if (s == NULL)
    return shk_failure(SHK_NO_MEMORY, "no memory for a multiplier solver", 0, 0);
  s->evaluator = evaluator;
  s->tolerance = shk_values_real(options, "tolerance");
  s->limit = shk_values_integer(options, "iterations");
  s->residual = calloc((size_t)evaluator->system->m + 1, sizeof(real));
  s->velocity = calloc((size_t)evaluator->system->n + 1, sizeof(real));
  struct shk_status status = shk_failure(SHK_NO_MEMORY, "no memory for a multiplier solver", 0, 0);
  const bool general = (evaluator->system->features & SHK_GENERAL_HAMILTONIAN) != 0;
  const size_t n = (size_t)evaluator->system->n;
  if (general)
    s->hessian = malloc((4 * n * n + 1) * sizeof(real));
  if (s->residual != NULL && s->velocity != NULL && (s->hessian != NULL || !general))
    status = shk_linear_create(&s->linear, evaluator, options);
  if (status.code != SHK_OK) {
    shk_multiplier_destroy(s);
    *solver = NULL;
  }
  return status;
}

int shk_multiplier_history(const struct shk_multiplier_solver *s, double *residuals, int limit)
{
  int count = s->history_count < HISTORY ? s->history_count : HISTORY;
  if (count > limit)
    count = limit;
  for (int i = 0; i < count; i++)
    residuals[i] = s->history[(s->history_count - count + i) % HISTORY];
  return count;
}

static void remember(struct shk_multiplier_solver *s, real residual)
{
  s->history[s->history_count++ % HISTORY] = (double)residual;
}

/* max_i Σ_k |G_ik| |x_k|: what rounding a product with G leaves, over eps. */
static real rounding_scale(const struct shk_evaluator *e, const real *values, const real *x)
{
  real largest = REAL_SMALLEST / REAL_EPSILON;
  for (int i = 0; i < e->system->m; i++) {
    real sum = 0;
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
      sum += real_fabs(values[k] * x[e->columns[k]]);
    largest = real_max(largest, sum);
  }
  return largest;
}

/* dp, p1 and q1 for the current lambda, and the residual g(q1). */
static struct shk_status move(struct shk_multiplier_solver *s,
                              const struct shk_position_solve *task)
{
  struct shk_evaluator *e = s->evaluator;
  const int n = e->system->n;
  for (int i = 0; i < n; i++)
    task->dp[i] = task->dp_free[i];
  shk_jacobian_transposed_add(e, task->dp, task->G_b, -task->kick, task->lambda);
  for (int i = 0; i < n; i++) {
    task->p1[i] = task->p[i] + (task->dp[i] + task->p_carry[i]);
    task->q1[i] = task->q[i];
    task->q1_carry[i] = task->q_carry[i];
    real_accumulate(&task->q1[i], &task->q1_carry[i],
                    task->drift * (task->p1[i] / e->system->mass[i]));
  }
  return shk_constraint(e, s->residual, task->t1, task->q1);
}

struct shk_status shk_solve_position(struct shk_multiplier_solver *s,
                                     const struct shk_position_solve *task)
{
  struct shk_evaluator *e = s->evaluator;
  const int m = e->system->m;
  const bool symmetric = shk_linear_symmetric_only(s->linear);
  const real rounding = REAL_EPSILON * rounding_scale(e, task->G_b, task->q);
  real least = 0, before = 0;
  int since_least = 0;
  s->history_count = 0;
  for (long iteration = 0;; iteration++) {
    struct shk_status status = move(s, task);
    if (status.code != SHK_OK)
      return status;
    const real residual = real_max_norm(s->residual, m);
    remember(s, residual);
    if (!real_isfinite(residual))
      return shk_failure(SHK_NOT_CONVERGED, "Newton's iteration for the multipliers diverged", 0,
                         0);
    const bool stagnates = iteration > 0 && residual >= before / 2;
    const bool done =
        s->tolerance > 0
            ? residual <= s->tolerance
            : residual <= rounding || (stagnates && residual <= STAGNATION_FACTOR * rounding);
    if (done)
      return shk_jacobian(e, task->G1, task->t1, task->q1);
    if (iteration == 0 || residual < least) {
      least = residual;
      since_least = 0;
    } else if (++since_least >= PATIENCE) {
      return shk_failure(SHK_NOT_CONVERGED,
                         "the multiplier solve stopped improving at max|g| = %g (rounding: %g)",
                         (double)least, (double)rounding);
    }
    if (iteration >= s->limit)
      return shk_failure(SHK_NOT_CONVERGED,
                         "the multiplier solve met its limit of iterations at max|g| = %g "
                         "(limit %g)",
                         (double)residual, (double)s->limit);
    before = residual;
    if (!symmetric || iteration == 0) {
      const real *G_a = task->G_b;
      if (!symmetric) {
        status = shk_jacobian(e, task->G1, task->t1, task->q1);
        if (status.code != SHK_OK)
          return status;
        G_a = task->G1;
      }
      e->work.factorizations++;
      status = shk_linear_factor(s->linear, G_a, task->G_b);
      if (status.code != SHK_OK)
        return status;
    }
    e->work.iterations++;
    shk_linear_solve(s->linear, s->residual);
    for (int i = 0; i < m; i++)
      task->lambda[i] += s->residual[i] / (task->drift * task->kick);
  }
}

/* max_i Σ_k |G_ik| (|v_k| + |dp_k|/m_k), the rounding of G H_p over eps: v itself may be nearly
 * zero after increments that were not. General systems: with the largest entry of H_pp for 1/m,
 * once the Hessian is there. */
static real momentum_rounding(const struct shk_multiplier_solver *s,
                              const struct shk_hidden_solve *task, bool has_hessian)
{
  const struct shk_evaluator *e = s->evaluator;
  const int n = e->system->n;
  real inverse = 0, largest = REAL_SMALLEST / REAL_EPSILON;
  for (int i = 0; s->hessian != NULL && has_hessian && i < n; i++)
    inverse = real_max(inverse, real_max_norm(s->hessian + (size_t)(n + i) * 2 * n + n, n));
  for (int i = 0; i < e->system->m; i++) {
    real sum = 0;
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++) {
      const int c = e->columns[k];
      const real kick =
          s->hessian != NULL ? task->dp[c] * inverse : task->dp[c] / e->system->mass[c];
      sum += real_fabs(task->G1[k]) * (real_fabs(s->velocity[c]) + real_fabs(kick));
    }
    largest = real_max(largest, sum);
  }
  return largest;
}

/* Factors the matrix of the hidden constraint: G1 M⁻¹ G1ᵀ, or G1 H_pp(q1,p1) G1ᵀ. */
static struct shk_status factor_hidden(struct shk_multiplier_solver *s,
                                       const struct shk_hidden_solve *task)
{
  struct shk_evaluator *e = s->evaluator;
  const size_t n = (size_t)e->system->n;
  e->work.factorizations++;
  if (s->hessian == NULL)
    return shk_linear_factor(s->linear, task->G1, task->G1);
  SHK_TRY(shk_hessian(e, s->hessian, task->t1, task->q1, task->p1));
  return shk_linear_factor_metric(s->linear, task->G1, s->hessian + 2 * n * n + n, (int)(2 * n));
}

struct shk_status shk_solve_hidden(struct shk_multiplier_solver *s,
                                   const struct shk_hidden_solve *task)
{
  struct shk_evaluator *e = s->evaluator;
  const int n = e->system->n, m = e->system->m;
  const bool general = s->hessian != NULL;
  for (int i = 0; i < m; i++)
    task->mu[i] = 0;
  real rounding = 0, before = 0;
  s->history_count = 0;
  /* Linear for separable systems: the first pass solves, the others refine until round-off stops
   * them. Newton for general ones. */
  for (int pass = 0;; pass++) {
    for (int i = 0; i < n; i++) {
      task->p1[i] = task->p[i];
      task->p1_carry[i] = task->p_carry[i];
      real_accumulate(&task->p1[i], &task->p1_carry[i], task->dp[i]);
    }
    SHK_TRY(shk_velocity(e, s->velocity, task->t1, task->q1, task->p1));
    rounding = real_max(rounding, REAL_EPSILON * momentum_rounding(s, task, pass > 0));
    shk_jacobian_times(e, s->residual, task->G1, s->velocity);
    const real residual = real_max_norm(s->residual, m);
    remember(s, residual);
    if (!real_isfinite(residual))
      return shk_failure(SHK_NOT_FINITE, "the momenta are not finite", 0, 0);
    if (residual <= rounding)
      return shk_ok();
    if (pass > 1 && residual >= before / 2) {
      if (residual <= STAGNATION_FACTOR * rounding)
        return shk_ok();
      return shk_failure(SHK_NOT_CONVERGED,
                         "the hidden constraint stays at %g (rounding: %g): the constraint matrix "
                         "is too ill-conditioned",
                         (double)residual, (double)rounding);
    }
    before = residual;
    if (pass == 0 || general)
      SHK_TRY(factor_hidden(s, task));
    e->work.iterations++;
    shk_linear_solve(s->linear, s->residual);
    for (int i = 0; i < m; i++) {
      s->residual[i] /= task->kick;
      task->mu[i] += s->residual[i];
    }
    shk_jacobian_transposed_add(e, task->dp, task->G1, -task->kick, s->residual);
  }
}
