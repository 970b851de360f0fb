/*
 * Cached replies about problems and integrators that the program alone does not know, because they
 * are in plug-ins, name files or run programs. A study's store keeps the replies (store.h). The
 * study can then be read, planned, analysed and drawn without plug-ins, files and programs: reading
 * a store opens no file that it names, loads no plug-in and runs no program.
 */
#ifndef HARNESS_RUN_REPLIES_H
#define HARNESS_RUN_REPLIES_H

#include "harness/plan/key.h"
#include "harness/plan/plan.h"
#include "harness/run/link.h"
#include "results/store/store.h"

struct shk_replies;

/* Starts a cell server, which provides the descriptors of its plug-ins and answers new queries,
 * and creates a cache. NULL with the reason: a plug-in crashes or does not load (a field that
 * differs, a name that is in use). */
struct shk_replies *shk_replies_start(const struct shk_servers *servers, struct shk_message *error);
/* Creates a cache that asks the server of another, which must outlive it; NULL, or without a
 * server: the engines of this process. */
struct shk_replies *shk_replies_new(const struct shk_replies *asked);
/* The hash of the plug-in for each name that the server provides, and hash and path of each
 * plug-in, one per line, for the provenance. NULL without a server of its own. */
const struct shk_keys *shk_replies_keys(const struct shk_replies *replies);
const char *shk_replies_plugins(const struct shk_replies *replies);
/* Adds the replies that a store keeps for a study, with the descriptors. Must precede the first
 * query: the first reply to a query stays. False with the reason. */
bool shk_replies_read(struct shk_replies *replies, struct shk_store *store, const char *study,
                      struct shk_message *error);
/* Writes all replies to the store, for the study. False with the reason. */
bool shk_replies_write(const struct shk_replies *replies, struct shk_store *store,
                       const char *study, struct shk_message *error);

/* The provider for a context (engine/context.h); lives as long as the cache. */
const struct shk_remote_provider *shk_replies_provider(const struct shk_replies *replies);

/* Makes all queries that the analysis of the plan needs. False with the reason if a reply is
 * neither cached nor available. */
bool shk_replies_ask(struct shk_replies *replies, const struct shk_plan *plan,
                     struct shk_message *error);

/* Accepts NULL. */
void shk_replies_free(struct shk_replies *replies);

#endif
