/* Starts at which the constraints lose rank, be they redundant or singular there. */
#ifndef ENGINE_DEFICIENT_H
#define ENGINE_DEFICIENT_H

#include "engine/bound.h"

#define shk_deficient_find SHK_NAME(shk_deficient_find)
#define shk_deficient_try SHK_NAME(shk_deficient_try)

/* Where the last factorization on the manifold met a singular matrix: ranks at the start and near
 * it, into bound->ranks, and where they are known without doubt into both evaluators, for solves
 * off the constraints to go by. ok, and nothing, beyond SHK_RANK_LIMIT constraints. */
struct shk_status shk_deficient_find(struct shk_bound *bound);

/* Whether the method that is bound takes the start, by one step that is thrown away; ok where the
 * ranks are not deficient, or not without doubt. SHK_REFUSED with what is the matter. *tried: the
 * step was made, and the method must be bound anew. */
enum shk_code shk_deficient_try(struct shk_bound *bound, bool *tried, struct shk_message *error);

#endif
