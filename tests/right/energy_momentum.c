/*
 * Gonzalez's conserving scheme with discrete gradients for constrained systems:
 *
 *     M (q1-q0)/h = ½ (p0+p1),   (p1-p0)/h = -DV(q0,q1) - Dg(q0,q1)ᵀ lambda,   g(q1) = 0
 *     DV = V_q(½ (q0+q1)) + (V(q1) - V(q0) - V_q·d)/(d·d) d,   d = q1-q0, and so each row of Dg
 *
 * DV·d = V(q1) - V(q0) and Dg d = 0, so that the energy is kept exactly whatever V is. The map is
 * symmetric, not symplectic. A V that depends on time is that of the middle of the step. G(q1) M⁻¹ p1 is not made zero: it alternates at O(h²). Momenta are
 * kept where V and g are quadratic only, since d in DV is not covariant with them; the scheme that
 * keeps all would need the potential as a function of invariants.
 *
 * Constraint force -Gᵀ lambda, lambda that of the middle. Source: Gonzalez, Physica D 132 (1999) 165;
 * J. Nonlinear Sci. 6 (1996) 449. Separable systems with independent constraints only.
 */
#include "dense.h"

struct conserving {
  struct shk_evaluator *evaluator;
  int n, m;
  struct dense dense;
  real *G, *G1, *force, *middle, *d, *dp, *move, *zero; /* G: at the middle */
  real *along, *g;                                      /* Dg = G + along dᵀ */
  real noise;                                           /* of DV */
};

static struct shk_status potential(struct conserving *w, real *value, real t, const real *q)
{
  return shk_hamiltonian(w->evaluator, value, t, q, w->zero);
}

/* x += factor Dgᵀ y */
static void add_normals(struct conserving *w, real *x, real factor, const real *y)
{
  const real share = factor * real_dot(w->along, y, w->m);
  shk_jacobian_transposed_add(w->evaluator, x, w->G, factor, y);
  for (int i = 0; i < w->n; i++)
    x[i] += share * w->d[i];
}

/* force <- DV, along <- what Dg has besides G; q0 is on the constraint, and q1 in the end. */
static struct shk_status discrete_gradients(struct conserving *w, const struct shk_state *to,
                                            const struct shk_state *from, real h)
{
  struct shk_evaluator *e = w->evaluator;
  const real t = from->t + h / 2, square = real_dot(w->d, w->d, w->n);
  real before, after;
  for (int i = 0; i < w->n; i++)
    w->middle[i] = from->q[i] + (w->d[i] / 2 + from->q_carry[i]);
  SHK_TRY(shk_gradient(e, w->force, t, w->middle, from->p));
  SHK_TRY(shk_jacobian(e, w->G, t, w->middle));
  SHK_TRY(potential(w, &before, t, from->q));
  SHK_TRY(potential(w, &after, t, to->q));
  shk_jacobian_times(e, w->along, w->G, w->d);
  for (int i = 0; i < w->m; i++)
    w->along[i] = square > 0 ? -w->along[i] / square : 0;
  /* What is left of V(q1) - V(q0) is of order three, and below the rounding of V where d is small. */
  const real size = real_max_norm(from->q, w->n);
  w->noise = 0;
  if (square <= real_pow(REAL_EPSILON, R(2.0) / 3) * size * size)
    return shk_ok();
  const real share = (after - before - real_dot(w->force, w->d, w->n)) / square;
  for (int i = 0; i < w->n; i++)
    w->force[i] += share * w->d[i];
  w->noise = REAL_EPSILON * (real_fabs(after) + real_fabs(before)) / real_sqrt(square);
  return shk_ok();
}

/* K <- G1 M⁻¹ Dgᵀ */
static struct shk_status matrix(struct conserving *w)
{
  struct dense *const dense = &w->dense;
  for (int j = 0; j < w->m; j++) {
    memset(w->move, 0, (size_t)w->n * sizeof(real));
    memset(dense->column, 0, (size_t)w->m * sizeof(real));
    dense->column[j] = 1;
    add_normals(w, w->move, 1, dense->column);
    for (int i = 0; i < w->n; i++)
      w->move[i] /= w->evaluator->system->mass[i];
    shk_jacobian_times(w->evaluator, dense->column, w->G1, w->move);
    for (int i = 0; i < w->m; i++)
      dense->K[i * w->m + j] = dense->column[i];
  }
  return dense_factor(dense, w->m);
}

/* dp <- -h (DV + Dgᵀ lambda) and what it adds to d. */
static void impulse(struct conserving *w, const struct shk_state *from, const real *lambda, real h)
{
  for (int i = 0; i < w->n; i++)
    w->dp[i] = -h * w->force[i];
  add_normals(w, w->dp, -h, lambda);
  for (int i = 0; i < w->n; i++)
    w->move[i] =
        h * (from->p[i] + (w->dp[i] / 2 + from->p_carry[i])) / w->evaluator->system->mass[i] -
        w->d[i];
}

