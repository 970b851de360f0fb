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
static struct shk_status kick(struct method *w, real *p, real *lambda, real t, const real *q,
                              real a, bool stale)
{
  struct shk_evaluator *e = w->evaluator;
  SHK_TRY(shk_gradient(e, w->force, t, q, p));
  SHK_TRY(shk_constraint(e, lambda, t, q));
  if (!stale)
    SHK_TRY(shk_jacobian(e, w->G, t, q));
  for (int i = 0; i < w->m; i++)
    lambda[i] *= STIFFNESS;
  if (w->fault == DAMPED) {
    real v[64];
    for (int i = 0; i < w->n; i++)
      v[i] = p[i] / e->system->mass[i];
    shk_jacobian_times(e, w->rate, w->G, v);
    for (int i = 0; i < w->m; i++)
      lambda[i] += DAMPING * w->rate[i];
  }
  shk_jacobian_transposed_add(e, w->force, w->G, 1, lambda);
  for (int i = 0; i < w->n; i++)
    p[i] -= a * w->force[i];
  return shk_ok();
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct method *w = method;
  const bool euler = w->fault == EULER;
  const size_t bytes = (size_t)w->n * sizeof(real);
  memcpy(to->p, from->p, bytes);
  SHK_TRY(kick(w, to->p, to->lambda, from->t, from->q, euler ? h : h / 2, false));
  const real *const moving = euler ? from->p : to->p;
  for (int i = 0; i < w->n; i++)
    to->q[i] = from->q[i] + h * moving[i] / w->evaluator->system->mass[i];
  memcpy(to->mu, to->lambda, (size_t)w->m * sizeof(real));
  if (!euler)
    SHK_TRY(kick(w, to->p, to->mu, from->t + h, to->q, h / 2, w->fault == STALE));
  memset(to->q_carry, 0, bytes);
  memset(to->p_carry, 0, bytes);
  return shk_ok();
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  const struct method *w = method;
  (void)binding;
  return w->n <= 64 ? shk_ok() : shk_failure(SHK_REFUSED, "only up to 64 coordinates", 0, 0);
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
