/* The words of descriptors, for people. */
#ifndef CLI_SHARED_WORDS_H
#define CLI_SHARED_WORDS_H

#include <shakedown/descriptor.h>

/* What a system of that feature has, in order of the bits; SHK_FEATURE_COUNT of them. */
extern const char *const shk_feature_words[];
/* What a problem cannot decide, in order of the bits; ends with NULL. */
extern const char *const shk_undecidable_words[];
/* "yes", "no" or "unknown". */
const char *shk_answer_word(enum shk_answer answer);
/* What a measure of a study is, in one line; NULL if there is none of that name. */
const char *shk_measure_summary(const char *name);

#endif
