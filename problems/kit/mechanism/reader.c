/* Reads mechanisms written in YAML (docs/guides/mechanisms.md). All digits in the file are used in
 * every precision. Error messages give the file, the line, what was found and what was expected. */
#include "problems/kit/mechanism/reader.h"

#include "foundation/files/file.h"
#include "foundation/memory.h"
#include "foundation/nearest.h"
#include "foundation/specifications/spec.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

/* Reads an angular velocity, which is a single number in the plane. */
static bool read_rate(const struct shk_yaml *yaml, struct fy_node *value, void *field)
{
  return shk_reader_of(yaml)->s->dimension == 2
             ? shk_read_real(yaml, value, (real *)field + 2, shk_any_number)
             : shk_read_space_vector(yaml, value, field);
}

static bool read_name(const struct shk_yaml *yaml, struct fy_node *value, void *field)
{
  char *const text = shk_yaml_text(yaml, value, "a name");
  char *const kept = text ? shk_memory(shk_reader_of(yaml)->workspace, strlen(text) + 1) : NULL;
  bool ok = kept != NULL;
  if (ok && strchr(text, '.'))
    ok = shk_yaml_fail(yaml, value, "found \"%s\", expected a name without '.'", text);
  if (kept)
    strcpy(kept, text);
  *(const char **)field = kept;
  free(text);
  return ok;
}

/* If this name is one of the `count` earlier names, reports an error and returns false. */
static bool is_new(const struct shk_yaml *yaml, struct fy_node *value, const char *name,
                   const void *names, size_t stride, int count)
{
  return shk_name_index(name, names, stride, count) < 0 ||
         shk_yaml_fail(yaml, value, "found the name \"%s\" a second time", name);
}

#define BODY(key, must, member, reader, ...)                                                       \
  SHK_YAML_FIELD(key, must, struct shk_body, member, reader, __VA_ARGS__)
#define JOINT(key, must, member, reader, ...)                                                      \
  SHK_YAML_FIELD(key, must, struct shk_joint, member, reader, __VA_ARGS__)
static const real identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* ---- frames ---- */

static bool read_frame(const struct shk_yaml *yaml, struct fy_node *item, void *context)
{
  struct shk_reader *const r = shk_reader_of(yaml);
#define FRAME(key, must, member, how)                                                              \
  SHK_YAML_FIELD(key, must, struct shk_reader, member, how, "a name")
  static const struct shk_yaml_key keys[] = {
      FRAME("name", true, frame.name, read_name),
      FRAME("position", false, frame.frame.place, shk_read_space_vector),
      FRAME("orientation", false, frame.frame.axes, shk_read_rotation),
      {.name = "axis", .read = shk_read_direction},
      {.name = "across", .read = shk_read_direction}};
  r->frame = (struct shk_named_frame){.body = (int)(r->body - r->s->bodies)};
  shk_copy(r->frame.frame.axes, identity, 9);
  if (r->frame_count == SHK_MECHANISM_FRAMES)
    return shk_yaml_fail(yaml, item, "found more than %d frames", SHK_MECHANISM_FRAMES);
  if (!shk_yaml_mapping(yaml, item, NULL, "a frame: name, position, …", SHK_YAML_KEYS(keys), r) ||
      !shk_reader_axes(r, yaml, item, r->frame.frame.axes))
    return false;
  for (int i = 0; i < r->frame_count; i++)
    if (r->frames[i].body == r->frame.body && strcmp(r->frames[i].name, r->frame.name) == 0)
      return shk_yaml_fail(yaml, item, "found the name \"%s\" a second time", r->frame.name);
  SHK_APPEND(r->frames, r->frame_count)[0] = r->frame;
  return true;
}

/* ---- bodies ---- */

