/*
 * Solvers for special systems, to which Newton's method leaves them with linear=auto: they do the
 * same faster, and leave to it what does not converge plainly. Each leaves `self` NULL if it does
 * not apply; SHK_NO_MEMORY is the only failure.
 */
#ifndef MECHANICS_SOLVERS_SPECIAL_H
#define MECHANICS_SOLVERS_SPECIAL_H

#include "mechanics/solvers/kit/solver.h"

/* Any separable system with one constraint. */
shk_solver_create shk_single_create;
/* Rigid molecules of three points in space; unbranched chains of rods. */
shk_solver_create shk_triangles_create, shk_tridiagonal_create;

#endif
