/*
 * The solves for multipliers: the position solve of separable systems, the hidden constraint of
 * all. By Newton's method to the round-off of the compilation, or as the option `solver` says.
 *
 * An iteration ends when the residual max|g| is down to `tolerance`, or, with tolerance 0, when it
 * is no larger than the rounding of g itself, eps·max_i Σ_k |G_ik| |q_k|, or has stopped falling
 * within a small factor of that, or of what the terms of Gᵀλ leave of g where they cancel
 * (stopping.h). Anything else is a failure with its residual history. The one exception is
 * solver=linearized, which solves once and does not look at what is left.
 *
 * Systems of rods may have solvers made for their graph (specialised.h), which then do all of it.
 */
#include "mechanics/algebra/kinds.h"
#include "mechanics/algebra/stopping.h"
#include "mechanics/solvers/rods/rods.h"
#include "mechanics/solvers/rods/specialised.h"
#include "mechanics/solvers/rounding.h"
#include "mechanics/solvers/sweep.h"
#include <shakedown/solve.h>

#include <stdlib.h>

/* Of iterations, without options. */
#define DEFAULT_LIMIT 1000
/* damped-newton: the shortest part of a step is 2^-20. */
#define HALVINGS 20

struct shk_multiplier_solver {
  struct shk_evaluator *evaluator;
  struct shk_specialised
      specialised; /* with `self` then nothing but the iteration is used beside it */
  struct shk_linear *linear;
  enum shk_solver_kind kind;
  const struct shk_iteration_rule *rule; /* of the position solve */
  struct shk_sweep *sweep;               /* gauss-seidel */
  bool old_factors; /* linearized: the position solve's factors wait for the hidden solve */
  real epsilon;     /* of tikhonov */
  struct shk_iteration iteration;
  real *residual; /* m */
  real *step;     /* m: the last correction of lambda; damped-newton only */
  real *velocity; /* n */
  real *hessian;  /* 2n x 2n; general systems only */
};

void shk_multiplier_destroy(struct shk_multiplier_solver *s)
{
  if (s == NULL)
    return;
  if (s->specialised.self != NULL)
    s->specialised.destroy(s->specialised.self);
  shk_linear_destroy(s->linear);
  shk_sweep_destroy(s->sweep);
  free(s->residual);
  free(s->step);
  free(s->velocity);
  free(s->hessian);
  free(s);
}

/* Asks every kind in turn whether the system is of it. */
static struct shk_status specialise(struct shk_multiplier_solver *s,
                                    const struct shk_values *options)
{
  const struct shk_system *system = s->evaluator->system;
  const unsigned other = SHK_MOMENTUM_CONSTRAINT | SHK_GENERAL_DAE;
  if (shk_is_general(system) || (system->features & other) != 0 || s->kind != SHK_SOLVER_NEWTON)
    return shk_ok();
  const int linear = options != NULL ? shk_values_choice(options, "linear") : (int)SHK_LINEAR_AUTO;
  if (system->m == 1 && (linear == SHK_LINEAR_AUTO || linear == SHK_LINEAR_LU))
    return shk_single_create(&s->specialised, s->evaluator);
  if (system->rods == NULL || system->row_start == NULL || options == NULL ||
      linear != SHK_LINEAR_AUTO)
    return shk_ok();
  static struct shk_status (*const kinds[])(struct shk_specialised *, struct shk_evaluator *) = {
      shk_clusters_create,
      shk_chains_create,
  };
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && s->specialised.self == NULL; i++)
    SHK_TRY(kinds[i](&s->specialised, s->evaluator));
  return shk_ok();
}

