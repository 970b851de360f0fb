/* `rough` is the type of factors and corrections. It is double whatever the precision of the
 * residuals; in double it is `real` itself. */
#ifndef MECHANICS_ALGEBRA_ROUGH_H
#define MECHANICS_ALGEBRA_ROUGH_H

#include <float.h>

typedef double rough;
#define ROUGH_EPSILON DBL_EPSILON
/* True if residuals have more digits than corrections. An evaluation then costs more than a
 * correction, and it pays to repeat corrections. */
#define RESIDUALS_ARE_FINER ((rough)REAL_EPSILON < ROUGH_EPSILON)

#endif
