/* Computes rod residuals relative to the rod lengths. See relative.h. */
#include "mechanics/solvers/kit/relative.h"

#include "mechanics/system/rods.h"

struct shk_status shk_relative_criterion(const struct shk_rods **rods, bool *by_length,
                                         const struct shk_system *system,
                                         const struct shk_values *options)
{
  const int criterion =
      options ? shk_values_choice(options, "criterion") : (int)SHK_CRITERION_ABSOLUTE;
  *by_length = criterion == SHK_CRITERION_LENGTH;
  *rods = NULL;
  if (criterion != SHK_CRITERION_SQUARED && criterion != SHK_CRITERION_LENGTH)
    return shk_ok();
  SHK_TRY(shk_rods_needed(
      system, "criterion=squared and criterion=length are for systems whose constraints are rods"));
  *rods = shk_values_real(options, "tolerance") > 0 ? system->rods : NULL;
  return shk_ok();
}

real shk_relative_size(const struct shk_rods *rods, const real *g, int m, bool by_length)
{
  real largest = 0;
  for (int i = 0; i < m; i++) {
    const real ratio = g[i] / rods->rod[i].square;
    const real size =
        by_length ? real_fabs(real_sqrt(real_max(0, 1 + 2 * ratio)) - 1) : real_fabs(ratio);
    largest = !(size <= largest) ? size : largest;
  }
  return largest;
}
