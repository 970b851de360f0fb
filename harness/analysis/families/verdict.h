/* Derives verdicts (held, falsified, undecided or none), along with the reasons for them, from
 * evidence and a band. */
#ifndef HARNESS_ANALYSIS_VERDICT_H
#define HARNESS_ANALYSIS_VERDICT_H

#include "engine/engine.h"
#include "harness/analysis/families/bounds.h"
#include "harness/analysis/statistics/drift.h"
#include "harness/analysis/statistics/order.h"
#include "results/record/finding.h"

/* A quantity that is claimed to vanish or not to vanish, measured at one step size. */
struct shk_defect {
  /* the floor includes finite-difference errors, rounding errors and the error of the control */
  double step, size, floor;
  /* true if the error of the step itself is too close to the floor to confirm a claim */
  bool weak;
  bool unsettled; /* true if the floor is so far above round-off that it decides nothing */
  /* the distance of the image from the manifold (0 if the measure has no such distance), and the
   * round-off in that distance */
  double away, rounding;
};

enum shk_evidence_kind {
  SHK_EVIDENCE_ORDER,
  /* The order of a method that claims no order. `claimed` is the order that every method must
   * reach. The verdict is falsified if the order, or the slope of visible errors, is clearly below
   * `claimed`. Otherwise there is no verdict. */
  SHK_EVIDENCE_CONSISTENCY,
  SHK_EVIDENCE_DEFECT, /* the defect of one step, which decreases with the step or vanishes */
  /* the largest value during a run; a single step size is enough to falsify the claim */
  SHK_EVIDENCE_KEPT,
  SHK_EVIDENCE_ENERGY,
  SHK_EVIDENCE_DISSIPATION,
  SHK_EVIDENCE_NUMBER,
  SHK_EVIDENCE_LEVEL /* a number with a floor that is claimed to stay below the level `band` */
};

struct shk_evidence {
  enum shk_evidence_kind kind;
  int claimed; /* an order or a number (SHK_NO_ORDER if there is none), or an enum shk_answer */
  /* the half-width of the band around an order or a number; for consistency, the smallest visible
   * error */
  double band;
  const struct shk_fit *fit;        /* used for orders */
  const struct shk_drift *drift;    /* used for the energy */
  const struct shk_defect *defects; /* sorted by step size, with the largest step first */
  int count;
  double number, floor; /* `floor` is used only for levels */
  /* The problem's flags from enum shk_undecidable. SHK_CHAOTIC is included only if the run is
   * longer than the horizon. */
  unsigned undecidable;
  /* Reasons, any of which may be NULL. `meaningless` explains why the claim is meaningless here.
   * `why` explains why a quantity at its floor, or a number close to the claimed one, decides
   * nothing. `hint` is appended to the reason if the claim is falsified, and is the entire reason
   * if nothing is claimed. */
  const char *meaningless, *why, *hint;
  /* The words printed after "N times" if the defect does not have to decrease with the step
   * (measures/asks.h). */
  const char *no_power;
};

struct shk_decision {
  enum shk_verdict verdict;
  char reason[SHK_MESSAGE_SIZE]; /* empty if the verdict needs no explanation */
  /* For a claim of "no", whether this problem can decide the claim and whether the quantity was at
   * its floor. Such a claim can be falsified only by all problems together. */
  bool votes, at_floor;
  /* For a claimed order, whether the order is clearly higher with no visible term of the claimed
   * order, and whether the order is the claimed one. At least three problems are needed to falsify
   * a claim because the order is too high. */
  bool above, as_claimed;
  /* the power of the step, computed from the two finest steps; NaN if there is none */
  double exponent;
};

/* Parts of hints about multipliers. The first is the ending used if no order is claimed, and the
 * second is the hint for multipliers that do not tend to a multiple of the reference. */
#define SHK_OWN_DEFINITION ", a definition of its own"
#define SHK_NO_MULTIPLIER "neither the multiplier of this constraint nor a multiple of it"

/* Returns the largest number that is compatible with a claimed level. It is the floor plus twice
 * the level, because codes do not all compare the same quantity with their tolerance. */
double shk_level_bound(const struct shk_evidence *evidence);
struct shk_decision shk_decide(const struct shk_evidence *evidence);

/* Returns the half-width of the band around claimed orders in the given precision. */
double shk_order_band(const char *precision);
/* Returns a defect in units of its floor, or infinity if it is NaN. Sets *away to true if the
 * result is the distance from the manifold, that is, if the defect of the form is too small to be
 * decisive and the distance is larger. */
double shk_defect_ratio(bool *away, const struct shk_defect *defect);

#endif
