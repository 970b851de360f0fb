/* A producer of flat TAP (Test Anything Protocol, version 12): numbered points, one a line, flushed
 * at once so that a crash preserves the points before it, and the plan `1..N` at the end, so that a
 * program that stops early has no plan and counts as failed.
 *
 * It is not for use from several threads, nor across a fork: print points from the parent only. */
#ifndef TESTS_KIT_TAP_H
#define TESTS_KIT_TAP_H

/* Functions of systems and methods have more parameters than made-up ones need. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* What nearly every test uses. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is cleared where its name ends. */
#define OUTCOME __attribute__((cleanup(shk_outcome_clear))) struct shk_outcome
#define DRIVE __attribute__((cleanup(shk_drive_end))) struct shk_drive
#define BOUND __attribute__((cleanup(shk_unbind))) struct shk_bound
#define STATE __attribute__((cleanup(shk_state_clear))) struct shk_state
#define TEXT __attribute__((cleanup(tap_free))) char *
static inline void tap_free(char **text)
{
  free(*text);
}

/* Prints one test point; its name is formatted as by printf. Returns `passed`. */
bool tap_ok(bool passed, const char *name, ...) __attribute__((format(printf, 2, 3)));

/* Passes when |got - want| <= tol (absolute). A NaN anywhere fails; equal infinities pass. */
bool tap_is_near(double got, double want, double tol, const char *name, ...)
    __attribute__((format(printf, 4, 5)));

/* Passes when both texts are equal; NULL equals NULL only. */
bool tap_is_text(const char *got, const char *want, const char *name, ...)
    __attribute__((format(printf, 3, 4)));

/* Passes when both whole numbers are equal. */
bool tap_is_int(long long got, long long want, const char *name, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints a comment; every line of it begins with "# ". */
void tap_diag(const char *text, ...) __attribute__((format(printf, 1, 2)));

/* Prints a skipped point with the reason. In CI a skip counts as a failure. */
void tap_skip(const char *why, ...) __attribute__((format(printf, 1, 2)));

/* The same for lack of `what`, a package or a part of the build. If SHAKEDOWN_WITHOUT names it (the
 * release does not have it, or the build was configured without it) the skip is intended, and is
 * not a failure in CI. */
void tap_skip_without(const char *what, const char *why, ...) __attribute__((format(printf, 2, 3)));

/* The seed for random numbers: SHAKEDOWN_TEST_SEED from the environment if set, else `fallback`. It
 * is printed, at once and again at the end if something failed. */
uint64_t tap_seed(uint64_t fallback);

/* Prints the plan and returns the exit status of the program: 0 if at least one point was printed
 * and none failed, else 1. */
int tap_done(void);

#endif
