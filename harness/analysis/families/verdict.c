/*
 * Decides claims.
 *
 * A claimed order holds if |p - claimed| is within the band and the uncertainty is smaller than the
 * band. The claim is falsified if the order is outside the band. If the uncertainty is not smaller
 * than the band, the order must also differ from the claim by at least half an order and by several
 * uncertainties. A claim is also falsified if no order can be determined because the errors stop
 * decreasing or decrease with less than half the claimed power. Without signed errors, an order
 * that is still approaching the claim is undecided. Each change of the pairwise orders is assumed
 * to be at least a fifth smaller than the one before it, so further changes can add up to about
 * four times the last one.
 *
 * An order above the claim is no evidence against it on problems where symmetry raises orders or
 * where there is nothing to integrate. On other problems the claim holds as well, because an error
 * of order p + 1 is also an error of order p. The error term of the claimed order may be small, or
 * may vanish, for this initial state. Such a claim is falsified only if, on three problems, the
 * order is too high and no term of the claimed order is visible (shk_count_votes). A claim of order
 * 0 means that the method converges to a wrong limit, so it requires an error that is not small.
 *
 * A quantity vanishes if it is at most 10³ floors at every step size and there are at least two
 * step sizes. It does not vanish if it is at least 10⁶ floors at two step sizes. For quantities
 * that are conserved over a run, one step size is enough to falsify a "yes". One step size is also
 * enough to confirm a "no" if the study uses only one. A "no" is falsified only if the quantity
 * vanishes on every problem that could decide it.
 *
 * The defect of a single step is used only at step sizes at which its finite differences have
 * settled. A defect that does not vanish must decrease like a power of the step, that is, its two
 * finest slopes must be positive and must agree. Otherwise it may come from a solver's error.
 */
#include "harness/analysis/families/verdict.h"
#include "foundation/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

double shk_order_band(const char *precision)
{
  return shk_bounds[strcmp(precision, "quad") == 0 ? SHK_BOUND_ORDER_QUAD : SHK_BOUND_ORDER_DOUBLE];
}

