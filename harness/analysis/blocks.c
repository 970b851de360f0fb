/*
 * Reports orders, errors, and the cost of reaching a given error, found by comparing q, p and the
 * multipliers with the reference.
 *
 *   order of B, error of B, error of B at T, scd and mescd of q and p at T
 *                             the block B is q, p, lambda, mu, lambda-mean, lambda-sum or
 *                             lambda-state, or, for mechanisms, wrench, wrench-mean or
 *                             wrench-state, to which the claims about multipliers also apply;
 *                             errors are those at the finest step that finished, scaled as in
 *                             curve.c
 *   cpu-seconds at error E, evaluations at error E, step at error E
 *                             if the study names work-precision
 */
#include "harness/analysis/report.h"

#include "foundation/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A motion counts as resolved if a run takes at least this many steps per time scale. */
static const double steps_of_a_scale = 50;

/* Returns the index of the last point that has an error, or 0 if no point has one. */
static int finest_point(const struct shk_curve *curve)
{
  int last = curve->count - 1;
  while (last > 0 && isnan(curve->points[last].error))
    last--;
  return last;
}

/* Some methods define multipliers in their own way, as λ_k = c_k h^s λ_k(t) + O(h). These are the
 * thresholds for recognizing such a definition: the minimum number of samples, the maximum misfit
 * at the finest step, and the maximum deviation of c_k/c_l from a constant and of s from a whole
 * number. */
enum { LEAST_TIMES = 8 };
static const double most_misfit = 0.01, most_spread = 0.1;

/* Finds the power s of h by which the multiples at two steps differ. Returns NaN if s is not a
 * whole number or is not the same for all rows. */
static double power_of_multiples(const struct shk_point *coarse, const struct shk_point *fine)
{
  const double halvings = log(coarse->step / fine->step),
               least = log(coarse->least_multiple / fine->least_multiple) / halvings,
               most = log(coarse->most_multiple / fine->most_multiple) / halvings,
               power = round(least);
  return fabs(least - power) < most_spread && fabs(most - power) < most_spread ? power : NAN;
}

/* Returns a hint if the multipliers converge to a multiple of the correct values, and NULL
 * otherwise. Common mistakes are a wrong sign, and a factor of two that arises when the impulse of
 * a half step is mistaken for that of a whole step. Each row may have a different factor, and the
 * factors of impulses may contain a power of h. If no order is claimed, the hint states that the
 * method uses its own definition or, if the misfit does not decrease, that it has no multipliers.
 * `alone` is true if the method has no second set of multipliers to which these might have to be
 * added. */
static const char *tell_multiple(char *hint, size_t size, const struct shk_curve *curve, bool alone)
{
  const int last = finest_point(curve);
  const struct shk_point *const coarse = &curve->points[0], *const fine = &curve->points[last];
  const char *const own = curve->claimed == SHK_NO_ORDER ? SHK_OWN_DEFINITION : "";
  if (curve->block < SHK_BLOCK_LAMBDA || last == 0 || fine->times < LEAST_TIMES ||
      isnan(coarse->misfit))
    return NULL;
  const double power = power_of_multiples(&curve->points[last - 1], fine),
               unit = pow(fine->step, isnan(power) ? 0 : power),
               least = fine->least_multiple / unit, most = fine->most_multiple / unit;
  const bool falls = fine->misfit <= coarse->misfit * sqrt(fine->step / coarse->step);
  if (!falls && fine->misfit > most_misfit && alone && *own)
    return SHK_NO_MULTIPLIER;
  if (!falls || !(fine->misfit <= most_misfit) || isnan(power) ||
      (power == 0 && fabs(least - 1) <= most_spread && fabs(most - 1) <= most_spread))
    return NULL;
  char times[24] = "";
  if (power != 0)
    snprintf(times, sizeof times, power == 1 ? " h" : " h^%.0f", power);
  if (most - least <= most_misfit * fabs(most))
    snprintf(hint, size, "it tends to %.3g%s times the reference%s", (least + most) / 2, times,
             own);
  else
    snprintf(hint, size,
             "it tends to %.3g to %.3g%s times the reference, depending on the constraint%s", least,
             most, times, own);
  return hint;
}

