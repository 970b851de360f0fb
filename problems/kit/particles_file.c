/* Systems of particles written in YAML. See particles_file.h; the format is in
 * docs/systems-from-files.md.
 */
#include "problems/kit/particles_file.h"

#include "foundation/files/folder.h"
#include "foundation/files/yaml.h"
#include "foundation/memory.h"
#include "foundation/nearest.h"
#include "foundation/number.h"
#include "foundation/specifications/spec.h"

#include <stdlib.h>
#include <string.h>

struct reader {
  struct shk_yaml yaml;
  struct shk_particles_file file;     /* as far as it is read */
  struct shk_particles_point *points; /* in the file's order */
  int point_count;
  struct shk_particles_point point; /* being read */
  struct shk_particles_bond bond;   /* being read */
  char **vector;
  int *count; /* numbers of the vector so far */
  int names;  /* of the bond so far */
};

static const char any[] = "a number", positive[] = "a number above 0",
                  not_negative[] = "a number that is not negative",
                  a_vector[] = "a list of numbers, [x, y] or [x, y, z]",
                  two_names[] = "two names, [a, b]";

/* A key whose value is a number, and one that is read with all that is known of the file. */
#define NUMBER(key, must, member, expected)                                                        \
  SHK_YAML_FIELD(key, must, struct reader, member, read_number, expected)
#define KEY(key, must, reader, what)                                                               \
  {                                                                                                \
    .name = key, .required = must, .into = reader, .expected = what                                \
  }

/* ---- numbers ---- */

/* Canonical text of a number of the sign that is expected; NULL after a complaint. */
static char *number_of(const struct shk_yaml *yaml, struct fy_node *value, const char *expected)
{
  char *const text = shk_yaml_text(yaml, value, expected);
  if (!text)
    return NULL;
  char *number = shk_number_canonical(text, false);
  free(text);
  const bool wrong = !number || (expected != any && number[0] == '-') ||
                     (expected == positive && strcmp(number, "0") == 0);
  if (!wrong)
    return number;
  free(number);
  shk_yaml_fail_kind(yaml, value, expected);
  return NULL;
}

/* Into a member that is still empty: keys do not occur twice in one mapping. */
static bool read_number(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                        void *field)
{
  char **const member = field;
  if (*member)
    return shk_yaml_fail(yaml, value, "found the same key a second time");
  *member = number_of(yaml, value, expected);
  return *member;
}

static bool read_component(void *context, struct fy_node *value)
{
  struct reader *const r = context;
  if (*r->count == 3)
    return shk_yaml_fail(&r->yaml, value, "found a fourth number, expected 2 or 3");
  char *const number = number_of(&r->yaml, value, any);
  if (number)
    r->vector[(*r->count)++] = number;
  return number != NULL;
}

static bool take_vector(struct reader *r, const struct shk_yaml *yaml, struct fy_node *value,
                        const char *expected, char **vector, int *count)
{
  if (vector[0])
    return shk_yaml_fail(yaml, value, "found the same key a second time");
  *count = 0;
  r->vector = vector;
  r->count = count;
  if (!shk_yaml_sequence(yaml, value, expected, false, read_component, r))
    return false;
  return *count >= 2 || shk_yaml_fail(yaml, value, "found %d number, expected 2 or 3", *count);
}

/* A vector of as many numbers as the first position has. */
static bool take_dimension(struct reader *r, const struct shk_yaml *yaml, struct fy_node *value,
                           const char *expected, char **vector)
{
  int count;
  if (!take_vector(r, yaml, value, expected, vector, &count))
    return false;
  if (r->file.dimension == 0)
    r->file.dimension = count;
  return count == r->file.dimension ||
         shk_yaml_fail(yaml, value, "found %d numbers, expected %d as in the first vector", count,
                       r->file.dimension);
}

/* ---- points ---- */

static bool read_name(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                      void *context)
{
  struct reader *const r = context;
  if (r->point.name)
    return shk_yaml_fail(yaml, value, "found the same key a second time");
  r->point.name = shk_yaml_text(yaml, value, expected);
  if (!r->point.name)
    return false;
  for (int i = 0; i < r->point_count; i++)
    if (strcmp(r->points[i].name, r->point.name) == 0)
      return shk_yaml_fail(yaml, value, "found the name \"%s\" a second time: line %d has it",
                           r->point.name, r->points[i].line);
  return true;
}

static bool read_position(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                          void *context)
{
  struct reader *const r = context;
  return take_dimension(r, yaml, value, expected, r->point.position);
}

