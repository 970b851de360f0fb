/* Blocks: vectors as text, with numbers separated by blanks that read back exactly. */
#ifndef MEASURES_BLOCK_H
#define MEASURES_BLOCK_H

#include <shakedown/real.h>

#define shk_block_text SHK_NAME(shk_block_text)
#define shk_block_next SHK_NAME(shk_block_next)
#define shk_block_read SHK_NAME(shk_block_read)

/* Writes x (n). The caller frees the text; NULL if allocation fails. */
char *shk_block_text(const real *x, int n);
/* Reads the next number, up to one of the separators, and moves *text past both. False if there is
 * no number. */
bool shk_block_next(real *x, const char **text, const char *separators);
/* Reads exactly n numbers into x; false if there are fewer or more, or one is not a number. */
bool shk_block_read(real *x, int n, const char *text, const char *separators);

#endif
