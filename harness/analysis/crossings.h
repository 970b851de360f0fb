/*
 * Findings of cells of type "regularity" (measures/regularity.c): rank, crossings and impasses.
 */
#ifndef HARNESS_ANALYSIS_CROSSINGS_H
#define HARNESS_ANALYSIS_CROSSINGS_H

#include "harness/analysis/families/findings.h"

/*
 * Findings for each family of one problem, integrator and precision:
 *
 *   least rank, least singular value    the worst over the steps
 *   crossings, near misses              at the finest step that finished
 *   crossing times                      their largest distance from the exact ones at the finest
 *                                       step, if those are known; "order of crossing times" in
 *                                       the step
 *   changes of inertia                  the most over the steps; if H is not separable or
 *                                       constraints depend on momenta
 *   impasse time                        extrapolated in the step, ± the last correction and the
 *                                       uncertainty of the series
 *   impasse exponent                    extrapolated likewise; -½ at a fold
 *   regularity                          cells that were refused, with the reason, or not run
 *
 * A cell that stopped early at an impasse is an answer here. Methods claim none of these
 * quantities. One finding is falsified without a claim: if the inertia of N changes within a run, a
 * fold was stepped over, and the rest of the run is not a solution.
 */
void shk_crossings_report(struct shk_findings *findings, const struct shk_plan *plan,
                          struct shk_records *records, const struct shk_analysis_source *source);

/* Extrapolates values at steps, largest step first, that converge like a power of the step. The
 * order is that of the three finest, or 1 if they show none. *uncertainty: the last correction.
 * Returns NaN for fewer than two values. */
double shk_extrapolate(double *uncertainty, const double *steps, const double *values, int count);

#endif
