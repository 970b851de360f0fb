/* Reads the studies in a store, plans them again, and analyses their records. */
#ifndef CLI_SHARED_STUDY_LOAD_STUDIES_H
#define CLI_SHARED_STUDY_LOAD_STUDIES_H

#include "cli/shared/study/study_job.h"

/* A callback that is called for each of the `count` studies in turn and returns an exit status. The
 * combined status of all studies is the most serious one, where 1 takes precedence over 3, and 3
 * over 0. A status of 2 stops immediately. */
typedef int shk_study_reader(void *user, const struct shk_study_job *loaded, int count);

/* Opens a store, reads all of its studies (or only the study `wanted` if that is not NULL), and
 * returns the combined status. If `stay` is true, the records stay in memory and curves are
 * computed, as figures require. Otherwise, a study can be larger than memory. */
int shk_load_studies(const struct shk_arguments *arguments, const char *path, const char *wanted,
                     bool stay, shk_study_reader *reader, void *user);

#endif
