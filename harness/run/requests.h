/*
 * Requests to a worker, and the worker's replies. Each of them is one message
 * (results/record/frame.h).
 *
 *   request  a cell as a string and its step counts, or a query; folder; limits; timing
 *   reply    to a cell: a record (results/record/record_bytes.h), or the rows of its trajectory;
 *            to a query: the result, or the reason for a failure
 *
 * As soon as the worker is ready, it sends its first message. The message contains the descriptors
 * of the worker's plug-ins, or the reason why a plug-in could not be loaded.
 */
#ifndef HARNESS_RUN_REQUESTS_H
#define HARNESS_RUN_REQUESTS_H

#include "engine/context.h"
#include "results/record/frame.h"

/* Owns the strings and lists that were read from a stream. Initialize with {0}. */
struct shk_arena {
  void **items;
  int count;
};
/* Takes ownership of an allocation and returns it. */
void *shk_arena_keep(struct shk_arena *arena, void *owned);
void shk_arena_clear(struct shk_arena *arena);
/* Passes a string. After reading, the string is owned by the stream's arena. */
void shk_pass_kept(struct shk_stream *s, const char **text);

/* The strings in a request to be sent belong to the caller. The strings in a request that was read
 * belong to the request's arena. */
struct shk_request {
  const char *cell; /* the cell as a string (cell_text.h), or NULL for a query */
  int step_count;
  long long *step_counts; /* the cell's step counts, if it has any */
  struct {
    /* if `every` is 0, a record is requested; otherwise, a trajectory */
    long every, steps;
    /* true to request the exact multipliers at the row's state, false to request those of the
     * method */
    bool of_state;
  } rows;
  struct shk_query query;
  bool alone;                          /* true if the request needs its own process */
  const struct shk_known_start *known; /* as in struct shk_context */
  /* folder to which file names are relative; NULL means the working directory */
  const char *folder;
  double seconds, megabytes; /* limits on time (in s) and memory (in MiB) */
  bool untimed, trial;       /* as in struct shk_context */
  struct shk_arena arena;
};

/* Serializes a request to a message, which the caller frees. */
void *shk_request_bytes(const struct shk_request *request, size_t *size);
/* Reads a request. Returns false if the bytes are not a valid request. The caller must clear the
 * arena in either case. */
bool shk_request_read(struct shk_request *request, const void *bytes, size_t size);

/* Begins a reply. If `error` is not NULL, it is the reason for a failure, and the reply contains
 * nothing else. */
struct shk_stream shk_reply_begin(const char *error);
/* Opens a reply so that its fields can be read. If the reply reports a failure or is damaged,
 * returns false and sets the reason. */
bool shk_reply_open(struct shk_stream *s, const void *bytes, size_t size,
                    struct shk_message *error);
/* Returns a reply that reports a failure. The caller frees it. */
void *shk_error_reply(const char *error, size_t *size);

/* ---- descriptors and results: written or read, depending on the direction of the stream ---- */

enum { SHK_OFFERED_KINDS = 3 };
extern const enum shk_option_kind shk_offered_kinds[SHK_OFFERED_KINDS];
/* Passes an item of a plug-in. Before reading, the item must be initialized with {0}. */
void shk_pass_offer(struct shk_stream *s, struct shk_offer *offer);

/* Passes the result of a query of the given kind (engine/context.h). After reading, the caller must
 * free the rows of bodies, even if the stream was damaged. */
void shk_pass_answer(struct shk_stream *s, enum shk_query_kind kind, void *answer);

/* A row of a trajectory, or the marker for its end. */
struct shk_row {
  int n, m; /* number of coordinates and of constraints */
  /* names of the joint columns as CSV fields, in the first row only; NULL if there are none */
  char *names;
  /* numbers separated by blanks; NULL in the end marker, which uses the fields below instead */
  char *text;
  int code;     /* enum shk_code */
  char *reason; /* reason for a failure */
  double reached;
};
/* Passes a row. After reading, the row's strings belong to the caller. */
void shk_pass_row(struct shk_stream *s, struct shk_row *row);

/* Answers a query using the engines in this process. The caller frees the reply. */
void *shk_answer(const struct shk_context *context, const struct shk_query *query, size_t *size);

#endif
