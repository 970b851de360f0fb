/*
 * What was answered of problems and integrators that the program alone cannot tell of: those of
 * plug-ins, those that name files, those that run programs. A study's store keeps it (store.h), so
 * that the study is read, planned, analysed and drawn where none of these is at hand: whoever reads
 * a store opens no file that it names, loads no plug-in and runs no program.
 */
#ifndef HARNESS_RUN_ANSWERS_H
#define HARNESS_RUN_ANSWERS_H

#include "engine/context.h"
#include "harness/plan/plan.h"
#include "results/store/store.h"

struct shk_answers;

/* What is asked through its provider is passed on to `live`, which may be NULL and must outlive it,
 * or to what is built in, and kept. */
struct shk_answers *shk_answers_new(const struct shk_remote_provider *live);
/* Adds what a store keeps for a study, descriptors included, before anything is asked: then that is
 * the answer. False with the reason. */
bool shk_answers_read(struct shk_answers *answers, struct shk_store *store, const char *study,
                      struct shk_message *error);
/* Keeps all of it in the store for the study. False with the reason. */
bool shk_answers_write(const struct shk_answers *answers, struct shk_store *store,
                       const char *study, struct shk_message *error);

/* For a context (engine/context.h); lives as long as the answers. */
const struct shk_remote_provider *shk_answers_provider(const struct shk_answers *answers);

/* Asks all that the analysis of the plan will ask. False with the reason if something is not known:
 * there is neither an answer nor, at hand, what would give it. */
bool shk_answers_ask(struct shk_answers *answers, const struct shk_plan *plan,
                     struct shk_message *error);

/* Accepts NULL. */
void shk_answers_free(struct shk_answers *answers);

#endif
