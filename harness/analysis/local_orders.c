/*
 * Reports `local order of BLOCK`, the order of the error of one step, measured by cells of type
 * local-error (measures/local_error.c). Like the orders over a run, it is determined from signed
 * errors at several step sizes.
 */
#include "harness/analysis/report.h"

#include "foundation/memory.h"
#include "foundation/specifications/claims.h"

#include <math.h>
#include <stdlib.h>

/* Sets the floor and the reference error of a point. The reference for lambda and mu is the exact
 * multiplier at a state, which has a relative error of eps. */
static void weigh_local_orders(struct shk_point *point, const struct shk_outcome *outcome,
                               enum shk_block_id block, const struct shk_family *family)
{
  const char *const kind = family->cell->kind;
  const double level = shk_claim_level(&family->claims, SHK_CLAIM_KEEPS_CONSTRAINT);
  const bool multiplier = block == SHK_BLOCK_LAMBDA || block == SHK_BLOCK_MU;
  point->floor = multiplier ? shk_multiplier_floor(family->epsilon, point->step, family->time_scale)
                            : shk_recorded(outcome, SHK_QUANTITY_DEFECT_FLOOR, kind);
  point->floor += (multiplier ? shk_multiplier_floor(level, point->step, family->time_scale)
                              : level * (1 + family->time_scale / point->step)) /
                  SHK_LEVEL_MARGIN;
  point->reference_error =
      multiplier ? family->epsilon : shk_recorded(outcome, SHK_QUANTITY_DEFECT_DOUBT, kind);
}

static int claimed_order(const struct shk_family *family, enum shk_block_id block)
{
  const struct shk_claims *const claims = &family->claims;
  const enum shk_claim claim = shk_blocks[block].local;
  /* As with orders over a run, moving along a fibre of a momentum constraint also changes q. */
  if (block == SHK_BLOCK_Q && family->inspection.features & SHK_MOMENTUM_CONSTRAINT &&
      claims->local_order_p < claims->local_order_q)
    return claims->local_order_p;
  return claim == SHK_NO_CLAIM ? SHK_NO_ORDER : shk_claim_value(claims, claim);
}

static void report_block(struct shk_reporter *c, enum shk_block_id block)
{
  const struct shk_family *const family = c->family;
  struct shk_point *const points = shk_allocate((size_t)family->count, sizeof *points);
  char reference[64];
  int count = 0;
  bool any = false;
  /* the scale is the same for all step sizes, because the signed errors must depend smoothly on the
   * step */
  double size = 0;
  snprintf(reference, sizeof reference, "%s-reference", shk_blocks[block].name);
  for (int i = 0; i < family->count; i++)
    if (shk_record_finished(family->records[i]))
      size = fmax(size, shk_record_block_size(family->records[i], reference));
  for (int i = 0; i < family->count; i++) {
    if (!shk_record_finished(family->records[i]))
      continue;
    const struct shk_outcome *const outcome = &family->records[i]->outcome;
    points[count] = (struct shk_point){.step = family->steps[i], .error = NAN};
    any = shk_point_measure(&points[count], outcome, outcome, shk_blocks[block].name, reference,
                            size > 0 ? size : 1) ||
          any;
    weigh_local_orders(&points[count++], outcome, block, family);
  }
  if (any) {
    const struct shk_fit fit = shk_order_fit(points, count, false);
    const int claimed = claimed_order(family, block);
    /* The local order must be at least 2 even if the method claims no order, because one step of
     * any method that follows the motion has an error of O(h²). The exception is p, which may have
     * an error of O(h) along the fibre unless the step ends on the hidden constraint. */
    const bool on_hidden = family->claims.keeps_hidden == SHK_YES;
    /* if not NULL, p is zero up to round-off and has no scale */
    const char *const rests = shk_family_rests(family);
    const bool required = !rests && claimed == SHK_NO_ORDER &&
                          (block == SHK_BLOCK_Q || (block == SHK_BLOCK_P && on_hidden));
    shk_report(c, SHK_QUANTITY_LOCAL_ORDER, shk_blocks[block].name, fit.order, fit.half_width);
    /* Ignore symmetry and chaos: the states along the motion are not symmetric initial states, and
     * a single step cannot be chaotic. */
    shk_finding_verdict(
        c, &(struct shk_evidence){.kind = required ? SHK_EVIDENCE_CONSISTENCY : SHK_EVIDENCE_ORDER,
                                  .claimed = required ? 2 : claimed,
                                  .band = required ? shk_bounds[SHK_BOUND_VISIBLE_STEP]
                                                   : shk_order_band(family->cell->precision),
                                  .fit = &fit,
                                  .meaningless = rests,
                                  .undecidable = family->inspection.undecidable &
                                                 ~(unsigned)(SHK_SYMMETRIC_START | SHK_CHAOTIC)});
  }
  for (int i = 0; i < count; i++)
    free(points[i].signed_errors);
  free(points);
}

void shk_finding_local_orders(struct shk_reporter *c)
{
  for (enum shk_block_id block = 0; block < SHK_BLOCK_ENERGY; block++)
    report_block(c, block);
}
