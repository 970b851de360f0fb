/* Prints a comparison as text: a headline, the changes, and TAP 13 and JUnit XML for CI systems. */
#ifndef HARNESS_CHECK_CHECK_REPORT_H
#define HARNESS_CHECK_CHECK_REPORT_H

#include "harness/check/compare.h"
#include <stdio.h>

/* Returns the headline, "3 claims of rattle failed: order of q 2.00 → 1.00, order of p 2.00 → 1.00,
 * …", which the caller frees. If no claim failed, the headline lists the values that left their
 * bands. A claim is counted once for all problems, runs and precisions. Equal changes are listed
 * once. Cells that did not finish count as one change, together with the values that are missing
 * because of them. Returns NULL if nothing fails. */
char *shk_check_headline(const struct shk_comparison *comparison);

/* Prints a sentence for each change with its cause, once for all precisions that agree. Claims that
 * failed come first. The last line contains the numbers of changes. Each line begins with
 * `prefix`. */
void shk_check_print_changes(FILE *file, const char *prefix,
                             const struct shk_comparison *comparison);

/* Prints flat TAP with one point for each value. Claims that failed come first. If a point fails, a
 * YAML block below it contains both values, the band, its reason, and the cause. At most 11 lines
 * of comments before the points summarize the result for a person: the headline, likely causes, the
 * first changes, and the command that shows `more` (NULL: none). The changes are also listed as
 * comments after the points. */
void shk_check_print_tap(FILE *file, const struct shk_comparison *comparison, const char *more);

/* Prints one suite with a test case for each value, in the order of the TAP points. The class of a
 * test case is "INTEGRATOR on PROBLEM in PRECISION". The headline is a property of the suite. */
void shk_check_print_junit(FILE *file, const struct shk_comparison *comparison);

/* A JUnit document while test cases are added to it. Initialize with zeros and set the suite and
 * the headline. */
struct shk_junit {
  const char *suite, *headline; /* headline NULL: none */
  FILE *cases;                  /* stream into `text` */
  char *text;
  size_t length;
  int tests, failures, skipped;
};
/* Adds a test case. `outcome` is "failure" or "skipped", with a type, a sentence and details, or
 * NULL if the test passed. Characters that XML does not allow are replaced by "?". */
void shk_junit_add(struct shk_junit *junit, const char *class, const char *name,
                   const char *outcome, const char *type, const char *message, const char *details);
/* Prints all cases of a struct shk_junit as one suite. */
void shk_junit_print(FILE *file, const void *junit);
void shk_junit_clear(struct shk_junit *junit);

#endif
