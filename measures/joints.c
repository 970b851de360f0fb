/*
 * Records the joint columns (joint_columns.h) at the sample times of a run. Each column becomes a
 * single-precision series of the same name, such as "elbow.angle".
 */
#include "measures/block.h"
#include "measures/joint_columns.h"
#include "measures/measure.h"

#include <stdlib.h>

struct joints {
  struct shk_joint_columns *columns;
  real *values;
  int count, room; /* the number of samples, and the capacity of the arrays */
  double *times, *rows;
};

static bool joints_applies(const struct shk_measured *run)
{
  return run->instance->joints && run->instance->joints->count > 0;
}

static struct shk_status joints_create(void *state, const struct shk_measured *run)
{
  struct joints *const joints = state;
  SHK_TRY(shk_joint_columns_create(&joints->columns, run->instance, run->evaluator, run->manifold));
  return shk_reals(run->evaluator->workspace, &joints->values, (size_t)joints->columns->count);
}

static struct shk_status joints_observe(void *state, const struct shk_state *at)
{
  return shk_joint_columns_follow(((struct joints *)state)->columns, at);
}

/* Appends a row to the arrays. Returns false if an allocation fails. */
static bool has_room(struct joints *joints)
{
  const size_t width = (size_t)joints->columns->count;
  if (joints->count < joints->room)
    return true;
  const size_t room = 2 * (size_t)joints->room + 64;
  double *const times = realloc(joints->times, room * sizeof *times);
  joints->times = times ? times : joints->times;
  double *const rows = realloc(joints->rows, room * width * sizeof *rows);
  joints->rows = rows ? rows : joints->rows;
  joints->room = times && rows ? (int)room : joints->room;
  return times && rows;
}

static struct shk_status joints_sample(void *state, struct shk_sample *sample,
                                       const struct shk_state *at, const struct shk_state *next,
                                       bool is_start)
{
  struct joints *const joints = state;
  const int width = joints->columns->count;
  (void)next;
  (void)is_start;
  if (!shk_sample_block(sample, "q"))
    return shk_ok();
  SHK_TRY(shk_joint_columns_fill(joints->columns, joints->values, at));
  if (!has_room(joints))
    return shk_no_memory();
  joints->times[joints->count] = sample->t;
  for (int k = 0; k < width; k++)
    joints->rows[(size_t)joints->count * (size_t)width + (size_t)k] = (double)joints->values[k];
  joints->count++;
  return shk_ok();
}

static void joints_finish(void *state, struct shk_outcome *outcome)
{
  const struct joints *const joints = state;
  const int width = joints->columns->count;
  for (int k = 0; k < width && joints->count > 0; k++) {
    char *const name = shk_joint_column_name(joints->columns, k);
    struct shk_series *const series = shk_outcome_add_series(outcome, name, joints->count);
    for (int i = 0; i < joints->count; i++) {
      series->time[i] = joints->times[i];
      series->minimum[i] = series->mean[i] = series->maximum[i] =
          joints->rows[(size_t)i * (size_t)width + (size_t)k];
    }
    shk_series_to_single(series);
    free(name);
  }
}

static void joints_destroy(void *state)
{
  struct joints *const joints = state;
  free(joints->times);
  free(joints->rows);
}

const struct shk_measure shk_measure_joints = {.size = sizeof(struct joints),
                                               .applies = joints_applies,
                                               .create = joints_create,
                                               .observe = joints_observe,
                                               .sample = joints_sample,
                                               .finish = joints_finish,
                                               .destroy = joints_destroy};
