/* The results of an audit of a problem or an integrator. */
#ifndef FOUNDATION_CHECKS_H
#define FOUNDATION_CHECKS_H

#include <stdbool.h>

struct shk_check {
  bool holds;
  char name[64];    /* "curvature: its inputs and outputs" */
  char detail[160]; /* what was found; "" if it holds and there is nothing to say */
};

enum { SHK_CHECKS = 64 };

struct shk_checks {
  int count;
  struct shk_check items[SHK_CHECKS];
};

#endif
