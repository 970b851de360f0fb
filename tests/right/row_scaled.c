/*
 * RATTLE whose linear systems are equilibrated: rows of G are divided by their norms in the metric of
 * M⁻¹, so that rows of any unit and size weigh the same, and multipliers are scaled back,
 *
 *     D K D y = D g,   K = G(q1) M⁻¹ G(q0)ᵀ,   D_k = (G_k(q0) M⁻¹ G_k(q0)ᵀ)^(-1/2),   lambda = D y.
 *
 * Constraint force -Gᵀ lambda. Sources: Andersen, J. Comput. Phys. 52 (1983) 24; Higham, Accuracy and
 * Stability of Numerical Algorithms, §7.3. Separable systems with independent constraints only.
 */
#include "dense.h"

struct scaled {
  struct shk_evaluator *evaluator;
  int n, m;
  struct dense dense;
  real *G0, *G1, *gradient, *start, *dp, *dq, *g, *scale, *change;
};

/* scale <- D at the values of G. */
static struct shk_status scales(struct scaled *scaled, const real *G)
{
  struct dense *const dense = &scaled->dense;
  for (int j = 0; j < scaled->m; j++) {
    dense_column(dense, scaled->evaluator, G, G, j);
    if (!(dense->column[j] > 0))
      return shk_failure(SHK_SINGULAR, "a row of the Jacobian vanishes", 0, 0);
    scaled->scale[j] = 1 / real_sqrt(dense->column[j]);
  }
  return shk_ok();
}

/* x <- (G_a M⁻¹ G_bᵀ)⁻¹ x */
static struct shk_status solve(struct scaled *scaled, real *x, const real *G_a, const real *G_b)
{
  struct dense *const dense = &scaled->dense;
  const int m = scaled->m;
  for (int j = 0; j < m; j++) {
    dense_column(dense, scaled->evaluator, G_a, G_b, j);
    for (int i = 0; i < m; i++)
      dense->K[i * m + j] = scaled->scale[i] * dense->column[i] * scaled->scale[j];
  }
  SHK_TRY(dense_factor(dense, m));
  for (int j = 0; j < m; j++)
    x[j] *= scaled->scale[j];
  dense_solve(dense, x, m);
  for (int j = 0; j < m; j++)
    x[j] *= scaled->scale[j];
  return shk_ok();
}

static struct shk_status positions(struct scaled *scaled, struct shk_state *to,
                                   const struct shk_state *from, real h)
{
  const real *mass = scaled->evaluator->system->mass;
  memcpy(scaled->dp, scaled->start, (size_t)scaled->n * sizeof(real));
  shk_jacobian_transposed_add(scaled->evaluator, scaled->dp, scaled->G0, -h / 2, to->lambda);
  for (int i = 0; i < scaled->n; i++)
    scaled->dq[i] = h * (from->p[i] + (scaled->dp[i] + from->p_carry[i])) / mass[i];
  dense_move_q(to, from, scaled->dq);
  return shk_constraint(scaled->evaluator, scaled->g, from->t + h, to->q);
}

static struct shk_status correct(struct scaled *scaled, struct shk_state *to,
                                 const struct shk_state *from, real h, real *size)
{
  struct shk_evaluator *e = scaled->evaluator;
  SHK_TRY(shk_jacobian(e, scaled->G1, from->t + h, to->q));
  SHK_TRY(solve(scaled, scaled->g, scaled->G1, scaled->G0));
  memset(scaled->change, 0, (size_t)scaled->n * sizeof(real));
  shk_jacobian_transposed_add(e, scaled->change, scaled->G0, 1, scaled->g);
  for (int i = 0; i < scaled->n; i++)
    scaled->change[i] /= e->system->mass[i];
  for (int j = 0; j < scaled->m; j++)
    to->lambda[j] += 2 / (h * h) * scaled->g[j];
  *size = real_max_norm(scaled->change, scaled->n) /
          real_max(real_max_norm(from->q, scaled->n), REAL_SMALLEST);
  return positions(scaled, to, from, h);
}

/* dp so that the hidden constraint holds, refined twice, and mu. */
static struct shk_status momenta(struct scaled *scaled, struct shk_state *to,
                                 const struct shk_state *from, real h)
{
  struct shk_evaluator *e = scaled->evaluator;
  memset(to->mu, 0, (size_t)scaled->m * sizeof(real));
  for (int k = 0; k < 3; k++) {
    dense_move_p(to, from, scaled->dp);
    for (int i = 0; i < scaled->n; i++)
      scaled->change[i] = to->p[i] / e->system->mass[i];
    shk_jacobian_times(e, scaled->g, scaled->G1, scaled->change);
    SHK_TRY(solve(scaled, scaled->g, scaled->G1, scaled->G1));
    shk_jacobian_transposed_add(e, scaled->dp, scaled->G1, -1, scaled->g);
    for (int j = 0; j < scaled->m; j++)
      to->mu[j] += 2 / h * scaled->g[j];
  }
  dense_move_p(to, from, scaled->dp);
  return shk_ok();
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct scaled *scaled = method;
  struct shk_evaluator *e = scaled->evaluator;
  SHK_TRY(shk_gradient(e, scaled->gradient, from->t, from->q, from->p));
  SHK_TRY(shk_jacobian(e, scaled->G0, from->t, from->q));
  SHK_TRY(scales(scaled, scaled->G0));
  for (int i = 0; i < scaled->n; i++)
    scaled->start[i] = -h / 2 * scaled->gradient[i];
  memset(to->lambda, 0, (size_t)scaled->m * sizeof(real));
  SHK_TRY(positions(scaled, to, from, h));
  dense_begin(&scaled->dense, e);
  while (!scaled->dense.iteration.converged) {
    real size;
    e->counters.iterations++;
    SHK_TRY(correct(scaled, to, from, h, &size));
    SHK_TRY(shk_iteration_next(&scaled->dense.iteration, size));
  }
  SHK_TRY(shk_gradient(e, scaled->gradient, from->t + h, to->q, from->p));
  SHK_TRY(shk_jacobian(e, scaled->G1, from->t + h, to->q));
  for (int i = 0; i < scaled->n; i++)
    scaled->dp[i] -= h / 2 * scaled->gradient[i];
  return momenta(scaled, to, from, h);
}

static const struct shk_array arrays[] = SHK_LIST(
    DENSE_ARRAYS(scaled), SHK_ARRAY(scaled, G0, .entries = 1), SHK_ARRAY(scaled, G1, .entries = 1),
    SHK_ARRAY(scaled, gradient, .n = 1), SHK_ARRAY(scaled, start, .n = 1),
    SHK_ARRAY(scaled, dp, .n = 1), SHK_ARRAY(scaled, dq, .n = 1), SHK_ARRAY(scaled, g, .m = 1),
    SHK_ARRAY(scaled, scale, .m = 1), SHK_ARRAY(scaled, change, .n = 1));

static const struct shk_stated claims[] =
    SHK_LIST(SHK_ORDERS(2), SHK_TWO_MULTIPLIERS, SHK_GEOMETRY(SHK_YES), SHK_CONSTRAINTS(SHK_YES),
             SHK_COORDINATES(SHK_YES));

static const struct shk_integrator row_scaled = {
    SHK_INTEGRATOR(scaled, arrays, NULL, step, NULL),
    .info = {.name = "row-scaled",
             .summary = "RATTLE with equilibrated rows of the constraint Jacobian",
             .claims = claims}};

SHK_PROVIDE(row_scaled, .integrators = SHK_INTEGRATORS(&row_scaled));
