/*
 * Reference for a branched chain molecule of K units of three atoms of equal mass: a_k bonded to
 * b_k, b_k to a_(k+1) and to the side atom m_k.
 *
 * Bonds A_k = b_k - a_k, S_k = m_k - b_k, T_k = a_(k+1) - b_k. With ν = h² λ/(2m) and d the bonds
 * at the beginning of the step, a position solve moves them by
 *
 *     A_k: -2 ν d(A_k) + ν d(S_k) + ν d(T_k) + ν d(T_(k-1))
 *     S_k: -2 ν d(S_k) + ν d(A_k) - ν d(T_k)
 *     T_k: -2 ν d(T_k) + ν d(A_k) + ν d(A_(k+1)) - ν d(S_k)
 *
 * where each ν belongs to the bond of its d. The bonds S are eliminated first, each separately; the
 * rest, A_1, T_1, A_2, …, is tridiagonal. One array per coordinate; initial guess: the last λ.
 */
#include "benchmarks/hand.h"
#include "benchmarks/hand_tridiagonal.h"

#include <stdlib.h>
#include <string.h>

enum { A, S, T, KINDS };              /* of bonds */
enum { TAIL, HEAD, SIDE, ATOMS = 3 }; /* a, b and m of a unit */
enum { DIMENSION = 3, ENTRIES = 4 };

struct molecule {
  int units;
  size_t length;
  real mass, square, step, tolerance;
  real *block, *moving, *start; /* moving: r, v and nu in one block */
  /* Entries of unit k = 1 … K are at [k]; the ends are zero, and so is T of the last unit. */
  real *r[ATOMS][DIMENSION], *v[ATOMS][DIMENSION], *nu[KINDS];
  real *d[KINDS][DIMENSION], *e[KINDS][DIMENSION], *D[KINDS][DIMENSION], *x[KINDS];
  real *side[ENTRIES]; /* in row S: entries of A and T over the pivot; in rows A and T: entries
                          of S */
  real *line, *before, *middle, *after, *scratch;
};

static void destroy(void *self)
{
  struct molecule *s = self;
  free(s->block);
  free(s);
}

static real *take(struct molecule *s, real **next)
{
  real *array = *next;
  *next += s->length;
  return array;
}

static void fill(struct molecule *s, const struct hand_task *task)
{
  for (int j = 0; j < DIMENSION; j++)
    s->square += (task->q[3 + j] - task->q[j]) * (task->q[3 + j] - task->q[j]);
  for (int k = 1; k <= s->units; k++)
    for (int a = 0; a < ATOMS; a++) {
      const int rod = 3 * (k - 1) + a; /* A, S, T of the unit, also in the problem's order */
      for (int j = 0; j < DIMENSION; j++) {
        s->r[a][j][k] = task->q[3 * rod + j];
        s->v[a][j][k] = task->p[3 * rod + j] / s->mass;
      }
      if (rod < task->system->m)
        s->nu[a][k] = s->step * s->step / (2 * s->mass) * task->lambda[rod];
    }
  memcpy(s->start, s->moving, (size_t)(s->nu[T] + s->length - s->moving) * sizeof(real));
}

static void *create(const struct hand_task *task)
{
  const struct shk_system *system = task->system;
  const int units = system->n / 9;
  if (units < 1 || system->n != 9 * units || system->m != 3 * units - 1)
    return NULL;
  const size_t length = (size_t)units + 2;
  const size_t moving = 2 * ATOMS * DIMENSION + KINDS;
  struct molecule *s = calloc(1, sizeof *s);
  real *next =
      calloc((2 * moving + 3 * KINDS * DIMENSION + KINDS + ENTRIES + 5 * 2) * length, sizeof *next);
  if (!s || !next) {
    free(s);
    free(next);
    return NULL;
  }
  *s = (struct molecule){.units = units,
                         .length = length,
                         .mass = system->mass[0],
                         .step = task->step,
                         .tolerance = task->tolerance,
                         .block = next,
                         .moving = next};
  for (int a = 0; a < ATOMS; a++)
    for (int j = 0; j < DIMENSION; j++) {
      s->r[a][j] = take(s, &next);
      s->v[a][j] = take(s, &next);
    }
  for (int a = 0; a < KINDS; a++)
    s->nu[a] = take(s, &next);
  s->start = next;
  next += moving * length;
  for (int a = 0; a < KINDS; a++) {
    s->x[a] = take(s, &next);
    for (int j = 0; j < DIMENSION; j++) {
      s->d[a][j] = take(s, &next);
      s->e[a][j] = take(s, &next);
      s->D[a][j] = take(s, &next);
    }
  }
  for (int i = 0; i < ENTRIES; i++)
    s->side[i] = take(s, &next);
  real **const twice[] = {&s->line, &s->before, &s->middle, &s->after, &s->scratch};
  for (size_t i = 0; i < sizeof twice / sizeof twice[0]; i++, next += 2 * length)
    *twice[i] = next;
  fill(s, task);
  return s;
}

