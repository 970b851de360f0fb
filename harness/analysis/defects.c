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
#include "harness/analysis/report.h"

#include <gsl/gsl_sort.h>
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

/* Finds how the defect goes at the steps that settled; the claim is known. */
static void decide(struct shk_decision *decision, bool *at_floor, double *exponent,
                   const struct shk_defect *const *used, int count, enum shk_answer claimed,
                   const char *why)
{
  char *const reason = decision->reason;
  const size_t size = sizeof decision->reason;
  double largest = 0, smallest = INFINITY;
  int strong = 0;
  for (int i = 0; i < count; i++) {
    strong += !used[i]->weak;
    largest = fmax(largest, ratio_of(used[i]));
    smallest = fmin(smallest, ratio_of(used[i]));
  }
  const struct shk_defect *const finest = count > 0 ? used[count - 1] : NULL;
  const char *const no_power = finest ? finest->no_power : NULL;
  const bool power = follows_power(exponent, used, count) || no_power;
  if (count < 2) {
    snprintf(reason, size, "%d step%s decided something, two are needed", count,
             count == 1 ? "" : "s");
  } else if (largest <= SHK_VANISHES) {
    *exponent = NAN;
    *at_floor = !why && claimed == SHK_NO && strong >= 2;
    if (!why && claimed == SHK_YES && strong >= 2)
      decision->verdict = SHK_VERDICT_HELD;
    else if (!why && strong < 2)
      snprintf(reason, size,
               "at round-off, but so is the error of the step, below %g floors at %d of %d steps",
               shk_bounds[SHK_BOUND_POWER], count - strong, count);
    else
      snprintf(reason, size, "%s",
               why ? why : "claimed not to vanish, but at round-off on this problem");
  } else if (ratio_of(finest) >= SHK_DOES_NOT_VANISH &&
             ratio_of(used[count - 2]) >= SHK_DOES_NOT_VANISH && power) {
    decision->verdict = claimed == SHK_YES ? SHK_VERDICT_FALSIFIED : SHK_VERDICT_HELD;
    if (claimed == SHK_YES && no_power)
      snprintf(reason, size, "%.2g times %s", ratio_of(finest), no_power);
    else if (claimed == SHK_YES)
      snprintf(reason, size, "%.2g floors%s at the finest step, falling like h^%.2f",
               ratio_of(finest), by_departure(finest) ? " away from the manifold" : "", *exponent);
    *exponent = no_power ? NAN : *exponent;
  } else if (smallest >= SHK_DOES_NOT_VANISH) {
    snprintf(reason, size,
             "%.2g floors and more, but following no power of the step: a solver's error?",
             smallest);
  } else {
    snprintf(reason, size, "%.2g to %.2g floors: neither round-off nor clearly above it", smallest,
             largest);
  }
}

/* The defect vanishes if defect/floor ≤ 10³ at every step, and there are two or more. It does not
 * vanish if defect/floor ≥ 10⁶ at the finest two or more, with a power of the step unless it is
 * round-off. Else it is undecided. */
struct shk_decision shk_decide_defect(bool *at_floor, double *exponent,
                                      const struct shk_defect *defects, int count,
                                      enum shk_answer claimed, const char *why_undecidable)
{
  const struct shk_defect **used = shk_allocate((size_t)count + 1, sizeof *used);
  struct shk_decision decision = {.verdict = SHK_VERDICT_UNDECIDED};
  int usable = 0;
  *at_floor = false;
  *exponent = NAN;
  for (int i = 0; i < count; i++)
    if (defects[i].settled)
      used[usable++] = &defects[i];
  decide(&decision, at_floor, exponent, used, usable, claimed, why_undecidable);
  free(used);
  return claimed == SHK_UNKNOWN ? (struct shk_decision){.verdict = SHK_VERDICT_NONE} : decision;
}

/* ---- the cells of a family ---- */

