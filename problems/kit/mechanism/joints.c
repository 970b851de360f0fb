/*
 * Joint types. A joint has a frame (x_a; a_1, a_2, a_3) on one body, a frame (x_b; b_1, b_2, b_3)
 * on another, and rows of four kinds:
 *
 *     pj    (x_b - x_a)·e_j = 0            points coincide, along the spatial axes
 *     oij   a_i·b_j = 0, i ≠ j             directions are orthogonal
 *     ai    a_i·(x_b - x_a) = 0            x_b is in the plane through x_a normal to a_i
 *     d     ½ (|x_b - x_a|² - l²) = 0      distance
 *
 * All orientation rows express orthogonality, because the gradient of a·b vanishes where a·b = 1,
 * and the three rows of a × b = 0 have rank two. To define a new type, add a line to the table
 * below. A drive adds a row to its joint. A gear has a single row, g (couplings.c).
 */
#include "problems/kit/mechanism/mechanism.h"
#include "problems/kit/rotation.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define TURNS                                                                                      \
  ": among the joints that count turns, only gears with whole-number ratios are supported"
const struct shk_joint_type shk_joint_types[] = {
    {"spherical", "points coincide", {"p1p2p3", NULL}, {"", NULL}},
    {"revolute", "turns about the axis", {"p1p2p3o31o32", "p1p2"}, {"r3", "r3"}},
    {"prismatic", "slides along the axis", {"o31o32o12a1a2", "o12a2"}, {"t3", "t1"}},
    {"cylindrical",
     "turns about the axis and slides along it",
     {"o31o32a1a2", NULL},
     {"r3t3", NULL}},
    {"universal", "turns about `axis`, then about `across`", {"p1p2p3o31", NULL}, {"r3r1", NULL}},
    {"planar",
     "moves in the plane perpendicular to the axis",
     {"o31o32a3", NULL},
     {"t1t2r3", NULL}},
    {"weld", "holds", {"p1p2p3o12o23o31", "p1p2o12"}, {"", ""}},
    {"distance", "keeps the distance between two points constant", {"d", "d"}, {NULL, NULL}},
    {"point-on-line", "keeps a point on the axis", {"a1a2", "a2"}, {"t3", "t1"}},
    {"gear", "couples two revolute or two prismatic joints", {"g", "g"}, {NULL, NULL}},
    {"serial", "slides and then turns, as `motions` specifies", {"", NULL}, {"", NULL}},
    {"screw", TURNS, {NULL, NULL}, {NULL, NULL}},
    {"rack-and-pinion", TURNS, {NULL, NULL}, {NULL, NULL}},
    {"cam", TURNS, {NULL, NULL}, {NULL, NULL}},
};
const int shk_joint_type_count = sizeof shk_joint_types / sizeof *shk_joint_types;

/* Returns the code of the type's next row. */
static const char *next_code(const char *code)
{
  for (code++; isdigit((unsigned char)*code);)
    code++;
  return code;
}

/* ---- serial joints ---- */

const char *shk_joint_motions(const struct shk_mechanism *s, const struct shk_joint *joint)
{
  return joint->motions[0] ? joint->motions : joint->type->motions[s->dimension == 2];
}

/* The position rows are the ai for directions normal to the displacements, or p1p2p3 if there are
 * no displacements. The orientation rows depend on the number of rotations: r_i requires b_i = a_i,
 * r_i r_j requires a_i·b_j = 0, and three rotations require nothing. */
bool shk_joint_set_motions(struct shk_joint *joint, const char *motions)
{
  bool slides[3] = {false}, turns[3] = {false};
  int axes[3], shifts = 0, count = 0;
  char *out = joint->serial_codes;
  for (const char *at = motions; *at; at += 2) {
    const int k = at[1] - '1';
    bool *const seen = *at == 't' ? slides : turns;
    if ((*at != 't' && *at != 'r') || k < 0 || k > 2 || seen[k] || (*at == 't' && count > 0))
      return false;
    seen[k] = true;
    if (*at == 't')
      shifts++;
    else
      axes[count++] = k + 1;
  }
  for (int k = 0; k < 3; k++)
    if (!slides[k])
      out += sprintf(out, "%c%d", shifts > 0 ? 'a' : 'p', k + 1);
  if (count == 0)
    out += sprintf(out, "o12o23o31");
  if (count == 1)
    out += sprintf(out, "o%d%do%d%d", axes[0], axes[0] % 3 + 1, axes[0], (axes[0] + 1) % 3 + 1);
  if (count == 2)
    out += sprintf(out, "o%d%d", axes[0], axes[1]);
  strcpy(joint->motions, motions);
  return true;
}

