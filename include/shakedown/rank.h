/* The singular values of the constraint Jacobian, its rows scaled to length one, in the metric of
 * the masses. */
#ifndef SHAKEDOWN_RANK_H
#define SHAKEDOWN_RANK_H

#include <shakedown/system.h>

/* Largest number of constraints for which singular values are computed. */
#define SHK_RANK_LIMIT 400

#define shk_rank_tolerance SHK_NAME(shk_rank_tolerance)
#define shk_singular_values SHK_NAME(shk_singular_values)

/* Below this, relative to the largest, a singular value is round-off. */
real shk_rank_tolerance(const struct shk_system *system);
/* Singular values (m, descending). A zero row of G stays zero. */
struct shk_status shk_singular_values(real *values, struct shk_evaluator *evaluator, real t,
                                      const real *q, const real *p);

#endif
