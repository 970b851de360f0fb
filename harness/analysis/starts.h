/* Runs of one integrator from many starts, in both precisions; round-off growth is measured from
 * them. */
#ifndef HARNESS_ANALYSIS_STARTS_H
#define HARNESS_ANALYSIS_STARTS_H

#include "harness/analysis/families/findings.h"
#include "harness/analysis/statistics/growth.h"

/* One integrator on one kind of problem over the same time, from several starts: families in
 * double, and the same in quad, NULL if there is none. */
struct shk_starts {
  int count;
  const struct shk_family **low, **high;
};

/* Returns all such lists, in the order of their first double run, and their number in *count. */
struct shk_starts *shk_starts_gather(int *count, const struct shk_families *all);
void shk_starts_free(struct shk_starts *starts, int count);

/* Adds the findings of a list: the growth over its starts, at each step of its first family. */
void shk_starts_report(struct shk_findings *findings, const struct shk_plan *plan,
                       struct shk_families *all, const struct shk_starts *starts);

/* Fills the pair of one start at a step from its runs in both precisions; false if one is
 * missing or has no series. */
bool shk_growth_pair_of(struct shk_growth_pair *pair, const struct shk_family *low,
                        const struct shk_family *high, double step);

/* Returns the length of the name of a problem, without its parameters. */
int shk_problem_name_length(const char *problem);

#endif
