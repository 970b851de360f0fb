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

enum sign { ANY, NOT_NEGATIVE, POSITIVE };

struct reader {
  struct shk_yaml yaml;
  struct shk_particles_file *file;
  struct shk_particles_point *points; /* in the file's order */
  int point_count;
  struct shk_particles_point *point; /* being read */
  struct shk_particles_bond *bond;   /* being read */
  char **vector;
  int *count; /* numbers of the vector so far */
  int names;  /* of the bond so far */
};

/* ---- numbers ---- */

/* Canonical text of a number of that sign; NULL after a complaint. */
static char *read_number(const struct reader *r, struct fy_node *value, enum sign sign)
{
  const char *const expected = sign == ANY        ? "a number"
                               : sign == POSITIVE ? "a number above 0"
                                                  : "a number that is not negative";
  char *const text = shk_yaml_text(&r->yaml, value, expected);
  if (text == NULL)
    return NULL;
  char *number = shk_number_canonical(text, false);
  free(text);
  const bool wrong = number == NULL || (sign != ANY && number[0] == '-') ||
                     (sign == POSITIVE && strcmp(number, "0") == 0);
  if (!wrong)
    return number;
  free(number);
  shk_yaml_fail_kind(&r->yaml, value, expected);
  return NULL;
}

/* Into a member that is still empty: keys do not occur twice in one mapping. */
static bool take_number(const struct reader *r, char **member, struct fy_node *value,
                        enum sign sign)
{
  if (*member != NULL)
    return shk_yaml_fail(&r->yaml, value, "found the same key a second time");
  *member = read_number(r, value, sign);
  return *member != NULL;
}

/* Keys whose value is one number: its member, and its sign. */
#define NUMBER_KEY(function, member, sign)                                                         \
  static bool function(void *context, struct fy_node *value)                                       \
  {                                                                                                \
    struct reader *const r = context;                                                              \
    return take_number(r, &r->member, value, sign);                                                \
  }
NUMBER_KEY(read_mass, point->mass, POSITIVE)
NUMBER_KEY(read_charge, point->charge, ANY)
NUMBER_KEY(read_sigma, point->sigma, POSITIVE)
NUMBER_KEY(read_epsilon, point->epsilon, NOT_NEGATIVE)
NUMBER_KEY(read_rod_length, bond->length, POSITIVE)
NUMBER_KEY(read_spring_length, bond->length, NOT_NEGATIVE)
NUMBER_KEY(read_stiffness, bond->stiffness, NOT_NEGATIVE)
NUMBER_KEY(read_coulomb, file->coulomb, ANY)
NUMBER_KEY(read_time_scale, file->time_scale, POSITIVE)
NUMBER_KEY(read_horizon, file->horizon, POSITIVE)

static bool read_component(void *context, struct fy_node *value)
{
  struct reader *const r = context;
  if (*r->count == 3)
    return shk_yaml_fail(&r->yaml, value, "found a fourth number, expected 2 or 3");
  char *const number = read_number(r, value, ANY);
  if (number != NULL)
    r->vector[(*r->count)++] = number;
  return number != NULL;
}

static bool take_vector(struct reader *r, char **vector, struct fy_node *value, int *count)
{
  if (vector[0] != NULL)
    return shk_yaml_fail(&r->yaml, value, "found the same key a second time");
  *count = 0;
  r->vector = vector;
  r->count = count;
  if (!shk_yaml_sequence(&r->yaml, value, "a list of numbers, [x, y] or [x, y, z]", false,
                         read_component, r))
    return false;
  return *count >= 2 || shk_yaml_fail(&r->yaml, value, "found %d number, expected 2 or 3", *count);
}

/* A vector of as many numbers as the first position has. */
static bool take_dimension(struct reader *r, struct fy_node *value, char **vector)
{
  int count;
  if (!take_vector(r, vector, value, &count))
    return false;
  if (r->file->dimension == 0)
    r->file->dimension = count;
  return count == r->file->dimension ||
         shk_yaml_fail(&r->yaml, value, "found %d numbers, expected %d as in the first vector",
                       count, r->file->dimension);
}

/* ---- points ---- */