static bool read_size(const struct shk_yaml *yaml, const char *key, struct fy_node *key_node,
                      struct fy_node *value, void *context)
{
  struct shk_reader *const r = shk_reader_of(yaml);
  struct shk_body *const body = context;
  const int at = shk_name_index(key, shk_shapes, sizeof *shk_shapes, shk_shape_count);
  real size[3] = {0}, volume;
  if (at < 0)
    return shk_yaml_fail_name(yaml, key_node, "shape", shk_shapes, sizeof *shk_shapes,
                              shk_shape_count);
  if (r->shapes++ > 0)
    return shk_yaml_fail(yaml, key_node, "found a second shape, \"%s\", expected one", key);
  const struct shk_shape *const shape = &shk_shapes[at];
  const int count = shk_yaml_items(yaml, value, "its sizes", true);
  if (count != shape->sizes)
    return count > 0 && shk_yaml_fail(yaml, value, "found %d size%s for a %s, expected %d", count,
                                      count == 1 ? "" : "s", key, shape->sizes);
  for (int i = 0; i < count; i++)
    if (!shk_read_real(yaml, shk_yaml_item(value, i), &size[i], shk_positive))
      return false;
  shape->fill(body->second, &volume, size);
  if (body->density > 0 && volume == 0)
    return shk_yaml_fail(yaml, value, "found a density for a thin %s, expected its mass", key);
  if (body->density > 0)
    body->mass = body->density * volume;
  return true;
}

static bool read_shape(const struct shk_yaml *yaml, struct fy_node *value, void *context)
{
  struct shk_reader *const r = shk_reader_of(yaml);
  r->shapes = 0;
  if (!shk_yaml_pairs(yaml, value, "a shape, such as {box: [1, 0.1, 0.1]}", read_size, r->body))
    return false;
  return r->shapes == 1 || shk_yaml_fail(yaml, value, "found no shape, expected one");
}

static bool read_moments(const struct shk_yaml *yaml, struct fy_node *value, void *field)
{
  struct shk_reader *const r = shk_reader_of(yaml);
  r->body->has_moments = true;
  return r->s->dimension == 2 ? shk_read_real(yaml, value, field, shk_positive)
                              : shk_read_reals(yaml, value, field, 3, "three principal moments");
}

/* Checks a body and computes its inertia. */
static bool settle_reader(const struct shk_yaml *yaml, struct fy_node *item, struct shk_body *body)
{
  const int dimension = shk_reader_of(yaml)->s->dimension;
  for (int k = 0; k < 3; k++) {
    body->second[k] *= body->mass;
    if (body->moments[k] < 0)
      return shk_yaml_fail(yaml, item, "found a negative moment of inertia");
  }
  const bool shaped = shk_yaml_value(item, "shape") != NULL;
  if (shaped == body->has_moments)
    return shk_yaml_fail(yaml, item, "found %s, expected either moments or a shape",
                         shaped ? "both" : "neither");
  if (body->density > 0 && shk_yaml_value(item, "mass"))
    return shk_yaml_fail(yaml, item, "found both mass and density, expected only one of them");
  if (body->density > 0 && !shaped)
    return shk_yaml_fail(yaml, item, "found a density without a shape, expected its mass");
  if (body->mass == 0)
    return shk_yaml_fail(yaml, item,
                         "the key \"mass\" is missing (or else a density with a shape)");
  const char *const reason = shk_body_settle(body, dimension);
  return !reason || shk_yaml_fail(yaml, item, "\"%s\": %s", body->name, reason);
}

static bool read_body(const struct shk_yaml *yaml, struct fy_node *item, void *context)
{
  struct shk_reader *const r = shk_reader_of(yaml);
  static const struct shk_yaml_key keys[] = {
      BODY("name", true, name, read_name, "a name"),
      BODY("mass", false, mass, shk_read_number, shk_positive),
      BODY("density", false, density, shk_read_number, shk_positive),
      BODY("moments", false, moments, read_moments, shk_positive),
      {.name = "shape", .read = read_shape},
      BODY("centre", false, centre, shk_read_space_vector, ""),
      BODY("axes", false, principal.axes, shk_read_rotation, ""),
      BODY("pivot", false, pivot, shk_read_space_vector, ""),
      BODY("position", false, pose.place, shk_read_space_vector, ""),
      BODY("orientation", false, pose.axes, shk_read_rotation, ""),
      BODY("velocity", false, velocity, shk_read_space_vector, ""),
      BODY("rate", false, rate, read_rate, ""),
      {.name = "frames", .read = shk_yaml_into_list, .expected = "frames", .item = read_frame}};
  struct shk_mechanism *const s = r->s;
  struct shk_body *const body = r->body = &s->bodies[s->body_count];
  body->line = shk_yaml_line(item);
  body->is_posed = shk_yaml_value(item, "position") || shk_yaml_value(item, "orientation");
  body->is_pivoted = shk_yaml_value(item, "pivot");
  shk_copy(body->pose.axes, identity, 9);
  shk_copy(body->principal.axes, identity, 9);
  s->body_count++;
  return shk_yaml_mapping(yaml, item, NULL, "a body: name, mass, moments, …", SHK_YAML_KEYS(keys),
                          body) &&
         is_new(yaml, item, body->name, s->bodies, sizeof *s->bodies, s->body_count - 1) &&
         settle_reader(yaml, item, body);
}

