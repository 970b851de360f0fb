/* What rounding leaves of g at the end of a position solve, over epsilon: the unit in which a solve
 * to round-off measures its residual. */
#ifndef MECHANICS_SOLVERS_ROUNDING_H
#define MECHANICS_SOLVERS_ROUNDING_H

#include <shakedown/solve.h>

#define shk_position_rounding SHK_NAME(shk_position_rounding)
#define shk_cancelled_position SHK_NAME(shk_cancelled_position)

/* Of the positions. */
real shk_position_rounding(const struct shk_evaluator *e, const struct shk_position_solve *task);
/* Of the terms of Gᵀlambda, at the lambda of the task; terms (n): scratch. */
real shk_cancelled_position(const struct shk_evaluator *e, const struct shk_position_solve *task,
                            real *terms);

#endif
