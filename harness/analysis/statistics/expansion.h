/*
 * The asymptotic expansion of an error, from signed errors, and limits of sequences as their step
 * vanishes.
 */
#ifndef HARNESS_ANALYSIS_STATISTICS_EXPANSION_H
#define HARNESS_ANALYSIS_STATISTICS_EXPANSION_H

#include <stdbool.h>

/* A vector at a step. */
struct shk_term {
  double step;
  double noise; /* bound of the root mean square of its error */
  const double *values;
};

/* Vectors of `size` components, the largest step first. */
struct shk_sequence {
  int count, size;
  const struct shk_term *terms;
};

struct shk_limit {
  double size;        /* root mean square of the limit's components */
  double uncertainty; /* of the limit, in the same norm; infinite: none found */
  double coarser;     /* size of the limit from a window that ends one step earlier */
  int used;           /* number of last vectors that the limit comes from */
  double value;       /* the limit itself, for numbers (size 1) */
};

/* Extrapolates c_0 + c_1 h + c_2 h² + … to h = 0 by polynomials through the last two, three, …
 * vectors, and returns the result of least uncertainty. This is the effect of the noise plus twice
 * the larger of two changes: from one degree less, and from the same degree one step earlier. Needs
 * three vectors. */
struct shk_limit shk_limit_of(const struct shk_sequence *sequence);

enum { SHK_HIGHEST_ORDER = 14 };

struct shk_expansion {
  bool determined;
  double value, half_width; /* the exponent with which the leading term shrinks */
  double certainty;         /* size of the leading coefficient over its uncertainty */
  double share;             /* of the leading term in the error at the largest step */
  double unseen; /* a term of lower order with at most this share of the error at the largest step
                    would not be noticed; NaN if there is no lower order */
  /* For each order: the most that a term of it, below the leading one, contributes to the errors at
   * the largest step, in their unit. Infinite if the coefficient exceeds its uncertainty, so that the
   * term may be there; NaN for the leading order and those above. */
  double at_most[SHK_HIGHEST_ORDER + 1];
  int used; /* number of last steps that the leading term comes from */
};

/* Finds the leading term of signed errors. */
struct shk_expansion shk_expand(const struct shk_sequence *errors);

double shk_root_mean_square(const double *x, int count);

#endif
