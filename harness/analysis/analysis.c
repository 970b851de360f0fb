/*
 * From records to findings about each family of cells, in the order of the plan.
 *
 * Quantities, where the measures of the study's runs ask for them:
 *   status                    cells that were refused, failed or have not been run
 *   outcome at step H, outcome error at step H
 *                             what became of a cell where the study states thresholds (singular.h);
 *                             one that stopped is then an outcome and no failure
 *   order of B, error of B, error of B at T, scd and mescd of q and p at T
 *                             blocks B: q, p, lambda, mu, lambda-mean, lambda-sum, lambda-state;
 *                             errors at the finest step that finished, scaled as in curve.c
 *   order of energy           scaling of max |H - H(0)| with the step
 *   energy max, energy slope, energy class
 *   constraint max, hidden max, invariant NAME max
 *                             the worst over the steps
 *   work-…, cpu-seconds       at the finest step
 *   cpu-seconds at error E, evaluations at error E
 *                             where work-precision is asked for by name (statistics/cost.h)
 *   …, mean of lanes; …, least of lanes; …, largest of lanes; …, worst lane
 *                             after each of these, at the finest step, where cells have members:
 *                             the value itself is then that of the worst member, an order's that of
 *                             the worst errors, a slope's the mean (member_findings.h, ensemble.h)
 *   round-off growth exponent, round-off growth class
 *                             over ten or more starts of a problem run in double and in quad
 *   what cells of kinds of their own measure, after all others (defects.h, conduct.h, crossings.h)
 *
 * Floors of what is claimed to vanish, with q, p the largest max norms of the run and τ the time
 * scale: constraints eps·max(1,|q|); hidden constraints, their rate, the same times max(1,1/τ);
 * momenta eps·(1+sqrt(steps))·max(1,|q||p|), a random walk of roundings. Invariants that are no
 * momenta (their name says it) are reported without a verdict: no claim covers them.
 */
#include "harness/analysis/analysis.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/specifications/claims.h"
#include "harness/analysis/conduct.h"
#include "harness/analysis/crossings.h"
#include "harness/analysis/curve.h"
#include "harness/analysis/defects.h"
#include "harness/analysis/family.h"
#include "harness/analysis/findings.h"
#include "harness/analysis/member_findings.h"
#include "harness/analysis/singular.h"
#include "harness/analysis/starts.h"
#include "harness/analysis/statistics/cost.h"
#include "harness/analysis/statistics/drift.h"
#include "harness/analysis/verdict.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct context {
  const struct shk_study *study;
  const struct shk_plan *plan;
  const struct shk_analysis_source *source;
  struct shk_analysis *analysis;
  struct shk_findings findings;
  bool curves; /* kept for figures */
};

/* The run of the study that a cell of the family belongs to; NULL if there is none. */
static const struct shk_study_run *run_of(const struct context *c, const struct shk_family *family,
                                          int i)
{
  const int index = c->plan->cells[family->cells[i]].run;
  return c->study && index >= 0 && index < c->study->run_count ? &c->study->runs[index] : NULL;
}

/* Whether a run that the family's cells belong to asks for a measure (or names none, which means
 * all). */
static bool wanted(const struct context *c, const struct shk_family *family,
                   enum shk_measure_id measure)
{
  for (int i = 0; i < family->count; i++) {
    const struct shk_study_run *const run = run_of(c, family, i);
    if (!run || run->measure_count == 0 || shk_run_measures(run, measure))
      return true;
  }
  return !c->study;
}

/* Whether one asks for it by name. */
static bool is_named(const struct context *c, const struct shk_family *family,
                     enum shk_measure_id measure)
{
  for (int i = 0; i < family->count; i++) {
    const struct shk_study_run *const run = run_of(c, family, i);
    if (run && run->measures_named && shk_run_measures(run, measure))
      return true;
  }
  return false;
}

static struct shk_finding *add(struct context *c, const struct shk_family *family,
                               enum shk_quantity_id quantity, double value, double uncertainty)
{
  return shk_findings_add(&c->findings, family, quantity, NULL, value, uncertainty);
}

