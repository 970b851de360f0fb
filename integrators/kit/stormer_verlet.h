/*
 * The two stages of a Störmer-Verlet step with constraints, for a general H and for separable ones,
 * where they are explicit but for lambda and mu:
 *
 *     p½ = p0 - h/2 (H_q(q0,p½) + G(q0)ᵀ lambda)
 *     q1 = q0 + h/2 (H_p(q0,p½) + H_p(q1,p½)),          g(q1) = 0       position stage
 *     p1 = p½ - h/2 (H_q(q1,p½) + G(q1)ᵀ mu)                            momentum stage
 *
 * Generalized forces act where H_q does: H_q - Q(q0,p½,t0) in the first half kick, which is
 * implicit then, H_q - Q(q1,p½,t1) in the second; that leaves the step symmetric and of order 2.
 * Constraints g(q,t) are taken at the time of their position, with g_t in the hidden one. Forces of
 * the constraint are -Gᵀ lambda; lambda and mu are in units of force. Sums of q and p are
 * compensated.
 */
#ifndef INTEGRATORS_KIT_STORMER_VERLET_H
#define INTEGRATORS_KIT_STORMER_VERLET_H

#include <shakedown/integrator.h>

struct shk_verlet;

#define shk_bind_verlet SHK_NAME(shk_bind_verlet)
#define shk_verlet_positions SHK_NAME(shk_verlet_positions)
#define shk_verlet_momenta SHK_NAME(shk_verlet_momenta)
#define shk_verlet_momenta_free SHK_NAME(shk_verlet_momenta_free)
#define shk_verlet_work SHK_NAME(shk_verlet_work)

/* For the options of SHK_SOLVING_OPTIONS; freed with the method. `asks_work`: the method's member
 * for the sum of the constraint work; shk_verlet_work needs it not NULL. */
struct shk_status shk_bind_verlet(struct shk_verlet **verlet, const struct shk_binding *binding,
                                  real *const *asks_work);
/* The position stage: q1 and lambda into *to, and the kicks of both stages but that of mu. */
struct shk_status shk_verlet_positions(struct shk_verlet *verlet, struct shk_state *to,
                                       const struct shk_state *from, real h);
/* The momentum stage with the mu for which G(q1) H_p(q1,p1) + g_t = 0. */
struct shk_status shk_verlet_momenta(struct shk_verlet *verlet, struct shk_state *to,
                                     const struct shk_state *from, real h);
/* The same with mu = 0. */
void shk_verlet_momenta_free(struct shk_verlet *verlet, struct shk_state *to,
                             const struct shk_state *from);
/* The energy that the kicks of lambda and mu have put in; mu's only where it is not zero. */
real shk_verlet_work(struct shk_verlet *verlet, const struct shk_state *to,
                     const struct shk_state *from, real h);

#endif
