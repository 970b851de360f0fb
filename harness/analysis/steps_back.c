/*
 * Reports the finding "backward steps", which accompanies the symmetry of a step. Its value is the
 * power of h that describes the distance from the initial state after a step forward and a step
 * back. A map of order p satisfies Φ_{-h} ∘ Φ_h = id + O(h^{p+1}), because the local errors of both
 * steps have that size. If a method uses |h| instead of h, or assumes h > 0, the distance is O(h)
 * or O(h²).
 *
 * The finding is reported only for methods whose state after a step satisfies both constraints.
 * Without a projection, the momenta have an error of O(h) after one step, which would hide errors
 * in the step back.
 */
#include "harness/analysis/report.h"

#include "foundation/memory.h"

#include <math.h>

static bool applies_steps_back(const struct shk_reporter *c)
{
  const struct shk_claims *const claims = &c->family->claims;
  return !c->family->by_tolerance && claims->keeps_hidden == SHK_YES &&
         fmin(claims->order_q, claims->order_p) >= 1;
}

/* As h goes to zero, the exponent tends to a whole number. The exponent at the two finest steps is
 * assumed to be closer to this limit than to the next whole number. If there is no exponent, the
 * distance is at round-off or follows no clear power of h. */
static void report_steps_back(struct shk_reporter *c)
{
  /* The family's most recent findings are its defect and, if one was found, the exponent. */
  const struct shk_finding *last = shk_finding_newest(c);
  const bool power = last->named.id == SHK_QUANTITY_DEFECT_EXPONENT;
  const double exponent = power ? last->value : NAN;
  const struct shk_claims *const claims = &c->family->claims;
  const double least = fmin(claims->order_q, claims->order_p) + shk_bounds[SHK_BOUND_REVERSED];
  last -= power;
  if (isnan(last->value))
    return;
  const bool clear = !(last->value <= SHK_DOES_NOT_VANISH * last->floor);
  struct shk_finding *const finding = shk_report(c, SHK_QUANTITY_STEPS_BACK, NULL, exponent, NAN);
  finding->expected = shk_print_text("at least %g", least);
  finding->verdict = exponent < least  ? SHK_VERDICT_FALSIFIED
                     : !power && clear ? SHK_VERDICT_UNDECIDED
                                       : SHK_VERDICT_HELD;
  if (finding->verdict == SHK_VERDICT_FALSIFIED)
    finding->reason = shk_copy_text("a step forward and a step back leave a difference whose power "
                                    "of h is lower than the order of the method allows");
  else if (finding->verdict == SHK_VERDICT_UNDECIDED)
    finding->reason = shk_copy_text("a step forward and a step back leave a difference above "
                                    "round-off that follows no clear power of h");
  else if (!power)
    finding->word = shk_copy_text("at round-off");
  shk_finding_rests(c);
}

const struct shk_finder shk_finder_steps_back = {.in = SHK_IN_STEPS,
                                                 .measures = SHK_BIT(SYMMETRY),
                                                 .applies = applies_steps_back,
                                                 .report = report_steps_back};
