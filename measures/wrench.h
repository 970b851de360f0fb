/* Joint wrenches (shk_joints, problem.h): 6 numbers for each joint, one joint after the other. */
#ifndef MEASURES_WRENCH_H
#define MEASURES_WRENCH_H

#include <shakedown/parts/problem.h>

/* The axes along which components are given: the spatial axes, or those of each joint's own
 * frame. */
enum shk_wrench_axes { SHK_AXES_OF_SPACE, SHK_AXES_OF_JOINTS };

/* Stores the wrenches in all joints that lambda (m) causes at a point. */
struct shk_status shk_wrenches(real *wrenches, const struct shk_instance *instance,
                               enum shk_wrench_axes along, real t, const real *q,
                               const real *lambda);
/* Marks the components that G leaves indeterminate, using the relations between its rows at that
 * point (shk_rank_relations). `scratch` has space for m numbers and 6 more for each joint. */
struct shk_status shk_wrenches_open(bool *open, real *scratch, const struct shk_instance *instance,
                                    enum shk_wrench_axes along, const real *coefficients,
                                    const bool *depends, real t, const real *q);

#endif