/* ---- blocks that are zero up to round-off, such as the momenta of a system at rest ---- */

/* Maximum number of time scales over which round-off is assumed to grow like exp(T/τ) when a system
 * starts at an unstable equilibrium. */
static const double growing = 20;

/* Returns true if, at two step sizes, the errors of q or p are at least 10⁶ floors and do not
 * decrease as the claimed order predicts. The floors allow for the growth of round-off near an
 * unstable equilibrium. */
static bool leaves_rest(const struct shk_curve *curve, const struct shk_family *family)
{
  const double growth = exp(fmin(family->until / family->time_scale, growing));
  const struct shk_point *last[2] = {NULL};
  for (int i = 0; i < curve->count; i++) {
    const struct shk_point *const point = &curve->points[i];
    if (!(point->error >= SHK_DOES_NOT_VANISH * growth * point->floor))
      continue;
    last[0] = last[1];
    last[1] = point;
  }
  return curve->block <= SHK_BLOCK_P && curve->claimed >= 1 && last[0] &&
         log(last[0]->error / last[1]->error) <
             log(last[0]->step / last[1]->step) * curve->claimed / 2;
}

/* Reports that the order of a block is undefined because the block is zero. */
static void report_zero(struct shk_reporter *c, const struct shk_curve *curve)
{
  const char *const block = shk_blocks[curve->block].name;
  const struct shk_point *const point = &curve->points[finest_point(curve)];
  const struct shk_fit none = {.determined = false};
  char why[160];
  snprintf(why, sizeof why,
           "%s is zero here up to round-off, so its errors have no order and there is no size to "
           "compare them with",
           block);
  shk_report(c, SHK_QUANTITY_ORDER, block, NAN, NAN);
  shk_finding_verdict(c, &(struct shk_evidence){.kind = SHK_EVIDENCE_ORDER,
                                                .claimed = curve->claimed,
                                                .band = shk_order_band(curve->precision),
                                                .fit = &none,
                                                .meaningless = why});
  if (!leaves_rest(curve, c->family))
    return;
  struct shk_finding *const finding = shk_finding_newest(c);
  finding->verdict = SHK_VERDICT_FALSIFIED;
  free(finding->reason);
  finding->reason =
      shk_print_text("the system is at rest, but the method moves it: at the finest step, %s is "
                     "%.2g times round-off and does not decrease like h^%d",
                     block, point->error / point->floor, curve->claimed);
}

/* Returns true if the method reports lambda but not mu. */
static bool has_lambda_alone(const struct shk_curve *curve)
{
  const struct shk_record *const record = curve->points[finest_point(curve)].record;
  const struct shk_outcome *const outcome = record ? &record->outcome : NULL;
  return curve->block == SHK_BLOCK_LAMBDA && outcome && outcome->sample_count > 0 &&
         !shk_sample_block(&outcome->samples[outcome->sample_count - 1],
                           shk_blocks[SHK_BLOCK_MU].name);
}

void shk_finding_curve(struct shk_reporter *c, const struct shk_curve *curve)
{
  const char *const block = shk_blocks[curve->block].name;
  if (curve->zero) {
    report_zero(c, curve);
    return;
  }
  struct shk_fit fit = curve->fit;
  const bool unclaimed = curve->claimed == SHK_NO_ORDER && curve->block == SHK_BLOCK_Q;
  char hint[128];
  /* If the finest step does not resolve the motion, errors that do not decrease may come from its
   * fast components. The level and the slope are therefore ignored. */
  if (curve->points[finest_point(curve)].step * steps_of_a_scale > c->family->time_scale)
    fit.level = fit.slope = NAN;
  shk_report(c, SHK_QUANTITY_ORDER, block, fit.order, fit.half_width);
  shk_finding_verdict(
      c, &(struct shk_evidence){
             .kind = unclaimed ? SHK_EVIDENCE_CONSISTENCY : SHK_EVIDENCE_ORDER,
             .claimed = unclaimed ? 1 : curve->claimed,
             .band =
                 unclaimed ? shk_bounds[SHK_BOUND_VISIBLE_ERROR] : shk_order_band(curve->precision),
             .fit = &fit,
             .undecidable = shk_family_undecidable(c->family),
             .hint = tell_multiple(hint, sizeof hint, curve, has_lambda_alone(curve))});
  shk_finding_members(c, SHK_QUANTITY_ORDER, block, &curve->member_orders, SHK_OF_EACH, NAN);
}

