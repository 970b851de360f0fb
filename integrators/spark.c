/*
 * Partitioned Runge-Kutta methods of Lobatto IIIA-IIIB for constrained systems (SPARK methods), of
 * order 2s-2, symplectic, symmetric (Jay 1996; Hairer, Lubich & Wanner, GNI, §VII.1.5). s = 2 is
 * RATTLE over Störmer-Verlet. As a_1j = 0, Q_1 = q0; as â_is = 0, Λ_s enters only p1, where the
 * hidden constraint determines it. lambda is Λ_1, which acts at q0, and mu is Λ_s, which acts at
 * q1; the constraint force is -Gᵀ lambda.
 *
 * The stages are found to round-off. Separable systems: simplified Newton iteration for the inner
 * multipliers, with forces and directions G(Q_j) of the iteration before, so that it contracts by
 * O(h²); the matrix is dense, (s-1)m square. General systems: Newton's method for (Q, P, Λ) with
 * the second derivatives of g left out of its matrix. Dense throughout: not for thousands of
 * constraints. Sums of q and p are compensated. Not for constraints that depend on p: an
 * open question (McLachlan, Modin, Verdier & Wilkins 2014, §6).
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

/* Least factor by which corrections must shrink; otherwise the matrix is renewed. */
#define SLOW 8

struct spark {
  struct shk_evaluator *evaluator;
  int n, m, s;
  long stages; /* s, as given */
  struct lobatto lobatto;
  size_t entries;                 /* of G */
  real *Q, *P, *force, *velocity; /* n for each stage; H_q, H_p at (Q_i,P_i) */
  real *old;                      /* n for each stage: Q_2…Q_s of the iterate before */
  real *multiplier, *residual;    /* m for each stage */
  real *jacobian;                 /* G(Q_i) */
  real *dp, *scattered;           /* n */
  struct shk_multiplier_solver *hidden;
  /* Separable systems: */
  struct shk_iteration iteration;
  real *matrix; /* (s-1)m square */
  int *pivots;
  /* General systems: */
  struct shk_newton *newton;
  real *x, *weights; /* (2s-1)n + (s-1)m */
  real *hessian;
  const struct shk_state *from;
  real h;
};

/* Evaluates H_q, G and, for general systems, H_p at stage i. */
static struct shk_status evaluate(struct spark *w, int i)
{
  struct shk_evaluator *e = w->evaluator;
  const size_t n = (size_t)w->n, k = (size_t)i;
  const real t = w->from->t + w->lobatto.c[i] * w->h;
  SHK_TRY(shk_gradient(e, w->force + k * n, t, w->Q + k * n, w->P + k * n));
  if (w->newton)
    SHK_TRY(shk_velocity(e, w->velocity + k * n, t, w->Q + k * n, w->P + k * n));
  return shk_jacobian(e, w->jacobian + k * w->entries, t, w->Q + k * n);
}

/* Stores -h Σ_j row_j (H_q + GᵀΛ)_j over the first `count` stages in out (n). */
static void kick(const struct spark *w, real *out, const real *row, int count)
{
  const int n = w->n;
  shk_fill(out, 0, n);
  for (int j = 0; j < count; j++) {
    const real factor = -w->h * row[j];
    if (factor == 0)
      continue;
    shk_vector_add(out, factor, w->force + j * n, n);
    shk_jacobian_transposed_add(w->evaluator, out, w->jacobian + (size_t)j * w->entries, factor,
                                w->multiplier + j * w->m);
  }
}

/* (2) and (1): computes P of all stages from the forces, then Q of all except the first. Separable
 * systems. */
static void move(struct spark *w)
{
  const size_t n = (size_t)w->n;
  for (int i = 0; i < w->s; i++) {
    real *P = w->P + (size_t)i * n;
    kick(w, w->dp, w->lobatto.B[i], w->s - 1);
    for (size_t l = 0; l < n; l++)
      P[l] = w->from->p[l] + (w->dp[l] + w->from->p_carry[l]);
  }
  for (int i = 1; i < w->s; i++)
    for (size_t l = 0; l < n; l++) {
      const real sum = shk_dot_strided(w->lobatto.A[i], w->P + l, w->n, w->s);
      w->Q[(size_t)i * n + l] =
          w->from->q[l] + (w->h * (sum / w->evaluator->system->mass[l]) + w->from->q_carry[l]);
    }
}

