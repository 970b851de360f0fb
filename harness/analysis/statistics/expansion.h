/*
 * Determines the asymptotic expansion of an error from signed errors, and the limits of sequences
 * as their step goes to zero.
 */
#ifndef HARNESS_ANALYSIS_STATISTICS_EXPANSION_H
#define HARNESS_ANALYSIS_STATISTICS_EXPANSION_H

#include <stdbool.h>

/* A vector that belongs to one step size. */
struct shk_term {
  double step;
  double noise; /* bound on the root mean square of the vector's error */
  const double *values;
};

/* A sequence of vectors with `size` components each, sorted from the largest step to the
 * smallest. */
struct shk_sequence {
  int count, size;
  const struct shk_term *terms;
};

struct shk_limit {
  double size;        /* the root mean square of the limit's components */
  double uncertainty; /* its uncertainty in the same norm, or infinity if no limit was found */
  double coarser;     /* the size of the limit found from a window that ends one step earlier */
  /* the number of vectors, starting from the finest, that were used to find the limit */
  int used;
  double value; /* the limit itself if the vectors have one component */
};

/* Extrapolates c_0 + c_1 h + c_2 h² + … to h = 0, using polynomials through the last two, three, …
 * vectors, and returns the result with the smallest uncertainty. The uncertainty is the effect of
 * the noise plus twice the larger of two changes in the result: one from reducing the degree by
 * one, and one from ending one step earlier with the same degree. At least three vectors are
 * needed. */
struct shk_limit shk_limit_of(const struct shk_sequence *sequence);

enum { SHK_HIGHEST_ORDER = 14 };

struct shk_expansion {
  bool determined;
  double value, half_width; /* the exponent with which the leading term decreases */
  double certainty;         /* the size of the leading coefficient divided by its uncertainty */
  double share;             /* the leading term as a fraction of the error at the largest step */
  /* the largest fraction of the error at the largest step that a term of lower order could
   * contribute without being detected; NaN if there is no lower order */
  double unseen;
  /* For each order below the leading one, the largest possible contribution of a term of that order
   * to the errors at the largest step, in the unit of these errors. It is infinite if the
   * coefficient exceeds its uncertainty, because such a term may then exist. It is NaN for the
   * leading order and all higher ones. */
  double at_most[SHK_HIGHEST_ORDER + 1];
  /* the number of steps, starting from the finest, that were used to find the leading term */
  int used;
};

/* Finds the leading term in the expansion of the signed errors. */
struct shk_expansion shk_expand(const struct shk_sequence *errors);

double shk_root_mean_square(const double *x, int count);

#endif
