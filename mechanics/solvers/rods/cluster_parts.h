/*
 * The parts of the solves of cluster.c: transfer between the system's arrays and a batch, vectors
 * along rods, and the small matrices K_ij = w_ij d'_i·d_j with their factors. All are inlined, so
 * that loops over the points and rods of a shape known at compilation are unrolled.
 */
#ifndef MECHANICS_SOLVERS_RODS_CLUSTER_PARTS_H
#define MECHANICS_SOLVERS_RODS_CLUSTER_PARTS_H

#include "mechanics/algebra/pivots.h"
#include "mechanics/solvers/kit/lanes.h"

enum {
  RODS = SHK_CLUSTER_RODS,
  COORDINATES = 3 * SHK_CLUSTER_POINTS,
  COMPONENTS = 3 * SHK_CLUSTER_RODS
};

/* ---- between the system's arrays and a batch ---- */

/* The place of coordinate 0 of a point. In contiguous clusters moving points follow each other. */
INLINED int place_of(const struct shk_cluster_shape *s, const int *point, int i, int lane)
{
  return s->contiguous && i < s->moving ? point[lane] + i * s->dimension
                                        : point[i * SIMD_LANES + lane];
}

/* For the points from `begin` to `end`. */
INLINED void gather(simd *out, const struct shk_cluster_shape *s, const int *point, const real *x,
                    int begin, int end)
{
  for (int i = begin; i < end; i++)
    for (int k = 0; k < s->dimension; k++)
      for (int lane = 0; lane < SIMD_LANES; lane++)
        simd_set(&out[i * s->dimension + k], lane, x[place_of(s, point, i, lane) + k]);
}

/* The reverse, for moving points; `only`: one lane, -1 for all. */
INLINED void scatter(real *x, const struct shk_cluster_shape *s, const int *point, int only,
                     const simd *values)
{
  for (int lane = 0; lane < SIMD_LANES; lane++)
    for (int i = 0; (only < 0 || lane == only) && i < s->moving; i++)
      for (int k = 0; k < s->dimension; k++)
        x[place_of(s, point, i, lane) + k] = simd_get(values[i * s->dimension + k], lane);
}

INLINED void gather_rows(simd *out, int count, const int *row, const real *x)
{
  for (int i = 0; i < count; i++)
    for (int lane = 0; lane < SIMD_LANES; lane++)
      simd_set(&out[i], lane, x[row[i * SIMD_LANES + lane]]);
}

INLINED void scatter_rows(real *x, int count, const int *row, int only, const simd *values)
{
  for (int lane = 0; lane < SIMD_LANES; lane++)
    for (int i = 0; (only < 0 || lane == only) && i < count; i++)
      x[row[i * SIMD_LANES + lane]] = simd_get(values[i], lane);
}

/* The place of the entries of point b in the Jacobian's row of a rod. Those of point a, if it
 * moves, come before or after: columns ascend. */
INLINED int place_of_b(const struct shk_cluster_shape *s, const struct shk_cluster_run *run,
                       const struct shk_cluster_batch *b, int rod, int lane)
{
  const int from = b->point[s->a[rod] * SIMD_LANES + lane],
            to = b->point[s->b[rod] * SIMD_LANES + lane];
  const bool behind = s->a[rod] < s->moving && from < to;
  return run->evaluator->row_start[b->row[rod * SIMD_LANES + lane]] + (behind ? s->dimension : 0);
}

INLINED void read_jacobian(simd *d, const struct shk_cluster_shape *s,
                           const struct shk_cluster_run *run, const struct shk_cluster_batch *b,
                           const real *values)
{
  for (int i = 0; i < s->rods; i++)
    for (int lane = 0; lane < SIMD_LANES; lane++)
      for (int k = 0; k < s->dimension; k++)
        simd_set(&d[i * s->dimension + k], lane, values[place_of_b(s, run, b, i, lane) + k]);
}