/* Computes ∂g(Q_i)/∂Λ_j = -h² (aâ)_ij G(Q_i) M⁻¹ G(Q_j)ᵀ for i = 2…s, j = 1…s-1, without the
 * factor -h². */
static struct shk_status factor(struct spark *w)
{
  const struct shk_evaluator *e = w->evaluator;
  const int m = w->m, inner = w->s - 1, size = inner * m;
  w->evaluator->work.factorizations++;
  for (int i = 0; i < inner; i++)
    for (int k = 0; k < m; k++) {
      const real *G = w->jacobian + (size_t)(i + 1) * w->entries;
      real *row = w->matrix + (size_t)(i * m + k) * (size_t)size;
      for (int j = 0; j < inner; j++, row += m) {
        shk_weighted_row(e, row, G, k, w->jacobian + (size_t)j * w->entries, w->scattered);
        for (int l = 0; l < m; l++)
          row[l] *= w->lobatto.product[i + 1][j];
      }
    }
  if (!shk_lu_factor(w->matrix, w->pivots, size))
    return shk_failure(SHK_SINGULAR, "the matrix of the stages' multipliers is singular", 0, 0);
  return shk_ok();
}

/* Makes one correction of the inner multipliers, of P and of Q; *moved: the change of Q. */
static struct shk_status correct(struct spark *w, real *moved, bool renew)
{
  struct shk_evaluator *e = w->evaluator;
  const int n = w->n, m = w->m, inner = w->s - 1;
  shk_copy(w->old, w->Q + n, inner * n);
  move(w);
  for (int i = 0; i < inner; i++)
    SHK_TRY(shk_constraint(e, w->residual + i * m, w->from->t + w->lobatto.c[i + 1] * w->h,
                           w->Q + (i + 1) * n));
  if (renew)
    SHK_TRY(factor(w));
  e->work.iterations++;
  shk_lu_solve(w->residual, w->matrix, w->pivots, inner * m);
  for (int k = 0; k < inner * m; k++)
    w->multiplier[k] += w->residual[k] / (w->h * w->h);
  move(w);
  for (int k = 0; k < inner * n; k++)
    w->old[k] -= w->Q[n + k];
  *moved = real_max_norm(w->old, inner * n);
  return shk_ok();
}

/* Solves for the stages of a separable system. */
static struct shk_status solve_separable(struct spark *w)
{
  struct shk_iteration *it = &w->iteration;
  const real size = real_max(real_max_norm(w->from->q, w->n), REAL_SMALLEST / REAL_EPSILON);
  bool renew = true; /* the matrix */
  w->evaluator->solving = it;
  shk_iteration_begin(it, &shk_stages_rule, REAL_EPSILON);
  for (;;) {
    for (int i = it->count == 0 ? 0 : 1; i < w->s; i++)
      SHK_TRY(evaluate(w, i));
    real moved;
    SHK_TRY(correct(w, &moved, renew));
    const real correction = moved / size;
    renew = it->count > 0 && correction > it->before / SLOW;
    SHK_TRY(shk_iteration_next(it, correction));
    if (it->converged)
      return shk_ok();
  }
}

/* Adds the contributions of stage j to F and its Jacobian J: H_q, H_p and GᵀΛ in the equations of
 * all stages, and its constraint. l: the unknowns hΛ. */
