/*
 * Gauss-Lobatto SPARK methods. They use s Gauss nodes for q, p and the forces, and s+1 Lobatto
 * nodes for the constraints and their forces. ā_kj is the integral of the j-th Lagrange polynomial
 * of the Gauss nodes from 0 to the k-th Lobatto node. The methods have order 2s in q and p and are
 * symmetric and symplectic. With s = 1, the method is RATTLE over the midpoint rule. The first
 * Lobatto stage is Y_0 = q0. Because ã_is = 0, Λ_s occurs only in p1, where the hidden constraint
 * determines it. lambda is Λ_0, and mu is Λ_s.
 *
 * The stages are computed to round-off by a simplified Newton iteration for Λ_0…Λ_{s-1}. It uses
 * the forces and directions of the previous iterate and contracts by O(h²). The matrices are dense,
 * so the method is not meant for thousands of constraints. Only separable systems are supported. q
 * and p are accumulated with compensated summation.
 *
 * Jay, SIAM J. Numer. Anal. 45 (2007) 1814.
 */

static const char equations[] =
    "Q_i = q0 + h Σ_j a_ij M⁻¹ P_j                                        i = 1…s   (1)\n"
    "P_i = p0 - h Σ_j a_ij V_q(Q_j) - h Σ_k ã_ik G(Y_k)ᵀ Λ_k              k = 0…s   (2)\n"
    "Y_k = q0 + h Σ_j ā_kj M⁻¹ P_j,  g(Y_k) = 0                           k = 1…s   (3)\n"
    "q1 = q0 + h Σ_j b_j M⁻¹ P_j = Y_s                                              (4)\n"
    "p1 = p0 - h Σ_j b_j V_q(Q_j) - h Σ_k b̂_k G(Y_k)ᵀ Λ_k,  G(q1) M⁻¹ p1 = 0        (5)\n"
    "a, b: Gauss, s nodes; b̂: Lobatto, s+1; b_i ã_ik + b̂_k ā_ki = b_i b̂_k\n"
    "lambda is Λ_0, mu is Λ_s\n";

#include "integrators/kit/stage_matrix.h"
#include <shakedown/plugin.h>

/* MOST is the largest number of Gauss nodes. The matrix is recomputed if corrections shrink by less
 * than the factor SLOW. */
enum { MOST = 4, SLOW = 8 };

struct nodes {
  struct shk_evaluator *evaluator;
  int n, m, s;
  long stages; /* s, set by the option */
  struct shk_iteration iteration;
  struct shk_multiplier_solver *hidden;
  /* The coefficients c, b and a belong to the Gauss nodes, and c_end and b_end belong to the
   * Lobatto nodes. a_end = ā, a_force = ã, product = ā ã. */
  real c[MOST], b[MOST], a[MOST * MOST], c_end[MOST + 1], b_end[MOST + 1];
  real a_end[MOST + 1][MOST], a_force[MOST][MOST + 1], product[MOST + 1][MOST + 1];
  size_t entries;
  real *Q, *force; /* n for each stage */
  real *P;         /* n entries per stage, stored as differences from p0 */
  /* n entries per Lobatto node; `old` contains Y of the previous iterate */
  real *Y, *old;
  real *jacobian;              /* G(Y_k) */
  real *multiplier, *residual; /* m for each node */
  real *dp, *scattered;        /* n */
  real *matrix;                /* s m square */
  int *pivots;
  const struct shk_state *from;
  real h;
};

/* Evaluates the j-th Lagrange polynomial of the Gauss nodes at x. */
static real lagrange_value(const struct nodes *self, int j, real x)
{
  real product = 1;
  for (int i = 0; i < self->s; i++)
    if (i != j)
      product *= (x - self->c[i]) / (self->c[j] - self->c[i]);
  return product;
}

