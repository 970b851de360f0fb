/*
 * Partitioned Runge-Kutta methods of Lobatto IIIA-IIIB for constrained systems (SPARK methods):
 *
 *     Q_i = q0 + h Σ_j a_ij H_p(Q_j,P_j)                                         i = 1…s
 *     P_i = p0 - h Σ_j â_ij (H_q(Q_j,P_j) + G(Q_j)ᵀ Λ_j)
 *     0   = g(Q_i)
 *     q1  = q0 + h Σ_j b_j H_p(Q_j,P_j) = Q_s
 *     p1  = p0 - h Σ_j b_j (H_q(Q_j,P_j) + G(Q_j)ᵀ Λ_j),      G(q1) H_p(q1,p1) = 0
 *
 * a: Lobatto IIIA with s nodes, â: Lobatto IIIB, b_i â_ij + b_j a_ji = b_i b_j. Order 2s-2,
 * symplectic, symmetric (Jay 1996; Hairer, Lubich & Wanner, GNI, §VII.1.5). s = 2 is RATTLE over
 * Störmer-Verlet. As a_1j = 0, Q_1 = q0; as â_is = 0, Λ_s enters p1 alone, where the hidden
 * constraint decides it. lambda is Λ_1, which acts at q0, and mu is Λ_s, which acts at q1; the
 * constraint force is -Gᵀ lambda.
 *
 * The stages are found to round-off. Separable systems: simplified Newton iteration for the inner
 * multipliers, with forces and directions G(Q_j) of the iteration before, so that it contracts by
 * O(h²); the matrix is dense, (s-1)m square. General systems: Newton's method for (Q, P, Λ) with
 * the second derivatives of g left out of its matrix. Dense throughout: not for thousands of
 * constraints. Sums of q and p are compensated. Not for constraints that depend on p.
 */
#include "integrators/kit/lobatto.h"
#include <shakedown/plugin.h>

#include <stdlib.h>
#include <string.h>

/* Corrections that shrink less than by this factor ask for a new matrix. */
#define SLOW 8

/* The iteration is ended by how far Q moves against the size of q, since corrections of Λ carry
 * round-off over h². */
static const struct shk_iteration_rule stages_rule = {
    .at_once = 1,
    .slow = 100,
    .patience = 8,
    .clearly = true,
    .corrections = true,
    .diverged = "the iteration for the stages diverged",
    .stopped = "the iteration for the stages does not converge: correction %g",
    .limit = "the iteration for the stages met its limit: correction %g (limit %g)"};

struct spark {
  struct shk_evaluator *evaluator;
  struct shk_multiplier_solver *hidden;
  struct shk_newton *newton; /* general systems */
  int n, m, s;
  struct lobatto lobatto;
  void *block;
  size_t entries;                    /* of G */
  real *Q, *P, *multiplier;          /* s of each: n, n, m */
  real *force, *velocity, *jacobian; /* s of each: H_q, H_p at (Q_i,P_i), G(Q_i) */
  real *dp, *scattered;              /* n */
  real *residual;                    /* (s-1) m */
  real *old;                         /* (s-1) n */
  real *matrix;                      /* (s-1)m square */
  int *pivots;
  real *x, *weights, *hessian; /* general systems */
  const struct shk_state *from;
  real h;
  struct shk_iteration iteration; /* separable systems */
};

/* H_q, H_p and G at stage i. H_p only where p matters to it. */
static struct shk_status evaluate(struct spark *w, int i)
{
  struct shk_evaluator *e = w->evaluator;
  const size_t n = (size_t)w->n, k = (size_t)i;
  const real t = w->from->t + w->lobatto.c[i] * w->h;
  SHK_TRY(shk_gradient(e, w->force + k * n, t, w->Q + k * n, w->P + k * n));
  if (w->newton != NULL)
    SHK_TRY(shk_velocity(e, w->velocity + k * n, t, w->Q + k * n, w->P + k * n));
  return shk_jacobian(e, w->jacobian + k * w->entries, t, w->Q + k * n);
}

