/*
 * Verdicts on structure measures. See defects.h.
 *
 * A defect is compared with a floor measured in the same cell. If the two increments of a
 * difference disagree by far more than rounding explains, the derivative has not settled and the
 * step decides nothing. A defect that falls like a power of the step belongs to the method, not to
 * a solver: two successive slopes of log defect over log step, at the finest three steps, must be
 * positive and agree to within 0.5.
 */
#include "harness/analysis/defects.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/specifications/claims.h"
#include "foundation/specifications/precision.h"
#include "harness/analysis/local_orders.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one decision ---- */

/* Returns a defect in floors; NaN counts as a violation. */
static double ratio_of(const struct shk_defect *defect)
{
  const double form = defect->size / defect->floor, away = defect->away / defect->rounding;
  return isnan(form) || isnan(away) ? INFINITY : fmax(form, away);
}

/* True if the departure decides instead of the form: the form is inconclusive, and the
 * image is off the manifold. */
static bool by_departure(const struct shk_defect *finest)
{
  const double form = finest->size / finest->floor, away = finest->away / finest->rounding;
  return form < SHK_DOES_NOT_VANISH && away > SHK_VANISHES && away > form;
}

static double slope_between(const struct shk_defect *coarse, const struct shk_defect *fine,
                            bool away)
{
  const double ratio = away ? coarse->away / fine->away : coarse->size / fine->size;
  return log(ratio) / log(coarse->step / fine->step);
}

/* True if the finest steps (three, or two if there are no more) follow a power. */
static bool follows_power(double *exponent, const struct shk_defect *const *used, int count)
{
  if (count < 2)
    return false;
  const bool away = by_departure(used[count - 1]);
  *exponent = slope_between(used[count - 2], used[count - 1], away);
  const double before =
      count >= 3 ? slope_between(used[count - 3], used[count - 2], away) : *exponent;
  return *exponent > shk_bounds[SHK_BOUND_LEAST_SLOPE] &&
         before > shk_bounds[SHK_BOUND_LEAST_SLOPE] &&
         fabs(*exponent - before) < shk_bounds[SHK_BOUND_SLOPES_AGREE];
}

static struct shk_decision decide(bool *at_floor, double *exponent,
                                  const struct shk_defect *const *used, int count,
                                  enum shk_answer claimed, const char *why)
{
  struct shk_decision decision = {.verdict = SHK_VERDICT_UNDECIDED};
  double largest = 0, smallest = INFINITY;
  for (int i = 0; i < count; i++) {
    largest = fmax(largest, ratio_of(used[i]));
    smallest = fmin(smallest, ratio_of(used[i]));
  }
  const char *const no_power = count > 0 ? used[0]->no_power : NULL;
  const bool power = follows_power(exponent, used, count) || no_power;
  char *const reason = decision.reason;
  const size_t size = sizeof decision.reason;
  if (count < 2) {
    snprintf(reason, size, "%d step%s decided something, two are needed", count,
             count == 1 ? "" : "s");
  } else if (largest <= SHK_VANISHES) {
    *exponent = NAN;
    if (why)
      snprintf(reason, size, "%s", why);
    else if (claimed == SHK_YES)
      decision.verdict = SHK_VERDICT_HELD;
    else if (claimed == SHK_NO) {
      *at_floor = true;
      snprintf(reason, size, "claimed not to vanish, but at round-off on this problem");
    }
  } else if (ratio_of(used[count - 1]) >= SHK_DOES_NOT_VANISH &&
             ratio_of(used[count - 2]) >= SHK_DOES_NOT_VANISH && power) {
    const struct shk_defect *finest = used[count - 1];
    decision.verdict = claimed == SHK_YES ? SHK_VERDICT_FALSIFIED : SHK_VERDICT_HELD;
    if (no_power)
      *exponent = NAN;
    if (claimed == SHK_YES && no_power)
      snprintf(reason, size, "%.2g times %s", ratio_of(finest), no_power);
    else if (claimed == SHK_YES)
      snprintf(reason, size, "%.2g floors%s at the finest step, falling like h^%.2f",
               ratio_of(finest), by_departure(finest) ? " away from the manifold" : "", *exponent);
  } else if (smallest >= SHK_DOES_NOT_VANISH) {
    snprintf(reason, size,
             "%.2g floors and more, but following no power of the step: a solver's error?",
             smallest);
  } else {
    snprintf(reason, size, "%.2g to %.2g floors: neither round-off nor clearly above it", smallest,
             largest);
  }
  return decision;
}

/* The defect vanishes if defect/floor ≤ 10³ at every step, and there are two or more. It does not
 * vanish if defect/floor ≥ 10⁶ at the finest two or more, with a power of the step unless it is
 * round-off. Else it is undecided. */
