/*
 * Solvers for systems of one kind, which Newton's method leaves to them with linear=auto: they do
 * what it does, faster. Each leaves `self` NULL where the system is not of its kind; SHK_NO_MEMORY
 * is the only failure.
 */
#ifndef MECHANICS_SOLVERS_RODS_SPECIAL_H
#define MECHANICS_SOLVERS_RODS_SPECIAL_H

#include "mechanics/solvers/kit/solver.h"

#define shk_chains_create SHK_NAME(shk_chains_create)
#define shk_clusters_create SHK_NAME(shk_clusters_create)
#define shk_single_create SHK_NAME(shk_single_create)

/* Any separable system with one constraint, of rods or not; with linear=lu too, since it is that. */
shk_solver_create shk_single_create;
/* Systems that say they are rods (struct shk_rods), with options. */
shk_solver_create shk_clusters_create, shk_chains_create;

#endif