/* out (n) = -h Σ_j row_j (H_q + GᵀΛ)_j over the first `count` stages */
static void kick(const struct spark *w, real *out, const real *row, int count)
{
  const int n = w->n;
  for (int l = 0; l < n; l++)
    out[l] = 0;
  for (int j = 0; j < count; j++) {
    const real factor = -w->h * row[j];
    if (factor == 0)
      continue;
    for (int l = 0; l < n; l++)
      out[l] += factor * w->force[(size_t)j * (size_t)n + (size_t)l];
    shk_jacobian_transposed_add(w->evaluator, out, w->jacobian + (size_t)j * w->entries, factor,
                                w->multiplier + (size_t)j * (size_t)w->m);
  }
}

/* P of all stages from the forces, then Q of all but the first. Separable systems. */
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
      real sum = 0;
      for (int j = 0; j < w->s; j++)
        sum += w->lobatto.A[i][j] * w->P[(size_t)j * n + l];
      w->Q[(size_t)i * n + l] =
          w->from->q[l] + (w->h * (sum / w->evaluator->system->mass[l]) + w->from->q_carry[l]);
    }
}

/* ∂g(Q_i)/∂Λ_j = -h² (aâ)_ij G(Q_i) M⁻¹ G(Q_j)ᵀ for i = 2…s, j = 1…s-1; without the factor -h². */
static struct shk_status factor(struct spark *w)
{
  const struct shk_evaluator *e = w->evaluator;
  const int m = w->m, inner = w->s - 1, size = inner * m;
  const int *start = e->row_start, *columns = e->columns;
  w->evaluator->work.factorizations++;
  for (int i = 0; i < inner; i++)
    for (int k = 0; k < m; k++) {
      const real *G = w->jacobian + (size_t)(i + 1) * w->entries;
      for (int x = start[k]; x < start[k + 1]; x++)
        w->scattered[columns[x]] = G[x] / e->system->mass[columns[x]];
      for (int j = 0; j < inner; j++)
        for (int l = 0; l < m; l++) {
          const real *Gj = w->jacobian + (size_t)j * w->entries;
          real sum = 0;
          for (int x = start[l]; x < start[l + 1]; x++)
            sum += w->scattered[columns[x]] * Gj[x];
          w->matrix[(size_t)(i * m + k) * (size_t)size + (size_t)(j * m + l)] =
              w->lobatto.product[i + 1][j] * sum;
        }
      for (int x = start[k]; x < start[k + 1]; x++)
        w->scattered[columns[x]] = 0;
    }
  if (!shk_lu_factor(w->matrix, w->pivots, size))
    return shk_failure(SHK_SINGULAR, "the matrix of the stages' multipliers is singular", 0, 0);
  return shk_ok();
}

