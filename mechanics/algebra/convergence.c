/* When an iteration for multipliers ends; judge.h has the rule. */
#include "mechanics/algebra/convergence.h"

void shk_judge_begin(struct shk_judge *judge, shk_judge_rounding *estimate, void *user)
{
  judge->estimate = estimate;
  judge->user = user;
  judge->iteration = 0;
  judge->rounding = judge->before = judge->least = 0;
  judge->since_least = 0;
  judge->history_count = 0;
}

void shk_judge_remember(struct shk_judge *judge, real residual)
{
  judge->history[judge->history_count++ % SHK_JUDGE_HISTORY] = (double)residual;
}

int shk_judge_history(const struct shk_judge *judge, double *residuals, int limit)
{
  int count = judge->history_count < SHK_JUDGE_HISTORY ? judge->history_count : SHK_JUDGE_HISTORY;
  if (count > limit)
    count = limit;
  for (int i = 0; i < count; i++)
    residuals[i] = judge->history[(judge->history_count - count + i) % SHK_JUDGE_HISTORY];
  return count;
}

static enum shk_verdict give_up(struct shk_judge *judge, struct shk_status status)
{
  judge->status = status;
  return SHK_GIVEN_UP;
}

/* Raises the rounding to what is estimated now. */
static void estimate(struct shk_judge *judge, bool cancelled)
{
  const real rounding = REAL_EPSILON * judge->estimate(judge->user, cancelled);
  judge->rounding = real_max(judge->rounding, rounding);
}

/* Whether a residual that has stopped falling is round-off. */
static bool is_round_off(struct shk_judge *judge, real residual)
{
  if (residual > SHK_STAGNATION_FACTOR * judge->rounding)
    estimate(judge, true);
  return residual <= SHK_STAGNATION_FACTOR * judge->rounding;
}

void shk_judge_pass(struct shk_judge *judge, real residual)
{
  shk_judge_remember(judge, residual);
  judge->before = residual;
  judge->iteration++;
}

enum shk_verdict shk_judge_position(struct shk_judge *judge, real residual)
{
  const bool first = judge->iteration == 0;
  if (!real_isfinite(residual))
    return give_up(
        judge, shk_failure(SHK_NOT_CONVERGED, "the iteration for the multipliers diverged", 0, 0));
  if (judge->tolerance > 0) {
    if (residual <= judge->tolerance)
      return SHK_SOLVED;
  } else {
    if (first)
      estimate(judge, false);
    const bool stagnates =
        !first && residual >= (judge->linear_rate ? judge->before : judge->before / 2);
    const real rounding = judge->rounding;
    if (residual <= rounding ||
        (stagnates && residual <= SHK_CANCELLED_FACTOR * rounding && is_round_off(judge, residual)))
      return SHK_SOLVED;
    judge->rounding = rounding;
  }
  if (first || residual < judge->least) {
    judge->least = residual;
    judge->since_least = 0;
  } else if (++judge->since_least >= judge->patience) {
    estimate(judge, false);
    return give_up(judge,
                   shk_failure(SHK_NOT_CONVERGED,
                               "the multiplier solve stopped improving at max|g| = %g (rounding: "
                               "%g)",
                               (double)judge->least, (double)judge->rounding));
  }
  if (judge->iteration >= judge->limit)
    return give_up(judge, shk_failure(SHK_NOT_CONVERGED,
                                      "the multiplier solve met its limit of iterations at max|g| "
                                      "= %g (limit %g)",
                                      (double)residual, (double)judge->limit));
  judge->before = residual;
  judge->iteration++;
  return SHK_GO_ON;
}

enum shk_verdict shk_judge_hidden(struct shk_judge *judge, real residual)
{
  estimate(judge, false);
  if (!real_isfinite(residual))
    return give_up(judge, shk_failure(SHK_NOT_FINITE, "the momenta are not finite", 0, 0));
  if (residual <= judge->rounding)
    return SHK_SOLVED;
  if (judge->iteration > 1 && residual >= judge->before / 2)
    return is_round_off(judge, residual)
               ? SHK_SOLVED
               : give_up(judge, shk_failure(SHK_NOT_CONVERGED,
                                            "the hidden constraint stays at %g (rounding: %g): the "
                                            "constraint matrix is too ill-conditioned",
                                            (double)residual, (double)judge->rounding));
  judge->before = residual;
  judge->iteration++;
  return SHK_GO_ON;
}
