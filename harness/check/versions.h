/* Versions of a baseline, and what each says of a method as a whole. */
#ifndef HARNESS_CHECK_VERSIONS_H
#define HARNESS_CHECK_VERSIONS_H

#include "harness/check/baseline.h"

struct shk_version {
  char *name; /* a file's, or a commit's */
  struct shk_baseline baseline;
  int left; /* values that left their bands in it */
};

/* What is followed of every method: orders, and errors and work over those of the first version. */
enum shk_followed {
  SHK_FOLLOWED_ORDER_Q,
  SHK_FOLLOWED_ORDER_P,
  SHK_FOLLOWED_ORDER_LAMBDA,
  SHK_FOLLOWED_ERROR,
  SHK_FOLLOWED_WORK,
  SHK_FOLLOWED
};
/* "order of q", "ratio of errors". */
extern const char *const shk_followed_words[SHK_FOLLOWED];

/* The mean over the method's values that the first version has too, of all problems and precisions;
 * that of ratios is one of logarithms. NaN where there is none. */
double shk_version_mean(const struct shk_version *versions, int version, enum shk_followed what,
                        const char *integrator);
/* The verdicts on a method. */
void shk_version_verdicts(int counts[SHK_VERDICTS], const struct shk_version *version,
                          const char *integrator);

#endif
