/*
 * The generalized-α method with both constraints, begun anew at every step:
 *
 *     a0 = q'' of the motion at t0 + (αm-αf) h,   q''0 that at t0
 *     (1-αm) a1 + αm a0 = (1-αf) q''1 + αf q''0,   M q''1 = -V_q(q1) - G(q1)ᵀ mu
 *     q1 = q0 + h v0 + h² ((½-β) a0 + β a1),       g(q1) = 0
 *     p1 = M (v0 + h ((1-γ) a0 + γ a1)) - G(q1)ᵀ kappa,   G(q1) M⁻¹ p1 = 0
 *     αm = (2ρ-1)/(ρ+1),  αf = ρ/(ρ+1),  γ = ½ + αf - αm,  β = ¼ (½+γ)²
 *
 * a is not carried, since a state has no place for it: the starting value that Arnold & Brüls
 * recommend, right up to O(h²), keeps the order at two. ρ is the spectral radius at infinity of the
 * recursion that does carry it. lambda is the exact multiplier at the start of the step. The energy
 * is not kept, at ρ = 1 neither.
 *
 * Sources: Chung & Hulbert, J. Appl. Mech. 60 (1993) 371; Lunk & Simeon, ZAMM 86 (2006) 772; Arnold &
 * Brüls, Multibody Syst. Dyn. 18 (2007) 185. Separable systems with independent constraints only.
 */
#include "dense.h"

#include <shakedown/bind.h>

struct alpha {
  struct shk_evaluator *evaluator;
  int n, m;
  real rho;
  struct shk_manifold *manifold;
  struct dense dense;
  real *G1, *q, *p, *accelerated, *a0, *a1, *dq, *dp, *move, *multiplier, *g;
};

/* a <- -M⁻¹ (V_q + Gᵀ lambda) at (t,q); G's values in G1. */
static struct shk_status acceleration(struct alpha *w, real *a, real t, const real *q,
                                      const real *lambda)
{
  struct shk_evaluator *e = w->evaluator;
  SHK_TRY(shk_gradient(e, a, t, q, w->p));
  SHK_TRY(shk_jacobian(e, w->G1, t, q));
  shk_jacobian_transposed_add(e, a, w->G1, 1, lambda);
  for (int i = 0; i < w->n; i++)
    a[i] = -a[i] / e->system->mass[i];
  return shk_ok();
}

/* q''0 with its multiplier, and a0 at the place that `shift` leads to. */
static struct shk_status begin(struct alpha *w, real *lambda, const struct shk_state *from,
                               real shift)
{
  const real *mass = w->evaluator->system->mass;
  SHK_TRY(shk_exact_multiplier(w->manifold, lambda, from->t, from->q, from->p));
  SHK_TRY(acceleration(w, w->accelerated, from->t, from->q, lambda));
  for (int i = 0; i < w->n; i++) {
    const real v = from->p[i] / mass[i];
    w->q[i] = from->q[i] + shift * (v + shift / 2 * w->accelerated[i]);
    w->p[i] = from->p[i] + shift * mass[i] * w->accelerated[i];
  }
  SHK_TRY(shk_exact_multiplier(w->manifold, w->multiplier, from->t + shift, w->q, w->p));
  return acceleration(w, w->a0, from->t + shift, w->q, w->multiplier);
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct alpha *w = method;
  struct shk_evaluator *e = w->evaluator;
  const real *mass = e->system->mass, t1 = from->t + h;
  const real alpha_m = (2 * w->rho - 1) / (w->rho + 1), alpha_f = w->rho / (w->rho + 1);
  const real gamma = R(0.5) + alpha_f - alpha_m, beta = (R(0.5) + gamma) * (R(0.5) + gamma) / 4;
  const real share = (1 - alpha_f) / (1 - alpha_m);
  SHK_TRY(begin(w, to->lambda, from, (alpha_m - alpha_f) * h));
  memcpy(to->mu, to->lambda, (size_t)w->m * sizeof(real));
  for (int i = 0; i < w->n; i++)
    w->dq[i] = h * (from->p[i] / mass[i] + h / 2 * w->accelerated[i]);
  dense_begin(&w->dense, e);
  while (!w->dense.iteration.converged) {
    e->work.iterations++;
    dense_move_q(to, from, w->dq);
    SHK_TRY(shk_constraint(e, w->g, t1, to->q));
    SHK_TRY(acceleration(w, w->a1, t1, to->q, to->mu));
    for (int i = 0; i < w->n; i++) {
      w->a1[i] =
          share * w->a1[i] + (alpha_f * w->accelerated[i] - alpha_m * w->a0[i]) / (1 - alpha_m);
      w->move[i] = h * ((from->p[i] + from->p_carry[i]) / mass[i] +
                        h * ((R(0.5) - beta) * w->a0[i] + beta * w->a1[i])) -
                   w->dq[i];
    }
    /* mu so that g(q1) = 0 to first order, with this force. */
    SHK_TRY(dense_matrix(&w->dense, e, w->G1, w->G1));
    shk_jacobian_times(e, w->multiplier, w->G1, w->move);
    for (int i = 0; i < w->m; i++)
      w->g[i] = (w->g[i] + w->multiplier[i]) / (h * h * beta * share);
    dense_solve(&w->dense, w->g, w->m);
    memset(w->dp, 0, (size_t)w->n * sizeof(real));
    shk_jacobian_transposed_add(e, w->dp, w->G1, share, w->g);
    for (int i = 0; i < w->n; i++) {
      w->a1[i] -= w->dp[i] / mass[i];
      w->move[i] -= h * h * beta * w->dp[i] / mass[i];
      w->dq[i] += w->move[i];
    }
    for (int i = 0; i < w->m; i++)
      to->mu[i] += w->g[i];
    SHK_TRY(shk_iteration_next(&w->dense.iteration,
                               real_max_norm(w->move, w->n) /
                                   real_max(real_max_norm(from->q, w->n), REAL_SMALLEST)));
  }
  dense_move_q(to, from, w->dq);
  /* Corrections can vanish where the constraint does not: far off it, at a point without normals. */
  SHK_TRY(shk_constraint(e, w->g, t1, to->q));
  if (!(real_max_norm(w->g, w->m) <= real_sqrt(REAL_EPSILON)))
    return shk_failure(SHK_NOT_CONVERGED, "the step leaves the constraint", 0, 0);
  SHK_TRY(shk_jacobian(e, w->G1, t1, to->q));
  for (int i = 0; i < w->n; i++)
    w->dp[i] = h * mass[i] * ((1 - gamma) * w->a0[i] + gamma * w->a1[i]);
  return dense_momenta(&w->dense, e, to, from, w->dp, w->multiplier, w->G1, 1);
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  return shk_bind_manifold(&((struct alpha *)method)->manifold, binding);
}