static struct shk_finding *add_block(struct context *c, const struct shk_family *family,
                                     enum shk_quantity_id quantity, enum shk_block_id block,
                                     double value, double uncertainty)
{
  return shk_findings_add(&c->findings, family, quantity, shk_blocks[block].name, value,
                          uncertainty);
}

/* The finest cell that finished; -1 if none. */
static int finest(const struct shk_family *family)
{
  for (int i = family->count - 1; i >= 0; i--)
    if (shk_record_finished(family->records[i]))
      return i;
  return -1;
}

/* Reports the cells without a result. False if all were refused: there is nothing more to report.
 * */
static bool report_status(struct context *c, const struct shk_family *family)
{
  int refused = 0, failed = 0, missing = 0, first_refused = -1, first_failed = -1;
  for (int i = 0; i < family->count; i++) {
    const struct shk_record *record = family->records[i];
    if (!record) {
      missing++;
    } else if (record->end == SHK_END_FINISHED && record->outcome.code == SHK_REFUSED) {
      refused++;
      first_refused = first_refused < 0 ? i : first_refused;
    } else if (!shk_record_finished(record) &&
               !(record->end == SHK_END_FINISHED &&
                 shk_singular_limits_of(c->study, c->plan, family))) {
      failed++;
      first_failed = first_failed < 0 ? i : first_failed;
    }
  }
  if (refused > 0)
    shk_findings_add_status(&c->findings, family, SHK_QUANTITY_STATUS,
                            family->records[first_refused], SHK_VERDICT_REFUSED);
  if (failed > 0) {
    const struct shk_record *record = family->records[first_failed];
    struct shk_finding *finding = shk_findings_add_status(&c->findings, family, SHK_QUANTITY_STATUS,
                                                          record, SHK_VERDICT_FAILED);
    char *const its = finding->reason;
    finding->reason = shk_print_text(
        "%d of %d cells did not finish; at %s %s: %s%s", failed, family->count,
        family->by_tolerance ? "tolerance" : "step",
        family->by_tolerance ? record->cell.tolerance
                             : (record->cell.step ? record->cell.step : "none"),
        record->cell.step && record->outcome.code == SHK_NOT_CONVERGED ? "try a smaller step: "
                                                                       : "",
        its[0] ? its : finding->word);
    free(its);
  }
  if (missing > 0)
    shk_findings_add_missing(&c->findings, family, SHK_QUANTITY_STATUS, missing, family->count);
  return refused < family->count;
}

static void keep_curve(struct context *c, struct shk_curve *curve)
{
  if (!c->curves) {
    shk_curve_clear(curve);
    return;
  }
  struct shk_analysis *analysis = c->analysis;
  analysis->curves =
      shk_grow(analysis->curves, (size_t)analysis->curve_count, sizeof *analysis->curves);
  analysis->curves[analysis->curve_count++] = *curve;
}

/* The problem's flags, with SHK_CHAOTIC only where the run goes beyond the generic horizon. */
static unsigned undecidable(const struct shk_family *family)
{
  unsigned flags = family->inspection.undecidable;
  if (!(family->until > family->inspection.horizon * (1 + 1e-9)))
    flags &= ~(unsigned)SHK_CHAOTIC;
  return flags;
}

/* Multipliers that converge to something else are often a multiple of what they should be: of the
 * other sign, or twice as large, since half a step's impulse was taken for a whole one's. */
static void tell_multiple(struct shk_decision *decision, const struct shk_curve *curve)
{
  const struct shk_point *const point = &curve->points[curve->fit.last];
  const size_t used = strlen(decision->reason);
  if (point->off_multiple < 0.05 && fabs(point->multiple - 1) > 0.1)
    snprintf(decision->reason + used, sizeof decision->reason - used,
             "; it tends to %.3g times the reference", point->multiple);
}

