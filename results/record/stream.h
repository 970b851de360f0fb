/*
 * Bytes that are written, or read: each function does either, so that the order of the fields of a
 * message is said once. All numbers are little-endian. Everything that is read is checked: it may
 * come from a process that a plug-in has corrupted, or from a stranger's store.
 */
#ifndef RESULTS_RECORD_STREAM_H
#define RESULTS_RECORD_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed, it writes; whoever has written frees `bytes`. */
struct shk_stream {
  unsigned char *bytes;
  size_t at, size; /* where it goes on; how many bytes there are, or is room for */
  bool reads, bad; /* bad: what is read is not what was expected; nothing more is read */
};

enum { SHK_STREAM_WORD = 8 }; /* bytes of an integer, of a double, of a length */

/* A stream that reads these bytes, which it does not change. */
struct shk_stream shk_stream_of(const void *bytes, size_t size);

void shk_pass_bytes(struct shk_stream *s, void *bytes, size_t count);
/* Numbers of so many bits each. */
void shk_pass_numbers(struct shk_stream *s, void *values, size_t count, int bits);
/* Every NaN is the same one. */
void shk_pass_real(struct shk_stream *s, double *value);
void shk_pass_flag(struct shk_stream *s, bool *flag);
/* A whole number from 0 to `most`: what was given, or what is read; 0 if that is bad. */
int64_t shk_pass_integer(struct shk_stream *s, int64_t value, int64_t most);
/* The length of an array whose items take at least so many bytes each. */
int shk_pass_length(struct shk_stream *s, int length, size_t least);
/* A text, which the caller owns when it is read; NULL stays NULL. */
void shk_pass_text(struct shk_stream *s, char **text);
/* A text that must be there; false if it is not. */
bool shk_pass_name(struct shk_stream *s, char **name);

/* Numbers of so many bits between this machine's bytes and little-endian ones: nothing, as a
 * rule. */
void shk_little_endian(void *values, size_t count, int bits);

#endif
