/* Summarizes a method in one word, based on its orders, energy behaviour and constraint
 * violations. */
#ifndef CLI_SHARED_OUTPUT_ROW_WORDS_H
#define CLI_SHARED_OUTPUT_ROW_WORDS_H

#include "results/record/finding.h"

struct shk_row_word {
  const char *word, *meaning;
};

/* The summary words. The list is terminated by an entry whose word is NULL. */
extern const struct shk_row_word shk_row_words[];

/* Returns the word that describes an integrator's worst results over all problems and horizons, or
 * NULL if there are too few findings. */
const struct shk_row_word *shk_row_word_of(const struct shk_finding *const *f, int count);

#endif
