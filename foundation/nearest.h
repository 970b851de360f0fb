/* Look-up of names and suggestions for misspelt ones. A list of `count` names is given by pointers
 * to texts, `stride` bytes apart: an array, or one member of an array of structs. */
#ifndef FOUNDATION_NEAREST_H
#define FOUNDATION_NEAREST_H

#include <stddef.h>

/* Returns the index of the first name equal to `name`; -1 if there is none. */
int shk_name_index(const char *name, const void *names, size_t stride, int count);

/* Writes up to three names near `word` as "a, b or c", the nearest first. Near are names at a
 * Damerau-Levenshtein distance of 1 or of at most a third of the letters, and then names with a
 * common prefix of two letters or more that is the whole word or more than half of it. Empty if
 * none is near. */
void shk_nearest(char *buffer, size_t size, const char *word, const void *names, size_t stride,
                 int count);

/* Returns "did you mean a or b?"; if no name is near, "known are a, b or c" with at most twelve
 * names. The caller frees it. */
char *shk_name_hint(const char *word, const void *names, size_t stride, int count);

#endif
