/* Parts of the measure "identities": identities.c says what it measures. */
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
  struct shk_state *from, *to, *back; /* a step, and a state for further steps */
  int n, m;
  real *q[SHK_IDENTITY_POINTS];          /* positions, n each */
  real *force[SHK_IDENTITY_POINTS];      /* F */
  real *rows[SHK_IDENTITY_POINTS];       /* orthonormal rows that span the range of Gᵀ */
  real *v0, *v1, *w, *w_drifted, *r, *x; /* n each */
  real *G, *rates;                       /* entries of G; m */
  real *other, *triangle;                /* m rows; m x m: scratch of the parts */
};

/* Adds the scalar identities-WHAT. */
void shk_identity_add(const struct shk_identities *k, const char *what, real value);
/* Makes rows (count x n) orthonormal by Gram-Schmidt's process, applied twice. Rows that depend on
 * those before become zero. triangle (count x count; NULL: not needed): row j is Σ_i triangle_ij
 * times the new row i. */
void shk_rows_orthonormalize(real *rows, real *triangle, int count, int n);
/* Subtracts from x (n) its part in the span of orthonormal rows. */
void shk_rows_remove(real *x, const real *rows, int count, int n);
real shk_length_of(const real *x, int n);

/* identities_rods.c: points and rods. `size` and `velocity_size` divide residuals of w and r;
 * `noise` is the precision of the states. */
struct shk_status shk_identities_of_rods(struct shk_identities *k, real size, real velocity_size,
                                         real noise);
/* identities_rate.c: the limit of (p1 - p0)/h as h vanishes. */
struct shk_status shk_identities_of_rate(struct shk_identities *k);
/* identities_single.c: how a step with numbers of single precision, of round-off eps, rounds the
 * velocities. Overwrites k->from and k->to. */
struct shk_status shk_identities_of_single(struct shk_identities *k, real eps);

#endif
