/*
 * Starts that are given to fewer digits than a precision has: made consistent when the problem is
 * made, so that its start is on the manifold to round-off in every precision.
 */
#ifndef PROBLEMS_KIT_CONSISTENT_START_H
#define PROBLEMS_KIT_CONSISTENT_START_H

#include <shakedown/problem.h>

/* Brings (q,p) at instance->initial_time onto the constraints and the hidden ones of
 * instance->system, which is finished: q along Gᵀ (M⁻¹Gᵀ where M is constant), p along Gᵀ, which is
 * the projection of the velocity that is orthogonal in the metric of M. */
#define shk_make_consistent SHK_NAME(shk_make_consistent)
struct shk_status shk_make_consistent(struct shk_instance *instance, real *q, real *p);

#endif
