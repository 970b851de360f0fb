/*
 * A cell server that answers for plug-ins while a study is planned: their descriptors, and their
 * claims and inspections at given options.
 */
#ifndef HARNESS_RUN_HOST_H
#define HARNESS_RUN_HOST_H

#include "harness/plan/key.h"
#include "harness/run/link.h"
#include "results/store/store.h"

struct shk_host {
  struct shk_server server;
  struct shk_keys keys; /* of cells that name what the plug-ins offer */
  char *plugins;        /* path and hash of each, a line each, for the provenance */
  /* Descriptors, as the server has sent them (requests.h). */
  struct shk_stored_answer *offers;
  int offer_count;
};

/* Starts a server and takes the descriptors of its plug-ins. NULL with the reason: a plug-in that
 * does not load (the field that differs, the name that is taken), or crashes. */
struct shk_host *shk_host_start(const struct shk_servers *servers, struct shk_message *error);

/* The reply to a query, or to a cell. Limits and folder of the request are the context's. NULL with
 * the reason. The caller frees it. */
char *shk_host_ask(struct shk_host *host, const struct shk_context *context,
                   const struct shk_request *request, size_t *size, struct shk_message *error);

/* Accepts NULL. */
void shk_host_stop(struct shk_host *host);

#endif
