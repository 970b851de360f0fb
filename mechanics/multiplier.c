/*
 * The solves for multipliers: the position solve of separable systems, the hidden constraint of
 * all. By Newton's method to the round-off of the compilation, or as the option `solver` says.
 *
 * An iteration ends when the residual max|g| is down to `tolerance`, or, with tolerance 0, when it
 * is no larger than the rounding of g itself, eps·max_i Σ_k |G_ik| |q_k|, or has stopped falling
 * within a small factor of that. Anything else is a failure with its residual history. The one
 * exception is solver=linearized, which solves once and does not look at what is left.
 */
#include "mechanics/kinds.h"
#include "mechanics/sweep.h"
#include <shakedown/solve.h>

#include <stdlib.h>

#define HISTORY 64
/* Of iterations, without options. */
#define DEFAULT_LIMIT 1000
/* A residual that has stopped falling is accepted up to this many times the rounding of g. */
#define STAGNATION_FACTOR 64
/* Iterations without a new least residual after which a solve is given up; sweeps may pass a
 * violation on along the constraints before it falls. */
#define PATIENCE 6
#define SWEEP_PATIENCE 100
/* damped-newton: the shortest part of a step is 2^-20. */
#define HALVINGS 20

struct shk_multiplier_solver {
  struct shk_evaluator *evaluator;
  struct shk_linear *linear;
  enum shk_solver_kind kind;
  struct shk_sweep *sweep; /* gauss-seidel */
  bool old_factors;        /* linearized: the position solve's factors wait for the hidden solve */
  real tolerance, epsilon; /* epsilon: of tikhonov */
  long limit;
  real *residual; /* m */
  real *step;     /* m: the last correction of lambda; damped-newton only */
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
  shk_sweep_destroy(s->sweep);
  free(s->residual);
  free(s->step);
  free(s->velocity);
  free(s->hessian);
  free(s);
}

static struct shk_status create_parts(struct shk_multiplier_solver *s,
                                      const struct shk_values *options)
{
  struct shk_evaluator *e = s->evaluator;
  const bool general = shk_is_general(e->system);
  const size_t n = (size_t)e->system->n;
  s->limit = DEFAULT_LIMIT;
  if (options != NULL) {
    s->kind = (enum shk_solver_kind)shk_values_choice(options, "solver");
    s->tolerance = shk_values_real(options, "tolerance");
    s->limit = shk_values_integer(options, "iterations");
  }
  if (general && s->kind != SHK_SOLVER_NEWTON)
    return shk_failure(SHK_REFUSED, "systems that are not separable take solver=newton only", 0, 0);
  s->residual = calloc((size_t)e->system->m + 1, sizeof(real));
  s->velocity = calloc(n + 1, sizeof(real));
  if (general)
    s->hessian = malloc((4 * n * n + 1) * sizeof(real));
  if (s->residual == NULL || s->velocity == NULL || (s->hessian == NULL && general))
    return shk_failure(SHK_NO_MEMORY, "no memory for a multiplier solver", 0, 0);
  if (s->kind == SHK_SOLVER_DAMPED_NEWTON) {
    s->step = calloc((size_t)e->system->m + 1, sizeof(real));
    if (s->step == NULL)
      return shk_failure(SHK_NO_MEMORY, "no memory for a multiplier solver", 0, 0);
  }
  if (s->kind == SHK_SOLVER_GAUSS_SEIDEL)
    return shk_sweep_create(&s->sweep, e);
  SHK_TRY(shk_linear_create(&s->linear, e, options));
  s->epsilon = shk_linear_regularization(s->linear);
  return shk_ok();
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
  const struct shk_status status = create_parts(s, options);
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

/* max_i Σ_k |G_ik| |q_k|: what rounding of the positions leaves of g, over eps. A constraint that
 * moves may take q through zero, where the size of the step's drift decides. */
static real position_rounding(const struct shk_evaluator *e, const struct shk_position_solve *task)
{
  const bool moving = (e->system->features & SHK_RHEONOMIC) != 0;
  real largest = REAL_SMALLEST / REAL_EPSILON;
  for (int i = 0; i < e->system->m; i++) {
    real sum = 0;
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++) {
      const int c = e->columns[k];
      const real drift = moving ? task->drift * task->p[c] / e->system->mass[c] : 0;
      sum += real_fabs(task->G_b[k]) * (real_fabs(task->q[c]) + real_fabs(drift));
    }
    largest = real_max(largest, sum);
  }
  return largest;
}

