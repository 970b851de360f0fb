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
 */
#include "integrators/kit/over_flow.h"

#include <shakedown/bind.h>
#include <shakedown/plugin.h>

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct shk_over_flow *w = method;
  if (w->geometric)
    return shk_geometric_step(w->geometric, to, from, h);
  SHK_TRY(shk_verlet_positions(w->verlet, to, from, h)); /* p½, q1 and lambda: g(q1) = 0 */
  shk_verlet_momenta_free(w->verlet, to, from);          /* p1 = p½ - h/2 H_q(q1,p½) */
  if (w->work)
    *w->work += shk_verlet_work(w->verlet, to, from, h);
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
                 "the kick that the last step left out.",
             .citation =
                 "Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. 23 (1977) 327; McLachlan, "
                 "Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014) 339, eq. (11)",
             .options = shk_over_flow_options,
             .supports =
                 SHK_GENERAL_HAMILTONIAN | SHK_RHEONOMIC | SHK_FORCES | SHK_MOMENTUM_CONSTRAINT,
             .claims = claims},
    SHK_METHOD(shk_over_flow),
    .bind = bind,
    .step = step,
    .claims_under = claims_under,
    .work_at = SHK_AT(shk_over_flow, work)};

SHK_PROVIDE(shake, .integrators = SHK_INTEGRATORS(&shake));
