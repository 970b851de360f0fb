/* Vectors in this precision: as blocks of a sample, and as text, with numbers separated by blanks
 * that read back exactly. */
#ifndef MEASURES_BLOCK_H
#define MEASURES_BLOCK_H

#include "foundation/specifications/cell.h"
#include <shakedown/parts/real.h>

/* Adds a copy of a vector to a sample, under the name of a block. */
void shk_block_add(struct shk_sample *sample, const char *name, const real *x, int n);
/* Returns a copy of x (n), which the caller clears. */
struct shk_vector shk_vector_of(const real *x, int n);
/* Returns component i as a `real`; NaN if the compiler lacks the precision of the vector. */
real shk_vector_at(const struct shk_vector *vector, int i);

/* Returns x (n) as text, which the caller frees; NULL if allocation fails. */
char *shk_block_text(const real *x, int n);
/* Reads the next number, up to one of these characters, and moves *text past both. False if there
 * is none, or if it has 64 characters or more. */
bool shk_block_next(real *x, const char **text, const char *separators);
/* Reads exactly n numbers into x; false if there are fewer or more, or one is not a number. */
bool shk_block_read(real *x, int n, const char *text, const char *separators);

#endif