static bool read_name(void *context, struct fy_node *value)
{
  struct reader *const r = context;
  if (r->point->name != NULL)
    return shk_yaml_fail(&r->yaml, value, "found the same key a second time");
  r->point->name = shk_yaml_text(&r->yaml, value, "a name");
  if (r->point->name == NULL)
    return false;
  for (int i = 0; i + 1 < r->point_count; i++)
    if (strcmp(r->points[i].name, r->point->name) == 0)
      return shk_yaml_fail(&r->yaml, value, "found the name \"%s\" a second time: line %d has it",
                           r->point->name, r->points[i].line);
  return true;
}

static bool read_position(void *context, struct fy_node *value)
{
  struct reader *const r = context;
  return take_dimension(r, value, r->point->position);
}

static bool read_velocity(void *context, struct fy_node *value)
{
  struct reader *const r = context;
  return take_dimension(r, value, r->point->velocity);
}

static bool read_site(void *context, struct fy_node *value)
{
  static const struct shk_yaml_key keys[] = {{"sigma", true, read_sigma},
                                             {"epsilon", true, read_epsilon}};
  struct reader *const r = context;
  return shk_yaml_mapping(&r->yaml, value, "the keys sigma and epsilon", keys,
                          sizeof keys / sizeof keys[0], r);
}

static bool begin_point(struct reader *r, struct fy_node *item, bool fixed)
{
  if (r->point_count == SHK_PARTICLES_LIMIT)
    return shk_yaml_fail(&r->yaml, item, "found more than %d particles and fixed points",
                         SHK_PARTICLES_LIMIT);
  r->points = shk_grow(r->points, (size_t)r->point_count, sizeof *r->points);
  r->point = &r->points[r->point_count++];
  *r->point = (struct shk_particles_point){
      .line = shk_yaml_line(item),
      .index = fixed ? -1 - r->file->fixed_count++ : r->file->count++,
  };
  return true;
}

static bool read_particle(void *context, struct fy_node *item)
{
  static const struct shk_yaml_key keys[] = {
      {"name", true, read_name},         {"mass", true, read_mass},
      {"position", true, read_position}, {"velocity", false, read_velocity},
      {"charge", false, read_charge},    {"lennard-jones", false, read_site}};
  struct reader *const r = context;
  return begin_point(r, item, false) &&
         shk_yaml_mapping(&r->yaml, item, "a particle: name, mass, position, …", keys,
                          sizeof keys / sizeof keys[0], r);
}

static bool read_fixed_point(void *context, struct fy_node *item)
{
  static const struct shk_yaml_key keys[] = {{"name", true, read_name},
                                             {"position", true, read_position},
                                             {"charge", false, read_charge},
                                             {"lennard-jones", false, read_site}};
  struct reader *const r = context;
  return begin_point(r, item, true) &&
         shk_yaml_mapping(&r->yaml, item, "a fixed point: name, position, …", keys,
                          sizeof keys / sizeof keys[0], r);
}

/* ---- bonds ---- */

static bool read_end(void *context, struct fy_node *item)
{
  struct reader *const r = context;
  if (r->names == 2)
    return shk_yaml_fail(&r->yaml, item, "found a third name, expected two");
  char *const name = shk_yaml_text(&r->yaml, item, "the name of a particle or fixed point");
  if (name != NULL)
    r->bond->names[r->names++] = name;
  return name != NULL;
}

static bool read_between(void *context, struct fy_node *value)
{
  struct reader *const r = context;
  if (!shk_yaml_sequence(&r->yaml, value, "two names, [a, b]", false, read_end, r))
    return false;
  return r->names == 2 || shk_yaml_fail(&r->yaml, value, "found one name, expected two");
}

static void begin_bond(struct reader *r, struct shk_particles_bond **list, int *count,
                       struct fy_node *item)
{
  *list = shk_grow(*list, (size_t)*count, sizeof **list);
  r->bond = &(*list)[(*count)++];
  *r->bond = (struct shk_particles_bond){.line = shk_yaml_line(item)};
  r->names = 0;
}

static bool read_rod(void *context, struct fy_node *item)
{
  static const struct shk_yaml_key keys[] = {{"between", true, read_between},
                                             {"length", false, read_rod_length}};
  struct reader *const r = context;
  begin_bond(r, &r->file->rods, &r->file->rod_count, item);
  return shk_yaml_is_mapping(item)
             ? shk_yaml_mapping(&r->yaml, item, "a rod", keys, sizeof keys / sizeof keys[0], r)
             : read_between(r, item);
}