/* Reads a list of structs into newly allocated memory at `list`. If `first` is not NULL, the list
 * begins with a copy of *first. */
static bool read_list(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                      void *list, const void *first, size_t size, int limit, shk_yaml_reader *item)
{
  const int count = shk_yaml_items(yaml, value, expected, false);
  if (count > limit)
    return shk_yaml_fail(yaml, value, "found %d items, expected at most %d", count, limit);
  void *const memory = shk_memory(shk_reader_of(yaml)->workspace, (size_t)(count + 1) * size);
  if (!memory)
    return shk_yaml_fail(yaml, value, "no memory");
  if (first)
    memcpy(memory, first, size);
  *(void **)list = memory;
  return count > 0 && shk_yaml_sequence(yaml, value, expected, false, item, NULL);
}

static bool read_bodies(const struct shk_yaml *yaml, struct fy_node *value, void *context)
{
  struct shk_mechanism *const s = context;
  return read_list(yaml, value, "a list of bodies", &s->bodies, s->bodies, sizeof *s->bodies,
                   SHK_MECHANISM_BODIES, read_body);
}

/* ---- joints and springs ---- */

/* Reads one of a gear's two joints. The joint's second frame then becomes an end of the gear. */
static bool read_wheel(const struct shk_yaml *yaml, struct fy_node *node, const char *name)
{
  struct shk_reader *const r = shk_reader_of(yaml);
  const struct shk_joint *const all = r->s->joints;
  int *const joints = r->joint->coupling.joints;
  const int at = shk_name_index(name, all, sizeof *all, r->s->joint_count), side = r->side++;
  if (at < 0)
    return shk_yaml_fail_name(yaml, node, "joint above", all, sizeof *all, r->s->joint_count);
  joints[side] = at;
  r->bodies[side] = all[at].bodies[1];
  r->ends[side] = all[at].frames[1];
  const char *const type = all[at].type->name;
  return ((strcmp(type, "revolute") == 0 || strcmp(type, "prismatic") == 0) &&
          all[at].type == all[joints[0]].type && all[at].bodies[0] == all[joints[0]].bodies[0]) ||
         shk_yaml_fail(yaml, node,
                       "found the %s joint \"%s\" from \"%s\", expected two revolute or two "
                       "prismatic joints with the same carrier",
                       type, name, r->s->bodies[all[at].bodies[0]].name);
}

/* Reads an end of a joint or spring. An end is either a body or a frame on a body, written as
 * body.frame. */
static bool read_end(const struct shk_yaml *yaml, struct fy_node *node, void *context)
{
  struct shk_reader *const r = shk_reader_of(yaml);
  const struct shk_mechanism *const s = r->s;
  char *const text = shk_yaml_text(yaml, node, "a body, or a frame on it as body.frame");
  char *const point = text ? strchr(text, '.') : NULL;
  if (!text || r->side == 2) {
    free(text);
    return text && shk_yaml_fail(yaml, node, "found a third end, expected two");
  }
  if (r->joint && strcmp(r->joint->type->name, "gear") == 0) {
    const bool ok = read_wheel(yaml, node, text);
    free(text);
    return ok;
  }
  if (point)
    *point = '\0';
  const int body = shk_name_index(text, s->bodies, sizeof *s->bodies, s->body_count);
  const int side = r->side++;
  bool found = body >= 0 && !point;
  if (body < 0)
    shk_yaml_fail_name(yaml, node, "body", s->bodies, sizeof *s->bodies, s->body_count);
  r->bodies[side] = body;
  shk_fill(r->ends[side].place, 0, 3);
  shk_copy(r->ends[side].axes, identity, 9);
  for (int i = 0; body >= 0 && point && i < r->frame_count; i++)
    if (r->frames[i].body == body && strcmp(r->frames[i].name, point + 1) == 0) {
      r->ends[side] = r->frames[i].frame;
      r->framed = found = true;
    }
  if (body >= 0 && !found)
    shk_yaml_fail(yaml, node, "found the frame \"%s\", which the body \"%s\" does not have",
                  point + 1, text);
  free(text);
  return found;
}

