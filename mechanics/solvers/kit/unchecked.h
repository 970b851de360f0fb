/* Solves that are accepted without a convergence test. */
#ifndef MECHANICS_SOLVERS_KIT_UNCHECKED_H
#define MECHANICS_SOLVERS_KIT_UNCHECKED_H

#include "mechanics/solvers/kit/residuals.h"

/* These functions compute and record the residual (residuals.h). They return SHK_NOT_FINITE if the
 * residual is not finite. */
struct shk_status shk_residuals_accept_position(struct shk_residuals *r,
                                                struct shk_iteration *iteration,
                                                const struct shk_kick *kick);
struct shk_status shk_residuals_accept_hidden(struct shk_residuals *r,
                                              struct shk_iteration *iteration,
                                              const struct shk_kick *kick);

#endif
