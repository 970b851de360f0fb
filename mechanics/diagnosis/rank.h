/*
 * Rank and singular values of the constraint Jacobian: of
 *
 *     B = D⁻¹ G M^(-1/2)      D: the lengths of the rows of G M^(-1/2) (1 for a zero row)
 *
 * where H is separable, of D⁻¹ G where it is not, of D⁻¹ (g_q g_p) where constraints depend on
 * momenta, and of the matrix that determines lambda in a general DAE. Along a path D is that of its
 * start, so that a row that vanishes on the way shows. Forming G M⁻¹ Gᵀ would square the values.
 */
#ifndef MECHANICS_DIAGNOSIS_RANK_H
#define MECHANICS_DIAGNOSIS_RANK_H

#include <shakedown/solve.h>

/* L B = diag(sigma) Vᵀ at a point, with sigma ascending in `order`. */
struct shk_spectrum {
  int m, width;   /* of B */
  real *rows;     /* m x width: B */
  real *products; /* m x width: row k is sigma_k v_kᵀ */
  real *left;     /* m x m: row k is the left singular vector u_k */
  real *values;   /* m: sigma_k */
  real *lengths;  /* m: D */
  int *order;     /* m: values[order[0]] is the smallest */
  int rank;       /* number of values above the round-off of the largest, or of 1 */
  real *scratch;  /* m x m, and m x width, at least m x m */
};

/* Columns of B. */
int shk_rank_width(const struct shk_system *system);
/* B (m x width by rows). lengths (m): D, in if `given`, else out. `work`: at least as large as
 * B. */
struct shk_status shk_rank_rows(real *B, real *lengths, bool given, real *work,
                                struct shk_evaluator *evaluator, real t, const real *q,
                                const real *p);

/* Takes arrays of the evaluator's workspace; SHK_BAD_INPUT beyond SHK_RANK_LIMIT constraints. */
struct shk_status shk_spectrum_init(struct shk_spectrum *spectrum,
                                    const struct shk_evaluator *evaluator);
/* At a point. `near` (NULL: none): the spectrum at a nearby point, which may be this one itself:
 * its D is used, so that B is smooth along a path, and the rotations start from its left vectors.
 * Allocates only for general DAEs. */
struct shk_status shk_spectrum_find(struct shk_spectrum *spectrum, const struct shk_spectrum *near,
                                    struct shk_evaluator *evaluator, real t, const real *q,
                                    const real *p);

/* Which rows depend on which: in order, row i of G either depends on the independent rows before
 * it, G_i = Σ_j coefficients_ij G_j (in the metric of B, unscaled), or is independent. coefficients
 * (m x m by rows): zeros in independent rows; depends (m). */
struct shk_status shk_rank_relations(real *coefficients, bool *depends,
                                     struct shk_evaluator *evaluator, real t, const real *q,
                                     const real *p);

#endif
