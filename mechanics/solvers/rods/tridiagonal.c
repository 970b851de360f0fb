/*
 * Sweeps over chains of rods; tridiagonal.h has the equations, rod_blocks.h the blocks of a path.
 * Sums have a fixed order.
 */
#include "mechanics/solvers/rods/tridiagonal.h"
#include "mechanics/algebra/pivots.h"
#include "mechanics/algebra/simd.h"
#include "mechanics/solvers/rods/rod_blocks.h"

/* Unless a row's diagonal over its pivot is less than this, the pivot is round-off. */
#define LEAST_PIVOT (1 / (SHK_PIVOT_ROUNDING * REAL_EPSILON))

/* The rows of a block: K(k,k-1), K(k,k), K(k-1,k) and the right side, at the local rod. */
struct rows {
  real lower[BLOCK + 1], diagonal[BLOCK + 1], upper[BLOCK + 1], right[BLOCK + 1];
};

INLINED real dot(const real *a, const real *b, int dimension)
{
  real sum = a[0] * b[0];
  for (int j = 1; j < dimension; j++)
    sum += a[j] * b[j];
  return sum;
}

/* max |x_i|, i = 1 … count; not finite if one is not. Two vectors at a time, since each maximum
 * waits for the one before. */
INLINED real largest_of(const real *x, int count)
{
  simd most = simd_all(0), other = most, total = most, rest = most;
  int i = 1;
  for (; i + 2 * SIMD_LANES <= count + 1; i += 2 * SIMD_LANES) {
    const simd one = simd_abs(simd_load(x + i)), two = simd_abs(simd_load(x + i + SIMD_LANES));
    most = simd_max(most, one);
    other = simd_max(other, two);
    total += one;
    rest += two;
  }
  real largest = 0, sum = 0;
  most = simd_max(most, other);
  total += rest;
  for (int lane = 0; lane < SIMD_LANES; lane++) {
    largest = real_max(largest, simd_get(most, lane));
    sum += simd_get(total, lane);
  }
  for (; i <= count; i++) {
    largest = real_max(largest, real_fabs(x[i]));
    sum += real_fabs(x[i]);
  }
  return largest + (sum - sum);
}

/* Clears rows beyond the path's end, and what the first has before it. */
INLINED void clear_rows(const struct block *b, int length, struct rows *rows)
{
  for (int i = b->own + 1; i <= length; i++) {
    rows->diagonal[i] = 1;
    rows->lower[i] = rows->upper[i] = rows->right[i] = 0;
  }
  if (b->k0 == 0)
    rows->lower[1] = rows->upper[1] = 0;
}

/* Continues the elimination over the block's rows. Returns the first local rod without a pivot, 0
 * if all have one. */
INLINED int eliminate(struct block *b, int length, struct rows *rows)
{
  real N[BLOCK + 2], z[BLOCK + 1], product[BLOCK + 1], ratio[BLOCK + 1], part[BLOCK + 1];
  const real largest = largest_of(rows->diagonal, length);
  const bool wild = !(largest < R(1e4) && largest > R(1e-4));
  const real scale = wild ? 1 / largest : 1;
  /* Row i times scale; its `upper` is in the row before it, with that one's scale. */
  for (int i = 1; i <= length && wild; i++) {
    rows->diagonal[i] *= scale;
    rows->lower[i] *= scale;
    rows->right[i] *= scale;
    rows->upper[i] *= i == 1 ? 1 : scale;
  }
  rows->upper[1] *= b->scale;
  for (int i = 1; i <= length; i++)
    product[i] = rows->lower[i] * rows->upper[i];
  real older = b->older, minor = b->minor, right = b->right;
  N[1] = minor;
  for (int i = 1; i <= b->own; i++) {
    right = rows->right[i] * minor - rows->lower[i] * right;
    const real next = rows->diagonal[i] * minor - product[i] * older;
    older = minor;
    minor = next;
    N[i + 1] = minor;
    z[i] = right;
  }
  for (int i = b->own + 1; i <= length; i++) {
    N[i + 1] = minor;
    z[i] = 0;
  }
  real *x = b->paths->x + b->path->first + b->k0 - 1;
  real *coupling = b->paths->coupling + b->path->first + b->k0 - 1;
  ratio[0] = b->ratio;
  for (int i = 1; i <= length; i++) {
    const real inverse = 1 / N[i + 1];
    ratio[i] = N[i] * inverse; /* one over the pivot */
    z[i] *= inverse;
    part[i] = rows->diagonal[i] * ratio[i];
  }
  if (b->k0 > 0)
    coupling[0] = rows->upper[1] * ratio[0];
  if (b->own == length) {
    for (int i = 1; i <= length; i++)
      x[i] = z[i];
    for (int i = 1; i < length; i++)
      coupling[i] = rows->upper[i + 1] * ratio[i];
  } else {
    for (int i = 1; i <= b->own; i++) {
      x[i] = z[i];
      if (i < b->own)
        coupling[i] = rows->upper[i + 1] * ratio[i];
    }
  }
  const real unit = 1 / minor;
  b->minor = 1;
  b->older = older * unit;
  b->right = right * unit;
  b->scale = scale;
  b->ratio = ratio[length];
  if (largest_of(part, length) < LEAST_PIVOT)
    return 0;
  for (int i = 1; i <= b->own; i++)
    if (!(real_fabs(part[i]) < LEAST_PIVOT))
      return i;
  return 0;
}

