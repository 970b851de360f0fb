/* The stopping rules of the solves for multipliers (shakedown/iteration.h), by type of
 * convergence. */
#ifndef MECHANICS_SOLVERS_KIT_STOPPING_H
#define MECHANICS_SOLVERS_KIT_STOPPING_H

#include <shakedown/iteration.h>

/* max|g|. Newton's residuals are more than halved until round-off stops them. With linear
 * convergence, a residual has stopped only if it does not fall at all. Sweeps may first move a
 * violation along the constraints. */
extern const struct shk_iteration_rule shk_position_rule, shk_linear_position_rule,
    shk_position_sweep_rule;
/* max|G H_p + g_t|. One solve and its refinement bring it to round-off, or it does not converge. */
extern const struct shk_iteration_rule shk_hidden_rule, shk_hidden_sweep_rule;

#endif
