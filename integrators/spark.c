/*
 * Partitioned Lobatto IIIA-IIIB Runge-Kutta methods for constrained systems (SPARK methods). They
 * have order 2s-2 and are symplectic and symmetric (Jay 1996; Hairer, Lubich & Wanner, GNI,
 * §VII.1.5). With s = 2, the method is RATTLE over Störmer-Verlet. Because a_1j = 0, Q_1 = q0.
 * Because â_is = 0, Λ_s occurs only in p1, where the hidden constraint determines it. lambda is
 * Λ_1, which acts at q0, and mu is Λ_s, which acts at q1. The constraint force is -Gᵀ lambda.
 *
 * The stages are computed to round-off. For separable systems, a simplified Newton iteration finds
 * the inner multipliers, using the forces and directions G(Q_j) of the previous iterate. It
 * contracts by O(h²), and its matrix is dense with (s-1)m rows. For general systems, Newton's
 * method finds (Q, P, Λ), with a matrix that omits the second derivatives of g. Because the
 * matrices are dense, the method is not meant for thousands of constraints. q and p are accumulated
 * with compensated summation. Constraints that depend on p are not supported, because it is an open
 * question how to treat them (McLachlan, Modin, Verdier & Wilkins 2014, §6).
 */

static const char equations[] =
    "Q_i = q0 + h Σ_j a_ij H_p(Q_j,P_j)                                   i = 1…s   (1)\n"
    "P_i = p0 - h Σ_j â_ij (H_q(Q_j,P_j) + G(Q_j)ᵀ Λ_j)                             (2)\n"
    "g(Q_i) = 0                                                                     (3)\n"
    "q1 = q0 + h Σ_j b_j H_p(Q_j,P_j) = Q_s                                         (4)\n"
    "p1 = p0 - h Σ_j b_j (H_q(Q_j,P_j) + G(Q_j)ᵀ Λ_j),  G(q1) H_p(q1,p1) = 0        (5)\n"
    "a: Lobatto IIIA with s nodes, â: Lobatto IIIB, b_i â_ij + b_j a_ji = b_i b_j\n"
    "lambda is Λ_1, mu is Λ_s\n";

#include "integrators/kit/lobatto.h"
#include "integrators/kit/stage_matrix.h"
#include <shakedown/plugin.h>

/* The matrix is recomputed if corrections shrink by less than this factor. */
#define SLOW 8

struct spark {
  struct shk_evaluator *evaluator;
  int n, m, s;
  long stages; /* s, set by the option */
  struct lobatto lobatto;
  size_t entries; /* number of entries of G */
  /* n entries per stage; `force` and `velocity` contain H_q and H_p at (Q_i,P_i) */
  real *Q, *P, *force, *velocity;
  real *old;                   /* n entries per stage: Q_2…Q_s of the previous iterate */
  real *multiplier, *residual; /* m for each stage */
  real *jacobian;              /* G(Q_i) */
  real *dp, *scattered;        /* n */
  struct shk_multiplier_solver *hidden;
  /* For separable systems: */
  struct shk_iteration iteration;
  real *matrix; /* (s-1)m square */
  int *pivots;
  /* For general systems: */
  struct shk_newton *newton;
  real *x, *weights; /* (2s-1)n + (s-1)m */
  real *hessian;
  const struct shk_state *from;
  real h;
};

/* Evaluates H_q, G and, for general systems, H_p at stage i. */
static struct shk_status evaluate(struct spark *self, int i)
{
  struct shk_evaluator *e = self->evaluator;
  const size_t n = (size_t)self->n, k = (size_t)i;
  const real t = self->from->t + self->lobatto.c[i] * self->h;
  SHK_TRY(shk_gradient(e, self->force + k * n, t, self->Q + k * n, self->P + k * n));
  if (self->newton)
    SHK_TRY(shk_velocity(e, self->velocity + k * n, t, self->Q + k * n, self->P + k * n));
  return shk_jacobian(e, self->jacobian + k * self->entries, t, self->Q + k * n);
}

