/* Advice at the end of the reason of a failed iteration, by its cause. Only the iteration knows
 * whether a smaller step helps: it does where the equations are nonlinear in the step; sweeps over
 * coupled constraints, and approximate inverses, converge as slowly at any step. */
#ifndef MECHANICS_ALGEBRA_ADVICE_H
#define MECHANICS_ALGEBRA_ADVICE_H

#define SHK_TRY_SMALLER_STEP "; try a smaller step"
#define SHK_TRY_NEWTON "; the constraints are too strongly coupled for this solver: try solver=newton"
#define SHK_TRY_MORE_SWEEPS "; try a larger limit of iterations, or solver=newton"

#endif
