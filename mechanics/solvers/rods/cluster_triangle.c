/*
 * The plain solves of cluster.h for triangles in space, three moving points joined by three rods:
 * rigid water. What cluster.c does for any shape is written out here, and the 3 x 3 matrices are
 * inverted by cofactors, with one division in place of three dependent ones: 10 ns a constraint and
 * step with AVX-512 and 20 with the vectors of any x86-64, in place of 73 (shakedown-bench
 * water-box).
 *
 * Rods are 0 = (0,1), 1 = (0,2), 2 = (1,2). With w_i = 1/m_i the weights w_ij of cluster.c are
 *
 *     w_0 + w_1      w_0         -w_1
 *       w_0        w_0 + w_2      w_2
 *      -w_1          w_2        w_1 + w_2
 */
#include "mechanics/solvers/rods/cluster_triangle.h"
#include "mechanics/algebra/pivots.h"
#include "mechanics/solvers/kit/lanes.h"
#include "mechanics/solvers/kit/stopping.h"
#include "mechanics/solvers/rods/nines.h"

struct vector {
  simd x, y, z;
};

/* By points or by rods: nine vectors, one behind the other. */
struct three {
  struct vector at[3];
};

INLINED struct vector minus(struct vector a, struct vector b)
{
  return (struct vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

INLINED struct vector plus(struct vector a, struct vector b)
{
  return (struct vector){a.x + b.x, a.y + b.y, a.z + b.z};
}

INLINED struct vector times(simd f, struct vector a)
{
  return (struct vector){f * a.x, f * a.y, f * a.z};
}

INLINED struct vector absolute(struct vector a)
{
  return (struct vector){simd_abs(a.x), simd_abs(a.y), simd_abs(a.z)};
}

INLINED simd dot(struct vector a, struct vector b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* ---- between the system's arrays and a batch ---- */

/* The three points of each lane; `at`: the first coordinate of the first of them. */
INLINED struct three gather(const real *x, const struct shk_cluster_batch *b)
{
  struct three v;
  if (SIMD_LANES > 2 && b->following) {
    nines_load(&v.at[0].x, x + b->point[0]);
    return v;
  }
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++, x += 3)
    v.at[i] = (struct vector){simd_gathered(x, b->point), simd_gathered(x + 1, b->point),
                              simd_gathered(x + 2, b->point)};
  return v;
}

INLINED void scatter_lane(real *to, int lane, const struct three *v)
{
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++) {
    to[3 * i] = simd_get(v->at[i].x, lane);
    to[3 * i + 1] = simd_get(v->at[i].y, lane);
    to[3 * i + 2] = simd_get(v->at[i].z, lane);
  }
}

/* Lanes in `which` only. */
INLINED void scatter(real *x, const struct shk_cluster_batch *b, unsigned which,
                     const struct three *v)
{
  if (SIMD_LANES > 2 && b->following && which == SIMD_ALL) {
    nines_store(x + b->point[0], &v->at[0].x);
    return;
  }
  for (int lane = 0; lane < SIMD_LANES; lane++)
    if (which >> lane & 1)
      scatter_lane(x + b->point[lane], lane, v);
}

INLINED void scatter_rows(real *x, const int *row, unsigned which, const simd *values)
{
  for (int lane = 0; lane < SIMD_LANES; lane++)
    for (int i = 0; (which >> lane & 1) && i < 3; i++)
      x[row[i * SIMD_LANES + lane]] = simd_get(values[i], lane);
}

/* ---- the matrices ---- */

INLINED struct three rods(const struct three *r)
{
  return (struct three){
      {minus(r->at[1], r->at[0]), minus(r->at[2], r->at[0]), minus(r->at[2], r->at[1])}};
}

/* The inverse of K, by rows, and whether no pivot of K is round-off. */
struct inverse {
  simd of[3][3];
  simd_mask regular;
};

/* |pivot| > limit |K_ii| for elimination without exchanges, whose pivots are ratios of the minors.
 */
INLINED struct inverse invert(simd K[3][3])
{
  const simd limit = simd_all(SHK_PIVOT_ROUNDING * REAL_EPSILON);
  struct inverse a;
  const simd c00 = K[1][1] * K[2][2] - K[1][2] * K[2][1];
  const simd c10 = K[1][2] * K[2][0] - K[1][0] * K[2][2];
  const simd c20 = K[1][0] * K[2][1] - K[1][1] * K[2][0];
  const simd minor = K[0][0] * K[1][1] - K[0][1] * K[1][0];
  const simd determinant = K[0][0] * c00 + K[0][1] * c10 + K[0][2] * c20;
  const simd unit = simd_all(1) / determinant;
  a.regular = simd_less(limit * simd_abs(K[0][0] * K[1][1]), simd_abs(minor)) &
              simd_less(limit * simd_abs(K[2][2] * minor), simd_abs(determinant));
  a.of[0][0] = c00 * unit;
  a.of[1][0] = c10 * unit;
  a.of[2][0] = c20 * unit;
  a.of[0][1] = (K[0][2] * K[2][1] - K[0][1] * K[2][2]) * unit;
  a.of[1][1] = (K[0][0] * K[2][2] - K[0][2] * K[2][0]) * unit;
  a.of[2][1] = (K[0][1] * K[2][0] - K[0][0] * K[2][1]) * unit;
  a.of[0][2] = (K[0][1] * K[1][2] - K[0][2] * K[1][1]) * unit;
  a.of[1][2] = (K[0][2] * K[1][0] - K[0][0] * K[1][2]) * unit;
  a.of[2][2] = minor * unit;
  return a;
}

INLINED void apply(simd x[3], const struct inverse *a, const simd g[3])
{
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++)
    x[i] = a->of[i][0] * g[0] + a->of[i][1] * g[1] + a->of[i][2] * g[2];
}