/* Computes -h Σ_j row_j (H_q + GᵀΛ)_j, summed over the first `count` stages, and stores it in out
 * (n). */
static void kick_spark(const struct spark *self, real *out, const real *row, int count)
{
  const int n = self->n;
  shk_fill(out, 0, n);
  for (int j = 0; j < count; j++) {
    const real factor = -self->h * row[j];
    if (factor == 0)
      continue;
    shk_vector_add(out, factor, self->force + j * n, n);
    shk_jacobian_transposed_add(self->evaluator, out, self->jacobian + (size_t)j * self->entries,
                                factor, self->multiplier + j * self->m);
  }
}

/* Computes P of all stages from the forces by (2), and then Q of all stages but the first by (1).
 * Used for separable systems only. */
static void move_spark(struct spark *self)
{
  const size_t n = (size_t)self->n;
  for (int i = 0; i < self->s; i++) {
    real *P = self->P + (size_t)i * n;
    kick_spark(self, self->dp, self->lobatto.B[i], self->s - 1);
    for (size_t l = 0; l < n; l++)
      P[l] = self->from->p[l] + (self->dp[l] + self->from->p_carry[l]);
  }
  for (int i = 1; i < self->s; i++)
    for (size_t l = 0; l < n; l++) {
      const real sum = shk_dot_strided(self->lobatto.A[i], self->P + l, self->n, self->s);
      self->Q[(size_t)i * n + l] =
          self->from->q[l] +
          (self->h * (sum / self->evaluator->system->mass[l]) + self->from->q_carry[l]);
    }
}

/* Computes ∂g(Q_i)/∂Λ_j = -h² (aâ)_ij G(Q_i) M⁻¹ G(Q_j)ᵀ for i = 2…s, j = 1…s-1, without the
 * factor -h². */
static struct shk_status factor(struct spark *self)
{
  const struct shk_evaluator *e = self->evaluator;
  const int m = self->m, inner = self->s - 1, size = inner * m;
  self->evaluator->counters.factorizations++;
  for (int i = 0; i < inner; i++)
    for (int k = 0; k < m; k++) {
      const real *G = self->jacobian + (size_t)(i + 1) * self->entries;
      real *row = self->matrix + (size_t)(i * m + k) * (size_t)size;
      for (int j = 0; j < inner; j++, row += m) {
        shk_weighted_row(e, row, G, k, self->jacobian + (size_t)j * self->entries, self->scattered);
        for (int l = 0; l < m; l++)
          row[l] *= self->lobatto.product[i + 1][j];
      }
    }
  if (!shk_lu_factor(self->matrix, self->pivots, size))
    return shk_failure(SHK_SINGULAR, "the matrix of the stages' multipliers is singular", 0, 0);
  return shk_ok();
}

/* Corrects the inner multipliers, P and Q once. Sets *moved to the change in Q. */
static struct shk_status correct_spark(struct spark *self, real *moved, bool renew)
{
  struct shk_evaluator *e = self->evaluator;
  const int n = self->n, m = self->m, inner = self->s - 1;
  shk_copy(self->old, self->Q + n, inner * n);
  move_spark(self);
  for (int i = 0; i < inner; i++)
    SHK_TRY(shk_constraint(e, self->residual + i * m,
                           self->from->t + self->lobatto.c[i + 1] * self->h,
                           self->Q + (i + 1) * n));
  if (renew)
    SHK_TRY(factor(self));
  e->counters.iterations++;
  shk_lu_solve(self->residual, self->matrix, self->pivots, inner * m);
  for (int k = 0; k < inner * m; k++)
    self->multiplier[k] += self->residual[k] / (self->h * self->h);
  move_spark(self);
  for (int k = 0; k < inner * n; k++)
    self->old[k] -= self->Q[n + k];
  *moved = real_max_norm(self->old, inner * n);
  return shk_ok();
}

