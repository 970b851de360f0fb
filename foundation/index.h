/* Numbers for texts: 0, 1, 2 … in the order of first appearance. */
#ifndef FOUNDATION_INDEX_H
#define FOUNDATION_INDEX_H

/* Zeroed, it is empty. */
struct shk_index {
  int count;
  char **texts; /* by number; each stays where it is until the index is cleared */
  void *tree;
};

/* The number of the text; a new one gets the count so far. */
int shk_index_text(struct shk_index *index, const char *text);
/* The number of the text if it has one; -1 else. */
int shk_index_find(const struct shk_index *index, const char *text);
/* As shk_index_text for a formatted text. */
int shk_index_number(struct shk_index *index, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void shk_index_clear(struct shk_index *index);

#endif
