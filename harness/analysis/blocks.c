/*
 * Findings about q, p and multipliers against the reference: orders, errors, and costs of errors.
 *
 *   order of B, error of B, error of B at T, scd and mescd of q and p at T
 *                             blocks B: q, p, lambda, mu, lambda-mean, lambda-sum, lambda-state,
 *                             and wrench, wrench-mean, wrench-state of mechanisms, which the claims
 *                             about their multipliers cover;
 *                             errors at the finest step that finished, scaled as in curve.c
 *   cpu-seconds at error E, evaluations at error E, step at error E
 *                             if the study names work-precision
 */
#include "harness/analysis/report.h"

#include "foundation/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps per time scale that resolve the motion of a problem. */
static const double steps_of_a_scale = 50;

/* Returns the index of the last point with an error; 0 if there is none. */
static int finest_point(const struct shk_curve *curve)
{
  int last = curve->count - 1;
  while (last > 0 && isnan(curve->points[last].error))
    last--;
  return last;
}

/* Bounds of a definition of multipliers, λ_k = c_k h^s λ_k(t) + O(h): samples, the misfit at the
 * finest step, and how much c_k/c_l and s may differ from a constant and from a whole number. */
enum { LEAST_TIMES = 8 };
static const double most_misfit = 0.01, most_spread = 0.1;

/* Returns the power s of h in the multiples at two steps; NaN if it is no whole number, or not the
 * same in all rows. */
static double power_of_multiples(const struct shk_point *coarse, const struct shk_point *fine)
{
  const double halvings = log(coarse->step / fine->step),
               least = log(coarse->least_multiple / fine->least_multiple) / halvings,
               most = log(coarse->most_multiple / fine->most_multiple) / halvings,
               power = round(least);
  return fabs(least - power) < most_spread && fabs(most - power) < most_spread ? power : NAN;
}

/* Returns a hint if multipliers converge to a multiple of the right value: often one of the other
 * sign, or twice as large, if half a step's impulse is taken for that of a whole step. Rows may
 * have factors of their own, and impulses a power of h. Without a claimed order the hint calls it a
 * definition of the method's own, or says that there is none if the misfit does not fall.
 * `alone`: the method has no other multipliers with which these could be meant to be added. NULL: no
 * hint. */
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

/* ---- blocks that are zero but for round-off, as momenta are at rest ---- */

/* Most time scales over which rounding grows like exp(T/τ) from a rest that is not stable. */
static const double growing = 20;

/* True if errors of q or p are at least 10⁶ floors at two steps, with the growth from an unstable
 * rest, and do not fall as the claimed order says. */
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

/* Reports an order that a block does not have. */
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

/* True if multipliers are only lambda: the method has no mu. */
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
  /* If the finest step does not resolve the motion, errors that stay may belong to its fast part:
   * level and slope are not used. */
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
  /* Digits of the states, component by component, at the end, as in published tables. */
  if (point->end_error < 100 * point->reference_error || curve->block > SHK_BLOCK_P)
    return;
  if (isfinite(point->scd))
    shk_report(c, SHK_QUANTITY_SCD, block, point->scd, NAN);
  if (isfinite(point->mescd))
    shk_report(c, SHK_QUANTITY_MESCD, block, point->mescd, NAN);
}

/* Reports the cost of this error of q, in CPU time or in evaluations. */
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

/* True for the mean and the sum of lambda and mu, and for wrenches by the mean, if the method has
 * no mu, unless it claims their orders: they are half of lambda's, and lambda's own. */
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

/* Reports a claimed order for which there is no curve, with the reason. */
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
      if (asked && block < SHK_BLOCK_WRENCH) /* few problems have joints */
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

/* True if both findings are about the same block of the same method. */
static bool is_alike(const struct shk_finding *a, const struct shk_finding *b)
{
  return b->named.id == SHK_QUANTITY_ORDER && a->named.block == b->named.block &&
         strcmp(a->integrator, b->integrator) == 0;
}

static bool says_words(const struct shk_finding *f, const char *words)
{
  return f->reason && strstr(f->reason, words);
}

/* A definition of its own holds on two problems or more, and none contradicts: other findings lose
 * the hint. */
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
