/*
 * The specifications with options that certificates are made for beside the defaults
 * (option_sets.def).
 */
#ifndef HARNESS_CHECK_OPTION_SETS_H
#define HARNESS_CHECK_OPTION_SETS_H

#include "engine/context.h"

struct shk_option_set {
  const char *integrator;
  const char *problem; /* that leads through its code; NULL: those always asked do */
};

/* Ended by an integrator NULL. */
extern const struct shk_option_set shk_option_sets[];

/* The next problem, after `*place` (at first 0), that a canonical specification asks for besides
 * those always asked; NULL: no more. */
const char *shk_reaching_problem(int *place, const struct shk_context *context,
                                 const char *integrator);

#endif