struct shk_decision shk_decide_defect(bool *at_floor, double *exponent,
                                      const struct shk_defect *defects, int count,
                                      enum shk_answer claimed, const char *why_undecidable)
{
  const struct shk_defect **used = shk_allocate((size_t)count + 1, sizeof *used);
  int usable = 0;
  *at_floor = false;
  *exponent = NAN;
  for (int i = 0; i < count; i++)
    if (defects[i].settled)
      used[usable++] = &defects[i];
  struct shk_decision decision = decide(at_floor, exponent, used, usable, claimed, why_undecidable);
  free(used);
  if (claimed == SHK_UNKNOWN)
    decision = (struct shk_decision){.verdict = SHK_VERDICT_NONE};
  return decision;
}

/* ---- the cells of a plan ---- */

/* Cells that differ by the step only. */
struct series {
  const struct shk_planned *first;
  int count;
  const struct shk_planned **cells; /* largest step first */
  int *places;                      /* their indices in the plan */
  const struct shk_record **records;
};

static bool belongs(const struct shk_planned *a, const struct shk_planned *b)
{
  return strcmp(a->cell.kind, b->cell.kind) == 0 && strcmp(a->cell.problem, b->cell.problem) == 0 &&
         shk_same_text(a->cell.q, b->cell.q) && shk_same_text(a->cell.p, b->cell.p) &&
         strcmp(a->cell.integrator, b->cell.integrator) == 0 &&
         strcmp(a->cell.precision, b->cell.precision) == 0;
}

static double step_of(const struct shk_planned *planned)
{
  return planned->cell.step ? planned->cell.numbers.step : 0;
}

static void insert(struct series *series, const struct shk_planned *planned, int place)
{
  const size_t old = (size_t)series->count;
  series->cells = shk_grow(series->cells, old, sizeof *series->cells);
  series->places = shk_grow(series->places, old, sizeof *series->places);
  int at = series->count++;
  for (; at > 0 && step_of(series->cells[at - 1]) < step_of(planned); at--) {
    series->cells[at] = series->cells[at - 1];
    series->places[at] = series->places[at - 1];
  }
  series->cells[at] = planned;
  series->places[at] = place;
}

static enum shk_quantity_id defect_of(const struct shk_cell *cell)
{
  return shk_measure_finds(shk_measure_named(cell->kind));
}

static void read_defect(struct shk_defect *defect, const struct shk_planned *planned,
                        const struct shk_record *record)
{
  const char *const kind = planned->cell.kind;
  const struct shk_outcome *const outcome = &record->outcome;
  const double rounding = shk_recorded(outcome, SHK_QUANTITY_DEFECT_ROUNDING, kind);
  *defect =
      (struct shk_defect){.step = step_of(planned),
                          .size = shk_recorded(outcome, defect_of(&planned->cell), NULL),
                          .floor = shk_recorded(outcome, SHK_QUANTITY_DEFECT_FLOOR, kind),
                          .away = shk_recorded(outcome, SHK_QUANTITY_DEPARTURE, kind),
                          .rounding = shk_recorded(outcome, SHK_QUANTITY_DEPARTURE_FLOOR, kind)};
  const double size = shk_recorded(outcome, SHK_QUANTITY_DEFECT_SIZE, kind);
  defect->settled =
      (isnan(rounding) || defect->floor <= shk_bounds[SHK_BOUND_UNSETTLED] * rounding) &&
      (isnan(size) || defect->floor <= shk_bounds[SHK_BOUND_PART_TOLD] * size);
  if (isnan(defect->rounding)) {
    defect->away = 0;
    defect->rounding = 1;
  }
}

static enum shk_answer claim_of(const struct shk_context *context, enum shk_quantity_id defect,
                                const struct shk_structure_asks *asks,
                                const struct shk_claims *claims, const char *integrator)
{
  if (!asks->partner)
    return (enum shk_answer)shk_claim_value(claims, shk_quantities[defect].decides);
  const struct shk_integrator_info *info = shk_find_integrator(context, integrator);
  return info && info->partner ? SHK_YES : SHK_UNKNOWN;
}

static const char *why_of(const struct shk_objection *list, const struct shk_inspection *problem)
{
  const struct shk_objection *const exclusion =
      shk_objection_to(list, problem->features, problem->undecidable);
  return exclusion ? exclusion->why : NULL;
}

/* Returns the reason why the problem cannot decide a yes, or a no that it does not refute; NULL if
 * it can. */