INLINED struct inverse inverse_of(const struct three *new, const struct three *old, const simd w[3])
{
  const struct vector *e = new->at, *d = old->at;
  simd K[3][3] = {
      {(w[0] + w[1]) * dot(e[0], d[0]), w[0] * dot(e[0], d[1]), -w[1] * dot(e[0], d[2])},
      {w[0] * dot(e[1], d[0]), (w[0] + w[2]) * dot(e[1], d[1]), w[2] * dot(e[1], d[2])},
      {-w[1] * dot(e[2], d[0]), w[2] * dot(e[2], d[1]), (w[1] + w[2]) * dot(e[2], d[2])}};
  return invert(K);
}

/* max_i Σ_k |d_ik| (s_bk + s_ak) */
INLINED simd size_along(const struct three *d, const struct three *s)
{
  const simd one = dot(absolute(d->at[0]), plus(s->at[1], s->at[0]));
  const simd two = dot(absolute(d->at[1]), plus(s->at[2], s->at[0]));
  const simd three = dot(absolute(d->at[2]), plus(s->at[2], s->at[1]));
  return simd_max(simd_max(simd_all(REAL_SMALLEST / REAL_EPSILON), one), simd_max(two, three));
}

/* dp plus forces f_i along the rods. */
INLINED struct three pulled(const struct three *dp, const struct three *d, const simd f[3])
{
  const struct vector one = times(f[0], d->at[0]), two = times(f[1], d->at[1]),
                      three = times(f[2], d->at[2]);
  return (struct three){{plus(plus(dp->at[0], one), two), plus(minus(dp->at[1], one), three),
                         minus(minus(dp->at[2], two), three)}};
}

/* max|x_i|; not a number if one is not finite. */
INLINED simd max_norm(const simd x[3])
{
  const simd one = simd_abs(x[0]), two = simd_abs(x[1]), three = simd_abs(x[2]);
  const simd sum = one + two + three;
  return simd_max(simd_max(one, two), three) + (sum - sum);
}

/* `better`, but for lanes that are done. */
INLINED simd unless_done(const struct lanes *lanes, simd x, simd better)
{
  return simd_choose(lanes->done, x, better);
}

/* ---- the solves ---- */

/* As in real_accumulate: the rounding error of to = from + add. */
INLINED simd rest(simd from, simd to, simd add)
{
  const simd part = to - from;
  return (from - (to - part)) + (add - part);
}

/* The start of a step, and all that does not depend on lambda. */
struct start {
  struct three q, carry, p, p_carry, free, d;
  simd w[3], reach[3], square[3], kick;
};

/* The points moved by lambda, and half the errors of the squares of their rods. */
struct moved {
  struct three dp, p1, step, q1, e;
  simd g[3];
};

