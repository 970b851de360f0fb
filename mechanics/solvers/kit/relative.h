/* Rod residuals relative to the rod lengths, for criterion=squared and criterion=length. */
#ifndef MECHANICS_SOLVERS_KIT_RELATIVE_H
#define MECHANICS_SOLVERS_KIT_RELATIVE_H

#include <shakedown/bind.h>

/* Reads the criterion and the tolerance from the options. Residuals are absolute if `options` is
 * NULL. Sets *rods to NULL if residuals are absolute. Returns SHK_REFUSED if the criterion requires
 * rods but the constraints are not rods. */
struct shk_status shk_relative_criterion(const struct shk_rods **rods, bool *by_length,
                                         const struct shk_system *system,
                                         const struct shk_values *options);
/* Returns the largest |g_i|/d_i² of m residuals or, if `by_length` is true, the largest relative
 * error of a length. Returns NaN if an entry is NaN. */
real shk_relative_size(const struct shk_rods *rods, const real *g, int m, bool by_length);

#endif
