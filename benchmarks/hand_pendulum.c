/*
 * Reference for the planar pendulum, H = |p|²/(2m) + m g y, 0 = ½ (|q|² - L²).
 *
 * The position solve is a quadratic equation: with a = q0 + h v½ for λ = 0 and ν = h² λ/(2m),
 * |a - ν q0|² = L² has the small root ν = c/(b + √(b² - c |q0|²)), b = a·q0, c = |a|² - L²,
 * exact to round-off for any tolerance.
 */
#include "benchmarks/hand.h"

#include <stdlib.h>

struct pendulum {
  real q[2], v[2], start_q[2], start_v[2];
  real mass, square, weight, step; /* square: L²; weight: g */
};

static void *create(const struct hand_task *task)
{
  const struct shk_system *system = task->system;
  real force[2];
  if (system->n != 2 || system->m != 1 || system->gradient(system->context, force, 0, task->q) != 0)
    return NULL;
  struct pendulum *s = calloc(1, sizeof *s);
  if (!s)
    return NULL;
  s->mass = system->mass[0];
  s->weight = force[1] / s->mass;
  s->square = task->q[0] * task->q[0] + task->q[1] * task->q[1];
  s->step = task->step;
  for (int i = 0; i < 2; i++) {
    s->start_q[i] = task->q[i];
    s->start_v[i] = task->p[i] / s->mass;
  }
  return s;
}

static void start(void *self)
{
  struct pendulum *s = self;
  for (int i = 0; i < 2; i++) {
    s->q[i] = s->start_q[i];
    s->v[i] = s->start_v[i];
  }
}

static bool run(void *self, long steps)
{
  struct pendulum *s = self;
  const real h = s->step, square = s->square, fall = h / 2 * s->weight;
  real x = s->q[0], y = s->q[1], u = s->v[0], w = s->v[1];
  for (long k = 0; k < steps; k++) {
    w -= fall;
    const real ax = x + h * u, ay = y + h * w;
    const real b = ax * x + ay * y, c = ax * ax + ay * ay - square;
    const real nu = c / (b + real_sqrt(b * b - c * (x * x + y * y)));
    u -= nu / h * x;
    w -= nu / h * y;
    x = ax - nu * x;
    y = ay - nu * y;
    w -= fall;
    const real mu = (x * u + y * w) / (x * x + y * y);
    u -= mu * x;
    w -= mu * y;
  }
  s->q[0] = x;
  s->q[1] = y;
  s->v[0] = u;
  s->v[1] = w;
  return real_isfinite(x);
}

static void state(const void *self, real *q, real *p)
{
  const struct pendulum *s = self;
  for (int i = 0; i < 2; i++) {
    q[i] = s->q[i];
    p[i] = s->mass * s->v[i];
  }
}

const struct hand hand_pendulum = {
    .name = "pendulum",
    .create = create,
    .start = start,
    .run = run,
    .state = state,
    .destroy = free,
};
