/* A plug-in that wraps an existing C function, `pendulum_step(q, p, h)`, for a single problem: the
 * planar pendulum with length, mass and gravity 1, in double precision. The function itself is not
 * changed. Every such function needs the code below the second heading:
 *
 *   - a check at a few points that the system is the one that the function solves; other systems
 *     are refused
 *   - double_only, and the other component of the state: the multiplier at the beginning of the
 *     step, computed from the exact formula because the function does not return it
 *   - those of the method's claims that this problem can demonstrate; with one degree of freedom,
 *     symplectic means area-preserving
 *
 *     shakedown plugin build wrapped_step.c
 *     shakedown plugin check ./wrapped_step.so */

/* ---- the existing code ---- */

#include <math.h>

/* Takes one step of RATTLE with the Störmer-Verlet flow for x² + y² = 1 and gravity 1 along -y. The
 * multiplier is the smaller root of a quadratic equation. Returns 0, or 1 if there is no root. */
static int pendulum_step(double q[2], double p[2], double h)
{
  const double free_p[2] = {p[0], p[1] - h / 2};
  const double b[2] = {q[0] + h * free_p[0], q[1] + h * free_p[1]};
  const double bq = b[0] * q[0] + b[1] * q[1];
  /* |b - s q|² = 1 with s = h² lambda / 2 */
  const double root = bq * bq - (b[0] * b[0] + b[1] * b[1] - 1) * (q[0] * q[0] + q[1] * q[1]);
  if (!(root >= 0))
    return 1;
  const double s = (b[0] * b[0] + b[1] * b[1] - 1) / (bq + sqrt(root));
  const double half[2] = {free_p[0] - s / h * q[0], free_p[1] - s / h * q[1] - h / 2};
  q[0] = b[0] - s * q[0];
  q[1] = b[1] - s * q[1];
  const double along = half[0] * q[0] + half[1] * q[1];
  p[0] = half[0] - along * q[0];
  p[1] = half[1] - along * q[1];
  return 0;
}

/* ---- the integrator around it ---- */

#include <shakedown/plugin.h>

struct wrapped {
  struct shk_evaluator *evaluator;
  int n, m;
  struct shk_manifold *manifold;
};

static struct shk_status wrapped_step(void *method, struct shk_state *to,
                                      const struct shk_state *from, real h)
{
  double q[2] = {(double)from->q[0], (double)from->q[1]};
  double p[2] = {(double)from->p[0], (double)from->p[1]};
  if (pendulum_step(q, p, (double)h) != 0)
    return shk_failure(SHK_NOT_CONVERGED, "the step is too long: the bead cannot reach the circle",
                       0, 0);
  for (int i = 0; i < 2; i++) {
    to->q[i] = q[i];
    to->p[i] = p[i];
    to->q_carry[i] = to->p_carry[i] = 0;
  }
  to->mu[0] = 0;
  return shk_exact_multiplier(((struct wrapped *)method)->manifold, to->lambda, from->t, from->q,
                              from->p);
}

/* Checks that V_q = (0, 1), M = 1 and g = (x² + y² - 1)/2 at sufficiently many points to determine
 * these functions. */
static struct shk_status recognize(struct shk_evaluator *e)
{
  static const int points[][2] = {{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}, {2, 3}};
  const struct shk_status other = shk_failure(
      SHK_REFUSED, "pendulum_step solves only the pendulum of length, mass and gravity 1", 0, 0);
  if (e->system->n != 2 || e->system->m != 1 || e->row_start[1] != 2 || e->system->mass[0] != 1 ||
      e->system->mass[1] != 1)
    return other;
  for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
    const real x = points[i][0], y = points[i][1], q[2] = {x, y};
    real V_q[2], g, G[2];
    SHK_TRY(shk_gradient(e, V_q, 0, q, NULL));
    SHK_TRY(shk_constraint(e, &g, 0, q));
    SHK_TRY(shk_jacobian(e, G, 0, q));
    if (V_q[0] != 0 || V_q[1] != 1 || g != (x * x + y * y - 1) / 2 || G[0] != x || G[1] != y)
      return other;
  }
  return shk_ok();
}

static struct shk_status wrapped_bind(void *method, const struct shk_binding *binding)
{
  struct wrapped *self = method;
  SHK_TRY(recognize(self->evaluator));
  return shk_bind_manifold(&self->manifold, binding);
}

static const struct shk_stated claims[] = {SHK_ORDERS(2),
                                           SHK_CLAIM(ORDER_LAMBDA, 2),
                                           SHK_CONSTRAINTS(SHK_YES),
                                           SHK_CLAIM(SYMMETRIC, SHK_YES),
                                           SHK_CLAIM(ENERGY_BOUNDED, SHK_YES),
                                           {0}};

static const struct shk_integrator wrapped = {
    .struct_size = sizeof wrapped,
    .info = {.name = "wrapped-step",
             .summary = "an existing function step(q,p,h) for the pendulum of length 1",
             .equations = "RATTLE over Störmer-Verlet, its multiplier in closed form",
             .citation = "Hairer, Lubich & Wanner, GNI, (VII.1.26)",
             .double_only = true,
             .claims = claims},
    SHK_METHOD(wrapped),
    .bind = wrapped_bind,
    .step = wrapped_step};

SHK_PROVIDE(wrapped_step, .integrators = SHK_INTEGRATORS(&wrapped));