static struct shk_defect read_defect(const struct shk_family *family, int i,
                                     const struct shk_structure_asks *asks)
{
  const struct shk_outcome *const outcome = &family->records[i]->outcome;
  const char *const kind = family->cell->kind;
  const double rounding = shk_recorded(outcome, SHK_QUANTITY_DEFECT_ROUNDING, kind),
               size = shk_recorded(outcome, SHK_QUANTITY_DEFECT_SIZE, kind),
               floor = shk_recorded(outcome, SHK_QUANTITY_DEFECT_FLOOR, kind),
               error = shk_recorded(outcome, SHK_QUANTITY_DEFECT_STEP_ERROR, kind),
               departure_floor = shk_recorded(outcome, SHK_QUANTITY_DEPARTURE_FLOOR, kind);
  const bool departs = !isnan(departure_floor);
  return (struct shk_defect){
      .step = family->steps[i],
      .size = shk_recorded(outcome, shk_measure_finds(family->measure), NULL),
      .floor = floor,
      .no_power = asks->no_power,
      .weak = asks->needs_power && !(error >= shk_bounds[SHK_BOUND_POWER] * floor),
      .settled = (isnan(rounding) || floor <= shk_bounds[SHK_BOUND_UNSETTLED] * rounding) &&
                 (isnan(size) || floor <= shk_bounds[SHK_BOUND_PART_TOLD] * size),
      .away = departs ? shk_recorded(outcome, SHK_QUANTITY_DEPARTURE, kind) : 0,
      .rounding = departs ? departure_floor : 1};
}

