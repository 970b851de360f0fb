/*
 * Closes loops whose frames are given in decimals. Such loops close only to the accuracy of the
 * digits given, and the hinges of a planar loop are parallel only to the same accuracy. However, a
 * loop with redundant rows cannot be assembled in any position unless its frames agree to
 * round-off. The bodies are therefore assembled as closely as the rows permit. At this position,
 * three steps move the frames of the joints in loops as little as possible:
 *
 *   1. axes that are nearly parallel are made parallel, and axes that are nearly orthogonal are
 *      made orthogonal, rotation axes before sliding axes;
 *   2. hinge lines that nearly coincide or intersect are made to do so exactly, and points that are
 *      nearly on such lines are moved onto them;
 *   3. a joint's second frame is computed from its first frame and the joint's coordinates.
 *
 * After step 3, all rows are zero at this position. Because of steps 1 and 2, the rows that are
 * redundant in parallel, coaxial and concurrent loops are redundant in every position. Joints of
 * thin bodies are not changed.
 */
#include "problems/kit/mechanism/mechanism.h"

#include "foundation/message.h"
#include "foundation/specifications/spec.h"

#include <string.h>

/* Planes onto which a point will be moved: their orthonormal normals, and the point's distances
 * from them. */
struct planes {
  int count;
  real normals[3][3], distances[3];
};

/* The line of a hinge or the point of a ball joint. Later joints are aligned with it. */
struct line {
  real place[3], axis[3];
  bool is_point;
};

struct closing {
  struct shk_mechanism *s;
  real size;
  struct shk_frame *poses;       /* poses of the bodies at s->q */
  struct shk_frame (*frames)[2]; /* frames of the joints, in space */
  bool *moves;                   /* whether the joint's frames can be moved */
  int axis_count, line_count;
  real (*axes)[3]; /* axes with which other axes are aligned */
  struct line *lines;
};

/* ---- joints whose frames are moved ---- */

static int root_of(const int *above, int body)
{
  while (above[body] != body)
    body = above[body];
  return body;
}

/* Returns true if the joint's two bodies would still be connected without it. */
static bool is_in_loop(const struct shk_mechanism *s, int joint)
{
  int above[SHK_MECHANISM_BODIES + 1];
  for (int i = 0; i < s->body_count; i++)
    above[i] = i;
  for (int i = 0; i < s->joint_count; i++)
    if (i != joint && s->joints[i].codes[0] != 'g')
      above[root_of(above, s->joints[i].bodies[1])] = root_of(above, s->joints[i].bodies[0]);
  const int *const ends = s->joints[joint].bodies;
  return root_of(above, ends[0]) == root_of(above, ends[1]);
}

static bool is_thin(const struct shk_body *body)
{
  return body->lacks[0] || body->lacks[1] || body->lacks[2];
}

/* Marks the joints that are part of a loop and whose frames can be moved. Returns their number. */
static int mark_joints(struct closing *c)
{
  const struct shk_mechanism *const s = c->s;
  int count = 0;
  for (int i = 0; i < s->joint_count; i++) {
    const struct shk_joint *const joint = &s->joints[i];
    c->moves[i] = shk_joint_motions(s, joint) && is_in_loop(s, i) &&
                  !is_thin(&s->bodies[joint->bodies[0]]) && !is_thin(&s->bodies[joint->bodies[1]]);
    count += c->moves[i];
  }
  return count;
}

static bool turns(const struct shk_joint *joint)
{
  return strchr(joint->type->motions[0], 'r') != NULL;
}

/* ---- positions ---- */

