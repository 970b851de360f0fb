/*
 * Systems made of other systems: one, or two side by side without interaction (a product
 * system), in other coordinates, with other rows for the same constraints, and in other units.
 * With q = (q',q") of the parts,
 *
 *     q~ = L T q,   p~ = (m L/τ) T p,   t~ = τ t + t_0,   H~ = (m L²/τ²) (H' + H"),
 *     Q~ = (m L/τ²) T Q,
 *     g~_i = c_i (g_k + a_i g_k²),   k = k(i),   λ~_i = s_i (m L²/τ²) λ_k/c_i,
 *
 * with T orthogonal, in blocks of up to three coordinates of equal mass, so that M stays diagonal.
 * An equivariant method takes the same steps up to round-off.
 *
 * Order of calls: add the parts, begin, change axes, rows and units, end.
 */
#ifndef PROBLEMS_KIT_TRANSFORM_H
#define PROBLEMS_KIT_TRANSFORM_H

#include <shakedown/parts/problem.h>

enum { SHK_PARTS = 2, SHK_BLOCK = 3 };

struct shk_component {
  struct shk_instance inner;
  int q_at, row_at, entry_at; /* its first coordinate, row and entry of G */
  real later;                 /* its initial time minus the first part's */
};

/* A coordinate: outer = Σ_j turn_j inner_j. The `size` axes of a block, which have the same inner
 * coordinates, follow each other. */
struct shk_axis {
  int outer, size, inner[SHK_BLOCK];
  real turn[SHK_BLOCK];
};

struct shk_transform {
  struct shk_component parts[SHK_PARTS];
  int part_count, n, m, entries;    /* of all parts together */
  real length, mass, time, shift;   /* L, m, τ, t_0 */
  struct shk_axis *axes;            /* n */
  int rows, *row;                   /* number of rows; k(i) of each */
  real *factor, *bend, *share;      /* c, a, s of each row */
  int *inner_start, *inner_columns; /* the pattern of the parts together */
  /* Derived by shk_transform_end. */
  real momentum, force, energy;
  int *axis, *block; /* index in `axes` of each outer coordinate; of the block of each inner one */
  int *row_start, *columns;
  int *units; /* the group of each outer coordinate, as in struct shk_system */
  real *masses, *scale;
  struct shk_picture picture;
  struct shk_change change;
  /* Work space of the callbacks. */
  real *q, *p, *v, *x, *g, *rate, *values, *matrix, *part_matrices;
};

/* Adds the problem that the option names. Refuses constraints g(q,p), velocity constraints and
 * general differential-algebraic equations. */
struct shk_status shk_transform_part(struct shk_transform *s, struct shk_instance *instance,
                                     const char *option);
/* Allocates for `rows` rows, at least m. Axes, rows and units start as in the parts. */
struct shk_status shk_transform_begin(struct shk_transform *s, struct shk_workspace *workspace,
                                      int rows);
/* Fills *instance, whose system has the transform as its context. */
struct shk_status shk_transform_end(struct shk_transform *s, struct shk_instance *instance);

/* Positional option that names a part. */
#define SHK_PART_OPTION(word, known, what)                                                         \
  {                                                                                                \
    .name = word, .kind = SHK_OPTION_PROBLEM, .fallback = known, .positional = true,               \
    .meaning = what ", with its options"                                                           \
  }

#endif
