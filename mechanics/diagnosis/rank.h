/*
 * Rank and singular values of the constraint Jacobian: of
 *
 *     B = D⁻¹ G M^(-1/2)      D: the lengths of the rows of G M^(-1/2) (1 for a zero row)
 *
 * where H is separable, of D⁻¹ G where it is not, of D⁻¹ (g_q g_p) where constraints depend on
 * momenta, and of what determines lambda in a general DAE. Along a path D is that of its start: a
 * row that vanishes on the way is then seen to. Forming G M⁻¹ Gᵀ would square them.
 */
#ifndef MECHANICS_DIAGNOSIS_RANK_H
#define MECHANICS_DIAGNOSIS_RANK_H

#include <shakedown/rank.h>

/* L B = diag(sigma) Vᵀ at a point, with sigma ascending in `order`. */
struct shk_spectrum {
  int m, width;   /* of B */
  real *rows;     /* m x width: B */
  real *products; /* m x width: row k is sigma_k v_kᵀ */
  real *left;     /* m x m: row k is the left singular vector u_k */
  real *values;   /* m: sigma_k */
  real *lengths;  /* m: D */
  int *order;     /* m: values[order[0]] is the smallest */
  int rank;       /* values above round-off of the largest, or of 1 */
  real *scratch;  /* m x m, and m x max(m,width) */
};

#define shk_spectrum_init SHK_NAME(shk_spectrum_init)
#define shk_spectrum_clear SHK_NAME(shk_spectrum_clear)
#define shk_spectrum_find SHK_NAME(shk_spectrum_find)
#define shk_rank_width SHK_NAME(shk_rank_width)
#define shk_rank_rows SHK_NAME(shk_rank_rows)
#define shk_rank_relations SHK_NAME(shk_rank_relations)

/* Columns of B. */
int shk_rank_width(const struct shk_system *system);
/* B (m x width by rows). lengths (m): D, as given or else out. `work`: at least as large as B. */
struct shk_status shk_rank_rows(real *B, real *lengths, bool given, real *work,
                                struct shk_evaluator *evaluator, real t, const real *q,
                                const real *p);

/* Memory for systems of the evaluator's kind; SHK_BAD_INPUT beyond SHK_RANK_LIMIT constraints. */
struct shk_status shk_spectrum_init(struct shk_spectrum *spectrum,
                                    const struct shk_evaluator *evaluator);
void shk_spectrum_clear(struct shk_spectrum *spectrum);
/* At a point. `near` (NULL: none): the spectrum at a point nearby, whose D is taken, so that B is a
 * smooth function along a path, and from whose left vectors the rotations start; it may be this one
 * itself. Allocates nothing, but for general DAEs. */
struct shk_status shk_spectrum_find(struct shk_spectrum *spectrum, const struct shk_spectrum *near,
                                    struct shk_evaluator *evaluator, real t, const real *q,
                                    const real *p);

/* Which rows depend on which: going through the rows of G in order, row i depends on the ones
 * before that do not themselves, G_i = Σ_j coefficients_ij G_j (in the metric of B, unscaled), or
 * stands on its own. coefficients (m x m by rows): zeros in the rows that stand on their own;
 * depends (m). */
struct shk_status shk_rank_relations(real *coefficients, bool *depends,
                                     struct shk_evaluator *evaluator, real t, const real *q,
                                     const real *p);

#endif
