/*
 * Topologies of GROMACS (reference manual, "File formats", .top): the directives of a molecule with
 * harmonic bonds (function 1), constraints, settles, harmonic angles (1), dihedrals (1, 4 and 9
 * periodic, 2 harmonic, 3 Ryckaert & Bellemans), pairs (1) and exclusions; their types by name, with X
 * for any; #include below the topology's folder, #define, #ifdef, #ifndef, #else, #endif.
 */
#include "results/import/gromacs.h"

#include "foundation/memory.h"

#include <stdlib.h>
#include <string.h>

static bool read_file(struct shk_topology *r, const char *path);

/* ---- one line ---- */

static bool take_name(const struct shk_lines *l, char *name, size_t size, int at)
{
  if (at >= l->count || strlen(l->words[at]) >= size ||
      strcspn(l->words[at], "\"\\") != strlen(l->words[at]))
    return shk_lines_fail(l, at < l->count ? l->words[at] : NULL, "a short name");
  strcpy(name, l->words[at]);
  return true;
}

static bool read_defaults(struct shk_topology *r, const struct shk_lines *l)
{
  int function;
  r->scale = r->charges = 1;
  if (!shk_lines_whole(l, &function, 0, 1, 1, "1: Lennard-Jones") ||
      !shk_lines_whole(l, &r->rule, 1, 1, 3, "a combination rule, 1 to 3"))
    return false;
  r->generates = l->count > 2 && strcmp(l->words[2], "yes") == 0;
  r->imported->geometric = r->rule != 2;
  r->defaults = true;
  return (l->count <= 3 || shk_lines_number(l, &r->scale, 3, "fudgeLJ")) &&
         (l->count <= 4 || shk_lines_number(l, &r->charges, 4, "fudgeQQ"));
}

/* name [bonded type] [atomic number] mass charge A sigma epsilon: told apart from the end. */
static bool read_atom_type(struct shk_topology *r, const struct shk_lines *l)
{
  struct shk_topology_type type;
  if (!r->defaults || l->count < 6)
    return shk_lines_fail(l, l->words[0], "[ defaults ] before, and at least 6 words");
  const int end = l->count - 5;
  if (!take_name(l, type.name, NAME, 0) || !shk_lines_number(l, &type.mass, end, "a mass") ||
      !shk_lines_number(l, &type.charge, end + 1, "a charge") ||
      !shk_lines_number(l, &type.sigma, end + 3, "a number") ||
      !shk_lines_number(l, &type.epsilon, end + 4, "a number"))
    return false;
  if (strcmp(l->words[end + 2], "A") != 0)
    return shk_lines_fail(l, l->words[end + 2], "the particle type A");
  if (!shk_topology_combine(r, &type.sigma, &type.epsilon))
    return shk_lines_fail(l, l->words[end + 3], "numbers of a Lennard-Jones potential");
  const bool bonded = end > 1 && !(l->words[1][0] >= '0' && l->words[1][0] <= '9');
  if (!take_name(l, type.bonded, NAME, bonded ? 1 : 0))
    return false;
  r->types = shk_grow(r->types, (size_t)r->type_count, sizeof *r->types);
  r->types[r->type_count++] = type;
  return true;
}

static bool fits(enum section section, int function)
{
  switch (section) {
  case DIHEDRALS:
  case DIHEDRAL_TYPES:
    return function <= 4 || function == 9;
  case CONSTRAINTS:
  case CONSTRAINT_TYPES:
    return function <= 2;
  default:
    return function == 1;
  }
}

/* Numbers after the names and the function. */
static bool read_numbers(struct shk_topology_entry *entry, const struct shk_lines *l, int ends)
{
  if (!shk_lines_whole(l, &entry->function, ends, 1, 20, "the number of a function"))
    return false;
  if (!fits(entry->section, entry->function))
    return shk_lines_fail(l, l->words[ends],
                          "a function that is read (bonds, angles, pairs, settles 1; "
                          "constraints 1, 2; dihedrals 1 to 4, 9)");
  if (l->count - ends - 1 > NUMBERS)
    return shk_lines_fail(l, l->words[ends + 1 + NUMBERS], "at most 6 numbers");
  for (entry->count = 0; entry->count < l->count - ends - 1; entry->count++)
    if (!shk_lines_number(l, &entry->number[entry->count], ends + 1 + entry->count, "a number"))
      return false;
  return true;
}

