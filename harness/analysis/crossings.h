/*
 * Findings of cells of type "regularity" (measures/regularity.c), for each family of one problem,
 * integrator and precision:
 *
 *   least rank, least singular value    the worst over the steps
 *   crossings, near misses              at the finest step that finished
 *   crossing times                      their largest distance from the exact ones at the finest
 *                                       step, where those are known; "order of crossing times" in
 *                                       the step
 *   changes of inertia                  the most over the steps; where H is not separable or
 *                                       constraints depend on momenta
 *   impasse time                        extrapolated in the step, ± the last correction and the
 *                                       uncertainty of the series
 *   impasse exponent                    extrapolated likewise; -½ at a fold
 *   regularity                          cells that were refused, with the reason, or not run
 *
 * A cell that stopped early at an impasse is an answer here. Methods claim none of this. One
 * finding is falsified without a claim: if the inertia of N changes within a run, a fold was
 * stepped over, and the rest of the run is no solution.
 */
#ifndef HARNESS_ANALYSIS_CROSSINGS_H
#define HARNESS_ANALYSIS_CROSSINGS_H

#include "harness/analysis/families/findings.h"

void shk_crossings_report(struct shk_findings *findings, const struct shk_plan *plan,
                          struct shk_records *records, const struct shk_analysis_source *source);

/* Returns the limit of values at steps, largest step first, that converge to it like a power of the
 * step, with the order that the three finest show, or 1 if they show none. *uncertainty: its last
 * correction. NaN for fewer than two values. */
double shk_extrapolate(double *uncertainty, const double *steps, const double *values, int count);

#endif