static bool read_spring(void *context, struct fy_node *item)
{
  static const struct shk_yaml_key keys[] = {{"between", true, read_between},
                                             {"stiffness", true, read_stiffness},
                                             {"length", true, read_spring_length}};
  struct reader *const r = context;
  begin_bond(r, &r->file->springs, &r->file->spring_count, item);
  return shk_yaml_mapping(&r->yaml, item, "a spring: between, stiffness, length", keys,
                          sizeof keys / sizeof keys[0], r);
}

static bool read_exclude(void *context, struct fy_node *item)
{
  struct reader *const r = context;
  begin_bond(r, &r->file->excludes, &r->file->exclude_count, item);
  return read_between(r, item);
}

/* ---- the file's keys ---- */

static bool read_gravity(void *context, struct fy_node *value)
{
  struct reader *const r = context;
  r->file->gravity_line = shk_yaml_line(value);
  return take_vector(r, r->file->gravity, value, &r->file->gravity_count);
}

static bool read_particles(void *context, struct fy_node *value)
{
  struct reader *const r = context;
  return shk_yaml_sequence(&r->yaml, value, "a list of particles", false, read_particle, r);
}

static bool read_fixed(void *context, struct fy_node *value)
{
  struct reader *const r = context;
  return shk_yaml_sequence(&r->yaml, value, "a list of fixed points", false, read_fixed_point, r);
}

static bool read_rods(void *context, struct fy_node *value)
{
  struct reader *const r = context;
  return shk_yaml_sequence(&r->yaml, value, "a list of rods", false, read_rod, r);
}

static bool read_springs(void *context, struct fy_node *value)
{
  struct reader *const r = context;
  return shk_yaml_sequence(&r->yaml, value, "a list of springs", false, read_spring, r);
}

static bool read_excludes(void *context, struct fy_node *value)
{
  struct reader *const r = context;
  return shk_yaml_sequence(&r->yaml, value, "a list of pairs [a, b]", false, read_exclude, r);
}

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
  struct shk_particles_file *const file = r->file;
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
  const struct shk_particles_file *const file = r->file;
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

static bool join(const struct reader *r, struct shk_particles_bond *bond, const char *what,
                 enum shk_particles_join kind)
{
  struct shk_particles_file *const file = r->file;
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

static bool join_all(const struct reader *r)
{
  struct shk_particles_file *const file = r->file;
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
  struct shk_particles_file *const file = r->file;
  sort_points(r);
  if (file->gravity[0] != NULL && file->gravity_count != file->dimension)
    return FAIL(r, file->gravity_line, "found a gravity of %d numbers, expected %d as in positions",
                file->gravity_count, file->dimension);
  for (int i = 0; i < file->point_count; i++)
    if (file->points[i].charge != NULL && file->coulomb == NULL)
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
      {"particles", true, read_particles}, {"fixed", false, read_fixed},
      {"rods", false, read_rods},          {"springs", false, read_springs},
      {"exclude", false, read_excludes},   {"gravity", false, read_gravity},
      {"coulomb", false, read_coulomb},    {"time-scale", false, read_time_scale},
      {"horizon", false, read_horizon}};
  struct reader r = {.file = file};
  bool ok = shk_yaml_open(&r.yaml, file->path, text, length, error) &&
            shk_yaml_mapping(&r.yaml, shk_yaml_root(&r.yaml),
                             "the keys particles, fixed, rods, springs, gravity, …", keys,
                             sizeof keys / sizeof keys[0], &r);
  ok = ok && finish(&r);
  if (!ok && r.points != NULL) /* so that they are freed with the file */
    sort_points(&r);
  shk_yaml_close(&r.yaml);
  return ok;
}

struct shk_particles_file *shk_particles_read(const char *folder, const char *path,
                                              struct shk_message *error)
{
  size_t length;
  char *const text = shk_folder_read(folder, &length, path, SHK_PARTICLES_FILE_LIMIT, error);
  if (text == NULL)
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
  if (file == NULL)
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
  if (file == NULL)
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
