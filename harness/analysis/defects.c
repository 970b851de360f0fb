/*
 * Reports the results of cells that measure structure (measures/structure.def). Each finding
 * combines all step sizes for one problem, integrator and precision:
 *
 *   symplecticity, …   the defect at the finest step, scaled as in measures/structure.h, compared
 *                      with a floor measured in the same cell
 *   TYPE exponent      the power of the step with which a nonzero defect decreases; no claim refers
 *                      to it
 * Derivatives are computed from differences with two increments. If the two results disagree by far
 * more than rounding explains, the derivative is unreliable and the step decides nothing.
 */
#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/specifications/claims.h"
#include "harness/analysis/report.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

/* Returns the size of the defect that is expected if the method claims to keep the constraint only
 * to a level L. A violation d L changes positions by d L, momenta by d L/h, and multipliers by d
 * L/h². */
static double effect_of_level(const struct shk_family *family, double step)
{
  const double level = shk_claim_level(&family->claims, SHK_CLAIM_KEEPS_CONSTRAINT),
               ratio = family->time_scale / fabs(step);
  return family->measure == SHK_MEASURE_NEWTONS_MULTIPLIERS ? level * (1 + ratio * ratio)
                                                            : level * (1 + ratio);
}

static struct shk_defect read_defect(const struct shk_family *family, int i, bool needs_power)
{
  const struct shk_outcome *const outcome = &family->records[i]->outcome;
  const char *const kind = family->cell->kind;
  const double rounding = shk_recorded(outcome, SHK_QUANTITY_DEFECT_ROUNDING, kind),
               size = shk_recorded(outcome, SHK_QUANTITY_DEFECT_SIZE, kind),
               floor = shk_recorded(outcome, SHK_QUANTITY_DEFECT_FLOOR, kind),
               error = shk_recorded(outcome, SHK_QUANTITY_DEFECT_STEP_ERROR, kind),
               departure_floor = shk_recorded(outcome, SHK_QUANTITY_DEPARTURE_FLOOR, kind);
  /* If a level is claimed, a defect counts as zero when it is at most ten times the effect of that
   * level. */
  const double least = 10 * effect_of_level(family, family->steps[i]) / SHK_VANISHES;
  return (struct shk_defect){
      .step = family->steps[i],
      .size = shk_recorded(outcome, shk_measure_finds(family->measure), NULL),
      .floor = fmax(floor, least),
      .weak = needs_power &&
              !(error >= shk_bounds[SHK_BOUND_POWER] * floor && error >= 10 * SHK_VANISHES * least),
      .unsettled = !(isnan(rounding) || floor <= shk_bounds[SHK_BOUND_UNSETTLED] * rounding) ||
                   !(isnan(size) || floor <= shk_bounds[SHK_BOUND_PART_TOLD] * size),
      .away = isnan(departure_floor) ? 0 : shk_recorded(outcome, SHK_QUANTITY_DEPARTURE, kind),
      .rounding = isnan(departure_floor) ? NAN : fmax(departure_floor, least)};
}

static enum shk_answer claim_of(const struct shk_reporter *c, const struct shk_structure_asks *asks)
{
  if (!asks->partner)
    return (enum shk_answer)shk_claim_value(
        &c->family->claims, shk_quantities[shk_measure_finds(c->family->measure)].decides);
  const struct shk_integrator_info *info =
      shk_find_integrator(c->plan->context, c->family->cell->integrator);
  return info && info->partner ? SHK_YES : SHK_UNKNOWN;
}

static const char *why_of(const struct shk_obstacle *list, const struct shk_family *family)
{
  const struct shk_obstacle *const obstacle =
      shk_obstacle_to(list, family->inspection.features, family->inspection.undecidable);
  return obstacle ? obstacle->why : NULL;
}

/* Returns the reason why a defect at its floor cannot decide the claim on this problem, or NULL if
 * it can. */
static const char *why_undecidable(const struct shk_structure_asks *asks,
                                   const struct shk_family *family)
{
  if (family->inspection.features & (SHK_GENERAL_DAE | SHK_VELOCITY_CONSTRAINT))
    return "the system is not Hamiltonian, so there is nothing to preserve";
  const char *const why = why_of(asks->undecidable, family);
  if (!why && family->inspection.undecidable & SHK_FREE_MOTION)
    return "in free motion there is no force that could be evaluated at the wrong point";
  return why;
}

/* Returns the number of cells with a result. If failed, refused or missing cells prevent a
 * comparison, this function reports them and returns 0. */
