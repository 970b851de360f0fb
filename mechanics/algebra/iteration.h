/* Additions to shakedown/iteration.h that methods do not need. */
#ifndef MECHANICS_ALGEBRA_ITERATION_H
#define MECHANICS_ALGEBRA_ITERATION_H

#include <shakedown/iteration.h>

/* The rule for iterations that run until their residual is round-off, such as projections. They
 * continue slightly longer than other iterations, and all of their failures report the same
 * reason. */
#define SHK_TO_ROUND_OFF(reason)                                                                   \
  {                                                                                                \
    .stops = {R(0.25), 64, R(0.5), 1, 0}, .diverged = reason, .at_limit = reason                   \
  }

/* The two halves of shk_iteration_next. The first records the residual, and the second determines
 * whether the iteration is finished. */
void shk_iteration_note(struct shk_iteration *iteration, real residual);
struct shk_status shk_iteration_decide(struct shk_iteration *iteration, real residual);

#endif
