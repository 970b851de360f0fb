/* The end of an iteration; shakedown/iteration.h has the rule. */
#include <shakedown/iteration.h>

#include <stddef.h>

void shk_iteration_restart(struct shk_iteration *it, const struct shk_iteration_rule *rule,
                           real rounding)
{
  it->rule = rule;
  it->estimate = NULL;
  it->rounding = rounding;
  it->count = 0;
  it->converged = false;
  it->before = it->least = 0;
  it->since_least = 0;
}

void shk_iteration_begin(struct shk_iteration *it, const struct shk_iteration_rule *rule,
                         real rounding)
{
  it->history_count = 0;
  shk_iteration_restart(it, rule, rounding);
}

void shk_iteration_begin_estimated(struct shk_iteration *it, const struct shk_iteration_rule *rule,
                                   shk_iteration_rounding *estimate, void *user)
{
  shk_iteration_begin(it, rule, 0);
  it->estimate = estimate;
  it->user = user;
}

static inline void note(struct shk_iteration *it, real residual)
{
  it->history[(unsigned)it->history_count++ % SHK_ITERATION_HISTORY] = (double)residual;
}

void shk_iteration_note(struct shk_iteration *it, real residual)
{
  note(it, residual);
}

void shk_iteration_pass(struct shk_iteration *it, real residual)
{
  shk_iteration_note(it, residual);
  it->before = residual;
  it->count++;
}

int shk_iteration_history(const struct shk_iteration *it, double *residuals, int limit)
{
  int count = it->history_count < SHK_ITERATION_HISTORY ? it->history_count : SHK_ITERATION_HISTORY;
  if (count > limit)
    count = limit;
  for (int i = 0; i < count; i++)
    residuals[i] = it->history[(it->history_count - count + i) % SHK_ITERATION_HISTORY];
  return count;
}

/* Raises the rounding to its present estimate. */
static void estimate(struct shk_iteration *it, bool cancelled)
{
  const real rounding = REAL_EPSILON * it->estimate(it->user, cancelled);
  it->rounding = real_max(it->rounding, rounding);
}

/* Returns the earlier residual with which the present one is compared. */
static real compared(const struct shk_iteration *it)
{
  return it->rule->least ? it->least : it->before;
}

/* True if a residual has stopped falling and is within the present rounding. */
static bool is_within(const struct shk_iteration *it, real residual)
{
  const struct shk_iteration_rule *rule = it->rule;
  return (residual >= compared(it) / 2 && residual <= rule->slow * it->rounding) ||
         (residual >= compared(it) && residual <= rule->stalled * it->rounding);
}

/* The same from iterate `from` on; if the residual may have stopped falling, also with the rounding
 * of cancelling terms. */
static bool is_round_off(struct shk_iteration *it, real residual)
{
  const struct shk_iteration_rule *rule = it->rule;
  if (it->count < rule->from)
    return false;
  if (is_within(it, residual))
    return true;
  if (!it->estimate || residual < compared(it) / (rule->slow > 0 ? 2 : 1) ||
      (rule->cancelled > 0 && residual > rule->cancelled * it->rounding))
    return false;
  estimate(it, true);
  return is_within(it, residual);
}

static struct shk_status give_up(const char *reason, real value, real limit)
{
  return shk_failure(SHK_NOT_CONVERGED, reason, (double)value, (double)limit);
}

/* Fails if the residual no longer improves, or at the limit of iterations. */
static struct shk_status check_progress(struct shk_iteration *it, real residual)
{
  const struct shk_iteration_rule *rule = it->rule;
  if (it->count == 0 || residual < (rule->clearly ? it->least / 2 : it->least)) {
    it->least = residual;
    it->since_least = 0;
  } else if (++it->since_least >= rule->patience && rule->stopped) {
    if (!rule->names_least)
      return give_up(rule->stopped, residual, (real)it->limit);
    if (it->estimate)
      estimate(it, false);
    return give_up(rule->stopped, it->least, it->rounding);
  }
  if (rule->limit && it->count + rule->corrections >= it->limit)
    return give_up(rule->limit, residual, (real)it->limit);
  return shk_ok();
}

/* Sets `converged` if the residual has stopped falling within its rounding. */
static struct shk_status look_at_rounding(struct shk_iteration *it, real residual)
{
  const struct shk_iteration_rule *rule = it->rule;
  const real rounding = it->rounding;
  it->converged = is_round_off(it, residual);
  if (it->converged)
    return shk_ok();
  if (rule->stays && it->count >= rule->from && residual >= compared(it) / 2)
    return give_up(rule->stays, residual, it->rounding);
  it->rounding = rounding;
  return shk_ok();
}

/* Decides on a residual that is not accepted at once. */
static struct shk_status ask(struct shk_iteration *it, real residual, bool by_tolerance)
{
  const struct shk_iteration_rule *rule = it->rule;
  if (!real_isfinite(residual))
    return shk_failure(rule->diverged_code != SHK_OK ? rule->diverged_code : SHK_NOT_CONVERGED,
                       rule->diverged, (double)residual, (double)it->limit);
  if (!by_tolerance)
    SHK_TRY(look_at_rounding(it, residual));
  if (it->converged)
    return shk_ok();
  SHK_TRY(check_progress(it, residual));
  it->before = residual;
  it->count++;
  return shk_ok();
}

/* True if a residual above the bound needs no more checks: it is the first, or less than half of
 * every earlier one, and the limit is not reached. Full checks take a noticeable part of a step. */
static inline bool just_falls(const struct shk_iteration *it, real residual)
{
  const struct shk_iteration_rule *rule = it->rule;
  const bool falls = it->count > 0 ? residual < real_min(it->before, it->least) / 2
                                   : rule->from > 0 && real_isfinite(residual);
  return falls && it->count + rule->corrections < it->limit;
}

/* For a fixed number of iterations: accepts the result at the limit, if it is finite. */
static struct shk_status count(struct shk_iteration *it, real residual)
{
  if (!real_isfinite(residual))
    return ask(it, residual, true);
  it->converged = it->count++ >= it->limit;
  return shk_ok();
}

/* Decides on a residual above the bound for acceptance at once. */
static struct shk_status decide_above(struct shk_iteration *it, real residual, bool by_tolerance)
{
  if (!just_falls(it, residual))
    return ask(it, residual, by_tolerance);
  it->least = it->before = residual;
  it->since_least = 0;
  it->count++;
  return shk_ok();
}

/* Decides on a residual after raising the rounding to its estimate. */
static struct shk_status decide_by_estimate(struct shk_iteration *it, real residual)
{
  estimate(it, false);
  it->converged = residual <= it->rule->at_once * it->rounding;
  return it->converged ? shk_ok() : decide_above(it, residual, false);
}

static inline struct shk_status decide(struct shk_iteration *it, real residual)
{
  const struct shk_iteration_rule *rule = it->rule;
  if (it->counted)
    return count(it, residual);
  const bool by_tolerance = it->tolerance > 0 && !rule->to_round_off;
  it->converged = residual <= (by_tolerance ? it->tolerance : rule->at_once * it->rounding);
  if (it->converged)
    return shk_ok();
  if (!by_tolerance && it->estimate && (it->count == 0 || rule->renewed))
    return decide_by_estimate(it, residual);
  return decide_above(it, residual, by_tolerance);
}

struct shk_status shk_iteration_decide(struct shk_iteration *it, real residual)
{
  return decide(it, residual);
}

struct shk_status shk_iteration_next(struct shk_iteration *it, real residual)
{
  note(it, residual);
  return decide(it, residual);
}
