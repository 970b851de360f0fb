/* A study in its store, with what was answered of what it names outside the program
 * (harness/run/said.h). */
#ifndef CLI_SHARED_STUDY_KEPT_STUDY_H
#define CLI_SHARED_STUDY_KEPT_STUDY_H

#include "harness/plan/plan.h"
#include "results/store/store.h"

struct shk_arguments;

/* Keeps the study's text, and all that its analysis will ask. False after a complaint. */
bool shk_keep_study(const struct shk_arguments *arguments, struct shk_store *store,
                    const struct shk_study *study, const struct shk_plan *plan);
/* Keeps the scenes of its figures too, once there are records. False after a complaint. */
bool shk_keep_scenes(const struct shk_arguments *arguments, struct shk_store *store,
                     const struct shk_study *study, const struct shk_plan *plan);

#endif
