/*
 * The asymptotic expansion of an error, found from signed errors, and limits of sequences as their
 * step vanishes.
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

/* Vectors of `size` components; the largest step comes first. */
struct shk_sequence {
  int count, size;
  const struct shk_term *terms;
};

struct shk_limit {
  double size;        /* root mean square of the limit's components */
  double uncertainty; /* uncertainty of the limit in the same norm; infinite: none found */
  double coarser;     /* size of the limit from a window that ends one step earlier */
  int used;           /* the limit comes from this many of the last vectors */
  double value;       /* the limit itself, for numbers (size 1) */
};

/* Extrapolates c_0 + c_1 h + c_2 h² + … to h = 0 by polynomials through the last two, three, …
 * vectors, and returns the result with the least uncertainty. The uncertainty is the effect of the
 * noise plus twice the larger of two changes: from one degree less, and from the same degree one
 * step earlier. Needs three vectors. */
struct shk_limit shk_limit_of(const struct shk_sequence *sequence);

enum { SHK_HIGHEST_ORDER = 14 };

struct shk_expansion {
  bool determined;
  double value, half_width; /* the exponent with which the leading term shrinks */
  double certainty;         /* size of the leading coefficient divided by its uncertainty */
  double share;             /* share of the leading term in the error at the largest step */
  /* a term of lower order with at most this share of the error at the largest step would go
   * unnoticed; NaN if there is no lower order */
  double unseen;
  /* For each order below the leading one, the most that a term of this order contributes to the
   * errors at the largest step, in their unit. Infinite if the coefficient exceeds its uncertainty,
   * so that there may be such a term. NaN for the leading order and those above. */
  double at_most[SHK_HIGHEST_ORDER + 1];
  int used; /* the leading term comes from this many of the last steps */
};

/* Finds the leading term of signed errors. */
struct shk_expansion shk_expand(const struct shk_sequence *errors);

double shk_root_mean_square(const double *x, int count);

#endif
