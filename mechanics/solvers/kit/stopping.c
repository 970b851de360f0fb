/* The constants of the stopping rules. See stopping.h. */
#include "mechanics/solvers/kit/stopping.h"

#include <shakedown/iteration.h>

/* Sweeps over coupled constraints, and iterations with approximate inverses, do not converge faster
 * if the step size is reduced. */
#define TRY_NEWTON "; the constraints are too strongly coupled for this solver: try solver=newton"
#define TRY_MORE_SWEEPS "; try a higher iteration limit, or solver=newton"

#define POSITION(rule, if_stopped, advice)                                                         \
  {                                                                                                \
    .stops = rule, .diverged = "the iteration for the multipliers diverged" SHK_TRY_SMALLER_STEP,  \
    .stopped =                                                                                     \
        "the multiplier solve stopped improving at a residual of %g (rounding: %g)" if_stopped,    \
    .at_limit = "the multiplier solve reached its iteration limit at a residual of %g (limit "     \
                "%g)" advice                                                                       \
  }

const struct shk_iteration_rule shk_position_rule =
    POSITION(SHK_BY_RESIDUAL, SHK_TRY_SMALLER_STEP, SHK_TRY_SMALLER_STEP);
const struct shk_iteration_rule shk_linear_position_rule =
    POSITION(SHK_BY_SWEEP, SHK_TRY_SMALLER_STEP, SHK_TRY_SMALLER_STEP);
const struct shk_iteration_rule shk_position_sweep_rule =
    POSITION(SHK_BY_SWEEP, TRY_NEWTON, TRY_MORE_SWEEPS);

const struct shk_iteration_rule shk_hidden_rule = {
    .stops = SHK_BY_RESIDUAL,
    .diverged_code = SHK_NOT_FINITE,
    .diverged = "the momenta are not finite",
    .stopped = "the hidden constraint remains at %g (rounding: %g): the constraint matrix is too "
               "ill-conditioned"};

const struct shk_iteration_rule shk_hidden_sweep_rule = {
    .stops = SHK_BY_SWEEP,
    .diverged_code = SHK_NOT_FINITE,
    .diverged = "the momenta are not finite",
    .stopped = "the sweeps over the hidden constraint stopped improving at %g (rounding: "
               "%g)" TRY_NEWTON,
    .at_limit = "the sweeps over the hidden constraint reached their limit at %g (limit "
                "%g)" TRY_MORE_SWEEPS};
