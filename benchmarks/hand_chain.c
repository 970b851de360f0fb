/*
 * Reference for a chain of N equal links from a fixed anchor, without gravity, in 2-D or 3-D.
 *
 * The variables are the links: d_i = r_i - r_(i-1) at the beginning of a step, e_i at its end, D_i at
 * its end for λ = 0. With ν = h² λ/(2m) a position solve gives
 *
 *     e_i = D_i - 2 ν_i d_i + ν_(i-1) d_(i-1) + ν_(i+1) d_(i+1)        (the first: -ν_1 d_1)
 *
 * so the Newton matrix is tridiagonal, with e_i·2d_i and -e_i·d_(i±1), and beads are moved once, at
 * the end. One array per coordinate, so that the compiler vectorizes everything except the
 * elimination. Initial guess: the last λ.
 */
#include "benchmarks/hand.h"
#include "benchmarks/hand_tridiagonal.h"

#include <stdlib.h>
#include <string.h>

struct chain {
  int links, dimension;
  real mass, square, step, tolerance;
  real *block;
  /* For each coordinate links + 2 numbers: link or bead i = 1 … N at [i], zeros at the ends. */
  real *q[3], *v[3], *start_q[3], *start_v[3], *d[3], *e[3], *D[3];
  real *nu, *start_nu, *x, *before, *middle, *after, *scratch;
};

static void destroy(void *self)
{
  struct chain *s = self;
  free(s->block);
  free(s);
}

static void *create(const struct hand_task *task)
{
  const struct shk_system *system = task->system;
  const int links = system->m, dimension = links > 0 ? system->n / links : 0;
  if ((dimension != 2 && dimension != 3) || system->n != links * dimension)
    return NULL;
  const size_t length = (size_t)links + 2;
  struct chain *s = calloc(1, sizeof *s);
  real *next = calloc((size_t)(7 * dimension + 7) * length, sizeof *next);
  if (!s || !next) {
    free(s);
    free(next);
    return NULL;
  }
  *s = (struct chain){.links = links,
                      .dimension = dimension,
                      .mass = system->mass[0],
                      .step = task->step,
                      .tolerance = task->tolerance,
                      .block = next};
  for (int j = 0; j < dimension; j++) {
    real **const arrays[] = {&s->q[j], &s->v[j], &s->start_q[j], &s->start_v[j],
                             &s->d[j], &s->e[j], &s->D[j]};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++, next += length)
      *arrays[k] = next;
    s->square += task->q[j] * task->q[j];
  }
  real **const arrays[] = {&s->nu,     &s->start_nu, &s->x,      &s->before,
                           &s->middle, &s->after,    &s->scratch};
  for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++, next += length)
    *arrays[k] = next;
  for (int i = 0; i < links; i++) {
    for (int j = 0; j < dimension; j++) {
      s->start_q[j][i + 1] = task->q[i * dimension + j];
      s->start_v[j][i + 1] = task->p[i * dimension + j] / s->mass;
    }
    s->start_nu[i + 1] = task->step * task->step / (2 * s->mass) * task->lambda[i];
  }
  return s;
}

static void find_links(real *restrict d, const real *restrict q, int links)
{
  for (int i = 1; i <= links; i++)
    d[i] = q[i] - q[i - 1];
}

static void start(void *self)
{
  struct chain *s = self;
  const size_t bytes = ((size_t)s->links + 2) * sizeof(real);
  for (int j = 0; j < s->dimension; j++) {
    memcpy(s->q[j], s->start_q[j], bytes);
    memcpy(s->v[j], s->start_v[j], bytes);
    find_links(s->d[j], s->q[j], s->links);
  }
  memcpy(s->nu, s->start_nu, bytes);
}

/* Not inlined: the compiler uses `restrict` for function arguments only. In the plane the third
 * coordinate is not used. */
#define KERNEL static __attribute__((noinline))

/* One coordinate of the links after an unconstrained step. */
KERNEL void drift(real *restrict D, const real *restrict d, const real *restrict v, real h,
                  int links)
{
  for (int i = 1; i <= links; i++)
    D[i] = d[i] + h * (v[i] - v[i - 1]);
}

/* One coordinate of e for the current ν. */
KERNEL void move(real *restrict e, const real *restrict D, const real *restrict d,
                 const real *restrict nu, int links)
{
  e[1] = D[1] - nu[1] * d[1] + nu[2] * d[2];
  for (int i = 2; i <= links; i++)
    e[i] = D[i] - 2 * nu[i] * d[i] + (nu[i - 1] * d[i - 1] + nu[i + 1] * d[i + 1]);
}

/* Kicks of -f x_i along link i. */
KERNEL void kick(real *restrict v, const real *restrict x, const real *restrict d, real f,
                 int links)
{
  for (int i = 1; i <= links; i++)
    v[i] += -f * (x[i] * d[i] - x[i + 1] * d[i + 1]);
}

KERNEL void add(real *restrict x, real f, const real *restrict y, int links)
{
  for (int i = 1; i <= links; i++)
    x[i] += f * y[i];
}

KERNEL void correct(real *restrict x, const real *restrict y, int links)
{
  for (int i = 1; i <= links; i++)
    x[i] += y[i];
}

