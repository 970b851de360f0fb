/*
 * A worker that answers for plug-ins while a study is planned: their descriptors, and what they
 * claim and are at given options.
 */
#ifndef HARNESS_RUN_REMOTE_H
#define HARNESS_RUN_REMOTE_H

#include "engine/context.h"
#include "harness/plan/key.h"

struct shk_remote;

/* Starts a worker with these plug-ins and asks it for their descriptors. NULL with the reason: a
 * plug-in that does not load (the field that differs, the name that is taken), or crashes. */
struct shk_remote *shk_remote_start(const char *program, const struct shk_access *access,
                                    const char *const *plugins, int plugin_count,
                                    struct shk_message *error);

/* For a context (engine/context.h); lives as long as the remote. */
const struct shk_remote_provider *shk_remote_provider(const struct shk_remote *remote);
/* For the keys of cells that name what the plug-ins provide. */
const struct shk_keys *shk_remote_keys(const struct shk_remote *remote);
/* Path and hash of each plug-in, a line each, for the provenance. */
const char *shk_remote_plugins(const struct shk_remote *remote);

/* Ends the worker; nobody may ask its provider any more. Accepts NULL. */
void shk_remote_stop(struct shk_remote *remote);

#endif