static void report_order(struct context *c, const struct shk_family *family,
                         const struct shk_curve *curve)
{
  const double band = shk_order_band(family->cell->precision);
  struct shk_decision decision =
      shk_decide_order(&curve->fit, curve->claimed, band, undecidable(family));
  if (decision.verdict == SHK_VERDICT_FALSIFIED)
    tell_multiple(&decision, curve);
  if (decision.verdict == SHK_VERDICT_FALSIFIED && shk_is_discrete_multiplier(curve->block) &&
      family->inspection.undecidable & SHK_REDUNDANT_ROWS) {
    decision.verdict = SHK_VERDICT_UNDECIDED;
    snprintf(decision.reason, sizeof decision.reason,
             "the constraints are redundant: these multipliers are not the shortest with their "
             "force, which the reference has");
  }
  struct shk_finding *finding = add_block(c, family, SHK_QUANTITY_ORDER, curve->block,
                                          curve->fit.order, curve->fit.half_width);
  shk_finding_decide(finding, &decision);
  if (curve->claimed != SHK_NO_ORDER)
    finding->expected = shk_print_text("%d ± %g", curve->claimed, band);
  shk_findings_add_range(&c->findings, family, SHK_QUANTITY_ORDER, shk_blocks[curve->block].name,
                         &curve->member_orders, true);
}

static void report_errors(struct context *c, const struct shk_family *family,
                          const struct shk_curve *curve)
{
  const int at = finest(family);
  if (at < 0)
    return;
  const struct shk_point *point = &curve->points[at];
  for (int end = 0; end < 2; end++) {
    const double error = end ? point->end_error : point->error;
    if (isnan(error))
      continue;
    struct shk_finding *finding =
        add_block(c, family, end ? SHK_QUANTITY_ERROR_AT_END : SHK_QUANTITY_ERROR, curve->block,
                  error, point->reference_error);
    finding->floor = point->floor;
    if (error < 100 * point->reference_error)
      finding->word = shk_copy_text("below reference");
    else if (!end)
      shk_findings_add_members(&c->findings, family, at, SHK_QUANTITY_ERROR,
                               shk_blocks[curve->block].name, &point->members, point->floor);
  }
  /* As published tables have it: digits of the states, component by component, at the end. */
  if (point->end_error < 100 * point->reference_error || curve->block > SHK_BLOCK_P)
    return;
  for (int mixed = 0; mixed < 2; mixed++) {
    const double digits = mixed ? point->mescd : point->scd;
    if (isfinite(digits))
      add_block(c, family, mixed ? SHK_QUANTITY_MESCD : SHK_QUANTITY_SCD, curve->block, digits,
                NAN);
  }
}

/* What this error of q costs, in CPU time or in evaluations. */
static void report_cost(struct context *c, const struct shk_family *family,
                        const struct shk_curve *curve, const char *error, bool timed)
{
  struct shk_run_cost *const runs = shk_allocate((size_t)curve->count + 1, sizeof *runs);
  for (int i = 0; i < curve->count; i++) {
    const struct shk_point *const point = &curve->points[i];
    runs[i] = (struct shk_run_cost){point->error, timed ? point->seconds : point->work};
  }
  const struct shk_least_cost cost = shk_least_cost(runs, curve->count, strtod(error, NULL));
  free(runs);
  if (isnan(cost.best_error))
    return;
  struct shk_finding *const f = shk_findings_add(
      &c->findings, family, timed ? SHK_QUANTITY_COST_SECONDS : SHK_QUANTITY_COST_EVALUATIONS,
      error, cost.least, NAN);
  if (isnan(cost.least))
    f->reason = shk_print_text("no run is so accurate: the least error is %.2g", cost.best_error);
  else if (cost.bound)
    f->reason = shk_print_text("at most: the coarsest run, %s %g, is more accurate",
                               curve->against_tolerance ? "tolerance" : "step",
                               curve->points[cost.run].step);
}

static void report_costs(struct context *c, const struct shk_family *family,
                         const struct shk_curve *curve)
{
  static const char *const errors[] = {"1e-4", "1e-6", "1e-8"};
  for (int timed = 1; timed >= 0; timed--)
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
      report_cost(c, family, curve, errors[i], timed);
}

