/*
 * What was answered of problems and integrators that the program alone cannot tell of: those of
 * plug-ins, those that name files, those that run programs. A study's store keeps it (store.h), so
 * that the study is read, planned, analysed and drawn where none of these is at hand: whoever reads
 * a store opens no file that it names, loads no plug-in and runs no program.
 */
#ifndef HARNESS_RUN_SAID_H
#define HARNESS_RUN_SAID_H

#include "harness/plan/plan.h"
#include "harness/run/host.h"
#include "results/store/store.h"

struct shk_said;

/* Questions to its provider are passed on to the host, which may be NULL and must outlive it, or to
 * the engines of this process; replies are kept. */
struct shk_said *shk_said_new(struct shk_host *host);
/* Adds what a store keeps for a study, descriptors included, before anything is asked: then that is
 * the answer. False with the reason. */
bool shk_said_read(struct shk_said *said, struct shk_store *store, const char *study,
                   struct shk_message *error);
/* Keeps all of it in the store for the study. False with the reason. */
bool shk_said_write(const struct shk_said *said, struct shk_store *store, const char *study,
                    struct shk_message *error);

/* For a context (engine/context.h); lives as long as the answers. */
const struct shk_remote_provider *shk_said_provider(const struct shk_said *said);

/* Asks all that the analysis of the plan will ask. False with the reason if something is not known:
 * there is neither an answer nor, at hand, what would give it. */
bool shk_said_ask(struct shk_said *said, const struct shk_plan *plan, struct shk_message *error);

/* Accepts NULL. */
void shk_said_free(struct shk_said *said);

#endif
