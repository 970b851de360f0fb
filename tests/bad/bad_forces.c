/*
 * Methods that do the wrong work: `bad-forces(fault=…)` is a step of its base in which forces without a
 * potential act at another point than they should, or momenta meet a moving constraint at another time.
 * Of a base of order 2 they have the order 1, or 0 where a part of the force is left out. `none` is the
 * control.
 */
#include <shakedown/bind.h>
#include <shakedown/plugin.h>

/* clang-format off */
#define FAULTS(X) \
  X(NONE, "none", "nothing: the control") \
  X(OLD, "old", "the second half kick takes the force of the start of the step") \
  X(VELOCITY, "velocity", "the second half kick takes the velocity of the start of the step") \
  X(NO_SECOND, "no-second", "the force has no second half kick") \
  X(LATE, "late", "momenta have the velocity of the moving constraint at the start of the step")
/* clang-format on */

#include "faults.h"

struct method {
  struct shk_evaluator *evaluator;
  int n, m;
  int fault; /* enum fault */
  struct shk_base base;
  struct shk_manifold *manifold;
  real *wrong, *right; /* n: second half kicks */
};

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct method *self = method;
  SHK_TRY(shk_bind_base(&self->base, binding));
  return shk_bind_manifold(&self->manifold, binding);
}

/* Computes Q, or zero if the system has none. */
static struct shk_status force_at(struct method *self, real *Q, real t, const real *q,
                                  const real *p)
{
  const struct shk_system *const s = self->evaluator->system;
  shk_fill(Q, 0, self->n);
  return s->force && s->force(s->context, Q, t, q, p) != 0
             ? shk_failure(SHK_NOT_FINITE, "the force cannot be evaluated", 0, 0)
             : shk_ok();
}

/* Computes the force of the second half kick, as it should be and as it is. */
static struct shk_status find_forces(struct method *self, const struct shk_state *to,
                                     const struct shk_state *from, real t1)
{
  SHK_TRY(force_at(self, self->right, t1, to->q, to->p));
  switch (self->fault) {
  case OLD:
    return force_at(self, self->wrong, from->t, from->q, from->p);
  case VELOCITY:
    return force_at(self, self->wrong, t1, to->q, from->p);
  case NO_SECOND:
    shk_fill(self->wrong, 0, self->n);
    return shk_ok();
  default:
    return shk_ok();
  }
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct method *self = method;
  const real t1 = from->t + h;
  SHK_TRY(shk_base_step(&self->base, to, from, h));
  if (self->fault == NONE)
    return shk_ok();
  if (self->fault == LATE) {
    shk_copy(self->right, to->q, self->n);
    return shk_manifold_project(self->manifold, self->right, to->p, from->t);
  }
  SHK_TRY(find_forces(self, to, from, t1));
  for (int i = 0; i < self->n; i++)
    to->p[i] += h / 2 * (self->wrong[i] - self->right[i]);
  return shk_manifold_project(self->manifold, to->q, to->p, t1);
}

static const struct shk_option options[] =
    SHK_LIST(FAULT_OPTION(method), SHK_BASE(method, base, "base", "rattle", "the method"));

static const struct shk_array arrays[] = SHK_LIST(SHK_ARRAYS(method, (.n = 1), wrong, right));

static const struct shk_integrator bad_forces = {
    SHK_INTEGRATOR(method, arrays, bind, step, NULL),
    .info = {.name = "bad-forces",
             .summary = "a method whose forces do the wrong work",
             .options = options,
             .supports = SHK_GENERAL_HAMILTONIAN | SHK_RHEONOMIC | SHK_FORCES}};

SHK_PROVIDE(bad_forces, .integrators = SHK_INTEGRATORS(&bad_forces));