static void fill_tableaux(struct nodes *self)
{
  static const int weights[MOST][3][2] = {
      {{1, 2}}, {{1, 6}, {2, 3}}, {{1, 12}, {5, 12}}, {{1, 20}, {49, 180}, {16, 45}}};
  const int s = self->s;
  const real inner = s == 3 ? 1 / real_sqrt((real)5) : real_sqrt((real)3 / 7);
  shk_gauss_tableau(self->c, self->b, self->a, s);
  for (int k = 0; k <= s; k++) {
    const int *const weight = weights[s - 1][k <= s - k ? k : s - k];
    const int side = 2 * k < s ? -1 : 2 * k > s;
    self->b_end[k] = (real)weight[0] / weight[1];
    self->c_end[k] = k == 0 ? 0 : k == s ? 1 : (1 + side * inner) / 2;
    for (int j = 0; j < s; j++) {
      self->a_end[k][j] = 0;
      for (int i = 0; i < s; i++)
        self->a_end[k][j] +=
            self->b[i] * self->c_end[k] * lagrange_value(self, j, self->c_end[k] * self->c[i]);
      self->a_force[j][k] = k == s ? 0 : self->b_end[k] * (1 - self->a_end[k][j] / self->b[j]);
    }
  }
  for (int i = 0; i <= s; i++)
    for (int j = 0; j <= s; j++) {
      self->product[i][j] = 0;
      for (int l = 0; l < s; l++)
        self->product[i][j] += self->a_end[i][l] * self->a_force[l][j];
    }
}

/* Stores -h (Σ_j row_j V_q(Q_j) + Σ_k added_k G(Y_k)ᵀ Λ_k) in `out`, where k runs over the first
 * `ends` Lobatto nodes. */
static void kick_spark(const struct nodes *self, real *out, const real *row, const real *added,
                       int ends)
{
  shk_fill(out, 0, self->n);
  for (int j = 0; j < self->s; j++)
    shk_vector_add(out, -self->h * row[j], self->force + j * self->n, self->n);
  for (int k = 0; k < ends; k++)
    shk_jacobian_transposed_add(self->evaluator, out, self->jacobian + (size_t)k * self->entries,
                                -self->h * added[k], self->multiplier + k * self->m);
}

/* Stores h Σ_j row_j M⁻¹ P_j in `out`. */
static void drift_spark(const struct nodes *self, real *out, const real *row)
{
  for (int l = 0; l < self->n; l++) {
    real sum = 0;
    for (int j = 0; j < self->s; j++)
      sum += row[j] * (self->from->p[l] + (self->P[j * self->n + l] + self->from->p_carry[l]));
    out[l] = self->h * shk_over_mass(self->evaluator, sum, l);
  }
}

/* Computes P from the forces by (2), then Q by (1), and finally Y by (3). */
static void move_spark(struct nodes *self)
{
  const int n = self->n;
  for (int i = 0; i < self->s; i++)
    kick_spark(self, self->P + i * n, self->a + i * self->s, self->a_force[i], self->s);
  for (int i = 0; i <= 2 * self->s; i++) {
    const bool end = i >= self->s;
    real *const x = end ? self->Y + (i - self->s) * n : self->Q + i * n;
    drift_spark(self, self->dp, end ? self->a_end[i - self->s] : self->a + i * self->s);
    for (int l = 0; l < n; l++)
      x[l] = self->from->q[l] + (self->dp[l] + self->from->q_carry[l]);
  }
}

static struct shk_status evaluate(struct nodes *self, bool at_start)
{
  struct shk_evaluator *const e = self->evaluator;
  const real t = self->from->t, h = self->h;
  for (int j = 0; j < self->s; j++)
    SHK_TRY(shk_gradient(e, self->force + j * self->n, t + self->c[j] * h, self->Q + j * self->n,
                         self->from->p));
  for (int k = at_start ? 0 : 1; k <= self->s; k++)
    SHK_TRY(shk_jacobian(e, self->jacobian + (size_t)k * self->entries, t + self->c_end[k] * h,
                         k == 0 ? self->from->q : self->Y + k * self->n));
  return shk_ok();
}