static enum shk_answer claim_of(const struct shk_reporter *c, const struct shk_structure_asks *asks)
{
  if (!asks->partner)
    return (enum shk_answer)shk_claim_value(
        &c->family->claims, shk_quantities[shk_measure_finds(c->family->measure)].decides);
  const struct shk_integrator_info *info =
      shk_find_integrator(c->all->source->context, c->family->cell->integrator);
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

/* Reports the cells without a result. Returns the number of those with one, 0 if they are too few
 * to be compared. */
static int report_status(struct shk_reporter *c)
{
  const enum shk_quantity_id defect = shk_measure_finds(c->family->measure);
  const struct shk_record *refused = NULL, *failed = NULL;
  int ok = 0, missing = 0;
  for (int i = 0; i < c->family->count; i++) {
    const struct shk_record *const record = c->family->records[i];
    if (shk_record_finished(record))
      ok++;
    else if (!record)
      missing++;
    else if (shk_was_refused(record))
      refused = record;
    else
      failed = record;
  }
  if (ok == 0 && refused)
    shk_report_status(c, defect, refused, SHK_VERDICT_REFUSED);
  else if (failed && (missing > 0 || ok < 2))
    shk_report_status(c, defect, failed, SHK_VERDICT_FAILED);
  else if (missing > 0)
    shk_report_missing(c, defect, missing);
  else
    return ok;
  return 0;
}

/* A method that conserves a modified Hamiltonian keeps H near it for times that grow faster than
 * any power of 1/h. Without one, reversible methods may do so too: that decides nothing. */
static void report_energy(struct shk_reporter *c, enum shk_verdict verdict)
{
  const enum shk_answer claimed = c->family->claims.energy_bounded;
  if (c->family->measure != SHK_MEASURE_MODIFIED_HAMILTONIAN || verdict != SHK_VERDICT_HELD ||
      c->family->claims.modified_hamiltonian != SHK_YES || claimed == SHK_UNKNOWN)
    return;
  struct shk_finding *const finding = shk_report(c, SHK_QUANTITY_MODIFIED_ENERGY, NULL, NAN, NAN);
  finding->word = shk_copy_text(shk_energy_word(SHK_ENERGY_BOUNDED));
  finding->expected = shk_copy_text(claimed == SHK_YES ? "bounded" : "not bounded");
  finding->verdict = claimed == SHK_YES ? SHK_VERDICT_HELD : SHK_VERDICT_UNDECIDED;
  if (claimed == SHK_NO)
    finding->reason = shk_copy_text("a modified Hamiltonian is conserved on this problem");
}

/* Compares the median of the orders in the steps' records with the claim. */
static void report_order_of_solve(struct shk_reporter *c)
{
  const struct shk_family *const family = c->family;
  const double band = shk_bounds[SHK_BOUND_ORDER_SOLVE];
  const int claimed = family->claims.order_solve;
  double *const orders = shk_allocate((size_t)family->count, sizeof *orders);
  size_t known = 0;
  for (int i = 0; i < family->count; i++) {
    orders[known] = shk_family_number(family, i, SHK_QUANTITY_ORDER_SOLVE, NULL);
    known += !isnan(orders[known]);
  }
  gsl_sort(orders, 1, known);
  const double order = known > 0 ? orders[known / 2] : NAN;
  free(orders);
  struct shk_finding *const finding = shk_report(c, SHK_QUANTITY_ORDER_SOLVE, NULL, order, NAN);
  if (claimed == SHK_NO_ORDER)
    return;
  finding->expected = shk_print_text("%d ± %g", claimed, band);
  finding->verdict = known == 0                     ? SHK_VERDICT_UNDECIDED
                     : fabs(order - claimed) < band ? SHK_VERDICT_HELD
                                                    : SHK_VERDICT_FALSIFIED;
  if (known == 0)
    finding->reason = shk_copy_text("no three residuals fall before they are round-off");
}

static void report_defect(struct shk_reporter *c, const struct shk_structure_asks *asks, int count)
{
  const struct shk_family *const family = c->family;
  const enum shk_answer claimed = claim_of(c, asks);
  struct shk_defect *const defects = shk_allocate((size_t)count, sizeof *defects);
  for (int i = 0, at = 0; i < family->count; i++)
    if (shk_record_finished(family->records[i]))
      defects[at++] = read_defect(family, i, asks);
  const struct shk_defect finest = defects[count - 1];
  const bool away = by_departure(&finest);
  bool at_floor;
  double exponent;
  /* Reason why the property is not defined for the problem. */
  const char *const meaningless = why_of(asks->meaningless, &family->inspection);
  struct shk_decision decision = shk_decide_defect(&at_floor, &exponent, defects, count, claimed,
                                                   why_undecidable(asks, &family->inspection));
  free(defects);
  if (meaningless && claimed != SHK_UNKNOWN) {
    decision.verdict = SHK_VERDICT_UNDECIDED;
    snprintf(decision.reason, sizeof decision.reason, "%s", meaningless);
  }
  struct shk_finding *finding = shk_report(c, shk_measure_finds(family->measure), NULL,
                                           away ? finest.away : finest.size, NAN);
  shk_finding_decide_vanishing(finding, &decision, claimed, away ? finest.rounding : finest.floor);
  if (claimed == SHK_NO && !meaningless && (at_floor || decision.verdict == SHK_VERDICT_HELD))
    shk_report_vote(c, at_floor);
  if (!isnan(exponent) && ratio_of(&finest) >= SHK_DOES_NOT_VANISH)
    shk_report(c, SHK_QUANTITY_DEFECT_EXPONENT, family->cell->kind, exponent, NAN);
  report_energy(c, decision.verdict);
}

static void report(struct shk_reporter *c)
{
  const struct shk_structure_asks *const asks = shk_find_structure(c->family->cell->kind);
  const int count = report_status(c);
  if (count == 0)
    return;
  report_defect(c, asks, count);
  if (asks->others == SHK_WITH_COUNTS)
    report_order_of_solve(c);
  if (asks->reference)
    shk_report_local_orders(c);
}

const struct shk_finder shk_finder_defects = {
    .in = SHK_IN_STEPS, .parts = SHK_PART_STATES, .report = report};