/* dp, p1 and q1 for the current lambda, and the residual g(q1), for tikhonov without what it leaves
 * of it. */
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
  SHK_TRY(shk_constraint(e, s->residual, task->t1, task->q1));
  for (int i = 0; s->epsilon > 0 && i < e->system->m; i++)
    s->residual[i] -= s->epsilon * (task->drift * task->kick * task->lambda[i]);
  return shk_ok();
}

/* Corrects lambda by the residual, with the factors as they are. */
static void correct(struct shk_multiplier_solver *s, const struct shk_position_solve *task)
{
  s->evaluator->work.iterations++;
  shk_linear_solve(s->linear, s->residual);
  for (int i = 0; i < s->evaluator->system->m; i++) {
    const real step = s->residual[i] / (task->drift * task->kick);
    task->lambda[i] += step;
    if (s->step != NULL)
      s->step[i] = step;
  }
}

/* damped-newton: goes back half of the way from the last step but `halvings` halves of it. */
static void shorten(struct shk_multiplier_solver *s, const struct shk_position_solve *task,
                    int halvings)
{
  real part = 1;
  for (int i = 0; i <= halvings; i++)
    part /= 2;
  for (int i = 0; i < s->evaluator->system->m; i++)
    task->lambda[i] -= part * s->step[i];
}

/* An iteration of newton, simplified-newton or gauss-seidel: a better lambda from the residual. */
static struct shk_status improve(struct shk_multiplier_solver *s,
                                 const struct shk_position_solve *task, bool first)
{
  struct shk_evaluator *e = s->evaluator;
  if (s->sweep != NULL) {
    e->work.iterations++;
    return shk_sweep_positions(s->sweep, task, s->residual);
  }
  const bool old_point =
      s->kind == SHK_SOLVER_SIMPLIFIED_NEWTON || shk_linear_symmetric_only(s->linear);
  if (!old_point) {
    SHK_TRY(shk_jacobian(e, task->G1, task->t1, task->q1));
    e->work.factorizations++;
    SHK_TRY(first ? shk_linear_factor(s->linear, task->G1, task->G_b)
                  : shk_linear_factor_again(s->linear, task->G1, task->G_b));
  } else if (first) {
    e->work.factorizations++;
    SHK_TRY(shk_linear_factor(s->linear, task->G_b, task->G_b));
  }
  correct(s, task);
  return shk_ok();
}

/* The control: lambda of the constraint linearized at the old point, accepted. */
static struct shk_status solve_once(struct shk_multiplier_solver *s,
                                    const struct shk_position_solve *task)
{
  struct shk_evaluator *e = s->evaluator;
  const int m = e->system->m;
  SHK_TRY(move(s, task));
  remember(s, real_max_norm(s->residual, m));
  s->old_factors = false;
  e->work.factorizations++;
  SHK_TRY(shk_linear_factor(s->linear, task->G_b, task->G_b));
  correct(s, task);
  SHK_TRY(move(s, task));
  const real residual = real_max_norm(s->residual, m);
  remember(s, residual);
  if (!real_isfinite(residual))
    return shk_failure(SHK_NOT_FINITE, "the positions are not finite", 0, 0);
  s->old_factors = true;
  return shk_jacobian(e, task->G1, task->t1, task->q1);
}