/* d_b of the position solve: of the points, or what the Jacobian's values say. */
INLINED void old_rods(const struct block *b, int length, int dimension,
                      const struct shk_evaluator *e, const real *values, const real *q, real *d)
{
  if (!values) {
    for (int t = 0; t < (length + 2) * dimension; t++)
      d[t] = q[t + dimension] - q[t];
    return;
  }
  for (int local = 0; local < length + 2; local++) {
    const int rod = b->k0 - 1 + local;
    const bool there = rod >= 0 && rod < b->path->count;
    const int row = there ? b->paths->row[b->path->first + rod] : 0;
    /* The entries of the point with the larger index come last. */
    const int end = there ? e->row_start[row + 1] : dimension;
    const real sign = !there ? 0 : offset_of(b, local) < offset_of(b, local + 1) ? 1 : -1;
    for (int j = 0; j < dimension; j++)
      d[local * dimension + j] = sign * values[end - dimension + j];
  }
}

/* The block's own rods in double. */
INLINED void round_rods(const struct block *b, int dimension, const real *old, const real *now,
                        const real *g)
{
  struct shk_rod_in_double *to = b->paths->rough + b->path->first + b->k0;
  for (int i = 1; i <= b->own; i++, to++) {
    to->g = (double)g[i];
    for (int j = 0; j < dimension; j++) {
      to->old[j] = (double)old[i * dimension + j];
      to->now[j] = (double)now[i * dimension + j];
    }
  }
}

/* One block of the position solve. */
INLINED real positions(struct block *b, int length, int dimension, enum shk_elimination_task what,
                       const struct shk_evaluator *e, const struct shk_position_solve *task,
                       int *bad)
{
  const struct shk_paths *paths = b->paths;
  const struct shk_weights *const weights = weights_of(b, length, dimension);
  const real *fixed = paths->rods->fixed;
  shk_view local[5], force, old, now, q1, out[3];
  bool kept;
  shk_view *const room = views_of(b, local, &kept);
  const real *const restrict q = view(b, length, dimension, task->q, fixed, room[0], kept);
  const real *const restrict q_carry =
      view(b, length, dimension, task->q_carry, NULL, room[1], kept);
  const real *const restrict p = view(b, length, dimension, task->p, NULL, room[2], kept);
  const real *const restrict p_carry =
      view(b, length, dimension, task->p_carry, NULL, room[3], kept);
  static const shk_view zeros;
  const real *const restrict dp_free =
      task->dp_free ? view(b, length, dimension, task->dp_free, NULL, room[4], kept) : zeros;
  real *const restrict dp = place(b, task->dp, out[0]);
  real *const restrict p1 = task->p1 ? place(b, task->p1, out[1]) : out[1];
  real *const restrict carry = place(b, task->q1_carry, out[2]);
  const int end = (length + 2) * dimension;
  const real *const inverse = weights->slot, *const spread = weights->spread;
  const real drift = task->drift;
  old_rods(b, length, dimension, e, task->G_b, q, old);
  push(b, length, dimension, task->kick, task->lambda, old, force);
  for (int t = dimension; t < end; t++) {
    const real change = dp_free[t] + (force[t] - force[t - dimension]);
    const real moved = p[t] + (change + p_carry[t]);
    const real step = drift * (moved * spread[t]) + q_carry[t];
    q1[t] = q[t] + step;
    if (what == SHK_WRITE_SOLUTION) {
      dp[t] = change;
      p1[t] = moved;
      const real part = q1[t] - q[t];
      carry[t] = (q[t] - (q1[t] - part)) + (step - part);
    }
  }
  for (int t = dimension; t < end - dimension; t++)
    now[t] = q1[t + dimension] - q1[t];
  for (int j = 0; j < dimension; j++)
    now[j] = b->before[j];
  struct rows rows;
  real g[BLOCK + 1];
  for (int i = 1; i <= length; i++) {
    const real *d = now + i * dimension;
    g[i] = dot(d, d, dimension);
    if (what == SHK_ELIMINATE) {
      rows.diagonal[i] = (inverse[i] + inverse[i + 1]) * dot(d, old + i * dimension, dimension);
      rows.lower[i] = -inverse[i] * dot(d, old + (i - 1) * dimension, dimension);
      rows.upper[i] = -inverse[i] * dot(d - dimension, old + i * dimension, dimension);
    }
  }
  for (int i = 1; i <= length; i++)
    g[i] = (g[i] - weights->square[i]) / 2;
  const real residual = largest_of(g, b->own);
  if (what == SHK_ELIMINATE) {
    for (int i = 1; i <= length; i++)
      rows.right[i] = g[i];
    for (int j = 0; j < dimension; j++)
      b->before[j] = now[length * dimension + j];
    clear_rows(b, length, &rows);
    *bad = eliminate(b, length, &rows);
  } else if (what == SHK_ROUND) {
    round_rods(b, dimension, old, now, g);
  } else {
    write_back(b, length, dimension, task->dp, dp);
    if (task->p1)
      write_back(b, length, dimension, task->p1, p1);
    write_back(b, length, dimension, task->q1, q1);
    write_back(b, length, dimension, task->q1_carry, carry);
  }
  return residual;
}

