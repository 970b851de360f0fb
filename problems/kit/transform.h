/*
 * Systems that consist of one other system, or of two systems that do not interact (a product
 * system). The new system has different coordinates, different rows for the same constraints, and
 * different units. With q = (q',q") for the parts,
 *
 *     q~ = L T q,   p~ = (m L/τ) T p,   t~ = τ t + t_0,   H~ = (m L²/τ²) (H' + H"),
 *     Q~ = (m L/τ²) T Q,
 *     g~_i = c_i (g_k + a_i g_k²),   k = k(i),   λ~_i = s_i (m L²/τ²) λ_k/c_i,
 *
 * where T is orthogonal with blocks of up to three coordinates of equal mass, so that M remains
 * diagonal. An equivariant method takes the same steps in both systems, up to round-off.
 *
 * Call the functions in this order: add the parts, begin, change axes, rows and units, end.
 */
#ifndef PROBLEMS_KIT_TRANSFORM_H
#define PROBLEMS_KIT_TRANSFORM_H

#include <shakedown/parts/problem.h>

enum { SHK_PARTS = 2, SHK_BLOCK = 3 };

struct shk_component {
  struct shk_instance inner;
  /* indices of the part's first coordinate, first row and first entry of G */
  int q_at, row_at, entry_at;
  real later; /* initial time of the part minus that of the first part */
};

/* A coordinate of the new system, outer = Σ_j turn_j inner_j. The `size` axes of a block have the
 * same inner coordinates and are consecutive. */
struct shk_axis {
  int outer, size, inner[SHK_BLOCK];
  real turn[SHK_BLOCK];
};

struct shk_transform {
  struct shk_component parts[SHK_PARTS];
  int part_count, n, m, entries;    /* totals over all parts */
  real length, mass, time, shift;   /* L, m, τ, t_0 */
  struct shk_axis *axes;            /* n */
  int rows, *row;                   /* number of rows, and k(i) for each row */
  real *factor, *bend, *share;      /* c, a and s for each row */
  int *inner_start, *inner_columns; /* the combined sparsity pattern of the parts */
  /* Derived by shk_transform_end. */
  real momentum, force, energy;
  /* index in `axes` of each outer coordinate, and of the first axis in the block of each inner
   * coordinate */
  int *axis, *block;
  int *row_start, *columns;
  int *units; /* the group of each outer coordinate, as in struct shk_system */
  real *masses, *scale;
  struct shk_picture picture;
  struct shk_change change;
  /* Work space for the callbacks. */
  real *q, *p, *v, *x, *g, *rate, *values, *matrix, *part_matrices;
};

/* Adds the problem named by the option. Rejects constraints g(q,p), velocity constraints and
 * general differential-algebraic equations. */
struct shk_status shk_transform_part(struct shk_transform *s, struct shk_instance *instance,
                                     const char *option);
/* Allocates memory for `rows` rows, which must be at least m. The axes, rows and units are
 * initially those of the parts. */
struct shk_status shk_transform_begin(struct shk_transform *s, struct shk_workspace *workspace,
                                      int rows);
/* Initializes *instance, whose system uses the transform as its context. */
struct shk_status shk_transform_end(struct shk_transform *s, struct shk_instance *instance);

/* A positional option whose value is the problem that becomes a part. */
#define SHK_PART_OPTION(word, known, what)                                                         \
  {                                                                                                \
    .name = word, .kind = SHK_OPTION_PROBLEM, .fallback = known, .positional = true,               \
    .meaning = what ", with its options"                                                           \
  }

#endif
