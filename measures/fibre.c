/*
 * Measures the fibre identity Π∘S^k = R^k (McLachlan, Modin, Verdier & Wilkins, Found. Comput.
 * Math. 14 (2014) 339, eq. (11)): a SHAKE method S and the corresponding RATTLE method R differ
 * only along the fibres.
 *
 *   fibre-defect   largest scaled |Π S^k z - R^k z| for k = 1 … STEPS, with Π the projection along
 *                  the fibre onto the hidden (velocity-level) constraint and z the start
 *   fibre-control  the change in R^k z caused by a rounding error in the start
 *   fibre-floor    the larger of STEPS r (structure.h) and the control
 */
#include "measures/structure.h"

enum { STEPS = 10 };

/* Takes one step from each of the states in `now`: S^k z, R^k z, and R^k applied to z after a
 * perturbation by a rounding error. */
static struct shk_status advance_fibre(const struct shk_trial *trial, struct shk_state *now,
                                       struct shk_state *next)
{
  for (int i = 0; i < 3; i++) {
    const struct shk_map *map = i == 0 ? trial->map : trial->other;
    SHK_TRY(shk_map_step(map, next, &now[i], map->step));
    shk_state_copy(&now[i], next);
  }
  return shk_ok();
}

static struct shk_status measure_fibre(struct shk_trial *trial)
{
  const struct shk_map *const rattle = trial->other;
  struct shk_state *const now = trial->state, *const next = now + 3, *const slid = now + 4;
  real worst = 0, control = 0;
  for (int i = 0; i < 2; i++)
    shk_state_copy(&now[i], trial->map->start);
  SHK_TRY(shk_map_rounded_start(trial->map, &now[2]));
  for (int k = 0; k < STEPS; k++) {
    SHK_TRY(advance_fibre(trial, now, next));
    shk_state_copy(slid, &now[0]);
    SHK_TRY(shk_manifold_project(rattle->manifold, slid->q, slid->p, slid->t));
    worst = real_max(worst, shk_map_distance(rattle, slid, &now[1], false));
    control = real_max(control, shk_map_distance(rattle, &now[2], &now[1], false));
  }
  shk_trial_compare(trial, worst, control, STEPS * shk_map_rounding(rattle, rattle->step));
  return shk_ok();
}

const struct shk_structure shk_structure_fibre = {
    .asks = {.partner = true}, .states = 5, .measure = measure_fibre};
