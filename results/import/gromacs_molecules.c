/* The molecules of a topology of GROMACS, each as often as it is there; see gromacs.h. */
#include "results/import/gromacs.h"

#include "foundation/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const shk_topology_sections[SECTIONS] = {
    "",           "defaults",      "atomtypes", "bondtypes",    "constrainttypes",
    "angletypes", "dihedraltypes", "pairtypes", "moleculetype", "atoms",
    "bonds",      "constraints",   "settles",   "angles",       "dihedrals",
    "pairs",      "exclusions",    "system",    "molecules"};

bool shk_topology_combine(const struct shk_topology *r, double *sigma, double *epsilon)
{
  const double c6 = *sigma, c12 = *epsilon;
  if (r->rule == 1) {
    *sigma = c6 > 0 && c12 > 0 ? pow(c12 / c6, 1.0 / 6) : 0;
    *epsilon = c6 > 0 && c12 > 0 ? c6 * c6 / (4 * c12) : 0;
  }
  return *sigma >= 0 && *epsilon >= 0 && isfinite(*sigma) && (*epsilon == 0 || *sigma > 0);
}

int shk_topology_ends(enum section section)
{
  const bool four = section == DIHEDRALS || section == DIHEDRAL_TYPES;
  const bool three = section == ANGLES || section == ANGLE_TYPES;
  return four ? 4 : three ? 3 : section == SETTLES ? 1 : 2;
}

const struct shk_topology_type *shk_topology_type(const struct shk_topology *r, const char *name)
{
  for (int i = 0; i < r->type_count; i++)
    if (strcmp(r->types[i].name, name) == 0)
      return &r->types[i];
  return NULL;
}

static bool fail_entry(const struct shk_topology *r, const struct shk_topology_entry *entry,
                       const char *expected)
{
  const struct shk_lines place = {.path = entry->path, .line = entry->line, .error = r->error};
  char found[64];
  snprintf(found, sizeof found, "a line of [ %s ] with %d numbers",
           shk_topology_sections[entry->section], entry->count);
  return shk_lines_fail(&place, found, expected);
}

/* How well a type fits these names in this order: the number of those that are not X; -1: not. */
static int score(const struct shk_topology_entry *type,
                 const struct shk_topology_type *const *types, int ends, bool backwards)
{
  int sum = 0;
  for (int i = 0; i < ends; i++) {
    const char *const name = type->names[backwards ? ends - 1 - i : i];
    const char *const own = type->section == PAIR_TYPES ? types[i]->name : types[i]->bonded;
    if (strcmp(name, own) == 0)
      sum++;
    else if (strcmp(name, "X") != 0)
      return -1;
  }
  return sum;
}

/* The first of the types that fit best; NULL: none. */
static const struct shk_topology_entry *find_type(const struct shk_topology *r,
                                                  const struct shk_topology_molecule *m,
                                                  const struct shk_topology_entry *entry,
                                                  enum section section)
{
  const struct shk_topology_type *types[SHK_TERM_ENDS];
  const struct shk_topology_entry *found = NULL;
  const int ends = shk_topology_ends(section);
  int best = -1;
  for (int i = 0; i < ends; i++)
    types[i] = shk_topology_type(r, m->atoms[entry->at[i]].type);
  for (int i = 0; i < r->entry_count; i++) {
    const struct shk_topology_entry *const type = &r->entries[i];
    if (type->section != section || type->function != entry->function)
      continue;
    const int fit = score(type, types, ends, false), back = score(type, types, ends, true);
    if (fit > best || back > best) {
      best = fit > back ? fit : back;
      found = type;
    }
  }
  return found;
}

static struct shk_bonded_term *emit(struct shk_topology *r, enum shk_particles_kind kind,
                                    const struct shk_topology_entry *entry, int first, int ends)
{
  int at[SHK_TERM_ENDS];
  for (int i = 0; i < ends; i++)
    at[i] = first + entry->at[i];
  return shk_imported_add(r->imported, kind, at, ends);
}

static bool add_bond(struct shk_topology *r, const struct shk_topology_molecule *m,
                     const struct shk_topology_entry *entry, const struct shk_topology_entry *type,
                     int first)
{
  const bool hydrogen =
      m->atoms[entry->at[0]].atom.name[0] == 'H' || m->atoms[entry->at[1]].atom.name[0] == 'H';
  const bool rod = entry->section == CONSTRAINTS || r->rigid == SHK_RIGID_ALL ||
                   (r->rigid == SHK_RIGID_HYDROGEN && hydrogen);
  if (type->count < (entry->section == BONDS ? 2 : 1) || !(type->number[0] > 0))
    return fail_entry(r, type, "a length above 0 and, of bonds, a force constant");
  struct shk_bonded_term *const term = emit(r, rod ? SHK_ROD : SHK_SPRING, entry, first, 2);
  term->number[0] = rod ? type->number[0] : type->number[1];
  term->number[1] = type->number[0];
  return true;
}

static bool add_settle(struct shk_topology *r, const struct shk_topology_entry *entry, int first)
{
  static const int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  for (int i = 0; i < 3; i++) {
    const int a = first + entry->at[0], at[2] = {a + pairs[i][0], a + pairs[i][1]};
    shk_imported_add(r->imported, SHK_ROD, at, 2)->number[0] = entry->number[i == 2];
  }
  return entry->number[0] > 0 && entry->number[1] > 0 ? true
                                                      : fail_entry(r, entry, "lengths above 0");
}

