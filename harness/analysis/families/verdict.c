/*
 * Verdicts on claims.
 *
 * Orders: |p - claimed| must be within the band, and the uncertainty smaller than the band.
 * Falsified also if the claim is several uncertainties off, or if there is no order because errors
 * stay, or fall with less than half the power claimed. Without signed errors, an order that still
 * moves towards the claim does not count against it: later changes of a sequence of pairwise orders
 * are at most about four times the last one (they shrink by at least a fifth at each step once the
 * expansion is asymptotic). An order above the claim is no evidence on problems that raise orders
 * by symmetry or by having nothing to integrate. Order 0, a claim that the limit is another value,
 * needs an error that is visibly not small.
 *
 * Vanishing quantities: defect/floor <= 10³ at every step, two or more, vanishes; >= 10⁶ at two or
 * more steps does not; between them it is undecided; at round-off at one step only it has no
 * verdict. A claim of "no" is upheld by one problem and falsified only if it is at the floor on
 * every problem that could decide it; the analysis counts those.
 */
#include "harness/analysis/families/verdict.h"
#include "foundation/memory.h"
#include "foundation/message.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

double shk_order_band(const char *precision)
{
  return shk_bounds[strcmp(precision, "quad") == 0 ? SHK_BOUND_ORDER_QUAD : SHK_BOUND_ORDER_DOUBLE];
}

