/* Updates a baseline: the lines of values that left their bands are rewritten. All other lines,
 * including comments and bands that were written by hand, remain unchanged. */
#ifndef HARNESS_CHECK_UPDATE_H
#define HARNESS_CHECK_UPDATE_H

#include "harness/check/compare.h"

struct shk_update {
  char *text; /* the new file; the caller frees it */
  /* numbers of values; `kept` counts those whose cells failed */
  int rewritten, restated, added, removed, kept;
};

/* Updates the text of the baseline that was read from `path`, and prints a line about each change.
 * `comparison` compares this baseline with newer values. If a value left its band, the value is
 * replaced together with its half-width and verdict. Its band is kept unless it now has a different
 * reason (such as truncation instead of round-off). A band is also rewritten if the study states
 * it, or no longer does. Values that the study no longer has are removed, and new values are added
 * in order. Values of cells that failed are kept. */
void shk_baseline_update(struct shk_update *update, FILE *log, const char *path, const char *text,
                         size_t length, const struct shk_comparison *comparison);

#endif
