/* Terms between points in particle systems written in YAML. See particles_file.h. */
#include "problems/kit/particles_reader.h"

#include "foundation/memory.h"
#include "foundation/nearest.h"

#include <stdlib.h>
#include <string.h>

/* ---- the points of a term ---- */

/* The kinds of terms, each with its name, number of points, expected value and keys. */
struct kind {
  const char *what, *one;
  int ends;
  const char *names, *expected;
  const struct shk_yaml_key *keys;
  int key_count;
};
static const struct kind kinds[SHK_PARTICLES_KINDS];

static bool read_end(const struct shk_yaml *yaml, struct fy_node *item, void *context)
{
  struct shk_particles_reader *const r = context;
  if (r->names == kinds[r->kind].ends)
    return shk_yaml_fail(yaml, item, "found one more name than the %d expected", r->names);
  char *const name = shk_yaml_text(yaml, item, "the name of a particle or fixed point");
  if (name)
    r->term.names[r->names++] = name;
  return name != NULL;
}

static bool read_between(const struct shk_yaml *yaml, struct fy_node *value, void *context)
{
  struct shk_particles_reader *const r = context;
  if (!shk_yaml_sequence(yaml, value, kinds[r->kind].names, false, read_end, r))
    return false;
  return r->names == kinds[r->kind].ends ||
         shk_yaml_fail(yaml, value, "found %d name%s, expected %d", r->names,
                       r->names == 1 ? "" : "s", kinds[r->kind].ends);
}

/* ---- the numbers of a term ---- */

static bool read_cosine(const struct shk_yaml *yaml, struct fy_node *item, void *context)
{
  struct shk_particles_reader *const r = context;
  if (r->term.cosine_count == SHK_TERM_COSINES)
    return shk_yaml_fail(yaml, item, "found more than %d numbers", SHK_TERM_COSINES);
  char *const number = shk_yaml_number(yaml, item, shk_any_number);
  if (number)
    r->term.cosines[r->term.cosine_count++] = number;
  return number != NULL;
}

#define BETWEEN KEY("between", true, read_between, "names")

static const struct shk_yaml_key
    rod_keys[] = {BETWEEN, NUMBER("length", false, term.length, shk_positive)},
    spring_keys[] = {BETWEEN, NUMBER("stiffness", true, term.stiffness, shk_not_negative),
                     NUMBER("length", true, term.length, shk_not_negative)},
    exclude_keys[] = {BETWEEN},
    pair_keys[] = {BETWEEN, NUMBER("coulomb", false, term.coulomb, shk_not_negative),
                   NUMBER("lennard-jones", false, term.lennard_jones, shk_not_negative),
                   NUMBER("sigma", false, term.sigma, shk_positive),
                   NUMBER("epsilon", false, term.epsilon, shk_not_negative)},
    angle_keys[] = {BETWEEN, NUMBER("stiffness", true, term.stiffness, shk_not_negative),
                    NUMBER("angle", true, term.angle, shk_any_angle)},
    dihedral_keys[] = {BETWEEN, NUMBER("stiffness", false, term.stiffness, shk_any_number),
                       NUMBER("multiplicity", false, term.multiplicity, shk_multiplicity),
                       NUMBER("phase", false, term.phase, shk_any_angle),
                       KEY("cosines", false, shk_yaml_into_list, "a list of at most 6 numbers",
                           .item = read_cosine)};

static const char two[] = "two names, [a, b]", four[] = "four names, [a, b, c, d]";

static const struct kind kinds[SHK_PARTICLES_KINDS] = {
    [SHK_ROD] = {"rod", "a rod", 2, two, "a rod", SHK_YAML_KEYS(rod_keys)},
    [SHK_SPRING] = {"spring", "a spring", 2, two, "a spring: between, stiffness, length",
                    SHK_YAML_KEYS(spring_keys)},
    [SHK_QUARTIC] = {"quartic spring", "a quartic spring", 2, two,
                     "a quartic spring: between, stiffness, length", SHK_YAML_KEYS(spring_keys)},
    [SHK_EXCLUDE] = {"pair to exclude", "a pair to exclude", 2, two, two,
                     SHK_YAML_KEYS(exclude_keys)},
    [SHK_PAIR] = {"pair", "a pair", 2, two,
                  "a pair: between, coulomb, lennard-jones, sigma, epsilon",
                  SHK_YAML_KEYS(pair_keys)},
    [SHK_ANGLE] = {"angle", "an angle", 3, "three names, [a, b, c]",
                   "an angle: between, stiffness, angle", SHK_YAML_KEYS(angle_keys)},
    [SHK_COSINE_ANGLE] = {"cosine angle", "a cosine angle", 3, "three names, [a, b, c]",
                          "a cosine angle: between, stiffness, angle", SHK_YAML_KEYS(angle_keys)},
    [SHK_DIHEDRAL] = {"dihedral", "a dihedral", 4, four,
                      "a dihedral: between, and stiffness, multiplicity, phase or cosines",
                      SHK_YAML_KEYS(dihedral_keys)},
    [SHK_IMPROPER] = {"improper", "an improper", 4, four, "an improper: between, stiffness, angle",
                      SHK_YAML_KEYS(angle_keys)}};