static void report_blocks(struct context *c, const struct shk_family *family,
                          const struct shk_group_reference *reference)
{
  const bool orders = wanted(c, family, SHK_MEASURE_ORDER);
  const bool errors =
      wanted(c, family, SHK_MEASURE_ERROR) || wanted(c, family, SHK_MEASURE_WORK_PRECISION);
  const bool multipliers = wanted(c, family, SHK_MEASURE_MULTIPLIER);
  for (int b = 0; b < SHK_BLOCK_ENERGY; b++) {
    const enum shk_block_id block = (enum shk_block_id)b;
    struct shk_curve curve;
    const bool asked = orders || (multipliers && block >= SHK_BLOCK_LAMBDA);
    if (shk_curve_make(&curve, family, reference, block, c->source)) {
      if (asked)
        report_order(c, family, &curve);
      if (errors || asked)
        report_errors(c, family, &curve);
      if (block == SHK_BLOCK_Q && is_named(c, family, SHK_MEASURE_WORK_PRECISION))
        report_costs(c, family, &curve);
      keep_curve(c, &curve);
    } else if (asked && !family->by_tolerance && finest(family) >= 0 &&
               shk_curve_claim(&family->claims, block) != SHK_NO_ORDER) {
      struct shk_finding *finding = add_block(c, family, SHK_QUANTITY_ORDER, block, NAN, NAN);
      finding->expected = shk_print_text("%d ± %g", shk_curve_claim(&family->claims, block),
                                         shk_order_band(family->cell->precision));
      finding->verdict =
          reference->failed && !reference->record ? SHK_VERDICT_FAILED : SHK_VERDICT_UNDECIDED;
      finding->reason =
          shk_copy_text(!reference->record ? reference->why : "the records do not hold this block");
    }
  }
}

static void report_energy(struct context *c, const struct shk_family *family)
{
  if (!wanted(c, family, SHK_MEASURE_ENERGY))
    return;
  struct shk_curve curve;
  if (shk_curve_make_energy(&curve, family)) {
    report_order(c, family, &curve);
    const int at = finest(family);
    add(c, family, SHK_QUANTITY_ENERGY_MAX, curve.points[at].error, NAN)->floor =
        curve.points[at].floor;
    shk_findings_add_members(&c->findings, family, at, SHK_QUANTITY_ENERGY_MAX, NULL,
                             &curve.points[at].members, curve.points[at].floor);
    keep_curve(c, &curve);
  }
  struct shk_drift drift;
  struct shk_drift *runs = shk_allocate((size_t)family->count, sizeof *runs);
  int count = 0, seen = 0;
  for (int i = 0; i < family->count; i++) {
    const struct shk_record *record = family->records[i];
    if (!shk_family_drift(&runs[count], family, i))
      continue;
    seen++;
    if (shk_record_finished(record) && c->curves) {
      struct shk_analysis *const analysis = c->analysis;
      analysis->drifts =
          shk_grow(analysis->drifts, (size_t)analysis->drift_count, sizeof *analysis->drifts);
      analysis->drifts[analysis->drift_count++] =
          (struct shk_run_drift){.record = record, .drift = runs[count]};
      analysis->drifts[analysis->drift_count - 1].drift.too_short =
          shk_family_time_scales(family) < SHK_ENERGY_TIME_SCALES;
    }
    /* A run that ended early without blowing up says nothing about a long one. */
    count += shk_record_finished(record) || runs[count].class == SHK_ENERGY_BLOW_UP;
  }
  if (seen > 0) {
    shk_energy_combine(&drift, runs, count, shk_family_time_scales(family));
    if (drift.class != SHK_ENERGY_EXPONENTIAL && !isnan(drift.slope)) {
      add(c, family, SHK_QUANTITY_ENERGY_SLOPE, drift.slope, drift.slope_half_width);
      shk_findings_add_range(&c->findings, family, SHK_QUANTITY_ENERGY_SLOPE, NULL,
                             &drift.member_slopes, false);
    }
    struct shk_finding *finding = add(c, family, SHK_QUANTITY_ENERGY_CLASS, NAN, NAN);
    finding->word = shk_copy_text(shk_energy_word(drift.class));
    finding->floor = drift.near_roundoff || drift.class == SHK_ENERGY_EXACT ? drift.floor : NAN;
    const enum shk_answer claimed = family->claims.energy_bounded;
    if (claimed != SHK_UNKNOWN)
      finding->expected = shk_copy_text(claimed == SHK_YES ? "bounded" : "not bounded");
    bool at_floor;
    struct shk_decision decision =
        shk_decide_energy(&at_floor, &drift, claimed, undecidable(family));
    if (claimed != SHK_UNKNOWN &&
        (family->inspection.features & (SHK_FORCES | SHK_RHEONOMIC | SHK_GENERAL_DAE)))
      decision = (struct shk_decision){SHK_VERDICT_UNDECIDED,
                                       "the problem itself does not keep the energy"};
    else if (claimed == SHK_NO && decision.verdict != SHK_VERDICT_NONE &&
             drift.class != SHK_ENERGY_UNDETERMINED)
      shk_findings_vote(&c->findings, at_floor);
    shk_finding_decide(finding, &decision);
  }
  free(runs);
}

