/*
 * Faster solvers for special systems, used by Newton's method with linear=auto; for one constraint
 * also with linear=lu. Solves of molecules and chains that do not converge quickly are left to the
 * general solver. Each function leaves `self` NULL if it does not apply; SHK_NO_MEMORY is the only
 * failure.
 */
#ifndef MECHANICS_SOLVERS_SPECIAL_H
#define MECHANICS_SOLVERS_SPECIAL_H

#include "mechanics/solvers/kit/solver.h"

/* For separable systems with one constraint. */
shk_solver_create shk_single_create;
/* For rigid molecules of three points in space; for unbranched chains of bonds. */
shk_solver_create shk_triangles_create, shk_tridiagonal_create;

#endif