/* Factors ∂g(Y_i)/∂Λ_j / -h² = (ā ã)_ij G(Y_i) M⁻¹ G(Y_j)ᵀ, i = 1…s, j = 0…s-1. */
static struct shk_status factor_spark(struct nodes *self)
{
  const int m = self->m, size = self->s * m;
  self->evaluator->counters.factorizations++;
  for (int i = 1; i <= self->s; i++)
    for (int k = 0; k < m; k++) {
      real *row = self->matrix + (size_t)((i - 1) * m + k) * (size_t)size;
      for (int j = 0; j < self->s; j++, row += m) {
        shk_weighted_row(self->evaluator, row, self->jacobian + (size_t)i * self->entries, k,
                         self->jacobian + (size_t)j * self->entries, self->scattered);
        for (int l = 0; l < m; l++)
          row[l] *= self->product[i][j];
      }
    }
  if (!shk_lu_factor(self->matrix, self->pivots, size))
    return shk_failure(SHK_SINGULAR, "the matrix of the stages' multipliers is singular", 0, 0);
  return shk_ok();
}

/* Corrects Λ, P, Q and Y once. Sets *moved to the change in Y. */
static struct shk_status correct_spark(struct nodes *self, real *moved, bool renew)
{
  struct shk_evaluator *const e = self->evaluator;
  const int n = self->n, m = self->m, s = self->s;
  shk_copy(self->old, self->Y, (s + 1) * n);
  move_spark(self);
  for (int k = 1; k <= s; k++)
    SHK_TRY(shk_constraint(e, self->residual + (k - 1) * m,
                           self->from->t + self->c_end[k] * self->h, self->Y + k * n));
  if (renew)
    SHK_TRY(factor_spark(self));
  e->counters.iterations++;
  shk_lu_solve(self->residual, self->matrix, self->pivots, s * m);
  for (int k = 0; k < s * m; k++)
    self->multiplier[k] += self->residual[k] / (self->h * self->h);
  move_spark(self);
  for (int k = 0; k < (s + 1) * n; k++)
    self->old[k] -= self->Y[k];
  *moved = real_max_norm(self->old, (s + 1) * n);
  return shk_ok();
}

