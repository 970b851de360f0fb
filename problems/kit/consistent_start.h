/*
 * Starts given to fewer digits than a precision has are made consistent when the problem is bound,
 * so that they are on the manifold to round-off in every precision.
 */
#ifndef PROBLEMS_KIT_CONSISTENT_START_H
#define PROBLEMS_KIT_CONSISTENT_START_H

#include <shakedown/problem.h>

/* Brings (q,p) at instance->initial_time onto the constraints and the hidden ones of
 * instance->system, which is finished: q along Gᵀ (M⁻¹Gᵀ where M is constant), p along Gᵀ, the
 * M-orthogonal projection of the velocity. */
#define shk_make_consistent SHK_NAME(shk_make_consistent)
struct shk_status shk_make_consistent(struct shk_instance *instance, real *q, real *p);

#endif
