/* Reading the studies of a store: each is planned again, and its records are analysed. */
#ifndef CLI_SHARED_STUDY_LOAD_STUDIES_H
#define CLI_SHARED_STUDY_LOAD_STUDIES_H

#include "cli/shared/study/study_job.h"

/* Called for each of `count` studies in turn; returns an exit status. The status of all studies is
 * the gravest: 1 before 3 before 0. Status 2 stops at once. */
typedef int shk_study_reader(void *user, const struct shk_study_job *loaded, int count);

/* Opens the store, reads its studies, or the one called `wanted` (NULL: all), and returns their
 * status. `stay`: the records stay in memory and there are curves, for figures; otherwise a study
 * may be larger than memory. */
int shk_load_studies(const struct shk_arguments *arguments, const char *path, const char *wanted,
                     bool stay, shk_study_reader *reader, void *user);

#endif
