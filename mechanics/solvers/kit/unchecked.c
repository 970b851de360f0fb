/* Computes the residuals of solves that are accepted without a convergence test. See
 * unchecked.h. */
#include "mechanics/solvers/kit/unchecked.h"

#include "mechanics/algebra/iteration.h"

static struct shk_status record_residual(struct shk_iteration *iteration, real residual,
                                         const char *reason)
{
  shk_iteration_note(iteration, residual);
  return real_isfinite(residual) ? shk_ok() : shk_failure(SHK_NOT_FINITE, reason, 0, 0);
}

struct shk_status shk_residuals_accept_position(struct shk_residuals *r,
                                                struct shk_iteration *iteration,
                                                const struct shk_kick *kick)
{
  real residual;
  SHK_TRY(shk_residuals_position(r, &residual, kick));
  return record_residual(iteration, residual, "the positions are not finite");
}

struct shk_status shk_residuals_accept_hidden(struct shk_residuals *r,
                                              struct shk_iteration *iteration,
                                              const struct shk_kick *kick)
{
  real residual;
  SHK_TRY(shk_residuals_hidden(r, &residual, kick));
  return record_residual(iteration, residual, "the momenta are not finite");
}