/* A quantity that is recorded, over the members of the finest cell that finished. */
static void report_members(struct context *c, const struct shk_family *family,
                           enum shk_quantity_id quantity, const char *parameter, double floor)
{
  char name[SHK_SCALAR_NAME];
  const int at = finest(family);
  if (at < 0)
    return;
  const struct shk_member_statistics members = shk_member_scalars(
      &family->records[at]->outcome, shk_scalar_name(name, sizeof name, quantity, parameter));
  shk_findings_add_members(&c->findings, family, at, quantity, parameter, &members, floor);
}

/* A quantity of each finished cell against its floor, eps·factor, times 1 + sqrt(steps) if it
 * accumulates. */
static void report_vanishing(struct context *c, const struct shk_family *family,
                             enum shk_quantity_id quantity, const char *parameter, double factor,
                             bool accumulates, const char *why)
{
  const enum shk_answer claimed =
      (enum shk_answer)shk_claim_value(&family->claims, shk_quantities[quantity].decides);
  double *ratios = shk_allocate((size_t)family->count, sizeof *ratios);
  double worst = NAN, floor = 0;
  int count = 0;
  for (int i = 0; i < family->count; i++) {
    if (!shk_record_finished(family->records[i]))
      continue;
    const struct shk_outcome *outcome = &family->records[i]->outcome;
    const double value = shk_recorded(outcome, quantity, parameter);
    if (isnan(value))
      continue;
    const double here =
        family->epsilon * factor * (accumulates ? 1 + sqrt(shk_family_steps(family, i)) : 1);
    ratios[count++] = value / here;
    worst = fmax(worst, value);
    floor = fmax(floor, here);
  }
  if (count > 0) {
    bool at_floor;
    const struct shk_decision decision =
        shk_decide_vanishing(&at_floor, ratios, count, claimed, why);
    struct shk_finding *finding =
        shk_findings_add(&c->findings, family, quantity, parameter, worst, NAN);
    shk_finding_decide_vanishing(finding, &decision, claimed, floor);
    if (claimed == SHK_NO && (at_floor || !why || decision.verdict == SHK_VERDICT_HELD))
      shk_findings_vote(&c->findings, at_floor);
    report_members(c, family, quantity, parameter, floor);
  }
  free(ratios);
}

