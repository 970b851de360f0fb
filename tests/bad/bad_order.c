/*
 * Methods that do not converge as they claim: `bad-order(fault=…)` is a step of its base, which it claims
 * the orders of, and one fault that is as large at small steps as at large ones, or falls more slowly
 * than it should. Nothing else is claimed, so that an order alone can tell. `none` is the control.
 */
#include <shakedown/bind.h>
#include <shakedown/plugin.h>

#include <stdint.h>
#include <string.h>

/* clang-format off */
#define FAULTS(X) \
  X(NONE, "none", "nothing: the control") \
  X(SKIPS, "skips", "every fourth step has no force") \
  X(WEAK, "weak", "forces are one percent too small") \
  X(KICK, "kick", "each unit of time the momenta grow by a hundredth") \
  X(LOSS, "loss", "momenta lose a millionth in a unit of time") \
  X(FORGETS, "forgets", "momenta lose a millionth in each step, however short") \
  X(TWICE, "twice", "forces have the step's square for the step") \
  X(UNEVEN, "uneven", "forces are off by one percent or three, as it comes with the step") \
  X(NOISY, "noisy", "each step has a kick of its length to either side") \
  X(ROOT, "root", "forces are off by the root of the step") \
  X(SLOW, "slow", "forces are off by the reciprocal of the step's logarithm") \
  X(HALFWAY, "halfway", "forces are off by the step to the power 3/2") \
  X(LATE, "late", "in the second half of the course forces are one percent too small") \
  X(DRIFTS, "drifts", "time runs one percent too slowly") \
  X(LAMBDA, "lambda", "multipliers are handed out three percent too large")
/* clang-format on */

#include "faults.h"

struct method {
  struct shk_evaluator *evaluator;
  int n, m;
  int fault; /* enum fault */
  struct shk_base base;
  struct shk_manifold *manifold;
  real scale; /* of time, of the kind that kicks come in */
  long steps;
  real *force;
};

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct method *self = method;
  self->scale = binding->instance->horizon / 16;
  SHK_TRY(shk_bind_base(&self->base, binding));
  return shk_bind_manifold(&self->manifold, binding);
}

/* Deterministic, and as irregular as the last bits of a time. */
static real sign_at(real t)
{
  const double low = (double)t;
  uint64_t bits;
  memcpy(&bits, &low, sizeof bits);
  bits *= UINT64_C(0x9E3779B97F4A7C15);
  return bits >> 63 ? 1 : -1;
}

/* The part of the force's impulse that is missing. */
static real missing(const struct method *self, real t, real h)
{
  const real length = real_fabs(h) / self->scale;
  switch (self->fault) {
  case SKIPS:
    return self->steps % 4 == 0;
  case WEAK:
    return R(0.01);
  case TWICE:
    return 1 - length;
  case UNEVEN:
    return sign_at(h) > 0 ? R(0.01) : R(0.03);
  case ROOT:
    return real_sqrt(length) / 10;
  case SLOW:
    return R(0.1) / (1 + real_fabs(real_log(length)));
  case HALFWAY:
    return length * real_sqrt(length);
  case LATE:
    return t > self->scale * 4 ? R(0.01) : 0;
  default:
    return 0;
  }
}

/* What momenta are multiplied by. */
static real factor(const struct method *self, real t, real h)
{
  switch (self->fault) {
  case KICK:
    return real_floor((t + h) / self->scale) > real_floor(t / self->scale) ? R(1.01) : 1;
  case LOSS:
    return 1 - R(1e-6) * h / self->scale;
  case FORGETS:
    return 1 - R(1e-6);
  case NOISY:
    return 1 + h / self->scale * sign_at(t);
  default:
    return 1;
  }
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct method *self = method;
  self->steps++;
  SHK_TRY(shk_base_step(&self->base, to, from, self->fault == DRIFTS ? R(0.99) * h : h));
  const real lost = missing(self, from->t, h), grown = factor(self, from->t, h);
  for (int j = 0; self->fault == LAMBDA && j < self->m; j++) {
    to->lambda[j] *= R(1.03);
    to->mu[j] *= R(1.03);
  }
  if (lost == 0 && grown == 1)
    return shk_ok();
  SHK_TRY(shk_gradient(self->evaluator, self->force, from->t + h, to->q, to->p));
  for (int i = 0; i < self->n; i++)
    to->p[i] = grown * to->p[i] + lost * h * self->force[i];
  return shk_manifold_project(self->manifold, to->q, to->p, from->t + h);
}

static void claims_under(struct shk_claims *all, const void *method)
{
  const struct shk_claims *const base = &((const struct method *)method)->base.claims;
  all->order_q = base->order_q;
  all->order_p = base->order_p;
  all->order_lambda_state = base->order_lambda_state;
  all->order_lambda_mean = base->order_lambda_mean;
}

static const struct shk_option options[] =
    SHK_LIST(FAULT_OPTION(method), SHK_BASE(method, base, "base", "rattle", "the method"));

static const struct shk_array arrays[] = {SHK_ARRAY(method, force, .n = 1), {0}};

static const struct shk_integrator bad_order = {
    SHK_INTEGRATOR(method, arrays, bind, step, claims_under),
    .info = {.name = "bad-order",
             .summary = "a method that does not converge as it claims",
             .options = options,
             .supports = SHK_GENERAL_HAMILTONIAN | SHK_RHEONOMIC | SHK_FORCES}};

SHK_PROVIDE(bad_order, .integrators = SHK_INTEGRATORS(&bad_order));
