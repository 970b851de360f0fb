/*
 * Requests to a cell server and its replies. Each is one message (results/record/frame.h).
 *
 *   request  the text of a cell, or else a query; folder; limits
 *   reply    to a cell: a record (results/record/record_bytes.h); to a query: the
 *            reason of a failure, or the result (descriptor_bytes.h)
 *
 * The server sends the first messages: a reply for each descriptor that its plug-ins provide, with
 * its name and the number of the plug-in; then a reply without a name, or the reason why a plug-in
 * did not load.
 */
#ifndef HARNESS_RUN_REQUESTS_H
#define HARNESS_RUN_REQUESTS_H

#include "engine/context.h"
#include "results/record/frame.h"

/* The caller owns the texts of a request that it fills in; a request that was read owns its own. */
struct shk_request {
  const char *cell; /* its text (cell_text.h); NULL: a query */
  struct shk_query query;
  const char *folder;        /* base of relative file names; NULL: the working directory */
  double seconds, megabytes; /* limits, in s and MiB */
  bool untimed;              /* see struct shk_context */
};

/* Returns the request as a message; the caller frees it. */
void *shk_request_bytes(const struct shk_request *request, size_t *size);
/* False if the bytes are not a valid request. The caller clears the request in both cases. */
bool shk_request_read(struct shk_request *request, const void *bytes, size_t size);
void shk_request_clear(struct shk_request *request);

/* Begins a reply. error: NULL, or the reason of a failure, which is then the whole reply. */
struct shk_stream shk_reply_begin(const char *error);
/* Opens a reply to read its fields; false with the reason if it reports a failure or is damaged. */
bool shk_reply_open(struct shk_stream *s, const void *bytes, size_t size,
                    struct shk_message *error);
/* Returns a reply that reports a failure; the caller frees it. */
void *shk_error_reply(const char *error, size_t *size);

/* Opens a message of a starting server. *offer, freed by the caller, is "problem NAME", "integrator
 * NAME" or "solver NAME", and the descriptor follows; NULL: the server is ready. */
bool shk_greeting_open(struct shk_stream *s, char **offer, int *plugin, const void *bytes,
                       size_t size, struct shk_message *error);

/* Answers a query by the engines of this process. The caller frees the reply. */
void *shk_answer(const struct shk_context *context, const struct shk_query *query, size_t *size);

#endif
