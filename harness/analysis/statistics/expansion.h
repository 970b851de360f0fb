/*
 * The asymptotic expansion of an error, determined from signed errors, and the limits of sequences
 * as their step goes to zero.
 */
#ifndef HARNESS_ANALYSIS_STATISTICS_EXPANSION_H
#define HARNESS_ANALYSIS_STATISTICS_EXPANSION_H

#include <stdbool.h>

/* A vector at a step. */
struct shk_term {
  double step;
  double noise; /* bound on the root mean square of the vector's error */
  const double *values;
};

/* Vectors of `size` components, with the largest step first. */
struct shk_sequence {
  int count, size;
  const struct shk_term *terms;
};

struct shk_limit {
  double size;        /* root mean square of the components of the limit */
  double uncertainty; /* uncertainty of the limit in the same norm; infinite if there is none */
  double coarser;     /* size of the limit from a window that ends one step earlier */
  int used;           /* the limit was found from this many of the last vectors */
  double value;       /* the limit itself if size is 1 */
};

/* Extrapolates c_0 + c_1 h + c_2 h² + … to h = 0 by polynomials through the last two, three, …
 * vectors, and returns the result with the smallest uncertainty. The uncertainty is the effect of
 * the noise plus twice the larger of two changes: the change if the degree is reduced by one, and
 * the change if the same degree is used one step earlier. At least three vectors are needed. */
struct shk_limit shk_limit_of(const struct shk_sequence *sequence);

enum { SHK_HIGHEST_ORDER = 14 };

struct shk_expansion {
  bool determined;
  double value, half_width; /* the exponent with which the leading term decreases */
  double certainty;         /* size of the leading coefficient divided by its uncertainty */
  double share;             /* share of the leading term in the error at the largest step */
  /* a term of lower order with at most this share of the error at the largest step would remain
   * unnoticed; NaN if there is no lower order */
  double unseen;
  /* For each order below the leading one, the maximum contribution of a term of this order to the
   * errors at the largest step, in the unit of these errors. It is infinite if the coefficient
   * exceeds its uncertainty, because there may then be such a term. It is NaN for the leading order
   * and those above. */
  double at_most[SHK_HIGHEST_ORDER + 1];
  int used; /* the leading term was found from this many of the last steps */
};

/* Finds the leading term in the expansion of signed errors. */
struct shk_expansion shk_expand(const struct shk_sequence *errors);

double shk_root_mean_square(const double *x, int count);

#endif
