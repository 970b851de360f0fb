/*
 * A stream of bytes. Each function both writes and reads, so that the order of the fields in a
 * message is defined only once. Numbers are little-endian. All input is checked, because it may
 * come from a process that a plug-in has corrupted, or from an untrusted store.
 */
#ifndef RESULTS_RECORD_STREAM_H
#define RESULTS_RECORD_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* To write, initialize with {0}; the writer frees `bytes`. */
struct shk_stream {
  unsigned char *bytes;
  size_t at, size; /* position; number of bytes or, when writing, capacity */
  /* true when reading; true if the input is invalid, after which nothing more is read */
  bool reads, bad;
  struct shk_arena *arena; /* for some readers (harness/run/requests.h), or NULL */
};

enum { SHK_STREAM_WORD = 8 }; /* size in bytes of an integer, a double or a length */

/* Returns a stream that reads these bytes and does not change them. */
struct shk_stream shk_stream_of(const void *bytes, size_t size);

/* Passes bytes: like all functions below, writes them to the stream or reads them from it. Invalid
 * input is read as zeros. */
void shk_pass_bytes(struct shk_stream *s, void *bytes, size_t count);
/* Passes `count` numbers of `bits` bits. */
void shk_pass_numbers(struct shk_stream *s, void *values, size_t count, int bits);
/* Passes a double. All NaNs are written in the same way. */
void shk_pass_real(struct shk_stream *s, double *value);
void shk_pass_flag(struct shk_stream *s, bool *flag);
/* Passes an integer from 0 to `most`, and returns the integer that was written or read. Returns 0
 * if it is invalid. */
int64_t shk_pass_integer(struct shk_stream *s, int64_t value, int64_t most);
/* Passes the length of an array whose items each take at least `least` bytes. */
int shk_pass_length(struct shk_stream *s, int length, size_t least);
/* Passes a text, which the caller owns after reading. NULL stays NULL. */
void shk_pass_text(struct shk_stream *s, char **text);
/* Passes a text that must not be NULL. Returns false if it is NULL. */
bool shk_pass_name(struct shk_stream *s, char **name);

/* Converts numbers of `bits` bits between this machine's byte order and little-endian order, in
 * place. */
void shk_little_endian(void *values, size_t count, int bits);

#endif