static bool read_between(const struct shk_yaml *yaml, struct fy_node *value, void *field)
{
  struct shk_reader *const r = shk_reader_of(yaml);
  r->bodies = field;
  r->side = 0;
  r->framed = false;
  if (!shk_yaml_sequence(yaml, value, "two ends, [a, b]", false, read_end, NULL))
    return false;
  if (r->side < 2)
    return shk_yaml_fail(yaml, value, "found one end, expected two");
  return r->bodies[0] != r->bodies[1] ||
         shk_yaml_fail(yaml, value, "found both ends on \"%s\"", r->s->bodies[r->bodies[0]].name);
}

static bool read_type(const struct shk_yaml *yaml, struct fy_node *value, void *field)
{
  const int flat = shk_reader_of(yaml)->s->dimension == 2, count = shk_joint_type_count;
  const struct shk_joint_type *const types = shk_joint_types;
  char *const name = shk_yaml_text(yaml, value, "a type of joint");
  const int at = name ? shk_name_index(name, types, sizeof *types, count) : -1;
  const bool ok = at >= 0 && types[at].rows[flat];
  if (ok)
    *(const struct shk_joint_type **)field = &types[at];
  else if (at >= 0)
    shk_yaml_fail(yaml, value, "found \"%s\"%s", name,
                  types[at].rows[0] ? " in the plane, which has no such joint" : types[at].meaning);
  else if (name)
    shk_yaml_fail_name(yaml, value, "joint", types, sizeof *types, count);
  free(name);
  return ok;
}

static bool read_at(const struct shk_yaml *yaml, struct fy_node *value, void *field)
{
  struct shk_reader *const r = shk_reader_of(yaml);
  r->joint->in_space = true;
  if (strcmp(r->joint->type->name, "gear") == 0)
    return shk_yaml_fail(yaml, value, "found `at` for a gear, which connects two joints");
  if (r->framed)
    return shk_yaml_fail(yaml, value, "found both `at` and frames, expected only one of them");
  return shk_read_space_vector(yaml, value, r->ends[0].place);
}

/* Reads one number for each coordinate of a joint. */
static bool read_coordinates(const struct shk_yaml *yaml, struct fy_node *value, void *field)
{
  const struct shk_reader *const r = shk_reader_of(yaml);
  const char *const motions = shk_joint_motions(r->s, r->joint);
  const int expected = motions ? (int)strlen(motions) / 2 : 0;
  struct shk_coordinates *const out = field;
  out->count = shk_yaml_items(yaml, value, "the joint's coordinates", true);
  if (out->count > 0 && out->count != expected)
    return shk_yaml_fail(yaml, value, "found %d coordinate%s, expected %d for a %s joint",
                         out->count, out->count == 1 ? "" : "s", expected, r->joint->type->name);
  for (int i = 0; i < out->count; i++)
    if (!shk_read_real(yaml, shk_yaml_item(value, i), &out->at[i],
                       motions[2 * i] == 'r' ? shk_any_angle : shk_any_number))
      return false;
  return out->count > 0;
}

/* Reads one number for each coordinate of a joint into the joint's laws. A joint without
 * coordinates can have one number here, which is rejected later. */
