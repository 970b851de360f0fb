/*
 * Joints of a mechanism at its start: rows that others imply, and wrenches with the components that
 * the equations of motion leave open.
 *
 * With G_i = Σ_j c_ij G_j for each dependent row i, y_i = e_i - Σ_j c_ij e_j span the null space of
 * Gᵀ. A wrench is linear in lambda, so a component is determinate iff it vanishes on every y_i.
 */
#include "engine/bind.h"
#include "engine/cells/cells.h"
#include "mechanics/diagnosis/rank.h"

#include <stdio.h>
#include <string.h>

/* Components of the wrench of a null vector below this part of the largest are round-off of the
 * relations. */
static const real rounding = R(1e-9);

/* Names the other joints on whose rows the rows of this one depend. */
static void name_implying(struct shk_joint_diagnosis *joint, const struct shk_joints *joints,
                          const real *coefficients, const bool *depends, int m)
{
  size_t used = 0;
  for (int k = 0; k < joints->count; k++) {
    const struct shk_joint_info *const other = &joints->list[k];
    bool named = other->first_row == joint->first_row;
    for (int i = joint->first_row; i < joint->first_row + joint->rows; i++)
      for (int j = 0; depends[i] && !named && j < other->rows; j++)
        if (real_fabs(coefficients[(size_t)i * (size_t)m + (size_t)(other->first_row + j)]) >
            R(1e-9)) {
          named = true;
          if (used < sizeof joint->by)
            used += (size_t)snprintf(joint->by + used, sizeof joint->by - used, "%s%s",
                                     used > 0 ? ", " : "", other->name);
        }
  }
}

/* Marks the components that the null vector y changes. Returns 1 if a wrench cannot be
 * evaluated. */
static int mark_open(struct shk_diagnosis *d, const struct shk_bound *bound, const real *y)
{
  const struct shk_joints *const joints = bound->instance.joints;
  real wrench[SHK_DIAGNOSIS_JOINTS][6], most = 0;
  for (int k = 0; k < d->joint_listed; k++) {
    if (joints->wrench(bound->instance.system.context, wrench[k], k, bound->start.t, bound->start.q,
                       y) != 0)
      return 1;
    most = real_max(most, real_max_norm(wrench[k], 6));
  }
  for (int k = 0; k < d->joint_listed; k++)
    for (int c = 0; c < 6; c++)
      if (real_fabs(wrench[k][c]) > rounding * most)
        d->joints[k].indeterminate[c] = true;
  return 0;
}

/* Stores the exact multipliers; if they are not unique, the shortest ones. */
static struct shk_status find_multipliers(real *lambda, struct shk_bound *bound)
{
  const struct shk_state *s = &bound->start;
  struct shk_status status = shk_exact_multiplier(bound->manifold, lambda, s->t, s->q, s->p);
  if (status.code != SHK_SINGULAR)
    return status;
  SHK_TRY(shk_manifold_take_redundant(bound->manifold));
  return shk_exact_multiplier(bound->manifold, lambda, s->t, s->q, s->p);
}

static struct shk_status examine(struct shk_diagnosis *d, struct shk_bound *bound, real *room,
                                 bool *depends)
{
  const struct shk_joints *const joints = bound->instance.joints;
  const struct shk_state *const s = &bound->start;
  const int m = s->m;
  real *const lambda = room, *const y = room + m, *const coefficients = room + 2 * m;
  SHK_TRY(find_multipliers(lambda, bound));
  SHK_TRY(shk_rank_relations(coefficients, depends, &bound->observer, s->t, s->q, s->p));
  for (int k = 0; k < d->joint_listed; k++) {
    struct shk_joint_diagnosis *const joint = &d->joints[k];
    real wrench[6];
    snprintf(joint->name, sizeof joint->name, "%s", joints->list[k].name);
    snprintf(joint->type, sizeof joint->type, "%s", joints->list[k].type);
    joint->first_row = joints->list[k].first_row;
    joint->rows = joints->list[k].rows;
    for (int i = 0; i < joint->rows; i++)
      joint->implied += depends[joint->first_row + i];
    if (joints->wrench(bound->instance.system.context, wrench, k, s->t, s->q, lambda) != 0)
      return shk_failure(SHK_STOPPED, "a joint's wrench cannot be evaluated", 0, 0);
    for (int c = 0; c < 6; c++)
      joint->wrench[c] = (double)wrench[c];
    name_implying(joint, joints, coefficients, depends, m);
  }
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++)
      y[j] = (i == j) - coefficients[(size_t)i * (size_t)m + (size_t)j];
    if (depends[i] && mark_open(d, bound, y) != 0)
      return shk_failure(SHK_STOPPED, "a joint's wrench cannot be evaluated", 0, 0);
  }
  return shk_ok();
}

struct shk_status shk_diagnose_joints(struct shk_diagnosis *d, struct shk_bound *bound)
{
  const struct shk_joints *const joints = bound->instance.joints;
  const size_t m = (size_t)bound->start.m;
  real *room;
  if (!joints || joints->count == 0 || m > SHK_RANK_LIMIT)
    return shk_ok();
  d->joint_count = joints->count;
  d->joint_listed = joints->count < SHK_DIAGNOSIS_JOINTS ? joints->count : SHK_DIAGNOSIS_JOINTS;
  d->body_rows = joints->list[0].first_row;
  SHK_TRY(shk_reals(bound->instance.workspace, &room, 2 * m + m * m));
  bool *const depends = shk_memory(bound->instance.workspace, m * sizeof *depends);
  SHK_TRY(shk_allocated(depends));
  return examine(d, bound, room, depends);
}
