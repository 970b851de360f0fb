/* Studies of a store: planned again, with their records, analysed. */
#ifndef CLI_SHARED_STUDY_LOAD_STUDIES_H
#define CLI_SHARED_STUDY_LOAD_STUDIES_H

#include "harness/analysis/analysis.h"
#include "results/store/store.h"

struct shk_arguments;

struct shk_loaded_study {
  struct shk_store *store; /* the store of the study */
  struct shk_said *said;   /* cached descriptors of objects outside the program */
  struct shk_study *study;
  struct shk_plan *plan;
  struct shk_records *records; /* read them through results/record/record.h */
  /* All records without their parts, by cell of the plan, NULL if there is none. Only if `stay` was
   * given. */
  const struct shk_record *const *all;
  struct shk_analysis *analysis; /* curves and drifts only if `stay` was given */
};

/* Called for every study in turn, out of `count`; returns an exit status. The status of all studies
 * is the gravest: 1 before 3 before 0. 2 stops at once. */
typedef int shk_study_reader(void *user, const struct shk_loaded_study *loaded, int count);

/* Opens the store, reads all its studies, or the one called `wanted`, and returns a status. `stay`:
 * keep the records in memory and compute curves, for figures; otherwise a study may be larger than
 * memory. */
int shk_load_studies(const struct shk_arguments *arguments, const char *path, const char *wanted,
                     bool stay, shk_study_reader *reader, void *user);

#endif