INLINED struct moved moved_by(const struct start *s, const simd lambda[3])
{
  const simd pull[3] = {s->kick * lambda[0], s->kick * lambda[1], s->kick * lambda[2]};
  struct moved a = {.dp = pulled(&s->free, &s->d, pull)};
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++) {
    a.p1.at[i] = plus(s->p.at[i], plus(a.dp.at[i], s->p_carry.at[i]));
    a.step.at[i] = plus(times(s->reach[i], a.p1.at[i]), s->carry.at[i]);
    a.q1.at[i] = plus(s->q.at[i], a.step.at[i]);
  }
  a.e = rods(&a.q1);
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++)
    a.g[i] = (dot(a.e.at[i], a.e.at[i]) - s->square[i]) * simd_all(R(0.5));
  return a;
}

/* Whether no lane continues; the first iterate has none before it. */
INLINED bool moved_ends(struct lanes *lanes, const simd g[3], bool first)
{
  const simd_mask small = simd_at_most(simd_abs(g[0]), lanes->rounding) &
                          simd_at_most(simd_abs(g[1]), lanes->rounding) &
                          simd_at_most(simd_abs(g[2]), lanes->rounding);
  if (shk_lanes_all_done(lanes, small))
    return true;
  if (first && simd_bits(small) == 0 && lanes->iteration->limit > 0) {
    lanes->before = max_norm(g);
    return false;
  }
  return shk_lanes_end(lanes, max_norm(g), lanes->iteration->tolerance > 0);
}

struct shk_triangles_end shk_triangle_position(const struct shk_cluster_run *run,
                                               const struct shk_cluster_batch *b,
                                               const struct shk_position_solve *task)
{
  const simd correction = simd_all(1 / (task->drift * task->kick));
  struct start s = {.kick = simd_all(task->kick)};
  struct lanes lanes = {run->iteration, &shk_position_rule};
  simd lambda[3];
  for (int i = 0; i < 3; i++) {
    s.w[i] = simd_load(b->inverse_mass + i * SIMD_LANES);
    s.reach[i] = simd_all(task->drift) * s.w[i];
    s.square[i] = simd_load(b->square + i * SIMD_LANES);
    lambda[i] = simd_gathered(task->lambda, b->row + i * SIMD_LANES);
  }
  s.q = gather(task->q, b);
  s.d = rods(&s.q);
  if (task->dp_free)
    s.free = gather(task->dp_free, b);
  s.p_carry = gather(task->p_carry, b);
  s.p = gather(task->p, b);
  s.carry = gather(task->q_carry, b);
  if (run->iteration->tolerance > 0) {
    lanes.rounding = simd_all(run->iteration->tolerance);
  } else {
    const struct three size = {{absolute(s.q.at[0]), absolute(s.q.at[1]), absolute(s.q.at[2])}};
    lanes.rounding = simd_all(REAL_EPSILON) * size_along(&s.d, &size);
  }
  struct moved now = moved_by(&s, lambda);
  for (bool ends = moved_ends(&lanes, now.g, true); !ends;
       ends = moved_ends(&lanes, now.g, false)) {
    const struct inverse a = inverse_of(&now.e, &s.d, s.w);
    simd x[3];
    shk_lanes_leave(&lanes, a.regular);
    apply(x, &a, now.g);
#pragma GCC unroll 3
    for (int i = 0; i < 3; i++)
      lambda[i] = unless_done(&lanes, lambda[i], lambda[i] + x[i] * correction);
    lanes.count++;
    now = moved_by(&s, lambda);
  }
  const unsigned solved = simd_bits(lanes.done);
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++) {
    const struct vector *q = &s.q.at[i], *q1 = &now.q1.at[i], *step = &now.step.at[i];
    s.carry.at[i] = (struct vector){rest(q->x, q1->x, step->x), rest(q->y, q1->y, step->y),
                                    rest(q->z, q1->z, step->z)};
  }
  scatter(task->dp, b, solved, &now.dp);
  if (task->p1)
    scatter(task->p1, b, solved, &now.p1);
  scatter(task->q1, b, solved, &now.q1);
  scatter(task->q1_carry, b, solved, &s.carry);
  scatter_rows(task->lambda, b->row, solved, lambda);
  return (struct shk_triangles_end){lanes.count, solved};
}

/* G v along the rods, of momenta p + (dp + p_carry). */
struct rates {
  struct three change, p1, v;
  simd r[3];
};