static inline void find_rods(const struct molecule *s, real *d[KINDS][DIMENSION],
                             real *const r[ATOMS][DIMENSION])
{
  const int units = s->units;
  for (int j = 0; j < DIMENSION; j++) {
    const real *restrict a = r[TAIL][j], *restrict b = r[HEAD][j], *restrict m = r[SIDE][j];
    real *restrict along = d[A][j], *restrict side = d[S][j], *restrict to = d[T][j];
    for (int k = 1; k <= units; k++) {
      along[k] = b[k] - a[k];
      side[k] = m[k] - b[k];
      to[k] = a[k + 1] - b[k];
    }
    to[units] = 0;
  }
}

static void start(void *self)
{
  struct molecule *s = self;
  memcpy(s->moving, s->start, (size_t)(s->start - s->moving) * sizeof(real));
  find_rods(s, s->d, s->r);
}

/* Computes e for the current ν, and the residuals in x; true if one is above the tolerance. */
static bool move(struct molecule *s)
{
  const int units = s->units;
  const real *restrict na = s->nu[A], *restrict ns = s->nu[S], *restrict nt = s->nu[T];
  for (int j = 0; j < DIMENSION; j++) {
    const real *restrict a = s->d[A][j], *restrict b = s->d[S][j], *restrict c = s->d[T][j];
    const real *restrict Da = s->D[A][j], *restrict Db = s->D[S][j], *restrict Dc = s->D[T][j];
    real *restrict ea = s->e[A][j], *restrict eb = s->e[S][j], *restrict ec = s->e[T][j];
    for (int k = 1; k <= units; k++) {
      const real ka = na[k] * a[k], kb = ns[k] * b[k], kc = nt[k] * c[k];
      ea[k] = Da[k] - 2 * ka + kb + kc + nt[k - 1] * c[k - 1];
      eb[k] = Db[k] - 2 * kb + ka - kc;
      ec[k] = Dc[k] - 2 * kc + ka - kb + na[k + 1] * a[k + 1];
    }
    ec[units] = 0;
  }
  int bad = 0;
  for (int kind = 0; kind < KINDS; kind++) {
    const int count = kind == T ? units - 1 : units;
    const real *restrict x = s->e[kind][0], *restrict y = s->e[kind][1];
    const real *restrict z = s->e[kind][2];
    real *restrict g = s->x[kind];
    for (int k = 1; k <= count; k++) {
      g[k] = (x[k] * x[k] + y[k] * y[k] + z[k] * z[k] - s->square) / 2;
      bad |= !(real_fabs(g[k]) <= s->tolerance);
    }
  }
  return bad != 0;
}

static inline real product(real *const a[DIMENSION], int i, real *const b[DIMENSION], int k)
{
  return a[0][i] * b[0][k] + a[1][i] * b[1][k] + a[2][i] * b[2][k];
}

