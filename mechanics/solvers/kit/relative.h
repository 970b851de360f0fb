/* Residuals of rods relative to their lengths: criterion=squared and length. */
#ifndef MECHANICS_SOLVERS_KIT_RELATIVE_H
#define MECHANICS_SOLVERS_KIT_RELATIVE_H

#include <shakedown/bind.h>

/* Reads the criterion and the tolerance of the options; NULL: absolute. *rods: NULL if residuals are
 * absolute. SHK_REFUSED if the criterion is for rods and the constraints are others. */
struct shk_status shk_relative_criterion(const struct shk_rods **rods, bool *by_length,
                                         const struct shk_system *system,
                                         const struct shk_values *options);
/* Returns the largest |g_i|/d_i² of m residuals, or by_length the largest relative error of a
 * length; NaN if an entry is NaN. */
real shk_relative_size(const struct shk_rods *rods, const real *g, int m, bool by_length);

#endif
