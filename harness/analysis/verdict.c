/*
 * Verdicts on claims.
 *
 * Orders: |p - claimed| within the band and an uncertainty smaller than it. An order that is still
 * moving towards the claim is not held against it: later changes of a sequence of pairwise orders
 * are at most about four times the last one (they shrink by at least a fifth at each step once the
 * expansion is asymptotic). An order above the claim is no evidence on problems that raise orders
 * by symmetry or by having nothing to integrate. Order 0, a claim that something else is converged
 * to, needs an error that is visibly not small.
 *
 * Vanishing quantities: defect/floor <= 10³ at two or more steps, and at all, vanishes; >= 10⁶ at
 * the finest steps does not; what is between is undecided. A claim of "no" is upheld by one problem
 * and falsified only if it is at the floor on every problem that could decide it; the analysis
 * counts those.
 */
#include "harness/analysis/verdict.h"
#include "foundation/message.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* An error that does not converge is at least this large, relative to the quantity. */
static const double visible_error = 1e-3;

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

double shk_order_band(const char *precision)
{
  return strcmp(precision, "quad") == 0 ? 0.1 : 0.2;
}

static struct shk_judgement judged(enum shk_verdict verdict, const char *reason)
{
  struct shk_judgement judgement = {.verdict = verdict};
  shk_text_fit(judgement.reason, sizeof judgement.reason, reason);
  return judgement;
}

struct shk_judgement shk_judge_order(const struct shk_fit *fit, int claimed, double band,
                                     unsigned undecidable)
{
  struct shk_judgement judgement = {.verdict = SHK_VERDICT_UNDECIDED};
  if (claimed == SHK_NO_ORDER)
    return judged(SHK_VERDICT_NONE, fit->determined ? "" : fit->why);
  if (!fit->determined)
    return judged(SHK_VERDICT_UNDECIDED, fit->why);
  if (!(fit->half_width < band)) {
    snprintf(judgement.reason, sizeof judgement.reason,
             "the uncertainty %.2g is not smaller than the band %.2g", fit->half_width, band);
    return judgement;
  }
  const double off = fit->order - claimed;
  if (fabs(off) <= band) {
    if (claimed == 0 && fit->finest_error < visible_error) {
      snprintf(judgement.reason, sizeof judgement.reason,
               "level at %.2g: too small to be a wrong limit, perhaps a plateau",
               fit->finest_error);
      return judgement;
    }
    if (fabs(fit->last_pair - claimed) > band) {
      snprintf(judgement.reason, sizeof judgement.reason,
               "the last pairwise order is %.3g and moves away from the claim", fit->last_pair);
      return judgement;
    }
    return judged(SHK_VERDICT_HELD, "");
  }
  const double to_claim = claimed - fit->last_pair;
  if (to_claim * fit->trend > 0 && fabs(to_claim) <= 4 * fabs(fit->trend) + band) {
    snprintf(judgement.reason, sizeof judgement.reason,
             "the order is %.3g and still moves towards the claim", fit->last_pair);
    return judgement;
  }
  if (off > 0) {
    if (undecidable & SHK_SYMMETRIC_START)
      return judged(SHK_VERDICT_UNDECIDED, "higher than claimed, but from a symmetric start");
    if (undecidable & (SHK_FREE_MOTION | SHK_LINEAR_CONSTRAINTS))
      return judged(SHK_VERDICT_UNDECIDED,
                    "higher than claimed, but the problem is free of force or curvature");
  }
  if (undecidable & SHK_CHAOTIC)
    return judged(SHK_VERDICT_UNDECIDED, "the run goes beyond the problem's generic horizon");
  judgement.verdict = SHK_VERDICT_FALSIFIED;
  snprintf(judgement.reason, sizeof judgement.reason, "order %.3g ± %.2g, claimed %d", fit->order,
           fit->half_width, claimed);
  return judgement;
}