static bool read_type(struct shk_topology *r, const struct shk_lines *l)
{
  struct shk_topology_entry entry = {.section = r->section, .path = l->path, .line = l->line};
  const int ends = shk_topology_ends(r->section);
  for (int i = 0; i < ends; i++)
    if (!take_name(l, entry.names[i], NAME, i))
      return false;
  if (!read_numbers(&entry, l, ends))
    return false;
  if (r->section == PAIR_TYPES &&
      (entry.count < 2 || !shk_topology_combine(r, &entry.number[0], &entry.number[1])))
    return shk_lines_fail(l, "a pair without", "two numbers of a Lennard-Jones potential");
  r->entries = shk_grow(r->entries, (size_t)r->entry_count, sizeof *r->entries);
  r->entries[r->entry_count++] = entry;
  return true;
}

static bool read_molecule(struct shk_topology *r, const struct shk_lines *l)
{
  struct shk_topology_molecule molecule = {.atom_count = 0};
  if (!take_name(l, molecule.name, sizeof molecule.name, 0) ||
      !shk_lines_whole(l, &molecule.excluded, 1, 0, 9, "the bonds between excluded pairs, 0 to 9"))
    return false;
  r->molecules = shk_grow(r->molecules, (size_t)r->molecule_count, sizeof *r->molecules);
  r->molecules[r->molecule_count++] = molecule;
  return true;
}

static bool good_name(const char *name)
{
  return name[0] != '-' && strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                        "0123456789'*+-_") == strlen(name);
}

/* nr type resnr residue atom cgnr [charge [mass]] */
static bool read_atom(const struct shk_topology *r, struct shk_topology_molecule *m,
                      const struct shk_lines *l)
{
  struct shk_topology_atom atom = {.type = ""};
  int number;
  if (m->atom_count == SHK_PARTICLES_LIMIT)
    return shk_lines_fail(l, "more atoms", "at most 1000");
  if (!shk_lines_whole(l, &number, 0, m->atom_count + 1, m->atom_count + 1,
                       "atoms in order, from 1") ||
      !take_name(l, atom.type, NAME, 1) || !take_name(l, atom.atom.name, SHK_ATOM_NAME, 4))
    return false;
  const struct shk_topology_type *const type = shk_topology_type(r, atom.type);
  if (!type || !good_name(atom.atom.name))
    return shk_lines_fail(l, l->words[type ? 4 : 1],
                          type ? "a name of letters, digits, ', *, +, -, _"
                               : "a name of [ atomtypes ]");
  atom.atom.mass = type->mass;
  atom.atom.charge = type->charge;
  atom.atom.sigma = type->sigma;
  atom.atom.epsilon = type->epsilon;
  if ((l->count > 6 && !shk_lines_number(l, &atom.atom.charge, 6, "a charge")) ||
      (l->count > 7 && !shk_lines_number(l, &atom.atom.mass, 7, "a mass")))
    return false;
  if (l->count > 8 || !(atom.atom.mass > 0))
    return shk_lines_fail(l, l->words[l->count - 1], "a mass above 0, and no second state");
  m->atoms = shk_grow(m->atoms, (size_t)m->atom_count, sizeof *m->atoms);
  m->atoms[m->atom_count++] = atom;
  return true;
}

static bool read_entry(struct shk_topology_molecule *m, const struct shk_lines *l,
                       struct shk_topology_entry entry, int ends)
{
  for (int i = 0; i < ends; i++) {
    if (!shk_lines_whole(l, &entry.at[i], i, 1, m->atom_count, "the number of an atom"))
      return false;
    entry.at[i]--;
    for (int j = 0; j < i; j++)
      if (entry.at[i] == entry.at[j])
        return shk_lines_fail(l, l->words[i], "different atoms");
  }
  if (entry.section != EXCLUSIONS && !read_numbers(&entry, l, ends))
    return false;
  if (entry.section == SETTLES && (entry.count != 2 || entry.at[0] + 3 > m->atom_count))
    return shk_lines_fail(l, l->words[0], "the first of three atoms and two lengths");
  m->entries = shk_grow(m->entries, (size_t)m->entry_count, sizeof *m->entries);
  m->entries[m->entry_count++] = entry;
  return true;
}

