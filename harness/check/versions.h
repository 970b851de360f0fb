/* Versions of a baseline, and the values of a method in each. */
#ifndef HARNESS_CHECK_VERSIONS_H
#define HARNESS_CHECK_VERSIONS_H

#include "harness/check/baseline.h"

struct shk_version {
  char *name; /* name of a file or of a commit */
  struct shk_baseline baseline;
};

/* Values followed for every method: orders, and errors and work relative to the first version. */
enum shk_followed {
  SHK_FOLLOWED_ORDER_Q,
  SHK_FOLLOWED_ORDER_P,
  SHK_FOLLOWED_ORDER_LAMBDA,
  SHK_FOLLOWED_ERROR,
  SHK_FOLLOWED_WORK,
  SHK_FOLLOWED
};

/* The mean over the method's values that the first version also has, over all problems and
 * precisions; for ratios a mean of logarithms. NaN if there is none. */
double shk_version_mean(const struct shk_version *versions, int version, enum shk_followed what,
                        const char *integrator);
/* Counts the verdicts on a method. */
void shk_version_verdicts(int counts[SHK_VERDICTS], const struct shk_version *version,
                          const char *integrator);

#endif
