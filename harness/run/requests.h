/*
 * Requests to a worker and its replies. Each is one message (results/record/frame.h).
 *
 *   request  the text of a cell and its numbers of steps, or else a query; folder; limits; timing
 *   reply    to a cell: a record (results/record/record_bytes.h), or the rows of its trajectory; to a
 *            query: the reason of a failure, or the result
 *
 * When the worker is ready, it sends the first message, which contains the descriptors of its
 * plug-ins, or the reason why one of them could not be loaded.
 */
#ifndef HARNESS_RUN_REQUESTS_H
#define HARNESS_RUN_REQUESTS_H

#include "engine/context.h"
#include "results/record/frame.h"

/* Owns the texts and lists that were read. Initialize with {0}. */
struct shk_arena {
  void **items;
  int count;
};
/* Takes ownership of an allocation and returns it. */
void *shk_arena_keep(struct shk_arena *arena, void *owned);
void shk_arena_clear(struct shk_arena *arena);
/* Passes a text. After reading, the text is owned by the arena of the stream. */
void shk_pass_kept(struct shk_stream *s, const char **text);

/* The texts of a request that will be sent belong to the caller. Those of a request that was read
 * belong to its arena. */
struct shk_request {
  const char *cell; /* text of the cell (cell_text.h); NULL for a query */
  int step_count;
  long long *step_counts; /* the cell's numbers of steps, if it has any */
  struct {
    long every, steps; /* if `every` is 0, a record is requested, otherwise a trajectory */
    /* true for the exact multipliers of the row's state, false for the method's */
    bool of_state;
  } rows;
  struct shk_query query;
  bool alone;                          /* true if it needs its own process */
  const struct shk_known_start *known; /* as in struct shk_context */
  /* folder that file names are relative to; NULL: the working directory */
  const char *folder;
  double seconds, megabytes; /* limits, in s and MiB */
  bool untimed, trial;       /* as in struct shk_context */
  struct shk_arena arena;
};

/* Returns the request as a message. The caller frees it. */
void *shk_request_bytes(const struct shk_request *request, size_t *size);
/* Reads a request. Returns false if the bytes are not a valid request. In both cases, the caller
 * clears the arena. */
bool shk_request_read(struct shk_request *request, const void *bytes, size_t size);

/* Begins a reply. `error` is NULL or the reason of a failure, in which case the reply contains
 * nothing else. */
struct shk_stream shk_reply_begin(const char *error);
/* Opens a reply to read its fields. Returns false and sets the reason if it reports a failure or is
 * damaged. */
bool shk_reply_open(struct shk_stream *s, const void *bytes, size_t size,
                    struct shk_message *error);
/* Returns a reply that reports a failure. The caller frees it. */
void *shk_error_reply(const char *error, size_t *size);

/* ---- descriptors and results: written or read, depending on the direction of the stream ---- */

enum { SHK_OFFERED_KINDS = 3 };
extern const enum shk_option_kind shk_offered_kinds[SHK_OFFERED_KINDS];
/* Passes an item of a plug-in, which must be {0} before it is read. */
void shk_pass_offer(struct shk_stream *s, struct shk_offer *offer);

/* Passes the result of a query of this kind (engine/context.h). After reading, the caller frees the
 * rows of bodies, even if the stream is damaged. */
void shk_pass_answer(struct shk_stream *s, enum shk_query_kind kind, void *answer);

/* A row of a trajectory, or the end of the trajectory. */
struct shk_row {
  int n, m; /* of the problem */
  /* in the first row, the names of the joint columns as CSV fields; NULL if there are none */
  char *names;
  char *text;   /* numbers separated by blanks; NULL at the end, where the fields below are set */
  int code;     /* enum shk_code */
  char *reason; /* reason of a failure */
  double reached;
};
/* Passes a row. After reading, its texts belong to the caller. */
void shk_pass_row(struct shk_stream *s, struct shk_row *row);

/* Answers a query with the engines of this process. The caller frees the reply. */
void *shk_answer(const struct shk_context *context, const struct shk_query *query, size_t *size);

#endif
