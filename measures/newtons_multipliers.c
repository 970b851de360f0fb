/*
 * Measures how far a solver's multipliers are from those computed with solver=newton. Steps are
 * taken with both solvers from STATES states of a run with solver=newton.
 *
 *   newtons-multipliers-defect  the largest |lambda - lambda_N| or |mu - mu_N|, divided by the
 *                               largest |lambda_N| or |mu_N|
 *   newtons-multipliers-floor   eps (1 + τ/|h|)²: multipliers contain the rounding error of g(q) =
 *                               0 divided by h²
 */
#include "measures/structure.h"

enum { STATES = 4 };

struct distance {
  real defect, size;
};

static void compare_newtons_multipliers(struct distance *d, const real *found, const real *right,
                                        int m)
{
  for (int i = 0; i < m; i++) {
    const real off = real_fabs(found[i] - right[i]);
    d->defect = !(off <= d->defect) ? off : d->defect;
    d->size = real_max(d->size, real_fabs(right[i]));
  }
}

static struct shk_status measure_newtons_multipliers(struct shk_trial *trial)
{
  const struct shk_map *const own = trial->map;
  const real h = own->step, r = 1 + own->instance->time_scale / real_fabs(h);
  struct shk_state *const at = trial->state, *const found = at + 1, *const right = at + 2;
  struct distance d = {0};
  shk_state_copy(at, own->start);
  for (int k = 0; k < STATES; k++) {
    SHK_TRY(shk_map_step(own, found, at, h));
    SHK_TRY(shk_map_step(trial->other, right, at, h));
    compare_newtons_multipliers(&d, found->lambda, right->lambda, at->m);
    compare_newtons_multipliers(&d, found->mu, right->mu, at->m);
    shk_state_copy(at, right);
  }
  shk_trial_add(trial, "defect", d.defect / (d.size > 0 ? d.size : 1));
  shk_trial_add(trial, "floor", REAL_EPSILON * r * r);
  return shk_ok();
}

const struct shk_structure shk_structure_newtons_multipliers = {
    .asks = {.others = SHK_WITH_NEWTON,
             .no_power =
                 "the rounding error of the multipliers: the solve has not converged, or it moves "
                 "points in directions other than those of M^-1 G^T at the old positions"},
    .states = 3,
    .measure = measure_newtons_multipliers};
