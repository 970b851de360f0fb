/* Blocks: vectors as text, their numbers separated by blanks, each so that it reads back exactly. */
#ifndef MEASURES_BLOCK_H
#define MEASURES_BLOCK_H

#include <shakedown/real.h>

#define shk_block_text SHK_NAME(shk_block_text)
#define shk_block_next SHK_NAME(shk_block_next)
#define shk_block_read SHK_NAME(shk_block_read)

/* Owned by the caller; NULL if allocation fails. */
char *shk_block_text(const real *x, int n);
/* Reads the next number, up to one of the separators, and moves *text past both. */
bool shk_block_next(real *x, const char **text, const char *separators);
/* Whether there are exactly n numbers, which x receives. */
bool shk_block_read(real *x, int n, const char *text, const char *separators);

#endif