/* Solves for x with the matrix e_i·(…) of the bonds d. */
static void solve(struct molecule *s, real *const e[KINDS][DIMENSION],
                  real *const d[KINDS][DIMENSION])
{
  const int units = s->units;
  real *restrict xa = s->x[A], *restrict xs = s->x[S], *restrict xt = s->x[T];
  real *restrict to_a = s->side[0], *restrict to_t = s->side[1];
  real *restrict line = s->line, *restrict before = s->before, *restrict middle = s->middle;
  real *restrict after = s->after;
  for (int k = 1; k <= units; k++) {
    const real inverse = 1 / (2 * product(e[S], k, d[S], k));
    const real sa = -product(e[S], k, d[A], k) * inverse;
    const real st = product(e[S], k, d[T], k) * inverse;
    const real as = -product(e[A], k, d[S], k), ts = product(e[T], k, d[S], k);
    const int i = 2 * (k - 1);
    xs[k] *= inverse;
    to_a[k] = sa;
    to_t[k] = st;
    before[i] = -product(e[A], k, d[T], k - 1);
    middle[i] = 2 * product(e[A], k, d[A], k) - as * sa;
    after[i] = -product(e[A], k, d[T], k) - as * st;
    line[i] = xa[k] - as * xs[k];
    before[i + 1] = -product(e[T], k, d[A], k) - ts * sa;
    middle[i + 1] = 2 * product(e[T], k, d[T], k) - ts * st;
    after[i + 1] = -product(e[T], k, d[A], k + 1);
    line[i + 1] = xt[k] - ts * xs[k];
  }
  hand_tridiagonal(line, before, middle, after, s->scratch, 2 * units - 1);
  line[2 * units - 1] = 0;
  for (int k = 1; k <= units; k++) {
    xa[k] = line[2 * (k - 1)];
    xt[k] = line[2 * (k - 1) + 1];
    xs[k] -= to_a[k] * xa[k] + to_t[k] * xt[k];
  }
}

/* Kicks -f·x along the bonds d. */
static void kick(struct molecule *s, real *const d[KINDS][DIMENSION], real *const x[KINDS], real f)
{
  const real *restrict xa = x[A], *restrict xs = x[S], *restrict xt = x[T];
  for (int j = 0; j < DIMENSION; j++) {
    const real *restrict a = d[A][j], *restrict b = d[S][j], *restrict c = d[T][j];
    real *restrict va = s->v[TAIL][j], *restrict vb = s->v[HEAD][j], *restrict vm = s->v[SIDE][j];
    for (int k = 1; k <= s->units; k++) {
      va[k] += f * (xa[k] * a[k] - xt[k - 1] * c[k - 1]);
      vb[k] += f * (xs[k] * b[k] + xt[k] * c[k] - xa[k] * a[k]);
      vm[k] -= f * (xs[k] * b[k]);
    }
  }
}

static bool step(struct molecule *s)
{
  const int units = s->units;
  const real h = s->step;
  find_rods(s, s->D, s->v);
  for (int kind = 0; kind < KINDS; kind++)
    for (int j = 0; j < DIMENSION; j++)
      for (int k = 1; k <= units; k++)
        s->D[kind][j][k] = s->d[kind][j][k] + h * s->D[kind][j][k];
  for (int round = 0; move(s); round++) {
    if (round == HAND_LIMIT)
      return false;
    solve(s, s->e, s->d);
    for (int kind = 0; kind < KINDS; kind++)
      for (int k = 1; k <= units; k++)
        s->nu[kind][k] += s->x[kind][k];
  }
  kick(s, s->d, s->nu, 1 / h);
  for (int a = 0; a < ATOMS; a++)
    for (int j = 0; j < DIMENSION; j++)
      for (int k = 1; k <= units; k++)
        s->r[a][j][k] += h * s->v[a][j][k];
  find_rods(s, s->d, s->r);
  find_rods(s, s->D, s->v);
  for (int kind = 0; kind < KINDS; kind++)
    for (int k = 1; k <= units; k++)
      s->x[kind][k] = product(s->d[kind], k, s->D[kind], k);
  solve(s, s->d, s->d);
  kick(s, s->d, s->x, 1);
  return true;
}

static bool run(void *self, long steps)
{
  for (long k = 0; k < steps; k++)
    if (!step(self))
      return false;
  return true;
}

static void state(const void *self, real *q, real *p)
{
  const struct molecule *s = self;
  for (int k = 1; k <= s->units; k++)
    for (int a = 0; a < ATOMS; a++)
      for (int j = 0; j < DIMENSION; j++) {
        *q++ = s->r[a][j][k];
        *p++ = s->mass * s->v[a][j][k];
      }
}

const struct hand hand_branched = {
    .name = "branched-alkane",
    .create = create,
    .start = start,
    .run = run,
    .state = state,
    .destroy = destroy,
};
