/*
 * Rank and singular values of the constraint Jacobian, scaled to
 *
 *     B = D⁻¹ G M^(-1/2)      D: the lengths of the rows of G M^(-1/2) (1 for a zero row)
 *
 * where H is separable, D⁻¹ G where it is not, D⁻¹ (g_q g_p) where constraints depend on momenta,
 * and the matrix that determines lambda in a general DAE. Along a path D is fixed at its start, so
 * that a row that vanishes on the way shows. Forming G M⁻¹ Gᵀ would square the values.
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
  int rank;       /* number of values above round-off relative to max(1, largest) */
  real *scratch;  /* m x m, and m x width, at least m x m */
};

/* The number of columns of B. */
int shk_rank_width(const struct shk_system *system);
/* Fills B (m x width by rows). lengths (m): D, input if `given`, else output. `work`: at least as
 * large as B. */
struct shk_status shk_rank_rows(real *B, real *lengths, bool given, real *scratch,
                                struct shk_evaluator *evaluator, real t, const real *q,
                                const real *p);

/* Allocates the arrays in the evaluator's workspace. SHK_BAD_INPUT beyond SHK_RANK_LIMIT
 * constraints. */
struct shk_status shk_spectrum_init(struct shk_spectrum *spectrum,
                                    const struct shk_evaluator *evaluator);
/* Finds the spectrum. `near` (NULL: none): the spectrum at a nearby point, possibly this struct.
 * Its D is used, so that B is smooth along a path, and the rotations start from its left vectors.
 * Allocates only for general DAEs. */
struct shk_status shk_spectrum_find(struct shk_spectrum *spectrum, const struct shk_spectrum *near,
                                    struct shk_evaluator *evaluator, real t, const real *q,
                                    const real *p);

/* Finds the rows i of G that depend on earlier independent rows, G_i = Σ_j coefficients_ij G_j (in
 * the metric of B, unscaled). depends (m); coefficients (m x m by rows): zeros in independent
 * rows. spectrum: initialized, for work space. */
struct shk_status shk_rank_relations(real *coefficients, bool *depends,
                                     struct shk_spectrum *spectrum, struct shk_evaluator *evaluator,
                                     real t, const real *q, const real *p);

#endif