/* Solves for the stages. The initial guess is free flight with the last multiplier. */
static struct shk_status solve_spark(struct nodes *self)
{
  const int n = self->n;
  const real size = real_max(real_max_norm(self->from->q, n), REAL_SMALLEST / REAL_EPSILON);
  shk_fill(self->P, 0, self->s * n);
  for (int i = 0; i <= 2 * self->s; i++) {
    const bool end = i >= self->s;
    real *const x = end ? self->Y + (i - self->s) * n : self->Q + i * n;
    drift_spark(self, x, end ? self->a_end[i - self->s] : self->a + i * self->s);
    shk_vector_add(x, 1, self->from->q, n);
  }
  for (int k = 0; k < self->s; k++)
    shk_copy(self->multiplier + k * self->m, self->from->lambda, self->m);
  self->evaluator->solving = &self->iteration;
  shk_iteration_begin(&self->iteration, &shk_stages_rule, REAL_EPSILON);
  bool renew = true; /* true if the matrix must be recomputed */
  while (!self->iteration.converged) {
    real moved;
    SHK_TRY(evaluate(self, self->iteration.count == 0));
    SHK_TRY(correct_spark(self, &moved, renew));
    renew = self->iteration.count > 0 && moved / size > self->iteration.before / SLOW;
    SHK_TRY(shk_iteration_next(&self->iteration, moved / size));
  }
  return shk_ok();
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct nodes *self = method;
  const int s = self->s;
  real *const G1 = self->jacobian + (size_t)s * self->entries;
  self->from = from;
  self->h = h;
  SHK_TRY(solve_spark(self));
  shk_copy(to->lambda, self->multiplier, self->m);
  drift_spark(self, self->dp, self->a_end[s]);
  shk_move_q(to, from, self->dp);
  SHK_TRY(shk_jacobian(self->evaluator, G1, from->t + h, to->q));
  kick_spark(self, self->dp, self->b, self->b_end, s);
  return shk_kick(self->hidden, &(struct shk_kick){.until = SHK_ON_HIDDEN,
                                                   .t = from->t + h,
                                                   .from = from,
                                                   .to = to,
                                                   .along = G1,
                                                   .by = h * self->b_end[s],
                                                   .dp = self->dp,
                                                   .multiplier = to->mu});
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct nodes *self = method;
  struct shk_binding defaults = *binding;
  const size_t size = (size_t)self->stages * (size_t)self->m, n = (size_t)self->n,
               m = (size_t)self->m;
  const size_t ends = (size_t)self->stages + 1;
  self->s = (int)self->stages;
  self->entries = (size_t)self->evaluator->row_start[self->m];
  fill_tableaux(self);
  defaults.options = NULL;
  SHK_TRY(shk_bind_solver(&self->hidden, &defaults));
  SHK_TRY(shk_reals(binding->workspace, &self->Y, ends * n));
  SHK_TRY(shk_reals(binding->workspace, &self->old, ends * n));
  SHK_TRY(shk_reals(binding->workspace, &self->jacobian, ends * self->entries));
  SHK_TRY(shk_reals(binding->workspace, &self->multiplier, ends * m));
  SHK_TRY(shk_reals(binding->workspace, &self->residual, ends * m));
  SHK_TRY(shk_reals(binding->workspace, &self->matrix, size * size));
  return shk_integers(binding->workspace, &self->pivots, size);
}

static void claims_under(struct shk_claims *claims, const void *method)
{
  const int s = (int)((const struct nodes *)method)->stages;
  claims->order_q = claims->order_p = claims->order_lambda_state = 2 * s;
  claims->local_order_q = claims->local_order_p = 2 * s + 1;
  claims->order_lambda = claims->order_mu = s;
  claims->order_lambda_mean = s < 3 ? 2 : 4;
}

static const struct shk_option options[] = SHK_LIST(
    SHK_INTEGER(nodes, stages, "stages", "2",
                "number of Gauss nodes; the order is twice this number", .minimum = "1",
                .maximum = "4"),
    SHK_INTEGER(nodes, iteration.limit, "iterations", "1000",
                "maximum number of iterations for the stages; a step that reaches it fails",
                .minimum = "1", .maximum = "100000"));

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAYS(nodes, (.n = 1, .times = SHK_AT(nodes, stages)), Q, force, P),
             SHK_ARRAYS(nodes, (.n = 1), dp, scattered));

static const struct shk_stated claims[] =
    SHK_LIST(SHK_ORDERS(4), SHK_TWO_MULTIPLIERS, SHK_GEOMETRY(SHK_YES), SHK_CONSTRAINTS(SHK_YES),
             SHK_COORDINATES(SHK_YES), SHK_CLAIM(COMPENSATED, SHK_YES));

static const struct shk_integrator gauss_lobatto_spark = {
    SHK_INTEGRATOR(nodes, arrays, bind, step, claims_under),
    .info = {
        .name = "gauss-lobatto-spark",
        .family = "constrained and geometric",
        .summary =
            "Gauss nodes for the motion, Lobatto nodes for the constraints: orders 2, 4, 6 and 8",
        .equations = equations,
        .citation = "Jay, SIAM J. Numer. Anal. 45 (2007) 1814",
        .options = options,
        .supports = SHK_RHEONOMIC,
        .claims = claims}};

SHK_PROVIDE(gauss_lobatto_spark, .integrators = SHK_INTEGRATORS(&gauss_lobatto_spark));
