/* A comparison as text: a headline, the changes, and TAP 13 and JUnit XML for CI systems. */
#ifndef HARNESS_CHECK_CHECK_REPORT_H
#define HARNESS_CHECK_CHECK_REPORT_H

#include "harness/check/compare.h"
#include <stdio.h>

/* Returns the headline, "3 claims of rattle failed: order of q 2.00 → 1.00, order of p 2.00 → 1.00,
 * …", which the caller frees; if no claim failed, with the values that left their bands. A claim is
 * counted once for all problems, runs and precisions, equal changes are listed once, and cells that
 * did not finish are one change with the values that they lack. NULL if nothing fails. */
char *shk_check_headline(const struct shk_comparison *comparison);

/* Prints a sentence for each change with its cause, once for all precisions that agree, claims that
 * fell first; then a line with the numbers of changes. Each line begins with `prefix`. */
void shk_check_print_changes(FILE *file, const char *prefix,
                             const struct shk_comparison *comparison);

/* Prints flat TAP, one point for each value, claims that fell first. Below a point that fails, a
 * YAML block has both values, the band, its reason, and the cause. Comments before the points, at
 * most 11 lines, say what a person needs: the headline, likely causes, the first changes, and the
 * command that shows `more` (NULL: none). The changes are comments after the points, too. */
void shk_check_print_tap(FILE *file, const struct shk_comparison *comparison, const char *more);

/* Prints one suite with a test case for each value, in the order of the TAP points; its class is
 * "INTEGRATOR on PROBLEM in PRECISION". The headline is a property of the suite. */
void shk_check_print_junit(FILE *file, const struct shk_comparison *comparison);

/* JUnit's XML while its test cases are added; begins as {0} with suite and headline. */
struct shk_junit {
  const char *suite, *headline; /* headline NULL: none */
  FILE *cases;                  /* stream into `text` */
  char *text;
  size_t length;
  int tests, failures, skipped;
};
/* Adds a case. `outcome`: "failure" or "skipped", with its type, sentence and details; NULL: it
 * passed. Characters that XML does not allow become "?". */
void shk_junit_add(struct shk_junit *junit, const char *class, const char *name,
                   const char *outcome, const char *type, const char *message, const char *details);
/* Prints all cases of a struct shk_junit as one suite. */
void shk_junit_print(FILE *file, const void *junit);
void shk_junit_clear(struct shk_junit *junit);

#endif
