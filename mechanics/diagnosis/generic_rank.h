/* Distinguishes two losses of rank at a point: redundancy, which holds everywhere, and a singular
 * configuration. */
#ifndef MECHANICS_DIAGNOSIS_GENERIC_RANK_H
#define MECHANICS_DIAGNOSIS_GENERIC_RANK_H

#include <shakedown/solve.h>

struct shk_generic_rank {
  int here; /* rank of B (rank.h) at the point */
  int near; /* the largest at nearby consistent points, 1e-3 and 1e-5 of the size of (q,p) away; -1:
               none was found */
  bool sure; /* every singular value is round-off or well above it */
  /* The constraints have no other exact solutions nearby: the points found have a larger rank only
   * because they are slightly off. Example: four points in a plane whose six distances allow no
   * other arrangement. */
  bool degenerate;
};

/* At a consistent point; at most SHK_RANK_LIMIT constraints. `manifold` belongs to `evaluator`. */
struct shk_status shk_generic_rank_find(struct shk_generic_rank *rank,
                                        struct shk_manifold *manifold,
                                        struct shk_evaluator *evaluator, real t, const real *q,
                                        const real *p);

#endif