/* An atom, and all those that it does not see. */
static bool read_exclusions(struct shk_topology_molecule *m, struct shk_lines *l,
                            struct shk_topology_entry entry)
{
  for (int i = 1; i < l->count; i++) {
    char *const second = l->words[1];
    l->words[1] = l->words[i];
    const bool ok = read_entry(m, l, entry, 2);
    l->words[1] = second;
    if (!ok)
      return false;
  }
  return true;
}

static bool read_molecules(struct shk_topology *r, const struct shk_lines *l)
{
  int count;
  if (!shk_lines_whole(l, &count, 1, 0, SHK_PARTICLES_LIMIT, "how many there are, up to 1000"))
    return false;
  for (int i = 0; i < r->molecule_count; i++)
    if (strcmp(r->molecules[i].name, l->words[0]) == 0) {
      for (int k = 0; k < count; k++)
        if (!shk_topology_add(r, &r->molecules[i], l))
          return false;
      return true;
    }
  return shk_lines_fail(l, l->words[0], "the name of a [ moleculetype ]");
}

/* ---- lines of a file ---- */

static bool read_section(struct shk_topology *r, const struct shk_lines *l)
{
  for (int i = 1; i < SECTIONS && l->count == 3; i++)
    if (strcmp(l->words[1], shk_topology_sections[i]) == 0) {
      r->section = (enum section)i;
      return true;
    }
  return shk_lines_fail(l, l->count > 1 ? l->words[1] : l->words[0],
                        "a directive that is read (see the manual page)");
}

static bool read_words(struct shk_topology *r, struct shk_lines *l)
{
  struct shk_topology_molecule *const m =
      r->molecule_count > 0 ? &r->molecules[r->molecule_count - 1] : NULL;
  const struct shk_topology_entry entry = {.section = r->section, .path = l->path, .line = l->line};
  if (r->section >= ATOMS && r->section <= EXCLUSIONS && !m)
    return shk_lines_fail(l, l->words[0], "[ moleculetype ] before");
  switch (r->section) {
  case NOWHERE:
    return shk_lines_fail(l, l->words[0], "a directive, [ … ]");
  case DEFAULTS:
    return read_defaults(r, l);
  case ATOM_TYPES:
    return read_atom_type(r, l);
  case MOLECULE_TYPE:
    return read_molecule(r, l);
  case ATOMS:
    return read_atom(r, m, l);
  case EXCLUSIONS:
    return read_exclusions(m, l, entry);
  case SYSTEM:
    return true;
  case MOLECULES:
    return read_molecules(r, l);
  default:
    return r->section < MOLECULE_TYPE ? read_type(r, l)
                                      : read_entry(m, l, entry, shk_topology_ends(r->section));
  }
}

static const struct shk_topology_macro *macro_of(const struct shk_topology *r, const char *name)
{
  for (int i = 0; i < r->macro_count; i++)
    if (strcmp(r->macros[i].name, name) == 0)
      return &r->macros[i];
  return NULL;
}

static void define(struct shk_topology *r, const struct shk_lines *l, int from)
{
  char *text = shk_copy_text("");
  for (int i = from + 1; i < l->count; i++)
    shk_append_text(&text, "%s ", l->words[i]);
  r->macros = shk_grow(r->macros, (size_t)r->macro_count, sizeof *r->macros);
  r->macros[r->macro_count++] = (struct shk_topology_macro){shk_copy_text(l->words[from]), text};
}

/* The line with its last words that are macros, as in "1 2 3 4 9 improper_Z_N_X_Y". */
static char *expand(const struct shk_topology *r, const struct shk_lines *l)
{
  char *text = shk_copy_text("");
  for (int i = 0; i < l->count; i++) {
    const struct shk_topology_macro *const macro = macro_of(r, l->words[i]);
    shk_append_text(&text, "%s ", macro ? macro->text : l->words[i]);
  }
  return text;
}

static bool include(struct shk_topology *r, const struct shk_lines *l)
{
  if (l->count < 2 || strlen(l->words[1]) < 3 || l->words[1][0] != '"' || r->depth == DEPTH)
    return shk_lines_fail(l, l->count > 1 ? l->words[1] : NULL,
                          "a file in quotes, in at most 8 that include each other");
  char *const path = shk_copy_text(l->words[1] + 1);
  path[strlen(path) - 1] = '\0';
  r->paths = shk_grow(r->paths, (size_t)r->path_count, sizeof *r->paths);
  r->paths[r->path_count++] = path; /* entries keep it */
  return read_file(r, path);
}