static struct shk_status solve_separable(struct spark *self)
{
  struct shk_iteration *it = &self->iteration;
  const real size = real_max(real_max_norm(self->from->q, self->n), REAL_SMALLEST / REAL_EPSILON);
  bool renew = true; /* true if the matrix must be recomputed */
  self->evaluator->solving = it;
  shk_iteration_begin(it, &shk_stages_rule, REAL_EPSILON);
  for (;;) {
    for (int i = it->count == 0 ? 0 : 1; i < self->s; i++)
      SHK_TRY(evaluate(self, i));
    real moved;
    SHK_TRY(correct_spark(self, &moved, renew));
    const real correction = moved / size;
    renew = it->count > 0 && correction > it->before / SLOW;
    SHK_TRY(shk_iteration_next(it, correction));
    if (it->converged)
      return shk_ok();
  }
}

/* Adds the contributions of stage j to F and its Jacobian J. These are the terms with H_q, H_p and
 * GᵀΛ in the equations of all stages, and the constraint at stage j. l contains the unknowns hΛ. */
static struct shk_status add_stage(struct spark *self, real *F, struct shk_stage_matrix J, int j,
                                   const real *l)
{
  struct shk_evaluator *e = self->evaluator;
  const int n = self->n, m = self->m, s = self->s, stride = 2 * n;
  const int first_p = (s - 1) * n, first_l = first_p + s * n;
  const int at_q = (j - 1) * n, at_p = first_p + j * n, at_l = first_l + j * m;
  const real t = self->from->t + self->lobatto.c[j] * self->h;
  const real *G = self->jacobian + (size_t)j * self->entries, *H_qq = self->hessian,
             *H_qp = H_qq + n;
  const real *H_pq = H_qq + n * stride, *H_pp = H_pq + n;
  const real *Q = self->Q + j * n, *P = self->P + j * n;
  SHK_TRY(evaluate(self, j));
  SHK_TRY(shk_hessian(e, self->hessian, t, Q, P));
  shk_momentum_weights(self->weights + at_p, n, real_max_norm(self->from->q, n),
                       real_max_norm(self->from->p, n), self->h, self->hessian);
  for (int i = 0; i < s; i++) {
    const real a = self->h * self->lobatto.A[i][j], b = self->h * self->lobatto.B[i][j];
    const int q = (i - 1) * n, p = first_p + i * n;
    for (int k = 0; k < n; k++)
      F[p + k] += b * self->force[j * n + k];
    shk_add_block(J, p, at_p, b, H_qp, stride, n);
    if (j > 0)
      shk_add_block(J, p, at_q, b, H_qq, stride, n);
    if (j < s - 1) {
      shk_jacobian_transposed_add(e, F + p, G, self->lobatto.B[i][j], l + j * m);
      shk_add_jacobian_transposed(J, p, at_l, self->lobatto.B[i][j], e, G);
    }
    if (i == 0)
      continue;
    for (int k = 0; k < n; k++)
      F[q + k] -= a * self->velocity[j * n + k];
    shk_add_block(J, q, at_p, -a, H_pp, stride, n);
    if (j > 0)
      shk_add_block(J, q, at_q, -a, H_pq, stride, n);
  }
  if (j == 0)
    return shk_ok();
  shk_add_jacobian(J, at_l - m, at_q, 1, e, G);
  return shk_constraint(e, F + at_l - m, t, Q);
}

