/* Reads systems of particles written in YAML. See particles_file.h;
 * docs/guides/systems-from-files.md describes the format.
 */
#include "problems/kit/particles_reader.h"

#include "foundation/files/file.h"
#include "foundation/memory.h"
#include "foundation/specifications/spec.h"

#include <stdlib.h>
#include <string.h>

static const char a_vector[] = "a list of numbers, [x, y] or [x, y, z]";

/* ---- numbers ---- */

bool shk_particles_number(const struct shk_yaml *yaml, struct fy_node *value, void *field)
{
  char **const member = field;
  *member = shk_yaml_number(yaml, value, yaml->key->expected);
  return *member;
}

static bool read_component(const struct shk_yaml *yaml, struct fy_node *value, void *context)
{
  struct shk_particles_reader *const r = context;
  if (*r->count == 3)
    return shk_yaml_fail(yaml, value, "found a fourth number, expected 2 or 3");
  char *const number = shk_yaml_number(yaml, value, shk_any_number);
  if (number)
    r->vector[(*r->count)++] = number;
  return number != NULL;
}

static bool take_vector(struct shk_particles_reader *r, const struct shk_yaml *yaml,
                        struct fy_node *value, char **vector, int *count)
{
  *count = 0;
  r->vector = vector;
  r->count = count;
  if (!shk_yaml_sequence(yaml, value, yaml->key->expected, false, read_component, r))
    return false;
  return *count >= 2 || shk_yaml_fail(yaml, value, "found %d number, expected 2 or 3", *count);
}

/* Reads a vector with as many numbers as the first position. */
static bool take_dimension(struct shk_particles_reader *r, const struct shk_yaml *yaml,
                           struct fy_node *value, char **vector)
{
  int count;
  if (!take_vector(r, yaml, value, vector, &count))
    return false;
  if (r->file.dimension == 0)
    r->file.dimension = count;
  return count == r->file.dimension ||
         shk_yaml_fail(yaml, value, "found %d numbers, expected %d, as in the first vector", count,
                       r->file.dimension);
}

/* ---- points ---- */

static bool read_name(const struct shk_yaml *yaml, struct fy_node *value, void *context)
{
  struct shk_particles_reader *const r = context;
  if (!shk_yaml_into_text(yaml, value, &r->point.name))
    return false;
  for (int i = 0; i < r->point_count; i++)
    if (strcmp(r->points[i].name, r->point.name) == 0)
      return shk_yaml_fail(yaml, value,
                           "found the name \"%s\" a second time: line %d already uses it",
                           r->point.name, r->points[i].line);
  return true;
}

static bool read_position(const struct shk_yaml *yaml, struct fy_node *value, void *context)
{
  struct shk_particles_reader *const r = context;
  return take_dimension(r, yaml, value, r->point.position);
}

static bool read_velocity(const struct shk_yaml *yaml, struct fy_node *value, void *context)
{
  struct shk_particles_reader *const r = context;
  return take_dimension(r, yaml, value, r->point.velocity);
}

static bool read_site(const struct shk_yaml *yaml, struct fy_node *value, void *context)
{
  static const struct shk_yaml_key keys[] = {
      NUMBER("sigma", true, point.sigma, shk_positive),
      NUMBER("epsilon", true, point.epsilon, shk_not_negative)};
  return shk_yaml_mapping(yaml, value, NULL, yaml->key->expected, SHK_YAML_KEYS(keys), context);
}

static bool read_point(const struct shk_yaml *yaml, struct fy_node *item, void *context, bool fixed,
                       const char *expected, const struct shk_yaml_key *keys, int key_count)
{
  struct shk_particles_reader *const r = context;
  if (r->point_count == SHK_PARTICLES_LIMIT)
    return shk_yaml_fail(yaml, item, "found more than %d particles and fixed points",
                         SHK_PARTICLES_LIMIT);
  r->point = (struct shk_particles_point){
      .line = shk_yaml_line(item),
      .index = fixed ? -1 - r->file.fixed_count++ : r->file.count++,
  };
  const bool ok = shk_yaml_mapping(yaml, item, NULL, expected, keys, key_count, r);
  r->points = shk_grow(r->points, (size_t)r->point_count, sizeof *r->points);
  /* add the point even if it is invalid, so that it is freed with the file */
  r->points[r->point_count++] = r->point;
  return ok;
}

static bool read_particle(const struct shk_yaml *yaml, struct fy_node *item, void *context)
{
  static const struct shk_yaml_key keys[] = {
      KEY("name", true, read_name, "a name"),
      NUMBER("mass", true, point.mass, shk_positive),
      KEY("position", true, read_position, a_vector),
      KEY("velocity", false, read_velocity, a_vector),
      NUMBER("charge", false, point.charge, shk_any_number),
      KEY("lennard-jones", false, read_site, "the keys sigma and epsilon")};
  return read_point(yaml, item, context, false, "a particle: name, mass, position, …",
                    SHK_YAML_KEYS(keys));
}

static bool read_fixed_point(const struct shk_yaml *yaml, struct fy_node *item, void *context)
{
  static const struct shk_yaml_key keys[] = {
      KEY("name", true, read_name, "a name"), KEY("position", true, read_position, a_vector),
      NUMBER("charge", false, point.charge, shk_any_number),
      KEY("lennard-jones", false, read_site, "the keys sigma and epsilon")};
  return read_point(yaml, item, context, true, "a fixed point: name, position, …",
                    SHK_YAML_KEYS(keys));
}

