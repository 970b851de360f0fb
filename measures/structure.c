/* Implements the map of one step, with its scales, round-off, distances and measurements. See
 * structure.h. */
#include "measures/structure.h"

#include "foundation/probe.h"
#include "mechanics/system/state.h"
#include <shakedown/parts/real.h>

#include <math.h>
#include <stdio.h>

void shk_map_find_scales(const struct shk_map *map, const struct shk_floors *floors)
{
  const struct shk_system *const system = &map->instance->system;
  const struct shk_state *const s = map->start;
  real *const q = map->q_scale, *const p = map->p_scale, *const mass = floors->scratch + s->n;
  const bool by_mass =
      !(system->features & SHK_GENERAL_HAMILTONIAN) && map->instance->time_scale > 0;
  shk_fill(q, 0, s->n);
  shk_fill(p, 0, s->n);
  shk_fill(mass, 0, s->n);
  shk_floors_raise_groups(system, q, s->q, 1, floors->scratch);
  shk_floors_raise_groups(system, p, s->p, 1, floors->scratch);
  if (by_mass)
    shk_floors_raise_groups(system, mass, system->mass, 1, floors->scratch);
  for (int i = 0; i < s->n; i++) {
    q[i] = q[i] > 0 ? q[i] : shk_floors_unit(floors->q[i]);
    if (by_mass)
      p[i] = real_max(p[i], mass[i] * q[i] / map->instance->time_scale);
    p[i] = p[i] > 0 ? p[i] : shk_floors_unit(floors->p[i]);
  }
}

real shk_map_action(const struct shk_map *map)
{
  real largest = 0;
  for (int i = 0; i < map->start->n; i++)
    largest = real_max(largest, map->q_scale[i] * map->p_scale[i]);
  return largest;
}

real shk_map_rounding(const struct shk_map *map, real h)
{
  return REAL_EPSILON * (1 + map->instance->time_scale / real_fabs(h));
}

struct shk_status shk_map_step(const struct shk_map *map, struct shk_state *to,
                               const struct shk_state *from, real h)
{
  SHK_TRY(map->integrator->step(map->method, to, from, h));
  shk_tell_step((double)NAN);
  if (!shk_state_is_finite(to))
    return shk_failure(SHK_NOT_FINITE, "the step returned a state that is not finite", 0, 0);
  to->t = from->t + h;
  return shk_ok();
}

struct shk_status shk_map_begin(const struct shk_map *map, struct shk_state *state, real h)
{
  if (state->memory_count == 0 || !map->integrator->begin)
    return shk_ok();
  shk_fill(state->memory, 0, state->memory_count);
  return map->integrator->begin(map->method, state, h);
}

real shk_map_distance(const struct shk_map *map, const struct shk_state *a,
                      const struct shk_state *b, bool reversed)
{
  real largest = 0;
  const real sign = reversed ? -1 : 1;
  for (int i = 0; i < a->n; i++) {
    const real q = (a->q[i] - b->q[i]) + (a->q_carry[i] - b->q_carry[i]);
    const real p = (a->p[i] - sign * b->p[i]) + (a->p_carry[i] - sign * b->p_carry[i]);
    largest =
        real_max(largest, real_max(real_fabs(q) / map->q_scale[i], real_fabs(p) / map->p_scale[i]));
  }
  return largest;
}

void shk_map_perturb(const struct shk_map *map, struct shk_state *state)
{
  for (int i = 0; i < state->n; i++) {
    const real sign = i % 2 == 0 ? REAL_EPSILON : -REAL_EPSILON;
    state->q[i] += sign * map->q_scale[i];
    state->p[i] += sign * map->p_scale[i];
  }
}

struct shk_status shk_map_rounded_start(const struct shk_map *map, struct shk_state *state)
{
  shk_state_copy(state, map->start);
  shk_map_perturb(map, state);
  SHK_TRY(shk_manifold_project(map->manifold, state->q, state->p, state->t));
  return shk_map_begin(map, state, map->step);
}

struct shk_status shk_map_is_free(bool *answer, const struct shk_map *map, real *force)
{
  const struct shk_system *const system = &map->instance->system;
  *answer = system->features == 0 && system->rods && system->rods->dimension <= SHK_MOST_DIMENSIONS;
  for (int i = 0; *answer && i < system->m; i++)
    *answer = system->rods->rod[i].a >= 0;
  if (!*answer || !system->gradient)
    return shk_ok();
  real total[SHK_MOST_DIMENSIONS] = {0}, size = 0;
  if (system->gradient(system->context, force, map->start->t, map->start->q) != 0)
    return shk_failure(SHK_STOPPED, "the problem cannot compute its forces", 0, 0);
  for (int i = 0; i < system->n; i++) {
    total[i % system->rods->dimension] += force[i];
    size += real_fabs(force[i]);
  }
  *answer = real_max_norm(total, SHK_MOST_DIMENSIONS) <= REAL_EPSILON * system->n * size;
  return shk_ok();
}

void shk_trial_add(const struct shk_trial *trial, const char *what, real value)
{
  char text[64];
  snprintf(text, sizeof text, "%s-%s", trial->name, what);
  shk_outcome_add_scalar(trial->outcome, text, (double)value);
}

void shk_trial_compare(const struct shk_trial *trial, real defect, real control, real rounding)
{
  shk_trial_add(trial, "defect", defect);
  shk_trial_add(trial, "control", control);
  shk_trial_add(trial, "floor", real_max(rounding, control));
}

static void add_step_error(struct shk_trial *trial)
{
  const struct shk_map *const map = trial->map;
  const real h = map->step;
  struct shk_state *const whole = trial->state, *const half = whole + 1, *const both = whole + 2;
  shk_state_copy(both, map->start);
  if (shk_map_step(map, whole, map->start, h).code == SHK_OK &&
      shk_map_begin(map, both, h / 2).code == SHK_OK &&
      shk_map_step(map, half, both, h / 2).code == SHK_OK &&
      shk_map_step(map, both, half, h / 2).code == SHK_OK)
    shk_trial_add(trial, "step-error", shk_map_distance(map, whole, both, false));
}

struct shk_status shk_structure_measure(struct shk_outcome *outcome,
                                        const struct shk_structure *structure, const char *name,
                                        const struct shk_map *map, const struct shk_map *other)
{
  struct shk_trial trial = {
      .map = map, .other = other, .name = name, .variant = structure->variant, .outcome = outcome};
  bool ok = true;
  SHK_TRY(shk_evaluator_init(&trial.evaluator, &map->instance->system));
  for (int i = 0; i < structure->states; i++)
    ok = shk_state_init_like(&trial.state[i], map->start) && ok;
  const struct shk_status status = ok ? structure->measure(&trial) : shk_no_memory();
  if (status.code == SHK_OK && structure->asks.needs_power)
    add_step_error(&trial);
  for (int i = 0; i < structure->states; i++)
    shk_state_clear(&trial.state[i]);
  shk_evaluator_clear(&trial.evaluator);
  return status;
}
