/*
 * Comparison of our references with published values.
 *
 * For every printed number: the last digits beyond one unit of the last printed place in which it
 * differs from ours are wrong, as far as our own digits are certain; the other digits agree. A
 * group (positions, velocities, …) has the result of its worst number. Evidence: the constraint
 * violations of both states, and the digits that independent runs of the same study have in common
 * with ours and with the literature.
 *
 * Verdict on *our* reference: falsified if an independent run supports the literature in digits
 * that we call wrong; held if independent runs support only ours, or no digit is called wrong;
 * undecided if none supports either. A run supports a value if it is nearer to it than a third of
 * the difference in question. It counts only if it differs from the next coarser run with the same
 * method by less than that.
 */
#ifndef HARNESS_ANALYSIS_PUBLISHED_H
#define HARNESS_ANALYSIS_PUBLISHED_H

#include "harness/analysis/analysis.h"
#include "harness/references/literature.h"

/* Compares the references of a plan with all literature in a folder, and adds a finding for each
 * group, "digits of positions (NAME)" and so on, in the order of the files. Returns false with the
 * reason if a file is invalid. */
bool shk_published_report(struct shk_analysis *analysis, const char *folder,
                          const struct shk_plan *plan, struct shk_records *records,
                          struct shk_message *error);

#endif
