/*
 * Requests to a cell server, and its replies: a message each (results/record/frame.h).
 *
 *   request  whether of a cell, and its text; otherwise a query; folder; limits
 *   reply    of a cell a record (results/record/record_bytes.h); otherwise a text if it failed, and
 *            why, or the answer (descriptor_bytes.h)
 *
 * The first messages of all come from the server: a reply for each descriptor that its plug-ins
 * offer, with its name and the number of the plug-in; then one without a name, or why a plug-in did
 * not load.
 */
#ifndef HARNESS_RUN_REQUESTS_H
#define HARNESS_RUN_REQUESTS_H

#include "engine/context.h"
#include "results/record/frame.h"

/* The texts belong to whoever has made the request, or to the request that was read. */
struct shk_request {
  const char *cell; /* its text (cell_text.h); NULL: the query is asked */
  struct shk_query query;
  const char *folder;        /* that files are found from; NULL: the working directory */
  double seconds, megabytes; /* limits */
  bool untimed;              /* struct shk_context */
};

/* The caller frees it. */
void *shk_request_bytes(const struct shk_request *request, size_t *size);
/* False if the bytes are no request. The caller clears it either way. */
bool shk_request_read(struct shk_request *request, const void *bytes, size_t size);
void shk_request_clear(struct shk_request *request);

/* Begins a reply: one that failed if there is an error, which is then all of it. */
struct shk_stream shk_reply_begin(const char *error);
/* The fields of a reply; false with the reason if it failed, or is none. */
bool shk_reply_open(struct shk_stream *s, const void *bytes, size_t size,
                    struct shk_message *error);
/* A reply that failed. The caller frees it. */
void *shk_error_reply(const char *error, size_t *size);

/* A message of a server that begins: *offer, which the caller frees, is "problem NAME", "integrator
 * NAME" or "solver NAME", and the descriptor follows; NULL: it is ready. */
bool shk_greeting_open(struct shk_stream *s, char **offer, int *plugin, const void *bytes,
                       size_t size, struct shk_message *error);

/* The reply to a query, by the engines of this process. The caller frees it. */
void *shk_answer(const struct shk_context *context, const struct shk_query *query, size_t *size);

#endif
