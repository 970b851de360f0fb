/* Verdicts: one function from evidence and its band to a verdict (held, falsified, undecided or
 * none) with the reason. */
#ifndef HARNESS_ANALYSIS_VERDICT_H
#define HARNESS_ANALYSIS_VERDICT_H

#include "engine/engine.h"
#include "harness/analysis/families/bounds.h"
#include "harness/analysis/statistics/drift.h"
#include "harness/analysis/statistics/order.h"
#include "results/record/finding.h"

/* A quantity at a step that is claimed to vanish, or not to. */
struct shk_defect {
  double step, size, floor; /* floor: from differences, rounding and control */
  bool weak;                /* the step's own error is too near the floor to uphold a claim */
  bool unsettled;           /* its floor is too far above rounding: it decides nothing */
  double away, rounding;    /* distance of the image from the manifold (0 if the measure has none),
                            and its round-off */
};

enum shk_evidence_kind {
  SHK_EVIDENCE_ORDER,
  /* Orders of methods that claim none: falsified where the order, or the slope of visible errors,
   * is clearly below `claimed`, which every method has; else no verdict. */
  SHK_EVIDENCE_CONSISTENCY,
  SHK_EVIDENCE_DEFECT, /* of one step: scales with the step unless it vanishes */
  SHK_EVIDENCE_KEPT,   /* largest over a run, where one step may falsify */
  SHK_EVIDENCE_ENERGY,
  SHK_EVIDENCE_DISSIPATION,
  SHK_EVIDENCE_NUMBER,
  SHK_EVIDENCE_LEVEL /* a number that is claimed to stay below the level `band`, with its floor */
};

struct shk_evidence {
  enum shk_evidence_kind kind;
  int claimed; /* an order or a number, SHK_NO_ORDER: none; else an enum shk_answer */
  double band; /* half-width about an order or a number; for consistency the least visible error */
  const struct shk_fit *fit;        /* orders */
  const struct shk_drift *drift;    /* the energy */
  const struct shk_defect *defects; /* largest step first */
  int count;
  double number, floor; /* floor: of a level */
  /* The problem's enum shk_undecidable; SHK_CHAOTIC only if the run goes beyond its horizon. */
  unsigned undecidable;
  /* Reasons; NULL: none. meaningless: why the claim means nothing here. why: why a quantity at its
   * floor, or a number near its claim, decides nothing. hint: end of the reason if the claim is falsified; the reason if there is no claim. */
  const char *meaningless, *why, *hint;
  /* Completes "N times …" about a defect that need not fall with the step (measures/asks.h). */
  const char *no_power;
};

struct shk_decision {
  enum shk_verdict verdict;
  char reason[SHK_MESSAGE_SIZE]; /* empty if the verdict needs none */
  /* For a claim of "no", which only all problems together can falsify: the problem can decide it;
   * the quantity was at its floor. */
  bool votes, at_floor;
  /* For a claim of an order, which only three problems together can falsify from above: the order is
   * clearly higher, with no visible term of the claimed one; the order is the claimed one. */
  bool above, as_claimed;
  double exponent; /* power of the step, between the two finest; NaN: none */
};

/* End of a hint about multipliers whose order is not claimed, and the hint about others that tend
 * to no multiple of the reference. */
#define SHK_OWN_DEFINITION ", a definition of its own"
#define SHK_NO_MULTIPLIER "neither the multiplier of this constraint nor a multiple of it"

/* Returns the largest number that a claim of a level permits: twice the level, since codes compare
 * different quantities with their tolerance, and the floor. */
double shk_level_bound(const struct shk_evidence *evidence);
struct shk_decision shk_decide(const struct shk_evidence *evidence);

/* Returns the half-width of the band around a claimed order in this precision. */
double shk_order_band(const char *precision);
/* Returns a defect in floors, infinite for NaN. *away: it is the distance from the manifold, larger
 * than the defect of the form, which does not decide. */
double shk_defect_ratio(bool *away, const struct shk_defect *defect);

#endif