static struct shk_status create_parts(struct shk_multiplier_solver *s,
                                      const struct shk_values *options)
{
  struct shk_evaluator *e = s->evaluator;
  const bool general = shk_is_general(e->system);
  const size_t n = (size_t)e->system->n;
  s->iteration.limit = DEFAULT_LIMIT;
  if (options != NULL) {
    s->kind = (enum shk_solver_kind)shk_values_choice(options, "solver");
    s->iteration.tolerance = shk_values_real(options, "tolerance");
    s->iteration.limit = shk_values_integer(options, "iterations");
  }
  s->rule = s->kind == SHK_SOLVER_GAUSS_SEIDEL        ? &shk_position_sweep_rule
            : s->kind == SHK_SOLVER_SIMPLIFIED_NEWTON ? &shk_linear_position_rule
                                                      : &shk_position_rule;
  if (general && s->kind != SHK_SOLVER_NEWTON)
    return shk_failure(SHK_REFUSED, "systems that are not separable take solver=newton only", 0, 0);
  SHK_TRY(specialise(s, options));
  if (s->specialised.self != NULL)
    return shk_ok();
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

bool shk_multiplier_forms_jacobians(const struct shk_multiplier_solver *s)
{
  return s->specialised.self != NULL && !s->specialised.takes_jacobians;
}

struct position_context {
  struct shk_multiplier_solver *solver;
  const struct shk_position_solve *task;
};

static real rounding_of_position(void *user, bool cancelled)
{
  const struct position_context *c = user;
  return cancelled ? shk_cancelled_position(c->solver->evaluator, c->task, c->solver->velocity)
                   : shk_position_rounding(c->solver->evaluator, c->task);
}

/* dp, p1 and q1 for the current lambda, and the residual g(q1), for tikhonov without what it leaves
 * of it. */
static struct shk_status move(struct shk_multiplier_solver *s,
                              const struct shk_position_solve *task)
{
  struct shk_evaluator *e = s->evaluator;
  const int n = e->system->n;
  for (int i = 0; i < n; i++)
    task->dp[i] = task->dp_free != NULL ? task->dp_free[i] : 0;
  shk_jacobian_transposed_add(e, task->dp, task->G_b, -task->kick, task->lambda);
  for (int i = 0; i < n; i++) {
    const real p1 = task->p[i] + (task->dp[i] + task->p_carry[i]);
    if (task->p1 != NULL)
      task->p1[i] = p1;
    task->q1[i] = task->q[i];
    task->q1_carry[i] = task->q_carry[i];
    real_accumulate(&task->q1[i], &task->q1_carry[i], task->drift * (p1 / e->system->mass[i]));
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
  shk_iteration_note(&s->iteration, real_max_norm(s->residual, m));
  s->old_factors = false;
  e->work.factorizations++;
  SHK_TRY(shk_linear_factor(s->linear, task->G_b, task->G_b));
  correct(s, task);
  SHK_TRY(move(s, task));
  const real residual = real_max_norm(s->residual, m);
  shk_iteration_note(&s->iteration, residual);
  if (!real_isfinite(residual))
    return shk_failure(SHK_NOT_FINITE, "the positions are not finite", 0, 0);
  s->old_factors = true;
  return shk_jacobian(e, task->G1, task->t1, task->q1);
}

struct shk_status shk_solve_position(struct shk_multiplier_solver *s,
                                     const struct shk_position_solve *task)
{
  struct shk_evaluator *e = s->evaluator;
  e->solving = &s->iteration;
  if (s->specialised.self != NULL)
    return s->specialised.position(s->specialised.self, &s->iteration, task);
  const int m = e->system->m;
  struct position_context context = {s, task};
  /* Only damped steps are compared with round-off while they are still far from the solution. */
  const real rounding = s->step != NULL ? REAL_EPSILON * shk_position_rounding(e, task) : 0;
  shk_iteration_begin_estimated(&s->iteration, s->rule, rounding_of_position, &context);
  if (s->kind == SHK_SOLVER_LINEARIZED || (s->linear != NULL && shk_linear_drops(s->linear)))
    for (int i = 0; i < m; i++)
      task->lambda[i] = 0;
  if (s->kind == SHK_SOLVER_LINEARIZED)
    return solve_once(s, task);
  for (bool first = true;; first = false) {
    SHK_TRY(move(s, task));
    real residual = real_max_norm(s->residual, m);
    for (int halvings = 0;
         s->step != NULL && !first && halvings < HALVINGS && !(residual < s->iteration.before) &&
         !(residual <= s->rule->slow * rounding);
         halvings++) {
      shk_iteration_note(&s->iteration, residual);
      shorten(s, task, halvings);
      s->iteration.count++; /* it counts as one towards the limit */
      SHK_TRY(move(s, task));
      residual = real_max_norm(s->residual, m);
    }
    SHK_TRY(shk_iteration_next(&s->iteration, residual));
    if (s->iteration.converged)
      return shk_jacobian(e, task->G1, task->t1, task->q1);
    SHK_TRY(improve(s, task, first));
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
  shk_iteration_note(&s->iteration, real_max_norm(s->residual, m));
  if (!s->old_factors)
    SHK_TRY(factor_hidden(s, task));
  s->old_factors = false;
  correct_hidden(s, task);
  SHK_TRY(kick(s, task));
  const real residual = real_max_norm(s->residual, m);
  shk_iteration_note(&s->iteration, residual);
  return real_isfinite(residual) ? shk_ok()
                                 : shk_failure(SHK_NOT_FINITE, "the momenta are not finite", 0, 0);
}

static struct shk_status sweep_hidden(struct shk_multiplier_solver *s,
                                      const struct shk_hidden_solve *task)
{
  struct shk_evaluator *e = s->evaluator;
  for (;;) {
    SHK_TRY(kick(s, task));
    const real residual = real_max_norm(s->residual, e->system->m);
    if (real_fabs(task->kick) * residual <= s->iteration.tolerance) {
      shk_iteration_note(&s->iteration, residual);
      return shk_ok();
    }
    SHK_TRY(shk_iteration_next(&s->iteration, residual));
    if (s->iteration.converged)
      return shk_ok();
    e->work.iterations++;
    SHK_TRY(shk_constraint_rate(e, s->residual, task->t1, task->q1));
    SHK_TRY(shk_sweep_momenta(s->sweep, task, s->velocity, s->residual));
  }
}

struct hidden_context {
  struct shk_multiplier_solver *solver;
  const struct shk_hidden_solve *task;
};

static real rounding_of_momenta(void *user, bool cancelled)
{
  const struct hidden_context *c = user;
  return cancelled ? cancelled_velocity(c->solver, c->task)
                   : momentum_rounding(c->solver, c->task, c->solver->iteration.count > 0);
}

struct shk_status shk_solve_hidden(struct shk_multiplier_solver *s,
                                   const struct shk_hidden_solve *task)
{
  s->evaluator->solving = &s->iteration;
  if (s->specialised.self != NULL)
    return s->specialised.hidden(s->specialised.self, &s->iteration, task);
  const int m = s->evaluator->system->m;
  const bool general = s->hessian != NULL;
  struct hidden_context context = {s, task};
  for (int i = 0; i < m; i++)
    task->mu[i] = 0;
  shk_iteration_begin_estimated(&s->iteration,
                                s->sweep != NULL ? &shk_hidden_sweep_rule : &shk_hidden_rule,
                                rounding_of_momenta, &context);
  if (s->kind == SHK_SOLVER_LINEARIZED)
    return solve_hidden_once(s, task);
  if (s->sweep != NULL)
    return sweep_hidden(s, task);
  /* Linear for separable systems: the first pass solves, the others refine until round-off stops
   * them. Newton for general ones. */
  for (bool first = true;; first = false) {
    SHK_TRY(kick(s, task));
    SHK_TRY(shk_iteration_next(&s->iteration, real_max_norm(s->residual, m)));
    if (s->iteration.converged)
      return shk_ok();
    if (first || general)
      SHK_TRY(factor_hidden(s, task));
    correct_hidden(s, task);
  }
}
