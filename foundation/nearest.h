/* Which known names a misspelt one may have meant. */
#ifndef FOUNDATION_NEAREST_H
#define FOUNDATION_NEAREST_H

#include <stddef.h>

/* Writes up to three of the `count` names nearest to `word` (Damerau-Levenshtein, at most a third
 * of the letters wrong, or a common prefix) as "a, b or c"; empty if none is near. Names are
 * pointers to texts, `stride` bytes apart: an array, or the same member of an array of structs. */
void shk_nearest(char *buffer, size_t size, const char *word, const void *names, size_t stride,
                 int count);

/* "did you mean a or b?", or, if no name is near, "known are a, b or c", at most twelve of them.
 * The caller frees it. */
char *shk_name_hint(const char *word, const void *names, size_t stride, int count);

#endif