/* ---- the file's keys ---- */

static bool read_gravity(const struct shk_yaml *yaml, struct fy_node *value, void *context)
{
  struct shk_particles_reader *const r = context;
  r->file.gravity_line = shk_yaml_line(value);
  return take_vector(r, yaml, value, r->file.gravity, &r->file.gravity_count);
}

static bool read_combination(const struct shk_yaml *yaml, struct fy_node *value, void *field)
{
  char **const combination = field;
  return shk_yaml_into_text(yaml, value, field) &&
         (strcmp(*combination, "lorentz") == 0 || strcmp(*combination, "geometric") == 0 ||
          shk_yaml_fail_kind(yaml, value, yaml->key->expected));
}

/* ---- checks on the whole file ---- */

bool shk_particles_fail(const struct shk_particles_reader *r, int line, char *owned)
{
  shk_message_set(r->yaml.error, "%s:%d: %s", r->yaml.path, line, owned);
  free(owned);
  return false;
}

/* Moves the particles in front of the fixed points. Within each group, the order of the file is
 * preserved. */
static void sort_points(struct shk_particles_reader *r)
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

static bool finish_particles_reader(struct shk_particles_reader *r)
{
  struct shk_particles_file *const file = &r->file;
  sort_points(r);
  if (file->gravity[0] && file->gravity_count != file->dimension)
    return FAIL(r, file->gravity_line,
                "found a gravity with %d numbers, expected %d, as in the positions",
                file->gravity_count, file->dimension);
  for (int i = 0; i < file->point_count; i++)
    if (file->points[i].charge && !file->coulomb)
      return FAIL(r, file->points[i].line,
                  "\"%s\" has a charge, but the key \"coulomb\" is missing: it sets the energy of "
                  "two unit charges times their distance",
                  file->points[i].name);
  file->joined = shk_allocate((size_t)file->point_count * (size_t)file->point_count, 1);
  return shk_particles_join(r);
}

#define TERMS(key, kind, what)                                                                     \
  SHK_YAML_FIELD(key, false, struct shk_particles_reader, file.terms[kind], shk_particles_terms,   \
                 what)

static bool read_particles_reader(struct shk_particles_file *file, const char *text, size_t length,
                                  struct shk_message *error)
{
  static const struct shk_yaml_key keys[] = {
      KEY("particles", true, shk_yaml_into_list, "a list of particles", .item = read_particle),
      KEY("fixed", false, shk_yaml_into_list, "a list of fixed points", .item = read_fixed_point),
      TERMS("rods", SHK_ROD, "a list of rods"),
      TERMS("springs", SHK_SPRING, "a list of springs"),
      TERMS("quartic-springs", SHK_QUARTIC, "a list of springs"),
      TERMS("exclude", SHK_EXCLUDE, "a list of pairs [a, b]"),
      TERMS("pairs", SHK_PAIR, "a list of pairs"),
      TERMS("angles", SHK_ANGLE, "a list of angles"),
      TERMS("cosine-angles", SHK_COSINE_ANGLE, "a list of angles"),
      TERMS("dihedrals", SHK_DIHEDRAL, "a list of dihedrals"),
      TERMS("impropers", SHK_IMPROPER, "a list of impropers"),
      KEY("gravity", false, read_gravity, a_vector),
      NUMBER("coulomb", false, file.coulomb, shk_any_number),
      SHK_YAML_FIELD("combination", false, struct shk_particles_reader, file.combination,
                     read_combination, "lorentz or geometric"),
      NUMBER("time-scale", false, file.time_scale, shk_positive),
      NUMBER("horizon", false, file.horizon, shk_positive)};
  struct shk_particles_reader r = {.file = *file};
  bool ok = shk_yaml_open(&r.yaml, file->path, text, length, error);
  r.yaml.user = &r;
  ok = ok && shk_yaml_mapping(&r.yaml, shk_yaml_root(&r.yaml), NULL,
                              "the keys particles, fixed, rods, springs, gravity, …",
                              SHK_YAML_KEYS(keys), &r);
  ok = ok && finish_particles_reader(&r);
  if (!ok && r.points) /* after this, the points are freed with the file */
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
  if (!read_particles_reader(file, text, length, error)) {
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

static void free_terms(struct shk_particles_terms *terms)
{
  for (int i = 0; i < terms->count; i++) {
    struct shk_particles_term *const term = &terms->list[i];
    char *const texts[] = {term->length,        term->stiffness, term->angle,
                           term->multiplicity,  term->phase,     term->coulomb,
                           term->lennard_jones, term->sigma,     term->epsilon};
    for (size_t j = 0; j < sizeof texts / sizeof *texts; j++)
      free(texts[j]);
    for (int j = 0; j < SHK_TERM_ENDS; j++)
      free(term->names[j]);
    for (int j = 0; j < SHK_TERM_COSINES; j++)
      free(term->cosines[j]);
  }
  free(terms->list);
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
  for (int kind = 0; kind < SHK_PARTICLES_KINDS; kind++)
    free_terms(&file->terms[kind]);
  for (int j = 0; j < 3; j++)
    free(file->gravity[j]);
  free(file->coulomb);
  free(file->combination);
  free(file->time_scale);
  free(file->horizon);
  free(file->joined);
  free(file->path);
  free(file);
}