/* The larger of two residuals, a NaN if one is. */
INLINED real worse(real a, real b)
{
  return a != a || a > b ? a : b;
}

INLINED struct shk_elimination sweep_positions(const struct shk_paths *paths, int length,
                                               int dimension, enum shk_elimination_task what,
                                               const struct shk_evaluator *e,
                                               const struct shk_position_solve *task)
{
  struct shk_elimination found = {.singular = -1};
  for (int path = 0; path < paths->count; path++) {
    struct block b;
    begin_path(&b, paths, path);
    for (int k0 = 0; k0 < b.path->count; k0 += length) {
      int bad = 0;
      enter(&b, k0, length);
      found.residual = worse(found.residual, positions(&b, length, dimension, what, e, task, &bad));
      if (bad > 0 && found.singular < 0)
        found.singular = paths->row[b.path->first + k0 + bad - 1];
    }
  }
  return found;
}

/* A sweep with the dimension and the length of blocks known at compilation. */
#define OF_LENGTH(sweep, length, ...)                                                              \
  (paths->rods->dimension == 2 ? sweep(paths, length, 2, __VA_ARGS__)                              \
                               : sweep(paths, length, 3, __VA_ARGS__))
#define OF_PATHS(sweep, ...)                                                                       \
  (paths->length == SHK_BLOCK_SHORT ? OF_LENGTH(sweep, SHK_BLOCK_SHORT, __VA_ARGS__)               \
                                    : OF_LENGTH(sweep, SHK_BLOCK_LONG, __VA_ARGS__))

struct shk_elimination shk_tridiagonal_positions(const struct shk_paths *paths,
                                                 enum shk_elimination_task what,
                                                 const struct shk_evaluator *e,
                                                 const struct shk_position_solve *task)
{
  if (REAL_DIGITS > 30 && what == SHK_ROUND)
    return OF_PATHS(sweep_positions, SHK_ROUND, e, task);
  return what == SHK_ELIMINATE ? OF_PATHS(sweep_positions, SHK_ELIMINATE, e, task)
                               : OF_PATHS(sweep_positions, SHK_WRITE_SOLUTION, e, task);
}