/* Checks that numbers that must be given together are all present. */
static bool check_numbers(const struct shk_particles_reader *r, struct fy_node *item)
{
  const struct shk_particles_term *const term = &r->term;
  const bool periodic = term->stiffness && term->multiplicity && term->phase;
  const bool any = term->stiffness || term->multiplicity || term->phase;
  if (r->kind == SHK_DIHEDRAL && (term->cosine_count > 0 ? any : !periodic))
    return shk_yaml_fail(&r->yaml, item,
                         "expected stiffness, multiplicity and phase, or else cosines");
  if (r->kind == SHK_PAIR &&
      (!term->sigma != !term->epsilon || (term->sigma && term->lennard_jones)))
    return shk_yaml_fail(&r->yaml, item,
                         "expected sigma and epsilon together, or else a factor lennard-jones");
  return true;
}

/* Reads a term. Rods and excluded pairs can be written as plain lists of names. */
static bool read_term(const struct shk_yaml *yaml, struct fy_node *item, void *context)
{
  struct shk_particles_reader *const r = context;
  const struct kind *const kind = &kinds[r->kind];
  const bool bare = r->kind == SHK_EXCLUDE || (r->kind == SHK_ROD && !shk_yaml_is_mapping(item));
  r->term = (struct shk_particles_term){.line = shk_yaml_line(item)};
  r->names = 0;
  const bool ok =
      bare ? read_between(yaml, item, r)
           : shk_yaml_mapping(yaml, item, NULL, kind->expected, kind->keys, kind->key_count, r) &&
                 check_numbers(r, item);
  struct shk_particles_terms *const terms = &r->file.terms[r->kind];
  terms->list = shk_grow(terms->list, (size_t)terms->count, sizeof *terms->list);
  /* add the term even if it is invalid, so that it is freed with the file */
  terms->list[terms->count++] = r->term;
  return ok;
}

bool shk_particles_terms(const struct shk_yaml *yaml, struct fy_node *value, void *list)
{
  struct shk_particles_reader *const r = (struct shk_particles_reader *)yaml->user;
  r->kind = (enum shk_particles_kind)((struct shk_particles_terms *)list - r->file.terms);
  return shk_yaml_sequence(yaml, value, yaml->key->expected, false, read_term, r);
}

/* ---- from names to points ---- */

static bool find_point(const struct shk_particles_reader *r, int *index, int line, const char *name)
{
  const struct shk_particles_file *const file = &r->file;
  char near[256];
  for (int i = 0; i < file->point_count; i++)
    if (strcmp(name, file->points[i].name) == 0) {
      *index = file->points[i].index;
      return true;
    }
  shk_nearest(near, sizeof near, name, &file->points[0].name, sizeof file->points[0],
              file->point_count);
  return FAIL(r, line, "found \"%s\", expected the name of a particle or fixed point%s%s%s", name,
              near[0] ? "; did you mean " : "", near, near[0] ? "?" : "");
}

/* Checks that the points of a term are all different and that at least one of them can move. */
static bool check_points(const struct shk_particles_reader *r,
                         const struct shk_particles_term *term, const struct kind *kind)
{
  bool moves = false;
  for (int i = 0; i < kind->ends; i++) {
    moves = moves || term->at[i] >= 0;
    for (int j = 0; j < i; j++)
      if (term->at[i] == term->at[j])
        return FAIL(r, term->line, "found %s from \"%s\" to itself", kind->one, term->names[j]);
  }
  return moves ||
         FAIL(r, term->line, "found %s between \"%s\" and \"%s\", which are %s fixed", kind->one,
              term->names[0], term->names[kind->ends - 1], kind->ends == 2 ? "both" : "all");
}

/* Marks a pair as joined by a term of this kind, and rejects a second term of the same kind. */
static bool mark_particles_terms(struct shk_particles_reader *r, struct shk_particles_term *term,
                                 enum shk_particles_kind kind)
{
  struct shk_particles_file *const file = &r->file;
  int *const at = term->at;
  if (at[0] > at[1]) {
    const int lower = at[1];
    at[1] = at[0];
    at[0] = lower;
  }
  const int i = shk_particles_point_of(file, at[0]), j = shk_particles_point_of(file, at[1]);
  unsigned char *const one = &file->joined[(size_t)i * (size_t)file->point_count + (size_t)j];
  unsigned char *const other = &file->joined[(size_t)j * (size_t)file->point_count + (size_t)i];
  /* several quartic springs between two points add up */
  if (kind != SHK_QUARTIC && *one & 1u << kind)
    return FAIL(r, term->line, "found a second %s between \"%s\" and \"%s\"", kinds[kind].what,
                term->names[0], term->names[1]);
  *one |= (unsigned char)(1u << kind);
  *other |= (unsigned char)(1u << kind);
  return true;
}

static bool join_particles_terms(struct shk_particles_reader *r, struct shk_particles_term *term,
                                 enum shk_particles_kind kind)
{
  for (int i = 0; i < kinds[kind].ends; i++)
    if (!find_point(r, &term->at[i], term->line, term->names[i]))
      return false;
  if (kinds[kind].ends == 4 && r->file.dimension != 3)
    return FAIL(r, term->line, "found %s in a plane, expected positions with three numbers",
                kinds[kind].one);
  return check_points(r, term, &kinds[kind]) &&
         (kinds[kind].ends > 2 || mark_particles_terms(r, term, kind));
}

bool shk_particles_join(struct shk_particles_reader *r)
{
  for (int kind = 0; kind < SHK_PARTICLES_KINDS; kind++)
    for (int i = 0; i < r->file.terms[kind].count; i++)
      if (!join_particles_terms(r, &r->file.terms[kind].list[i], (enum shk_particles_kind)kind))
        return false;
  return true;
}
