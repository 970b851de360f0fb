/* Updates a baseline by rewriting the lines of values that left their bands. All other lines,
 * including comments and bands that were edited by hand, are left unchanged. */
#ifndef HARNESS_CHECK_UPDATE_H
#define HARNESS_CHECK_UPDATE_H

#include "harness/check/compare.h"

struct shk_update {
  char *text; /* the contents of the new file, which the caller must free */
  /* the number of values of each kind; `kept` counts values that were not updated because their
   * cells failed */
  int rewritten, restated, added, removed, kept;
};

/* Updates the contents of the baseline that was read from `path`, and prints one line per change.
 * `comparison` must be the comparison of this baseline with newer values. If a value left its band,
 * it is replaced together with its half-width and verdict. Its band is preserved unless the band
 * now has a different reason, such as truncation instead of round-off. A band is also rewritten if
 * the study now sets it, or no longer does. Values that the study no longer contains are removed,
 * and new values are inserted in order. Values of cells that failed are preserved. */
void shk_baseline_update(struct shk_update *update, FILE *log, const char *path, const char *text,
                         size_t length, const struct shk_comparison *comparison);

#endif
