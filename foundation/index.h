/* Assigns the numbers 0, 1, 2 … to texts in the order of their first appearance. */
#ifndef FOUNDATION_INDEX_H
#define FOUNDATION_INDEX_H

/* Initialize with {0}. */
struct shk_index {
  int count;
  char **texts; /* in the order of their numbers; texts do not move until the index is cleared */
  void *tree;
};

/* Returns the number of a text. A new text is given the next number. */
int shk_index_text(struct shk_index *index, const char *text);
/* Returns the number of a text, or -1 if it has none. */
int shk_index_find(const struct shk_index *index, const char *text);
/* Like shk_index_text, for a formatted text. */
int shk_index_number(struct shk_index *index, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void shk_index_clear(struct shk_index *index);

#endif
