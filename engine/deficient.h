/* Starts at which the constraints lose rank, be they redundant or singular there. */
#ifndef ENGINE_DEFICIENT_H
#define ENGINE_DEFICIENT_H

#include "engine/bound.h"

/* Where the last factorization on the manifold met a singular matrix: determines the ranks at the
 * start and near it, into bound->ranks and, where they are clear, into both evaluators for solves
 * off the constraints. Beyond SHK_RANK_LIMIT constraints it does nothing and returns ok. */
struct shk_status shk_deficient_find(struct shk_bound *bound);

/* Whether the bound method can start here, by one step that is discarded; ok where the ranks are
 * not deficient, or not clear. SHK_REFUSED with the reason. *tried: the step was made, and the
 * method must be bound again. */
enum shk_code shk_deficient_try(struct shk_bound *bound, bool *tried, struct shk_message *error);

#endif
