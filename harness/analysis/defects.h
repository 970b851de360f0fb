/*
 * Findings about cells that measure structure (of a kind that measures/quantities.def measures in
 * STEPS).
 *
 * Quantities (kinds as in engine/cells/structure.h), each over the steps of one problem, integrator
 * and precision, with the claim that it decides:
 *   symplecticity, presymplecticity, symmetry, reversibility, fibre
 *                      the defect at the finest step, scaled as in measures/structure.h
 *   KIND exponent      of the step, in what does not vanish; no claim is made of it
 */
#ifndef HARNESS_ANALYSIS_DEFECTS_H
#define HARNESS_ANALYSIS_DEFECTS_H

#include "harness/analysis/families/findings.h"

/* A defect at several steps. */
struct shk_defect {
  double step;
  double size, floor;    /* floor: the differences', the rounding's, the control's */
  const char *no_power;  /* of its asks (measures/asks.h): it need not fall with the step */
  bool settled;          /* false: the differences themselves did not settle, nothing is decided */
  double away, rounding; /* how far the image is from where the map should lead, and how far
                            rounding puts it; 0 and 1 where that is no question */
};

/* The defect against the claim: with defect/floor ≤ 10³ at two or more steps, and all of them, it
 * vanishes; with ≥ 10⁶ at the finest two or more and following a power of the step, unless it is
 * round-off, it does not; else undecided. `why_undecidable` and *at_floor are as for
 * shk_decide_vanishing. The steps come largest first. *exponent: of the step, at the finest pair;
 * NaN where it vanishes. */
struct shk_decision shk_decide_defect(bool *at_floor, double *exponent,
                                      const struct shk_defect *defects, int count,
                                      enum shk_answer claimed, const char *why_undecidable);

/* Adds the findings about a plan's structure cells. */
void shk_defects_report(struct shk_findings *findings, const struct shk_plan *plan,
                        struct shk_records *records, const struct shk_analysis_source *source);

#endif
