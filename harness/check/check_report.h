/*
 * A comparison for machines that run checks: TAP 13 and JUnit's XML.
 */
#ifndef HARNESS_CHECK_CHECK_REPORT_H
#define HARNESS_CHECK_CHECK_REPORT_H

#include "harness/check/compare.h"
#include <stdio.h>

/* Flat TAP, one point for each value; below a point that fails a YAML block with what it was, what
 * it is, the band, why that band, and the cause. The sentences of all changes follow as comments,
 * then a line that counts. */
void shk_check_print_tap(FILE *file, const struct shk_comparison *comparison);

/* One suite, of one test case for each value; its class is "INTEGRATOR on PROBLEM in PRECISION".
 * What XML cannot hold becomes "?". */
void shk_check_print_junit(FILE *file, const char *study, const struct shk_comparison *comparison);

#endif