/* Computes F and its approximate Jacobian with respect to (Q_2…Q_s, P_1…P_s, hΛ_1…hΛ_{s-1}). */
static struct shk_status stages(void *user, real *F, real *entries, const real *x)
{
  struct spark *self = user;
  const int n = self->n, s = self->s, first_p = (s - 1) * n, first_l = first_p + s * n;
  const int size = first_l + (s - 1) * self->m;
  const struct shk_stage_matrix J = shk_stage_matrix(entries, size);
  shk_copy(self->Q + n, x, first_p);
  shk_copy(self->P, x + first_p, s * n);
  shk_fill(F, 0, size);
  for (int j = 0; j < s; j++)
    SHK_TRY(add_stage(self, F, J, j, x + first_l));
  shk_add_identity(J, 0, 0, first_l);
  for (int i = 0; i < first_l; i++) {
    const bool is_p = i >= first_p;
    const real *start = is_p ? self->from->p : self->from->q;
    const real *carry = is_p ? self->from->p_carry : self->from->q_carry;
    F[i] += (x[i] - start[i % n]) - carry[i % n];
  }
  return shk_ok();
}

static struct shk_status solve_general(struct spark *self)
{
  const int n = self->n, m = self->m, s = self->s, first_p = (s - 1) * n, first_l = first_p + s * n;
  const real size_q = shk_size_of(self->from->q, n), size_p = shk_size_of(self->from->p, n);
  shk_copy(self->x, self->Q + n, first_p);
  shk_copy(self->x + first_p, self->P, s * n);
  for (int k = 0; k < (s - 1) * m; k++)
    self->x[first_l + k] = self->h * self->multiplier[k];
  for (int k = 0; k < first_l; k++)
    self->weights[k] = k < first_p ? size_q : size_p;
  SHK_TRY(shk_newton_solve(self->newton, self->evaluator, self->x, first_l, self->weights, stages,
                           self));
  shk_copy(self->Q + n, self->x, first_p);
  shk_copy(self->P, self->x + first_p, s * n);
  for (int k = 0; k < (s - 1) * m; k++)
    self->multiplier[k] = self->x[first_l + k] / self->h;
  for (int j = 0; j < s; j++)
    SHK_TRY(evaluate(self, j));
  return shk_ok();
}

/* Sets the initial guess, which is free flight from (q0,p0) with the last multiplier. */
static struct shk_status guess_spark(struct spark *self)
{
  const int n = self->n;
  SHK_TRY(shk_velocity(self->evaluator, self->dp, self->from->t, self->from->q, self->from->p));
  for (int i = 0; i < self->s; i++)
    for (int l = 0; l < n; l++) {
      self->Q[i * n + l] =
          self->from->q[l] + (self->lobatto.c[i] * self->h * self->dp[l] + self->from->q_carry[l]);
      self->P[i * n + l] = self->from->p[l];
    }
  shk_copy(self->Q, self->from->q, n);
  for (int i = 0; i < self->s - 1; i++)
    shk_copy(self->multiplier + i * self->m, self->from->lambda, self->m);
  return shk_ok();
}

/* Computes q1 by (4). */
static void end_position(struct spark *self, struct shk_state *to)
{
  const int n = self->n, last = self->s - 1;
  for (int l = 0; l < n; l++) {
    real sum = 0;
    for (int j = 0; j < self->s; j++)
      sum += self->lobatto.b[j] * (self->newton
                                       ? self->velocity[j * n + l]
                                       : self->P[j * n + l] / self->evaluator->system->mass[l]);
    self->dp[l] = self->h * sum;
  }
  shk_move_q(to, self->from, self->dp);
  shk_copy(self->Q + last * n, to->q, n);
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct spark *self = method;
  const int n = self->n, last = self->s - 1;
  self->from = from;
  self->h = h;
  SHK_TRY(guess_spark(self));
  SHK_TRY(self->newton ? solve_general(self) : solve_separable(self));
  shk_copy(to->lambda, self->multiplier, self->m); /* Λ_1 */
  end_position(self, to);
  SHK_TRY(evaluate(self, last));
  /* Solves (5), where Λ_s is called mu. */
  kick_spark(self, self->dp, self->lobatto.b, last);
  shk_vector_add(self->dp, -h * self->lobatto.b[last], self->force + last * n, n);
  return shk_kick(self->hidden,
                  &(struct shk_kick){.until = SHK_ON_HIDDEN,
                                     .t = from->t + h,
                                     .from = from,
                                     .to = to,
                                     .along = self->jacobian + (size_t)last * self->entries,
                                     .by = h * self->lobatto.b[last],
                                     .dp = self->dp,
                                     .multiplier = to->mu});
}

