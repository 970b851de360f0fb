/*
 * Estimates the time t* of an impasse from a run that ended near it. At an impasse, {{H,g_i},g_j}
 * (or G M⁻¹ Gᵀ) becomes singular, the motion cannot continue, and lambda, the largest |multiplier|,
 * grows like (t* - t)^(-1/2). Near a fold of the hidden constraint, 1/lambda² is a power series in
 * s = (t* - t)^½ that begins with s²,
 *
 *     1/lambda² = b_2 s² + b_3 s³ + …
 *
 * For a given t*, a least-squares fit determines these coefficients and an additional constant.
 * Newton's method finds the t* for which this constant vanishes, with 6, 8, …, 28 terms (at least 4
 * fewer than the number of points). The result is the t* that changes least when the number of
 * terms increases. This change limits the accuracy of t* once the method's errors are small. In the
 * window of the fit, lambda is between 3 and 12 times its value at the beginning of its growth, and
 * at most half its last value. The window excludes the last steps, whose errors are large. This
 * makes t* accurate to the order of the method, so it can be extrapolated in h. The exponent is -(2
 * + delta)/4, where t* comes from a fit with 12 terms and delta from the fit
 *
 *     1/lambda² = (1/lambda²) delta log s + b_2 s² + … + b_8 s⁸,
 *
 * which is s^(2+delta) times a power series to first order in delta.
 */
#ifndef MEASURES_IMPASSE_H
#define MEASURES_IMPASSE_H

#include <shakedown/parts/real.h>
#include <shakedown/parts/status.h>

struct shk_impasse {
  real time; /* t*, measured on the time axis of the data */
  /* the change in t* caused by the last two terms, but at least 1/10 of the change caused by the
   * two terms before them */
  real doubt;
  real exponent; /* -½ for a fold */
  int points;    /* number of points in the window */
};

/* Fits an impasse to the times t and the values of max|lambda| (`count` numbers each, in
 * chronological order). Returns SHK_NOT_CONVERGED if lambda does not grow towards the end of the
 * run as it would at an impasse, if the window contains too few points, or if no fit converges.
 * Returns SHK_NO_MEMORY if an allocation fails. */
struct shk_status shk_impasse_fit(struct shk_impasse *impasse, const real *t, const real *size,
                                  int count);

#endif
