/*
 * A cell server that answers for plug-ins while a study is planned: their descriptors, and their
 * claims and inspections at given options.
 */
#ifndef HARNESS_RUN_HOST_H
#define HARNESS_RUN_HOST_H

#include "harness/plan/key.h"
#include "harness/run/launcher.h"
#include "results/store/store.h"

struct shk_host {
  struct shk_server server;
  struct shk_keys keys; /* of cells that name what the plug-ins offer */
  char *plugins;        /* path and hash of each, a line each, for the provenance */
  /* Descriptors, by "problem NAME", "integrator NAME" or "solver NAME". */
  struct shk_stored_answer *offers;
  int offer_count;
};

/* Launches a server and asks it for the descriptors of its plug-ins. NULL with the reason: a
 * plug-in that does not load (the field that differs, the name that is taken), or crashes. */
struct shk_host *shk_host_start(struct shk_launcher *launcher, struct shk_message *error);

/* The reply to a question about a specification that was read in the context, or to a cell. Limits
 * and folder of the request are the context's. NULL with the reason. The caller frees it. */
char *shk_host_ask(struct shk_host *host, const struct shk_context *context,
                   const struct shk_request *request, size_t *size, struct shk_message *error);

/* Accepts NULL. */
void shk_host_stop(struct shk_host *host);

#endif
