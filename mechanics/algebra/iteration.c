/* The stopping rules for iterations. See shakedown/iteration.h for an explanation. */
#include "mechanics/algebra/iteration.h"

#include <shakedown/iteration.h>

#include <stddef.h>

/* Cancelling terms may leave more than the residual's own rounding error. The residual is then
 * accepted if it is at most this multiple of that error, for which the claim to preserve a
 * constraint to round-off still holds. */
#define CANCELLED 262144

void shk_iteration_restart(struct shk_iteration *it, const struct shk_iteration_rule *rule,
                           real rounding)
{
  it->rule = rule;
  it->within = it->tolerance;
  it->rounding = rounding;
  it->cancelled = NULL;
  it->count = 0;
  it->converged = false;
  it->before = it->least = 1 / REAL_SMALLEST;
  it->since_least = 0;
}

void shk_iteration_begin(struct shk_iteration *it, const struct shk_iteration_rule *rule,
                         real rounding)
{
  it->history_count = 0;
  shk_iteration_restart(it, rule, rounding);
}

void shk_iteration_note(struct shk_iteration *it, real residual)
{
  it->history[(unsigned)it->history_count++ % SHK_ITERATION_HISTORY] = (double)residual;
}

/* Returns true if a residual that no longer decreases consists of round-off, either its own or that
 * of cancelling terms. */
static bool is_round_off(const struct shk_iteration *it, real residual)
{
  const real at_rest = it->rule->stops.at_rest;
  if (residual <= at_rest * it->rounding)
    return true;
  return it->cancelled && residual <= CANCELLED * it->rounding &&
         residual <= at_rest * (REAL_EPSILON * it->cancelled(it->user));
}

struct shk_status shk_iteration_decide(struct shk_iteration *it, real residual)
{
  const struct shk_iteration_rule *const rule = it->rule;
  const struct shk_stopping *const stops = &rule->stops;
  const bool is_last = rule->at_limit && it->count >= it->limit;
  if (!real_isfinite(residual))
    return shk_failure(rule->diverged_code != SHK_OK ? rule->diverged_code : SHK_NOT_CONVERGED,
                       rule->diverged, (double)residual, (double)it->limit);
  it->count++;
  if (it->counted) {
    it->converged = it->count > it->limit;
    return shk_ok();
  }
  if (it->within > 0)
    it->converged = residual <= it->within;
  else
    it->converged = residual <= stops->at_once * it->rounding ||
                    (it->count > stops->from && residual >= stops->falls * it->before &&
                     is_round_off(it, residual));
  if (it->converged)
    return shk_ok();
  it->before = residual;
  it->since_least = residual < it->least ? 0 : it->since_least + 1;
  it->least = real_min(it->least, residual);
  if (stops->patience > 0 && it->since_least >= stops->patience)
    return shk_failure(SHK_NOT_CONVERGED, rule->stopped, (double)it->least, (double)it->rounding);
  if (is_last)
    return shk_failure(SHK_NOT_CONVERGED, rule->at_limit, (double)residual, (double)it->limit);
  return shk_ok();
}

struct shk_status shk_iteration_next(struct shk_iteration *it, real residual)
{
  shk_iteration_note(it, residual);
  return shk_iteration_decide(it, residual);
}