void shk_keep_curve(struct shk_reporter *c, struct shk_curve *owned)
{
  if (c->keeps)
    *SHK_APPEND(c->analysis->curves, c->analysis->curve_count) = *owned;
  else
    shk_curve_clear(owned);
}

static void report_errors(struct shk_reporter *c, const struct shk_curve *curve)
{
  const char *const block = shk_blocks[curve->block].name;
  const int at = shk_family_finest(c->family);
  if (at < 0 || curve->zero)
    return;
  const struct shk_point *point = &curve->points[at];
  for (int end = 0; end < 2; end++) {
    const double error = end ? point->end_error : point->error;
    if (isnan(error))
      continue;
    struct shk_finding *finding =
        shk_report(c, end ? SHK_QUANTITY_ERROR_AT_END : SHK_QUANTITY_ERROR, block, error,
                   point->reference_error);
    finding->floor = point->floor;
    if (error < 100 * point->reference_error)
      finding->word = shk_copy_text("below reference");
    else if (!end)
      shk_finding_members(c, SHK_QUANTITY_ERROR, block, &point->members, SHK_OF_A_WORST,
                          point->floor);
  }
  /* Report the number of correct digits in each component of the final state, as published tables
   * do. */
  if (point->end_error < 100 * point->reference_error || curve->block > SHK_BLOCK_P)
    return;
  if (isfinite(point->scd))
    shk_report(c, SHK_QUANTITY_SCD, block, point->scd, NAN);
  if (isfinite(point->mescd))
    shk_report(c, SHK_QUANTITY_MESCD, block, point->mescd, NAN);
}

/* Reports the CPU time or the number of evaluations needed to reach this error of q. */
static void report_cost(struct shk_reporter *c, const struct shk_curve *curve, const char *error,
                        bool timed)
{
  const struct shk_least_cost cost =
      shk_least_cost(curve->points, curve->count, strtod(error, NULL), timed);
  if (isnan(cost.best_error))
    return;
  struct shk_finding *const f = shk_report(
      c, timed ? SHK_QUANTITY_COST_SECONDS : SHK_QUANTITY_COST_EVALUATIONS, error, cost.least, NAN);
  if (isnan(cost.least))
    f->reason =
        shk_print_text("no run reached this accuracy: the smallest error is %.2g", cost.best_error);
  else if (cost.bound)
    f->reason = shk_print_text("at most: the coarsest run, %s %g, is more accurate",
                               curve->against_tolerance ? "tolerance" : "step",
                               curve->points[cost.run].step);
  if (!timed && !isnan(cost.least))
    shk_report(c, SHK_QUANTITY_COST_STEP, error, cost.step, NAN)->reason =
        cost.bound ? shk_copy_text("at least: the coarsest run is more accurate") : NULL;
}

static void report_costs(struct shk_reporter *c, const struct shk_curve *curve)
{
  static const char *const errors[] = {"1e-4", "1e-6", "1e-8"};
  for (int timed = 1; timed >= 0; timed--)
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
      report_cost(c, curve, errors[i], timed);
}

/* Returns true for the mean and the sum of lambda and mu, and for the wrenches computed from the
 * mean, if the method has no mu and claims no order for the block. Without mu, the mean is half of
 * lambda and the sum is lambda itself. */
static bool repeats_lambda(const struct shk_family *family, enum shk_block_id block)
{
  const int at = shk_family_finest(family);
  if ((block != SHK_BLOCK_LAMBDA_MEAN && block != SHK_BLOCK_LAMBDA_SUM &&
       block != SHK_BLOCK_WRENCH_MEAN) ||
      at < 0 || shk_curve_claim(family, block) != SHK_NO_ORDER)
    return false;
  const struct shk_outcome *const outcome = &family->records[at]->outcome;
  const int last = outcome->sample_count - 1;
  return outcome->member_count == 0 && last >= 0 &&
         !shk_sample_block(&outcome->samples[last], shk_blocks[SHK_BLOCK_MU].name);
}