static struct shk_decision decide_verdict(enum shk_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static struct shk_decision decide_verdict(enum shk_verdict verdict, const char *format, ...)
{
  struct shk_decision decision = {.verdict = verdict, .exponent = NAN};
  va_list arguments;
  va_start(arguments, format);
  char *const reason = shk_print_arguments(format, arguments);
  va_end(arguments);
  shk_text_fit(decision.reason, sizeof decision.reason, reason);
  free(reason);
  return decision;
}

#define falsified(...) decide_verdict(SHK_VERDICT_FALSIFIED, __VA_ARGS__)
#define undecided(...) decide_verdict(SHK_VERDICT_UNDECIDED, __VA_ARGS__)
#define held() decide_verdict(SHK_VERDICT_HELD, "%s", "")

/* ---- orders ---- */

/* Falsifies a claim because the order differs from it. If the pairwise orders have not reached the
 * computed order yet, the reason includes additional evidence. */
static struct shk_decision falsified_order(const struct shk_fit *fit, int claimed, double band)
{
  const bool hidden = fit->by_signs && fabs(fit->last_pair - fit->order) > band;
  return hidden
             ? falsified("order %.3g ± %.2g, claimed %d: the pairwise orders move away from the "
                         "claim, %s towards %.0f; the term of that order accounts for %.2g of the "
                         "error at the largest step",
                         fit->order, fit->half_width, claimed, fit->pairs, fit->order, fit->share)
             : falsified("order %.3g ± %.2g, claimed %d", fit->order, fit->half_width, claimed);
}

/* Returns true if an order contradicts the claim even though its uncertainty exceeds the band. */
static bool excludes_verdict(const struct shk_fit *fit, int claimed)
{
  const double off = fabs(fit->order - claimed);
  return off >= shk_bounds[SHK_BOUND_OTHER_ORDER] &&
         off >= shk_bounds[SHK_BOUND_SEVERAL] * fit->half_width;
}

/* Decides a claim if the order of the curve could not be determined. Errors that stay constant or
 * decrease slowly contradict a claim. */
static struct shk_decision decide_curve(const struct shk_evidence *e)
{
  const struct shk_fit *const fit = e->fit;
  const int claimed = e->claimed;
  if (claimed < 1 || e->undecidable & SHK_CHAOTIC)
    return undecided("%s", fit->why);
  if (fit->level >= shk_bounds[SHK_BOUND_VISIBLE_LEVEL])
    return falsified("claimed %d, but the errors stop decreasing at %.2g, after pairwise orders "
                     "%s: the method converges to a limit with this error",
                     claimed, fit->level, fit->pairs);
  if (!fit->begins_to_fall && fit->slope + fit->slope_half_width <= claimed / 2.0)
    return falsified("claimed %d, but over all steps the errors decrease only like h^(%.2g ± "
                     "%.2g); the last pairwise orders are %s",
                     claimed, fit->slope, fit->slope_half_width, fit->pairs);
  return undecided("%s", fit->why);
}

static struct shk_decision decide_consistency(const struct shk_evidence *e)
{
  const struct shk_fit *const fit = e->fit;
  const double half = shk_bounds[SHK_BOUND_OTHER_ORDER], most = e->claimed - half;
  /* An order below one half indicates that the errors are rounding errors. */
  const bool lower_order =
      fit->determined && fit->order >= half && fit->order + fit->half_width < most;
  const bool stays = fit->finest_error >= e->band && fit->slope + fit->slope_half_width < most;
  if (e->undecidable & SHK_CHAOTIC || !(lower_order || stays))
    return decide_verdict(SHK_VERDICT_NONE, "%s", fit->determined ? "" : fit->why);
  return falsified("the error, %.2g at the finest step, decreases like h^(%.2g ± %.2g), but for "
                   "every method that follows the motion the power is %d",
                   fit->finest_error, lower_order ? fit->order : fit->slope,
                   lower_order ? fit->half_width : fit->slope_half_width, e->claimed);
}

/* Decides a claim if the order is within the band around the claimed one. */
static struct shk_decision decide_near(const struct shk_fit *fit, int claimed, double band)
{
  if (claimed == 0 && fit->finest_error < shk_bounds[SHK_BOUND_VISIBLE_ERROR])
    return undecided("the errors level off at %.2g: too small for a wrong limit, perhaps a plateau",
                     fit->finest_error);
  if (!fit->by_signs && fabs(fit->last_pair - claimed) > band &&
      (fit->last_pair - claimed) * fit->trend > 0)
    return undecided("the last pairwise order is %.3g and moves away from the claim",
                     fit->last_pair);
  if (isnan(fit->unseen))
    return held();
  return decide_verdict(
      SHK_VERDICT_HELD,
      "a term of lower order can account for at most %.2g of the error at the largest step",
      fit->unseen);
}

/* Decides a claim if the pairwise orders move away from the computed order, so that both this order
 * and the next lower one are possible. */
static struct shk_decision decide_leaving(const struct shk_fit *fit, int claimed, double band)
{
  const double here = round(fit->last_pair);
  if (claimed > here)
    return falsified_order(fit, claimed, band);
  return undecided("the pairwise orders %s move further and further away from %.0f, so there may "
                   "be a term of lower order; smaller steps in quad will show whether there is",
                   fit->pairs, here);
}

/* Decides a claim if the order is above the claimed one and the problem could show other orders. A
 * claim of order 0 does not hold in this case, because it means that the errors do not decrease. */
static struct shk_decision decide_above(const struct shk_evidence *e)
{
  const struct shk_fit *const fit = e->fit;
  const int claimed = e->claimed;
  const bool clear = fit->order - claimed > fit->half_width + shk_bounds[SHK_BOUND_OTHER_ORDER];
  struct shk_decision decision = decide_verdict(
      clear && claimed >= 1 ? SHK_VERDICT_HELD : SHK_VERDICT_UNDECIDED,
      "order %.3g ± %.2g, higher than claimed on this problem", fit->order, fit->half_width);
  decision.above = clear && claimed >= 0 && claimed <= SHK_HIGHEST_ORDER &&
                   fit->at_most[claimed] <= shk_bounds[SHK_BOUND_NO_TERM] &&
                   !(e->undecidable & SHK_LINEAR_POTENTIAL);
  return decision;
}

static struct shk_decision decide_order(const struct shk_evidence *e)
{
  const struct shk_fit *const fit = e->fit;
  const int claimed = e->claimed;
  const double band = e->band, off = fit->order - claimed, to_claim = claimed - fit->last_pair;
  if (!fit->determined)
    return decide_curve(e);
  if (fit->leaves)
    return decide_leaving(fit, claimed, band);
  if (!(fit->half_width < band) && !excludes_verdict(fit, claimed))
    return undecided("the uncertainty %.2g is not smaller than the band %.2g", fit->half_width,
                     band);
  if (fabs(off) <= band) {
    struct shk_decision decision = decide_near(fit, claimed, band);
    decision.as_claimed = decision.verdict == SHK_VERDICT_HELD;
    return decision;
  }
  if (!fit->by_signs && to_claim * fit->trend > 0 && fabs(to_claim) <= 4 * fabs(fit->trend) + band)
    return undecided("the order is %.3g and is still approaching the claim", fit->last_pair);
  if (off > 0 && e->undecidable & SHK_SYMMETRIC_START)
    return undecided("higher than claimed, but the start is symmetric");
  if (off > 0 && e->undecidable & (SHK_FREE_MOTION | SHK_LINEAR_CONSTRAINTS))
    return undecided("higher than claimed, but the problem has no force or no curvature");
  if (off > 0 && fabs(fit->order - round(fit->order)) > band)
    return undecided("order %.3g ± %.2g, higher than claimed and not a whole number: the steps are "
                     "not in the asymptotic range",
                     fit->order, fit->half_width);
  if (e->undecidable & SHK_CHAOTIC)
    return undecided("the run is longer than the problem's generic horizon");
  if (off > 0)
    return decide_above(e);
  return falsified_order(fit, claimed, band);
}

/* ---- quantities that vanish ---- */

double shk_defect_ratio(bool *away, const struct shk_defect *defect)
{
  const double form = defect->size / defect->floor,
               distance = defect->away == 0 ? 0 : defect->away / defect->rounding;
  *away = form < SHK_DOES_NOT_VANISH && distance > SHK_VANISHES && distance > form;
  return isnan(form) || isnan(distance) ? INFINITY : fmax(form, distance);
}

static double slope_between(const struct shk_defect *coarse, const struct shk_defect *fine,
                            bool away)
{
  const double ratio = away ? coarse->away / fine->away : coarse->size / fine->size;
  return log(ratio) / log(coarse->step / fine->step);
}

/* Statistics over the step sizes at which the differences have settled, including the ratios of the
 * defects to their floors. */
struct settled {
  /* `count` is the number of these step sizes. `strong` of them are not weak, and at `off` of them
   * the defect does not vanish. `finest_off` is the length of the unbroken sequence of such step
   * sizes that ends at the finest one. */
  int count, strong, off, finest_off;
  double largest, smallest, finest;
  /* whether the distance from the manifold is decisive at the finest step */
  bool away;
  double exponent, before; /* the slopes at the finest pair of steps and at the pair before it */
};

static struct settled settle_verdict(const struct shk_evidence *e)
{
  struct settled s = {.smallest = INFINITY, .exponent = NAN, .before = NAN};
  /* the last three step sizes used, starting with the finest */
  const struct shk_defect *last[3] = {NULL};
  for (int i = 0; i < e->count; i++) {
    const struct shk_defect *const defect = &e->defects[i];
    if (defect->unsettled)
      continue;
    s.finest = shk_defect_ratio(&s.away, defect);
    s.largest = fmax(s.largest, s.finest);
    s.smallest = fmin(s.smallest, s.finest);
    s.finest_off = s.finest >= SHK_DOES_NOT_VANISH ? s.finest_off + 1 : 0;
    s.off += s.finest >= SHK_DOES_NOT_VANISH;
    s.strong += !defect->weak;
    s.count++;
    last[2] = last[1];
    last[1] = last[0];
    last[0] = defect;
  }
  if (last[1])
    s.exponent = slope_between(last[1], last[0], s.away);
  s.before = last[2] ? slope_between(last[2], last[1], s.away) : s.exponent;
  return s;
}

static bool follows_power(const struct settled *s)
{
  const double least = shk_bounds[SHK_BOUND_LEAST_SLOPE];
  return s->exponent > least && s->before > least &&
         fabs(s->exponent - s->before) < shk_bounds[SHK_BOUND_SLOPES_AGREE];
}

static struct shk_decision decide_at_floor(const struct shk_evidence *e, const struct settled *s)
{
  if (!e->why && s->strong < 2 && e->kind == SHK_EVIDENCE_DEFECT)
    return undecided("at round-off, but so is the error of the step itself: it is below %g times "
                     "round-off at %d of %d steps",
                     shk_bounds[SHK_BOUND_POWER], s->count - s->strong, s->count);
  if (e->claimed == SHK_YES && !e->why)
    return decide_verdict(s->count >= 2 ? SHK_VERDICT_HELD : SHK_VERDICT_NONE, "%s", "");
  struct shk_decision decision = undecided(
      "%s", e->why ? e->why : "claimed to be nonzero, but it is at round-off on this problem");
  decision.votes = decision.at_floor = !e->why;
  return decision;
}

/* Falsifies the claim that a quantity vanishes. */
static struct shk_decision falsified_vanishing(const struct shk_evidence *e,
                                               const struct settled *s)
{
  if (e->kind == SHK_EVIDENCE_KEPT)
    return falsified("up to %.2g times round-off, and at %d of %d steps more than %.0e times",
                     s->largest, s->off, s->count, SHK_DOES_NOT_VANISH);
  if (e->no_power)
    return falsified("%.2g times %s", s->finest, e->no_power);
  return falsified("%.2g times round-off%s at the finest step, decreasing like h^%.2f", s->finest,
                   s->away ? " away from the manifold" : "", s->exponent);
}

static struct shk_decision decide_vanishing(const struct shk_evidence *e)
{
  const struct settled s = settle_verdict(e);
  const bool yes = e->claimed == SHK_YES, kept = e->kind == SHK_EVIDENCE_KEPT;
  const bool power = follows_power(&s) || e->no_power;
  const bool remains = kept ? s.off >= (yes || s.count == 1 ? 1 : 2) : s.finest_off >= 2 && power;
  struct shk_decision decision;
  if (s.count < (kept ? 1 : 2))
    decision =
        undecided("only %d step%s could decide; two are needed", s.count, s.count == 1 ? "" : "s");
  else if (remains)
    decision = yes ? falsified_vanishing(e, &s) : held();
  else if (s.largest <= SHK_VANISHES)
    return decide_at_floor(e, &s);
  else if (s.smallest >= SHK_DOES_NOT_VANISH)
    decision = undecided(
        "at least %.2g times round-off, but %s", s.smallest,
        kept ? "measured at only one step size"
             : "it does not follow a power of the step size: perhaps it is a solver error");
  else
    decision = undecided("%.2g to %.2g times round-off: neither at round-off nor clearly above it",
                         s.smallest, s.largest);
  decision.votes = decision.verdict == SHK_VERDICT_HELD || (kept && !e->why);
  decision.exponent = e->no_power ? NAN : s.exponent;
  return decision;
}

/* ---- energy ---- */

static struct shk_decision decide_energy(const struct shk_evidence *e)
{
  const struct shk_drift *const drift = e->drift;
  const bool kept = drift->class == SHK_ENERGY_EXACT || drift->class == SHK_ENERGY_BOUNDED;
  const bool yes = e->claimed == SHK_YES;
  /* Runs that are too short to be classified serve another purpose and have no verdict. */
  if (drift->too_short)
    return decide_verdict(SHK_VERDICT_NONE, "%s", drift->why);
  if (drift->class == SHK_ENERGY_UNDETERMINED)
    return undecided("%s", drift->why);
  struct shk_decision decision;
  if (kept && (e->undecidable & SHK_FREE_MOTION))
    decision = undecided("in free motion any projection conserves the energy");
  else if (kept == yes && (kept || !drift->near_roundoff))
    decision = held();
  else if (kept)
    decision =
        undecided("bounded on this problem, as it is on many problems for reversible methods");
  else if (drift->near_roundoff)
    decision = undecided(
        "%s", yes ? "grows, but stays within 1000 times round-off, so the method is not to blame"
                  : "grows, but stays within 1000 times round-off");
  else
    decision = falsified("%s: %s", shk_energy_words[drift->class], drift->why);
  decision.votes = true;
  decision.at_floor = drift->class == SHK_ENERGY_EXACT && !(e->undecidable & SHK_FREE_MOTION);
  return decision;
}

/* In a longer run, what looks like a drift may turn out to be dissipation. The drift shows only
 * that the energy has not begun to level off. */
static struct shk_decision decide_dissipation(const struct shk_evidence *e)
{
  const struct shk_drift *const drift = e->drift;
  const bool dissipates = drift->class == SHK_ENERGY_DISSIPATES;
  const char *const word = shk_energy_words[drift->class];
  if (drift->too_short)
    return decide_verdict(SHK_VERDICT_NONE, "%s", drift->why);
  if (drift->class == SHK_ENERGY_UNDETERMINED)
    return undecided("%s", drift->why);
  if (drift->near_roundoff || drift->class == SHK_ENERGY_EXACT)
    return undecided("within 1000 times round-off");
  if (drift->class == SHK_ENERGY_DRIFT && drift->slope < 0)
    return undecided("decreases, but at a constant rate: %s", drift->why);
  struct shk_decision decision =
      dissipates == (e->claimed == SHK_YES) ? held() : falsified("%s: %s", word, drift->why);
  decision.votes = true;
  return decision;
}

/* ---- numbers ---- */

static struct shk_decision decide_number(const struct shk_evidence *e)
{
  const bool near = fabs(e->number - e->claimed) <= e->band;
  return decide_verdict(isnan(e->number) || (near && e->why) ? SHK_VERDICT_UNDECIDED
                        : near                               ? SHK_VERDICT_HELD
                                                             : SHK_VERDICT_FALSIFIED,
                        "%s", e->why ? e->why : "");
}

double shk_level_bound(const struct shk_evidence *e)
{
  return 2 * e->band + e->floor;
}

static struct shk_decision decide_level(const struct shk_evidence *e)
{
  if (isnan(e->number))
    return undecided("a violation is not a number");
  return e->number <= shk_level_bound(e)
             ? held()
             : falsified("up to %.2g, but claimed to stay within %.2g", e->number, e->band);
}

/* ---- all kinds ---- */

struct shk_decision shk_decide(const struct shk_evidence *e)
{
  static struct shk_decision (*const by_kind[])(const struct shk_evidence *) = {
      [SHK_EVIDENCE_ORDER] = decide_order,
      [SHK_EVIDENCE_CONSISTENCY] = decide_consistency,
      [SHK_EVIDENCE_DEFECT] = decide_vanishing,
      [SHK_EVIDENCE_KEPT] = decide_vanishing,
      [SHK_EVIDENCE_ENERGY] = decide_energy,
      [SHK_EVIDENCE_NUMBER] = decide_number,
      [SHK_EVIDENCE_DISSIPATION] = decide_dissipation,
      [SHK_EVIDENCE_LEVEL] = decide_level};
  struct shk_decision decision = by_kind[e->kind](e);
  const bool refuted = decision.verdict == SHK_VERDICT_FALSIFIED;
  const bool claims =
      e->drift || e->defects ? e->claimed != SHK_UNKNOWN : e->claimed != SHK_NO_ORDER;
  const char *instead = e->meaningless;
  if (!claims) /* if there is no claim, the reason explains why the value is undetermined */
    instead = e->hint                                                  ? e->hint
              : e->fit && !e->fit->determined                          ? e->fit->why
              : e->drift && e->drift->class == SHK_ENERGY_UNDETERMINED ? e->drift->why
                                                                       : "";
  if (instead) {
    const double exponent = decision.exponent;
    decision = decide_verdict(claims ? SHK_VERDICT_UNDECIDED : SHK_VERDICT_NONE, "%s", instead);
    decision.exponent = exponent;
  } else if (refuted && e->hint) {
    decision = falsified("%s; %s", decision.reason, e->hint);
  }
  decision.votes = decision.votes && e->claimed == SHK_NO;
  return decision;
}
