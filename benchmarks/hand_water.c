/*
 * Reference for rigid water molecules, O, H, H, without forces between them.
 *
 * LANES molecules are handled at a time, each coordinate as one SIMD vector. A molecule has bonds
 * d_1 = r_H1 - r_O, d_2 = r_H2 - r_O, d_3 = r_H2 - r_H1; kicks ν along them move bond i by
 * -h Σ_j C_ij ν_j d_j with C = B M⁻¹ Bᵀ, B the incidence matrix of the bonds, so the Newton matrix
 * is C_ij e_i·d_j, 3 x 3, solved by Cramer's rule. Initial guess: the last λ. The lanes of a vector
 * iterate until all have met the tolerance.
 */
#include "benchmarks/hand.h"

#include <stdlib.h>
#include <string.h>

#if SHK_PRECISION == 64
#define LANES 2
typedef double lanes __attribute__((vector_size(8 * LANES)));
#define LANE(x, i) (x)[i]
#else
typedef real lanes;
#define LANES 1
#define LANE(x, i) (x)
#endif

struct vector {
  lanes x, y, z;
};

struct molecule {
  struct vector r[3], v[3];
  lanes nu[3];
};

struct water {
  int molecules, groups;
  real mass[3], half_square[3], step, tolerance;
  struct molecule *now, *start;
};

static void destroy(void *self)
{
  struct water *s = self;
  free(s->now);
  free(s->start);
  free(s);
}

static void put(lanes *x, int lane, real value)
{
#if LANES > 1
  (*x)[lane] = value;
#else
  (void)lane;
  *x = value;
#endif
}

static inline lanes all_lanes(real value)
{
#if LANES > 1
  return value - (lanes){0};
#else
  return value;
#endif
}

static void fill(struct water *s, const struct hand_task *task)
{
  /* The last group is padded with copies of the last molecule. */
  for (int k = 0; k < s->groups * LANES; k++) {
    struct molecule *m = &s->start[k / LANES];
    const int from = k < s->molecules ? k : s->molecules - 1, lane = k % LANES;
    for (int a = 0; a < 3; a++) {
      const real *q = task->q + 9 * from + 3 * a, *p = task->p + 9 * from + 3 * a;
      put(&m->r[a].x, lane, q[0]);
      put(&m->r[a].y, lane, q[1]);
      put(&m->r[a].z, lane, q[2]);
      put(&m->v[a].x, lane, p[0] / s->mass[a]);
      put(&m->v[a].y, lane, p[1] / s->mass[a]);
      put(&m->v[a].z, lane, p[2] / s->mass[a]);
      put(&m->nu[a], lane, s->step / 2 * task->lambda[3 * from + a]);
    }
  }
}

