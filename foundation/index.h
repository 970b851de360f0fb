/* Assigns the numbers 0, 1, 2 … to strings in the order of their first appearance. */
#ifndef FOUNDATION_INDEX_H
#define FOUNDATION_INDEX_H

/* Initialize with {0}. */
struct shk_index {
  int count;
  /* the strings in the order of their numbers; their addresses do not change until the index is
   * cleared */
  char **texts;
  void *tree;
};

/* Returns the number of a string. A new string is assigned the next free number. */
int shk_index_text(struct shk_index *index, const char *text);
/* Returns the number of a string, or -1 if it has none. */
int shk_index_find(const struct shk_index *index, const char *text);
/* Like shk_index_text, but for a formatted string. */
int shk_index_number(struct shk_index *index, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void shk_index_clear(struct shk_index *index);

#endif