struct shk_judgement shk_judge_vanishing(bool *at_floor, const double *ratios, int count,
                                         enum shk_answer claimed, const char *why_undecidable)
{
  struct shk_judgement judgement = {.verdict = SHK_VERDICT_UNDECIDED};
  *at_floor = false;
  if (claimed == SHK_UNKNOWN)
    return judged(SHK_VERDICT_NONE, "");
  if (count == 0)
    return judged(SHK_VERDICT_UNDECIDED, "no step was measured");
  int off = 0;
  double largest = 0, smallest = INFINITY;
  for (int i = 0; i < count; i++) {
    /* Not a number counts as a violation. */
    const double ratio = isnan(ratios[i]) ? INFINITY : ratios[i];
    largest = fmax(largest, ratio);
    smallest = fmin(smallest, ratio);
    off += ratio >= SHK_DOES_NOT_VANISH;
  }
  const bool vanishes = largest <= SHK_VANISHES;
  if (claimed == SHK_YES) {
    if (off > 0) {
      judgement.verdict = SHK_VERDICT_FALSIFIED;
      snprintf(judgement.reason, sizeof judgement.reason,
               "up to %.2g times the round-off floor, at %d of %d steps above %.0e", largest, off,
               count, SHK_DOES_NOT_VANISH);
    } else if (vanishes && count >= 2)
      judgement.verdict = SHK_VERDICT_HELD;
    else if (vanishes)
      snprintf(judgement.reason, sizeof judgement.reason, "at round-off, but at one step only");
    else
      snprintf(judgement.reason, sizeof judgement.reason,
               "up to %.2g times the round-off floor: neither round-off nor clearly above it",
               largest);
    return judgement;
  }
  if (off == count && count >= 2)
    return judged(SHK_VERDICT_HELD, "");
  if (vanishes) {
    if (why_undecidable)
      return judged(SHK_VERDICT_UNDECIDED, why_undecidable);
    *at_floor = true;
    return judged(SHK_VERDICT_UNDECIDED, "claimed not to vanish, but at round-off on this problem");
  }
  if (off == count)
    return judged(SHK_VERDICT_UNDECIDED, "does not vanish, but one step only was measured");
  snprintf(judgement.reason, sizeof judgement.reason,
           "%.2g to %.2g times the round-off floor: not clear at every step", smallest, largest);
  return judgement;
}

struct shk_judgement shk_judge_energy(bool *at_floor, const struct shk_drift *drift,
                                      enum shk_answer claimed, unsigned undecidable)
{
  struct shk_judgement judgement = {.verdict = SHK_VERDICT_UNDECIDED};
  *at_floor = false;
  const bool undetermined = drift->class == SHK_ENERGY_UNDETERMINED;
  if (claimed == SHK_UNKNOWN)
    return judged(SHK_VERDICT_NONE, undetermined ? drift->why : "");
  if (undetermined)
    return judged(SHK_VERDICT_UNDECIDED, drift->why);
  const bool kept = drift->class == SHK_ENERGY_EXACT || drift->class == SHK_ENERGY_BOUNDED;
  if (kept && (undecidable & SHK_FREE_MOTION))
    return judged(SHK_VERDICT_UNDECIDED, "free motion: any projection keeps the energy");
  if (claimed == SHK_YES) {
    if (kept)
      return judged(SHK_VERDICT_HELD, "");
    if (drift->near_roundoff)
      return judged(SHK_VERDICT_UNDECIDED,
                    "grows, but within 1000 times round-off: not the method's own");
    judgement.verdict = SHK_VERDICT_FALSIFIED;
    snprintf(judgement.reason, sizeof judgement.reason, "%s: %s", shk_energy_word(drift->class),
             drift->why);
    return judgement;
  }
  if (!kept && !drift->near_roundoff)
    return judged(SHK_VERDICT_HELD, "");
  if (!kept)
    return judged(SHK_VERDICT_UNDECIDED, "grows, but within 1000 times round-off");
  *at_floor = drift->class == SHK_ENERGY_EXACT;
  return judged(SHK_VERDICT_UNDECIDED,
                "bounded on this problem, as reversible methods are on many");
}
