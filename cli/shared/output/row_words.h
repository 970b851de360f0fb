/* One-word summary of a method, from its orders, its energy and its constraints. */
#ifndef CLI_SHARED_OUTPUT_ROW_WORDS_H
#define CLI_SHARED_OUTPUT_ROW_WORDS_H

#include "results/record/finding.h"

struct shk_row_word {
  const char *word, *meaning;
};

/* The words; the list ends with an entry without a word. */
extern const struct shk_row_word shk_row_words[];

/* The word for the worst results of one integrator over problems and horizons; NULL: the findings
 * do not suffice. */
const struct shk_row_word *shk_row_word_of(const struct shk_finding *const *f, int count);

#endif
