/*
 * Messages between processes, and records in a store:
 *
 *   head   the mark f5 's' 'h' 'k'; the version in four bytes; in eight each the size of the rest
 *          and its XXH3
 *   rest   fields, as a stream has them (stream.h)
 */
#ifndef RESULTS_RECORD_FRAME_H
#define RESULTS_RECORD_FRAME_H

#include "results/record/stream.h"
#include <sys/types.h>

/* Begins to write a message. */
struct shk_stream shk_frame_begin(void);
/* Fills its head in when all fields are written, and returns its size. The caller frees `bytes`. */
size_t shk_frame_end(struct shk_stream *s);
/* A stream of the fields of a message of exactly this size; it is bad if that is none. */
struct shk_stream shk_frame_open(const void *bytes, size_t size);
/* Whether all fields were read, and nothing is left. */
bool shk_frame_done(const struct shk_stream *s);
/* The length of the message that begins here, as far as the first `count` bytes tell: 0 if none
 * does; at least that of a head. */
size_t shk_frame_length(const void *bytes, size_t count);

/* Messages as they arrive through a descriptor. Begins as {0}; whoever has it frees `buffer`. */
struct shk_inbox {
  char *buffer; /* read but not yet taken */
  size_t length, capacity;
};

/* Cuts the first message off; NULL if none is whole. The caller frees it. */
char *shk_inbox_take(struct shk_inbox *inbox, size_t *size);
/* Reads once; returns what read() does, and 0, as at the end, if what has arrived is no message. */
ssize_t shk_inbox_read(struct shk_inbox *inbox, int from);

#endif
