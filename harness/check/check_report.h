/*
 * A comparison as text: a headline, the changes, and TAP 13 and JUnit XML for CI systems.
 */
#ifndef HARNESS_CHECK_CHECK_REPORT_H
#define HARNESS_CHECK_CHECK_REPORT_H

#include "harness/check/compare.h"
#include <stdio.h>

/* The headline, "3 claims of rattle fell: order of q 2.00 → 1.00, order of p 2.00 → 1.00, …"; if no
 * claim fell, the values that left their bands. A claim counts once for all precisions, and equal
 * changes are listed once. NULL if everything is within its band; the caller frees it. */
char *shk_check_headline(const struct shk_comparison *comparison);

/* Prints a sentence with its cause for each change, claims that fell first, one for all precisions
 * that agree; then a line with the counts. Each line begins with `prefix`. */
void shk_check_print_changes(FILE *file, const char *prefix,
                             const struct shk_comparison *comparison);

/* Prints flat TAP, one point for each value, claims that fell first. Below a point that fails, a
 * YAML block has both values, the band, its reason, and the cause. The headline is a comment before
 * the points, the changes are comments after them. */
void shk_check_print_tap(FILE *file, const struct shk_comparison *comparison);

/* Prints one suite with one test case for each value, in the order of the points; its class is
 * "INTEGRATOR on PROBLEM in PRECISION". The headline is a property. */
void shk_check_print_junit(FILE *file, const struct shk_comparison *comparison);

/* JUnit's XML while its test cases are added; begins as {0}. */
struct shk_junit {
  const char *suite, *headline; /* headline NULL: none */
  FILE *cases;
  char *text;
  size_t length;
  int tests, failures, skipped;
};
/* Adds a case; `outcome` is "failure" or "skipped" with its type, sentence and details, NULL for
 * one that passed. Characters not allowed in XML become "?". */
void shk_junit_add(struct shk_junit *junit, const char *class, const char *name,
                   const char *outcome, const char *type, const char *message, const char *details);
/* Prints all cases of a struct shk_junit as one suite. */
void shk_junit_print(FILE *file, const void *junit);
void shk_junit_clear(struct shk_junit *junit);

/* Prints the median of the ratios of seconds of each integrator that both sides timed, with their
 * range and their number, a line each that begins with `prefix`. Seconds of two
 * machines, versions or days are not comparable; each is the least of several repeats. */
void shk_timing_print(FILE *file, const char *prefix, const struct shk_comparison *comparison);

#endif
