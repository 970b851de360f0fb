/* my-method: Heun's method on the index-reduced equations, projected after every step. It works as it
 * is; put your own method in its place.
 *
 *     q' = H_p      p' = -H_q - Gᵀ lambda(q,p)          f(z), z = (q,p)
 *     z* = z0 + h f(z0),   z1 = projection of z0 + h/2 (f(z0) + f(z*))
 *
 * lambda(q,p) is the multiplier that keeps the second derivative of g zero. Source: Hairer, Lubich
 * & Wanner, GNI, Algorithm IV.4.2. The energy drifts.
 *
 *     shakedown plugin build my-method.c
 *     shakedown simulate sprung-pendulum my-method --plugin ./my-method.so --step 0.05 --until 1
 *
 * The file is compiled twice, with `real` as double and as quad: write 2 or R(0.25), not 2.0. */
#include <shakedown/plugin.h>

#include <stdlib.h>
#include <string.h>

struct method {
  struct shk_evaluator *evaluator;
  struct shk_manifold *manifold; /* exact multiplier and projection, with their memory */
  int n, m;
  real *dq[2], *dp[2], *G, *block; /* slopes at both stages; values of the Jacobian */
};

/* f(q,p) and the multiplier in it. */
static struct shk_status slope(struct method *w, real *dq, real *dp, real *lambda, real t,
                               const real *q, const real *p)
{
  SHK_TRY(shk_exact_multiplier(w->manifold, lambda, t, q, p));
  SHK_TRY(shk_velocity(w->evaluator, dq, t, q, p));
  SHK_TRY(shk_gradient(w->evaluator, dp, t, q, p));
  SHK_TRY(shk_jacobian(w->evaluator, w->G, t, q));
  for (int i = 0; i < w->n; i++)
    dp[i] = -dp[i];
  shk_jacobian_transposed_add(w->evaluator, dp, w->G, -1, lambda);
  return shk_ok();
}

static struct shk_status method_step(void *method, struct shk_state *to,
                                     const struct shk_state *from, real h)
{
  struct method *w = method;
  SHK_TRY(slope(w, w->dq[0], w->dp[0], to->lambda, from->t, from->q, from->p));
  for (int i = 0; i < w->n; i++) {
    to->q[i] = from->q[i] + h * w->dq[0][i];
    to->p[i] = from->p[i] + h * w->dp[0][i];
  }
  SHK_TRY(slope(w, w->dq[1], w->dp[1], to->lambda, from->t + h, to->q, to->p));
  for (int i = 0; i < w->n; i++) {
    to->q[i] = from->q[i] + h / 2 * (w->dq[0][i] + w->dq[1][i]);
    to->p[i] = from->p[i] + h / 2 * (w->dp[0][i] + w->dp[1][i]);
    to->q_carry[i] = to->p_carry[i] = 0; /* nothing is summed with compensation */
  }
  for (int i = 0; i < w->m; i++)
    to->mu[i] = 0;
  return shk_manifold_project(w->manifold, to->q, to->p, from->t + h);
}

static void method_destroy(void *method)
{
  struct method *w = method;
  if (w == NULL)
    return;
  shk_manifold_destroy(w->manifold);
  free(w->block);
  free(w);
}

static struct shk_status method_create(void **method, const struct shk_binding *binding)
{
  struct shk_evaluator *e = binding->evaluator;
  const size_t n = (size_t)e->system->n, entries = (size_t)e->row_start[e->system->m];
  struct method *w = calloc(1, sizeof *w);
  real *block = calloc(4 * n + entries + 1, sizeof *block);
  if (w == NULL || block == NULL) {
    free(w);
    free(block);
    return shk_failure(SHK_NO_MEMORY, "no memory for the method", 0, 0);
  }
  *w = (struct method){.evaluator = e,
                       .n = e->system->n,
                       .m = e->system->m,
                       .dq = {block, block + n},
                       .dp = {block + 2 * n, block + 3 * n},
                       .G = block + 4 * n,
                       .block = block};
  const struct shk_status status = shk_manifold_create(&w->manifold, e);
  if (status.code != SHK_OK) {
    method_destroy(w);
    return status;
  }
  *method = w;
  return shk_ok();
}

static const struct shk_integrator integrator = {
    .struct_size = sizeof integrator,
    .info = {.name = "my-method",
             .summary = "Heun's method on the index-reduced equations, projected",
             .equations = "z* = z0 + h f(z0)\n"
                          "z1 = projection of z0 + h/2 (f(z0) + f(z*))",
             .citation = "Hairer, Lubich & Wanner, GNI, Algorithm IV.4.2",
             .supports = SHK_GENERAL_HAMILTONIAN,
             .claims = {.order_q = 2,
                        .order_p = 2,
                        .order_lambda = SHK_NO_ORDER,
                        .order_mu = SHK_NO_ORDER,
                        .order_lambda_mean = SHK_NO_ORDER,
                        .order_lambda_sum = SHK_NO_ORDER,
                        .order_lambda_state = 2,
                        .symplectic = SHK_NO,
                        .presymplectic = SHK_NO,
                        .symmetric = SHK_NO,
                        .keeps_constraint = SHK_YES,
                        .keeps_hidden = SHK_YES,
                        .keeps_momenta = SHK_UNKNOWN,
                        .energy_bounded = SHK_NO}},
    .create = method_create,
    .step = method_step,
    .destroy = method_destroy};

SHK_PROVIDE(@symbol@, .integrators = SHK_INTEGRATORS(&integrator));
