/* The results of an audit of a problem or an integrator. */
#ifndef FOUNDATION_CHECKS_H
#define FOUNDATION_CHECKS_H

#include <stdbool.h>

struct shk_check {
  bool holds;
  char name[64];    /* "curvature: its inputs and outputs" */
  char detail[240]; /* what was found; "" if it holds and there is nothing to say */
};

enum { SHK_CHECKS = 64 };

struct shk_checks {
  int count;
  struct shk_check items[SHK_CHECKS];
};

/* Adds "name: what", which holds if `fault` is NULL or empty. What is beyond SHK_CHECKS is left
 * out. */
struct shk_check *shk_checks_add(struct shk_checks *checks, const char *name, const char *what,
                                 const char *fault);
/* The first that does not hold; NULL: all do. */
const struct shk_check *shk_checks_fault(const struct shk_checks *checks);

#endif
