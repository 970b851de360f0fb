/*
 * What the right methods of this folder share: dense linear algebra of their own, so that nothing but
 * evaluations and the test of convergence is the program's.
 *
 *     K = G_a M⁻¹ G_bᵀ            column by column, LU with partial pivoting
 *     p1 = p0 + dp - k G1ᵀ mu     with G1 M⁻¹ p1 = 0
 *
 * For H = ½ pᵀM⁻¹p + V(q) with constant diagonal M and constraints g(q) = 0 that are independent.
 */
#ifndef TESTS_RIGHT_DENSE_H
#define TESTS_RIGHT_DENSE_H

#include <shakedown/plugin.h>

#include <string.h>

struct dense {
  real *K, *row, *column; /* m x m by rows; n; m */
  int *pivots;            /* m */
  struct shk_iteration iteration;
};
#define DENSE_ARRAYS(type)                                                                         \
  SHK_ARRAY(type, dense.K, .mm = 1), SHK_ARRAY(type, dense.row, .n = 1),                           \
      SHK_ARRAY(type, dense.column, .m = 1), SHK_INTEGERS(type, dense.pivots, .m = 1)

/* Corrections relative to the positions fall until rounding stops them: linearly, so that one that
 * has not fallen is round-off, and one that has not halved need not be. */
static const struct shk_iteration_rule dense_rule = {.stops = {R(0.5), 100, 1, 0, 30},
                                                     .diverged = "the positions diverge",
                                                     .stopped = "the corrections stay at %g",
                                                     .at_limit = "not converged: correction %g"};

static inline void dense_begin(struct dense *dense, struct shk_evaluator *e)
{
  dense->iteration.limit = 10000;
  e->solving = &dense->iteration;
  shk_iteration_begin(&dense->iteration, &dense_rule, REAL_EPSILON);
}

/* column <- column j of G_a M⁻¹ G_bᵀ */
static inline void dense_column(struct dense *dense, struct shk_evaluator *e, const real *G_a,
                                const real *G_b, int j)
{
  const struct shk_system *s = e->system;
  memset(dense->row, 0, (size_t)s->n * sizeof(real));
  memset(dense->column, 0, (size_t)s->m * sizeof(real));
  dense->column[j] = 1;
  shk_jacobian_transposed_add(e, dense->row, G_b, 1, dense->column);
  for (int i = 0; i < s->n; i++)
    dense->row[i] /= s->mass[i];
  shk_jacobian_times(e, dense->column, G_a, dense->row);
}

/* K <- its LU factors. */
static inline struct shk_status dense_factor(struct dense *dense, int m)
{
  real *K = dense->K;
  for (int k = 0; k < m; k++) {
    int best = k;
    for (int i = k + 1; i < m; i++)
      if (real_fabs(K[i * m + k]) > real_fabs(K[best * m + k]))
        best = i;
    dense->pivots[k] = best;
    for (int j = 0; j < m && best != k; j++) {
      const real above = K[k * m + j];
      K[k * m + j] = K[best * m + j];
      K[best * m + j] = above;
    }
    if (K[k * m + k] == 0 || !real_isfinite(K[k * m + k]))
      return shk_failure(SHK_SINGULAR, "the constraints are not independent", 0, 0);
    for (int i = k + 1; i < m; i++) {
      K[i * m + k] /= K[k * m + k];
      for (int j = k + 1; j < m; j++)
        K[i * m + j] -= K[i * m + k] * K[k * m + j];
    }
  }
  return shk_ok();
}

static inline struct shk_status dense_matrix(struct dense *dense, struct shk_evaluator *e,
                                             const real *G_a, const real *G_b)
{
  const int m = e->system->m;
  for (int j = 0; j < m; j++) {
    dense_column(dense, e, G_a, G_b, j);
    for (int i = 0; i < m; i++)
      dense->K[i * m + j] = dense->column[i];
  }
  return dense_factor(dense, m);
}

/* x (m) <- K⁻¹ x */
static inline void dense_solve(const struct dense *dense, real *x, int m)
{
  const real *K = dense->K;
  for (int k = 0; k < m; k++) {
    const real above = x[k];
    x[k] = x[dense->pivots[k]];
    x[dense->pivots[k]] = above;
  }
  for (int i = 0; i < m; i++)
    for (int k = 0; k < i; k++)
      x[i] -= K[i * m + k] * x[k];
  for (int i = m - 1; i >= 0; i--) {
    for (int k = i + 1; k < m; k++)
      x[i] -= K[i * m + k] * x[k];
    x[i] /= K[i * m + i];
  }
}

/* to->p <- from->p + dp with its carry */
static inline void dense_move_p(struct shk_state *to, const struct shk_state *from, const real *dp)
{
  for (int i = 0; i < from->n; i++) {
    to->p[i] = from->p[i];
    to->p_carry[i] = from->p_carry[i];
    real_accumulate(&to->p[i], &to->p_carry[i], dp[i]);
  }
}

static inline void dense_move_q(struct shk_state *to, const struct shk_state *from, const real *dq)
{
  for (int i = 0; i < from->n; i++) {
    to->q[i] = from->q[i];
    to->q_carry[i] = from->q_carry[i];
    real_accumulate(&to->q[i], &to->q_carry[i], dq[i]);
  }
}

/* dp -= kick G1ᵀ mu so that G1 M⁻¹ (p0 + dp) = 0, refined twice; to->p. */
static inline struct shk_status dense_momenta(struct dense *dense, struct shk_evaluator *e,
                                              struct shk_state *to, const struct shk_state *from,
                                              real *dp, real *mu, const real *G1, real kick)
{
  const int m = from->m;
  SHK_TRY(dense_matrix(dense, e, G1, G1));
  memset(mu, 0, (size_t)m * sizeof(real));
  for (int k = 0; k < 3; k++) {
    dense_move_p(to, from, dp);
    for (int i = 0; i < from->n; i++)
      dense->row[i] = to->p[i] / e->system->mass[i];
    shk_jacobian_times(e, dense->column, G1, dense->row);
    dense_solve(dense, dense->column, m);
    shk_jacobian_transposed_add(e, dp, G1, -1, dense->column);
    for (int i = 0; i < m; i++)
      mu[i] += dense->column[i] / kick;
  }
  dense_move_p(to, from, dp);
  return shk_ok();
}

#endif
