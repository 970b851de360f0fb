/*
 * RATTLE: over the Störmer-Verlet flow in the classical form below; over other flows, and for
 * constraints that depend on momenta, in the geometric form of geometric.c, R_h = Pi ∘ S_h.
 *
 * One step from (q0,p0), for a general H (Jay 1994; Hairer, Lubich & Wanner, GNI, eq. VII.1.26):
 *
 *     p½ = p0 - h/2 (H_q(q0,p½) + G(q0)ᵀ lambda)
 *     q1 = q0 + h/2 (H_p(q0,p½) + H_p(q1,p½)),          g(q1) = 0
 *     p1 = p½ - h/2 (H_q(q1,p½) + G(q1)ᵀ mu),            G(q1) H_p(q1,p1) = 0
 *
 * For separable H the first two lines are q1 = q0 + h M⁻¹ p½ (Andersen 1983). Forces, time, signs:
 * stormer_verlet.h.
 */
#include "integrators/kit/over_flow.h"

#include <shakedown/bind.h>
#include <shakedown/plugin.h>

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct shk_over_flow *w = method;
  const struct shk_state *guessed = shk_guessed(w, from);
  if (w->geometric) {
    SHK_TRY(shk_geometric_step(w->geometric, to, guessed, h));
  } else {
    SHK_TRY(shk_verlet_positions(w->verlet, to, guessed, h)); /* p½, q1 and lambda: g(q1) = 0 */
    SHK_TRY(shk_verlet_momenta(w->verlet, to, from, h));      /* p1 and mu: G(q1) H_p(q1,p1) = 0 */
    if (w->work)
      *w->work += shk_verlet_work(w->verlet, to, from, h);
  }
  shk_remember_lambda(w, to, from);
  return shk_ok();
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  return shk_bind_over_flow(method, binding, true);
}

static void claims_under(struct shk_claims *claims, const void *method)
{
  shk_over_flow_claims(claims, method, true);
}

static const struct shk_stated claims[] = {SHK_ORDERS(2),
                                           SHK_TWO_MULTIPLIERS,
                                           SHK_GEOMETRY(SHK_YES),
                                           SHK_CONSTRAINTS(SHK_YES),
                                           SHK_COORDINATES(SHK_YES),
                                           SHK_CLAIM(COMPENSATED, SHK_YES),
                                           {0}};

static const struct shk_integrator rattle = {
    .struct_size = sizeof(struct shk_integrator),
    .info = {.name = "rattle",
             .summary = "RATTLE over Störmer-Verlet or another flow: positions and momenta "
                        "constrained",
             .equations = "p½ = p0 - h/2 (H_q(q0,p½) + G(q0)ᵀ lambda)\n"
                          "q1 = q0 + h/2 (H_p(q0,p½) + H_p(q1,p½)),  g(q1) = 0\n"
                          "p1 = p½ - h/2 (H_q(q1,p½) + G(q1)ᵀ mu),  G(q1) H_p(q1,p1) = 0\n"
                          "over any flow phi_h, for g(q,p) too: z⁻ = phi_h(exp(k Σ lambda_i "
                          "X_{g_i}) z0), g(z⁻) = 0; z1 = exp(k Σ mu_i X_{g_i}) z⁻, {g,H}(z1) = 0; "
                          "k = h/2 (symplectic Euler: h)",
             .citation =
                 "Andersen, J. Comput. Phys. 52 (1983) 24; Jay, SIAM J. Numer. Anal. 33 "
                 "(1996) 368; Hairer, Lubich & Wanner, GNI, eq. VII.1.26; McLachlan, "
                 "Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014) 339, def. 1.3-1.4",
             .options = shk_over_flow_options,
             .supports =
                 SHK_GENERAL_HAMILTONIAN | SHK_RHEONOMIC | SHK_FORCES | SHK_MOMENTUM_CONSTRAINT,
             .claims = claims},
    SHK_METHOD(shk_over_flow),
    .arrays = shk_over_flow_arrays,
    .bind = bind,
    .step = step,
    .claims_under = claims_under,
    .work_at = SHK_AT(shk_over_flow, work)};

SHK_PROVIDE(rattle, .integrators = SHK_INTEGRATORS(&rattle));
