/*
 * Solvers for special systems, to which Newton's method leaves them with linear=auto: they do the
 * same faster. Each leaves `self` NULL if it does not apply; SHK_NO_MEMORY is the only failure.
 */
#ifndef MECHANICS_SOLVERS_RODS_SPECIAL_H
#define MECHANICS_SOLVERS_RODS_SPECIAL_H

#include "mechanics/solvers/kit/solver.h"

/* Any separable system with one constraint, a rod or not; also with linear=lu, which this is. */
shk_solver_create shk_single_create;
/* Systems that declare rods (struct shk_rods), with options. */
shk_solver_create shk_clusters_create, shk_chains_create;

#endif
