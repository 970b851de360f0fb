/*
 * Requests to a cell server, and its replies: a message each (results/record/frame.h).
 *
 *   request  the kind; a cell or a specification; precision and folder, or none; limits; for a
 *            scene the states
 *   reply    a text if it failed, and why; otherwise of
 *              cells        a record (results/record/record_bytes.h)
 *              descriptors  their number, and of each its question, the plug-in and a reply
 *              others       what descriptor_bytes.h writes
 *
 * The first message of all comes from the server: an empty reply, or why a plug-in did not load.
 */
#ifndef HARNESS_RUN_REQUESTS_H
#define HARNESS_RUN_REQUESTS_H

#include "engine/context.h"
#include "results/record/frame.h"

enum shk_request_kind {
  SHK_ASK_CELL,
  SHK_ASK_DESCRIPTORS,
  SHK_ASK_CLAIMS,
  SHK_ASK_INSPECTION,
  SHK_ASK_SCENE,
  SHK_REQUEST_KINDS
};

/* The texts belong to whoever has made the request, or to the request that was read. */
struct shk_request {
  enum shk_request_kind kind;
  const char *text;          /* a cell (cell_text.h), or a specification */
  const char *precision;     /* of a specification; NULL: none */
  const char *folder;        /* that files are found from; NULL: the working directory */
  double seconds, megabytes; /* limits */
  bool untimed;              /* struct shk_context */
  int count, n;              /* of a scene: states, and coordinates of each */
  const double *times, *q;
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

/* The reply to a question about claims, an inspection or a scene, by the engines of this process.
 * The caller frees it. */
void *shk_answer(const struct shk_context *context, const struct shk_request *request,
                 size_t *size);

#endif
