/*
 * Systems made of other systems: one, or two side by side without interaction (a product
 * system), in other coordinates, with other rows for the same constraints, and in other units.
 * With q = (q',q") of the parts,
 *
 *     q~ = L T q,   p~ = (m L/τ) T p,   t~ = τ t + t_0,   H~ = (m L²/τ²) (H' + H"),   Q~ = (m L/τ²)
 *     T Q,
 *     g~_i = c_i (g_k + a_i g_k²),   k = k(i),   λ~_i = s_i (m L²/τ²) λ_k/c_i,
 *
 * with T orthogonal, in blocks of up to three coordinates of equal mass, so that M stays diagonal.
 * An equivariant method takes the same steps up to round-off.
 *
 * Order of calls: add the parts, begin, change blocks, rows and units, end.
 */
#ifndef PROBLEMS_KIT_TRANSFORM_H
#define PROBLEMS_KIT_TRANSFORM_H

#include <shakedown/problem.h>

enum { SHK_PARTS = 2, SHK_BLOCK = 3 };

struct shk_component {
  struct shk_instance inner;
  struct shk_evaluator pattern; /* its row_start and columns, dense if it declares none */
  int q_at, row_at, entry_at;   /* its first coordinate, row and entry of G */
  real later;                   /* its initial time minus the first part's */
};

/* A block of coordinates that are rotated together: outer_i = Σ_j turn_ij inner_j. */
struct shk_turned {
  int size, inner[SHK_BLOCK], outer[SHK_BLOCK];
  real turn[SHK_BLOCK][SHK_BLOCK];
};

struct shk_transform {
  struct shk_component parts[SHK_PARTS];
  int part_count, n, m, entries;  /* of all parts together */
  real length, mass, time, shift; /* L, m, τ, t_0 */
  int block_count;
  struct shk_turned *blocks;
  int rows, *row;              /* number of rows; k(i) of each */
  real *factor, *bend, *share; /* c, a, s of each row */
  /* Derived by shk_transform_end. */
  real momentum, force, energy;
  int *block_of;                    /* block of each inner coordinate */
  int *inner_start, *inner_columns; /* the pattern of the parts together */
  int *touched_from, *touched;      /* the blocks that each row depends on */
  int *row_start, *columns;
  real *masses, *scale;
  struct shk_picture picture;
  /* Work space of the callbacks. */
  real *q, *p, *v, *x, *y, *g, *rate, *values, *matrix, *part_matrix;
};

/* Adds the problem that the option names. Refuses constraints g(q,p), velocity constraints and
 * general differential-algebraic equations. */
struct shk_status shk_transform_part(struct shk_transform *s, struct shk_instance *instance,
                                     const char *option);
/* Allocates for `rows` rows, at least m. Coordinates, rows and units start as in the
 * parts. */
struct shk_status shk_transform_begin(struct shk_transform *s, struct shk_workspace *workspace,
                                      int rows);
/* Derives units, masses, scales and the pattern from parts, blocks and rows: called by the end. */
struct shk_status shk_transform_lay_out(struct shk_transform *s, struct shk_workspace *workspace);
/* Fills *instance, whose system has the transform as its context. */
struct shk_status shk_transform_end(struct shk_transform *s, struct shk_instance *instance);

/* Transform states of the parts (q, p: n each; NULL: not wanted) to the coordinates of a
 * transformed instance, and back. */
void shk_transform_state(const struct shk_instance *transformed, real *q_out, real *p_out,
                         const real *q, const real *p);
void shk_transform_back(const struct shk_instance *transformed, real *q_out, real *p_out,
                        const real *q, const real *p);
/* Transforms multipliers (one a row) back to the parts: λ_k = c_i λ~_i/(m
 * L²/τ²). No row may be repeated. */
void shk_transform_multipliers(const struct shk_instance *transformed, real *lambda_out,
                               const real *lambda);
/* Returns the unit of time, τ. */
real shk_transform_time(const struct shk_instance *transformed);

#define SHK_EACH_PART(s, part)                                                                     \
  for (const struct shk_component *part = (s)->parts; part < (s)->parts + (s)->part_count; part++)

/* Positional option that names a part. */
#define SHK_PART_OPTION(word, known, what)                                                         \
  {                                                                                                \
    .name = word, .kind = SHK_OPTION_PROBLEM, .fallback = known, .positional = true,               \
    .meaning = what ", with its options"                                                           \
  }

#endif