INLINED void write_jacobian(real *values, const struct shk_cluster_shape *s,
                            const struct shk_cluster_run *run, const struct shk_cluster_batch *b,
                            int only, const simd *d)
{
  for (int i = 0; i < s->rods; i++)
    for (int lane = 0; lane < SIMD_LANES; lane++) {
      const int at = place_of_b(s, run, b, i, lane);
      const int row = run->evaluator->row_start[b->row[i * SIMD_LANES + lane]];
      const int other = at == row ? row + s->dimension : row;
      for (int k = 0; (only < 0 || lane == only) && k < s->dimension; k++) {
        const real value = simd_get(d[i * s->dimension + k], lane);
        values[at + k] = value;
        if (s->a[i] < s->moving)
          values[other + k] = -value;
      }
    }
}

/* ---- parts of both solves ---- */

INLINED simd smallest(simd a, simd b)
{
  return simd_choose(simd_less(a, b), a, b);
}

/* The vectors along the rods. */
INLINED void along(simd *d, const struct shk_cluster_shape *s, const simd *x)
{
  for (int i = 0; i < s->rods; i++)
    for (int k = 0; k < s->dimension; k++)
      d[i * s->dimension + k] = x[s->b[i] * s->dimension + k] - x[s->a[i] * s->dimension + k];
}

INLINED simd dot(const simd *a, const simd *b, int dimension)
{
  simd sum = a[0] * b[0];
  for (int k = 1; k < dimension; k++)
    sum += a[k] * b[k];
  return sum;
}

/* w_ij, and whether rods i and j share a point at all. */
INLINED bool weight(simd *w, const struct shk_cluster_shape *s, const simd *inverse_mass, int i,
                    int j)
{
  const bool begin = s->a[i] == s->a[j], end = s->b[i] == s->b[j];
  const bool ahead = s->b[i] == s->a[j], behind = s->a[i] == s->b[j];
  *w = simd_all(0);
  if (begin && s->a[i] < s->moving)
    *w += inverse_mass[s->a[i]];
  if (end)
    *w += inverse_mass[s->b[i]];
  if (ahead)
    *w -= inverse_mass[s->b[i]];
  if (behind)
    *w -= inverse_mass[s->a[i]];
  return begin || end || ahead || behind;
}

/* K (rods x rods) from the vectors along the rods of the new and of the old point. */
INLINED void assemble(simd *K, const struct shk_cluster_shape *s, const simd *inverse_mass,
                      const simd *d1, const simd *d0)
{
  for (int i = 0; i < s->rods; i++)
    for (int j = 0; j < s->rods; j++) {
      simd w;
      K[i * s->rods + j] = weight(&w, s, inverse_mass, i, j)
                               ? w * dot(d1 + i * s->dimension, d0 + j * s->dimension, s->dimension)
                               : simd_all(0);
    }
}

/* LU without pivoting, in place, the inverse pivots on the diagonal. Returns the least excess of a
 * pivot over round-off. */
INLINED simd factor_plainly(simd *K, int rods)
{
  const simd limit = simd_all(rods > 1 ? SHK_PIVOT_ROUNDING * REAL_EPSILON : 0);
  simd size[RODS], margin = simd_abs(K[0]);
  for (int i = 0; i < rods; i++)
    size[i] = simd_abs(K[i * rods + i]) * limit;
  for (int k = 0; k < rods; k++) {
    margin = smallest(margin, simd_abs(K[k * rods + k]) - size[k]);
    const simd inverse = K[k * rods + k] = simd_all(1) / K[k * rods + k];
    for (int i = k + 1; i < rods; i++) {
      const simd part = K[i * rods + k] *= inverse;
      for (int j = k + 1; j < rods; j++)
        K[i * rods + j] -= part * K[k * rods + j];
    }
  }
  return margin;
}

INLINED void substitute_plainly(simd *x, const simd *K, int rods)
{
  for (int i = 1; i < rods; i++)
    for (int j = 0; j < i; j++)
      x[i] -= K[i * rods + j] * x[j];
  for (int i = rods - 1; i >= 0; i--) {
    for (int j = i + 1; j < rods; j++)
      x[i] -= K[i * rods + j] * x[j];
    x[i] *= K[i * rods + i];
  }
}

#endif