static bool read_velocity(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                          void *context)
{
  struct reader *const r = context;
  return take_dimension(r, yaml, value, expected, r->point.velocity);
}

static bool read_site(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                      void *context)
{
  static const struct shk_yaml_key keys[] = {NUMBER("sigma", true, point.sigma, positive),
                                             NUMBER("epsilon", true, point.epsilon, not_negative)};
  return shk_yaml_mapping(yaml, value, expected, keys, sizeof keys / sizeof keys[0], context);
}

static bool read_point(struct reader *r, struct fy_node *item, bool fixed, const char *expected,
                       const struct shk_yaml_key *keys, int key_count)
{
  if (r->point_count == SHK_PARTICLES_LIMIT)
    return shk_yaml_fail(&r->yaml, item, "found more than %d particles and fixed points",
                         SHK_PARTICLES_LIMIT);
  r->point = (struct shk_particles_point){
      .line = shk_yaml_line(item),
      .index = fixed ? -1 - r->file.fixed_count++ : r->file.count++,
  };
  const bool ok = shk_yaml_mapping(&r->yaml, item, expected, keys, key_count, r);
  r->points = shk_grow(r->points, (size_t)r->point_count, sizeof *r->points);
  r->points[r->point_count++] = r->point; /* good or not, to be freed with the file */
  return ok;
}

static bool read_particle(void *context, struct fy_node *item)
{
  static const struct shk_yaml_key keys[] = {
      KEY("name", true, read_name, "a name"),
      NUMBER("mass", true, point.mass, positive),
      KEY("position", true, read_position, a_vector),
      KEY("velocity", false, read_velocity, a_vector),
      NUMBER("charge", false, point.charge, any),
      KEY("lennard-jones", false, read_site, "the keys sigma and epsilon")};
  return read_point(context, item, false, "a particle: name, mass, position, …", keys,
                    sizeof keys / sizeof keys[0]);
}

static bool read_fixed_point(void *context, struct fy_node *item)
{
  static const struct shk_yaml_key keys[] = {
      KEY("name", true, read_name, "a name"), KEY("position", true, read_position, a_vector),
      NUMBER("charge", false, point.charge, any),
      KEY("lennard-jones", false, read_site, "the keys sigma and epsilon")};
  return read_point(context, item, true, "a fixed point: name, position, …", keys,
                    sizeof keys / sizeof keys[0]);
}

/* ---- bonds ---- */

static bool read_end(void *context, struct fy_node *item)
{
  struct reader *const r = context;
  if (r->names == 2)
    return shk_yaml_fail(&r->yaml, item, "found a third name, expected two");
  char *const name = shk_yaml_text(&r->yaml, item, "the name of a particle or fixed point");
  if (name)
    r->bond.names[r->names++] = name;
  return name != NULL;
}

static bool read_between(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                         void *context)
{
  struct reader *const r = context;
  if (!shk_yaml_sequence(yaml, value, expected, false, read_end, r))
    return false;
  return r->names == 2 || shk_yaml_fail(yaml, value, "found one name, expected two");
}

static void begin_bond(struct reader *r, struct fy_node *item)
{
  r->bond = (struct shk_particles_bond){.line = shk_yaml_line(item)};
  r->names = 0;
}

/* Good or not, to be freed with the file. */
static void keep_bond(const struct reader *r, struct shk_particles_bond **list, int *count)
{
  *list = shk_grow(*list, (size_t)*count, sizeof **list);
  (*list)[(*count)++] = r->bond;
}

static bool read_rod(void *context, struct fy_node *item)
{
  static const struct shk_yaml_key keys[] = {KEY("between", true, read_between, two_names),
                                             NUMBER("length", false, bond.length, positive)};
  struct reader *const r = context;
  begin_bond(r, item);
  const bool ok = shk_yaml_is_mapping(item) ? shk_yaml_mapping(&r->yaml, item, "a rod", keys,
                                                               sizeof keys / sizeof keys[0], r)
                                            : read_between(&r->yaml, item, two_names, r);
  keep_bond(r, &r->file.rods, &r->file.rod_count);
  return ok;
}

static bool read_spring(void *context, struct fy_node *item)
{
  static const struct shk_yaml_key keys[] = {
      KEY("between", true, read_between, two_names),
      NUMBER("stiffness", true, bond.stiffness, not_negative),
      NUMBER("length", true, bond.length, not_negative)};
  struct reader *const r = context;
  begin_bond(r, item);
  const bool ok = shk_yaml_mapping(&r->yaml, item, "a spring: between, stiffness, length", keys,
                                   sizeof keys / sizeof keys[0], r);
  keep_bond(r, &r->file.springs, &r->file.spring_count);
  return ok;
}

