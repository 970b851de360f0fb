/* Reports the joint wrenches of a mechanism at the end of the finest run, and how far they deviate
 * from those of the reference (measures/wrench.c). Each determinate component has its own
 * finding. */
#include "harness/analysis/report.h"

#include <math.h>

/* Estimates the round-off in the wrenches of a run as the relative round-off of the run's states
 * times the largest component. The largest component sets the scale because a component near zero
 * has no meaningful scale of its own. */
static double floor_of(const struct shk_family *family, int at, const struct shk_outcome *outcome)
{
  double most = 0;
  for (int i = 0; i < outcome->scalar_count; i++)
    if (shk_named_scalar(outcome->scalars[i].name).id == SHK_QUANTITY_WRENCH)
      most = fmax(most, fabs(outcome->scalars[i].value));
  return most * shk_state_floor(family->epsilon, shk_family_steps(family, at), family->until,
                                family->time_scale);
}

static void report_wrenches(struct shk_reporter *c)
{
  const int at = shk_family_finest(c->family);
  const struct shk_record *const reference = c->family->reference->record;
  if (at < 0 || !shk_reporter_is_asked(c, SHK_BIT(WRENCH)))
    return;
  const struct shk_outcome *const outcome = &c->family->records[at]->outcome;
  const double floor = floor_of(c->family, at, outcome);
  for (int i = 0; i < outcome->scalar_count; i++) {
    const struct shk_scalar *const scalar = &outcome->scalars[i];
    const struct shk_named_quantity quantity = shk_named_scalar(scalar->name);
    if (quantity.id == SHK_QUANTITY_WRENCH)
      shk_report(c, quantity.id, quantity.parameter, scalar->value,
                 reference
                     ? fabs(scalar->value - shk_outcome_scalar(&reference->outcome, scalar->name))
                     : (double)NAN)
          ->floor = floor;
  }
}

const struct shk_finder shk_finder_wrenches = {
    .in = SHK_IN_RUNS, .measures = SHK_BIT(WRENCH), .report = report_wrenches};
