/* Wrenches of joints (shk_joints, problem.h): 6 numbers for each joint, one joint after the
 * other. */
#ifndef MEASURES_WRENCH_H
#define MEASURES_WRENCH_H

#include <shakedown/parts/problem.h>

/* The axes along which components are: those of space, or of each joint's own frame. */
enum shk_wrench_axes { SHK_AXES_OF_SPACE, SHK_AXES_OF_JOINTS };

/* Stores the wrenches of all joints that lambda (m) causes at a point. */
struct shk_status shk_wrenches(real *wrenches, const struct shk_instance *instance,
                               enum shk_wrench_axes along, real t, const real *q,
                               const real *lambda);
/* Marks the components that G leaves open, using the relations of its rows at that point
 * (shk_rank_relations). `scratch` has m numbers and 6 for each joint. */
struct shk_status shk_wrenches_open(bool *open, real *scratch, const struct shk_instance *instance,
                                    enum shk_wrench_axes along, const real *coefficients,
                                    const bool *depends, real t, const real *q);

#endif
