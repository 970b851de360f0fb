/* The stopping rules of the solves for multipliers (shakedown/iteration.h), by type of
 * convergence. */
#ifndef MECHANICS_SOLVERS_KIT_STOPPING_H
#define MECHANICS_SOLVERS_KIT_STOPPING_H

#include <shakedown/iteration.h>

/* Rules for max|g|: of Newton's method, whose residuals are more than halved until round-off stops
 * them; of linear convergence, where a residual has stopped only if it does not fall at all, at a
 * rate that falls with the step or, with an approximate inverse, does not; and of sweeps, which may
 * first move a violation along the constraints. */
extern const struct shk_iteration_rule shk_position_rule, shk_linear_position_rule,
    shk_position_sweep_rule;
/* Rules for max|G H_p + g_t|: of a direct solve, which brings it to round-off with one refinement
 * or fails; and of sweeps. */
extern const struct shk_iteration_rule shk_hidden_rule, shk_hidden_sweep_rule;

#endif
