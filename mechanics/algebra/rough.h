/* `rough` is the type used for factors and corrections. It is double in every precision, so in
 * double precision it is the same as `real`. */
#ifndef MECHANICS_ALGEBRA_ROUGH_H
#define MECHANICS_ALGEBRA_ROUGH_H

#include <float.h>

typedef double rough;
#define ROUGH_EPSILON DBL_EPSILON
/* True if residuals have more digits than corrections. An evaluation then costs more than a
 * correction, so repeated corrections pay off. */
#define RESIDUALS_ARE_FINER ((rough)REAL_EPSILON < ROUGH_EPSILON)

#endif