static struct shk_status add_stage(struct spark *w, real *F, struct shk_stage_matrix J, int j,
                                   const real *l)
{
  struct shk_evaluator *e = w->evaluator;
  const int n = w->n, m = w->m, s = w->s, stride = 2 * n;
  const int first_p = (s - 1) * n, first_l = first_p + s * n;
  const int at_q = (j - 1) * n, at_p = first_p + j * n, at_l = first_l + j * m;
  const real t = w->from->t + w->lobatto.c[j] * w->h;
  const real *G = w->jacobian + (size_t)j * w->entries, *H_qq = w->hessian, *H_qp = H_qq + n;
  const real *H_pq = H_qq + n * stride, *H_pp = H_pq + n;
  const real *Q = w->Q + j * n, *P = w->P + j * n;
  SHK_TRY(evaluate(w, j));
  SHK_TRY(shk_hessian(e, w->hessian, t, Q, P));
  shk_momentum_weights(w->weights + at_p, n, real_max_norm(w->from->q, n),
                       real_max_norm(w->from->p, n), w->h, w->hessian);
  for (int i = 0; i < s; i++) {
    const real a = w->h * w->lobatto.A[i][j], b = w->h * w->lobatto.B[i][j];
    const int q = (i - 1) * n, p = first_p + i * n;
    for (int k = 0; k < n; k++)
      F[p + k] += b * w->force[j * n + k];
    shk_add_block(J, p, at_p, b, H_qp, stride, n);
    if (j > 0)
      shk_add_block(J, p, at_q, b, H_qq, stride, n);
    if (j < s - 1) {
      shk_jacobian_transposed_add(e, F + p, G, w->lobatto.B[i][j], l + j * m);
      shk_add_jacobian_transposed(J, p, at_l, w->lobatto.B[i][j], e, G);
    }
    if (i == 0)
      continue;
    for (int k = 0; k < n; k++)
      F[q + k] -= a * w->velocity[j * n + k];
    shk_add_block(J, q, at_p, -a, H_pp, stride, n);
    if (j > 0)
      shk_add_block(J, q, at_q, -a, H_pq, stride, n);
  }
  if (j == 0)
    return shk_ok();
  shk_add_jacobian(J, at_l - m, at_q, 1, e, G);
  return shk_constraint(e, F + at_l - m, t, Q);
}

/* Computes F and its approximate Jacobian in (Q_2…Q_s, P_1…P_s, hΛ_1…hΛ_{s-1}). */
static struct shk_status stages(void *user, real *F, real *entries, const real *x)
{
  struct spark *w = user;
  const int n = w->n, s = w->s, first_p = (s - 1) * n, first_l = first_p + s * n;
  const int size = first_l + (s - 1) * w->m;
  const struct shk_stage_matrix J = shk_stage_matrix(entries, size);
  shk_copy(w->Q + n, x, first_p);
  shk_copy(w->P, x + first_p, s * n);
  shk_fill(F, 0, size);
  for (int j = 0; j < s; j++)
    SHK_TRY(add_stage(w, F, J, j, x + first_l));
  shk_add_identity(J, 0, 0, first_l);
  for (int i = 0; i < first_l; i++) {
    const bool is_p = i >= first_p;
    const real *start = is_p ? w->from->p : w->from->q;
    const real *carry = is_p ? w->from->p_carry : w->from->q_carry;
    F[i] += (x[i] - start[i % n]) - carry[i % n];
  }
  return shk_ok();
}

static struct shk_status solve_general(struct spark *w)
{
  const int n = w->n, m = w->m, s = w->s, first_p = (s - 1) * n, first_l = first_p + s * n;
  const real size_q = shk_size_of(w->from->q, n), size_p = shk_size_of(w->from->p, n);
  shk_copy(w->x, w->Q + n, first_p);
  shk_copy(w->x + first_p, w->P, s * n);
  for (int k = 0; k < (s - 1) * m; k++)
    w->x[first_l + k] = w->h * w->multiplier[k];
  for (int k = 0; k < first_l; k++)
    w->weights[k] = k < first_p ? size_q : size_p;
  SHK_TRY(shk_newton_solve(w->newton, w->evaluator, w->x, first_l, w->weights, stages, w));
  shk_copy(w->Q + n, w->x, first_p);
  shk_copy(w->P, w->x + first_p, s * n);
  for (int k = 0; k < (s - 1) * m; k++)
    w->multiplier[k] = w->x[first_l + k] / w->h;
  for (int j = 0; j < s; j++)
    SHK_TRY(evaluate(w, j));
  return shk_ok();
}

