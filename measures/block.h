/* Converts vectors in the current precision to blocks of a sample, and to and from strings. The
 * numbers in a string are separated by spaces and can be read back exactly. */
#ifndef MEASURES_BLOCK_H
#define MEASURES_BLOCK_H

#include "foundation/specifications/cell.h"
#include <shakedown/parts/real.h>

/* Adds a copy of a vector to a sample as a block with the given name. */
void shk_block_add(struct shk_sample *sample, const char *name, const real *x, int n);
/* Returns a copy of x (n), which the caller must clear. */
struct shk_vector shk_vector_of(const real *x, int n);
/* Returns component i as a `real`, or NaN if the compiler does not support the vector's
 * precision. */
real shk_vector_at(const struct shk_vector *vector, int i);

/* Formats x (n) as a string, which the caller must free. Returns NULL if an allocation fails. */
char *shk_block_text(const real *x, int n);
/* Reads the next number, which must be followed by one of these characters, and moves *text past
 * both. Returns false if there is no number, or if it has 64 or more characters. */
bool shk_block_next(real *x, const char **text, const char *separators);
/* Reads exactly n numbers into x. Returns false if there are fewer or more numbers, or if one of
 * them is malformed. */
bool shk_block_read(real *x, int n, const char *text, const char *separators);

#endif