static struct shk_status correct(struct conserving *w, struct shk_state *to,
                                 const struct shk_state *from, real h, real *size)
{
  struct shk_evaluator *e = w->evaluator;
  dense_move_q(to, from, w->d);
  SHK_TRY(discrete_gradients(w, to, from, h));
  SHK_TRY(shk_constraint(e, w->g, from->t + h, to->q));
  SHK_TRY(shk_jacobian(e, w->G1, from->t + h, to->q));
  SHK_TRY(matrix(w));
  impulse(w, from, to->lambda, h);
  shk_jacobian_times(e, w->dense.column, w->G1, w->move);
  for (int i = 0; i < w->m; i++)
    w->g[i] = (w->g[i] + w->dense.column[i]) * 2 / (h * h);
  dense_solve(&w->dense, w->g, w->m);
  for (int i = 0; i < w->m; i++)
    to->lambda[i] += w->g[i];
  impulse(w, from, to->lambda, h);
  for (int i = 0; i < w->n; i++)
    w->d[i] += w->move[i];
  const real scale = real_max(real_max_norm(from->q, w->n), REAL_SMALLEST);
  *size = real_max_norm(w->move, w->n) / scale;
  for (int i = 0; i < w->n; i++)
    w->dense.row[i] = h * h / 2 * w->noise / e->system->mass[i];
  w->dense.iteration.rounding = real_max(REAL_EPSILON, real_max_norm(w->dense.row, w->n) / scale);
  return shk_ok();
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct conserving *w = method;
  struct shk_evaluator *e = w->evaluator;
  memset(to->lambda, 0, (size_t)w->m * sizeof(real));
  memset(to->mu, 0, (size_t)w->m * sizeof(real));
  for (int i = 0; i < w->n; i++)
    w->d[i] = h * from->p[i] / e->system->mass[i];
  dense_begin(&w->dense, e);
  while (!w->dense.iteration.converged) {
    real size;
    e->work.iterations++;
    SHK_TRY(correct(w, to, from, h, &size));
    SHK_TRY(shk_iteration_next(&w->dense.iteration, size));
  }
  dense_move_q(to, from, w->d);
  dense_move_p(to, from, w->dp);
  return shk_ok();
}

static const struct shk_array arrays[] = {DENSE_ARRAYS(conserving),
                                          SHK_ARRAY(conserving, G, .entries = 1),
                                          SHK_ARRAY(conserving, G1, .entries = 1),
                                          SHK_ARRAY(conserving, force, .n = 1),
                                          SHK_ARRAY(conserving, middle, .n = 1),
                                          SHK_ARRAY(conserving, d, .n = 1),
                                          SHK_ARRAY(conserving, dp, .n = 1),
                                          SHK_ARRAY(conserving, move, .n = 1),
                                          SHK_ARRAY(conserving, zero, .n = 1),
                                          SHK_ARRAY(conserving, along, .m = 1),
                                          SHK_ARRAY(conserving, g, .m = 1),
                                          {0}};

static const struct shk_stated claims[] = {SHK_ORDERS(2),
                                           SHK_CLAIM(ORDER_LAMBDA, 1),
                                           SHK_CLAIM(SYMPLECTIC, SHK_NO),
                                           SHK_CLAIM(PRESYMPLECTIC, SHK_NO),
                                           SHK_CLAIM(SYMMETRIC, SHK_YES),
                                           SHK_CLAIM(KEEPS_CONSTRAINT, SHK_YES),
                                           SHK_CLAIM(KEEPS_HIDDEN, SHK_NO),
                                           SHK_CLAIM(KEEPS_MOMENTA, SHK_NO),
                                           SHK_CLAIM(ENERGY_BOUNDED, SHK_YES),
                                           SHK_COORDINATES(SHK_YES),
                                           {0}};

static const struct shk_integrator energy_momentum = {
    .struct_size = sizeof energy_momentum,
    .info = {.name = "energy-momentum",
             .summary = "the conserving scheme of discrete gradients",
             .equations = "M (q1-q0)/h = ½ (p0+p1)\n"
                          "(p1-p0)/h = -DV(q0,q1) - Dg(q0,q1)ᵀ lambda,  g(q1) = 0\n"
                          "DV·(q1-q0) = V(q1) - V(q0),  Dg (q1-q0) = g(q1) - g(q0)",
             .citation = "Gonzalez, Physica D 132 (1999) 165; J. Nonlinear Sci. 6 (1996) 449",
             .claims = claims},
    SHK_METHOD(conserving),
    .arrays = arrays,
    .step = step};

SHK_PROVIDE(energy_momentum, .integrators = SHK_INTEGRATORS(&energy_momentum));
