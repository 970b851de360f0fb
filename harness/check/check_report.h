/* Prints a comparison as a headline, as a list of changes, and as TAP 13 or JUnit XML for CI
 * systems. */
#ifndef HARNESS_CHECK_CHECK_REPORT_H
#define HARNESS_CHECK_CHECK_REPORT_H

#include "harness/check/compare.h"
#include <stdio.h>

/* Returns a headline such as "3 claims of rattle failed: order of q 2.00 → 1.00, order of p 2.00 →
 * 1.00, …", which the caller must free. If no claim failed, the headline lists the values that left
 * their bands. Each claim is counted only once across all problems, runs and precisions, and
 * identical changes are listed only once. The cells that did not finish and the values that are
 * missing as a result count as one change. Returns NULL if nothing fails. */
char *shk_check_headline(const struct shk_comparison *comparison);

/* Prints one sentence per change, with its cause. If several precisions have the same change, it is
 * printed only once. Claims that failed come first, and the last line lists how many changes there
 * are of each kind. Each line begins with `prefix`. */
void shk_check_print_changes(FILE *file, const char *prefix,
                             const struct shk_comparison *comparison);

/* Prints flat TAP with one test point per value. Claims that failed come first. A test point that
 * fails is followed by a YAML block with both values, the band and the reason for it, and the cause
 * of the change. The test points are preceded by up to 11 comment lines that summarize the result
 * for human readers: the headline, likely causes, the first changes and, unless `more` is NULL, a
 * command that shows more. After the test points, all changes are listed as comments. */
void shk_check_print_tap(FILE *file, const struct shk_comparison *comparison, const char *more);

/* Prints one suite with one test case per value, in the same order as in TAP. The class of a test
 * case is "INTEGRATOR on PROBLEM in PRECISION". The headline is a property of the suite. */
void shk_check_print_junit(FILE *file, const struct shk_comparison *comparison);

/* A JUnit document to which test cases are added. Before use, initialize it with zeros and set the
 * suite and the headline. */
struct shk_junit {
  const char *suite, *headline; /* `headline` is NULL if there is none */
  FILE *cases;                  /* a stream that writes to `text` */
  char *text;
  size_t length;
  int tests, failures, skipped;
};
/* Adds a test case. `outcome` is NULL if the test passed. Otherwise it is "failure" or "skipped",
 * and `type`, `message` and `details` describe it. Characters that XML does not allow are replaced
 * with "?". */
void shk_junit_add(struct shk_junit *junit, const char *class, const char *name,
                   const char *outcome, const char *type, const char *message, const char *details);
/* Prints all test cases of a struct shk_junit as one suite. */
void shk_junit_print(FILE *file, const void *junit);
void shk_junit_clear(struct shk_junit *junit);

#endif
