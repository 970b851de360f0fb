/*
 * A solver that is driven by a tolerance, and what it makes of it: `bad-tolerance(fault=…)` goes to an
 * output in equal steps of its base, a method of order 4, so short that the error is about the
 * tolerance; `none` is the control.
 */
#include <shakedown/plugin.h>

/* clang-format off */
#define FAULTS(X) \
  X(NONE, "none", "nothing: the control") \
  X(DEAF, "deaf", "whatever the tolerance, steps are a quarter of the time scale") \
  X(STAGNATES, "stagnates", "no tolerance is taken for less than 1e-5") \
  X(LOOSE, "loose", "the error is as the fifth root of the tolerance") \
  X(FLOOR, "floor", "no tolerance is taken for less than 1e-8") \
  X(DECADES, "decades", "tolerances are taken for even powers of ten") \
  X(SHORT, "short", "the last step to an output is left out where it is short")
/* clang-format on */

#include "faults.h"

struct method {
  struct shk_evaluator *evaluator;
  int n, m;
  int fault; /* enum fault */
  struct shk_base base;
  struct shk_state now, next;
  real step;
};

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct method *self = method;
  const real scale = 4 * binding->instance->time_scale;
  real tolerance = binding->tolerance;
  if (self->fault == STAGNATES)
    tolerance = real_max(tolerance, R(1e-5));
  if (self->fault == FLOOR)
    tolerance = real_max(tolerance, R(1e-8));
  if (self->fault == DECADES)
    tolerance = real_pow(10, 4 * real_floor(real_log(tolerance) / real_log(10) / 4 + R(0.5)));
  self->step = scale * real_pow(tolerance, R(0.25));
  if (self->fault == DEAF)
    self->step = scale / 16;
  if (self->fault == LOOSE)
    self->step = scale / 12 * real_pow(tolerance, R(0.05));
  SHK_TRY(shk_bind_base(&self->base, binding));
  SHK_TRY(shk_bind_state(&self->now, binding));
  return shk_bind_state(&self->next, binding);
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct method *self = method;
  const long count = 1 + (long)(real_fabs(h) / self->step);
  const real length = self->fault == SHORT ? (h > 0 ? self->step : -self->step) : h / (real)count;
  const real rest = h - (real)(count - 1) * length;
  shk_state_copy(&self->now, from);
  for (long k = 0; k < count; k++) {
    if (k + 1 == count && real_fabs(rest) < real_fabs(length) / 3)
      break;
    SHK_TRY(shk_base_step(&self->base, &self->next, &self->now, k + 1 < count ? length : rest));
    shk_state_copy(&self->now, &self->next);
  }
  shk_state_copy(to, &self->now);
  return shk_ok();
}

static const struct shk_option options[] =
    SHK_LIST(SHK_CHOICE(method, fault, "fault", faults, "none", "what is made of the tolerance"),
             SHK_BASE(method, base, "base", "composition", "the method"));

static const struct shk_stated claims[] = {SHK_CONSTRAINTS(SHK_YES), {0}};

static const struct shk_integrator bad_tolerance = {
    SHK_INTEGRATOR(method, NULL, bind, step, NULL),
    .info = {.name = "bad-tolerance",
             .summary = "a solver driven by a tolerance",
             .options = options,
             .claims = claims,
             .adaptive = true,
             .supports =
                 SHK_GENERAL_HAMILTONIAN | SHK_RHEONOMIC | SHK_FORCES | SHK_MOMENTUM_CONSTRAINT}};

SHK_PROVIDE(bad_tolerance, .integrators = SHK_INTEGRATORS(&bad_tolerance));