/* The same for the hidden solve. */
INLINED real momenta(struct block *b, int length, int dimension, enum shk_elimination_task what,
                     real factor, const struct shk_hidden_solve *task, real *rounding, int *bad)
{
  const struct shk_weights *const weights = weights_of(b, length, dimension);
  shk_view local[4], force, d, dp, v, size, out[2];
  bool kept;
  shk_view *const room = views_of(b, local, &kept);
  const real *const restrict q =
      view(b, length, dimension, task->q1, b->paths->rods->fixed, room[0], kept);
  const real *const restrict p = view(b, length, dimension, task->p, NULL, room[1], kept);
  const real *const restrict p_carry =
      view(b, length, dimension, task->p_carry, NULL, room[2], kept);
  const real *const restrict old = view(b, length, dimension, task->dp, NULL, local[3], false);
  real *const restrict p1 = place(b, task->p1, out[0]);
  real *const restrict carry = place(b, task->p1_carry, out[1]);
  const int end = (length + 2) * dimension;
  const real *const inverse = weights->slot, *const spread = weights->spread;
  for (int t = 0; t < end; t++)
    d[t] = q[t + dimension] - q[t];
  if (what == SHK_WRITE_SOLUTION)
    push(b, length, dimension, factor, NULL, d, force);
  for (int t = dimension; t < end; t++) {
    dp[t] = what == SHK_WRITE_SOLUTION ? old[t] + (force[t] - force[t - dimension]) : old[t];
    const real y = dp[t] + p_carry[t], sum = p[t] + y;
    v[t] = sum * spread[t];
    if (what == SHK_WRITE_SOLUTION)
      size[t] = real_fabs(v[t]) + real_fabs(dp[t] * spread[t]);
    if (what == SHK_WRITE_SOLUTION) {
      const real part = sum - p[t];
      p1[t] = sum;
      carry[t] = (p[t] - (sum - part)) + (y - part);
    }
  }
  struct rows rows;
  real rate[BLOCK + 1], sizes[BLOCK + 1];
  for (int i = 1; i <= length; i++) {
    const real *along = d + i * dimension, *from = v + i * dimension, *of = size + i * dimension;
    rate[i] = sizes[i] = 0;
    for (int j = 0; j < dimension; j++) {
      rate[i] += along[j] * (from[j + dimension] - from[j]);
      if (what == SHK_WRITE_SOLUTION)
        sizes[i] += real_fabs(along[j]) * (of[j + dimension] + of[j]);
    }
    if (what == SHK_ELIMINATE) {
      rows.diagonal[i] = (inverse[i] + inverse[i + 1]) * dot(along, along, dimension);
      rows.lower[i] = -inverse[i] * dot(along, along - dimension, dimension);
      rows.upper[i] = rows.lower[i];
      rows.right[i] = rate[i];
    }
  }
  if (what == SHK_ELIMINATE) {
    clear_rows(b, length, &rows);
    *bad = eliminate(b, length, &rows);
  } else {
    *rounding = real_max(*rounding, largest_of(sizes, b->own));
    write_back(b, length, dimension, task->dp, dp);
    write_back(b, length, dimension, task->p1, p1);
    write_back(b, length, dimension, task->p1_carry, carry);
  }
  return largest_of(rate, b->own);
}

INLINED struct shk_elimination sweep_momenta(const struct shk_paths *paths, int length,
                                             int dimension, enum shk_elimination_task what,
                                             real factor, const struct shk_hidden_solve *task)
{
  struct shk_elimination found = {.rounding = REAL_SMALLEST / REAL_EPSILON, .singular = -1};
  for (int path = 0; path < paths->count; path++) {
    struct block b;
    begin_path(&b, paths, path);
    for (int k0 = 0; k0 < b.path->count; k0 += length) {
      int bad = 0;
      enter(&b, k0, length);
      found.residual = worse(found.residual, momenta(&b, length, dimension, what, factor, task,
                                                     &found.rounding, &bad));
      if (bad > 0 && found.singular < 0)
        found.singular = paths->row[b.path->first + k0 + bad - 1];
    }
  }
  return found;
}

struct shk_elimination shk_tridiagonal_momenta(const struct shk_paths *paths,
                                               enum shk_elimination_task what, real factor,
                                               const struct shk_hidden_solve *task)
{
  return what == SHK_ELIMINATE ? OF_PATHS(sweep_momenta, SHK_ELIMINATE, 0, task)
                               : OF_PATHS(sweep_momenta, SHK_WRITE_SOLUTION, factor, task);
}

void shk_tridiagonal_substitute(const struct shk_paths *paths, real *multipliers, real factor)
{
  for (int path = 0; path < paths->count; path++) {
    const struct shk_path *p = &paths->path[path];
    real *const restrict x = paths->x + p->first;
    const real *const restrict coupling = paths->coupling + p->first;
    const int *const row = paths->row + p->first;
    real value = x[p->count - 1];
    int k = p->count - 2;
    /* In pairs, so that only every other row waits for the one before. */
    for (; k > 0; k -= 2) {
      const real here = x[k] - coupling[k] * value;
      value = (x[k - 1] - coupling[k - 1] * x[k]) + coupling[k - 1] * coupling[k] * value;
      x[k] = here;
      x[k - 1] = value;
    }
    if (k == 0)
      x[0] -= coupling[0] * value;
    if (p->contiguous) {
      real *const restrict to = multipliers + row[0];
      for (int i = 0; i < p->count; i++)
        to[i] += x[i] * factor;
    } else {
      for (int i = 0; i < p->count; i++)
        multipliers[row[i]] += x[i] * factor;
    }
  }
}
