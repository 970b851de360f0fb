/*
 * RATTLE with steps that are halved until one and two of half its length agree. An attempt that fails
 * for whatever reason is one that is too long: it is repeated with a shorter one. With `careless` it
 * ends where it is when they have become too short.
 */
#include <shakedown/plugin.h>

struct method {
  struct shk_evaluator *evaluator;
  int n, m;
  bool careless;
  real tolerance;
  struct shk_base base;
  struct shk_state now, one, half, two;
};

/* Returns the largest difference of the results of both ways, relative to q and p; negative if a
 * step fails. */
static real attempt(struct method *self, real h)
{
  if (shk_base_step(&self->base, &self->one, &self->now, h).code != SHK_OK ||
      shk_base_step(&self->base, &self->half, &self->now, h / 2).code != SHK_OK ||
      shk_base_step(&self->base, &self->two, &self->half, h / 2).code != SHK_OK)
    return -1;
  real q = 0, p = 0;
  for (int i = 0; i < self->n; i++) {
    q = real_max(q, real_fabs(self->one.q[i] - self->two.q[i]));
    p = real_max(p, real_fabs(self->one.p[i] - self->two.p[i]));
  }
  return real_max(q / real_max_norm(self->now.q, self->n), p / real_max_norm(self->one.p, self->n));
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct method *self = method;
  real done = 0, part = h / 8;
  shk_state_copy(&self->now, from);
  while (done != h) {
    if (real_fabs(part) > real_fabs(h - done))
      part = h - done;
    const real error = attempt(self, part);
    if (error < 0 || error > self->tolerance) {
      self->evaluator->counters.rejected++;
      part /= 2;
      if (real_fabs(part) >= real_fabs(h) * R(1e-6))
        continue;
      if (self->careless)
        break;
      return shk_failure(SHK_NOT_CONVERGED, "the step vanishes", 0, 0);
    }
    done = part == h - done ? h : done + part;
    shk_state_copy(&self->now, &self->two);
    part *= error < self->tolerance / 16 ? 2 : 1;
  }
  shk_state_copy(to, &self->now);
  to->t = from->t + h;
  return shk_ok();
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct method *self = method;
  self->tolerance = binding->tolerance;
  SHK_TRY(shk_bind_base(&self->base, binding));
  SHK_TRY(shk_bind_state(&self->now, binding));
  SHK_TRY(shk_bind_state(&self->one, binding));
  SHK_TRY(shk_bind_state(&self->half, binding));
  return shk_bind_state(&self->two, binding);
}

static const struct shk_option options[] = SHK_LIST(
    SHK_BASE(method, base, "base", "rattle", "the method that steps"),
    SHK_FLAG(method, careless, "careless", "no", "whether failures are ignored in the end"));
static const struct shk_stated claims[] = {SHK_CONSTRAINTS(SHK_YES), {0}};
static const struct shk_integrator integrator = {
    SHK_INTEGRATOR(method, NULL, bind, step, NULL),
    .info = {.name = "step-doubling",
             .summary = "RATTLE with steps controlled by step doubling",
             .options = options,
             .adaptive = true,
             .claims = claims}};

SHK_PROVIDE(step_doubling, .integrators = SHK_INTEGRATORS(&integrator));
