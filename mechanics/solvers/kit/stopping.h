/* When the solves for multipliers end (shakedown/iteration.h), by how they converge. */
#ifndef MECHANICS_SOLVERS_KIT_STOPPING_H
#define MECHANICS_SOLVERS_KIT_STOPPING_H

#include <shakedown/iteration.h>

/* max|g|: Newton's residuals are more than halved until round-off stops them; with linear
 * convergence only one that does not fall at all has stopped; sweeps may pass a violation on along
 * the constraints before it falls. */
extern const struct shk_iteration_rule shk_position_rule, shk_linear_position_rule,
    shk_position_sweep_rule;
/* max|G H_p + g_t|, which one solve and its refinement bring to round-off, or nothing does. */
extern const struct shk_iteration_rule shk_hidden_rule, shk_hidden_sweep_rule;

#endif