/* Computes the residuals and returns the largest. Several partial maxima, so that the loop is
 * vectorized. */
KERNEL real residuals(real *restrict g, const real *restrict x, const real *restrict y,
                      const real *restrict z, real square, int links)
{
  real largest[4] = {0, 0, 0, 0};
  int i = 1;
  for (int k = 1; !z && k <= links; k++)
    g[k] = (x[k] * x[k] + y[k] * y[k] - square) / 2;
  for (int k = 1; z && k <= links; k++)
    g[k] = (x[k] * x[k] + y[k] * y[k] + z[k] * z[k] - square) / 2;
  for (; i + 3 <= links; i += 4)
    for (int k = 0; k < 4; k++) {
      const real size = real_fabs(g[i + k]);
      largest[k] = largest[k] > size ? largest[k] : size;
    }
  for (; i <= links; i++)
    largest[0] = real_max(largest[0], real_fabs(g[i]));
  return real_max(real_max(largest[0], largest[1]), real_max(largest[2], largest[3]));
}

/* The matrix e_i·d_j, e = (x,y,z), d = (u,v,w): its rows before, at and after the diagonal. */
KERNEL void assemble(real *restrict before, real *restrict middle, real *restrict after,
                     const real *restrict x, const real *restrict y, const real *restrict z,
                     const real *restrict u, const real *restrict v, const real *restrict w,
                     int links)
{
  for (int i = 1; !z && i <= links; i++) {
    middle[i] = 2 * (x[i] * u[i] + y[i] * v[i]);
    before[i] = -(x[i] * u[i - 1] + y[i] * v[i - 1]);
    after[i] = -(x[i] * u[i + 1] + y[i] * v[i + 1]);
  }
  for (int i = 1; z && i <= links; i++) {
    middle[i] = 2 * (x[i] * u[i] + y[i] * v[i] + z[i] * w[i]);
    before[i] = -(x[i] * u[i - 1] + y[i] * v[i - 1] + z[i] * w[i - 1]);
    after[i] = -(x[i] * u[i + 1] + y[i] * v[i + 1] + z[i] * w[i + 1]);
  }
  middle[1] /= 2;
}

/* out_i <- e_i·(v_i - v_(i-1)), e = (x,y,z), v = (u,v,w) */
KERNEL void rates(real *restrict out, const real *restrict x, const real *restrict y,
                  const real *restrict z, const real *restrict u, const real *restrict v,
                  const real *restrict w, int links)
{
  for (int i = 1; !z && i <= links; i++)
    out[i] = x[i] * (u[i] - u[i - 1]) + y[i] * (v[i] - v[i - 1]);
  for (int i = 1; z && i <= links; i++)
    out[i] = x[i] * (u[i] - u[i - 1]) + y[i] * (v[i] - v[i - 1]) + z[i] * (w[i] - w[i - 1]);
}

static void solve(struct chain *s, real *const *e, real *const *d)
{
  assemble(s->before, s->middle, s->after, e[0], e[1], e[2], d[0], d[1], d[2], s->links);
  hand_tridiagonal(s->x + 1, s->before + 1, s->middle + 1, s->after + 1, s->scratch, s->links);
}

static bool step(struct chain *s)
{
  const int links = s->links, dimension = s->dimension;
  const real h = s->step;
  for (int j = 0; j < dimension; j++)
    drift(s->D[j], s->d[j], s->v[j], h, links);
  for (int round = 0;; round++) {
    for (int j = 0; j < dimension; j++)
      move(s->e[j], s->D[j], s->d[j], s->nu, links);
    if (residuals(s->x, s->e[0], s->e[1], s->e[2], s->square, links) <= s->tolerance)
      break;
    if (round == HAND_LIMIT)
      return false;
    solve(s, s->e, s->d);
    correct(s->nu, s->x, links);
  }
  for (int j = 0; j < dimension; j++) {
    kick(s->v[j], s->nu, s->d[j], 1 / h, links);
    add(s->q[j], h, s->v[j], links);
    find_links(s->d[j], s->q[j], links);
  }
  rates(s->x, s->d[0], s->d[1], s->d[2], s->v[0], s->v[1], s->v[2], links);
  solve(s, s->d, s->d);
  s->x[links + 1] = 0;
  for (int j = 0; j < dimension; j++)
    kick(s->v[j], s->x, s->d[j], 1, links);
  return true;
}

static bool run(void *self, long steps)
{
  for (long k = 0; k < steps; k++)
    if (!step(self))
      return false;
  /* NaN passes the comparisons, and the elimination spreads it. */
  const struct chain *s = self;
  return real_isfinite(s->q[0][s->links]);
}

static void state(const void *self, real *q, real *p)
{
  const struct chain *s = self;
  for (int i = 0; i < s->links; i++)
    for (int j = 0; j < s->dimension; j++) {
      q[i * s->dimension + j] = s->q[j][i + 1];
      p[i * s->dimension + j] = s->mass * s->v[j][i + 1];
    }
}

const struct hand hand_chain = {
    .name = "chain",
    .create = create,
    .start = start,
    .run = run,
    .state = state,
    .destroy = destroy,
};
