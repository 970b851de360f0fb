/*
 * Consistent starts. A start given to fewer digits than a precision has is projected onto the
 * manifold when the problem is bound, to round-off in every precision.
 */
#ifndef PROBLEMS_KIT_CONSISTENT_START_H
#define PROBLEMS_KIT_CONSISTENT_START_H

#include <shakedown/problem.h>

/* Projects (q,p) at instance->initial_time onto the constraints and the hidden (velocity-level)
 * ones of instance->system, which must be complete: q along Gᵀ (M⁻¹Gᵀ where M is constant), p along
 * Gᵀ, the M-orthogonal projection of the velocity. */
struct shk_status shk_make_consistent(struct shk_instance *instance, real *q, real *p);

#endif
