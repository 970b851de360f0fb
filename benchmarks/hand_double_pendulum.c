/*
 * Reference for the planar double pendulum, 0 = ½ (|r₁|² - L₁²), 0 = ½ (|r₂ - r₁|² - L₂²).
 *
 * The variables are the rods d = r₁, e = r₂ - r₁. With ν = h² λ/2 a position solve gives
 *
 *     d1 = D - ν₁ d/m₁ + ν₂ e/m₁,   e1 = E - ν₂ e (1/m₁ + 1/m₂) + ν₁ d/m₁
 *
 * where D, E are the rods for λ = 0, and the Newton matrix is 2 x 2. Initial guess: the last λ.
 */
#include "benchmarks/hand.h"

#include <stdlib.h>

struct state {
  real q[4], v[4], nu[2];
};

struct pendulum {
  struct state now, start;
  real mass[2], square[2], weight, step, tolerance;
};

static void *create(const struct hand_task *task)
{
  const struct shk_system *system = task->system;
  real force[4];
  if (system->n != 4 || system->m != 2 || system->gradient(system->context, force, 0, task->q) != 0)
    return NULL;
  struct pendulum *s = calloc(1, sizeof *s);
  if (!s)
    return NULL;
  s->mass[0] = system->mass[0];
  s->mass[1] = system->mass[2];
  s->weight = force[1] / s->mass[0];
  s->step = task->step;
  s->tolerance = task->tolerance;
  for (int i = 0; i < 4; i++) {
    const real d = i < 2 ? task->q[i] : task->q[i] - task->q[i - 2];
    s->square[i / 2] += d * d;
    s->start.q[i] = task->q[i];
    s->start.v[i] = task->p[i] / system->mass[i];
  }
  for (int i = 0; i < 2; i++)
    s->start.nu[i] = task->step * task->step / 2 * task->lambda[i];
  return s;
}

static void start(void *self)
{
  struct pendulum *s = self;
  s->now = s->start;
}

static bool run(void *self, long steps)
{
  struct pendulum *s = self;
  const real h = s->step, fall = h / 2 * s->weight, tolerance = s->tolerance;
  const real one = 1 / s->mass[0], two = 1 / s->mass[1], both = one + two;
  const real square1 = s->square[0] / 2, square2 = s->square[1] / 2;
  real *q = s->now.q, *v = s->now.v, nu1 = s->now.nu[0], nu2 = s->now.nu[1];
  real dx = q[0], dy = q[1], ex = q[2] - q[0], ey = q[3] - q[1];
  for (long k = 0; k < steps; k++) {
    const real Dx = dx + h * v[0], Dy = dy + h * (v[1] - fall);
    const real Ex = ex + h * (v[2] - v[0]), Ey = ey + h * (v[3] - v[1]);
    for (int i = 0;; i++) {
      const real ax = Dx - one * (nu1 * dx - nu2 * ex), ay = Dy - one * (nu1 * dy - nu2 * ey);
      const real bx = Ex - both * nu2 * ex + one * nu1 * dx;
      const real by = Ey - both * nu2 * ey + one * nu1 * dy;
      const real g1 = (ax * ax + ay * ay) / 2 - square1, g2 = (bx * bx + by * by) / 2 - square2;
      if (real_fabs(g1) <= tolerance && real_fabs(g2) <= tolerance)
        break;
      if (i == HAND_LIMIT)
        return false;
      const real a11 = one * (ax * dx + ay * dy), a12 = -one * (ax * ex + ay * ey);
      const real a21 = -one * (bx * dx + by * dy), a22 = both * (bx * ex + by * ey);
      const real inverse = 1 / (a11 * a22 - a12 * a21);
      nu1 += (a22 * g1 - a12 * g2) * inverse;
      nu2 += (a11 * g2 - a21 * g1) * inverse;
    }
    const real f1 = nu1 / h, f2 = nu2 / h;
    v[0] -= one * (f1 * dx - f2 * ex);
    v[1] -= fall + one * (f1 * dy - f2 * ey);
    v[2] -= two * f2 * ex;
    v[3] -= fall + two * f2 * ey;
    for (int i = 0; i < 4; i++)
      q[i] += h * v[i];
    dx = q[0], dy = q[1], ex = q[2] - q[0], ey = q[3] - q[1];
    v[1] -= fall;
    v[3] -= fall;
    const real a11 = one * (dx * dx + dy * dy), a12 = -one * (dx * ex + dy * ey);
    const real a22 = both * (ex * ex + ey * ey);
    const real b1 = dx * v[0] + dy * v[1], b2 = ex * (v[2] - v[0]) + ey * (v[3] - v[1]);
    const real inverse = 1 / (a11 * a22 - a12 * a12);
    const real mu1 = (a22 * b1 - a12 * b2) * inverse, mu2 = (a11 * b2 - a12 * b1) * inverse;
    v[0] -= one * (mu1 * dx - mu2 * ex);
    v[1] -= one * (mu1 * dy - mu2 * ey);
    v[2] -= two * mu2 * ex;
    v[3] -= two * mu2 * ey;
  }
  s->now.nu[0] = nu1;
  s->now.nu[1] = nu2;
  return true;
}

static void state(const void *self, real *q, real *p)
{
  const struct pendulum *s = self;
  for (int i = 0; i < 4; i++) {
    q[i] = s->now.q[i];
    p[i] = s->mass[i / 2] * s->now.v[i];
  }
}

const struct hand hand_double_pendulum = {
    .name = "double-pendulum",
    .create = create,
    .start = start,
    .run = run,
    .state = state,
    .destroy = free,
};