static int report_ends(struct shk_reporter *c)
{
  const enum shk_quantity_id defect = shk_measure_finds(c->family->measure);
  const struct shk_ends ends = shk_count_ends(c->family, NULL);
  const struct shk_record *const end = ends.answers == 0 && ends.refused      ? ends.refused
                                       : ends.missing > 0 || ends.answers < 2 ? ends.failed
                                                                              : NULL;
  if (!end && ends.missing == 0)
    return ends.answers;
  shk_finding_end(c, defect, end, ends.missing);
  return 0;
}

/* Reports that the energy is bounded. A method that conserves a modified Hamiltonian keeps H close
 * to it for a time that grows faster than any power of 1/h. Nothing is reported for a method
 * without a modified Hamiltonian, because reversible methods may also have bounded energy
 * errors. */
static void report_energy(struct shk_reporter *c)
{
  const enum shk_answer claimed = c->family->claims.energy_bounded;
  if (c->family->measure != SHK_MEASURE_MODIFIED_HAMILTONIAN ||
      c->family->claims.modified_hamiltonian != SHK_YES || claimed == SHK_UNKNOWN)
    return;
  const struct shk_drift bounded = {.class = SHK_ENERGY_BOUNDED};
  shk_finding_word(c, SHK_QUANTITY_MODIFIED_ENERGY, NULL, shk_energy_words[bounded.class]);
  shk_finding_verdict(
      c, &(struct shk_evidence){.kind = SHK_EVIDENCE_ENERGY,
                                .claimed = claimed,
                                .drift = &bounded,
                                .meaningless = claimed == SHK_NO
                                                   ? "a modified Hamiltonian is conserved "
                                                     "on this problem"
                                                   : NULL});
}

/* Compares the median, over all step sizes, of the solver's order with the claim. */
static void report_order_of_solve(struct shk_reporter *c)
{
  const struct shk_family *const family = c->family;
  double *const orders = shk_allocate((size_t)family->count, sizeof *orders);
  size_t known = 0;
  for (int i = 0; i < family->count; i++) {
    orders[known] = shk_family_number(family, i, SHK_QUANTITY_ORDER_SOLVE, NULL);
    known += !isnan(orders[known]);
  }
  gsl_sort(orders, 1, known);
  const double order = known > 0 ? orders[known / 2] : NAN;
  free(orders);
  shk_report(c, SHK_QUANTITY_ORDER_SOLVE, NULL, order, NAN);
  shk_finding_verdict(
      c, &(struct shk_evidence){
             .kind = SHK_EVIDENCE_NUMBER,
             .claimed = family->claims.order_solve,
             .band = shk_bounds[SHK_BOUND_ORDER_SOLVE],
             .number = order,
             .why = known > 0 ? NULL
                              : "fewer than three residuals decrease before they reach round-off"});
}

static void report_defect(struct shk_reporter *c, const struct shk_structure_asks *asks, int count)
{
  const struct shk_family *const family = c->family;
  struct shk_defect *const defects = shk_allocate((size_t)count, sizeof *defects);
  for (int i = 0, at = 0; i < family->count; i++)
    if (shk_record_finished(family->records[i]))
      defects[at++] = read_defect(family, i, asks->needs_power);
  const struct shk_defect finest = defects[count - 1];
  const struct shk_evidence evidence = {.kind = SHK_EVIDENCE_DEFECT,
                                        .claimed = claim_of(c, asks),
                                        .defects = defects,
                                        .count = count,
                                        .meaningless = why_of(asks->meaningless, family),
                                        .why = why_undecidable(asks, family),
                                        .no_power = asks->no_power};
  bool away;
  const bool remains = shk_defect_ratio(&away, &finest) >= SHK_DOES_NOT_VANISH;
  shk_report(c, shk_measure_finds(family->measure), NULL, away ? finest.away : finest.size, NAN)
      ->floor = away ? finest.rounding : finest.floor;
  const struct shk_decision decision = shk_finding_verdict(c, &evidence);
  free(defects);
  if (!isnan(decision.exponent) && remains)
    shk_report(c, SHK_QUANTITY_DEFECT_EXPONENT, family->cell->kind, decision.exponent, NAN);
  if (decision.verdict == SHK_VERDICT_HELD)
    report_energy(c);
}

static void report_defects(struct shk_reporter *c)
{
  const struct shk_structure_asks *const asks =
      shk_engine_f64.structure_asks(c->family->cell->kind);
  const int count = report_ends(c);
  if (count == 0)
    return;
  report_defect(c, asks, count);
  if (asks->others == SHK_WITH_COUNTS)
    report_order_of_solve(c);
  if (asks->reference)
    shk_finding_local_orders(c);
}

const struct shk_finder shk_finder_defects = {
    .in = SHK_IN_STEPS, .parts = SHK_PART_STATES, .report = report_defects};
