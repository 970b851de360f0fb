/*
 * A stream of bytes. Each function both writes and reads, so that the order of the fields of a
 * message is given once. Numbers are little-endian. All input is checked: it may come from a
 * process that a plug-in has corrupted, or from an untrusted store.
 */
#ifndef RESULTS_RECORD_STREAM_H
#define RESULTS_RECORD_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Begins as {0} for writing; the writer frees `bytes`. */
struct shk_stream {
  unsigned char *bytes;
  size_t at, size;         /* position; number of bytes or, when writing, capacity */
  bool reads, bad;         /* reads, not writes; the input is invalid, and no more is read */
  struct shk_arena *arena; /* for some readers (harness/run/requests.h); NULL: none */
};

enum { SHK_STREAM_WORD = 8 }; /* bytes of an integer, a double or a length */

/* Returns a stream that reads these bytes, which are not changed. */
struct shk_stream shk_stream_of(const void *bytes, size_t size);

/* Passes bytes, that is, writes them to the stream or reads them from it, like all functions below;
 * invalid input is read as zeros. */
void shk_pass_bytes(struct shk_stream *s, void *bytes, size_t count);
/* Passes `count` numbers of `bits` bits. */
void shk_pass_numbers(struct shk_stream *s, void *values, size_t count, int bits);
/* Passes a double; all NaNs are written alike. */
void shk_pass_real(struct shk_stream *s, double *value);
void shk_pass_flag(struct shk_stream *s, bool *flag);
/* Passes an integer from 0 to `most` and returns it, the given or the one read; 0 if invalid. */
int64_t shk_pass_integer(struct shk_stream *s, int64_t value, int64_t most);
/* Passes the length of an array whose items take at least `least` bytes each. */
int shk_pass_length(struct shk_stream *s, int length, size_t least);
/* Passes a text, owned by the caller after reading; NULL stays NULL. */
void shk_pass_text(struct shk_stream *s, char **text);
/* Passes a text that must not be NULL; false if it is. */
bool shk_pass_name(struct shk_stream *s, char **name);

/* Converts numbers of `bits` bits between this machine's byte order and little-endian order, in
 * place. */
void shk_little_endian(void *values, size_t count, int bits);

#endif