/* ---- poses ---- */

void shk_joint_second_frame(struct shk_frame *frame, real *omega, real *velocity,
                            const struct shk_joint *joint, const char *motions)
{
  *frame = (struct shk_frame){{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  shk_fill(omega, 0, 3);
  shk_fill(velocity, 0, 3);
  for (int i = 0; motions[2 * i]; i++) {
    const int k = motions[2 * i + 1] - '1';
    const real axis[3] = {k == 0, k == 1, k == 2};
    real along[3], R[9], turned[9];
    shk_turn(along, frame->axes, axis);
    if (motions[2 * i] == 't') {
      shk_vector_add(frame->place, joint->start.at[i], along, 3);
      shk_vector_add(velocity, joint->rate.at[i], along, 3);
      continue;
    }
    shk_vector_add(omega, joint->rate.at[i], along, 3);
    shk_rotation_about(R, axis, joint->start.at[i]);
    shk_rotation_multiply(turned, frame->axes, R);
    shk_copy(frame->axes, turned, 9);
  }
}

/* Adds ω × (to - from) to a velocity. */
static void add_rotation_velocity(real *velocity, const real *omega, const real *from,
                                  const real *to)
{
  real arm[3], speed[3];
  for (int j = 0; j < 3; j++)
    arm[j] = to[j] - from[j];
  shk_cross(speed, omega, arm);
  shk_vector_add(velocity, 1, speed, 3);
}

/* Sets the pose and velocities of a joint's second body from those of the first body and from the
 * joint's coordinates. */
static void place_second(struct shk_mechanism *s, const struct shk_joint *joint)
{
  const struct shk_body *const a = &s->bodies[joint->bodies[0]];
  struct shk_body *const b = &s->bodies[joint->bodies[1]];
  struct shk_frame first, between, back;
  real omega[3], velocity[3], turned[3];
  shk_joint_second_frame(&between, omega, velocity, joint, shk_joint_motions(s, joint));
  shk_frame_compose(&first, &a->pose, &joint->frames[0]);
  shk_copy(b->rate, a->rate, 3);
  shk_turn(turned, first.axes, omega);
  shk_vector_add(b->rate, 1, turned, 3);
  shk_copy(b->velocity, a->velocity, 3);
  shk_turn(turned, first.axes, velocity);
  shk_vector_add(b->velocity, 1, turned, 3);
  shk_frame_compose(&between, &first, &between);
  add_rotation_velocity(b->velocity, a->rate, a->pose.place, between.place);
  shk_frame_invert(&back, &joint->frames[1]);
  shk_frame_compose(&b->pose, &between, &back);
  add_rotation_velocity(b->velocity, b->rate, between.place, b->pose.place);
  b->is_posed = true;
}

const char *shk_joints_place(struct shk_mechanism *s, int *at)
{
  for (*at = 0; *at < s->joint_count; ++*at) {
    const struct shk_joint *const joint = &s->joints[*at];
    const bool known = s->bodies[joint->bodies[0]].is_posed;
    if (!joint->in_space && known && !s->bodies[joint->bodies[1]].is_posed &&
        shk_joint_motions(s, joint))
      place_second(s, joint);
    else if (joint->start.count + joint->rate.count > 0)
      return known ? "has a start, but its second body already has a pose"
                   : "has a start, but its first body has no pose yet";
  }
  for (*at = 0; *at < s->joint_count; ++*at) {
    struct shk_joint *const joint = &s->joints[*at];
    for (int side = 0; side < 2 && joint->in_space; side++) {
      struct shk_frame back;
      shk_frame_invert(&back, &s->bodies[joint->bodies[side]].pose);
      shk_frame_compose(&joint->frames[side], &back, &joint->frames[side]);
    }
  }
  return NULL;
}

/* ---- reactions ---- */

/* Stores the wrench that -Gᵀλ exerts on the second body: the force -λ w at x_b for pj and d, the
 * force -λ a_i for ai, and the torque b_j × (-λ a_i) for oij. */
int shk_joint_wrench(const void *context, real *out, int joint, real t, const real *q,
                     const real *lambda)
{
  const struct shk_mechanism *const s = context;
  const struct shk_joint *const this_joint = &s->joints[joint];
  const char *code = this_joint->codes;
  shk_fill(out, 0, 6);
  for (int i = this_joint->first_row; i < this_joint->first_row + this_joint->rows;
       code = next_code(code), i++) {
    real u[3], w[3], torque[3];
    if (s->rows[i].coupling) {
      shk_coupling_wrench(out, s->rows[i].coupling, lambda[i], t, q);
      break;
    }
    shk_mark_value(u, &s->rows[i].u, q);
    shk_mark_value(w, &s->rows[i].w, q);
    if (code[0] == 'o') {
      shk_cross(torque, u, w);
      shk_vector_add(out + 3, lambda[i], torque, 3);
    } else
      shk_vector_add(out, -lambda[i], code[0] == 'a' ? u : w, 3);
  }
  return 0;
}

/* Stores the axes of the first body's frame in spatial coordinates. If that body is thin, uses the
 * second body's frame instead; if both are thin, uses the spatial axes. */
int shk_joint_axes(const void *context, real *out, int joint, real t, const real *q)
{
  const struct shk_mechanism *const s = context;
  const struct shk_end *const ends = s->joints[joint].ends;
  (void)t;
  for (int side = 0; side < 2; side++) {
    bool lacks = false;
    for (int k = 0; k < 3; k++)
      lacks = lacks || ends[side].axis[k].lacks;
    if (lacks)
      continue;
    for (int k = 0; k < 3; k++)
      shk_mark_value(out + 3 * k, &ends[side].axis[k], q);
    return 0;
  }
  for (int k = 0; k < 9; k++)
    out[k] = k % 4 == 0;
  return 0;
}

/* ---- rows ---- */

/* Returns the row for a code. The rows o31 and o32 make the third axes parallel. If `swapped` is
 * true, they are replaced with o13 and o23, which use directions of the other body. A plate can
 * have these directions even if it lacks the axis. */
static struct shk_form row_of(const struct shk_joint *joint, const char *code, bool swapped)
{
  const struct shk_end *const a = &joint->ends[0], *const b = &joint->ends[1];
  const struct shk_mark between = shk_mark_difference(&b->place, &a->place);
  const int i = code[1] - '1', j = code[0] == 'o' ? code[2] - '1' : 0;
  switch (code[0]) {
  case 'p':
    return (struct shk_form){.u = between, .w = shk_mark_axis(i), .factor = 1};
  case 'o':
    return (struct shk_form){
        .u = a->axis[swapped ? j : i], .w = b->axis[swapped ? i : j], .factor = 1};
  case 'a':
    return (struct shk_form){.u = a->axis[i], .w = between, .factor = 1};
  default:
    return (struct shk_form){
        .u = between, .w = between, .factor = R(0.5), .level = joint->length * joint->length / 2};
  }
}

static int count_rows(const struct shk_joint *joint)
{
  int count = joint->coupling.drives;
  for (const char *code = joint->codes; *code; code = next_code(code))
    count++;
  return count;
}

int shk_joints_count(const struct shk_mechanism *s)
{
  int count = 0;
  for (int i = 0; i < s->joint_count; i++)
    count += count_rows(&s->joints[i]);
  return count;
}

/* Let i, j, k be the rotation axes, σ the sign of their permutation, and R = R_i(θ_1) R_j(θ_2)
 * R_k(θ_3). Without the third rotation,
 *
 *     a_j·b_j = cos θ_1,   a_k·b_j = σ sin θ_1,   a_i·b_i = cos θ_2,   a_i·b_k = σ sin θ_2,
 *
 * and with the third rotation, a_k·b_k = cos θ_1 cos θ_2, a_j·b_k = -σ sin θ_1 cos θ_2, a_i·b_k = σ
 * sin θ_2, a_i·b_i = cos θ_2 cos θ_3 and a_i·b_j = -σ cos θ_2 sin θ_3. */
enum shk_scalar_kind shk_joint_forms(struct shk_form *forms, const struct shk_mechanism *s,
                                     const struct shk_joint *joint, int coordinate)
{
  const struct shk_end *const a = &joint->ends[0], *const b = &joint->ends[1];
  const char *const motion = shk_joint_motions(s, joint) + 2 * coordinate;
  if (motion[0] == 't') {
    forms[0] = (struct shk_form){
        .u = a->axis[motion[1] - '1'], .w = shk_mark_difference(&b->place, &a->place), .factor = 1};
    shk_form_close(&forms[0]);
    return SHK_SHIFT;
  }
  const char *const turn = strchr(shk_joint_motions(s, joint), 'r');
  const int count = (turn[2] == 'r') + (turn[2] == 'r' && turn[4] == 'r') + 1,
            which = (int)(motion - turn) / 2;
  const int i = turn[1] - '1', j = count > 1 ? turn[3] - '1' : (i + 1) % 3, k = 3 - i - j;
  const real sign = (j - i + 3) % 3 == 1 ? 1 : -1; /* σ */
  /* The axes of a and b, given as positions in (i, j, k), first for the cosine and then for the
   * sine. */
  static const int pairs[2][3][4] = {{{1, 1, 2, 1}, {0, 0, 0, 2}},
                                     {{2, 2, 1, 2}, {0, 2, 0, 2}, {0, 0, 0, 1}}};
  const int axes[] = {i, j, k}, *const pair = pairs[count == 3][which];
  const bool is_tilt = count == 3 && which == 1;
  for (int n = 0; n < 2 - is_tilt; n++) {
    forms[n] = (struct shk_form){
        .u = a->axis[axes[pair[2 * n]]], .w = b->axis[axes[pair[2 * n + 1]]], .factor = 1};
    if (n == 1 || is_tilt)
      forms[n].factor = count == 3 && !is_tilt ? -sign : sign;
    shk_form_close(&forms[n]);
  }
  return is_tilt ? SHK_TILT : SHK_TWIST;
}

static void set_ends(const struct shk_mechanism *s, struct shk_joint *joint)
{
  for (int side = 0; side < 2; side++) {
    const struct shk_frame *const frame = &joint->frames[side];
    joint->ends[side].place = shk_mark_of(s, joint->bodies[side], frame->place, true);
    for (int k = 0; k < 3; k++) {
      const real axis[3] = {frame->axes[k], frame->axes[3 + k], frame->axes[6 + k]};
      joint->ends[side].axis[k] = shk_mark_of(s, joint->bodies[side], axis, false);
    }
  }
}

/* ---- planar loops ---- */

/* Returns the largest coordinate of any joint point at s->q. */
static real joints_size(const struct shk_mechanism *s)
{
  real place[3], size = 0;
  for (int i = 0; i < s->joint_count; i++)
    for (int side = 0; side < 2; side++) {
      shk_mark_value(place, &s->joints[i].ends[side].place, s->q);
      size = real_max(size, real_max_norm(place, 3));
    }
  return size;
}

/* Axes are considered parallel or perpendicular if they deviate by less than this. */
#define PARALLEL R(1e-12)

/* Returns true if a revolute or prismatic joint restricts its bodies to planes normal to n, and is
 * itself in such a plane. */
static bool keeps_plane(const struct shk_mechanism *s, const struct shk_joint *joint, const real *n,
                        real size)
{
  const bool turns = strcmp(joint->type->name, "revolute") == 0;
  real place[2][3], axis[3], off[3];
  bool keeps = turns || strcmp(joint->type->name, "prismatic") == 0;
  for (int side = 0; side < 2; side++) {
    shk_mark_value(place[side], &joint->ends[side].place, s->q);
    shk_mark_value(axis, &joint->ends[side].axis[2], s->q);
    shk_cross(off, axis, n);
    keeps = keeps && (turns ? real_max_norm(off, 3) : real_fabs(real_dot(axis, n, 3))) < PARALLEL;
  }
  shk_vector_add(place[1], -1, place[0], 3);
  return keeps && real_fabs(real_dot(place[1], n, 3)) <= PARALLEL * size;
}

void shk_joints_keep_rows(struct shk_mechanism *s)
{
  for (int i = 0; i < s->joint_count; i++) {
    struct shk_joint *const joint = &s->joints[i];
    set_ends(s, joint);
    joint->codes = joint->motions[0] ? joint->serial_codes : joint->type->rows[s->dimension == 2];
  }
}

/* Leaves out redundant rows of the hinges that close loops in planes normal to n. Slides are
 * processed first because only hinges have rows that can be left out. As a result, each loop is
 * closed by a hinge, regardless of where the hinge appears in the file. */
static void leave_out_across(struct shk_mechanism *s, const real *n, real size)
{
  static const char *const in_plane[] = {"p2p3", "p1p3", "p1p2"};
  int groups[SHK_MECHANISM_BODIES + 1], most = 0; /* here, the ground counts as a body */
  for (int j = 0; j < 3; j++)
    most = real_fabs(n[j]) > real_fabs(n[most]) ? j : most;
  for (int i = 0; i < s->body_count; i++)
    groups[i] = i;
  for (int turn = 0; turn < 2 * s->joint_count; turn++) {
    struct shk_joint *const joint = &s->joints[turn % s->joint_count];
    const int a = groups[joint->bodies[0]], b = groups[joint->bodies[1]];
    const bool hinge = joint->type->rows[0][0] == 'p';
    if (hinge != turn / s->joint_count || !keeps_plane(s, joint, n, size))
      continue;
    if (a == b && hinge)
      joint->codes = in_plane[most];
    for (int k = 0; k < s->body_count; k++)
      groups[k] = groups[k] == b ? a : groups[k];
  }
  /* If the planes move with the bodies, use the first body's axes. */
  for (int i = 0; i < s->joint_count; i++)
    if (s->joints[i].codes == in_plane[most] && groups[s->joints[i].bodies[0]] != groups[0] &&
        keeps_plane(s, &s->joints[i], n, size))
      s->joints[i].codes = "a1a2";
}

void shk_joints_leave_out(struct shk_mechanism *s)
{
  const real size = joints_size(s);
  for (int i = 0; i < s->joint_count; i++) {
    real n[3];
    bool is_new = strcmp(s->joints[i].type->name, "revolute") == 0;
    shk_mark_value(n, &s->joints[i].ends[0].axis[2], s->q);
    for (int k = 0; k < i && is_new; k++) {
      real other[3], off[3];
      shk_mark_value(other, &s->joints[k].ends[0].axis[2], s->q);
      shk_cross(off, other, n);
      is_new =
          strcmp(s->joints[k].type->name, "revolute") != 0 || real_max_norm(off, 3) >= PARALLEL;
    }
    if (is_new)
      leave_out_across(s, n, size);
  }
}

/* If the file does not specify a distance, sets it to its value in the initial state. */
static void set_length(const struct shk_mechanism *s, struct shk_joint *joint)
{
  real x[3], y[3];
  shk_mark_value(x, &joint->ends[0].place, s->q);
  shk_mark_value(y, &joint->ends[1].place, s->q);
  if (joint->length == 0)
    joint->length = shk_distance(x, y, 3);
}

const char *shk_joint_rows(const struct shk_mechanism *s, struct shk_joint *joint,
                           struct shk_form *rows, int *body)
{
  const char *const codes = joint->codes;
  set_length(s, joint);
  joint->rows = count_rows(joint);
  if (codes[0] == 'd' && joint->length == 0)
    return "keeps a distance of 0, expected a positive distance; use a spherical joint to join "
           "points";
  const struct shk_mark *const a = joint->ends[0].axis, *const b = joint->ends[1].axis;
  const bool swapped = a[2].lacks || b[0].lacks || b[1].lacks;
  for (const char *code = codes; *code && code[0] != 'g'; code = next_code(code), rows++) {
    const bool parallel = strncmp(code, "o3", 2) == 0 && strstr(codes, "o32");
    *rows = row_of(joint, code, swapped && parallel);
    if (rows->u.lacks || rows->w.lacks) {
      const bool axis = (code[0] == 'o' || code[0] == 'a') && rows->u.lacks;
      const bool place = code[0] != 'o' && joint->ends[0].place.lacks;
      *body = joint->bodies[axis || place ? 0 : 1];
      return "needs a direction that the thin body lacks; give the body a thickness or a pivot";
    }
    shk_form_close(rows);
  }
  *body = joint->bodies[1];
  return joint->coupling.powers[0] > 0 ? shk_coupling_row(rows, s, joint) : NULL;
}

void shk_joint_gap(real *gap, const struct shk_mechanism *s, const struct shk_joint *joint)
{
  const char *code = joint->codes, *const motions = shk_joint_motions(s, joint);
  gap[0] = gap[1] = 0;
  for (int i = 0; i < joint->rows; i++) {
    const real g = real_fabs(shk_row_value(&s->rows[joint->first_row + i], 0, s->q));
    if (*code == 'd')
      gap[0] = g / joint->length;
    else if (*code == 'p' || *code == 'a')
      gap[0] = real_sqrt(gap[0] * gap[0] + g * g);
    else if (*code == 'o' || !motions || motions[0] == 'r')
      gap[1] = real_max(gap[1], g);
    else
      gap[0] = real_max(gap[0], g);
    code = *code ? next_code(code) : code;
  }
}

void shk_mechanism_gap(struct shk_gap *gap, const struct shk_mechanism *s)
{
  real most = -1;
  *gap = (struct shk_gap){.size = joints_size(s)};
  for (int i = 0; i < s->joint_count; i++) {
    real open[2];
    shk_joint_gap(open, s, &s->joints[i]);
    const real relative = real_max(gap->size > 0 ? open[0] / gap->size : open[0], open[1]);
    if (relative > most) {
      most = relative;
      gap->joint = i;
      gap->length = open[0];
      gap->angle = open[1];
    }
  }
}

/* Stores an axis of a frame. If a thin body lacks the axis, computes it from the other two axes.
 * Returns false if one of those is missing too. */
static bool find_axis(real *out, const struct shk_mechanism *s, const struct shk_end *end, int k)
{
  const struct shk_mark *const next = &end->axis[(k + 1) % 3], *const last =
                                                                   &end->axis[(k + 2) % 3];
  real a[3], b[3];
  if (!end->axis[k].lacks) {
    shk_mark_value(out, &end->axis[k], s->q);
    return true;
  }
  shk_mark_value(a, next, s->q);
  shk_mark_value(b, last, s->q);
  shk_cross(out, a, b);
  return !next->lacks && !last->lacks;
}

int shk_joint_reversed(real *cosine, const struct shk_mechanism *s, const struct shk_joint *joint)
{
  /* number of orientation rows, and the axis index in the last such row */
  int turns = 0, first = 0;
  for (const char *code = joint->codes; *code; code = next_code(code))
    if (*code == 'o') {
      first = code[1] - '1';
      turns++;
    }
  for (int k = 0; k < 3; k++) {
    const bool kept =
        s->dimension == 2 ? turns == 1 && k == 0 : turns == 3 || (turns == 2 && k == first);
    real a[3], b[3];
    if (!kept || !find_axis(a, s, &joint->ends[0], k) || !find_axis(b, s, &joint->ends[1], k))
      continue;
    *cosine = real_dot(a, b, 3);
    if (*cosine < R(0.5))
      return k + 1;
  }
  return 0;
}
