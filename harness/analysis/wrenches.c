/* Wrenches of a mechanism's joints at the end of the finest run, with their distances from those of
 * the reference (measures/wrench.c): a finding for each component that is determinate. */
#include "harness/analysis/report.h"

#include <math.h>

static void report(struct shk_reporter *c)
{
  const int at = shk_family_finest(c->family);
  const struct shk_record *const reference = c->family->reference->record;
  if (at < 0 || !shk_reporter_is_asked(c, SHK_BIT(WRENCH)))
    return;
  const struct shk_outcome *const outcome = &c->family->records[at]->outcome;
  for (int i = 0; i < outcome->scalar_count; i++) {
    const struct shk_scalar *const scalar = &outcome->scalars[i];
    const struct shk_named_quantity its = shk_named_scalar(scalar->name);
    if (its.id == SHK_QUANTITY_WRENCH)
      shk_report(c, its.id, its.parameter, scalar->value,
                 reference
                     ? fabs(scalar->value - shk_outcome_scalar(&reference->outcome, scalar->name))
                     : (double)NAN);
  }
}

const struct shk_finder shk_finder_wrenches = {
    .in = SHK_IN_RUNS, .measures = SHK_BIT(WRENCH), .report = report};
