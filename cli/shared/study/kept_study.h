/* A study in its store, with the cached descriptors of the objects that it names outside the
 * program (harness/run/said.h). */
#ifndef CLI_SHARED_STUDY_KEPT_STUDY_H
#define CLI_SHARED_STUDY_KEPT_STUDY_H

#include "harness/plan/plan.h"
#include "results/store/store.h"

struct shk_arguments;

/* Stores the study's text and all descriptors that its analysis needs. Returns false after an error
 * message. */
bool shk_keep_study(const struct shk_arguments *arguments, struct shk_store *store,
                    const struct shk_study *study, const struct shk_plan *plan);
/* Also stores the bodies of its figures; call it when there are records. Returns false after an
 * error message. */
bool shk_keep_bodies(const struct shk_arguments *arguments, struct shk_store *store,
                     const struct shk_study *study, const struct shk_plan *plan);

#endif
