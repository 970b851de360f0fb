/* Distinguishes two losses of rank at a point: redundancy, which holds everywhere, and a singular
 * configuration. */
#ifndef MECHANICS_DIAGNOSIS_GENERIC_RANK_H
#define MECHANICS_DIAGNOSIS_GENERIC_RANK_H

#include "mechanics/diagnosis/floors.h"
#include "mechanics/diagnosis/results.h"

/* Finds the ranks at a consistent point. Returns SHK_BAD_INPUT if there are more than
 * SHK_RANK_LIMIT constraints. `manifold` and `floors` must have the same evaluator. */
struct shk_status shk_generic_rank_find(struct shk_generic_rank *rank,
                                        struct shk_manifold *manifold,
                                        const struct shk_floors *floors, real t, const real *q,
                                        const real *p);

#endif
