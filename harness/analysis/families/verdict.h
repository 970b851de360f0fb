/*
 * From numbers to verdicts: what a measurement decides about a claim, and why.
 */
#ifndef HARNESS_ANALYSIS_VERDICT_H
#define HARNESS_ANALYSIS_VERDICT_H

#include "engine/engine.h"
#include "harness/analysis/statistics/drift.h"
#include "harness/analysis/statistics/order.h"
#include "results/record/finding.h"

/* defect/floor of what vanishes, and of what does not. */
#define SHK_VANISHES 1e3
#define SHK_DOES_NOT_VANISH 1e6

struct shk_decision {
  enum shk_verdict verdict;
  char reason[256]; /* empty where the verdict needs none */
};

/* Half-width of the band around a claimed order: 0.1 in quad, 0.2 in double. */
double shk_order_band(const char *precision);

/* An order against the claim (SHK_NO_ORDER: none). `undecidable` is enum shk_undecidable of the
 * problem, with SHK_CHAOTIC only if the run goes beyond the problem's horizon. */
struct shk_decision shk_decide_order(const struct shk_fit *fit, int claimed, double band,
                                     unsigned undecidable);

/* A quantity that is claimed to vanish, or not to, from its sizes at several steps, each divided by
 * its floor. `why_undecidable` (may be NULL) says why the problem cannot tell "no" from "yes". With
 * a claim of "no" and all ratios at the floor, *at_floor is set: only all problems together can
 * falsify it. */
struct shk_decision shk_decide_vanishing(bool *at_floor, const double *ratios, int count,
                                         enum shk_answer claimed, const char *why_undecidable);

/* The energy class against the claim of bounded energy. */
struct shk_decision shk_decide_energy(bool *at_floor, const struct shk_drift *drift,
                                      enum shk_answer claimed, unsigned undecidable);

#endif
