/*
 * The asymptotic expansion of an error, from signed errors.
 */
#ifndef HARNESS_ANALYSIS_STATISTICS_EXPANSION_H
#define HARNESS_ANALYSIS_STATISTICS_EXPANSION_H

#include "harness/analysis/statistics/limit.h"
#include <stdbool.h>

struct shk_expansion {
  bool determined;
  int order;                /* of the leading term */
  double value, half_width; /* the exponent with which the leading term shrinks */
  double certainty;         /* size of the leading coefficient over its uncertainty */
  double share;             /* of the leading term in the error at the largest step */
  double unseen; /* a term of lower order with at most this share of the error at the largest step
                    would not be noticed; NaN if there is no lower order */
  int used;      /* number of last steps that the leading term comes from */
};

/* Expands signed errors (the vectors) with their noise; the largest step first. */
struct shk_expansion shk_expand(const double *steps, const struct shk_sequence *errors);

double shk_root_mean_square(const double *x, int count);

#endif