/* The solver for p1 uses the default options of the multiplier solver. */
static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct spark *self = method;
  struct shk_binding defaults = *binding;
  const size_t n = (size_t)self->n, m = (size_t)self->m, s = (size_t)self->stages;
  const size_t inner = (s - 1) * m, size = (2 * s - 1) * n + inner;
  self->s = (int)s;
  self->entries = (size_t)self->evaluator->row_start[m];
  lobatto_fill(&self->lobatto, self->s);
  defaults.options = NULL;
  SHK_TRY(shk_bind_solver(&self->hidden, &defaults));
  if (!shk_is_general(self->evaluator->system)) {
    SHK_TRY(shk_reals(binding->workspace, &self->matrix, inner * inner));
    return shk_integers(binding->workspace, &self->pivots, inner);
  }
  SHK_TRY(shk_reals(binding->workspace, &self->x, size));
  SHK_TRY(shk_reals(binding->workspace, &self->weights, size));
  return shk_bind_newton(&self->newton, binding, (int)size, self->iteration.limit);
}

static void claims_under(struct shk_claims *claims, const void *method)
{
  const int s = (int)((const struct spark *)method)->stages;
  claims->order_q = claims->order_p = claims->order_lambda_state = 2 * s - 2;
  claims->local_order_q = claims->local_order_p = 2 * s - 1;
  claims->order_lambda = claims->order_mu = s - 1;
  claims->order_lambda_mean = s == 4 ? 4 : 2;
}

static const struct shk_option options[] = SHK_LIST(
    SHK_INTEGER(spark, stages, "stages", "2",
                "number of nodes; the order is twice this number minus 2", .minimum = "2",
                .maximum = "4"),
    SHK_INTEGER(spark, iteration.limit, "iterations", "1000",
                "maximum number of iterations for the stages; a step that reaches it fails",
                .minimum = "1", .maximum = "100000"));

#define STAGES .times = SHK_AT(spark, stages)
static const struct shk_array arrays[] = SHK_LIST(
    SHK_ARRAYS(spark, (.n = 1, STAGES), Q, P, force, velocity, old),
    SHK_ARRAYS(spark, (.m = 1, STAGES), multiplier, residual),
    SHK_ARRAY(spark, jacobian, .entries = 1, STAGES), SHK_ARRAYS(spark, (.n = 1), dp, scattered),
    SHK_ARRAY(spark, hessian, .nn = 4, .only = SHK_GENERAL));

static const struct shk_stated claims[] =
    SHK_LIST(SHK_ORDERS(2), SHK_TWO_MULTIPLIERS, SHK_GEOMETRY(SHK_YES), SHK_CONSTRAINTS(SHK_YES),
             SHK_COORDINATES(SHK_YES), SHK_CLAIM(COMPENSATED, SHK_YES));

static const struct shk_integrator spark = {
    SHK_INTEGRATOR(spark, arrays, bind, step, claims_under),
    .info = {.name = "spark",
             .family = "constrained and geometric",
             .summary = "Lobatto IIIA-IIIB with 2, 3 or 4 stages: orders 2, 4, 6",
             .equations = equations,
             .citation = "Jay, SIAM J. Numer. Anal. 33 (1996) 368; Hairer, Lubich & Wanner, GNI, "
                         "§VII.1.5",
             .options = options,
             .supports = SHK_HOLONOMIC,
             .claims = claims}};

SHK_PROVIDE(spark, .integrators = SHK_INTEGRATORS(&spark));
