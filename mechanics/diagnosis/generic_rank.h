/* Distinguishes two reasons why the rank can be deficient at a point: redundant constraints, which
 * lower the rank everywhere, and a singular configuration. */
#ifndef MECHANICS_DIAGNOSIS_GENERIC_RANK_H
#define MECHANICS_DIAGNOSIS_GENERIC_RANK_H

#include "mechanics/diagnosis/floors.h"
#include "mechanics/diagnosis/results.h"

/* Finds the ranks at and near a consistent point. Returns SHK_BAD_INPUT if there are more than
 * SHK_RANK_LIMIT constraints. `manifold` and `floors` must share the same evaluator. */
struct shk_status shk_generic_rank_find(struct shk_generic_rank *rank,
                                        struct shk_manifold *manifold,
                                        const struct shk_floors *floors, real t, const real *q,
                                        const real *p);

#endif
