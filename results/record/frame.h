/*
 * Defines the format of messages between processes and of records in a store:
 *
 *   head   the mark f5 's' 'h' 'k', the version in four bytes, and the size and the XXH3 hash of
 *          the rest in eight bytes each
 *   rest   fields in stream format (stream.h)
 */
#ifndef RESULTS_RECORD_FRAME_H
#define RESULTS_RECORD_FRAME_H

#include "results/record/stream.h"
#include <sys/types.h>

struct shk_stream shk_frame_begin(void);
/* Completes the head once all fields have been written, and returns the size of the message. The
 * caller frees `bytes`. */
size_t shk_frame_end(struct shk_stream *s);
/* Returns a stream that reads the fields of a message of exactly the given size. `bad` is true in
 * this stream if the bytes are not a message. */
struct shk_stream shk_frame_open(const void *bytes, size_t size);
/* Returns true if all fields were read without an error and no bytes are left over. */
bool shk_frame_done(const struct shk_stream *s);
/* Returns the length of the message that begins with the given `count` bytes. Returns the length of
 * the head if the head is incomplete, and 0 if the bytes are not the beginning of a message. */
size_t shk_frame_length(const void *bytes, size_t count);

/* Receives messages from a file descriptor. Initialize with {0}; the owner frees `buffer`. */
struct shk_inbox {
  char *buffer; /* number of bytes read but not yet removed */
  size_t length, capacity;
};

/* Removes and returns the first message, which the caller frees. Returns NULL if no message is
 * complete. */
char *shk_inbox_take(struct shk_inbox *inbox, size_t *size);
/* Calls read() once and returns its result. Returns 0, as at the end of the input, if the bytes are
 * not the beginning of a message or if the message is larger than 1 GiB. */
ssize_t shk_inbox_read(struct shk_inbox *inbox, int from);

#endif
