/* The results of an audit of a problem or an integrator. */
#ifndef FOUNDATION_CHECKS_H
#define FOUNDATION_CHECKS_H

#include <stdbool.h>

struct shk_check {
  bool holds;
  char name[64];    /* "curvature: its inputs and outputs" */
  char detail[240]; /* the finding; "" if the check holds and there is no more to say */
};

enum { SHK_CHECKS = 64 };

struct shk_checks {
  int count;
  struct shk_check items[SHK_CHECKS];
};

/* Adds the check "name: what", which holds if `fault` is NULL or empty. Checks beyond SHK_CHECKS
 * are dropped. */
struct shk_check *shk_checks_add(struct shk_checks *checks, const char *name, const char *what,
                                 const char *fault);
/* The first check that fails; NULL if all hold. */
const struct shk_check *shk_checks_fault(const struct shk_checks *checks);

#endif
