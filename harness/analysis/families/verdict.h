/* Verdicts: comparison of a measurement with a claim, with the reason. */
#ifndef HARNESS_ANALYSIS_VERDICT_H
#define HARNESS_ANALYSIS_VERDICT_H

#include "engine/engine.h"
#include "harness/analysis/families/bounds.h"
#include "harness/analysis/statistics/drift.h"
#include "harness/analysis/statistics/order.h"
#include "results/record/finding.h"

struct shk_decision {
  enum shk_verdict verdict;
  char reason[256]; /* empty if the verdict needs none */
};

/* Returns the half-width of the band around a claimed order in this precision. */
double shk_order_band(const char *precision);

/* Compares an order with the claim (SHK_NO_ORDER: none). `undecidable` is the problem's enum
 * shk_undecidable, with SHK_CHAOTIC only if the run goes beyond the problem's horizon. */
struct shk_decision shk_decide_order(const struct shk_fit *fit, int claimed, double band,
                                     unsigned undecidable);

/* Decides if a method without a claimed order follows the motion: falsified where their
 * order, or the slope of errors of at least `visible`, is below `least`, else no verdict. */
struct shk_decision shk_decide_consistency(const struct shk_fit *fit, int least, double visible,
                                           unsigned undecidable);

/* Decides if a quantity vanishes, as claimed or not, from its sizes at several steps, each divided
 * by its floor. `why_undecidable`: the reason why the problem cannot decide "no"; NULL if it can.
 * *at_floor: claimed "no", but all ratios are at the floor, so that only all problems together
 * decide. */
struct shk_decision shk_decide_vanishing(bool *at_floor, const double *ratios, int count,
                                         enum shk_answer claimed, const char *why_undecidable);

/* Compares the energy class with the claim of bounded energy. */
struct shk_decision shk_decide_energy(bool *at_floor, const struct shk_drift *drift,
                                      enum shk_answer claimed, unsigned undecidable);

#endif
