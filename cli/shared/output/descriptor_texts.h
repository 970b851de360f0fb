/* Bits and codes of descriptors as text. */
#ifndef CLI_SHARED_OUTPUT_DESCRIPTOR_TEXTS_H
#define CLI_SHARED_OUTPUT_DESCRIPTOR_TEXTS_H

#include <shakedown/descriptor.h>

/* Headings of the features of a system, in order of the bits; SHK_FEATURE_COUNT of them. */
extern const char *const shk_feature_titles[];
/* Properties that a problem cannot decide, in order of the bits; ends with NULL. */
extern const char *const shk_undecidable_texts[];
/* The word of an answer: "yes", "no" or "unknown". */
const char *shk_answer_text(enum shk_answer answer);

#endif
