/*
 * Messages between processes, and records in a store:
 *
 *   head   the mark f5 's' 'h' 'k'; the version in four bytes; the size of the rest and its XXH3
 *          in eight bytes each
 *   rest   fields in the form of a stream (stream.h)
 */
#ifndef RESULTS_RECORD_FRAME_H
#define RESULTS_RECORD_FRAME_H

#include "results/record/stream.h"
#include <sys/types.h>

struct shk_stream shk_frame_begin(void);
/* Completes the head after all fields have been written, and returns the size of the message. The
 * caller frees `bytes`. */
size_t shk_frame_end(struct shk_stream *s);
/* Returns a stream that reads the fields of a message of exactly this size. Its `bad` is true if
 * the bytes are not a message. */
struct shk_stream shk_frame_open(const void *bytes, size_t size);
/* Returns true if all fields were read without a fault and no bytes are left. */
bool shk_frame_done(const struct shk_stream *s);
/* Returns the length of the message that begins with these `count` bytes. Returns the length of the
 * head if there are fewer bytes than that, and 0 if the bytes do not begin a message. */
size_t shk_frame_length(const void *bytes, size_t count);

/* Receives messages through a descriptor. Initialize with {0}; the owner frees `buffer`. */
struct shk_inbox {
  char *buffer; /* bytes read but not yet taken */
  size_t length, capacity;
};

/* Removes and returns the first message, which the caller frees, or returns NULL if none is
 * complete. */
char *shk_inbox_take(struct shk_inbox *inbox, size_t *size);
/* Reads once and returns the result of read(). If the bytes do not begin a message, or begin one of
 * more than 1 GiB, returns 0 as at the end of the input. */
ssize_t shk_inbox_read(struct shk_inbox *inbox, int from);

#endif
