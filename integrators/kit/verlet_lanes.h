/* The data of verlet_lanes.c, its linear algebra and its calls of callbacks. */
#ifndef INTEGRATORS_KIT_VERLET_LANES_H
#define INTEGRATORS_KIT_VERLET_LANES_H

#include "integrators/kit/verlet_kernel.h"
#include "mechanics/algebra/lu_lanes.h"
#include "mechanics/algebra/transposed.h"
#include "mechanics/solvers/kit/lanes.h"
#include "mechanics/system/callback.h"

enum { N = SHK_LANES_N, M = SHK_LANES_M, ENTRIES = SHK_LANES_ENTRIES, STATE = 4 * N + 2 * M };

/* A state, in `all` in the order of its block. */
struct lanes_state {
  simd all[STATE];
  simd *q, *p, *q_carry, *p_carry, *lambda, *mu;
};

/* What the callbacks of a lane read and write, beside arrays of the lane. */
struct lane_room {
  const struct shk_system *system;
  real t1, *q1, *g, *rate;
  real memory[N + 2 * M];
  struct lane_counts {
    int constraints, jacobians, gradients, rates; /* calls in the present step */
    int positions, hiddens;                       /* corrections of both solves */
  } counts;
};

/* The entries of two rows that share a column. */
struct product {
  unsigned char a, b;
};

struct shk_verlet_lanes {
  int n, m, entries, count;
  const int *row_start, *columns;
  struct product product[M * M * N];
  int product_start[M * M + 1]; /* of the entries of the matrix, by rows */
  const struct shk_iteration *iteration;
  bool hidden, forces, moving, rates;
  bool exact; /* all masses are powers of two: `weight` has their inverses, which do the same */
  simd weight[N];
  /* Of the present step: */
  struct shk_verlet_lane *lanes;
  real h, half;
  struct lanes_state from, to;
  simd *G0, *G1, *gradient0, *gradient1; /* in the following: what ends a step begins the next */
  simd jacobians[2][ENTRIES], gradients[2][N];
  simd dp[N], velocity[N], over[ENTRIES], rate[M], residual[M];
  simd matrix[M * M], diagonal[M], scratch[M];
  simd_mask swaps[M * M];
  struct lane_room room[SIMD_LANES];
  real nowhere[STATE];
};

INLINED simd over_mass(const struct shk_verlet_lanes *w, simd x, int i)
{
  return w->exact ? x * w->weight[i] : x / w->weight[i];
}

INLINED unsigned going(const struct lanes *progress)
{
  return simd_bits(~(progress->done | progress->left));
}

/* ---- linear algebra ---- */

/* Factors G_a M⁻¹ G_bᵀ; lanes where it is not regular are left. */
INLINED void factor(struct shk_verlet_lanes *w, struct lanes *progress, const simd *G_a,
                    const simd *G_b, int m)
{
  for (int k = 0; k < w->entries; k++)
    w->over[k] = over_mass(w, G_a[k], w->columns[k]);
  for (int i = 0; i < m * m; i++) {
    simd sum = simd_all(0);
    for (int k = w->product_start[i]; k < w->product_start[i + 1]; k++)
      sum += w->over[w->product[k].a] * G_b[w->product[k].b];
    w->matrix[i] = sum;
  }
  for (int i = 0; i < m; i++)
    w->diagonal[i] = w->matrix[i * (m + 1)];
  shk_lanes_leave(progress, lanes_lu_factor(w->matrix, w->swaps, w->diagonal, w->scratch, m));
}

/* x (n) += factor Gᵀ y, in the lanes that are not done. */
INLINED void add_transposed(const struct shk_verlet_lanes *w, simd *x, const simd *G, real factor,
                            const simd *y, simd_mask done, int m)
{
  for (int i = 0; i < m; i++) {
    const simd scaled = factor * y[i];
    for (int k = w->row_start[i]; k < w->row_start[i + 1]; k++) {
      simd *const entry = &x[w->columns[k]];
      *entry = simd_choose(done, *entry, *entry + G[k] * scaled);
    }
  }
}

/* eps max_i Σ_k |G_ik| size_k */
INLINED simd rounding(const struct shk_verlet_lanes *w, const simd *G, const simd *size, int m)
{
  simd largest = simd_all(REAL_SMALLEST / REAL_EPSILON);
  for (int i = 0; i < m; i++) {
    simd sum = simd_all(0);
    for (int k = w->row_start[i]; k < w->row_start[i + 1]; k++)
      sum += simd_abs(G[k]) * size[w->columns[k]];
    largest = simd_max(largest, sum);
  }
  return simd_all(REAL_EPSILON) * largest;
}

/* x + carry + dx, as real_accumulate has it. */
INLINED void accumulate(simd *sum, simd *rest, simd x, simd carry, simd dx)
{
  const simd y = dx + carry, both = x + y, part = both - x;
  *rest = (x - (both - part)) + (y - part);
  *sum = both;
}

/* ---- callbacks ---- */

/* At the q1 of a lane, counted; where it fails the lane's step ends. */
INLINED void call(struct shk_verlet_lanes *w, struct lanes *progress, int k,
                  int (*function)(const void *context, real *out, real t, const real *q), real *out,
                  int *calls)
{
  const struct lane_room *const room = &w->room[k];
  struct shk_verlet_lane *const lane = &w->lanes[k];
  if (lane->status.code != SHK_OK)
    return;
  (*calls)++;
  const int returned = function(room->system->context, out, room->t1, room->q1);
  if (returned != 0) {
    lane->status = shk_callback_status(returned);
    simd_mark(&progress->left, k);
  }
}

/* The vectors of an array of each lane. */
#define COLUMNS(to, count, array_of_k)                                                             \
  do {                                                                                             \
    const real *rows_[SIMD_LANES];                                                                 \
    for (int k = 0; k < SIMD_LANES; k++)                                                           \
      rows_[k] = array_of_k;                                                                       \
    if (SIMD_LANES > 1)                                                                            \
      columns_of(to, rows_, count);                                                                \
  } while (0)

#endif
