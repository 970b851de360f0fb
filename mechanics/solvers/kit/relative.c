/* Residuals of rods relative to their lengths: criterion=squared and length. See relative.h. */
#include "mechanics/solvers/kit/relative.h"

#include "mechanics/system/rods.h"

static const char only_rods[] =
    "criterion=squared and length are for systems whose constraints are rods";

struct shk_status shk_relative_criterion(struct shk_residuals *r, const struct shk_values *options)
{
  const int criterion =
      options ? shk_values_choice(options, "criterion") : (int)SHK_CRITERION_ABSOLUTE;
  const struct shk_system *system = r->evaluator->system;
  r->by_length = criterion == SHK_CRITERION_LENGTH;
  if (criterion != SHK_CRITERION_SQUARED && criterion != SHK_CRITERION_LENGTH)
    return shk_ok();
  SHK_TRY(shk_rods_needed(system, only_rods));
  r->rods = shk_values_real(options, "tolerance") > 0 ? system->rods : NULL;
  return shk_ok();
}

real shk_relative_size(const struct shk_residuals *r, const real *residual, bool by_length)
{
  real largest = 0;
  for (int i = 0; i < r->evaluator->system->m; i++) {
    const real ratio = residual[i] / r->rods->rod[i].square;
    const real size =
        by_length ? real_fabs(real_sqrt(real_max(0, 1 + 2 * ratio)) - 1) : real_fabs(ratio);
    largest = !(size <= largest) ? size : largest;
  }
  return largest;
}

real shk_rate_size(const struct shk_residuals *r)
{
  return r->rods ? shk_relative_size(r, r->residual, false)
                 : real_max_norm(r->residual, r->evaluator->system->m);
}
