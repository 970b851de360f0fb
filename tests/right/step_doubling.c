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
static real attempt(struct method *w, real h)
{
  if (shk_base_step(&w->base, &w->one, &w->now, h).code != SHK_OK ||
      shk_base_step(&w->base, &w->half, &w->now, h / 2).code != SHK_OK ||
      shk_base_step(&w->base, &w->two, &w->half, h / 2).code != SHK_OK)
    return -1;
  real q = 0, p = 0;
  for (int i = 0; i < w->n; i++) {
    q = real_max(q, real_fabs(w->one.q[i] - w->two.q[i]));
    p = real_max(p, real_fabs(w->one.p[i] - w->two.p[i]));
  }
  return real_max(q / real_max_norm(w->now.q, w->n), p / real_max_norm(w->one.p, w->n));
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct method *w = method;
  real done = 0, part = h / 8;
  shk_state_copy(&w->now, from);
  while (done != h) {
    if (real_fabs(part) > real_fabs(h - done))
      part = h - done;
    const real error = attempt(w, part);
    if (error < 0 || error > w->tolerance) {
      w->evaluator->work.rejected++;
      part /= 2;
      if (real_fabs(part) >= real_fabs(h) * R(1e-6))
        continue;
      if (w->careless)
        break;
      return shk_failure(SHK_NOT_CONVERGED, "the step vanishes", 0, 0);
    }
    done = part == h - done ? h : done + part;
    shk_state_copy(&w->now, &w->two);
    part *= error < w->tolerance / 16 ? 2 : 1;
  }
  shk_state_copy(to, &w->now);
  to->t = from->t + h;
  return shk_ok();
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct method *w = method;
  w->tolerance = binding->tolerance;
  SHK_TRY(shk_bind_base(&w->base, binding));
  SHK_TRY(shk_bind_state(&w->now, binding));
  SHK_TRY(shk_bind_state(&w->one, binding));
  SHK_TRY(shk_bind_state(&w->half, binding));
  return shk_bind_state(&w->two, binding);
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