static const char *why_undecidable(const struct shk_structure_asks *asks,
                                   const struct shk_inspection *problem)
{
  if (problem->features & (SHK_GENERAL_DAE | SHK_VELOCITY_CONSTRAINT))
    return "no Hamiltonian system: nothing has to be kept";
  const char *const why = why_of(asks->undecidable, problem);
  if (!why && problem->undecidable & SHK_FREE_MOTION)
    return "free motion: there is no force to take at the wrong point";
  return why;
}

/* Reports the cells without a result. Moves those with a result to the front and returns their
 * number. */
static int report_status(struct shk_findings *findings, const struct shk_family *family,
                         struct series *series)
{
  int ok = 0, refused = -1, failed = -1, missing = 0;
  for (int i = 0; i < series->count; i++) {
    const struct shk_record *record = series->records[i];
    if (shk_record_finished(record)) {
      series->cells[ok] = series->cells[i];
      series->records[ok++] = record;
    } else if (!record) {
      missing++;
    } else if (record->end == SHK_END_FINISHED && record->outcome.code == SHK_REFUSED) {
      refused = i;
    } else {
      failed = i;
    }
  }
  const enum shk_quantity_id defect = defect_of(&series->first->cell);
  if (ok == 0 && refused >= 0)
    shk_findings_add_status(findings, family, defect, series->records[refused],
                            SHK_VERDICT_REFUSED);
  else if (failed >= 0 && (missing > 0 || ok < 2))
    shk_findings_add_status(findings, family, defect, series->records[failed], SHK_VERDICT_FAILED);
  else if (missing > 0)
    shk_findings_add_missing(findings, family, defect, missing, series->count);
  else
    return ok;
  return 0;
}

/* A method that conserves a modified Hamiltonian keeps H near it for times that grow faster than
 * any power of 1/h. Without one, reversible methods may do so too: that decides nothing. */
static void report_energy(struct shk_findings *findings, const struct shk_family *family,
                          const struct shk_decision *decision, enum shk_quantity_id defect)
{
  const enum shk_answer claimed = family->claims.energy_bounded;
  if (defect != SHK_QUANTITY_MODIFIED_HAMILTONIAN || decision->verdict != SHK_VERDICT_HELD ||
      family->claims.modified_hamiltonian != SHK_YES || claimed == SHK_UNKNOWN)
    return;
  struct shk_finding *const finding =
      shk_findings_add(findings, family, SHK_QUANTITY_MODIFIED_ENERGY, NULL, NAN, NAN);
  finding->word = shk_copy_text(shk_energy_word(SHK_ENERGY_BOUNDED));
  finding->expected = shk_copy_text(claimed == SHK_YES ? "bounded" : "not bounded");
  finding->verdict = claimed == SHK_YES ? SHK_VERDICT_HELD : SHK_VERDICT_UNDECIDED;
  if (claimed == SHK_NO)
    finding->reason = shk_copy_text("a modified Hamiltonian is conserved on this problem");
}

/* Compares the median of the orders in the steps' records with the claim. */
static void report_order_of_solve(struct shk_findings *findings, const struct shk_family *family,
                                  const struct series *series, int count)
{
  const double band = shk_bounds[SHK_BOUND_ORDER_SOLVE];
  double orders[16];
  int known = 0;
  for (int i = 0; i < count && known < 16; i++) {
    const double order = shk_recorded(&series->records[i]->outcome, SHK_QUANTITY_ORDER_SOLVE, NULL);
    int at = known;
    for (; !isnan(order) && at > 0 && orders[at - 1] > order; at--)
      orders[at] = orders[at - 1];
    orders[at] = order;
    known += !isnan(order);
  }
  const int claimed = family->claims.order_solve;
  const double order = known > 0 ? orders[known / 2] : NAN;
  struct shk_finding *const finding =
      shk_findings_add(findings, family, SHK_QUANTITY_ORDER_SOLVE, NULL, order, NAN);
  if (claimed == SHK_NO_ORDER)
    return;
  finding->expected = shk_print_text("%d ± %g", claimed, band);
  finding->verdict = known == 0                     ? SHK_VERDICT_UNDECIDED
                     : fabs(order - claimed) < band ? SHK_VERDICT_HELD
                                                    : SHK_VERDICT_FALSIFIED;
  if (known == 0)
    finding->reason = shk_copy_text("no three residuals fall before they are round-off");
}

