/* The result of checking a derivative against differences (mechanics/system/derivatives.h). */
#ifndef FOUNDATION_DERIVATIVE_CHECK_H
#define FOUNDATION_DERIVATIVE_CHECK_H

#include <stdbool.h>

/* How far a derivative is from differences in this precision. */
struct shk_derivative_check {
  const char *name; /* "H_q", "H_p", "Hessian", "G", "curvature", "g_t", "fibre"; of general DAEs
                       "f_x", "f_lambda", "g_x", "curvature", "structure" */
  double error;     /* largest difference, relative to the derivative's largest entry */
  double floor;     /* the least error that differences can resolve */
  bool holds;
};

#endif
