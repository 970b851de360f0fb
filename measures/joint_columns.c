/* Implements the columns for the joints of a mechanism. See joint_columns.h. */
#include "measures/joint_columns.h"

#include "foundation/memory.h"
#include "measures/wrench.h"
#include "mechanics/system/manifold.h"
#include "mechanics/system/state.h"

#include <stdio.h>
#include <string.h>

/* ---- names ---- */

/* Adds either the coordinates of a joint or their rates. If there are several columns of one kind,
 * they are numbered. */
static void add_coordinates(struct shk_joint_columns *c, int joint, bool are_rates)
{
  static const char *const names[2][2] = {{"position", "angle"}, {"velocity", "rate"}};
  const struct shk_joints *const joints = c->instance->joints;
  int alike[2] = {0}, number[2] = {0};
  for (int i = 0; i < joints->coordinate_count; i++)
    alike[joints->coordinates[i].is_angle] += joints->coordinates[i].joint == joint;
  for (int i = 0; i < joints->coordinate_count; i++) {
    const bool is_angle = joints->coordinates[i].is_angle;
    struct shk_joint_column *const column = &c->list[c->count];
    if (joints->coordinates[i].joint != joint)
      continue;
    *column = (struct shk_joint_column){joint, are_rates ? -1 : i, "",
                                        (are_rates ? c->rates : c->angles) + i};
    number[is_angle]++;
    snprintf(column->what, sizeof column->what, alike[is_angle] > 1 ? "%s%d" : "%s",
             names[are_rates][is_angle], number[is_angle]);
    c->count++;
  }
}

/* Adds the wrench of a joint, in components along the spatial axes or along the joint's own
 * axes. */
static void add_wrench(struct shk_joint_columns *c, int joint, enum shk_wrench_axes along)
{
  const int first = 6 * (joint + (int)along * c->instance->joints->count);
  for (int i = 0; i < 6; i++) {
    struct shk_joint_column *const column = &c->list[c->count++];
    *column = (struct shk_joint_column){joint, -1, "", c->wrenches + first + i};
    snprintf(column->what, sizeof column->what, "%s_%c", i < 3 ? "force" : "torque",
             (along == SHK_AXES_OF_SPACE ? 'x' : '1') + i % 3);
  }
}

static void add_columns(struct shk_joint_columns *c)
{
  for (int joint = 0; joint < c->instance->joints->count; joint++) {
    add_coordinates(c, joint, false);
    add_coordinates(c, joint, true);
    add_wrench(c, joint, SHK_AXES_OF_SPACE);
    if (c->instance->joints->axes)
      add_wrench(c, joint, SHK_AXES_OF_JOINTS);
  }
}

char *shk_joint_column_name(const struct shk_joint_columns *c, int column)
{
  const struct shk_joint_column *const one = &c->list[column];
  return shk_print_text("%s.%s", c->instance->joints->list[one->joint].name, one->what);
}

/* ---- creation ---- */

static struct shk_status take_arrays(struct shk_joint_columns *c)
{
  struct shk_workspace *const workspace = c->evaluator->workspace;
  const struct shk_joints *const joints = c->instance->joints;
  const size_t m = (size_t)c->instance->system.m, wrenches = 6 * (size_t)joints->count;
  const size_t coordinates = (size_t)joints->coordinate_count;
  real **const places[] = {&c->angles, &c->rates, &c->new_angles, &c->new_rates};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    SHK_TRY(shk_reals(workspace, places[i], coordinates));
  SHK_TRY(shk_reals(workspace, &c->velocity, (size_t)c->instance->system.n));
  SHK_TRY(shk_reals(workspace, &c->lambda, m));
  SHK_TRY(shk_reals(workspace, &c->wrenches, 2 * wrenches));
  SHK_TRY(shk_reals(workspace, &c->scratch, m + wrenches));
  c->list = shk_memory(workspace, 2 * (coordinates + wrenches) * sizeof *c->list + 1);
  c->open = shk_memory(workspace, wrenches + 1);
  c->depends = shk_memory(workspace, m + 1);
  if (!c->list || !c->open || !c->depends)
    return shk_no_memory();
  if (m > SHK_RANK_LIMIT)
    return shk_ok();
  SHK_TRY(shk_spectrum_init(&c->spectrum, c->evaluator));
  return shk_reals(workspace, &c->coefficients, m * m);
}

struct shk_status shk_joint_columns_create(struct shk_joint_columns **columns,
                                           const struct shk_instance *instance,
                                           struct shk_evaluator *evaluator,
                                           struct shk_manifold *manifold)
{
  *columns = NULL;
  if (!instance->joints || instance->joints->count == 0)
    return shk_ok();
  struct shk_joint_columns *const c = *columns = shk_memory(evaluator->workspace, sizeof *c);
  SHK_TRY(shk_allocated(c));
  *c = (struct shk_joint_columns){
      .instance = instance, .evaluator = evaluator, .manifold = manifold};
  SHK_TRY(take_arrays(c));
  add_columns(c);
  return shk_ok();
}

