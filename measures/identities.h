/* Parts of the measure "identities". identities.c explains what it measures. */
#ifndef MEASURES_IDENTITIES_H
#define MEASURES_IDENTITIES_H

#include "measures/structure.h"

/* Positions at which forces and constraints are evaluated. */
enum shk_identity_point {
  SHK_AT_OLD,
  SHK_AT_NEW,
  SHK_AT_PREDICTED, /* q* */
  SHK_AT_DRIFTED,   /* q** */
  SHK_AT_MIDDLE,
  SHK_IDENTITY_POINTS
};

struct shk_identities {
  struct shk_trial *trial;
  const struct shk_map *map;
  struct shk_evaluator *e;
  /* the start and end of a step, and a scratch state for additional steps */
  struct shk_state *from, *to, *back;
  int n, m;
  real *q[SHK_IDENTITY_POINTS];          /* positions, n each */
  real *force[SHK_IDENTITY_POINTS];      /* F */
  real *rows[SHK_IDENTITY_POINTS];       /* orthonormal rows that span the range of Gᵀ */
  real *v0, *v1, *w, *w_drifted, *r, *x; /* n each */
  real *G, *rates;                       /* the number of entries of G, and m */
  /* scratch space shared by the parts of the measure: m rows, and m x m numbers */
  real *other, *triangle;
};

/* Adds the scalar identities-WHAT. */
void shk_identity_add(const struct shk_identities *k, const char *what, real value);
/* Makes the rows (count x n) orthonormal by applying the Gram-Schmidt process twice. A row that
 * depends on the previous rows becomes zero. If `triangle` (count x count) is not NULL, stores
 * numbers in it such that the original row j is the sum of triangle_ij times the new row i. */
void shk_rows_orthonormalize(real *rows, real *triangle, int count, int n);
/* Subtracts the projection of x (n) onto the span of these orthonormal rows from x. */
void shk_rows_remove(real *x, const real *rows, int count, int n);
real shk_length_of(const real *x, int n);

/* Tests the identities for points and rods (in identities_rods.c). The residuals of w and r are
 * divided by `size` and `velocity_size`, respectively, and `noise` is the precision of the
 * states. */
struct shk_status shk_identities_of_rods(struct shk_identities *k, real size, real velocity_size,
                                         real noise);
/* Tests the identities for the limit of (p1 - p0)/h as h vanishes (in identities_rate.c). */
struct shk_status shk_identities_of_rate(struct shk_identities *k);
/* Determines how a single-precision step, with round-off eps, rounds the velocities (in
 * identities_single.c). Overwrites k->from and k->to. */
struct shk_status shk_identities_of_single(struct shk_identities *k, real eps);

#endif