static void *create(const struct hand_task *task)
{
  const struct shk_system *system = task->system;
  if (system->n % 9 != 0 || system->m != system->n / 3)
    return NULL;
  struct water *s = calloc(1, sizeof *s);
  if (!s)
    return NULL;
  s->molecules = system->n / 9;
  s->groups = (s->molecules + LANES - 1) / LANES;
  s->step = task->step;
  s->tolerance = task->tolerance;
  static const int ends[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  for (int i = 0; i < 3; i++) {
    s->mass[i] = system->mass[3 * i];
    for (int j = 0; j < 3; j++) {
      const real d = task->q[3 * ends[i][1] + j] - task->q[3 * ends[i][0] + j];
      s->half_square[i] += d * d / 2;
    }
  }
  const size_t bytes = (size_t)s->groups * sizeof *s->now;
  s->now = aligned_alloc(64, (bytes + 63) / 64 * 64);
  s->start = aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (!s->now || !s->start) {
    destroy(s);
    return NULL;
  }
  memset(s->start, 0, bytes);
  fill(s, task);
  return s;
}

static void start(void *self)
{
  struct water *s = self;
  memcpy(s->now, s->start, (size_t)s->groups * sizeof *s->now);
}

static inline struct vector minus(struct vector a, struct vector b)
{
  return (struct vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline struct vector plus(struct vector a, lanes f, struct vector b)
{
  return (struct vector){a.x + f * b.x, a.y + f * b.y, a.z + f * b.z};
}

static inline lanes dot(struct vector a, struct vector b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* x <- A⁻¹ x */
static inline void solve(lanes x[3], lanes a[3][3])
{
  const lanes c0 = a[1][1] * a[2][2] - a[1][2] * a[2][1];
  const lanes c1 = a[1][2] * a[2][0] - a[1][0] * a[2][2];
  const lanes c2 = a[1][0] * a[2][1] - a[1][1] * a[2][0];
  const lanes inverse = 1 / (a[0][0] * c0 + a[0][1] * c1 + a[0][2] * c2);
  const lanes y0 = c0 * x[0] + (a[0][2] * a[2][1] - a[0][1] * a[2][2]) * x[1] +
                   (a[0][1] * a[1][2] - a[0][2] * a[1][1]) * x[2];
  const lanes y1 = c1 * x[0] + (a[0][0] * a[2][2] - a[0][2] * a[2][0]) * x[1] +
                   (a[0][2] * a[1][0] - a[0][0] * a[1][2]) * x[2];
  const lanes y2 = c2 * x[0] + (a[0][1] * a[2][0] - a[0][0] * a[2][1]) * x[1] +
                   (a[0][0] * a[1][1] - a[0][1] * a[1][0]) * x[2];
  x[0] = y0 * inverse;
  x[1] = y1 * inverse;
  x[2] = y2 * inverse;
}

static inline bool above(const lanes g[3], real tolerance)
{
#if LANES > 1
  const lanes limit = all_lanes(tolerance);
  typedef long long flags __attribute__((vector_size(8 * LANES)));
  const flags good = (g[0] <= limit) & (g[0] >= -limit) & (g[1] <= limit) & (g[1] >= -limit) &
                     (g[2] <= limit) & (g[2] >= -limit);
  return (good[0] & good[1]) == 0;
#else
  return !(real_fabs(g[0]) <= tolerance && real_fabs(g[1]) <= tolerance &&
           real_fabs(g[2]) <= tolerance);
#endif
}

static inline void rods(struct vector d[3], const struct vector r[3])
{
  d[0] = minus(r[1], r[0]);
  d[1] = minus(r[2], r[0]);
  d[2] = minus(r[2], r[1]);
}

/* Kicks -k along the bonds d. */
static inline void kick(struct vector v[3], const struct vector d[3], const lanes k[3], real o,
                        real h)
{
  v[0] = plus(plus(v[0], o * k[0], d[0]), o * k[1], d[1]);
  v[1] = plus(plus(v[1], -h * k[0], d[0]), h * k[2], d[2]);
  v[2] = plus(plus(v[2], -h * k[1], d[1]), -h * k[2], d[2]);
}

static inline bool step(const struct water *s, struct molecule *m)
{
  const real h = s->step, o = 1 / s->mass[0], y = 1 / s->mass[1], both = o + y, two = 2 * y;
  struct vector d[3], e[3], D[3];
  lanes nu[3] = {m->nu[0], m->nu[1], m->nu[2]}, x[3], a[3][3];
  rods(d, m->r);
  rods(D, m->v);
  const lanes one = all_lanes(h);
  for (int i = 0; i < 3; i++)
    D[i] = plus(d[i], one, D[i]);
  for (int round = 0;; round++) {
    const lanes k0 = h * nu[0], k1 = h * nu[1], k2 = h * nu[2];
    e[0] = plus(plus(plus(D[0], -both * k0, d[0]), -o * k1, d[1]), y * k2, d[2]);
    e[1] = plus(plus(plus(D[1], -o * k0, d[0]), -both * k1, d[1]), -y * k2, d[2]);
    e[2] = plus(plus(plus(D[2], y * k0, d[0]), -y * k1, d[1]), -two * k2, d[2]);
    for (int i = 0; i < 3; i++)
      x[i] = dot(e[i], e[i]) / 2 - s->half_square[i];
    if (!above(x, s->tolerance))
      break;
    if (round == HAND_LIMIT)
      return false;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        a[i][j] = dot(e[i], d[j]);
    a[0][0] *= both, a[0][1] *= o, a[0][2] *= -y;
    a[1][0] *= o, a[1][1] *= both, a[1][2] *= y;
    a[2][0] *= -y, a[2][1] *= y, a[2][2] *= two;
    solve(x, a);
    for (int i = 0; i < 3; i++)
      nu[i] += x[i] / h;
  }
  struct vector v[3] = {m->v[0], m->v[1], m->v[2]};
  kick(v, d, nu, o, y);
  for (int i = 0; i < 3; i++) {
    m->r[i] = plus(m->r[i], one, v[i]);
    m->nu[i] = nu[i];
  }
  rods(e, m->r);
  rods(D, v);
  a[0][0] = both * dot(e[0], e[0]), a[1][1] = both * dot(e[1], e[1]);
  a[2][2] = two * dot(e[2], e[2]);
  a[0][1] = a[1][0] = o * dot(e[0], e[1]);
  a[0][2] = a[2][0] = -y * dot(e[0], e[2]);
  a[1][2] = a[2][1] = y * dot(e[1], e[2]);
  for (int i = 0; i < 3; i++)
    x[i] = dot(e[i], D[i]);
  solve(x, a);
  kick(v, e, x, o, y);
  for (int i = 0; i < 3; i++)
    m->v[i] = v[i];
  return true;
}

static bool run(void *self, long steps)
{
  struct water *s = self;
  for (long k = 0; k < steps; k++)
    for (int i = 0; i < s->groups; i++)
      if (!step(s, &s->now[i]))
        return false;
  return true;
}

static void state(const void *self, real *q, real *p)
{
  const struct water *s = self;
  for (int k = 0; k < s->molecules; k++) {
    const struct molecule *m = &s->now[k / LANES];
    for (int a = 0; a < 3; a++, q += 3, p += 3) {
      q[0] = LANE(m->r[a].x, k % LANES);
      q[1] = LANE(m->r[a].y, k % LANES);
      q[2] = LANE(m->r[a].z, k % LANES);
      p[0] = s->mass[a] * LANE(m->v[a].x, k % LANES);
      p[1] = s->mass[a] * LANE(m->v[a].y, k % LANES);
      p[2] = s->mass[a] * LANE(m->v[a].z, k % LANES);
    }
  }
}

const struct hand hand_water = {
    .name = "water-box",
    .create = create,
    .start = start,
    .run = run,
    .state = state,
    .destroy = destroy,
};