/* ---- coordinates ---- */

/* Returns the angle closest to `near` that differs from `angle` by a whole number of turns. */
static real turned_near(real angle, real near)
{
  return angle + 2 * REAL_PI * real_floor((near - angle) / (2 * REAL_PI) + R(0.5));
}

/* Shifts `count` coordinates, starting with the one at index i, by whole turns so that they are
 * close to the values predicted from the last followed state and its rates. Three angles a, b, c
 * become a + π, π - b, c + π if this is closer. */
static void unwrap(struct shk_joint_columns *c, real *values, real *rates, int i, int count, real t)
{
  real best = -1, chosen[3], chosen_rates[3];
  for (int turned = 0; turned < (count == 3 ? 2 : 1); turned++) {
    real at[3], rate[3], off = 0;
    for (int k = 0; k < count; k++) {
      const struct shk_joint_coordinate *const one = &c->instance->joints->coordinates[i + k];
      const real value = values[i + k];
      rate[k] = turned && k == 1 ? -rates[i + k] : rates[i + k];
      const real expected =
          c->begun ? c->angles[i + k] + (t - c->t) * (c->rates[i + k] + rate[k]) / 2 : one->start;
      at[k] = !turned ? value : k == 1 ? REAL_PI - value : value + REAL_PI;
      at[k] = one->is_angle ? turned_near(at[k], expected) : value;
      off += real_fabs(at[k] - expected);
    }
    if (turned && !(off < best))
      break;
    best = off;
    shk_copy(chosen, at, count);
    shk_copy(chosen_rates, rate, count);
  }
  shk_copy(values + i, chosen, count);
  shk_copy(rates + i, chosen_rates, count);
}

void shk_joint_columns_place(struct shk_joint_columns *c, real *coordinates, real t, const real *q,
                             const real *v)
{
  const struct shk_joints *const joints = c->instance->joints;
  if (joints->coordinate_count > 0)
    joints->place(c->instance->system.context, coordinates, c->new_rates, q, v);
  for (int i = 0, width; i < joints->coordinate_count; i += width) {
    width = joints->coordinates[i].begins_three ? 3 : 1;
    unwrap(c, coordinates, c->new_rates, i, width, t);
  }
}

struct shk_status shk_joint_columns_follow(struct shk_joint_columns *c, const struct shk_state *at)
{
  SHK_TRY(shk_velocity(c->evaluator, c->velocity, at->t, at->q, at->p));
  shk_joint_columns_place(c, c->new_angles, at->t, at->q, c->velocity);
  shk_copy(c->angles, c->new_angles, c->instance->joints->coordinate_count);
  shk_copy(c->rates, c->new_rates, c->instance->joints->coordinate_count);
  c->t = at->t;
  c->begun = true;
  return shk_ok();
}

/* ---- wrenches ---- */

/* Computes the wrenches along these axes. Indeterminate components are NaN. */
static struct shk_status find_wrenches(struct shk_joint_columns *c, enum shk_wrench_axes along,
                                       bool known, const struct shk_state *at)
{
  const int count = 6 * c->instance->joints->count;
  const bool singular = known && shk_manifold_met_singular(c->manifold);
  real *const wrenches = c->wrenches + (int)along * count;
  for (int i = 0; i < count; i++)
    c->open[i] = !known || singular;
  SHK_TRY(shk_wrenches(wrenches, c->instance, along, at->t, at->q, c->lambda));
  if (singular && c->coefficients)
    SHK_TRY(shk_wrenches_open(c->open, c->scratch, c->instance, along, c->coefficients, c->depends,
                              at->t, at->q));
  for (int i = 0; i < count; i++)
    wrenches[i] = c->open[i] ? (real)NAN : wrenches[i];
  return shk_ok();
}

struct shk_status shk_joint_columns_fill(struct shk_joint_columns *c, real *values,
                                         const struct shk_state *at)
{
  const struct shk_status status =
      shk_exact_multiplier(c->manifold, c->lambda, at->t, at->q, at->p);
  const bool known = status.code == SHK_OK;
  if (status.code == SHK_NO_MEMORY)
    return status;
  if (known && shk_manifold_met_singular(c->manifold) && c->coefficients)
    SHK_TRY(shk_rank_relations(c->coefficients, c->depends, &c->spectrum, c->evaluator, at->t,
                               at->q, at->p));
  SHK_TRY(find_wrenches(c, SHK_AXES_OF_SPACE, known, at));
  if (c->instance->joints->axes)
    SHK_TRY(find_wrenches(c, SHK_AXES_OF_JOINTS, known, at));
  for (int k = 0; k < c->count; k++)
    values[k] = *c->list[k].from;
  return shk_ok();
}
