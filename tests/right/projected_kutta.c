/*
 * The classical Runge-Kutta method, projected (GNI, Algorithm IV.4.2). At steps of many time scales
 * its stages are so large that their rounding is left in the projected state, which is no fault.
 */
#include <shakedown/plugin.h>

struct method {
  struct shk_evaluator *evaluator;
  int n, m;
  struct shk_reduced *reduced;
  struct shk_manifold *manifold;
  real *dq, *dp, *q, *p, *lambda;
};

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  static const real node[] = {0, R(0.5), R(0.5), 1}, weight[] = {1, 2, 2, 1};
  struct method *self = method;
  shk_state_copy(to, from);
  for (int stage = 0; stage < 4; stage++) {
    for (int i = 0; i < self->n; i++) {
      self->q[i] = from->q[i] + (stage == 0 ? 0 : node[stage] * h * self->dq[i]);
      self->p[i] = from->p[i] + (stage == 0 ? 0 : node[stage] * h * self->dp[i]);
    }
    SHK_TRY(shk_reduced_slope(self->reduced, self->dq, self->dp,
                              stage == 0 ? to->lambda : self->lambda, from->t + node[stage] * h,
                              self->q, self->p));
    for (int i = 0; i < self->n; i++) {
      to->q[i] += h * weight[stage] / 6 * self->dq[i];
      to->p[i] += h * weight[stage] / 6 * self->dp[i];
    }
  }
  shk_fill(to->q_carry, 0, self->n);
  shk_fill(to->p_carry, 0, self->n);
  shk_fill(to->mu, 0, self->m);
  to->t = from->t + h;
  return shk_manifold_project(self->manifold, to->q, to->p, to->t);
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct method *self = method;
  SHK_TRY(shk_bind_reduced(&self->reduced, binding));
  return shk_bind_manifold(&self->manifold, binding);
}

static const struct shk_array arrays[] = SHK_LIST(
    SHK_ARRAY(method, dq, .n = 1), SHK_ARRAY(method, dp, .n = 1), SHK_ARRAY(method, q, .n = 1),
    SHK_ARRAY(method, p, .n = 1), SHK_ARRAY(method, lambda, .m = 1));
static const struct shk_stated claims[] = SHK_LIST(SHK_ORDERS(4), SHK_CONSTRAINTS(SHK_YES));
static const struct shk_integrator integrator = {
    SHK_INTEGRATOR(method, arrays, bind, step, NULL),
    .info = {.name = "projected-kutta",
             .summary = "the classical Runge-Kutta method, projected",
             .supports = SHK_HOLONOMIC,
             .claims = claims}};

SHK_PROVIDE(projected_kutta, .integrators = SHK_INTEGRATORS(&integrator));