static bool read_law(const struct shk_yaml *yaml, struct fy_node *value, void *field)
{
  const struct shk_reader *const r = shk_reader_of(yaml);
  const char *const motions = shk_joint_motions(r->s, r->joint);
  const int expected = motions && motions[0] ? (int)strlen(motions) / 2 : 1;
  const int count = shk_yaml_items(yaml, value, "a number for each coordinate", true);
  if (count > 0 && count != expected)
    return shk_yaml_fail(yaml, value, "found %d number%s, expected %d for a %s joint", count,
                         count == 1 ? "" : "s", expected, r->joint->type->name);
  shk_reader_of(yaml)->s->coupled |= count > 1;
  for (int i = 0; i < count; i++)
    if (!shk_read_number(yaml, shk_yaml_item(value, i),
                         (char *)field + (size_t)i * sizeof *r->joint->laws))
      return false;
  return count > 0;
}

static bool read_motions(const struct shk_yaml *yaml, struct fy_node *value, void *field)
{
  struct shk_joint *const joint = shk_reader_of(yaml)->joint;
  char motions[2 * SHK_MOTIONS + 1] = "";
  const int count = shk_yaml_items(yaml, value, "coordinates, as [t1, r3]", true);
  bool ok = count > 0 && count <= SHK_MOTIONS;
  for (int i = 0; i < count && ok; i++) {
    char *const word = shk_yaml_scalar(shk_yaml_item(value, i));
    ok = word && strlen(word) == 2;
    if (ok)
      strcat(motions, word);
    free(word);
  }
  if (strcmp(joint->type->name, "serial") != 0)
    return shk_yaml_fail(yaml, value, "found motions for a %s joint, whose type determines them",
                         joint->type->name);
  shk_reader_of(yaml)->s->coupled = true;
  return (ok && shk_joint_set_motions(joint, motions)) ||
         (count > 0 && shk_yaml_fail(yaml, value,
                                     "found motions other than displacements t1, t2, t3 followed "
                                     "by turns r1, r2, r3, each at most once"));
}

/* Reads the numbers k and l. */
static bool read_ratio(const struct shk_yaml *yaml, struct fy_node *value, void *field)
{
  int *const powers = field;
  real ratio[2];
  if (!shk_read_reals(yaml, value, ratio, 2, "a ratio [k, l]"))
    return false;
  shk_reader_of(yaml)->s->coupled = true;
  for (int i = 0; i < 2; i++)
    powers[i] = ratio[i] <= 9 ? (int)ratio[i] : 0;
  return (powers[0] > 0 && powers[1] > 0 && powers[0] == ratio[0] && powers[1] == ratio[1]) ||
         shk_yaml_fail(yaml, value,
                       "found the ratio %.4g : %.4g, expected whole numbers from 1 to 9",
                       (double)ratio[0], (double)ratio[1]);
}