/* Stores a body's pose at s->q, and makes its directors orthonormal to round-off. */
static void find_pose(struct closing *c, int index)
{
  struct shk_mechanism *const s = c->s;
  const struct shk_body *const body = &s->bodies[index];
  struct shk_frame directors, back;
  c->poses[index] = body->pose;
  if (index == 0 || is_thin(body))
    return;
  shk_copy(directors.place, body->at[0] < 0 ? body->constant[0] : s->q + body->at[0], 3);
  for (int k = 0; k < 3; k++) {
    real *const d = s->q + body->at[k + 1];
    for (int j = 0; j < k; j++)
      shk_vector_add(d, -real_dot(d, s->q + body->at[j + 1], 3), s->q + body->at[j + 1], 3);
    const real length = shk_distance(NULL, d, 3);
    for (int j = 0; j < 3; j++) {
      d[j] /= length;
      directors.axes[3 * j + k] = d[j];
    }
  }
  shk_frame_invert(&back, &body->principal);
  shk_frame_compose(&c->poses[index], &directors, &back);
}

static void column_of(real *out, const real *axes, int k)
{
  for (int j = 0; j < 3; j++)
    out[j] = axes[3 * j + k];
}

/* ---- axes ---- */

/* If a unit vector is nearly parallel to one of the axes, makes it exactly parallel. Otherwise,
 * makes it orthogonal to the first two axes to which it is nearly orthogonal, and adds it to the
 * axes. */
static void align(struct closing *c, real *n)
{
  const real *across[2] = {NULL, NULL};
  real off[3];
  for (int i = 0; i < c->axis_count; i++) {
    const real *const axis = c->axes[i];
    const real along = real_dot(axis, n, 3);
    shk_cross(off, axis, n);
    if (real_max_norm(off, 3) < SHK_LOOP_TOLERANCE) {
      for (int j = 0; j < 3; j++)
        n[j] = along > 0 ? axis[j] : -axis[j];
      return;
    }
    if (real_fabs(along) < SHK_LOOP_TOLERANCE && !across[1])
      across[across[0] != NULL] = axis;
  }
  if (across[1]) {
    shk_cross(off, across[0], across[1]);
    const real sign = real_dot(off, n, 3) > 0 ? 1 : -1;
    for (int j = 0; j < 3; j++)
      n[j] = sign * off[j];
  } else if (across[0])
    shk_vector_add(n, -real_dot(across[0], n, 3), across[0], 3);
  const real length = shk_distance(NULL, n, 3);
  for (int j = 0; j < 3; j++)
    n[j] /= length;
  shk_copy(c->axes[c->axis_count++], n, 3);
}

/* Replaces a frame's third axis with the given axis, which must be close to it. */
static void turn_to(real *axes, const real *third)
{
  real first[3], second[3];
  column_of(first, axes, 0);
  shk_vector_add(first, -real_dot(first, third, 3), third, 3);
  const real length = shk_distance(NULL, first, 3);
  for (int j = 0; j < 3; j++)
    first[j] /= length;
  shk_cross(second, third, first);
  for (int j = 0; j < 3; j++) {
    axes[3 * j] = first[j];
    axes[3 * j + 1] = second[j];
    axes[3 * j + 2] = third[j];
  }
}

static void align_axes(struct closing *c)
{
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < c->s->joint_count; i++)
      if (c->moves[i] && c->s->joints[i].type->motions[0][0] &&
          turns(&c->s->joints[i]) == (pass == 0)) {
        real axis[3];
        column_of(axis, c->frames[i][0].axes, 2);
        align(c, axis);
        turn_to(c->frames[i][0].axes, axis);
      }
}

/* ---- lines ---- */

/* Adds the plane perpendicular to the given direction through the point at the offset `away`, if
 * the plane is near. */
static void add_plane(struct planes *planes, const real *direction, const real *away, real near)
{
  real n[3], distance = real_dot(direction, away, 3), length = shk_distance(NULL, direction, 3);
  if (planes->count == 3 || real_fabs(distance) > near * length)
    return;
  shk_copy(n, direction, 3);
  for (int k = 0; k < planes->count; k++) {
    const real part = real_dot(direction, planes->normals[k], 3);
    shk_vector_add(n, -part, planes->normals[k], 3);
    distance -= part * planes->distances[k];
  }
  const real left = shk_distance(NULL, n, 3);
  if (left < R(1e-6) * length)
    return; /* the other planes already imply this one */
  for (int j = 0; j < 3; j++)
    planes->normals[planes->count][j] = n[j] / left;
  planes->distances[planes->count++] = distance / left;
}

