/* The result of checking a derivative by finite differences (mechanics/system/derivatives.h). */
#ifndef FOUNDATION_DERIVATIVE_CHECK_H
#define FOUNDATION_DERIVATIVE_CHECK_H

#include <stdbool.h>

/* The difference between a derivative and finite differences in this precision. */
struct shk_derivative_check {
  const char *name; /* "H_q", "H_p", "Hessian", "G", "curvature", "g_t", "fibre"; for general DAEs
                       "f_x", "f_lambda", "g_x", "curvature", "structure" */
  double error;     /* largest difference, relative to the derivative's largest entry */
  double floor;     /* smallest error that finite differences can resolve */
  bool holds;
};

#endif