static bool read_drive(const struct shk_yaml *yaml, struct fy_node *value, void *field)
{
#define DRIVE(key)                                                                                 \
  SHK_YAML_FIELD(#key, false, struct shk_coupling, key, shk_read_number, shk_any_angle)
  static const struct shk_yaml_key keys[] = {DRIVE(offset),       DRIVE(rate),
                                             DRIVE(acceleration), DRIVE(amplitude),
                                             DRIVE(frequency),    DRIVE(phase)};
  struct shk_reader *const r = shk_reader_of(yaml);
  struct shk_coupling *const drive = field;
  struct shk_joint *const joint = r->joint;
  const char *const motions = joint->type->motions[r->s->dimension == 2];
  real f[3];
  if (!motions || strlen(motions) != 2)
    return shk_yaml_fail(yaml, value,
                         "found a drive for a %s joint, expected a joint with one coordinate",
                         joint->type->name);
  if (joint->start.count + joint->rate.count > 0)
    return shk_yaml_fail(
        yaml, value, "found a drive together with a start or rate, which the drive sets itself");
  if (!shk_yaml_mapping(yaml, value, NULL, "a drive: offset, rate, amplitude, …",
                        SHK_YAML_KEYS(keys), drive))
    return false;
  shk_drive_value(f, drive, 0);
  r->s->coupled = r->s->driven = drive->drives = true;
  drive->powers[0] = 1;
  joint->start = (struct shk_coordinates){{f[0]}, !joint->in_space || f[0] != 0};
  joint->rate.at[0] = f[1];
  return true;
}

static bool read_joint(const struct shk_yaml *yaml, struct fy_node *item, void *context)
{
  struct shk_reader *const r = shk_reader_of(yaml);
  static const struct shk_yaml_key keys[] = {
      JOINT("name", true, name, read_name, "a name"),
      JOINT("type", true, type, read_type, "a type"),
      {.name = "motions", .read = read_motions},
      JOINT("between", true, bodies, read_between, "two ends"),
      JOINT("at", false, frames, read_at, "a point"),
      {.name = "axis", .read = shk_read_direction},
      {.name = "across", .read = shk_read_direction},
      JOINT("start", false, start, read_coordinates, ""),
      JOINT("rate", false, rate, read_coordinates, ""),
      JOINT("length", false, length, shk_read_number, shk_positive),
      JOINT("stiffness", false, laws[0].stiffness, read_law, shk_not_negative),
      JOINT("rest", false, laws[0].rest, read_law, shk_any_angle),
      JOINT("damping", false, laws[0].damping, read_law, shk_not_negative),
      JOINT("load", false, laws[0].load, read_law, shk_any_number),
      JOINT("ratio", false, coupling.powers, read_ratio, ""),
      JOINT("drive", false, coupling, read_drive, "")};
  struct shk_mechanism *const s = r->s;
  struct shk_joint *const joint = r->joint = &s->joints[s->joint_count];
  joint->line = shk_yaml_line(item);
  if (!shk_yaml_mapping(yaml, item, NULL, "a joint: name, type, between, …", SHK_YAML_KEYS(keys),
                        joint) ||
      !is_new(yaml, item, joint->name, s->joints, sizeof *s->joints, s->joint_count++))
    return false;
  if ((r->has_axis || r->has_across) && !joint->in_space)
    return shk_yaml_fail(yaml, item, "found an axis without `at`: frames have their own axes");
  if (shk_yaml_value(item, "rest") && !shk_yaml_value(item, "stiffness"))
    return shk_yaml_fail(yaml, item, "found the rest position of a spring without its stiffness");
  if (strcmp(joint->type->name, "serial") == 0 && !joint->motions[0])
    return shk_yaml_fail(yaml, item, "the key \"motions\" of a serial joint is missing");
  if (joint->length > 0 && joint->type->rows[0][0] != 'd')
    return shk_yaml_fail(yaml, item, "found a length for a %s joint", joint->type->name);
  if ((joint->type->rows[0][0] == 'g') != (joint->coupling.powers[1] > 0))
    return shk_yaml_fail(yaml, item,
                         "found a %s joint %s a ratio: gears need one, and other joints have none",
                         joint->type->name, joint->coupling.powers[1] > 0 ? "with" : "without");
  if (!shk_reader_axes(r, yaml, item, r->ends[0].axes))
    return false;
  joint->frames[0] = r->ends[0];
  joint->frames[1] = joint->in_space ? r->ends[0] : r->ends[1];
  return true;
}

static bool read_joints(const struct shk_yaml *yaml, struct fy_node *value, void *context)
{
  struct shk_mechanism *const s = context;
  return read_list(yaml, value, "a list of joints", &s->joints, NULL, sizeof *s->joints,
                   SHK_MECHANISM_JOINTS, read_joint);
}

static bool read_spring(const struct shk_yaml *yaml, struct fy_node *item, void *context)
{
  struct shk_reader *const r = shk_reader_of(yaml);
#define LINK(key, must, member, reader, expected)                                                  \
  SHK_YAML_FIELD(key, must, struct shk_link_of_bodies, member, reader, expected)
  static const struct shk_yaml_key keys[] = {
      LINK("between", true, bodies, read_between, "two ends"),
      LINK("stiffness", true, law.stiffness, shk_read_number, shk_not_negative),
      LINK("length", true, law.rest, shk_read_number, shk_not_negative),
      LINK("damping", false, law.damping, shk_read_number, shk_not_negative)};
  struct shk_link_of_bodies *const link = &r->s->links[r->s->link_count++];
  r->joint = NULL;
  link->line = shk_yaml_line(item);
  if (!shk_yaml_mapping(yaml, item, NULL, "a spring: between, stiffness, length",
                        SHK_YAML_KEYS(keys), link))
    return false;
  memcpy(link->frames, r->ends, sizeof r->ends);
  return true;
}

static bool read_springs(const struct shk_yaml *yaml, struct fy_node *value, void *context)
{
  struct shk_mechanism *const s = context;
  return read_list(yaml, value, "a list of springs", &s->links, NULL, sizeof *s->links,
                   SHK_MECHANISM_JOINTS, read_spring);
}

/* ---- the file ---- */

static bool read_dimension(const struct shk_yaml *yaml, struct fy_node *value, void *field)
{
  char *const text = shk_yaml_scalar(value);
  const bool ok = text && (strcmp(text, "2") == 0 || strcmp(text, "3") == 0);
  if (ok)
    *(int *)field = text[0] - '0';
  free(text);
  return ok || shk_yaml_fail_kind(yaml, value, "2 or 3");
}

#define WHOLE(key, member, reader, expected)                                                       \
  SHK_YAML_FIELD(key, false, struct shk_mechanism, member, reader, expected)

static bool read_reader(struct shk_reader *r, size_t length, struct shk_message *error)
{
  static const struct shk_yaml_key keys[] = {
      WHOLE("dimension", dimension, read_dimension, "2 or 3"),
      WHOLE("gravity", gravity, shk_read_space_vector, "a vector"),
      {.name = "frames", .read = shk_yaml_into_list, .expected = "frames", .item = read_frame},
      {.name = "bodies", .required = true, .read = read_bodies},
      {.name = "joints", .read = read_joints},
      {.name = "springs", .read = read_springs},
      WHOLE("time-scale", time_scale, shk_read_number, shk_positive),
      WHOLE("horizon", horizon, shk_read_number, shk_positive)};
  struct shk_body ground = {.name = "ground", .is_posed = true};
  shk_copy(ground.pose.axes, identity, 9);
  shk_copy(ground.principal.axes, identity, 9);
  r->s->dimension = 3;
  r->body = r->s->bodies = &ground;
  r->s->body_count = 1;
  bool ok = shk_yaml_open(&r->yaml, r->s->path, r->s->text, length, error);
  r->yaml.user = r;
  ok = ok && shk_yaml_mapping(&r->yaml, shk_yaml_root(&r->yaml), NULL,
                              "the keys dimension, gravity, frames, bodies, joints, springs, …",
                              SHK_YAML_KEYS(keys), r->s);
  shk_yaml_close(&r->yaml);
  free(r->frames);
  return ok;
}

struct shk_status shk_mechanism_read(struct shk_mechanism *s, struct shk_instance *instance,
                                     const char *path, const char *text, size_t length)
{
  struct shk_reader r = {.s = s, .workspace = instance->workspace};
  struct shk_message error = {""};
  char *const kept = shk_memory(instance->workspace, length + 1);
  SHK_TRY(shk_allocated(kept));
  s->path = path;
  s->text = memcpy(kept, text, length);
  return read_reader(&r, length, &error)
             ? shk_ok()
             : shk_mechanism_fail(instance, SHK_BAD_INPUT, "%s", error.text);
}

struct shk_status shk_mechanism_read_file(struct shk_mechanism *s, struct shk_instance *instance)
{
  const char *const path = shk_values_text(instance->parameters, "file");
  struct shk_message error = {""};
  size_t length;
  char *const text = shk_folder_read(shk_values_access(instance->parameters).folder, &length, path,
                                     SHK_MECHANISM_FILE_LIMIT, &error);
  const struct shk_status status =
      text ? shk_mechanism_read(s, instance, path, text, length)
           : shk_mechanism_fail(instance, SHK_BAD_INPUT, "%s", error.text);
  free(text);
  return status;
}

struct shk_status shk_mechanism_fail(const struct shk_instance *instance, enum shk_code code,
                                     const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  char *const text = shk_print_arguments(format, arguments);
  va_end(arguments);
  const char *const kept = shk_values_message(instance->parameters, text);
  free(text);
  return shk_failure(code, kept, 0, 0);
}