static bool read_exclude(void *context, struct fy_node *item)
{
  struct reader *const r = context;
  begin_bond(r, item);
  const bool ok = read_between(&r->yaml, item, two_names, r);
  keep_bond(r, &r->file.excludes, &r->file.exclude_count);
  return ok;
}

/* ---- the file's keys ---- */

static bool read_gravity(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                         void *context)
{
  struct reader *const r = context;
  r->file.gravity_line = shk_yaml_line(value);
  return take_vector(r, yaml, value, expected, r->file.gravity, &r->file.gravity_count);
}

/* Keys whose value is a list. */
#define LIST_READER(function, read_item)                                                           \
  static bool function(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,   \
                       void *context)                                                              \
  {                                                                                                \
    return shk_yaml_sequence(yaml, value, expected, false, read_item, context);                    \
  }
LIST_READER(read_particles, read_particle)
LIST_READER(read_fixed, read_fixed_point)
LIST_READER(read_rods, read_rod)
LIST_READER(read_springs, read_spring)
LIST_READER(read_excludes, read_exclude)

/* ---- checks of the whole file ---- */

/* A fault in something read before: columns are no longer known. */
#define FAIL(r, line, ...) fail_at((r), (line), shk_print_text(__VA_ARGS__))

static bool fail_at(const struct reader *r, int line, char *owned)
{
  shk_message_set(r->yaml.error, "%s:%d: %s", r->yaml.path, line, owned);
  free(owned);
  return false;
}

/* The particles first, then the fixed points, each in the file's order. */
static void sort_points(struct reader *r)
{
  struct shk_particles_file *const file = &r->file;
  file->points = shk_allocate((size_t)r->point_count, sizeof *file->points);
  file->point_count = r->point_count;
  for (int i = 0; i < r->point_count; i++)
    file->points[shk_particles_point_of(file, r->points[i].index)] = r->points[i];
  free(r->points);
  r->points = NULL;
  r->point_count = 0;
}

static bool find_point(const struct reader *r, int *index, int line, const char *name)
{
  const struct shk_particles_file *const file = &r->file;
  const char **const names = shk_allocate((size_t)file->point_count, sizeof *names);
  char near[256];
  for (int i = 0; i < file->point_count; i++) {
    names[i] = file->points[i].name;
    if (strcmp(name, names[i]) == 0) {
      *index = file->points[i].index;
      free(names);
      return true;
    }
  }
  shk_nearest(near, sizeof near, name, names, file->point_count);
  free(names);
  return FAIL(r, line, "found \"%s\", expected the name of a particle or fixed point%s%s%s", name,
              near[0] ? "; did you mean " : "", near, near[0] ? "?" : "");
}

static bool join(struct reader *r, struct shk_particles_bond *bond, const char *what,
                 enum shk_particles_join kind)
{
  struct shk_particles_file *const file = &r->file;
  if (!find_point(r, &bond->a, bond->line, bond->names[0]) ||
      !find_point(r, &bond->b, bond->line, bond->names[1]))
    return false;
  if (bond->a == bond->b)
    return FAIL(r, bond->line, "found a %s from \"%s\" to itself", what, bond->names[0]);
  if (bond->a < 0 && bond->b < 0)
    return FAIL(r, bond->line, "found a %s between \"%s\" and \"%s\", which are both fixed", what,
                bond->names[0], bond->names[1]);
  if (bond->a > bond->b) {
    const int a = bond->a;
    bond->a = bond->b;
    bond->b = a;
  }
  const int i = shk_particles_point_of(file, bond->a), j = shk_particles_point_of(file, bond->b);
  unsigned char *const one = &file->joined[(size_t)i * (size_t)file->point_count + (size_t)j];
  unsigned char *const other = &file->joined[(size_t)j * (size_t)file->point_count + (size_t)i];
  if (*one & kind)
    return FAIL(r, bond->line, "found a second %s between \"%s\" and \"%s\"", what, bond->names[0],
                bond->names[1]);
  *one |= kind;
  *other |= kind;
  return true;
}

static bool join_all(struct reader *r)
{
  struct shk_particles_file *const file = &r->file;
  bool ok = true;
  for (int i = 0; ok && i < file->rod_count; i++)
    ok = join(r, &file->rods[i], "rod", SHK_JOIN_ROD);
  for (int i = 0; ok && i < file->spring_count; i++)
    ok = join(r, &file->springs[i], "spring", SHK_JOIN_SPRING);
  for (int i = 0; ok && i < file->exclude_count; i++)
    ok = join(r, &file->excludes[i], "pair to exclude", SHK_JOIN_EXCLUDE);
  return ok;
}