INLINED struct rates rates_of(const struct three *d, const struct three *p, const struct three *dp,
                              const struct three *p_carry, const simd w[3])
{
  struct rates a;
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++) {
    a.change.at[i] = plus(dp->at[i], p_carry->at[i]);
    a.p1.at[i] = plus(p->at[i], a.change.at[i]);
    a.v.at[i] = times(w[i], a.p1.at[i]);
  }
  a.r[0] = dot(d->at[0], minus(a.v.at[1], a.v.at[0]));
  a.r[1] = dot(d->at[1], minus(a.v.at[2], a.v.at[0]));
  a.r[2] = dot(d->at[2], minus(a.v.at[2], a.v.at[1]));
  return a;
}

/* Whether no lane continues. The rounding is that of |v| + |dp|/m; mostly |v| alone shows that the
 * residual is below it. */
INLINED bool rates_end(struct lanes *lanes, const struct three *d, const struct rates *a,
                       const struct three *dp, const simd w[3])
{
  const simd residual = max_norm(a->r);
  struct three size = {{absolute(a->v.at[0]), absolute(a->v.at[1]), absolute(a->v.at[2])}};
  const simd least = simd_all(REAL_EPSILON) * size_along(d, &size);
  if (lanes->count == 1 && simd_bits(simd_at_most(residual, least) & ~lanes->left) == SIMD_ALL) {
    lanes->done = simd_true();
    return true;
  }
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++)
    size.at[i] = plus(size.at[i], absolute(times(w[i], dp->at[i])));
  lanes->rounding = simd_max(lanes->rounding, simd_all(REAL_EPSILON) * size_along(d, &size));
  return shk_lanes_end(lanes, residual, false);
}

struct shk_triangles_end shk_triangle_hidden(const struct shk_cluster_run *run,
                                             const struct shk_cluster_batch *b,
                                             const struct shk_hidden_solve *task)
{
  const simd per_kick = simd_all(1 / task->kick);
  const simd w[3] = {simd_load(b->inverse_mass), simd_load(b->inverse_mass + SIMD_LANES),
                     simd_load(b->inverse_mass + 2 * SIMD_LANES)};
  const struct three q1 = gather(task->q1, b);
  const struct three p = gather(task->p, b), p_carry = gather(task->p_carry, b);
  const struct three d = rods(&q1);
  struct three dp = gather(task->dp, b);
  struct rates now = rates_of(&d, &p, &dp, &p_carry, w);
  struct lanes lanes = {run->iteration, &shk_hidden_rule, .count = 1};
  /* The first correction is always made: it is hardly ever unnecessary, and finding out costs half
   * as much. */
  const struct inverse a = inverse_of(&d, &d, w);
  simd mu[3], x[3];
  shk_lanes_leave(&lanes, a.regular);
  apply(x, &a, now.r);
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++)
    mu[i] = x[i] * per_kick;
  dp = pulled(&dp, &d, x);
  for (;; lanes.count++) {
    now = rates_of(&d, &p, &dp, &p_carry, w);
    if (rates_end(&lanes, &d, &now, &dp, w))
      break;
    apply(x, &a, now.r);
    const struct three better = pulled(&dp, &d, x);
#pragma GCC unroll 3
    for (int i = 0; i < 3; i++) {
      mu[i] = unless_done(&lanes, mu[i], mu[i] + x[i] * per_kick);
      dp.at[i] = (struct vector){unless_done(&lanes, dp.at[i].x, better.at[i].x),
                                 unless_done(&lanes, dp.at[i].y, better.at[i].y),
                                 unless_done(&lanes, dp.at[i].z, better.at[i].z)};
    }
  }
  const unsigned solved = simd_bits(lanes.done);
  struct three left;
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++)
    left.at[i] = (struct vector){rest(p.at[i].x, now.p1.at[i].x, now.change.at[i].x),
                                 rest(p.at[i].y, now.p1.at[i].y, now.change.at[i].y),
                                 rest(p.at[i].z, now.p1.at[i].z, now.change.at[i].z)};
  scatter(task->p1, b, solved, &now.p1);
  scatter(task->p1_carry, b, solved, &left);
  scatter_rows(task->mu, b->row, solved, mu);
  return (struct shk_triangles_end){lanes.count, solved};
}
