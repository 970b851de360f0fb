/*
 * A set of texts, numbered in the order in which they came: as foundation/index.h, for many texts
 * that are to be kept.
 */
#ifndef FOUNDATION_TEXT_SET_H
#define FOUNDATION_TEXT_SET_H

#include <stdbool.h>
#include <stddef.h>

/* Begins with zeros. */
struct shk_text_set {
  int count;
  size_t slots; /* a power of two, more than twice the count */
  char **texts; /* owned */
  int *table;   /* index + 1 into texts; 0: free */
};

/* The number of the text, which is added if it is new; takes the text over. */
int shk_text_number(struct shk_text_set *set, char *owned, bool *is_new);
void shk_text_set_clear(struct shk_text_set *set);

#endif
