/* Values in mechanism files: numbers, vectors, rotations, axes. See reader.h. */
#include "problems/kit/mechanism/reader.h"

#include "mechanics/binding/real_text.h"
#include "problems/kit/rotation.h"

#include <stdlib.h>
#include <string.h>

bool shk_read_real(const struct shk_yaml *yaml, struct fy_node *node, real *out,
                   const char *expected)
{
  char *const text = shk_yaml_number(yaml, node, expected);
  const bool read = text && shk_real_parse(out, text) && (expected != shk_positive || *out > 0);
  const bool ok = read || (text && shk_yaml_fail_kind(yaml, node, expected));
  free(text);
  return ok;
}

bool shk_read_number(const struct shk_yaml *yaml, struct fy_node *value, void *field)
{
  return shk_read_real(yaml, value, field, yaml->key->expected);
}

bool shk_read_reals(const struct shk_yaml *yaml, struct fy_node *node, real *out, int count,
                    const char *expected)
{
  const int found = shk_yaml_items(yaml, node, expected, false);
  if (found != count)
    return found > 0 && shk_yaml_fail(yaml, node, "found %d numbers, expected %s", found, expected);
  for (int i = 0; i < count; i++)
    if (!shk_read_real(yaml, shk_yaml_item(node, i), &out[i], shk_any_number))
      return false;
  return true;
}

bool shk_read_space_vector(const struct shk_yaml *yaml, struct fy_node *value, void *field)
{
  const int dimension = shk_reader_of(yaml)->s->dimension;
  return shk_read_reals(yaml, value, field, dimension,
                        dimension == 2 ? "two, [x, y]" : "three, [x, y, z]");
}

/* Normalizes x, whose length must not be 0. */
static bool into_unit(const struct shk_yaml *yaml, struct fy_node *value, real *x, int count)
{
  real square = 0;
  for (int i = 0; i < count; i++)
    square += x[i] * x[i];
  if (square == 0)
    return shk_yaml_fail(yaml, value, "found only zeros, expected a direction");
  for (int i = 0; i < count; i++)
    x[i] /= real_sqrt(square);
  return true;
}

/* Reads {axis: [x, y, z], angle: …}. */
static bool turn_about(const struct shk_yaml *yaml, struct fy_node *node, real *R)
{
  struct {
    real axis[3], angle;
  } about;
  static const struct shk_yaml_key keys[] = {
      {.name = "axis", .required = true, .read = shk_read_space_vector},
      {.name = "angle",
       .required = true,
       .read = shk_read_number,
       .expected = shk_any_angle,
       .offset = 3 * sizeof(real)}};
  if (!shk_yaml_mapping(yaml, node, NULL, "the keys axis and angle", SHK_YAML_KEYS(keys), &about) ||
      !into_unit(yaml, node, about.axis, 3))
    return false;
  shk_rotation_about(R, about.axis, about.angle);
  return true;
}

/* Reads a quaternion [w, x, y, z] and normalizes it. */
static bool turn_by(const struct shk_yaml *yaml, struct fy_node *node, real *R)
{
  real e[4];
  if (!shk_read_reals(yaml, node, e, 4, "a quaternion [w, x, y, z]") ||
      !into_unit(yaml, node, e, 4))
    return false;
  const real size = shk_distance(NULL, e + 1, 3);
  real axis[3] = {0, 0, 1};
  for (int j = 0; j < 3 && size > 0; j++)
    axis[j] = e[1 + j] / size;
  shk_rotation_about(R, axis, 2 * real_atan2(size, e[0]));
  return true;
}

bool shk_read_rotation(const struct shk_yaml *yaml, struct fy_node *value, void *field)
{
  static const real z[3] = {0, 0, 1};
  real *const R = field, angle;
  if (shk_reader_of(yaml)->s->dimension == 2) {
    if (!shk_read_real(yaml, value, &angle, shk_any_angle))
      return false;
    shk_rotation_about(R, z, angle);
    return true;
  }
  if (shk_yaml_is_mapping(value))
    return turn_about(yaml, value, R);
  if (!shk_yaml_is_mapping(shk_yaml_item(value, 0)))
    return turn_by(yaml, value, R);
  const int count = shk_yaml_items(yaml, value, "a list of rotations", false);
  /* each rotation is about axes that the previous rotations have already turned */
  for (int i = 0; i < count; i++) {
    real next[9], before[9];
    if (!turn_about(yaml, shk_yaml_item(value, i), next))
      return false;
    shk_copy(before, R, 9);
    shk_rotation_multiply(R, i == 0 ? (real[9]){1, 0, 0, 0, 1, 0, 0, 0, 1} : before, next);
  }
  return true;
}

bool shk_read_direction(const struct shk_yaml *yaml, struct fy_node *value, void *field)
{
  struct shk_reader *const r = shk_reader_of(yaml);
  const bool across = strcmp(yaml->key->name, "across") == 0;
  *(across ? &r->has_across : &r->has_axis) = true;
  return shk_read_space_vector(yaml, value, across ? r->across : r->axis) &&
         into_unit(yaml, value, across ? r->across : r->axis, 3);
}

bool shk_reader_axes(struct shk_reader *r, const struct shk_yaml *yaml, struct fy_node *node,
                     real *R)
{
  real e[3][3] = {{0}};
  if (!r->has_axis && !r->has_across)
    return true;
  const bool flat = r->s->dimension == 2;
  if (!r->has_axis)
    r->axis[2] = 1;
  shk_copy(e[flat ? 0 : 2], r->axis, 3);
  if (flat) {
    e[2][2] = 1;
  } else {
    int least = 0;
    for (int j = 1; j < 3; j++)
      least = real_fabs(r->axis[j]) < real_fabs(r->axis[least]) ? j : least;
    if (!r->has_across)
      r->across[least] = 1;
    shk_copy(e[0], r->across, 3);
    shk_vector_add(e[0], -real_dot(r->across, e[2], 3), e[2], 3);
    if (real_max_norm(e[0], 3) < R(1e-6))
      return shk_yaml_fail(yaml, node,
                           "found `across` parallel to `axis`, expected another direction");
    into_unit(yaml, node, e[0], 3);
  }
  shk_cross(e[1], e[2], e[0]);
  for (int k = 0; k < 9; k++)
    R[k] = e[k % 3][k / 3];
  r->has_axis = r->has_across = false;
  shk_fill(r->axis, 0, 3);
  shk_fill(r->across, 0, 3);
  return true;
}
