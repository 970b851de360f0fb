/*
 * Reference for four equal beads in a ring of rods in the plane.
 *
 * Rods d_i = r_(i+1) - r_i, r_5 = r_1. With ν = h² λ/(2m) a position solve moves them by
 * -2 ν_i d_i + ν_(i-1) d_(i-1) + ν_(i+1) d_(i+1), indices modulo 4. Opposite rods share no
 * bead, so the Newton matrix has diagonal blocks for the rods 1, 3 and 2, 4, and two full blocks;
 * eliminating 1, 3 leaves a 2 x 2 system. Initial guess: the last λ.
 */
#include "benchmarks/hand.h"

#include <stdlib.h>

enum { BEADS = 4 };

struct state {
  real x[BEADS], y[BEADS], u[BEADS], w[BEADS], nu[BEADS];
};

struct ring {
  struct state now, start;
  real mass, square, step, tolerance;
};

static void *create(const struct hand_task *task)
{
  const struct shk_system *system = task->system;
  if (system->n != 2 * BEADS || system->m != BEADS)
    return NULL;
  struct ring *s = calloc(1, sizeof *s);
  if (!s)
    return NULL;
  s->mass = system->mass[0];
  s->step = task->step;
  s->tolerance = task->tolerance;
  for (int j = 0; j < 2; j++)
    s->square += (task->q[2 + j] - task->q[j]) * (task->q[2 + j] - task->q[j]);
  for (int i = 0; i < BEADS; i++) {
    s->start.x[i] = task->q[2 * i];
    s->start.y[i] = task->q[2 * i + 1];
    s->start.u[i] = task->p[2 * i] / s->mass;
    s->start.w[i] = task->p[2 * i + 1] / s->mass;
    s->start.nu[i] = task->step * task->step / (2 * s->mass) * task->lambda[i];
  }
  return s;
}

static void start(void *self)
{
  struct ring *s = self;
  s->now = s->start;
}

static inline void differences(real *d, const real *r)
{
  for (int i = 0; i < BEADS; i++)
    d[i] = r[(i + 1) % BEADS] - r[i];
}

/* b <- A⁻¹ b. Row i of A has 2 (e_i·d_i) at i and -(e_i·d_(i±1)) at its neighbours, modulo 4. */
static inline void solve(real *b, const real *ex, const real *ey, const real *dx, const real *dy)
{
  real middle[BEADS], next[BEADS], last[BEADS];
  for (int i = 0; i < BEADS; i++) {
    const int n = (i + 1) % BEADS, l = (i + 3) % BEADS;
    middle[i] = 2 * (ex[i] * dx[i] + ey[i] * dy[i]);
    next[i] = -(ex[i] * dx[n] + ey[i] * dy[n]);
    last[i] = -(ex[i] * dx[l] + ey[i] * dy[l]);
  }
  const real first = 1 / middle[0], third = 1 / middle[2];
  const real a = next[0] * first, b3 = last[0] * first; /* row 0: x0 = … - a x1 - b3 x3 */
  const real c = last[2] * third, d = next[2] * third;  /* row 2: x2 = … - c x1 - d x3 */
  const real y0 = b[0] * first, y2 = b[2] * third;
  const real a11 = middle[1] - last[1] * a - next[1] * c, a13 = -last[1] * b3 - next[1] * d;
  const real a31 = -next[3] * a - last[3] * c, a33 = middle[3] - next[3] * b3 - last[3] * d;
  const real b1 = b[1] - last[1] * y0 - next[1] * y2, b33 = b[3] - next[3] * y0 - last[3] * y2;
  const real inverse = 1 / (a11 * a33 - a13 * a31);
  b[1] = (a33 * b1 - a13 * b33) * inverse;
  b[3] = (a11 * b33 - a31 * b1) * inverse;
  b[0] = y0 - a * b[1] - b3 * b[3];
  b[2] = y2 - c * b[1] - d * b[3];
}

static inline bool step(const struct ring *ring, struct state *s)
{
  const real h = ring->step, inverse = 1 / h, half = ring->square / 2;
  real dx[BEADS], dy[BEADS], ex[BEADS], ey[BEADS], Dx[BEADS], Dy[BEADS], x[BEADS];
  differences(dx, s->x);
  differences(dy, s->y);
  differences(Dx, s->u);
  differences(Dy, s->w);
  for (int i = 0; i < BEADS; i++) {
    Dx[i] = dx[i] + h * Dx[i];
    Dy[i] = dy[i] + h * Dy[i];
  }
  for (int round = 0;; round++) {
    bool bad = false;
    for (int i = 0; i < BEADS; i++) {
      const int n = (i + 1) % BEADS, l = (i + 3) % BEADS;
      ex[i] = Dx[i] - 2 * s->nu[i] * dx[i] + s->nu[l] * dx[l] + s->nu[n] * dx[n];
      ey[i] = Dy[i] - 2 * s->nu[i] * dy[i] + s->nu[l] * dy[l] + s->nu[n] * dy[n];
      x[i] = (ex[i] * ex[i] + ey[i] * ey[i]) / 2 - half;
      bad |= !(real_fabs(x[i]) <= ring->tolerance);
    }
    if (!bad)
      break;
    if (round == HAND_LIMIT)
      return false;
    solve(x, ex, ey, dx, dy);
    for (int i = 0; i < BEADS; i++)
      s->nu[i] += x[i];
  }
  for (int i = 0; i < BEADS; i++) {
    const int l = (i + 3) % BEADS;
    s->u[i] += (s->nu[i] * dx[i] - s->nu[l] * dx[l]) * inverse;
    s->w[i] += (s->nu[i] * dy[i] - s->nu[l] * dy[l]) * inverse;
    s->x[i] += h * s->u[i];
    s->y[i] += h * s->w[i];
  }
  differences(ex, s->x);
  differences(ey, s->y);
  differences(Dx, s->u);
  differences(Dy, s->w);
  for (int i = 0; i < BEADS; i++)
    x[i] = ex[i] * Dx[i] + ey[i] * Dy[i];
  solve(x, ex, ey, ex, ey);
  for (int i = 0; i < BEADS; i++) {
    const int l = (i + 3) % BEADS;
    s->u[i] += x[i] * ex[i] - x[l] * ex[l];
    s->w[i] += x[i] * ey[i] - x[l] * ey[l];
  }
  return true;
}

static bool run(void *self, long steps)
{
  struct ring *s = self;
  for (long k = 0; k < steps; k++)
    if (!step(s, &s->now))
      return false;
  return true;
}

static void state(const void *self, real *q, real *p)
{
  const struct ring *s = self;
  for (int i = 0; i < BEADS; i++) {
    q[2 * i] = s->now.x[i];
    q[2 * i + 1] = s->now.y[i];
    p[2 * i] = s->mass * s->now.u[i];
    p[2 * i + 1] = s->mass * s->now.w[i];
  }
}

const struct hand hand_ring = {
    .name = "ring",
    .create = create,
    .start = start,
    .run = run,
    .state = state,
    .destroy = free,
};
