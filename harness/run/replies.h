/*
 * Cached replies about problems and integrators that are in plug-ins, name files or run programs. A
 * study's store keeps the replies (store.h), so that the study can later be read, planned, analysed
 * and drawn without them: reading a store opens no file that the study names, loads no plug-in and
 * runs no program.
 */
#ifndef HARNESS_RUN_REPLIES_H
#define HARNESS_RUN_REPLIES_H

#include "harness/plan/key.h"
#include "harness/plan/plan.h"
#include "harness/run/worker.h"
#include "results/store/store.h"

struct shk_replies;

/* Starts a worker, which provides the descriptors of its plug-ins and answers new queries, and
 * creates a cache. What `setup` points to must outlive the cache. On failure, for example if a
 * plug-in crashes or is rejected, returns NULL and sets the reason. */
struct shk_replies *shk_replies_start(const struct shk_workers *setup, struct shk_message *error);
/* Creates a cache that sends new queries to the worker of another cache, which must outlive this
 * one. If the other cache is NULL or has no worker, queries go to the engines of this process. */
struct shk_replies *shk_replies_new(const struct shk_replies *asked);
/* Return texts for the provenance: the hash of the plug-in for each name that the worker provides,
 * and a line with hash and path for each plug-in. NULL if the cache has no worker of its own. */
const struct shk_keys *shk_replies_keys(const struct shk_replies *replies);
const char *shk_replies_plugins(const struct shk_replies *replies);
/* Adds the replies, with the descriptors, that a store keeps for a study. Call this before the
 * first query, because the first reply to a query stays. On failure returns false and sets the
 * reason. */
bool shk_replies_read(struct shk_replies *replies, struct shk_store *store, const char *study,
                      struct shk_message *error);
/* Writes all replies to the store for the study. On failure returns false and sets the reason. */
bool shk_replies_write(const struct shk_replies *replies, struct shk_store *store,
                       const char *study, struct shk_message *error);

/* Returns the provider for a context (engine/context.h), which lives as long as the cache. */
const struct shk_remote_provider *shk_replies_provider(const struct shk_replies *replies);

/* Makes all queries that the analysis of the plan needs. Returns false, with the first reason, if a
 * reply is neither cached nor available. */
bool shk_replies_ask(struct shk_replies *replies, const struct shk_plan *plan,
                     struct shk_message *error);

/* Accepts NULL. */
void shk_replies_free(struct shk_replies *replies);

#endif
