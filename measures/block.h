/* Vectors in the current precision, as blocks of a sample and as text. In text, numbers are
 * separated by blanks and can be read back exactly. */
#ifndef MEASURES_BLOCK_H
#define MEASURES_BLOCK_H

#include "foundation/specifications/cell.h"
#include <shakedown/parts/real.h>

/* Adds a copy of a vector to a sample, under a block's name. */
void shk_block_add(struct shk_sample *sample, const char *name, const real *x, int n);
/* Returns a copy of x (n), which the caller clears. */
struct shk_vector shk_vector_of(const real *x, int n);
/* Returns component i as a `real`, or NaN if the compiler does not support the vector's
 * precision. */
real shk_vector_at(const struct shk_vector *vector, int i);

/* Returns x (n) as text, which the caller frees, or NULL if an allocation fails. */
char *shk_block_text(const real *x, int n);
/* Reads the next number, which ends at one of these characters, and moves *text past the number and
 * that character. Returns false if there is no number, or if it has 64 characters or more. */
bool shk_block_next(real *x, const char **text, const char *separators);
/* Reads exactly n numbers into x. Returns false if there are fewer or more, or if one is not a
 * number. */
bool shk_block_read(real *x, int n, const char *text, const char *separators);

#endif