/* At ρ = 1 a0 is taken on the constraint, and what g is elsewhere is not seen. Between a drift that
 * is too small to see and one of its absence nothing is claimed there. */
static void claims_under(struct shk_claims *all, const void *method)
{
  const struct alpha *w = method;
  if (w->rho == 1) {
    all->formulation_independent = SHK_YES;
    all->energy_bounded = SHK_UNKNOWN;
  }
}

static const struct shk_option options[] = {SHK_REAL(alpha, rho, "rho", "0.8",
                                                     "spectral radius at infinity", .minimum = "0",
                                                     .maximum = "1"),
                                            {0}};

static const struct shk_array arrays[] = {DENSE_ARRAYS(alpha),
                                          SHK_ARRAY(alpha, G1, .entries = 1),
                                          SHK_ARRAY(alpha, q, .n = 1),
                                          SHK_ARRAY(alpha, p, .n = 1),
                                          SHK_ARRAY(alpha, accelerated, .n = 1),
                                          SHK_ARRAY(alpha, a0, .n = 1),
                                          SHK_ARRAY(alpha, a1, .n = 1),
                                          SHK_ARRAY(alpha, dq, .n = 1),
                                          SHK_ARRAY(alpha, dp, .n = 1),
                                          SHK_ARRAY(alpha, move, .n = 1),
                                          SHK_ARRAY(alpha, multiplier, .m = 1),
                                          SHK_ARRAY(alpha, g, .m = 1),
                                          {0}};

static const struct shk_stated claims[] = {SHK_ORDERS(2),
                                           SHK_CLAIM(ORDER_LAMBDA, 2),
                                           SHK_CLAIM(ORDER_MU, 1),
                                           SHK_CLAIM(ORDER_LAMBDA_MEAN, 1),
                                           SHK_CLAIM(ORDER_LAMBDA_SUM, 0),
                                           SHK_GEOMETRY(SHK_NO),
                                           SHK_CONSTRAINTS(SHK_YES),
                                           SHK_CLAIM(COVARIANT, SHK_YES),
                                           SHK_CLAIM(INTRINSIC, SHK_NO),
                                           {0}};

static const struct shk_integrator generalized_alpha = {
    .struct_size = sizeof generalized_alpha,
    .info = {.name = "generalized-alpha",
             .summary = "generalized-α with both constraints, begun anew at every step",
             .equations = "(1-αm) a1 + αm a0 = (1-αf) q''1 + αf q''0,  a0 = q''(t0 + (αm-αf) h)\n"
                          "q1 = q0 + h v0 + h² ((½-β) a0 + β a1),  g(q1) = 0\n"
                          "v1 = v0 + h ((1-γ) a0 + γ a1) - M⁻¹ G(q1)ᵀ kappa,  G(q1) v1 = 0",
             .citation = "Chung & Hulbert, J. Appl. Mech. 60 (1993) 371; Lunk & Simeon, ZAMM 86 "
                         "(2006) 772; Arnold & Brüls, Multibody Syst. Dyn. 18 (2007) 185",
             .options = options,
             .claims = claims},
    SHK_METHOD(alpha),
    .arrays = arrays,
    .bind = bind,
    .step = step,
    .claims_under = claims_under};

SHK_PROVIDE(generalized_alpha, .integrators = SHK_INTEGRATORS(&generalized_alpha));
