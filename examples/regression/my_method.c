/* my-method: Heun's method for the index-reduced equations, with a projection after every step. It
 * works without changes; replace it with your own method.
 *
 * lambda(q,p) is the multiplier that keeps the second derivative of g zero. Source: Hairer, Lubich
 * & Wanner, GNI, Algorithm IV.4.2. The energy drifts.
 *
 *     shakedown plugin build my-method.c
 *     shakedown simulate sprung-pendulum my-method --plugin ./my-method.so --step 0.05 --until 1
 *
 * This file is compiled once for each precision of the type `real`, so write 2 or R(0.25) instead
 * of 2.0. */

static const char equations[] = "q' = H_p,  p' = -H_q - Gᵀ lambda(q,p):  z' = f(z),  z = (q,p)\n"
                                "z* = z0 + h f(z0)\n"
                                "z1 = projection of z0 + h/2 (f(z0) + f(z*))\n";

#include <shakedown/plugin.h>

struct method {
  struct shk_evaluator *evaluator; /* the system; n coordinates, m constraints */
  int n, m;
  struct shk_manifold *manifold;   /* exact multiplier and projection */
  real *dq0, *dp0, *dq1, *dp1, *G; /* slopes at both stages; Jacobian values */
};

/* Evaluates f(q,p) and the multiplier. */
static struct shk_status slope(struct method *self, real *dq, real *dp, real *lambda, real t,
                               const real *q, const real *p)
{
  SHK_TRY(shk_exact_multiplier(self->manifold, lambda, t, q, p));
  SHK_TRY(shk_velocity(self->evaluator, dq, t, q, p));
  SHK_TRY(shk_gradient(self->evaluator, dp, t, q, p));
  SHK_TRY(shk_jacobian(self->evaluator, self->G, t, q));
  for (int i = 0; i < self->n; i++)
    dp[i] = -dp[i];
  shk_jacobian_transposed_add(self->evaluator, dp, self->G, -1, lambda);
  return shk_ok();
}

static struct shk_status method_step(void *method, struct shk_state *to,
                                     const struct shk_state *from, real h)
{
  struct method *self = method;
  SHK_TRY(slope(self, self->dq0, self->dp0, to->lambda, from->t, from->q, from->p));
  for (int i = 0; i < self->n; i++) {
    to->q[i] = from->q[i] + h * self->dq0[i];
    to->p[i] = from->p[i] + h * self->dp0[i];
  }
  SHK_TRY(slope(self, self->dq1, self->dp1, to->lambda, from->t + h, to->q, to->p));
  for (int i = 0; i < self->n; i++) {
    to->q[i] = from->q[i] + h / 2 * (self->dq0[i] + self->dq1[i]);
    to->p[i] = from->p[i] + h / 2 * (self->dp0[i] + self->dp1[i]);
    to->q_carry[i] = to->p_carry[i] = 0; /* no compensated summation */
  }
  for (int i = 0; i < self->m; i++)
    to->mu[i] = 0;
  return shk_manifold_project(self->manifold, to->q, to->p, from->t + h);
}

static struct shk_status method_bind(void *method, const struct shk_binding *binding)
{
  struct method *self = method;
  return shk_bind_manifold(&self->manifold, binding);
}

static const struct shk_array arrays[] = {
    SHK_ARRAYS(method, (.n = 1), dq0, dp0, dq1, dp1), SHK_ARRAY(method, G, .entries = 1), {0}};

static const struct shk_stated claims[] = {SHK_ORDERS(2),
                                           SHK_CONSTRAINTS(SHK_YES),
                                           SHK_CLAIM(SYMPLECTIC, SHK_NO),
                                           SHK_CLAIM(PRESYMPLECTIC, SHK_NO),
                                           SHK_CLAIM(SYMMETRIC, SHK_NO),
                                           SHK_CLAIM(ENERGY_BOUNDED, SHK_NO),
                                           {0}};

static const struct shk_integrator integrator = {
    .struct_size = sizeof integrator,
    .info = {.name = "my-method",
             .summary = "Heun's method on the index-reduced equations, projected",
             .equations = equations,
             .citation = "Hairer, Lubich & Wanner, GNI, Algorithm IV.4.2",
             .supports = SHK_GENERAL_HAMILTONIAN,
             .claims = claims},
    SHK_METHOD(method),
    .arrays = arrays,
    .bind = method_bind,
    .step = method_step};

SHK_PROVIDE(my_method, .integrators = SHK_INTEGRATORS(&integrator));
