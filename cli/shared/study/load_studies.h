/* Reads the studies in a store. Each study is planned again, and its records are analysed. */
#ifndef CLI_SHARED_STUDY_LOAD_STUDIES_H
#define CLI_SHARED_STUDY_LOAD_STUDIES_H

#include "cli/shared/study/study_job.h"

/* Called for each of the `count` studies in turn. Returns an exit status. The status of all studies
 * together is the most serious one: 1 before 3 before 0. Status 2 stops immediately. */
typedef int shk_study_reader(void *user, const struct shk_study_job *loaded, int count);

/* Opens the store, reads all its studies or only the one called `wanted` (if not NULL), and returns
 * their combined status. If `stay` is true, the records stay in memory and there are curves, which
 * figures need. Otherwise, a study can be larger than memory. */
int shk_load_studies(const struct shk_arguments *arguments, const char *path, const char *wanted,
                     bool stay, shk_study_reader *reader, void *user);

#endif
