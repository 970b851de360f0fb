/*
 * Constraints as stiff springs over Störmer-Verlet, written here from its definition, with one fault each:
 * `bad-penalty(fault=…)` claims to be symplectic on all of phase space. Nothing is compensated.
 */
#include <shakedown/plugin.h>

#include <string.h>

/* clang-format off */
#define FAULTS(X) \
  X(NONE, "none", "nothing: the control") \
  X(DAMPED, "damped", "a damper beside each spring") \
  X(STALE, "stale", "the second kick has the directions of the first") \
  X(EULER, "euler", "explicit Euler in place of Verlet")
/* clang-format on */

#include "faults.h"

#define STIFFNESS 100
#define DAMPING R(0.1)

struct method {
  struct shk_evaluator *evaluator;
  int n, m;
  int fault; /* enum fault */
  real *G, *force, *rate;
};

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAY(method, G, .entries = 1), SHK_ARRAY(method, force, .n = 1),
             SHK_ARRAY(method, rate, .m = 1));

/* p <- p + a (-grad V - Gᵀ (k g + c G v)), lambda <- k g + c G v */
static struct shk_status kick(struct method *self, real *p, real *lambda, real t, const real *q,
                              real a, bool stale)
{
  struct shk_evaluator *e = self->evaluator;
  SHK_TRY(shk_gradient(e, self->force, t, q, p));
  SHK_TRY(shk_constraint(e, lambda, t, q));
  if (!stale)
    SHK_TRY(shk_jacobian(e, self->G, t, q));
  for (int i = 0; i < self->m; i++)
    lambda[i] *= STIFFNESS;
  if (self->fault == DAMPED) {
    real v[64];
    for (int i = 0; i < self->n; i++)
      v[i] = p[i] / e->system->mass[i];
    shk_jacobian_times(e, self->rate, self->G, v);
    for (int i = 0; i < self->m; i++)
      lambda[i] += DAMPING * self->rate[i];
  }
  shk_jacobian_transposed_add(e, self->force, self->G, 1, lambda);
  for (int i = 0; i < self->n; i++)
    p[i] -= a * self->force[i];
  return shk_ok();
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct method *self = method;
  const bool euler = self->fault == EULER;
  const size_t bytes = (size_t)self->n * sizeof(real);
  memcpy(to->p, from->p, bytes);
  SHK_TRY(kick(self, to->p, to->lambda, from->t, from->q, euler ? h : h / 2, false));
  const real *const moving = euler ? from->p : to->p;
  for (int i = 0; i < self->n; i++)
    to->q[i] = from->q[i] + h * moving[i] / self->evaluator->system->mass[i];
  memcpy(to->mu, to->lambda, (size_t)self->m * sizeof(real));
  if (!euler)
    SHK_TRY(kick(self, to->p, to->mu, from->t + h, to->q, h / 2, self->fault == STALE));
  memset(to->q_carry, 0, bytes);
  memset(to->p_carry, 0, bytes);
  return shk_ok();
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  const struct method *self = method;
  (void)binding;
  return self->n <= 64 ? shk_ok() : shk_failure(SHK_REFUSED, "only up to 64 coordinates", 0, 0);
}

static const struct shk_option options[] = {FAULT_OPTION(method), {0}};

static const struct shk_stated claims[] =
    SHK_LIST(SHK_CLAIM(ORDER_Q, 0), SHK_CLAIM(SYMPLECTIC_OFF_CONSTRAINTS, SHK_YES));

static const struct shk_integrator bad_penalty = {
    SHK_INTEGRATOR(method, arrays, bind, step, NULL),
    .info = {.name = "bad-penalty",
             .summary = "constraints as stiff springs, with a fault",
             .options = options,
             .claims = claims,
             .supports = SHK_RHEONOMIC}};

SHK_PROVIDE(bad_penalty, .integrators = SHK_INTEGRATORS(&bad_penalty));
