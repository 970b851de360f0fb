/* The stopping rules for the multiplier solves, listed by type of convergence. See
 * shakedown/iteration.h. */
#ifndef MECHANICS_SOLVERS_KIT_STOPPING_H
#define MECHANICS_SOLVERS_KIT_STOPPING_H

#include <shakedown/iteration.h>

/* Rules for max|g|. The first is for Newton's method, where each iteration more than halves the
 * residual until it reaches round-off. The second is for linear convergence, where a residual
 * counts as stopped only if it does not decrease at all. Except with an approximate inverse,
 * convergence is faster at smaller steps. The third is for sweeps, which may initially only pass a
 * violation from one constraint to the next. */
extern const struct shk_iteration_rule shk_position_rule, shk_linear_position_rule,
    shk_position_sweep_rule;
/* Rules for max|G H_p + g_t|. The first is for direct solves, which either reach round-off after
 * one refinement or fail. The second is for sweeps. */
extern const struct shk_iteration_rule shk_hidden_rule, shk_hidden_sweep_rule;

#endif