struct shk_status shk_solve_position(struct shk_multiplier_solver *s,
                                     const struct shk_position_solve *task)
{
  struct shk_evaluator *e = s->evaluator;
  const int m = e->system->m;
  /* Newton's residuals fall by more than half until round-off stops them; where convergence is
   * linear only one that does not fall at all is stopped. */
  const bool linear_rate =
      s->kind == SHK_SOLVER_SIMPLIFIED_NEWTON || s->kind == SHK_SOLVER_GAUSS_SEIDEL;
  const int patience = s->sweep != NULL ? SWEEP_PATIENCE : PATIENCE;
  const real rounding = REAL_EPSILON * position_rounding(e, task);
  real least = 0, before = 0;
  int since_least = 0, halvings = 0;
  s->history_count = 0;
  if (s->kind == SHK_SOLVER_LINEARIZED || (s->linear != NULL && shk_linear_drops(s->linear)))
    for (int i = 0; i < m; i++)
      task->lambda[i] = 0;
  if (s->kind == SHK_SOLVER_LINEARIZED)
    return solve_once(s, task);
  for (long iteration = 0;; iteration++) {
    SHK_TRY(move(s, task));
    const real residual = real_max_norm(s->residual, m);
    remember(s, residual);
    const bool finite = real_isfinite(residual);
    if (s->step != NULL && iteration > 0 && halvings < HALVINGS && !(residual < before) &&
        !(residual <= STAGNATION_FACTOR * rounding)) {
      shorten(s, task, halvings++);
      continue;
    }
    if (!finite)
      return shk_failure(SHK_NOT_CONVERGED, "the iteration for the multipliers diverged", 0, 0);
    const bool stagnates = iteration > 0 && residual >= (linear_rate ? before : before / 2);
    const bool done =
        s->tolerance > 0
            ? residual <= s->tolerance
            : residual <= rounding || (stagnates && residual <= STAGNATION_FACTOR * rounding);
    if (done)
      return shk_jacobian(e, task->G1, task->t1, task->q1);
    if (iteration == 0 || residual < least) {
      least = residual;
      since_least = 0;
    } else if (++since_least >= patience) {
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
    halvings = 0;
    SHK_TRY(improve(s, task, iteration == 0));
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

/* max_i Σ_k |G_ik| Σ_j (|H_pq|_kj |q_j| + |H_pp|_kj |p_j|): general systems may have terms in H_p
 * that cancel, and these are about as large as what its derivatives make of q and p. Zero for
 * separable ones. */
static real cancelled_velocity(const struct shk_multiplier_solver *s,
                               const struct shk_hidden_solve *task)
{
  const struct shk_evaluator *e = s->evaluator;
  const int n = e->system->n;
  real largest = 0;
  for (int i = 0; s->hessian != NULL && i < e->system->m; i++) {
    real sum = 0;
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++) {
      const real *row = s->hessian + (size_t)(n + e->columns[k]) * 2 * n;
      for (int j = 0; j < n; j++)
        sum += real_fabs(task->G1[k]) *
               (real_fabs(row[j] * task->q1[j]) + real_fabs(row[n + j] * task->p1[j]));
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

/* p1 = p + dp, its velocity, and the residual G1 H_p + g_t, for tikhonov without what it leaves of
 * it. */
static struct shk_status kick(struct shk_multiplier_solver *s, const struct shk_hidden_solve *task)
{
  struct shk_evaluator *e = s->evaluator;
  for (int i = 0; i < e->system->n; i++) {
    task->p1[i] = task->p[i];
    task->p1_carry[i] = task->p_carry[i];
    real_accumulate(&task->p1[i], &task->p1_carry[i], task->dp[i]);
  }
  SHK_TRY(shk_velocity(e, s->velocity, task->t1, task->q1, task->p1));
  SHK_TRY(shk_hidden_residual(e, s->residual, task->G1, task->t1, task->q1, s->velocity));
  for (int i = 0; s->epsilon > 0 && i < e->system->m; i++)
    s->residual[i] -= s->epsilon * (task->kick * task->mu[i]);
  return shk_ok();
}

/* Corrects mu and dp by the residual, with the factors as they are. */
static void correct_hidden(struct shk_multiplier_solver *s, const struct shk_hidden_solve *task)
{
  struct shk_evaluator *e = s->evaluator;
  e->work.iterations++;
  shk_linear_solve(s->linear, s->residual);
  for (int i = 0; i < e->system->m; i++) {
    s->residual[i] /= task->kick;
    task->mu[i] += s->residual[i];
  }
  shk_jacobian_transposed_add(e, task->dp, task->G1, -task->kick, s->residual);
}

/* The control's momentum: the second row of the block-triangular system, with the factors of the
 * first. Without a position solve before it the matrix is this point's. */
static struct shk_status solve_hidden_once(struct shk_multiplier_solver *s,
                                           const struct shk_hidden_solve *task)
{
  const int m = s->evaluator->system->m;
  SHK_TRY(kick(s, task));
  remember(s, real_max_norm(s->residual, m));
  if (!s->old_factors)
    SHK_TRY(factor_hidden(s, task));
  s->old_factors = false;
  correct_hidden(s, task);
  SHK_TRY(kick(s, task));
  const real residual = real_max_norm(s->residual, m);
  remember(s, residual);
  return real_isfinite(residual) ? shk_ok()
                                 : shk_failure(SHK_NOT_FINITE, "the momenta are not finite", 0, 0);
}

static struct shk_status sweep_hidden(struct shk_multiplier_solver *s,
                                      const struct shk_hidden_solve *task)
{
  struct shk_evaluator *e = s->evaluator;
  real rounding = 0, before = 0, least = 0;
  int since_least = 0;
  for (long iteration = 0;; iteration++) {
    SHK_TRY(kick(s, task));
    rounding = real_max(rounding, REAL_EPSILON * momentum_rounding(s, task, false));
    const real residual = real_max_norm(s->residual, e->system->m);
    remember(s, residual);
    if (!real_isfinite(residual))
      return shk_failure(SHK_NOT_FINITE, "the momenta are not finite", 0, 0);
    if (residual <= rounding || real_fabs(task->kick) * residual <= s->tolerance ||
        (iteration > 0 && residual >= before && residual <= STAGNATION_FACTOR * rounding))
      return shk_ok();
    if (iteration == 0 || residual < least) {
      least = residual;
      since_least = 0;
    } else if (++since_least >= SWEEP_PATIENCE) {
      return shk_failure(SHK_NOT_CONVERGED,
                         "the sweeps over the hidden constraint stopped improving at %g "
                         "(rounding: %g)",
                         (double)least, (double)rounding);
    }
    if (iteration >= s->limit)
      return shk_failure(SHK_NOT_CONVERGED,
                         "the sweeps over the hidden constraint met their limit at %g (limit %g)",
                         (double)residual, (double)s->limit);
    before = residual;
    e->work.iterations++;
    SHK_TRY(shk_constraint_rate(e, s->residual, task->t1, task->q1));
    SHK_TRY(shk_sweep_momenta(s->sweep, task, s->velocity, s->residual));
  }
}

struct shk_status shk_solve_hidden(struct shk_multiplier_solver *s,
                                   const struct shk_hidden_solve *task)
{
  const int m = s->evaluator->system->m;
  const bool general = s->hessian != NULL;
  for (int i = 0; i < m; i++)
    task->mu[i] = 0;
  s->history_count = 0;
  if (s->kind == SHK_SOLVER_LINEARIZED)
    return solve_hidden_once(s, task);
  if (s->sweep != NULL)
    return sweep_hidden(s, task);
  real rounding = 0, before = 0;
  /* Linear for separable systems: the first pass solves, the others refine until round-off stops
   * them. Newton for general ones. */
  for (int pass = 0;; pass++) {
    SHK_TRY(kick(s, task));
    rounding = real_max(rounding, REAL_EPSILON * momentum_rounding(s, task, pass > 0));
    const real residual = real_max_norm(s->residual, m);
    remember(s, residual);
    if (!real_isfinite(residual))
      return shk_failure(SHK_NOT_FINITE, "the momenta are not finite", 0, 0);
    if (residual <= rounding)
      return shk_ok();
    if (pass > 1 && residual >= before / 2) {
      rounding = real_max(rounding, REAL_EPSILON * cancelled_velocity(s, task));
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
    correct_hidden(s, task);
  }
}
