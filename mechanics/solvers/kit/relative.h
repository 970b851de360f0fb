/* Residuals of rods relative to their lengths: criterion=squared and length. */
#ifndef MECHANICS_SOLVERS_KIT_RELATIVE_H
#define MECHANICS_SOLVERS_KIT_RELATIVE_H

#include "mechanics/solvers/kit/residuals.h"

/* Reads the criterion. SHK_REFUSED if it is for rods and there are none. */
struct shk_status shk_relative_criterion(struct shk_residuals *r, const struct shk_values *options);
/* Returns the largest g_i/d_i², or by_length the largest relative error of a length. */
real shk_relative_size(const struct shk_residuals *r, const real *g, bool by_length);
/* Returns the largest residual after shk_residuals_hidden; with a relative criterion |v·r|/d². */
real shk_rate_size(const struct shk_residuals *r);

#endif