/* If a line or point nearly meets an earlier one, adds the planes in which the two meet. */
static void meet(struct planes *planes, const struct line *line, const struct line *other,
                 real near)
{
  real away[3], normal[3], side[3];
  for (int j = 0; j < 3; j++)
    away[j] = other->place[j] - line->place[j];
  shk_cross(normal, line->axis, other->axis);
  if (line->is_point && other->is_point) {
    if (real_max_norm(away, 3) < near)
      for (int j = 0; j < 3; j++)
        add_plane(planes, (const real[]){j == 0, j == 1, j == 2}, away, near);
  } else if (line->is_point || other->is_point || real_max_norm(normal, 3) < SHK_LOOP_TOLERANCE) {
    const real *const axis = line->is_point ? other->axis : line->axis;
    shk_cross(side, axis, away); /* perpendicular to the axis and to `away` */
    if (real_max_norm(side, 3) > near)
      return;
    shk_vector_add(away, -real_dot(axis, away, 3), axis, 3);
    const real normal_of[3] = {real_fabs(axis[0]) < R(0.6), real_fabs(axis[0]) >= R(0.6), 0};
    shk_cross(side, axis, normal_of);
    add_plane(planes, side, away, near);
    shk_cross(normal, axis, side);
    add_plane(planes, normal, away, near);
  } else
    add_plane(planes, normal, away, near);
}

/* Moves hinges, ball joints and cylindrical joints whose lines or points nearly meet those of
 * earlier joints. */
static void align_lines(struct closing *c)
{
  for (int i = 0; i < c->s->joint_count; i++) {
    const char *const name = c->s->joints[i].type->name;
    struct shk_frame *const frame = &c->frames[i][0];
    struct planes planes = {.count = 0};
    struct line line = {.is_point =
                            c->s->joints[i].codes[0] == 'p' && strcmp(name, "revolute") != 0};
    if (!c->moves[i] || (c->s->joints[i].codes[0] != 'p' && strcmp(name, "cylindrical") != 0))
      continue;
    shk_copy(line.place, frame->place, 3);
    column_of(line.axis, frame->axes, 2);
    for (int k = 0; k < c->line_count; k++)
      meet(&planes, &line, &c->lines[k], SHK_LOOP_TOLERANCE * c->size);
    for (int k = 0; k < planes.count; k++)
      shk_vector_add(frame->place, planes.distances[k], planes.normals[k], 3);
    shk_copy(line.place, frame->place, 3);
    c->lines[c->line_count++] = line;
  }
}

/* ---- second frames ---- */

/* Places a joint's second frame using the joint's coordinates at s->q. The axes of the frame do not
 * change if no row depends on them. */
static void place_second(struct closing *c, int index)
{
  const struct shk_mechanism *const s = c->s;
  struct shk_joint joint = s->joints[index];
  const char *const motions = shk_joint_motions(s, &joint);
  struct shk_frame between, *const second = &c->frames[index][1];
  const struct shk_frame before = *second;
  real unused[3];
  for (int k = 0; motions[2 * k]; k++) {
    struct shk_form forms[2];
    const enum shk_scalar_kind kind = shk_joint_forms(forms, s, &joint, k);
    const real value = shk_form_value(&forms[0], s->q);
    joint.start.at[k] =
        kind == SHK_TWIST ? real_atan2(shk_form_value(&forms[1], s->q), value) : value;
  }
  shk_joint_second_frame(&between, unused, unused, &joint, motions);
  shk_frame_compose(second, &c->frames[index][0], &between);
  if (!strchr(joint.codes, 'o'))
    shk_copy(second->axes, before.axes, 9);
}

/* ---- the complete procedure ---- */

