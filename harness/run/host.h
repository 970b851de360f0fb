/*
 * The plug-in host: a cell server that provides the descriptors of plug-ins while a study is
 * planned, and their claims and inspections at given options.
 */
#ifndef HARNESS_RUN_HOST_H
#define HARNESS_RUN_HOST_H

#include "harness/plan/key.h"
#include "harness/run/link.h"
#include "results/store/store.h"

struct shk_host {
  struct shk_server server;
  struct shk_keys keys; /* the plug-in's hash for each name that it provides */
  char *plugins;        /* hash and path of each, one per line, for the provenance */
  char *offers;         /* descriptors, as the server has sent them (requests.h) */
  size_t offers_size;
};

/* Starts a server and receives the descriptors of its plug-ins. NULL with the reason: a plug-in
 * crashes or does not load (a field that differs, a name that is in use). */
struct shk_host *shk_host_start(const struct shk_servers *servers, struct shk_message *error);

/* Returns the reply to a query or to a cell; the caller frees it. The context sets the request's
 * limits and folder. NULL with the reason. */
char *shk_host_ask(struct shk_host *host, const struct shk_context *context,
                   const struct shk_request *request, size_t *size, struct shk_message *error);

/* Accepts NULL. */
void shk_host_stop(struct shk_host *host);

#endif
