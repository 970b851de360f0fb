/*
 * The fibre identity Π∘S^k = R^k (McLachlan, Modin, Verdier & Wilkins, Found. Comput. Math. 14
 * (2014) 339, eq. (11)): a SHAKE method S and its RATTLE method R differ along the fibres only.
 *
 *   fibre-defect   scaled max |Π S^k z - R^k z| for k = 1 … STEPS, Π the projection along the fibre
 *                  onto the hidden (velocity-level) constraint
 *   fibre-control  the change that a rounding of the start makes in R^k z
 *   fibre-floor    the larger of STEPS r (structure.h) and the control
 */
#include "measures/structure.h"

#include "mechanics/system/state.h"

enum { STEPS = 10 };

struct pair {
  const struct shk_map *shake, *rattle;
  struct shk_state now[3], next; /* S^k z, R^k z, and R^k of the start moved by a rounding */
  struct shk_state slid;
};

/* Takes one step from each of the three states. */
static struct shk_status advance(struct pair *p)
{
  for (int i = 0; i < 3; i++) {
    const struct shk_map *map = i == 0 ? p->shake : p->rattle;
    SHK_TRY(shk_map_step(map, &p->next, &p->now[i], map->step));
    shk_state_copy(&p->now[i], &p->next);
  }
  return shk_ok();
}

static struct shk_status follow(struct shk_outcome *outcome, struct pair *p)
{
  real worst = 0, control = 0;
  for (int i = 0; i < 2; i++)
    shk_state_copy(&p->now[i], p->shake->start);
  SHK_TRY(shk_map_rounded_start(p->shake, &p->now[2]));
  for (int k = 0; k < STEPS; k++) {
    SHK_TRY(advance(p));
    shk_state_copy(&p->slid, &p->now[0]);
    SHK_TRY(shk_manifold_project(p->rattle->manifold, p->slid.q, p->slid.p, p->slid.t));
    worst = real_max(worst, shk_map_distance(p->rattle, &p->slid, &p->now[1], false));
    control = real_max(control, shk_map_distance(p->rattle, &p->now[2], &p->now[1], false));
  }
  const real rounding = STEPS * shk_map_rounding(p->rattle, p->rattle->step);
  shk_structure_add(outcome, "fibre", "defect", worst);
  shk_structure_add(outcome, "fibre", "control", control);
  shk_structure_add(outcome, "fibre", "floor", real_max(rounding, control));
  return shk_ok();
}

static struct shk_status measure(struct shk_outcome *outcome, const struct shk_map *map,
                                 const struct shk_map *partner)
{
  struct pair p = {.shake = map, .rattle = partner};
  struct shk_state *const states[] = {&p.now[0], &p.now[1], &p.now[2], &p.next, &p.slid};
  struct shk_status status = shk_map_states(map, states, 5);
  if (status.code == SHK_OK)
    status = follow(outcome, &p);
  shk_map_states_clear(states, 5);
  return status;
}

const struct shk_structure shk_structure_fibre = {.asks = {.partner = true}, .measure = measure};