static struct shk_status create_closing(struct closing *c, struct shk_mechanism *s,
                                        struct shk_workspace *workspace)
{
  const size_t joints = (size_t)s->joint_count + 1;
  *c = (struct closing){.s = s};
  c->poses = shk_memory(workspace, (size_t)s->body_count * sizeof *c->poses);
  c->frames = shk_memory(workspace, joints * sizeof *c->frames);
  c->moves = shk_memory(workspace, joints * sizeof *c->moves);
  c->axes = shk_memory(workspace, joints * sizeof *c->axes);
  c->lines = shk_memory(workspace, joints * sizeof *c->lines);
  return shk_allocated(c->poses && c->frames && c->moves && c->axes && c->lines ? c->poses : NULL);
}

/* Stores the new frames in their bodies, and stores the largest change in any frame. */
static void into_bodies(struct shk_gap *gap, struct closing *c)
{
  for (int i = 0; i < c->s->joint_count; i++)
    for (int side = 0; side < 2 && c->moves[i]; side++) {
      const struct shk_frame *const old = &c->s->joints[i].frames[side];
      struct shk_frame back, *const new = &c->frames[i][side];
      shk_frame_invert(&back, &c->poses[c->s->joints[i].bodies[side]]);
      shk_frame_compose(new, &back, new);
      for (int k = 0; k < 9; k++)
        gap->moved = real_max(gap->moved, real_fabs(new->axes[k] - old->axes[k]));
      for (int k = 0; k < 3; k++)
        gap->moved = real_max(gap->moved, real_fabs(new->place[k] - old->place[k]) / c->size);
    }
}

/* Adds a note that states how far the loops were from being closed. */
static void note_gap(const struct shk_instance *instance, const struct shk_mechanism *s,
                     const struct shk_gap *gap)
{
  struct shk_message note;
  shk_message_set(
      &note,
      "%s:%d: joint \"%s\" closes only to the precision of the numbers in the file: its frames are "
      "%.2g apart (in the file's unit of length) and rotated by %.2g rad. Frames of joints in "
      "loops were moved "
      "by at most %.2g (in rad, and relative to the size) so that the loops close to round-off in "
      "every position",
      s->path, s->joints[gap->joint].line, s->joints[gap->joint].name, (double)gap->length,
      (double)gap->angle, (double)gap->moved);
  shk_values_set_note(instance->parameters, note.text);
}

struct shk_status shk_mechanism_close_decimals(struct shk_gap *gap, struct shk_mechanism *s,
                                               const struct shk_instance *instance)
{
  struct shk_workspace *const workspace = instance->workspace;
  struct closing c;
  real residual, *before;
  *gap = (struct shk_gap){.joint = 0};
  SHK_TRY(create_closing(&c, s, workspace));
  if (s->m > SHK_ASSEMBLED_ROWS || s->dimension == 2 || mark_joints(&c) == 0)
    return shk_ok();
  SHK_TRY(shk_reals(workspace, &before, (size_t)s->n));
  shk_copy(before, s->q, s->n);
  SHK_TRY(shk_mechanism_close_further(&residual, s, workspace));
  if (!s->redundant)
    shk_copy(before, s->q, s->n); /* the rows to leave out are determined at this position */
  shk_mechanism_gap(gap, s);
  c.size = gap->size > 0 ? gap->size : 1;
  for (int i = 0; i < s->body_count; i++)
    find_pose(&c, i);
  for (int i = 0; i < s->joint_count; i++)
    for (int side = 0; side < 2; side++)
      shk_frame_compose(&c.frames[i][side], &c.poses[s->joints[i].bodies[side]],
                        &s->joints[i].frames[side]);
  align_axes(&c);
  align_lines(&c);
  for (int i = 0; i < s->joint_count; i++)
    if (c.moves[i])
      place_second(&c, i);
  into_bodies(gap, &c);
  const bool exact = real_max(residual, gap->moved) <= SHK_CLOSING_ROUNDINGS * REAL_EPSILON;
  if (exact)
    shk_copy(s->q, before, s->n);
  if (exact || gap->moved > SHK_LOOP_TOLERANCE) {
    gap->moved = 0;
    return shk_ok();
  }
  for (int i = 0; i < s->joint_count; i++)
    if (c.moves[i])
      memcpy(s->joints[i].frames, c.frames[i], sizeof c.frames[i]);
  note_gap(instance, s, gap);
  return shk_ok();
}
