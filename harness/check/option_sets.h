/*
 * Specifications with options for which certificates are made in addition to the defaults
 * (option_sets.def).
 */
#ifndef HARNESS_CHECK_OPTION_SETS_H
#define HARNESS_CHECK_OPTION_SETS_H

#include "engine/context.h"

struct shk_option_set {
  const char *integrator;
  const char *problem; /* exercises its code; NULL: the default problems do */
};

/* The table; ended by an integrator NULL. */
extern const struct shk_option_set shk_option_sets[];

/* The next problem, after `*place` (initially 0), that a canonical specification needs in addition
 * to the default ones; NULL: none. */
const char *shk_reaching_problem(int *place, const struct shk_context *context,
                                 const char *integrator);

#endif
