/* The results of an audit of a problem. */
#ifndef FOUNDATION_CHECKS_H
#define FOUNDATION_CHECKS_H

#include "foundation/message.h"

#include <stdbool.h>

struct shk_check {
  bool holds;
  char name[64];                 /* for example "curvature: its inputs and outputs" */
  char detail[SHK_MESSAGE_SIZE]; /* description of what is wrong, or "" if the check passed */
};

enum { SHK_CHECKS = 64 };

struct shk_checks {
  int count;
  struct shk_check items[SHK_CHECKS];
};

/* Adds the check "name: what". The check passed if `fault` is NULL or empty. Checks beyond
 * SHK_CHECKS are dropped. */
void shk_checks_add(struct shk_checks *checks, const char *name, const char *what,
                    const char *fault);

/* Compares a derivative with finite differences in this precision
 * (mechanics/system/derivatives.h). */
struct shk_derivative_check {
  char name
      /* "H_q", "H_p", "Hessian", "G", "curvature", "g_t", "fibre", "forces and constraints at
       * once"; for general DAEs "f_x", "f_lambda", "g_x", "curvature", "structure" */
      [40];
  double error; /* the largest difference, relative to the largest entry of the derivative */
  double floor; /* the smallest error that finite differences can resolve */
  bool holds;
};

#endif