/* One correction of the inner multipliers, and of P and Q; *moved: by how much Q. */
static struct shk_status correct(struct spark *w, real *moved, bool renew)
{
  struct shk_evaluator *e = w->evaluator;
  const int n = w->n, m = w->m, inner = w->s - 1;
  memcpy(w->old, w->Q + n, (size_t)inner * (size_t)n * sizeof(real));
  move(w);
  for (int i = 0; i < inner; i++)
    SHK_TRY(shk_constraint(e, w->residual + (size_t)i * (size_t)m,
                           w->from->t + w->lobatto.c[i + 1] * w->h,
                           w->Q + (size_t)(i + 1) * (size_t)n));
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

/* The stages of a separable system. */
static struct shk_status solve_separable(struct spark *w)
{
  struct shk_iteration *it = &w->iteration;
  const real size = real_max(real_max_norm(w->from->q, w->n), REAL_SMALLEST / REAL_EPSILON);
  bool renew = true; /* the matrix */
  w->evaluator->solving = it;
  shk_iteration_begin(it, &stages_rule, REAL_EPSILON);
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

/* F and its approximate Jacobian in (Q_2…Q_s, P_1…P_s, hΛ_1…hΛ_{s-1}). */
static struct shk_status stages(void *user, real *F, real *J, const real *x)
{
  struct spark *w = user;
  struct shk_evaluator *e = w->evaluator;
  const int n = w->n, m = w->m, s = w->s, stride = 2 * n;
  const int first_p = (s - 1) * n, first_l = first_p + s * n, size = first_l + (s - 1) * m;
  memcpy(w->Q + n, x, (size_t)first_p * sizeof(real));
  memcpy(w->P, x + first_p, (size_t)(s * n) * sizeof(real));
  memset(J, 0, (size_t)size * (size_t)size * sizeof *J);
  for (int i = 0; i < size; i++)
    F[i] = 0;
  for (int j = 0; j < s; j++) {
    SHK_TRY(evaluate(w, j));
    const real *G = w->jacobian + (size_t)j * w->entries, *l = x + first_l + j * m;
    const real *Q = w->Q + (size_t)j * (size_t)n, *P = w->P + (size_t)j * (size_t)n;
    SHK_TRY(shk_hessian(e, w->hessian, w->from->t + w->lobatto.c[j] * w->h, Q, P));
    shk_momentum_weights(w->weights + first_p + j * n, n, real_max_norm(w->from->q, n),
                         real_max_norm(w->from->p, n), w->h, w->hessian);
    for (int i = 0; i < s; i++) {
      const real a = w->h * w->lobatto.A[i][j], b = w->h * w->lobatto.B[i][j];
      real *F_p = F + first_p + i * n;
      for (int k = 0; k < n; k++) {
        F_p[k] += b * w->force[j * n + k];
        real *row_p = J + (size_t)(first_p + i * n + k) * size;
        real *row_q = i > 0 ? J + (size_t)((i - 1) * n + k) * size : NULL;
        const real *H_q = w->hessian + (size_t)k * stride, *H_p = H_q + (size_t)n * stride;
        for (int c = 0; c < n; c++) {
          row_p[first_p + j * n + c] += b * H_q[n + c];
          if (j > 0)
            row_p[(j - 1) * n + c] += b * H_q[c];
          if (row_q != NULL)
            row_q[first_p + j * n + c] -= a * H_p[n + c];
          if (row_q != NULL && j > 0)
            row_q[(j - 1) * n + c] -= a * H_p[c];
        }
        if (row_q != NULL)
          F[(i - 1) * n + k] -= a * w->velocity[j * n + k];
      }
      if (j < s - 1)
        shk_jacobian_transposed_add(e, F_p, G, w->lobatto.B[i][j], l);
      for (int k = 0; j < s - 1 && k < m; k++)
        for (int y = e->row_start[k]; y < e->row_start[k + 1]; y++)
          J[(size_t)(first_p + i * n + e->columns[y]) * size + first_l + j * m + k] +=
              w->lobatto.B[i][j] * G[y];
    }
    if (j == 0)
      continue;
    const int row = first_l + (j - 1) * m;
    SHK_TRY(shk_constraint(e, F + row, w->from->t + w->lobatto.c[j] * w->h, Q));
    for (int k = 0; k < m; k++)
      for (int y = e->row_start[k]; y < e->row_start[k + 1]; y++)
        J[(size_t)(row + k) * size + (j - 1) * n + e->columns[y]] += G[y];
  }
  for (int i = 0; i < s; i++)
    for (int k = 0; k < n; k++) {
      const int p = first_p + i * n + k, q = (i - 1) * n + k;
      F[p] += (x[p] - w->from->p[k]) - w->from->p_carry[k];
      J[(size_t)p * size + p] += 1;
      if (i > 0) {
        F[q] += (x[q] - w->from->q[k]) - w->from->q_carry[k];
        J[(size_t)q * size + q] += 1;
      }
    }
  return shk_ok();
}

static struct shk_status solve_general(struct spark *w)
{
  const int n = w->n, m = w->m, s = w->s, first_p = (s - 1) * n, first_l = first_p + s * n;
  const real size_q = real_max_norm(w->from->q, n), size_p = real_max_norm(w->from->p, n);
  memcpy(w->x, w->Q + n, (size_t)first_p * sizeof(real));
  memcpy(w->x + first_p, w->P, (size_t)(s * n) * sizeof(real));
  for (int k = 0; k < (s - 1) * m; k++)
    w->x[first_l + k] = w->h * w->multiplier[k];
  for (int k = 0; k < first_l; k++) {
    const real size = k < first_p ? size_q : size_p;
    w->weights[k] = size > 0 ? size : 1;
  }
  SHK_TRY(shk_newton_solve(w->newton, w->evaluator, w->x, first_l, w->weights, stages, w));
  memcpy(w->Q + n, w->x, (size_t)first_p * sizeof(real));
  memcpy(w->P, w->x + first_p, (size_t)(s * n) * sizeof(real));
  for (int k = 0; k < (s - 1) * m; k++)
    w->multiplier[k] = w->x[first_l + k] / w->h;
  for (int j = 0; j < s; j++)
    SHK_TRY(evaluate(w, j));
  return shk_ok();
}

/* Free flight from (q0,p0) and the last multiplier. */
static struct shk_status guess(struct spark *w)
{
  const int n = w->n;
  SHK_TRY(shk_velocity(w->evaluator, w->dp, w->from->t, w->from->q, w->from->p));
  for (int i = 0; i < w->s; i++)
    for (int l = 0; l < n; l++) {
      w->Q[i * n + l] = w->from->q[l] + (w->lobatto.c[i] * w->h * w->dp[l] + w->from->q_carry[l]);
      w->P[i * n + l] = w->from->p[l];
    }
  memcpy(w->Q, w->from->q, (size_t)n * sizeof(real));
  for (int i = 0; i < w->s - 1; i++)
    memcpy(w->multiplier + (size_t)i * (size_t)w->m, w->from->lambda, (size_t)w->m * sizeof(real));
  return shk_ok();
}

static struct shk_status spark_step(void *method, struct shk_state *to,
                                    const struct shk_state *from, real h)
{
  struct spark *w = method;
  const int n = w->n, last = w->s - 1;
  w->from = from;
  w->h = h;
  SHK_TRY(guess(w));
  SHK_TRY(w->newton != NULL ? solve_general(w) : solve_separable(w));
  for (int l = 0; l < n; l++) {
    real sum = 0;
    for (int j = 0; j < w->s; j++)
      sum +=
          w->lobatto.b[j] * (w->newton != NULL ? w->velocity[j * n + l]
                                               : w->P[j * n + l] / w->evaluator->system->mass[l]);
    to->q[l] = from->q[l];
    to->q_carry[l] = from->q_carry[l];
    real_accumulate(&to->q[l], &to->q_carry[l], h * sum);
  }
  memcpy(w->Q + (size_t)last * (size_t)n, to->q, (size_t)n * sizeof(real));
  SHK_TRY(evaluate(w, last));
  kick(w, w->dp, w->lobatto.b, last);
  for (int l = 0; l < n; l++)
    w->dp[l] -= h * w->lobatto.b[last] * w->force[last * n + l];
  memcpy(to->lambda, w->multiplier, (size_t)w->m * sizeof(real));
  return shk_solve_hidden(w->hidden,
                          &(struct shk_hidden_solve){.t1 = from->t + h,
                                                     .kick = h * w->lobatto.b[last],
                                                     .q1 = to->q,
                                                     .p = from->p,
                                                     .p_carry = from->p_carry,
                                                     .G1 = w->jacobian + (size_t)last * w->entries,
                                                     .mu = to->mu,
                                                     .dp = w->dp,
                                                     .p1 = to->p,
                                                     .p1_carry = to->p_carry});
}

static void spark_destroy(void *method)
{
  struct spark *w = method;
  if (w == NULL)
    return;
  shk_multiplier_destroy(w->hidden);
  shk_newton_destroy(w->newton);
  free(w->block);
  free(w->pivots);
  free(w);
}

static struct shk_status bind(struct spark *w, const struct shk_binding *binding)
{
  struct shk_evaluator *e = binding->evaluator;
  const size_t n = (size_t)e->system->n, m = (size_t)e->system->m;
  const bool general = shk_is_general(e->system);
  w->evaluator = e;
  w->n = (int)n;
  w->m = (int)m;
  w->s = (int)shk_values_integer(binding->options, "stages");
  w->iteration.limit = shk_values_integer(binding->options, "iterations");
  w->entries = (size_t)e->row_start[m];
  lobatto_fill(&w->lobatto, w->s);
  const size_t s = (size_t)w->s, inner = (s - 1) * m, size = (2 * s - 1) * n + inner;
  const size_t count = s * (4 * n + m + w->entries) + 2 * n + (s - 1) * n + inner +
                       (general ? 2 * size + 4 * n * n : inner * inner);
  real *block = calloc(count + 1, sizeof *block);
  w->block = block;
  w->pivots = calloc(inner + 1, sizeof *w->pivots);
  if (block == NULL || w->pivots == NULL)
    return shk_failure(SHK_NO_MEMORY, "no memory for the stages of %g constraints", (double)m, 0);
  w->Q = block;
  w->P = w->Q + s * n;
  w->force = w->P + s * n;
  w->velocity = w->force + s * n;
  w->multiplier = w->velocity + s * n;
  w->jacobian = w->multiplier + s * m;
  w->dp = w->jacobian + s * w->entries;
  w->scattered = w->dp + n;
  w->old = w->scattered + n;
  w->residual = w->old + (s - 1) * n;
  w->matrix = w->residual + inner;
  w->x = w->matrix;
  w->weights = w->x + size;
  w->hessian = w->weights + size;
  if (general)
    SHK_TRY(shk_newton_create(&w->newton, (int)size, w->iteration.limit));
  return shk_multiplier_create(&w->hidden, e, NULL);
}

static struct shk_status spark_create(void **method, const struct shk_binding *binding)
{
  struct spark *w = calloc(1, sizeof *w);
  *method = w;
  if (w == NULL)
    return shk_failure(SHK_NO_MEMORY, "no memory for the method", 0, 0);
  const struct shk_status status = bind(w, binding);
  if (status.code != SHK_OK) {
    spark_destroy(w);
    *method = NULL;
  }
  return status;
}

static void spark_claims(struct shk_claims *claims, const struct shk_values *options)
{
  const int stages_given = (int)shk_values_integer(options, "stages");
  claims->order_q = claims->order_p = claims->order_lambda_state = 2 * stages_given - 2;
  claims->order_lambda = claims->order_mu = stages_given - 1;
  claims->order_lambda_mean = stages_given == 4 ? 4 : 2;
}

static const struct shk_option options[] = {
    {.name = "stages",
     .kind = SHK_OPTION_INTEGER,
     .fallback = "2",
     .minimum = "2",
     .maximum = "4",
     .meaning = "how many nodes; the order is twice that less 2"},
    {.name = "iterations",
     .kind = SHK_OPTION_INTEGER,
     .fallback = "1000",
     .minimum = "1",
     .maximum = "100000",
     .meaning = "limit of iterations for the stages; meeting it is a failure"},
    {0}};

static const struct shk_integrator spark = {
    .struct_size = sizeof(struct shk_integrator),
    .info = {.name = "spark",
             .summary = "Lobatto IIIA-IIIB with 2, 3 or 4 stages: orders 2, 4, 6",
             .equations = "Q_i = q0 + h Σ_j a_ij H_p(Q_j,P_j),  g(Q_i) = 0\n"
                          "P_i = p0 - h Σ_j â_ij (H_q(Q_j,P_j) + G(Q_j)ᵀ Λ_j)\n"
                          "q1 = Q_s,  p1 = p0 - h Σ_j b_j (H_q(Q_j,P_j) + G(Q_j)ᵀ Λ_j),  "
                          "G(q1) H_p(q1,p1) = 0\n"
                          "a: Lobatto IIIA, â: Lobatto IIIB; lambda is Λ_1, mu is Λ_s.",
             .citation = "Jay, SIAM J. Numer. Anal. 33 (1996) 368; Hairer, Lubich & Wanner, GNI, "
                         "§VII.1.5",
             .options = options,
             .supports = SHK_GENERAL_HAMILTONIAN | SHK_RHEONOMIC | SHK_FORCES,
             .claims = {.order_q = 2,
                        .order_p = 2,
                        .order_lambda = 1,
                        .order_mu = 1,
                        .order_lambda_mean = 2,
                        .order_lambda_sum = 0,
                        .order_lambda_state = 2,
                        .symplectic = SHK_YES,
                        .presymplectic = SHK_YES,
                        .symmetric = SHK_YES,
                        .keeps_constraint = SHK_YES,
                        .keeps_hidden = SHK_YES,
                        .keeps_momenta = SHK_YES,
                        .energy_bounded = SHK_YES}},
    .create = spark_create,
    .step = spark_step,
    .destroy = spark_destroy,
    .claims = spark_claims};

SHK_PROVIDE(spark, .integrators = SHK_INTEGRATORS(&spark));
