/*
 * Symmetry and reversibility (Hairer, Lubich & Wanner, GNI, §V.1): one step forward and one back.
 *
 *   NAME-defect   symmetry: max |Ψ_{-h} Ψ_h z - z|; reversibility: max |ρ Ψ_h ρ Ψ_h z - z| with
 *                 ρ(q,p) = (q,-p). With memory, z is the state after a first step, and the method's
 *                 involution reverses the memory after Ψ_h; without one nothing is measured
 *   NAME-control  the change that a rounding of the state in the middle makes
 *   NAME-floor    the larger of r (structure.h) and the control
 */
#include "measures/structure.h"

#include "mechanics/system/state.h"

/* Reverses p if `reversed`, and the memory for the next step, of length h. */
static void reverse(const struct shk_map *map, struct shk_state *s, bool reversed, real h)
{
  for (int i = 0; reversed && i < s->n; i++) {
    s->p[i] = -s->p[i];
    s->p_carry[i] = -s->p_carry[i];
  }
  if (s->memory_count > 0)
    map->integrator->reverse(map->method, s, h);
}

static struct shk_status go_and_return(struct shk_outcome *outcome, const struct shk_map *map,
                                       bool reversed, struct shk_state *start,
                                       struct shk_state *middle, struct shk_state *back,
                                       struct shk_state *other)
{
  const char *const name = reversed ? "reversibility" : "symmetry";
  const real back_step = reversed ? map->step : -map->step;
  if (map->start->memory_count > 0 && !map->integrator->reverse)
    return shk_refused("the method's memory has no involution: a step back is not defined");
  shk_state_copy(start, map->start);
  if (start->memory_count > 0) /* a state that a step reaches, to which its p belongs */
    SHK_TRY(shk_map_step(map, start, map->start, map->step));
  SHK_TRY(shk_map_step(map, middle, start, map->step));
  reverse(map, middle, reversed, back_step);
  if (reversed)
    middle->t = start->t; /* a reversed motion starts from t0 again */
  SHK_TRY(shk_map_step(map, back, middle, back_step));
  shk_map_perturb(map, middle);
  SHK_TRY(shk_map_step(map, other, middle, back_step));
  const real defect = shk_map_distance(map, start, back, reversed);
  const real control = shk_map_distance(map, other, back, false);
  const real rounding = shk_map_rounding(map, map->step);
  shk_structure_add(outcome, name, "defect", defect);
  shk_structure_add(outcome, name, "control", control);
  shk_structure_add(outcome, name, "floor", real_max(rounding, control));
  return shk_ok();
}

static struct shk_status measure(struct shk_outcome *outcome, const struct shk_map *map,
                                 bool reversed)
{
  struct shk_state start = {0}, middle = {0}, back = {0}, other = {0};
  struct shk_state *const states[] = {&start, &middle, &back, &other};
  struct shk_status status = shk_map_states(map, states, 4);
  if (status.code == SHK_OK)
    status = go_and_return(outcome, map, reversed, &start, &middle, &back, &other);
  shk_map_states_clear(states, 4);
  return status;
}

static struct shk_status symmetry(struct shk_outcome *outcome, const struct shk_map *map,
                                  const struct shk_map *partner)
{
  return measure(outcome, map, false);
}

static struct shk_status reversibility(struct shk_outcome *outcome, const struct shk_map *map,
                                       const struct shk_map *partner)
{
  return measure(outcome, map, true);
}

const struct shk_structure shk_structure_symmetry = {.asks = {.needs_power = true},
                                                     .measure = symmetry};

const struct shk_structure shk_structure_reversibility = {
    .asks =
        {.needs_power = true,
         .meaningless = {{0, SHK_NO_REVERSAL,
                          "H is not even in p: reversing the momenta does not reverse the motion"},
                         {SHK_RHEONOMIC | SHK_FORCES, 0, "the problem itself is not reversible"}}},
    .measure = reversibility};
