/*
 * SHAKE: over the Störmer-Verlet flow in the classical form below; over other flows, and for
 * constraints that depend on momenta, in the geometric form of geometric.c, S_h = phi_h ∘ Gamma.
 *
 * One step from (q0,p0), RATTLE's without the last kick of the constraint:
 *
 *     p½ = p0 - h/2 (H_q(q0,p½) + G(q0)ᵀ lambda)
 *     q1 = q0 + h/2 (H_p(q0,p½) + H_p(q1,p½)),          g(q1) = 0
 *     p1 = p½ - h/2 H_q(q1,p½)
 *
 * That momentum is carried on (McLachlan, Modin, Verdier & Wilkins 2014: R_h = Pi ∘ S_h,
 * Pi ∘ S_hᵏ = R_hᵏ): lambda then tends to twice the multiplier of the problem, half of it being the
 * missing mu of the last step. For separable H the first two lines are q1 = q0 + h M⁻¹ p½
 * (Ryckaert, Ciccotti & Berendsen 1977). Forces, time, signs: stormer_verlet.h.
 *
 * With momentum=central the momentum is moved along its fibre to the mean of p1 and p1 - h/2 G(q1)ᵀ lambda,
 * lambda that of the step after: M (q2 - q0)/2h where H is separable, even in h and so of order 2.
 */
#include "integrators/kit/over_flow.h"

#include <shakedown/bind.h>
#include <shakedown/impulse.h>
#include <shakedown/plugin.h>

#include <string.h>

/* From p1 to the mean of it and of the momentum that the next step's kick leaves, p1 - h/4 G(q1)ᵀ lambda: by
 * the half of that lambda, mu. It is on p1's fibre, so that positions stay; the next step finds the other
 * half as its lambda. */
static struct shk_status centre(struct shk_over_flow *w, struct shk_state *to,
                                const struct shk_state *from, real h)
{
  struct shk_evaluator *e = w->evaluator;
  struct shk_state here = *to;
  here.t = from->t + h;
  here.lambda = w->first;
  for (int i = 0; i < w->m; i++)
    w->first[i] = w->guess == SHK_GUESS_ZERO ? 0 : 2 * to->lambda[i];
  SHK_TRY(shk_verlet_positions(w->verlet, &w->ahead, &here, h));
  SHK_TRY(shk_jacobian(e, w->G1, here.t, to->q));
  for (int i = 0; i < w->m; i++)
    to->mu[i] = w->ahead.lambda[i] / 2;
  memset(w->kick, 0, (size_t)w->n * sizeof(real));
  shk_jacobian_transposed_add(e, w->kick, w->G1, -h / 2, to->mu);
  for (int i = 0; i < w->n; i++)
    real_accumulate(&to->p[i], &to->p_carry[i], w->kick[i]);
  if (w->work)
    *w->work +=
        shk_kick_work(e, w->kick, h / 2, w->G1, to->mu, here.t, to->q, to->p, SHK_AFTER_KICK);
  return shk_ok();
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct shk_over_flow *w = method;
  const struct shk_state *guessed = shk_guessed(w, from);
  if (w->geometric) {
    SHK_TRY(shk_geometric_step(w->geometric, to, guessed, h));
  } else {
    SHK_TRY(shk_verlet_positions(w->verlet, to, guessed, h)); /* p½, q1 and lambda: g(q1) = 0 */
    shk_verlet_momenta_free(w->verlet, to, from);             /* p1 = p½ - h/2 H_q(q1,p½) */
    if (w->work)
      *w->work += shk_verlet_work(w->verlet, to, from, h);
    if (w->momentum == SHK_CENTRAL)
      SHK_TRY(centre(w, to, from, h));
  }
  shk_remember_lambda(w, to, from);
  return shk_ok();
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  return shk_bind_over_flow(method, binding, false);
}

static void claims_under(struct shk_claims *claims, const void *method)
{
  shk_over_flow_claims(claims, method, false);
}

/* The order of lambda-state is 1, but 2 where the unprojected part of p does not change g_qq[v,v],
 * as on a sphere: it is not claimed. */
static const struct shk_stated claims[] = {SHK_CLAIM(ORDER_Q, 2),
                                           SHK_CLAIM(ORDER_P, 1),
                                           SHK_CLAIM(ORDER_LAMBDA, 0),
                                           SHK_CLAIM(ORDER_LAMBDA_MEAN, 2),
                                           SHK_CLAIM(ORDER_LAMBDA_SUM, 0),
                                           SHK_CLAIM(SYMPLECTIC, SHK_NO),
                                           SHK_CLAIM(PRESYMPLECTIC, SHK_YES),
                                           SHK_CLAIM(SYMMETRIC, SHK_NO),
                                           SHK_CLAIM(KEEPS_CONSTRAINT, SHK_YES),
                                           SHK_CLAIM(KEEPS_HIDDEN, SHK_NO),
                                           SHK_CLAIM(ENERGY_BOUNDED, SHK_YES),
                                           SHK_COORDINATES(SHK_YES),
                                           SHK_CLAIM(COMPENSATED, SHK_YES),
                                           {0}};

static const struct shk_integrator shake = {
    .struct_size = sizeof(struct shk_integrator),
    .info = {.name = "shake",
             .partner = "rattle",
             .summary = "SHAKE over Störmer-Verlet or another flow: positions constrained, momenta "
                        "carried unprojected",
             .equations =
                 "p½ = p0 - h/2 (H_q(q0,p½) + G(q0)ᵀ lambda)\n"
                 "q1 = q0 + h/2 (H_p(q0,p½) + H_p(q1,p½)),  g(q1) = 0\n"
                 "p1 = p½ - h/2 H_q(q1,p½)\n"
                 "over any flow phi_h, for g(q,p) too: z1 = phi_h(exp(k Σ lambda_i X_{g_i}) "
                 "z0), g(z1) = 0, k = h/2 (symplectic Euler: h)\n"
                 "lambda tends to twice the problem's multiplier: half of it makes up for "
                 "the kick that the last step left out.\n"
                 "momentum=central: p1 - h/4 G(q1)ᵀ lambda of the step after, M (q2 - q0)/2h for "
                 "separable H; lambda and mu then tend to the problem's multiplier.",
             .citation =
                 "Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. 23 (1977) 327; McLachlan, "
                 "Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014) 339, eq. (11)",
             .options = shk_shake_options,
             .supports =
                 SHK_GENERAL_HAMILTONIAN | SHK_RHEONOMIC | SHK_FORCES | SHK_MOMENTUM_CONSTRAINT,
             .claims = claims},
    SHK_METHOD(shk_over_flow),
    .arrays = shk_over_flow_arrays,
    .bind = bind,
    .step = step,
    .claims_under = claims_under,
    .work_at = SHK_AT(shk_over_flow, work)};

SHK_PROVIDE(shake, .integrators = SHK_INTEGRATORS(&shake));
