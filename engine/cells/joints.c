/*
 * Describes the joints of a mechanism at its start: the rows that are implied by other rows, the
 * wrenches, and the components of the wrenches that the equations of motion leave indeterminate
 * (measures/wrench.c).
 */
#include "engine/bind.h"
#include "engine/cells/cells.h"
#include "foundation/memory.h"
#include "foundation/message.h"
#include "measures/joint_columns.h"
#include "measures/wrench.h"
#include "mechanics/diagnosis/rank.h"
#include "mechanics/system/manifold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lists the other joints on whose rows the rows of this joint depend. */
static void name_implying(struct shk_joint_diagnosis *joint, const struct shk_joints *joints,
                          const real *coefficients, const bool *depends, int m)
{
  char *all = NULL;
  for (int k = 0; k < joints->count; k++) {
    const struct shk_joint_info *const other = &joints->list[k];
    bool named = other->first_row == joint->first_row;
    for (int i = joint->first_row; i < joint->first_row + joint->rows; i++)
      for (int j = 0; depends[i] && !named && j < other->rows; j++)
        if (real_fabs(coefficients[(size_t)i * (size_t)m + (size_t)(other->first_row + j)]) >
            R(1e-9)) {
          named = true;
          shk_append_text(&all, "%s%s", all ? ", " : "", other->name);
        }
  }
  shk_text_fit(joint->by, sizeof joint->by, all ? all : "");
  free(all);
}

/* Stores the exact multipliers, or the shortest ones if they are not unique. */
static struct shk_status find_multipliers(real *lambda, struct shk_bound *bound)
{
  const struct shk_state *s = &bound->start;
  struct shk_status status = shk_exact_multiplier(bound->manifold, lambda, s->t, s->q, s->p);
  if (status.code != SHK_SINGULAR)
    return status;
  SHK_TRY(shk_manifold_take_redundant(bound->manifold));
  return shk_exact_multiplier(bound->manifold, lambda, s->t, s->q, s->p);
}

static struct shk_status examine_joints(struct shk_diagnosis *d, struct shk_joint_columns *columns,
                                        struct shk_bound *bound)
{
  const struct shk_instance *const instance = &bound->instance;
  const struct shk_joints *const joints = instance->joints;
  const struct shk_state *const s = &bound->start;
  SHK_TRY(find_multipliers(columns->lambda, bound));
  SHK_TRY(shk_rank_relations(columns->coefficients, columns->depends, &columns->spectrum,
                             &bound->observer, s->t, s->q, s->p));
  for (int k = 0; k < d->joint_listed; k++) {
    struct shk_joint_diagnosis *const joint = &d->joints[k];
    shk_text_fit(joint->name, sizeof joint->name, joints->list[k].name);
    shk_text_fit(joint->type, sizeof joint->type, joints->list[k].type);
    joint->first_row = joints->list[k].first_row;
    joint->rows = joints->list[k].rows;
    for (int i = 0; i < joint->rows; i++)
      joint->implied += columns->depends[joint->first_row + i];
    name_implying(joint, joints, columns->coefficients, columns->depends, s->m);
  }
  for (int along = SHK_AXES_OF_SPACE; along <= SHK_AXES_OF_JOINTS; along++) {
    real *const wrenches = columns->wrenches + 6 * along * joints->count;
    SHK_TRY(
        shk_wrenches(wrenches, instance, (enum shk_wrench_axes)along, s->t, s->q, columns->lambda));
    SHK_TRY(shk_wrenches_open(columns->open, columns->scratch, instance,
                              (enum shk_wrench_axes)along, columns->coefficients, columns->depends,
                              s->t, s->q));
    for (int i = 0; i < 6 * d->joint_listed; i++) {
      d->joints[i / 6].wrench[along][i % 6] = (double)wrenches[i];
      d->joints[i / 6].indeterminate[along][i % 6] = columns->open[i];
      wrenches[i] = columns->open[i] ? (real)NAN : wrenches[i];
    }
  }
  return shk_ok();
}

/* Stores the columns of the joints in the list. */
static void list_columns(struct shk_diagnosis *d, const struct shk_joint_columns *columns)
{
  for (int k = 0; k < columns->count && d->column_count < SHK_DIAGNOSIS_COLUMNS; k++) {
    if (columns->list[k].joint >= d->joint_listed)
      break;
    char *const name = shk_joint_column_name(columns, k);
    struct shk_joint_value *const one = &d->columns[d->column_count++];
    shk_text_fit(one->name, sizeof one->name, name);
    one->of_wrench = strchr(columns->list[k].what, '_') != NULL;
    one->value = (double)*columns->list[k].from;
    free(name);
  }
}

struct shk_status shk_diagnose_joints(struct shk_diagnosis *d, struct shk_bound *bound)
{
  const struct shk_joints *const joints = bound->instance.joints;
  if (!joints || joints->count == 0 || bound->start.m > SHK_RANK_LIMIT)
    return shk_ok();
  d->joint_count = joints->count;
  d->joint_listed = joints->count < SHK_DIAGNOSIS_JOINTS ? joints->count : SHK_DIAGNOSIS_JOINTS;
  d->body_rows = joints->list[0].first_row;
  struct shk_joint_columns *columns;
  SHK_TRY(shk_joint_columns_create(&columns, &bound->instance, &bound->observer, bound->manifold));
  SHK_TRY(shk_joint_columns_follow(columns, &bound->start));
  SHK_TRY(examine_joints(d, columns, bound));
  list_columns(d, columns);
  return shk_ok();
}