static void report_kept(struct context *c, const struct shk_family *family)
{
  const unsigned flags = family->inspection.undecidable;
  const char *linear = flags & SHK_LINEAR_CONSTRAINTS
                           ? "linear constraints are kept whether or not others are"
                           : NULL;
  const char *momenta_undecided =
      flags & SHK_FREE_MOTION ? "free motion: momenta are kept whether or not others are"
      : family->inspection.features & SHK_FORCES
          ? "forces without a potential: what is kept is no matter of the symmetries of H"
          : NULL;
  const double length = fmax(1, family->size_q), rate = fmax(1, 1 / family->time_scale);
  if (wanted(c, family, SHK_MEASURE_CONSTRAINT)) {
    report_vanishing(c, family, SHK_QUANTITY_CONSTRAINT_MAX, NULL, length, false, linear);
    report_vanishing(c, family, SHK_QUANTITY_HIDDEN_MAX, NULL, length * rate, false, linear);
  }
  if (!wanted(c, family, SHK_MEASURE_MOMENTUM))
    return;
  for (int i = 0; i < family->inspection.invariant_count; i++) {
    const char *name = family->inspection.invariant_names[i];
    report_vanishing(c, family, shk_invariant_quantity(name), name,
                     fmax(1, family->size_q * family->size_p), true, momenta_undecided);
  }
}

static void report_work(struct context *c, const struct shk_family *family)
{
  static const enum shk_quantity_id reported[] = {
#define COUNTER(id, name, place, ...) [(place)-1] = SHK_QUANTITY_WORK_##id,
#include <shakedown/counters.def>
#undef COUNTER
      SHK_QUANTITY_CPU_SECONDS};
  const int at = finest(family);
  if (at < 0 ||
      !(wanted(c, family, SHK_MEASURE_WORK) || wanted(c, family, SHK_MEASURE_WORK_PRECISION)))
    return;
  for (size_t i = 0; i < sizeof reported / sizeof reported[0]; i++) {
    const double value = shk_recorded(&family->records[at]->outcome, reported[i], NULL);
    if (value > 0)
      add(c, family, reported[i], value, NAN);
  }
}

static void report_constraint_work(struct context *c, const struct shk_family *family)
{
  const int at = finest(family);
  if (at < 0 || !wanted(c, family, SHK_MEASURE_CONSTRAINT_WORK))
    return;
  const double value =
      shk_recorded(&family->records[at]->outcome, SHK_QUANTITY_CONSTRAINT_WORK_MAX, NULL);
  if (isnan(value))
    return;
  const double floor =
      family->epsilon * shk_family_energy(family, at) * (3 + sqrt(shk_family_steps(family, at)));
  add(c, family, SHK_QUANTITY_CONSTRAINT_WORK_MAX, value, NAN)->floor = floor;
  report_members(c, family, SHK_QUANTITY_CONSTRAINT_WORK_MAX, NULL, floor);
}

static void report_growth(struct context *c, struct shk_families *all)
{
  int count;
  struct shk_starts *starts = shk_starts_gather(&count, all);
  for (int i = 0; i < count; i++)
    if (starts[i].count >= SHK_GROWTH_STARTS && wanted(c, starts[i].low[0], SHK_MEASURE_ENERGY))
      shk_starts_report(&c->findings, c->plan, all, &starts[i]);
  shk_starts_free(starts, count);
}

/* Whether error curves are needed, by a measure or for figures. */
static bool wants_errors(const struct context *c, const struct shk_family *family)
{
  static const enum shk_measure_id measures[] = {
      SHK_MEASURE_ORDER, SHK_MEASURE_ERROR, SHK_MEASURE_WORK_PRECISION, SHK_MEASURE_MULTIPLIER};
  bool any = c->curves;
  for (size_t i = 0; !any && i < sizeof measures / sizeof measures[0]; i++)
    any = wanted(c, family, measures[i]);
  return any;
}

/* All findings about a family, whose records are taken. */
static void report_family(struct context *c, struct shk_families *all, struct shk_family *family)
{
  const bool errors = wants_errors(c, family);
  const struct shk_singular_limits *const limits =
      shk_singular_limits_of(c->study, c->plan, family);
  const unsigned parts = (errors || limits ? SHK_PART_STATES : 0u) |
                         (wanted(c, family, SHK_MEASURE_ENERGY) ? SHK_PART_SERIES : 0u);
  shk_family_take(all, family, NAN, parts);
  const struct shk_group_reference *const reference = shk_family_refer(all, family);
  const bool more = report_status(c, family);
  shk_singular_report(&c->findings, &c->analysis->singular, limits, family, reference, c->source);
  if (more) {
    if (errors)
      report_blocks(c, family, reference);
    report_energy(c, family);
    report_kept(c, family);
    report_constraint_work(c, family);
    report_work(c, family);
  }
  shk_family_put_back(all, family, NAN);
}