static bool add_dihedral(struct shk_topology *r, const struct shk_topology_entry *entry,
                         const struct shk_topology_entry *type, int first)
{
  const bool improper = entry->function == 2, powers = entry->function == 3;
  const int needs = improper ? 2 : powers ? NUMBERS : 3;
  if (type->count < needs)
    return fail_entry(r, type, "as many numbers as the function has");
  struct shk_bonded_term *const term =
      emit(r, improper ? SHK_IMPROPER : SHK_DIHEDRAL, entry, first, 4);
  if (powers) {
    term->own = true;
    memcpy(term->number, type->number, sizeof type->number);
    return true;
  }
  const double multiplicity = type->number[2];
  if (!improper && !(multiplicity >= 1 && multiplicity <= 9 && multiplicity == floor(multiplicity)))
    return fail_entry(r, type, "a multiplicity from 1 to 9");
  term->number[0] = type->number[1];
  term->number[1] = improper ? type->number[0] : multiplicity;
  term->number[2] = type->number[0];
  return true;
}

/* Function 9 takes all types of the same names that follow the first. */
static bool add_dihedrals(struct shk_topology *r, const struct shk_topology_entry *entry,
                          const struct shk_topology_entry *type, int first)
{
  const struct shk_topology_entry *const end = r->entries + r->entry_count, *next = type;
  const bool own = type == entry;
  do {
    if (!add_dihedral(r, entry, next, first))
      return false;
    next++;
  } while (!own && entry->function == 9 && next < end && next->section == DIHEDRAL_TYPES &&
           next->function == 9 && memcmp(next->names, type->names, sizeof type->names) == 0);
  return true;
}

static bool add_pair(struct shk_topology *r, const struct shk_topology_entry *entry,
                     const struct shk_topology_entry *type, int first)
{
  double own[2] = {0, 0};
  const bool given = type && type->count >= 2;
  if (!given && !r->generates)
    return fail_entry(r, entry, "numbers, a line of [ pairtypes ] or gen-pairs yes");
  if (given)
    memcpy(own, type->number, sizeof own);
  if (given && type == entry && !shk_topology_combine(r, &own[0], &own[1]))
    return fail_entry(r, entry, "numbers of a Lennard-Jones potential");
  struct shk_bonded_term *const term = emit(r, SHK_PAIR, entry, first, 2);
  term->own = given && own[0] > 0;
  term->number[0] = r->charges;
  term->number[1] = term->own ? own[0] : given ? 0 : r->scale;
  term->number[2] = own[1];
  return true;
}

/* Once, though a topology may name a pair from both its ends. */
static void add_exclusion(struct shk_topology *r, const struct shk_topology_entry *entry, int first)
{
  const int a = first + entry->at[0], b = first + entry->at[1];
  for (int i = 0; i < r->imported->term_count; i++) {
    const struct shk_bonded_term *const term = &r->imported->terms[i];
    const bool same = term->at[0] == a && term->at[1] == b;
    if (term->kind == SHK_EXCLUDE && (same || (term->at[0] == b && term->at[1] == a)))
      return;
  }
  emit(r, SHK_EXCLUDE, entry, first, 2);
}

static bool add_entry(struct shk_topology *r, const struct shk_topology_molecule *m,
                      const struct shk_topology_entry *entry, int first)
{
  static const enum section types[SECTIONS] = {[BONDS] = BOND_TYPES,
                                               [CONSTRAINTS] = CONSTRAINT_TYPES,
                                               [ANGLES] = ANGLE_TYPES,
                                               [DIHEDRALS] = DIHEDRAL_TYPES,
                                               [PAIRS] = PAIR_TYPES};
  const struct shk_topology_entry *const type = entry->count > 0 || !types[entry->section]
                                                    ? entry
                                                    : find_type(r, m, entry, types[entry->section]);
  if (entry->section == PAIRS)
    return m->excluded >= 3 ? add_pair(r, entry, type, first)
                            : fail_entry(r, entry, "pairs only where 3 bonds are excluded");
  if (entry->section == SETTLES)
    return add_settle(r, entry, first);
  if (entry->section == EXCLUSIONS)
    return add_exclusion(r, entry, first), true;
  if (!type)
    return fail_entry(r, entry, "numbers, or a line of the types that has them");
  if (entry->section == DIHEDRALS)
    return add_dihedrals(r, entry, type, first);
  if (entry->section != ANGLES)
    return add_bond(r, m, entry, type, first);
  if (type->count < 2)
    return fail_entry(r, type, "an angle and a force constant");
  struct shk_bonded_term *const term = emit(r, SHK_ANGLE, entry, first, 3);
  term->number[0] = type->number[1];
  term->number[1] = type->number[0];
  return true;
}

bool shk_topology_add(struct shk_topology *r, const struct shk_topology_molecule *m,
                      const struct shk_lines *l)
{
  struct shk_imported *const s = r->imported;
  const int first = s->atom_count;
  if (first + m->atom_count > SHK_PARTICLES_LIMIT)
    return shk_lines_fail(l, "more atoms", "at most 1000");
  s->atoms = shk_reallocate(s->atoms, (size_t)(first + m->atom_count + 1), sizeof *s->atoms);
  for (int i = 0; i < m->atom_count; i++)
    s->atoms[s->atom_count++] = m->atoms[i].atom;
  for (int i = 0; i < m->entry_count; i++)
    if (!add_entry(r, m, &m->entries[i], first))
      return false;
  shk_imported_exclude(s, first, s->atom_count, m->excluded);
  return true;
}
