/*
 * Analysis of records: findings about each family of cells, in the order of the plan.
 */
#include "harness/analysis/analysis.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/specifications/claims.h"
#include "harness/analysis/block_findings.h"
#include "harness/analysis/contract_findings.h"
#include "harness/analysis/crossings.h"
#include "harness/analysis/defects.h"
#include "harness/analysis/energy_findings.h"
#include "harness/analysis/families/member_findings.h"
#include "harness/analysis/families/reporter.h"
#include "harness/analysis/families/verdict.h"
#include "harness/analysis/singular.h"
#include "harness/analysis/starts.h"
#include "harness/analysis/temperature_findings.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reports the cells without a result. Returns false if all were refused: nothing more can be
 * reported. */
static bool report_status(struct shk_reporter *c, const struct shk_family *family)
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

/* Reports a recorded quantity over the members of the finest cell that finished. */
static void report_members(struct shk_reporter *c, const struct shk_family *family,
                           enum shk_quantity_id quantity, const char *parameter, double floor)
{
  char name[SHK_SCALAR_NAME];
  const int at = shk_family_finest(family);
  if (at < 0)
    return;
  const struct shk_member_statistics members = shk_member_scalars(
      &family->records[at]->outcome, shk_scalar_name(name, sizeof name, quantity, parameter));
  shk_findings_add_members(&c->findings, family, at, quantity, parameter, &members, floor);
}

/*
 * Floors of quantities that are claimed to vanish, with q, p the largest max norms of the run and τ
 * the time scale: constraints eps·max(1,|q|); hidden constraints, their rate, the same times
 * max(1,1/τ); momenta eps·(1+sqrt(steps))·max(1,|q||p|), a random walk of roundings. Invariants
 * that are no momenta (by their name) are reported without a verdict: no claim covers them.
 */

/* Compares a quantity of each finished cell with its floor, eps·factor, times
 * 1 + sqrt(steps) if it accumulates. */
static void report_vanishing(struct shk_reporter *c, const struct shk_family *family,
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

static void report_kept(struct shk_reporter *c, const struct shk_family *family)
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
  if (shk_reporter_wants(c, family, SHK_MEASURE_CONSTRAINT)) {
    report_vanishing(c, family, SHK_QUANTITY_CONSTRAINT_MAX, NULL, length, false, linear);
    report_vanishing(c, family, SHK_QUANTITY_HIDDEN_MAX, NULL, length * rate, false, linear);
  }
  if (!shk_reporter_wants(c, family, SHK_MEASURE_MOMENTUM))
    return;
  for (int i = 0; i < family->inspection.invariant_count; i++) {
    const char *name = family->inspection.invariant_names[i];
    report_vanishing(c, family, shk_invariant_quantity(name), name,
                     fmax(1, family->size_q * family->size_p), true, momenta_undecided);
  }
}

static void report_work(struct shk_reporter *c, const struct shk_family *family)
{
  static const enum shk_quantity_id reported[] = {
#define COUNTER(id, name, place, ...) [(place)-1] = SHK_QUANTITY_WORK_##id,
#include <shakedown/counters.def>
#undef COUNTER
      SHK_QUANTITY_CPU_SECONDS};
  const int at = shk_family_finest(family);
  if (at < 0 || !(shk_reporter_wants(c, family, SHK_MEASURE_WORK) ||
                  shk_reporter_wants(c, family, SHK_MEASURE_WORK_PRECISION)))
    return;
  for (size_t i = 0; i < sizeof reported / sizeof reported[0]; i++) {
    const double value = shk_recorded(&family->records[at]->outcome, reported[i], NULL);
    if (value > 0)
      shk_reporter_add(c, family, reported[i], value, NAN);
  }
}

static void report_constraint_work(struct shk_reporter *c, const struct shk_family *family)
{
  const int at = shk_family_finest(family);
  if (at < 0 || !shk_reporter_wants(c, family, SHK_MEASURE_CONSTRAINT_WORK))
    return;
  const double value =
      shk_recorded(&family->records[at]->outcome, SHK_QUANTITY_CONSTRAINT_WORK_MAX, NULL);
  if (isnan(value))
    return;
  const double floor =
      family->epsilon * shk_family_energy(family, at) * (3 + sqrt(shk_family_steps(family, at)));
  shk_reporter_add(c, family, SHK_QUANTITY_CONSTRAINT_WORK_MAX, value, NAN)->floor = floor;
  report_members(c, family, SHK_QUANTITY_CONSTRAINT_WORK_MAX, NULL, floor);
}

static void report_growth(struct shk_reporter *c, struct shk_families *all)
{
  int count;
  struct shk_starts *starts = shk_starts_gather(&count, all);
  for (int i = 0; i < count; i++)
    if (starts[i].count >= SHK_GROWTH_STARTS &&
        shk_reporter_wants(c, starts[i].low[0], SHK_MEASURE_ENERGY))
      shk_starts_report(&c->findings, c->plan, all, &starts[i]);
  shk_starts_free(starts, count);
}

