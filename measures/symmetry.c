/*
 * Measures symmetry and reversibility (Hairer, Lubich & Wanner, GNI, §V.1) with one step forward
 * and one step back.
 *
 *   NAME-defect   symmetry: max |Ψ_{-h} Ψ_h z - z|; reversibility: max |ρ Ψ_h ρ Ψ_h z - z| with
 *                 ρ(q,p) = (q,-p). If the method has a memory, z is the state after a first step,
 *                 and the method's involution reverses the memory after Ψ_h; a method without an
 *                 involution is refused
 *   NAME-control  the change caused by perturbing the intermediate state by a rounding error
 *   NAME-floor    the larger of r (structure.h) and the control
 */
#include "measures/structure.h"

enum { FORWARD_AND_BACK, REVERSED };

/* Negates p if `reversed` is true. Reverses the memory for a subsequent step of length h. */
static void reverse_symmetry(const struct shk_map *map, struct shk_state *s, bool reversed, real h)
{
  for (int i = 0; reversed && i < s->n; i++) {
    s->p[i] = -s->p[i];
    s->p_carry[i] = -s->p_carry[i];
  }
  if (s->memory_count > 0)
    map->integrator->reverse(map->method, s, h);
}

static struct shk_status measure_symmetry(struct shk_trial *trial)
{
  const struct shk_map *const map = trial->map;
  const bool reversed = trial->variant == REVERSED;
  struct shk_state *const start = trial->state, *const middle = start + 1, *const back = start + 2,
                          *const other = start + 3;
  const real back_step = reversed ? map->step : -map->step;
  if (map->start->memory_count > 0 && !map->integrator->reverse)
    return shk_refused("the method's memory has no involution, so a step back is not defined");
  shk_state_copy(start, map->start);
  /* start from a state that was reached by a step, because its memory is consistent with p */
  if (start->memory_count > 0)
    SHK_TRY(shk_map_step(map, start, map->start, map->step));
  SHK_TRY(shk_map_step(map, middle, start, map->step));
  reverse_symmetry(map, middle, reversed, back_step);
  if (reversed)
    middle->t = start->t; /* the reversed motion starts at the same time t */
  SHK_TRY(shk_map_step(map, back, middle, back_step));
  shk_map_perturb(map, middle);
  SHK_TRY(shk_map_step(map, other, middle, back_step));
  shk_trial_compare(trial, shk_map_distance(map, start, back, reversed),
                    shk_map_distance(map, other, back, false), shk_map_rounding(map, map->step));
  return shk_ok();
}

const struct shk_structure shk_structure_symmetry = {
    .asks = {.needs_power = true}, .states = 4, .measure = measure_symmetry};

const struct shk_structure shk_structure_reversibility = {
    .asks =
        {.needs_power = true,
         .meaningless = {{0, SHK_NO_REVERSAL,
                          "H is not even in p: reversing the momenta does not reverse the motion"},
                         {SHK_RHEONOMIC | SHK_FORCES, 0, "the problem itself is not reversible"}}},
    .states = 4,
    .variant = REVERSED,
    .measure = measure_symmetry};
