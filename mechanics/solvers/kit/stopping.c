/* The constants of the stopping rules. See stopping.h. */
#include "mechanics/solvers/kit/stopping.h"

#include <shakedown/iteration.h>

/* Multiple of its rounding up to which a residual that has stopped falling is accepted. */
#define ROUND_OFF 64
/* If cancelling terms leave more of g than its own rounding, it is accepted up to this multiple of
 * the rounding. The claim to preserve a constraint to round-off then still holds. */
#define CANCELLED 262144
/* Number of iterations without a new least residual after which a solve fails. */
#define PATIENCE 6
#define SWEEP_PATIENCE 100

#define POSITION(falls, how_long, if_stopped, at_limit)                                            \
  {                                                                                                \
    .at_once = 1, .falls = ROUND_OFF, .cancelled = CANCELLED, .from = 1, .patience = how_long,     \
    .diverged = "the iteration for the multipliers diverged" SHK_TRY_SMALLER_STEP,                 \
    .stopped =                                                                                     \
        "the multiplier solve stopped improving at a residual of %g (rounding: %g)" if_stopped,    \
    .names_least = true,                                                                           \
    .limit = "the multiplier solve met its limit of iterations at a residual of %g (limit "        \
             "%g)" at_limit                                                                        \
  }

const struct shk_iteration_rule shk_position_rule =
    POSITION(slow, PATIENCE, SHK_TRY_SMALLER_STEP, SHK_TRY_SMALLER_STEP);
const struct shk_iteration_rule shk_linear_position_rule =
    POSITION(stalled, PATIENCE, SHK_TRY_SMALLER_STEP, SHK_TRY_SMALLER_STEP);
const struct shk_iteration_rule shk_approximate_position_rule =
    POSITION(stalled, PATIENCE, SHK_TRY_NEWTON, SHK_TRY_MORE_SWEEPS);
const struct shk_iteration_rule shk_position_sweep_rule =
    POSITION(stalled, SWEEP_PATIENCE, SHK_TRY_NEWTON, SHK_TRY_MORE_SWEEPS);

const struct shk_iteration_rule shk_hidden_rule = {
    .at_once = 1,
    .slow = ROUND_OFF,
    .from = 2,
    .to_round_off = true,
    .renewed = true,
    .diverged_code = SHK_NOT_FINITE,
    .diverged = "the momenta are not finite",
    .stays = "the hidden constraint stays at %g (rounding: %g): the constraint matrix is too "
             "ill-conditioned"};

const struct shk_iteration_rule shk_hidden_sweep_rule = {
    .at_once = 1,
    .stalled = ROUND_OFF,
    .from = 1,
    .to_round_off = true,
    .renewed = true,
    .patience = SWEEP_PATIENCE,
    .diverged_code = SHK_NOT_FINITE,
    .diverged = "the momenta are not finite",
    .stopped = "the sweeps over the hidden constraint stopped improving at %g (rounding: "
               "%g)" SHK_TRY_NEWTON,
    .names_least = true,
    .limit = "the sweeps over the hidden constraint met their limit at %g (limit "
             "%g)" SHK_TRY_MORE_SWEEPS};