/* True if a measure or a figure needs error curves. */
static bool wants_errors(const struct shk_reporter *c, const struct shk_family *family)
{
  static const enum shk_measure_id measures[] = {
      SHK_MEASURE_ORDER, SHK_MEASURE_ERROR, SHK_MEASURE_WORK_PRECISION, SHK_MEASURE_MULTIPLIER};
  bool any = c->keeps;
  for (size_t i = 0; !any && i < sizeof measures / sizeof measures[0]; i++)
    any = shk_reporter_wants(c, family, measures[i]);
  return any;
}

/*
 * Quantities, if the measures of the study's runs include them:
 *   status                    cells that were refused, failed or have not been run
 *   outcome at step H, outcome error at step H
 *                             outcome of a cell if the study states thresholds (singular.h); a stop
 *                             is then an outcome and no failure
 *   order of B, error of B, error of B at T, scd and mescd of q and p at T
 *                             blocks B: q, p, lambda, mu, lambda-mean, lambda-sum, lambda-state;
 *                             errors at the finest step that finished, scaled as in curve.c
 *   order of energy           scaling of max |H - H(0)| with the step
 *   energy max, energy slope, energy class
 *   temperature at h = 0
 *   constraint max, hidden max, invariant NAME max
 *                             the worst over the steps
 *   work-…, cpu-seconds       at the finest step
 *   cpu-seconds at error E, evaluations at error E
 *                             if the study names work-precision (statistics/cost.h)
 *   …, mean of members; …, least of members; …, largest of members; …, worst member
 *                             after each of these, at the finest step, for cells with members. The
 *                             value itself is then the worst member's, an order that of the worst
 *                             errors, a slope the mean (member_findings.h, ensemble.h)
 *   round-off growth exponent, round-off growth class
 *                             over ten or more starts of a problem run in double and in quad
 *   quantities of cells of other types, after all others (defects.h, contract.h, crossings.h)
 */

/* Reports all findings about a family. Its records must be loaded. */
static void report_family(struct shk_reporter *c, struct shk_singular_results *singular,
                          struct shk_families *all, struct shk_family *family)
{
  const bool errors = wants_errors(c, family);
  const struct shk_singular_limits *const limits =
      shk_singular_limits_of(c->study, c->plan, family);
  const unsigned parts = (errors || limits ? SHK_PART_STATES : 0u) |
                         (shk_reporter_wants(c, family, SHK_MEASURE_ENERGY) ? SHK_PART_SERIES : 0u);
  shk_family_take(all, family, NAN, parts);
  const struct shk_group_reference *const reference = shk_family_refer(all, family);
  const bool more = report_status(c, family);
  shk_singular_report(&c->findings, singular, limits, family, reference, c->source);
  if (more) {
    if (errors)
      shk_report_blocks(c, family, reference);
    shk_report_energy(c, family);
    shk_report_temperatures(c, family);
    report_kept(c, family);
    report_constraint_work(c, family);
    report_work(c, family);
  }
  shk_family_put_back(all, family, NAN);
}

/* Makes an analysis, or adds curves and drifts to one whose findings are known. */
static struct shk_analysis *analyse(const struct shk_study *study, const struct shk_plan *plan,
                                    struct shk_records *records,
                                    const struct shk_analysis_source *source,
                                    struct shk_analysis *known)
{
  struct shk_reporter c = {.study = study, .plan = plan, .source = source, .keeps = records->stay};
  struct shk_singular_results singular = {0};
  struct shk_families all;
  shk_families_gather(&all, "run", plan, records, source);
  for (int i = 0; i < all.count; i++)
    report_family(&c, &singular, &all, &all.families[i]);
  if (!known) {
    report_growth(&c, &all);
    shk_defects_report(&c.findings, plan, records, source);
    shk_contract_report(&c.findings, plan, records, source);
    shk_crossings_report(&c.findings, plan, records, source);
    shk_findings_count_votes(&c.findings);
  }
  free(c.findings.votes);
  shk_families_clear(&all);
  struct shk_analysis *const analysis =
      known ? known : shk_analysis_of_findings(c.findings.all, c.findings.count);
  if (known)
    shk_findings_free(c.findings.all, c.findings.count);
  analysis->curves = c.curves;
  analysis->curve_count = c.curve_count;
  analysis->drifts = c.drifts;
  analysis->drift_count = c.drift_count;
  analysis->singular = singular;
  return analysis;
}

struct shk_analysis *shk_analyse_with(const struct shk_study *study, const struct shk_plan *plan,
                                      struct shk_records *records,
                                      const struct shk_analysis_source *source)
{
  return analyse(study, plan, records, source, NULL);
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
                                      .compare = shk_finest_engine()->compare,
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

void shk_analysis_add_curves(struct shk_analysis *analysis, const struct shk_study *study,
                             const struct shk_plan *plan, struct shk_records *records)
{
  const struct shk_analysis_source source = engine_source(plan);
  analyse(study, plan, records, &source, analysis);
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
