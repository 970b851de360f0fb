/*
 * Findings of cells that measure structure (types that measures/quantities.def measures in STEPS).
 *
 * Quantities (types as in engine/cells/cells.h), each over the steps of one problem, integrator
 * and precision, with the claim that it decides:
 *   symplecticity, presymplecticity, symmetry, reversibility, fibre
 *                      the defect at the finest step, scaled as in measures/structure.h
 *   TYPE exponent      of the step, if the defect does not vanish; no claim refers to it
 */
#ifndef HARNESS_ANALYSIS_DEFECTS_H
#define HARNESS_ANALYSIS_DEFECTS_H

#include "harness/analysis/families/verdict.h"

/* A defect at several steps. */
struct shk_defect {
  double step;
  double size, floor;    /* floor of differences, rounding and control */
  const char *no_power;  /* from the measure (measures/asks.h): it need not fall with the step */
  bool weak;             /* the step's own error is too near the floor for a claim to be held */
  bool settled;          /* false: the differences did not settle, nothing is decided */
  double away, rounding; /* distance of the image from the manifold, and the part of it that
                            rounding explains; 0 and 1 if the measure has no manifold */
};

/* Compares the defect with the claim, largest step first. `why_undecidable` and *at_floor are as
 * for shk_decide_vanishing. *exponent: of the step, at the finest pair; NaN if the defect
 * vanishes. */
struct shk_decision shk_decide_defect(bool *at_floor, double *exponent,
                                      const struct shk_defect *defects, int count,
                                      enum shk_answer claimed, const char *why_undecidable);

#endif
