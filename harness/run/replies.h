/*
 * Cached replies about problems and integrators that are in plug-ins, name files or run programs.
 * A study's store keeps the replies (store.h), so that the study can be read, planned, analysed and
 * drawn without them: reading a store opens no file that the study names, loads no plug-in and runs
 * no program.
 */
#ifndef HARNESS_RUN_REPLIES_H
#define HARNESS_RUN_REPLIES_H

#include "harness/plan/key.h"
#include "harness/plan/plan.h"
#include "harness/run/worker.h"
#include "results/store/store.h"

struct shk_replies;

/* Starts a worker, which provides the descriptors of its plug-ins and answers new queries, and
 * creates a cache; what `setup` points to must outlive it. NULL with the reason, such as a plug-in that crashes or is rejected. */
struct shk_replies *shk_replies_start(const struct shk_workers *setup, struct shk_message *error);
/* Creates a cache that sends new queries to the worker of another, which must outlive it; without
 * one (NULL, or it has no worker) to the engines of this process. */
struct shk_replies *shk_replies_new(const struct shk_replies *asked);
/* Return, for the provenance, the hash of the plug-in for each name that the worker provides; and a
 * line with hash and path for each plug-in. NULL if the cache has no worker of its own. */
const struct shk_keys *shk_replies_keys(const struct shk_replies *replies);
const char *shk_replies_plugins(const struct shk_replies *replies);
/* Adds the replies, with the descriptors, that a store keeps for a study. To be called before the
 * first query, since the first reply to a query stays. False with the reason. */
bool shk_replies_read(struct shk_replies *replies, struct shk_store *store, const char *study,
                      struct shk_message *error);
/* Writes all replies to the store, for the study. False with the reason. */
bool shk_replies_write(const struct shk_replies *replies, struct shk_store *store,
                       const char *study, struct shk_message *error);

/* Returns the provider for a context (engine/context.h), which lives as long as the cache. */
const struct shk_remote_provider *shk_replies_provider(const struct shk_replies *replies);

/* Makes all queries that the analysis of the plan needs. False, with the first reason, if a reply
 * is neither cached nor available. */
bool shk_replies_ask(struct shk_replies *replies, const struct shk_plan *plan,
                     struct shk_message *error);

/* Accepts NULL. */
void shk_replies_free(struct shk_replies *replies);

#endif
