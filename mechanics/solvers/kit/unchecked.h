/* Solves that are accepted without a test. */
#ifndef MECHANICS_SOLVERS_KIT_UNCHECKED_H
#define MECHANICS_SOLVERS_KIT_UNCHECKED_H

#include "mechanics/solvers/kit/residuals.h"

/* Compute and record the residual of residuals.h. SHK_NOT_FINITE. */
struct shk_status shk_residuals_accept_position(struct shk_residuals *r,
                                                struct shk_iteration *iteration,
                                                const struct shk_kick *kick);
struct shk_status shk_residuals_accept_hidden(struct shk_residuals *r,
                                              struct shk_iteration *iteration,
                                              const struct shk_kick *kick);

#endif
