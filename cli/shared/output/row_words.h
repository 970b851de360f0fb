/* What a method does, in a word: what its orders, its energy and its constraints say together. */
#ifndef CLI_SHARED_OUTPUT_ROW_WORDS_H
#define CLI_SHARED_OUTPUT_ROW_WORDS_H

#include "results/record/finding.h"

struct shk_row_word {
  const char *word, *meaning;
};

/* The words, from which a row of findings gets its own; ended by one without a word. */
extern const struct shk_row_word shk_row_words[];

/* Returns the place of the word that findings[which[0]], … of one integrator make, at their worst
 * over problems and horizons; -1: they do not say enough. */
int shk_row_word_of(const struct shk_finding *findings, const int *which, int count);

#endif
