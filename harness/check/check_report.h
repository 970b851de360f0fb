/*
 * A comparison in words: a headline, the changes, TAP 13 and JUnit's XML for machines that run
 * checks.
 */
#ifndef HARNESS_CHECK_CHECK_REPORT_H
#define HARNESS_CHECK_CHECK_REPORT_H

#include "harness/check/compare.h"
#include <stdio.h>

/* "3 claims of rattle fell: order of q 2.00 → 1.00, order of p 2.00 → 1.00, …"; without one, the
 * values that left their bands. A claim counts once for all precisions; what moved alike is said
 * once. NULL where everything is within its band; the caller frees it. */
char *shk_check_headline(const struct shk_comparison *comparison);

/* A sentence with its cause for each change, claims that fell first, one for all precisions that
 * agree; then a line that counts. Each line begins with `prefix`. */
void shk_check_print_changes(FILE *file, const char *prefix,
                             const struct shk_comparison *comparison);

/* Flat TAP, one point for each value, claims that fell first; below a point that fails a YAML block
 * with what it was, what it is, the band, why that band, and the cause. The headline is a comment
 * before the points, the changes are comments after them. */
void shk_check_print_tap(FILE *file, const struct shk_comparison *comparison);

/* One suite, of one test case for each value, in the order of the points; its class is "INTEGRATOR
 * on PROBLEM in PRECISION". The headline is a property. What XML cannot hold becomes "?". */
void shk_check_print_junit(FILE *file, const char *study, const struct shk_comparison *comparison);

#endif
