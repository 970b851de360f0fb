/* Computes joint wrenches (shk_joints, problem.h). The wrench of each joint consists of 6 numbers,
 * stored after those of the previous joint. */
#ifndef MEASURES_WRENCH_H
#define MEASURES_WRENCH_H

#include <shakedown/parts/problem.h>

/* The axes along which components are given: the spatial axes, or the axes of each joint's own
 * frame. */
enum shk_wrench_axes { SHK_AXES_OF_SPACE, SHK_AXES_OF_JOINTS };

/* Stores the wrenches that lambda (m) causes in all joints at a point. */
struct shk_status shk_wrenches(real *wrenches, const struct shk_instance *instance,
                               enum shk_wrench_axes along, real t, const real *q,
                               const real *lambda);
/* Marks the components that G leaves indeterminate, using the relations between the rows of G at
 * that point (shk_rank_relations). `scratch` must have space for m numbers, plus 6 per joint. */
struct shk_status shk_wrenches_open(bool *open, real *scratch, const struct shk_instance *instance,
                                    enum shk_wrench_axes along, const real *coefficients,
                                    const bool *depends, real t, const real *q);

#endif
