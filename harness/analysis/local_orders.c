/* See local_orders.h. */
#include "harness/analysis/local_orders.h"

#include "foundation/memory.h"
#include "foundation/specifications/claims.h"
#include "harness/analysis/families/family.h"
#include "harness/analysis/families/verdict.h"
#include "measures/quantity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Signed errors of one block at one step, over the block's size. */
struct errors {
  double *all, largest;
  int count;
};

/* Gathers the errors of a record: all components from all states. */
static struct errors errors_of(const struct shk_outcome *outcome, const char *block)
{
  const int room = (outcome->n + outcome->m) * outcome->sample_count;
  struct errors errors = {.all = shk_allocate((size_t)room + 1, sizeof(double)), .largest = NAN};
  char reference[64];
  double size = 0;
  snprintf(reference, sizeof reference, "%s-reference", block);
  for (int i = 0; i < outcome->sample_count; i++) {
    const struct shk_vector *const got = shk_sample_block(&outcome->samples[i], block);
    const struct shk_vector *const right = shk_sample_block(&outcome->samples[i], reference);
    double off, own;
    const int added = got && right ? shk_finest_engine()->differences(
                                         errors.all + errors.count, room - errors.count, got, right)
                                   : -1;
    if (added < 0 || !shk_finest_engine()->difference(&off, &own, got, right))
      continue;
    errors.count += added;
    errors.largest = fmax(isnan(errors.largest) ? 0 : errors.largest, off);
    size = fmax(size, own);
  }
  for (int i = 0; i < errors.count && size > 0; i++)
    errors.all[i] /= size;
  errors.largest /= size > 0 ? size : 1;
  return errors;
}

/* Sets round-off and reference error of a block's errors. Multipliers of a step are compared
 * with those of a given state. */
static void weigh(struct shk_step_error *point, const struct shk_outcome *outcome,
                  enum shk_block_id block, const struct shk_family *family)
{
  const char *const kind = shk_measures[SHK_MEASURE_LOCAL_ERROR].name;
  const double doubt = shk_recorded(outcome, SHK_QUANTITY_DEFECT_DOUBT, kind);
  point->floor = shk_recorded(outcome, SHK_QUANTITY_DEFECT_FLOOR, kind);
  point->reference_error = doubt;
  if (block == SHK_BLOCK_LAMBDA || block == SHK_BLOCK_MU) {
    point->floor = shk_multiplier_floor(family->epsilon, point->step, family->time_scale);
    point->reference_error = family->epsilon;
  }
}

static int claimed_order(const struct shk_family *family, enum shk_block_id block)
{
  const struct shk_claims *const claims = &family->claims;
  const enum shk_claim claim = shk_blocks[block].local;
  /* Fibres of constraints on momenta move q as well, as for orders over a run. */
  if (block == SHK_BLOCK_Q && family->inspection.features & SHK_MOMENTUM_CONSTRAINT &&
      claims->local_order_p < claims->local_order_q)
    return claims->local_order_p;
  return claim == SHK_NO_CLAIM ? SHK_NO_ORDER : shk_claim_value(claims, claim);
}

/* One step of a method that follows the motion has an error O(h²). In p only if it ends on the
 * hidden constraint: otherwise p may be off by O(h) along the fibre. */
static bool is_required(const struct shk_family *family, enum shk_block_id block)
{
  return block == SHK_BLOCK_Q || (block == SHK_BLOCK_P && family->claims.keeps_hidden == SHK_YES);
}

static void report_block(struct shk_findings *findings, const struct shk_family *family,
                         const struct shk_local_series *series, enum shk_block_id block)
{
  const size_t count = (size_t)series->count;
  struct errors *const errors = shk_allocate(count, sizeof *errors);
  struct shk_step_error *const points = shk_allocate(count, sizeof *points);
  bool any = false;
  for (size_t i = 0; i < count; i++) {
    const struct shk_outcome *const outcome = &series->records[i]->outcome;
    errors[i] = errors_of(outcome, shk_blocks[block].name);
    points[i] = (struct shk_step_error){.step = series->cells[i]->cell.numbers.step,
                                        .error = errors[i].largest,
                                        .signed_errors = errors[i].all,
                                        .signed_count = errors[i].count};
    weigh(&points[i], outcome, block, family);
    any = any || errors[i].count > 0;
  }
  if (any) {
    const struct shk_fit fit = shk_order_fit(NULL, points, series->count, false);
    const int claimed = claimed_order(family, block);
    const double band = shk_order_band(family->cell->precision);
    /* The starts are points of one motion, a few steps apart: no symmetric start, no chaos. */
    const unsigned undecidable =
        family->inspection.undecidable & ~(unsigned)(SHK_SYMMETRIC_START | SHK_CHAOTIC);
    const struct shk_decision decision =
        claimed == SHK_NO_ORDER && is_required(family, block)
            ? shk_decide_consistency(&fit, 2, shk_bounds[SHK_BOUND_VISIBLE_STEP], undecidable)
            : shk_decide_order(&fit, claimed, band, undecidable);
    struct shk_finding *const finding =
        shk_findings_add(findings, family, SHK_QUANTITY_LOCAL_ORDER, shk_blocks[block].name,
                         fit.order, fit.half_width);
    shk_finding_decide(finding, &decision);
    if (claimed != SHK_NO_ORDER)
      finding->expected = shk_print_text("%d ± %g", claimed, band);
  }
  for (size_t i = 0; i < count; i++)
    free(errors[i].all);
  free(errors);
  free(points);
}

void shk_local_orders_report(struct shk_findings *findings, const struct shk_family *family,
                             const struct shk_local_series *series)
{
  for (int block = 0; block < SHK_BLOCK_ENERGY; block++)
    report_block(findings, family, series, (enum shk_block_id)block);
}