static void report(struct shk_findings *findings, struct series *series,
                   const struct shk_analysis_source *source)
{
  const struct shk_cell *cell = &series->first->cell;
  const enum shk_quantity_id defect = defect_of(cell);
  struct shk_family family = {
      .cell = cell, .suffix = (char *)"", .by_tolerance = cell->tolerance != NULL};
  family.problem = cell->q || cell->p
                       ? shk_print_text("%s q=%s p=%s", cell->problem, cell->q ? cell->q : "",
                                        cell->p ? cell->p : "")
                       : shk_copy_text(cell->problem);
  const int count = report_status(findings, &family, series);
  if (count > 0) {
    struct shk_message message;
    struct shk_inspection inspection = {0};
    if (!source->claims(source->context, &family.claims, cell->precision, cell->integrator,
                        &message))
      family.claims = (struct shk_claims){.local_order_q = SHK_NO_ORDER,
                                          .local_order_p = SHK_NO_ORDER,
                                          .order_solve = SHK_NO_ORDER};
    source->inspect(source->context, &inspection, cell->problem, &message);
    family.inspection = inspection;
    family.time_scale = inspection.time_scale;
    family.epsilon = shk_precision_epsilon(cell->precision);
    const struct shk_structure_asks *const asks = shk_find_structure(cell->kind);
    const enum shk_answer claimed =
        claim_of(source->context, defect, asks, &family.claims, cell->integrator);
    struct shk_defect *defects = shk_allocate((size_t)count, sizeof *defects);
    for (int i = 0; i < count; i++) {
      read_defect(&defects[i], series->cells[i], series->records[i]);
      defects[i].no_power = asks->no_power;
    }
    const struct shk_defect *finest = &defects[count - 1];
    const bool away = by_departure(finest);
    const double floor = away ? finest->rounding : finest->floor;
    bool at_floor;
    double exponent;
    /* Reason why the property is not defined for the problem. */
    const char *const meaningless = why_of(asks->meaningless, &inspection);
    const char *const why = why_undecidable(asks, &inspection);
    struct shk_decision decision =
        shk_decide_defect(&at_floor, &exponent, defects, count, claimed, why);
    if (meaningless && claimed != SHK_UNKNOWN) {
      decision.verdict = SHK_VERDICT_UNDECIDED;
      snprintf(decision.reason, sizeof decision.reason, "%s", meaningless);
    }
    struct shk_finding *finding =
        shk_findings_add(findings, &family, defect, NULL, away ? finest->away : finest->size, NAN);
    shk_finding_decide_vanishing(finding, &decision, claimed, floor);
    if (claimed == SHK_NO && !meaningless && (at_floor || decision.verdict == SHK_VERDICT_HELD))
      shk_findings_vote(findings, at_floor);
    if (!isnan(exponent) && ratio_of(finest) >= SHK_DOES_NOT_VANISH)
      shk_findings_add(findings, &family, SHK_QUANTITY_DEFECT_EXPONENT, cell->kind, exponent, NAN);
    report_energy(findings, &family, &decision, defect);
    if (asks->others == SHK_WITH_COUNTS)
      report_order_of_solve(findings, &family, series, count);
    if (asks->reference)
      shk_local_orders_report(findings, &family,
                              &(struct shk_local_series){series->cells, series->records, count});
    free(defects);
  }
  free(family.problem);
}

/* Loads the records of the series while its findings are added. */
static void report_taken(struct shk_findings *findings, struct series *series,
                         struct shk_records *records, const struct shk_analysis_source *source)
{
  const int count = series->count; /* reporting shortens the list */
  const struct shk_structure_asks *const asks = shk_find_structure(series->first->cell.kind);
  const unsigned parts = asks->reference ? SHK_PART_STATES : 0;
  series->records = shk_allocate((size_t)count, sizeof *series->records);
  for (int i = 0; i < count; i++)
    series->records[i] = records->take(records, series->places[i], parts);
  report(findings, series, source);
  for (int i = 0; i < count; i++)
    records->put_back(records, series->places[i]);
  free(series->records);
}

void shk_defects_report(struct shk_findings *findings, const struct shk_plan *plan,
                        struct shk_records *records, const struct shk_analysis_source *source)
{
  struct series *all = NULL;
  int count = 0;
  for (int i = 0; i < plan->count; i++) {
    const struct shk_planned *planned = &plan->cells[i];
    if (!shk_is_structure(planned->cell.kind))
      continue;
    int at = count - 1; /* cells of a series are near each other in the plan */
    while (at >= 0 && !belongs(all[at].first, planned))
      at--;
    if (at < 0) {
      all = shk_grow(all, (size_t)count, sizeof *all);
      all[at = count++] = (struct series){.first = planned};
    }
    insert(&all[at], planned, i);
  }
  for (int i = 0; i < count; i++) {
    report_taken(findings, &all[i], records, source);
    free(all[i].cells);
    free(all[i].places);
  }
  free(all);
}