/* Reports a claimed order for which there is no curve, together with the reason. */
static void report_without_curve(struct shk_reporter *c, enum shk_block_id block)
{
  const struct shk_family *const family = c->family;
  const struct shk_group_reference *const reference = family->reference;
  const int claimed = shk_curve_claim(family, block);
  if (family->by_tolerance || shk_family_finest(family) < 0 || claimed == SHK_NO_ORDER)
    return;
  const struct shk_fit none = {.determined = false};
  shk_report(c, SHK_QUANTITY_ORDER, shk_blocks[block].name, NAN, NAN);
  shk_finding_verdict(c, &(struct shk_evidence){
                             .kind = SHK_EVIDENCE_ORDER,
                             .claimed = claimed,
                             .band = shk_order_band(family->cell->precision),
                             .fit = &none,
                             .meaningless = reference->record ? "the records contain no such block"
                                                              : reference->why});
  if (reference->failed && !reference->record)
    shk_finding_newest(c)->verdict = SHK_VERDICT_FAILED;
}

static void report_blocks(struct shk_reporter *c)
{
  const bool orders = shk_reporter_wants(c, SHK_BIT(ORDER)),
             errors = shk_reporter_wants(c, SHK_BIT(ERROR) | SHK_BIT(WORK_PRECISION)),
             multipliers = shk_reporter_wants(c, SHK_BIT(MULTIPLIER));
  for (enum shk_block_id block = 0; block < SHK_BLOCK_ENERGY; block++) {
    const bool asked = orders || (multipliers && block >= SHK_BLOCK_LAMBDA);
    struct shk_curve curve;
    if (repeats_lambda(c->family, block) || !shk_curve_make(&curve, c->family, block)) {
      /* Missing wrenches are not reported, because only a few problems have joints. */
      if (asked && block < SHK_BLOCK_WRENCH)
        report_without_curve(c, block);
      continue;
    }
    if (asked)
      shk_finding_curve(c, &curve);
    if (errors || asked)
      report_errors(c, &curve);
    if (block == SHK_BLOCK_Q && !curve.zero && shk_reporter_is_asked(c, SHK_BIT(WORK_PRECISION)))
      report_costs(c, &curve);
    shk_keep_curve(c, &curve);
  }
}

/* Returns true if both findings concern the same block and the same method. */
static bool is_alike(const struct shk_finding *a, const struct shk_finding *b)
{
  return b->named.id == SHK_QUANTITY_ORDER && a->named.block == b->named.block &&
         strcmp(a->integrator, b->integrator) == 0;
}

static bool says_words(const struct shk_finding *f, const char *words)
{
  return f->reason && strstr(f->reason, words);
}

/* Removes a hint that a method defines multipliers in its own way, unless at least two problems
 * support that definition and no problem contradicts it. */
static void report_all(struct shk_reporter *c)
{
  struct shk_finding *const all = c->analysis->findings;
  for (int i = 0; i < c->analysis->finding_count; i++) {
    int problems = 0, against = 0;
    if (all[i].named.id != SHK_QUANTITY_ORDER || !says_words(&all[i], SHK_OWN_DEFINITION))
      continue;
    for (int k = 0; k < c->analysis->finding_count; k++)
      if (is_alike(&all[i], &all[k])) {
        against += says_words(&all[k], SHK_NO_MULTIPLIER);
        problems += says_words(&all[k], SHK_OWN_DEFINITION) &&
                    (k == i || strcmp(all[k].problem, all[i].problem) != 0);
      }
    if (problems < 2 || against > 0) {
      free(all[i].reason);
      all[i].reason = against > 0 ? shk_copy_text(SHK_NO_MULTIPLIER) : NULL;
    }
  }
}

static bool applies_blocks(const struct shk_reporter *c)
{
  return c->keeps || shk_reporter_wants(c, SHK_BIT(ORDER) | SHK_BIT(ERROR) |
                                               SHK_BIT(WORK_PRECISION) | SHK_BIT(MULTIPLIER));
}

const struct shk_finder shk_finder_blocks = {.in = SHK_IN_RUNS,
                                             .applies = applies_blocks,
                                             .parts = SHK_PART_STATES,
                                             .report = report_blocks,
                                             .report_all = report_all};
