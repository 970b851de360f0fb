/* Numbers for texts: 0, 1, 2 … in the order in which they first came. */
#ifndef FOUNDATION_INDEX_H
#define FOUNDATION_INDEX_H

#include <stddef.h>

struct shk_index_entry;

struct shk_index {
  struct shk_index_entry *entries;
  size_t places; /* a power of two, or 0 */
  int count;
};

/* The number of the text that the format makes, a new one if it was not met before. Starts with an
 * index of zeros. */
int shk_index_number(struct shk_index *index, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void shk_index_clear(struct shk_index *index);

#endif
