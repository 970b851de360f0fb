/* Looks up names and suggests corrections for misspelt ones. A list of `count` names is passed as
 * pointers to strings; the pointers are `stride` bytes apart. The list can be an array, or one
 * member of an array of structs. */
#ifndef FOUNDATION_NEAREST_H
#define FOUNDATION_NEAREST_H

#include <stddef.h>

/* Returns the index of the first name equal to `name`, or -1 if there is none. */
int shk_name_index(const char *name, const void *names, size_t stride, int count);

/* Writes up to three names that are similar to `word` as "a, b or c", with the most similar name
 * first, or "" if there are none. A name is similar if its Damerau-Levenshtein distance is 1 or at
 * most a third of the number of letters. Names that share a prefix of at least two letters with
 * `word` follow, provided that the prefix is the whole word or more than half of it. */
void shk_nearest(char *buffer, size_t size, const char *word, const void *names, size_t stride,
                 int count);

/* Returns "did you mean a or b?" or, if no name is similar, "known are a, b or c" with at most
 * twelve names. The caller must free the string. */
char *shk_name_hint(const char *word, const void *names, size_t stride, int count);

#endif
