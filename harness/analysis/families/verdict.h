/* Verdicts: one function from evidence and its band to held, falsified or undecided, with the
 * reason. */
#ifndef HARNESS_ANALYSIS_VERDICT_H
#define HARNESS_ANALYSIS_VERDICT_H

#include "engine/engine.h"
#include "harness/analysis/families/bounds.h"
#include "harness/analysis/statistics/drift.h"
#include "harness/analysis/statistics/order.h"
#include "results/record/finding.h"

/* A quantity at a step that is claimed to vanish, or not to. */
struct shk_defect {
  double step, size, floor; /* floor of differences, rounding and control */
  bool weak;                /* the step's own error is too near the floor for a claim to be held */
  bool unsettled;           /* its differences did not settle: it decides nothing */
  double away, rounding;    /* distance of the image from the manifold, and the part of it that
                            rounding explains; 0 if the measure has no manifold */
};

enum shk_evidence_kind {
  SHK_EVIDENCE_ORDER,
  /* Orders of methods that claim none: falsified where the order, or the slope of errors that are
   * visible, is below the claimed one, else no verdict. */
  SHK_EVIDENCE_CONSISTENCY,
  SHK_EVIDENCE_DEFECT, /* of one step: scales with the step unless it vanishes */
  SHK_EVIDENCE_KEPT,   /* largest over a run, where one step may falsify */
  SHK_EVIDENCE_ENERGY,
  SHK_EVIDENCE_NUMBER
};

struct shk_evidence {
  enum shk_evidence_kind kind;
  int claimed; /* an order or a number, SHK_NO_ORDER: none; else an enum shk_answer */
  double band; /* half-width about an order or a number; for consistency the least visible error */
  const struct shk_fit *fit;        /* orders */
  const struct shk_drift *drift;    /* the energy */
  const struct shk_defect *defects; /* largest step first */
  int count;
  double number;
  /* The problem's enum shk_undecidable; SHK_CHAOTIC only if the run goes beyond its horizon. */
  unsigned undecidable;
  /* Reasons; NULL if there is none: why the claim means nothing here; why the problem cannot uphold
   * a property, or refute its denial; why it cannot refute the claim; the end of the reason of a
   * claim that is falsified. */
  const char *meaningless, *why, *excuse, *hint;
  /* Completes "N times …" about a defect that need not fall with the step (measures/asks.h). */
  const char *no_power;
};

struct shk_decision {
  enum shk_verdict verdict;
  char reason[256]; /* empty if the verdict needs none */
  /* On a claim of "no", which only all problems together can falsify: the problem can decide it,
   * and found the quantity at its floor. */
  bool votes, at_floor;
  double exponent; /* of the step, at the two finest; NaN for a quantity that vanishes */
};

/* End of a hint about multipliers whose order is not claimed. */
#define SHK_OWN_DEFINITION ", a definition of its own"
struct shk_decision shk_decide(const struct shk_evidence *evidence);

/* Returns the half-width of the band around a claimed order in this precision. */
double shk_order_band(const char *precision);
/* Returns a defect in floors, infinite for NaN; *away: by the distance from the manifold, since the
 * form alone is inconclusive. */
double shk_defect_ratio(bool *away, const struct shk_defect *defect);

#endif