static bool finish(struct reader *r)
{
  struct shk_particles_file *const file = &r->file;
  sort_points(r);
  if (file->gravity[0] && file->gravity_count != file->dimension)
    return FAIL(r, file->gravity_line, "found a gravity of %d numbers, expected %d as in positions",
                file->gravity_count, file->dimension);
  for (int i = 0; i < file->point_count; i++)
    if (file->points[i].charge && !file->coulomb)
      return FAIL(r, file->points[i].line,
                  "\"%s\" has a charge, but the key \"coulomb\" is missing: the energy times the "
                  "length of two unit charges",
                  file->points[i].name);
  file->joined = shk_allocate((size_t)file->point_count * (size_t)file->point_count, 1);
  return join_all(r);
}

static bool read(struct shk_particles_file *file, const char *text, size_t length,
                 struct shk_message *error)
{
  static const struct shk_yaml_key keys[] = {
      KEY("particles", true, read_particles, "a list of particles"),
      KEY("fixed", false, read_fixed, "a list of fixed points"),
      KEY("rods", false, read_rods, "a list of rods"),
      KEY("springs", false, read_springs, "a list of springs"),
      KEY("exclude", false, read_excludes, "a list of pairs [a, b]"),
      KEY("gravity", false, read_gravity, a_vector),
      NUMBER("coulomb", false, file.coulomb, any),
      NUMBER("time-scale", false, file.time_scale, positive),
      NUMBER("horizon", false, file.horizon, positive)};
  struct reader r = {.file = *file};
  bool ok = shk_yaml_open(&r.yaml, file->path, text, length, error) &&
            shk_yaml_mapping(&r.yaml, shk_yaml_root(&r.yaml),
                             "the keys particles, fixed, rods, springs, gravity, …", keys,
                             sizeof keys / sizeof keys[0], &r);
  ok = ok && finish(&r);
  if (!ok && r.points) /* so that they are freed with the file */
    sort_points(&r);
  shk_yaml_close(&r.yaml);
  *file = r.file;
  return ok;
}

struct shk_particles_file *shk_particles_read(const char *folder, const char *path,
                                              struct shk_message *error)
{
  size_t length;
  char *const text = shk_folder_read(folder, &length, path, SHK_PARTICLES_FILE_LIMIT, error);
  if (!text)
    return NULL;
  struct shk_particles_file *file = shk_allocate(1, sizeof *file);
  file->path = shk_copy_text(path);
  if (!read(file, text, length, error)) {
    shk_particles_free(file);
    file = NULL;
  }
  free(text);
  return file;
}

struct shk_particles_file *shk_particles_of(const struct shk_values *parameters,
                                            const char **reason)
{
  struct shk_message error;
  struct shk_particles_file *const file = shk_particles_read(
      shk_values_access(parameters).folder, shk_values_text(parameters, "file"), &error);
  if (!file)
    *reason = shk_values_message(parameters, error.text);
  else
    file->parameters = parameters;
  return file;
}

const char *shk_particles_message(const struct shk_particles_file *file, const char *text)
{
  return shk_values_message(file->parameters, text);
}

static void free_bonds(struct shk_particles_bond *bonds, int count)
{
  for (int i = 0; i < count; i++) {
    free(bonds[i].names[0]);
    free(bonds[i].names[1]);
    free(bonds[i].length);
    free(bonds[i].stiffness);
  }
  free(bonds);
}

void shk_particles_free(struct shk_particles_file *file)
{
  if (!file)
    return;
  for (int i = 0; i < file->point_count; i++) {
    struct shk_particles_point *const point = &file->points[i];
    for (int j = 0; j < 3; j++) {
      free(point->position[j]);
      free(point->velocity[j]);
    }
    free(point->name);
    free(point->mass);
    free(point->charge);
    free(point->sigma);
    free(point->epsilon);
  }
  free(file->points);
  free_bonds(file->rods, file->rod_count);
  free_bonds(file->springs, file->spring_count);
  free_bonds(file->excludes, file->exclude_count);
  for (int j = 0; j < 3; j++)
    free(file->gravity[j]);
  free(file->coulomb);
  free(file->time_scale);
  free(file->horizon);
  free(file->joined);
  free(file->path);
  free(file);
}
