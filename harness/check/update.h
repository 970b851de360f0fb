/* Updating a baseline: lines of values that left their bands are rewritten, all others stay as they
 * are, with comments and with bands that were made by hand. */
#ifndef HARNESS_CHECK_UPDATE_H
#define HARNESS_CHECK_UPDATE_H

#include "harness/check/compare.h"

struct shk_update {
  char *text;                                    /* the new file; the caller frees it */
  int rewritten, restated, added, removed, kept; /* values; kept: because cells failed */
};

/* Updates the text of the baseline that was read from `path`, and prints a line about each change.
 * The comparison is that of this baseline with newer values. What left its band gets its new value,
 * half-width and verdict, and keeps its band unless that has another reason now (round-off, then
 * truncation). A band that the study states, or no longer states, is rewritten. Values that the
 * study no longer has are removed, new ones added in order. Values of cells that failed are kept. */
void shk_baseline_update(struct shk_update *update, FILE *log, const char *path, const char *text,
                         size_t length, const struct shk_comparison *comparison);

#endif