/* Sets the initial guess: free flight from (q0,p0) and the last multiplier. */
static struct shk_status guess(struct spark *w)
{
  const int n = w->n;
  SHK_TRY(shk_velocity(w->evaluator, w->dp, w->from->t, w->from->q, w->from->p));
  for (int i = 0; i < w->s; i++)
    for (int l = 0; l < n; l++) {
      w->Q[i * n + l] = w->from->q[l] + (w->lobatto.c[i] * w->h * w->dp[l] + w->from->q_carry[l]);
      w->P[i * n + l] = w->from->p[l];
    }
  shk_copy(w->Q, w->from->q, n);
  for (int i = 0; i < w->s - 1; i++)
    shk_copy(w->multiplier + i * w->m, w->from->lambda, w->m);
  return shk_ok();
}

/* (4) */
static void end_position(struct spark *w, struct shk_state *to)
{
  const int n = w->n, last = w->s - 1;
  for (int l = 0; l < n; l++) {
    real sum = 0;
    for (int j = 0; j < w->s; j++)
      sum += w->lobatto.b[j] *
             (w->newton ? w->velocity[j * n + l] : w->P[j * n + l] / w->evaluator->system->mass[l]);
    w->dp[l] = w->h * sum;
  }
  shk_move_q(to, w->from, w->dp);
  shk_copy(w->Q + last * n, to->q, n);
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct spark *w = method;
  const int n = w->n, last = w->s - 1;
  w->from = from;
  w->h = h;
  SHK_TRY(guess(w));
  SHK_TRY(w->newton ? solve_general(w) : solve_separable(w));
  shk_copy(to->lambda, w->multiplier, w->m); /* Λ_1 */
  end_position(w, to);
  SHK_TRY(evaluate(w, last));
  /* (5), in which Λ_s is mu */
  kick(w, w->dp, w->lobatto.b, last);
  shk_vector_add(w->dp, -h * w->lobatto.b[last], w->force + last * n, n);
  return shk_kick(w->hidden, &(struct shk_kick){.until = SHK_ON_HIDDEN,
                                                .t = from->t + h,
                                                .from = from,
                                                .to = to,
                                                .along = w->jacobian + (size_t)last * w->entries,
                                                .by = h * w->lobatto.b[last],
                                                .dp = w->dp,
                                                .multiplier = to->mu});
}

/* p1 is solved for with the default options of the multiplier solver. */
static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct spark *w = method;
  struct shk_binding defaults = *binding;
  const size_t n = (size_t)w->n, m = (size_t)w->m, s = (size_t)w->stages;
  const size_t inner = (s - 1) * m, size = (2 * s - 1) * n + inner;
  w->s = (int)s;
  w->entries = (size_t)w->evaluator->row_start[m];
  lobatto_fill(&w->lobatto, w->s);
  defaults.options = NULL;
  SHK_TRY(shk_bind_solver(&w->hidden, &defaults));
  if (!shk_is_general(w->evaluator->system)) {
    SHK_TRY(shk_reals(binding->workspace, &w->matrix, inner * inner));
    return shk_integers(binding->workspace, &w->pivots, inner);
  }
  SHK_TRY(shk_reals(binding->workspace, &w->x, size));
  SHK_TRY(shk_reals(binding->workspace, &w->weights, size));
  return shk_bind_newton(&w->newton, binding, (int)size, w->iteration.limit);
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
    SHK_INTEGER(spark, stages, "stages", "2", "number of nodes; the order is twice that less 2",
                .minimum = "2", .maximum = "4"),
    SHK_INTEGER(spark, iteration.limit, "iterations", "1000",
                "limit of iterations for the stages; meeting it is a failure", .minimum = "1",
                .maximum = "100000"));

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
             .summary = "Lobatto IIIA-IIIB with 2, 3 or 4 stages: orders 2, 4, 6",
             .equations = equations,
             .citation = "Jay, SIAM J. Numer. Anal. 33 (1996) 368; Hairer, Lubich & Wanner, GNI, "
                         "§VII.1.5",
             .options = options,
             .supports = SHK_HOLONOMIC,
             .claims = claims}};

SHK_PROVIDE(spark, .integrators = SHK_INTEGRATORS(&spark));
