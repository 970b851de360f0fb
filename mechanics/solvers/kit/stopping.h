/* The stopping rules of the solves for multipliers (shakedown/iteration.h), by type of
 * convergence. */
#ifndef MECHANICS_SOLVERS_KIT_STOPPING_H
#define MECHANICS_SOLVERS_KIT_STOPPING_H

#include <shakedown/iteration.h>

/* Rules for max|g|. The first is for Newton's method, in which each iteration more than halves the
 * residual until it reaches round-off. The second is for linear convergence, in which a residual
 * has stopped only if it does not decrease at all. The rate of convergence improves with smaller
 * steps, except with an approximate inverse. The third is for sweeps, which may at first only move
 * a violation along the constraints. */
extern const struct shk_iteration_rule shk_position_rule, shk_linear_position_rule,
    shk_position_sweep_rule;
/* Rules for max|G H_p + g_t|. The first is for direct solves, which either reach round-off with one
 * refinement or fail. The second is for sweeps. */
extern const struct shk_iteration_rule shk_hidden_rule, shk_hidden_sweep_rule;

#endif
