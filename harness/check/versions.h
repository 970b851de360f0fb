/* Numbers of a method in a version of a baseline. */
#ifndef HARNESS_CHECK_VERSIONS_H
#define HARNESS_CHECK_VERSIONS_H

#include "harness/check/baseline.h"

/* Means of the orders of q, p and lambda, and of errors of q and work relative to the first version
 * (of their logarithms): over the values that the first version also has, of all problems and
 * precisions; NaN if there is none. Then the numbers of verdicts held, falsified, undecided and
 * failed. */
enum { SHK_VERSION_MEANS = 5, SHK_VERSION_NUMBERS = SHK_VERSION_MEANS + 4 };
void shk_version_numbers(double numbers[SHK_VERSION_NUMBERS], const struct shk_baseline *version,
                         const struct shk_baseline *first, const char *integrator);

#endif
