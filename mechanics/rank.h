/* Rank and singular values of the constraint Jacobian. */
#ifndef MECHANICS_RANK_H
#define MECHANICS_RANK_H

#include <shakedown/system.h>

/* Largest number of constraints for which singular values are computed. */
#define SHK_RANK_LIMIT 400

#define shk_singular_values SHK_NAME(shk_singular_values)

/* Singular values (m, descending) of G M^(-1/2) with rows scaled to length one (general systems:
 * of G), at q; of constraints g(q,p), of (g_q g_p) at (q,p). Forming G M⁻¹ Gᵀ would square them. A
 * zero row stays zero. */
struct shk_status shk_singular_values(real *values, struct shk_evaluator *evaluator, real t,
                                      const real *q, const real *p);

#endif