struct shk_analysis *shk_analyse_with(const struct shk_study *study, const struct shk_plan *plan,
                                      struct shk_records *records,
                                      const struct shk_analysis_source *source)
{
  struct context c = {.study = study, .plan = plan, .source = source, .curves = records->stay};
  c.analysis = shk_allocate(1, sizeof *c.analysis);
  struct shk_families all;
  shk_families_gather(&all, "run", plan, records, source);
  for (int i = 0; i < all.count; i++)
    report_family(&c, &all, &all.families[i]);
  report_growth(&c, &all);
  shk_defects_report(&c.findings, plan, records, source);
  shk_conduct_report(&c.findings, plan, records, source);
  shk_crossings_report(&c.findings, plan, records, source);
  shk_findings_count_votes(&c.findings);
  c.analysis->findings = c.findings.all;
  c.analysis->finding_count = c.findings.count;
  free(c.findings.votes);
  shk_families_clear(&all);
  return c.analysis;
}

static bool inspect_either(const struct shk_context *context, struct shk_inspection *inspection,
                           const char *problem, struct shk_message *error)
{
  return shk_inspect(context, inspection, "quad", problem, error) ||
         shk_inspect(context, inspection, "double", problem, error);
}

static struct shk_analysis_source engine_source(const struct shk_plan *plan)
{
  return (struct shk_analysis_source){.context = plan->context,
                                      .reference_epsilon = shk_finest_engine()->epsilon,
                                      .difference = shk_finest_engine()->difference,
                                      .differences = shk_finest_engine()->differences,
                                      .relative = shk_finest_engine()->relative,
                                      .claims = shk_claims_of,
                                      .inspect = inspect_either};
}

void shk_each_error(const struct shk_plan *plan, struct shk_records *records,
                    shk_error_taker *taker, void *user)
{
  const struct shk_analysis_source source = engine_source(plan);
  struct shk_families all;
  shk_families_gather(&all, "run", plan, records, &source);
  for (int i = 0; i < all.count; i++) {
    struct shk_family *const family = &all.families[i];
    shk_family_take(&all, family, NAN, SHK_PART_STATES);
    const struct shk_group_reference *const reference = shk_family_refer(&all, family);
    if (reference->record)
      shk_family_each_error(family, reference, &source, taker, user);
    shk_family_put_back(&all, family, NAN);
  }
  shk_families_clear(&all);
}

struct shk_analysis *shk_analyse(const struct shk_study *study, const struct shk_plan *plan,
                                 struct shk_records *records)
{
  const struct shk_analysis_source source = engine_source(plan);
  return shk_analyse_with(study, plan, records, &source);
}

struct shk_analysis *shk_analysis_of_findings(struct shk_finding *owned, int count)
{
  struct shk_analysis *const analysis = shk_allocate(1, sizeof *analysis);
  analysis->findings = owned;
  analysis->finding_count = count;
  return analysis;
}

void shk_analysis_free(struct shk_analysis *analysis)
{
  if (!analysis)
    return;
  shk_findings_free(analysis->findings, analysis->finding_count);
  for (int i = 0; i < analysis->curve_count; i++)
    shk_curve_clear(&analysis->curves[i]);
  free(analysis->curves);
  free(analysis->singular.all);
  free(analysis->drifts);
  free(analysis);
}

int shk_analysis_exit_code(const struct shk_analysis *analysis)
{
  bool failed = false;
  for (int i = 0; i < analysis->finding_count; i++) {
    if (analysis->findings[i].verdict == SHK_VERDICT_FALSIFIED)
      return 1;
    if (analysis->findings[i].verdict == SHK_VERDICT_FAILED)
      failed = true;
  }
  return failed ? 3 : 0;
}