/* `skips`: how many of the `open` conditions stand, and how many of them from the first false one. */
static bool directive(struct shk_topology *r, const struct shk_lines *l, int *open, int *skips)
{
  const char *const word = l->words[0];
  const bool wants = strcmp(word, "#ifdef") == 0, lacks = strcmp(word, "#ifndef") == 0;
  if ((wants || lacks) && l->count == 2) {
    (*open)++;
    if (*skips > 0 || (macro_of(r, l->words[1]) != NULL) == lacks)
      (*skips)++;
    return true;
  }
  if (strcmp(word, "#else") == 0 && *open > 0) {
    *skips = *skips == 0 ? 1 : *skips == 1 ? 0 : *skips;
    return true;
  }
  if (strcmp(word, "#endif") == 0 && *open > 0) {
    (*open)--;
    *skips -= *skips > 0;
    return true;
  }
  if (*skips > 0)
    return true;
  if (strcmp(word, "#include") == 0)
    return include(r, l);
  if (strcmp(word, "#define") == 0 && l->count > 1)
    return define(r, l, 1), true;
  return shk_lines_fail(l, word, "#include, #define, #ifdef, #ifndef, #else or #endif");
}

static bool read_line(struct shk_topology *r, struct shk_lines *l)
{
  if (l->words[0][0] == '[')
    return read_section(r, l);
  char *const text = expand(r, l);
  l->current = text;
  const bool ok = shk_lines_split(l, ';') && (l->count == 0 || read_words(r, l));
  free(text);
  return ok;
}

/* Brackets apart from their words, as "[atoms]" may be written. */
static char *spaced(const char *line)
{
  char *const text = shk_allocate(3 * strlen(line) + 1, 1);
  char *at = text;
  const bool brackets = line[strspn(line, " \t")] == '[';
  for (const char *c = line; *c; c++)
    if (brackets && (*c == '[' || *c == ']')) {
      *at++ = ' ';
      *at++ = *c;
      *at++ = ' ';
    } else {
      *at++ = *c;
    }
  *at = '\0';
  return text;
}

static bool read_lines(struct shk_topology *r, struct shk_lines *l)
{
  int open = 0, skips = 0;
  bool ok = true;
  while (ok && shk_lines_next(l)) {
    char *const text = spaced(l->current);
    l->current = text;
    ok = shk_lines_split(l, ';');
    if (ok && l->count > 0 && l->words[0][0] == '#')
      ok = directive(r, l, &open, &skips);
    else if (ok && l->count > 0 && skips == 0)
      ok = read_line(r, l);
    free(text);
  }
  return ok && (open == 0 || shk_lines_fail(l, "the end of the file", "#endif"));
}

static bool read_file(struct shk_topology *r, const char *path)
{
  struct shk_lines lines;
  if (!shk_lines_open(&lines, r->folder, path, r->error))
    return false;
  r->depth++;
  const bool ok = read_lines(r, &lines);
  r->depth--;
  shk_lines_close(&lines);
  return ok;
}

static void clear(struct shk_topology *r)
{
  for (int i = 0; i < r->molecule_count; i++) {
    free(r->molecules[i].atoms);
    free(r->molecules[i].entries);
  }
  for (int i = 0; i < r->macro_count; i++) {
    free(r->macros[i].name);
    free(r->macros[i].text);
  }
  free(r->molecules);
  free(r->macros);
  free(r->types);
  free(r->entries);
  shk_free_texts(r->paths, r->path_count);
}

bool shk_import_gromacs(struct shk_imported *imported, const char *folder, const char *path,
                        const char *name, enum shk_rigid rigid, struct shk_message *error)
{
  struct shk_topology r = {.imported = imported, .error = error, .folder = folder, .rigid = rigid};
  *imported = (struct shk_imported){0};
  if (name) {
    char *words[1] = {shk_copy_text(name)};
    struct shk_lines line = {.count = 1};
    line.words[0] = words[0];
    define(&r, &line, 0);
    free(words[0]);
  }
  bool ok = read_file(&r, path);
  if (ok && imported->atom_count == 0) {
    shk_message_set(error, "%s: found no molecules, expected [ molecules ] with some", path);
    ok = false;
  }
  clear(&r);
  if (!ok)
    shk_imported_clear(imported);
  return ok;
}
