/*
 * Computes the rank and the singular values of the constraint Jacobian, which is scaled to
 *
 *     B = D⁻¹ G M^(-1/2)      D: the lengths of the rows of G M^(-1/2) (1 for a zero row)
 *
 * if H is separable. If H is not separable, B is D⁻¹ G, or D⁻¹ (g_q g_p) if constraints depend on
 * momenta. For a general DAE, B is the matrix that determines lambda. Along a path, D retains its
 * initial value, so that rows that vanish along the way are detected. The matrix G M⁻¹ Gᵀ is not
 * formed, because that would square the singular values.
 */
#ifndef MECHANICS_DIAGNOSIS_RANK_H
#define MECHANICS_DIAGNOSIS_RANK_H

#include <shakedown/solve.h>

/* The decomposition L B = diag(sigma) Vᵀ at a point. `order` contains the indices that sort sigma
 * in ascending order. */
struct shk_spectrum {
  int m, width;   /* of B */
  real *rows;     /* m x width: B */
  real *products; /* m x width: row k is sigma_k v_kᵀ */
  real *left;     /* m x m: row k is the left singular vector u_k */
  real *values;   /* m: sigma_k */
  real *lengths;  /* m: D */
  int *order;     /* m indices: values[order[0]] is the smallest singular value */
  int rank;       /* number of singular values above round-off, relative to max(1, largest) */
  real *scratch;  /* sizes: m x m, and max(m x width, m x m) */
};

/* Returns the number of columns of B. */
int shk_rank_width(const struct shk_system *system);
/* Fills B (m x width, row-major). `lengths` (m) contains D, which is an input if `given` is true
 * and an output otherwise. `work` must be at least as large as B. */
struct shk_status shk_rank_rows(real *B, real *lengths, bool given, real *scratch,
                                struct shk_evaluator *evaluator, real t, const real *q,
                                const real *p);

/* Allocates the arrays in the evaluator's workspace. Returns SHK_BAD_INPUT if there are more than
 * SHK_RANK_LIMIT constraints. */
struct shk_status shk_spectrum_init(struct shk_spectrum *spectrum,
                                    const struct shk_evaluator *evaluator);
/* Finds the spectrum. `near` is NULL or the spectrum at a nearby point, and may be the same struct.
 * Its D is reused, which makes B smooth along a path, and the rotations start from its left
 * vectors. Allocates memory only for general DAEs. */
struct shk_status shk_spectrum_find(struct shk_spectrum *spectrum, const struct shk_spectrum *near,
                                    struct shk_evaluator *evaluator, real t, const real *q,
                                    const real *p);

/* Finds the rows i of G that depend linearly on earlier independent rows, G_i = Σ_j coefficients_ij
 * G_j (in the metric of B, unscaled). `depends` has m entries. `coefficients` is m x m and
 * row-major; its rows are zero for independent rows of G. `spectrum` must be initialized and serves
 * as work space. */
struct shk_status shk_rank_relations(real *coefficients, bool *depends,
                                     struct shk_spectrum *spectrum, struct shk_evaluator *evaluator,
                                     real t, const real *q, const real *p);

#endif
