/*
 * Caches replies about problems and integrators that are defined in plug-ins, refer to files, or
 * run programs. The replies are saved in a study's store (store.h). The study can therefore be
 * read, planned, analysed and plotted later without the plug-ins, files and programs. Reading a
 * store never opens a file that the study names, loads a plug-in, or runs a program.
 */
#ifndef HARNESS_RUN_REPLIES_H
#define HARNESS_RUN_REPLIES_H

#include "harness/plan/key.h"
#include "harness/plan/plan.h"
#include "harness/run/worker.h"
#include "results/store/store.h"

struct shk_replies;

/* Creates a cache and starts its worker, which provides the descriptors of the plug-ins and answers
 * new queries. The objects that `setup` points to must outlive the cache. On failure, for example
 * if a plug-in crashes or is rejected, returns NULL and sets the reason. */
struct shk_replies *shk_replies_start(const struct shk_workers *setup, struct shk_message *error);
/* Creates a cache that sends new queries to the worker of another cache, which must outlive this
 * one. If the other cache is NULL or has no worker, queries are answered by the engines in this
 * process. */
struct shk_replies *shk_replies_new(const struct shk_replies *asked);
/* Return information for the provenance. The first function returns the plug-in's hash for each
 * name that the worker provides. The second returns one line per plug-in, which contains its hash
 * and path. Both return NULL if the cache has no worker of its own. */
const struct shk_keys *shk_replies_keys(const struct shk_replies *replies);
const char *shk_replies_plugins(const struct shk_replies *replies);
/* Adds the replies that a store contains for a study, including descriptors. This must be called
 * before the first query, because only the first reply to a query is kept. On failure, returns
 * false and sets the reason. */
bool shk_replies_read(struct shk_replies *replies, struct shk_store *store, const char *study,
                      struct shk_message *error);
/* Saves all replies to the store for the given study. On failure, returns false and sets the
 * reason. */
bool shk_replies_write(const struct shk_replies *replies, struct shk_store *store,
                       const char *study, struct shk_message *error);

/* Returns the provider for a context (engine/context.h). The provider remains valid as long as the
 * cache exists. */
const struct shk_remote_provider *shk_replies_provider(const struct shk_replies *replies);

/* Makes all queries that are needed to analyse the plan. If a reply is neither cached nor
 * available, returns false and sets the reason of the first failure. */
bool shk_replies_ask(struct shk_replies *replies, const struct shk_plan *plan,
                     struct shk_message *error);

/* Accepts NULL. */
void shk_replies_free(struct shk_replies *replies);

#endif
