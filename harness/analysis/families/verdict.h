/* Verdicts: a single function from evidence and its band to a verdict (held, falsified, undecided
 * or none) with the reason. */
#ifndef HARNESS_ANALYSIS_VERDICT_H
#define HARNESS_ANALYSIS_VERDICT_H

#include "engine/engine.h"
#include "harness/analysis/families/bounds.h"
#include "harness/analysis/statistics/drift.h"
#include "harness/analysis/statistics/order.h"
#include "results/record/finding.h"

/* A quantity at one step that is claimed to vanish, or claimed not to. */
struct shk_defect {
  double step, size, floor; /* the floor comes from differences, rounding and the control */
  /* true if the step's own error is too near the floor to confirm a claim */
  bool weak;
  bool unsettled; /* true if its floor is too far above rounding to decide anything */
  /* distance of the image from the manifold (0 if the measure has none), and its round-off */
  double away, rounding;
};

enum shk_evidence_kind {
  SHK_EVIDENCE_ORDER,
  /* Orders of methods that claim none. The verdict is falsified if the order, or the slope of
   * visible errors, is clearly below `claimed`, which every method must have; otherwise there is no
   * verdict. */
  SHK_EVIDENCE_CONSISTENCY,
  SHK_EVIDENCE_DEFECT, /* of one step; it scales with the step unless it vanishes */
  SHK_EVIDENCE_KEPT,   /* largest value over a run; a single step may falsify the claim */
  SHK_EVIDENCE_ENERGY,
  SHK_EVIDENCE_DISSIPATION,
  SHK_EVIDENCE_NUMBER,
  SHK_EVIDENCE_LEVEL /* a number that is claimed to stay below the level `band`, with its floor */
};

struct shk_evidence {
  enum shk_evidence_kind kind;
  int claimed; /* an order or a number (SHK_NO_ORDER: none), or an enum shk_answer */
  /* half-width around an order or a number; for consistency, the least visible error */
  double band;
  const struct shk_fit *fit;        /* for orders */
  const struct shk_drift *drift;    /* for the energy */
  const struct shk_defect *defects; /* the largest step comes first */
  int count;
  double number, floor; /* `floor` is that of a level */
  /* The problem's enum shk_undecidable, with SHK_CHAOTIC only if the run goes beyond the
   * horizon. */
  unsigned undecidable;
  /* Reasons, which may be NULL. meaningless: why the claim means nothing here. why: why a quantity
   * at its floor, or a number near its claim, decides nothing. hint: the end of the reason if the
   * claim is falsified, and the whole reason if there is no claim. */
  const char *meaningless, *why, *hint;
  /* The words that follow "N times" for a defect that need not fall with the step
   * (measures/asks.h). */
  const char *no_power;
};

struct shk_decision {
  enum shk_verdict verdict;
  char reason[SHK_MESSAGE_SIZE]; /* empty if the verdict needs none */
  /* For a claim of "no", which only all problems together can falsify: whether the problem can
   * decide it, and whether the quantity was at its floor. */
  bool votes, at_floor;
  /* For a claim of an order, which only three problems together can falsify from above: whether the
   * order is clearly higher, without a visible term of the claimed order, and whether it is the
   * claimed order. */
  bool above, as_claimed;
  double exponent; /* power of the step between the two finest steps; NaN if there is none */
};

/* End of a hint about multipliers whose order is not claimed, and the hint about multipliers that
 * tend to no multiple of the reference. */
#define SHK_OWN_DEFINITION ", a definition of its own"
#define SHK_NO_MULTIPLIER "neither the multiplier of this constraint nor a multiple of it"

/* Returns the largest number that a claim of a level permits: twice the level, because codes
 * compare different quantities with their tolerance, plus the floor. */
double shk_level_bound(const struct shk_evidence *evidence);
struct shk_decision shk_decide(const struct shk_evidence *evidence);

/* Returns the half-width of the band around a claimed order in this precision. */
double shk_order_band(const char *precision);
/* Returns a defect in units of its floor, infinite for NaN. Sets *away if this is the distance from
 * the manifold; that is then larger than the defect of the form, which does not decide. */
double shk_defect_ratio(bool *away, const struct shk_defect *defect);

#endif
