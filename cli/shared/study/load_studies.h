/* Studies of a store: planned anew, with their records, analysed. */
#ifndef CLI_SHARED_STUDY_LOAD_STUDIES_H
#define CLI_SHARED_STUDY_LOAD_STUDIES_H

#include "harness/analysis/analysis.h"
#include "results/store/stored_records.h"

struct shk_arguments;

struct shk_loaded_study {
  struct shk_store *store; /* where it comes from */
  struct shk_said *said;   /* of what the study names outside the program */
  struct shk_study *study;
  struct shk_plan *plan;
  struct shk_records *records; /* take them (results/record/record.h) */
  /* All of them without their parts, by cell of the plan, NULL where there is none; only if they
   * were asked to stay. */
  const struct shk_record *const *all;
  struct shk_analysis *analysis; /* with curves and drifts only if the records stay */
};

/* Called with every study in turn, out of `count`; returns an exit status. That of all studies is
 * the gravest: 1 before 3 before 0. 2 stops at once. */
typedef int shk_study_reader(void *user, const struct shk_loaded_study *loaded, int count);

/* Opens the store, reads its studies, or the one of that name (NULL: all), and returns a status.
 * Plug-ins, programs and files of a study are described as the store keeps them
 * (harness/run/said.h), or as the command line gives them: files that the store names are opened
 * in the folder of --files only.
 * `stay`: keep the records, and make curves, for figures; otherwise a study may be larger than
 * memory. */
int shk_load_studies(const struct shk_arguments *arguments, const char *path, const char *wanted,
                     bool stay, shk_study_reader *reader, void *user);

#endif