static struct shk_decision decide(enum shk_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static struct shk_decision decide(enum shk_verdict verdict, const char *format, ...)
{
  struct shk_decision decision = {.verdict = verdict};
  va_list arguments;
  va_start(arguments, format);
  char *const reason = shk_print_arguments(format, arguments);
  va_end(arguments);
  shk_text_fit(decision.reason, sizeof decision.reason, reason);
  free(reason);
  return decision;
}

static struct shk_decision undecided(const char *reason)
{
  return decide(SHK_VERDICT_UNDECIDED, "%s", reason);
}

/* ---- orders ---- */

/* Falsifies an order that is not the claimed one, with other evidence if pairwise orders do not
 * show it yet. */
static struct shk_decision falsified_order(const struct shk_fit *fit, int claimed, double band)
{
  const bool hidden = fit->by_signs && fabs(fit->last_pair - fit->order) > band;
  return hidden ? decide(SHK_VERDICT_FALSIFIED,
                         "order %.3g ± %.2g, claimed %d: pairwise orders leave the claim, %s "
                         "towards %.0f; the term of that order is %.2g of the error at the largest "
                         "step",
                         fit->order, fit->half_width, claimed, fit->pairs, fit->order, fit->share)
                : decide(SHK_VERDICT_FALSIFIED, "order %.3g ± %.2g, claimed %d", fit->order,
                         fit->half_width, claimed);
}

/* True if an order whose uncertainty is too large to uphold a claim still excludes it. */
static bool excludes(const struct shk_fit *fit, int claimed)
{
  const double off = fabs(fit->order - claimed);
  return off >= shk_bounds[SHK_BOUND_OTHER_ORDER] &&
         off >= shk_bounds[SHK_BOUND_SEVERAL] * fit->half_width;
}

/* Decides about a curve without an order: errors that stay, or fall slowly, contradict a claim. */
static struct shk_decision decide_curve(const struct shk_fit *fit, int claimed,
                                        unsigned undecidable)
{
  if (claimed < 1 || undecidable & SHK_CHAOTIC)
    return undecided(fit->why);
  if (fit->level >= shk_bounds[SHK_BOUND_VISIBLE_LEVEL])
    return decide(SHK_VERDICT_FALSIFIED,
                  "claimed %d, but errors stay at %.2g, after pairwise orders %s: the limit has "
                  "this error",
                  claimed, fit->level, fit->pairs);
  if (!fit->begins_to_fall && fit->slope + fit->slope_half_width <= claimed / 2.0)
    return decide(SHK_VERDICT_FALSIFIED,
                  "claimed %d, but over all steps errors fall with the power %.2g ± %.2g of the "
                  "step only; the last pairwise orders are %s",
                  claimed, fit->slope, fit->slope_half_width, fit->pairs);
  return undecided(fit->why);
}

struct shk_decision shk_decide_consistency(const struct shk_fit *fit, int least, double visible,
                                           unsigned undecidable)
{
  const double half = shk_bounds[SHK_BOUND_OTHER_ORDER], most = least - half;
  /* Rounding, of states for example, has no order of one half and more. */
  const bool lower_order =
      fit->determined && fit->order >= half && fit->order + fit->half_width < most;
  const bool stays = fit->finest_error >= visible && fit->slope + fit->slope_half_width < most;
  if (undecidable & SHK_CHAOTIC || !(lower_order || stays))
    return decide(SHK_VERDICT_NONE, "%s", fit->determined ? "" : fit->why);
  return decide(SHK_VERDICT_FALSIFIED,
                "the error, %.2g at the finest step, falls with the power %.2g ± %.2g of the step, "
                "and every method that follows the motion has %d: look at how far a step goes, and "
                "at the forces",
                fit->finest_error, lower_order ? fit->order : fit->slope,
                lower_order ? fit->half_width : fit->slope_half_width, least);
}

/* Decides about an order within the band of the claim. */
static struct shk_decision decide_near(const struct shk_fit *fit, int claimed, double band)
{
  if (claimed == 0 && fit->finest_error < shk_bounds[SHK_BOUND_VISIBLE_ERROR])
    return decide(SHK_VERDICT_UNDECIDED,
                  "level at %.2g: too small to be a wrong limit, perhaps a plateau",
                  fit->finest_error);
  if (!fit->by_signs && fabs(fit->last_pair - claimed) > band &&
      (fit->last_pair - claimed) * fit->trend > 0)
    return decide(SHK_VERDICT_UNDECIDED,
                  "the last pairwise order is %.3g and moves away from the claim", fit->last_pair);
  if (isnan(fit->unseen))
    return decide(SHK_VERDICT_HELD, "%s", "");
  return decide(SHK_VERDICT_HELD,
                "a term of lower order is excluded above %.2g of the error at the largest step",
                fit->unseen);
}

struct shk_decision shk_decide_order(const struct shk_fit *fit, int claimed, double band,
                                     unsigned undecidable)
{
  const double off = fit->order - claimed, to_claim = claimed - fit->last_pair;
  if (claimed == SHK_NO_ORDER)
    return decide(SHK_VERDICT_NONE, "%s", fit->determined ? "" : fit->why);
  if (!fit->determined)
    return decide_curve(fit, claimed, undecidable);
  if (!(fit->half_width < band) && !excludes(fit, claimed))
    return decide(SHK_VERDICT_UNDECIDED, "the uncertainty %.2g is not smaller than the band %.2g",
                  fit->half_width, band);
  if (fabs(off) <= band)
    return decide_near(fit, claimed, band);
  if (!fit->by_signs && to_claim * fit->trend > 0 && fabs(to_claim) <= 4 * fabs(fit->trend) + band)
    return decide(SHK_VERDICT_UNDECIDED, "the order is %.3g and still moves towards the claim",
                  fit->last_pair);
  if (off > 0 && undecidable & SHK_SYMMETRIC_START)
    return undecided("higher than claimed, but from a symmetric start");
  if (off > 0 && undecidable & (SHK_FREE_MOTION | SHK_LINEAR_CONSTRAINTS))
    return undecided("higher than claimed, but the problem is free of force or curvature");
  if (off > 0 && fabs(fit->order - round(fit->order)) > band)
    return decide(SHK_VERDICT_UNDECIDED,
                  "order %.3g ± %.2g, higher than claimed and not a whole number: steps are not "
                  "asymptotic",
                  fit->order, fit->half_width);
  if (undecidable & SHK_CHAOTIC)
    return undecided("the run goes beyond the problem's generic horizon");
  return falsified_order(fit, claimed, band);
}

/* ---- quantities that vanish ---- */

struct shk_decision shk_decide_vanishing(bool *at_floor, const double *ratios, int count,
                                         enum shk_answer claimed, const char *why_undecidable)
{
  *at_floor = false;
  if (claimed == SHK_UNKNOWN)
    return decide(SHK_VERDICT_NONE, "%s", "");
  if (count == 0)
    return undecided("no step was measured");
  int off = 0;
  double largest = 0, smallest = INFINITY;
  for (int i = 0; i < count; i++) {
    /* NaN counts as a violation. */
    const double ratio = isnan(ratios[i]) ? INFINITY : ratios[i];
    largest = fmax(largest, ratio);
    smallest = fmin(smallest, ratio);
    off += ratio >= SHK_DOES_NOT_VANISH;
  }
  const bool vanishes = largest <= SHK_VANISHES;
  if (claimed == SHK_YES)
    return off > 0    ? decide(SHK_VERDICT_FALSIFIED,
                               "up to %.2g times the round-off floor, at %d of %d steps above %.0e",
                               largest, off, count, SHK_DOES_NOT_VANISH)
           : vanishes ? decide(count >= 2 ? SHK_VERDICT_HELD : SHK_VERDICT_NONE, "%s", "")
                      : decide(SHK_VERDICT_UNDECIDED,
                               "up to %.2g times the round-off floor: neither round-off nor "
                               "clearly above it",
                               largest);
  if (off >= 2)
    return decide(SHK_VERDICT_HELD, "%s", "");
  *at_floor = vanishes && !why_undecidable;
  if (vanishes)
    return undecided(why_undecidable ? why_undecidable
                                     : "claimed not to vanish, but at round-off on this problem");
  if (off == count)
    return undecided("does not vanish, but one step only was measured");
  return decide(SHK_VERDICT_UNDECIDED,
                "%.2g to %.2g times the round-off floor: not clear at every step", smallest,
                largest);
}

/* ---- energy ---- */

struct shk_decision shk_decide_energy(bool *at_floor, const struct shk_drift *drift,
                                      enum shk_answer claimed, unsigned undecidable)
{
  const bool undetermined = drift->class == SHK_ENERGY_UNDETERMINED;
  const bool kept = drift->class == SHK_ENERGY_EXACT || drift->class == SHK_ENERGY_BOUNDED;
  *at_floor = false;
  /* A run that is too short because it has another purpose gives no verdict. */
  if (claimed == SHK_UNKNOWN || drift->too_short)
    return decide(SHK_VERDICT_NONE, "%s", undetermined ? drift->why : "");
  if (undetermined)
    return undecided(drift->why);
  if (kept && (undecidable & SHK_FREE_MOTION))
    return undecided("free motion: any projection keeps the energy");
  if (kept == (claimed == SHK_YES) && (kept || !drift->near_roundoff))
    return decide(SHK_VERDICT_HELD, "%s", "");
  if (!kept && drift->near_roundoff)
    return undecided(claimed == SHK_YES
                         ? "grows, but within 1000 times round-off: not the method's own"
                         : "grows, but within 1000 times round-off");
  if (!kept)
    return decide(SHK_VERDICT_FALSIFIED, "%s: %s", shk_energy_word(drift->class), drift->why);
  *at_floor = drift->class == SHK_ENERGY_EXACT;
  return undecided("bounded on this problem, as reversible methods are on many");
}
