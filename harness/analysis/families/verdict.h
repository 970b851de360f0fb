/* Verdicts: one function derives a verdict (held, falsified, undecided or none) and its reason from
 * evidence and a band. */
#ifndef HARNESS_ANALYSIS_VERDICT_H
#define HARNESS_ANALYSIS_VERDICT_H

#include "engine/engine.h"
#include "harness/analysis/families/bounds.h"
#include "harness/analysis/statistics/drift.h"
#include "harness/analysis/statistics/order.h"
#include "results/record/finding.h"

/* A quantity at one step that is claimed to vanish or claimed not to vanish. */
struct shk_defect {
  double step, size, floor; /* the floor includes differences, rounding and the control */
  /* true if the step's own error is too close to the floor to confirm a claim */
  bool weak;
  bool unsettled; /* true if its floor is too far above rounding to decide anything */
  /* distance of the image from the manifold (0 if the measure has no such distance), and its
   * round-off */
  double away, rounding;
};

enum shk_evidence_kind {
  SHK_EVIDENCE_ORDER,
  /* Orders of methods that claim none. The claim is falsified if the order, or the slope of visible
   * errors, is clearly below `claimed`, which every method must reach. Otherwise there is no
   * verdict. */
  SHK_EVIDENCE_CONSISTENCY,
  SHK_EVIDENCE_DEFECT, /* defect of one step; it decreases with the step or vanishes */
  SHK_EVIDENCE_KEPT,   /* largest value over a run; a single step may falsify the claim */
  SHK_EVIDENCE_ENERGY,
  SHK_EVIDENCE_DISSIPATION,
  SHK_EVIDENCE_NUMBER,
  SHK_EVIDENCE_LEVEL /* a number that is claimed to stay below the level `band`, and its floor */
};

struct shk_evidence {
  enum shk_evidence_kind kind;
  int claimed; /* an order or a number (SHK_NO_ORDER: none), or an enum shk_answer */
  /* half-width around an order or a number; for consistency, the smallest visible error */
  double band;
  const struct shk_fit *fit;        /* for orders */
  const struct shk_drift *drift;    /* for the energy */
  const struct shk_defect *defects; /* the largest step comes first */
  int count;
  double number, floor; /* `floor` is that of the level */
  /* The problem's enum shk_undecidable. SHK_CHAOTIC is included only if the run exceeds the
   * horizon. */
  unsigned undecidable;
  /* Reasons, which may be NULL. meaningless: why the claim is meaningless here. why: why a quantity
   * at its floor, or a number near its claim, decides nothing. hint: the end of the reason if the
   * claim is falsified, and the entire reason if nothing is claimed. */
  const char *meaningless, *why, *hint;
  /* The words that follow "N times" for a defect that need not decrease with the step
   * (measures/asks.h). */
  const char *no_power;
};

struct shk_decision {
  enum shk_verdict verdict;
  char reason[SHK_MESSAGE_SIZE]; /* empty if the verdict needs no reason */
  /* For a claim of "no", which only all problems together can falsify: whether this problem can
   * decide the claim, and whether the quantity was at its floor. */
  bool votes, at_floor;
  /* For a claim of an order, which only three problems together can falsify because the order is
   * higher: whether the order is clearly higher and no term of the claimed order is visible, and
   * whether it is the claimed order. */
  bool above, as_claimed;
  double exponent; /* power of the step between the two finest steps; NaN if there is none */
};

/* The end of a hint about multipliers whose order is not claimed, and the hint about multipliers
 * that do not tend to a multiple of the reference. */
#define SHK_OWN_DEFINITION ", a definition of its own"
#define SHK_NO_MULTIPLIER "neither the multiplier of this constraint nor a multiple of it"

/* Returns the largest number that is compatible with the claim of a level: twice the level, because
 * codes compare different quantities with their tolerance, plus the floor. */
double shk_level_bound(const struct shk_evidence *evidence);
struct shk_decision shk_decide(const struct shk_evidence *evidence);

/* Returns the half-width of the band around a claimed order in this precision. */
double shk_order_band(const char *precision);
/* Returns a defect in units of its floor, or infinity if it is NaN. Sets *away if the result is the
 * distance from the manifold. In that case the distance is larger than the defect of the form,
 * which does not decide. */
double shk_defect_ratio(bool *away, const struct shk_defect *defect);

#endif
