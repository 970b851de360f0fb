/*
 * A stream of bytes that is either written or read. The same functions are used for both, so that
 * the order of the fields in a message is defined only once. Numbers are little-endian. All input
 * is checked, because it may come from an untrusted store or from a process that a plug-in has
 * corrupted.
 */
#ifndef RESULTS_RECORD_STREAM_H
#define RESULTS_RECORD_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* To write a stream, initialize it with {0}. The writer must free `bytes`. */
struct shk_stream {
  unsigned char *bytes;
  size_t at, size; /* current position; number of bytes when reading, or capacity when writing */
  /* true when reading; true once invalid input has been found, after which nothing more is read */
  bool reads, bad;
  struct shk_arena *arena; /* arena needed by some readers (harness/run/requests.h), or NULL */
};

enum { SHK_STREAM_WORD = 8 }; /* size, in bytes, of an integer, a double or a length */

/* Returns a stream that reads the given bytes without modifying them. */
struct shk_stream shk_stream_of(const void *bytes, size_t size);

/* Passes bytes, that is, writes them to the stream or reads them from it. The functions below work
 * in the same way. Invalid input is read as zeros. */
void shk_pass_bytes(struct shk_stream *s, void *bytes, size_t count);
/* Passes `count` numbers of `bits` bits each. */
void shk_pass_numbers(struct shk_stream *s, void *values, size_t count, int bits);
/* Passes a double. All NaNs have the same representation in the stream. */
void shk_pass_real(struct shk_stream *s, double *value);
void shk_pass_flag(struct shk_stream *s, bool *flag);
/* Passes an integer from 0 to `most` and returns the integer that was written or read, or 0 if it
 * is invalid. */
int64_t shk_pass_integer(struct shk_stream *s, int64_t value, int64_t most);
/* Passes the length of an array in which each item occupies at least `least` bytes. */
int shk_pass_length(struct shk_stream *s, int length, size_t least);
/* Passes a string, which the caller owns after reading. NULL is preserved. */
void shk_pass_text(struct shk_stream *s, char **text);
/* Passes a string that must not be NULL. Returns false if it is NULL. */
bool shk_pass_name(struct shk_stream *s, char **name);

/* Converts numbers of `bits` bits between this machine's byte order and little-endian order, in
 * place. */
void shk_little_endian(void *values, size_t count, int bits);

#endif
