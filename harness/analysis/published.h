/*
 * Comparison of our references with published values.
 *
 * A printed number may differ from ours by one unit of its last place. If it differs by more, the
 * digits that the difference reaches are wrong, provided that our two references differ by less
 * than a tenth of that; all other digits agree. A group (positions, velocities, …) has the result
 * of its worst number. Evidence: the constraint violations of both states, and the digits that
 * independent runs of the same study have in common with ours and with the literature.
 *
 * Verdict on *our* reference: falsified if an independent run supports the literature in digits
 * that we call wrong; undecided if no independent run finished, or if digits are called wrong and
 * no run supports ours; otherwise held. A run supports a value if it is nearer to it than a third
 * of the difference in question, and as near to the next coarser run of its method.
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
