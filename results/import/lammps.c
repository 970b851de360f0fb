/*
 * Data files of LAMMPS, units real (Å, fs, kcal/mol, u, e), as `write_data` makes them: the sections say which
 * styles their numbers are for ("Atoms # full"). Harmonic bonds and angles have no ½ there, K (r - r0)².
 * https://docs.lammps.org/read_data.html, special_bonds.html, pair_modify.html
 */
#include "results/import/imported.h"
#include "results/import/lines.h"

#include "foundation/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CALORIE 4.184       /* kJ in a kcal */
#define ANGSTROM 0.1        /* nm */
#define PER_FEMTOSECOND 100 /* nm/ps in Å/fs */
#define LIGHTEST_HEAVY 1.5  /* u: what is lighter is hydrogen */

enum { TYPES = SHK_PARTICLES_LIMIT, NUMBERS = 5, KINDS = 5 };

/* What there are types of: atoms by their pair coefficients, and four kinds of terms. */
static const struct {
  const char *one, *coefficients, *terms;
  int ends;
  enum shk_particles_kind kind;
} kinds[KINDS] = {{"atom", "Pair Coeffs", NULL, 0, SHK_PARTICLES_KINDS},
                  {"bond", "Bond Coeffs", "Bonds", 2, SHK_SPRING},
                  {"angle", "Angle Coeffs", "Angles", 3, SHK_ANGLE},
                  {"dihedral", "Dihedral Coeffs", "Dihedrals", 4, SHK_DIHEDRAL},
                  {"improper", "Improper Coeffs", "Impropers", 4, SHK_IMPROPER}};

/* The columns of a line of atoms: of type, charge (-1: none) and x; the first is the number. */
static const struct style {
  const char *name;
  int type, charge, x;
} styles[] = {{"full", 2, 3, 4},   {"molecular", 2, -1, 3}, {"bond", 2, -1, 3}, {"angle", 2, -1, 3},
              {"charge", 1, 2, 3}, {"atomic", 1, -1, 2},    {NULL, 0, 0, 0}};

struct coefficients {
  bool given;
  int count;
  double number[NUMBERS];
};

struct data {
  struct shk_imported *imported;
  struct shk_lines lines;
  const struct shk_lammps_rules *rules;
  int counts[KINDS], types[KINDS]; /* as the header has them */
  char style[KINDS][32];           /* of coefficients */
  struct coefficients *table[KINDS];
  double *mass;
  double size[3];
  bool tilted, *placed;
};

/* ---- the header ---- */

static bool is_header_of(const struct shk_lines *l, const char *const *words, int from)
{
  for (int i = 0; words[i]; i++)
    if (from + i >= l->count || strcmp(l->words[from + i], words[i]) != 0)
      return false;
  return true;
}

/* "4 atoms", "2 bond types" */
static bool read_count(struct data *d, bool *is_one)
{
  const struct shk_lines *const l = &d->lines;
  for (int k = 0; k < KINDS; k++) {
    char plural[16];
    snprintf(plural, sizeof plural, "%ss", kinds[k].one);
    const bool of_types = is_header_of(l, (const char *const[]){kinds[k].one, "types", NULL}, 1);
    *is_one = of_types || is_header_of(l, (const char *const[]){plural, NULL}, 1);
    if (*is_one)
      return shk_lines_whole(l, of_types ? &d->types[k] : &d->counts[k], 0, 0,
                             of_types || k == 0 ? SHK_PARTICLES_LIMIT : 20 * SHK_PARTICLES_LIMIT,
                             "how many there are, of atoms and types at most 1000");
  }
  return true;
}

static bool read_header(struct data *d)
{
  static const char *const sides[3][3] = {
      {"xlo", "xhi", NULL}, {"ylo", "yhi", NULL}, {"zlo", "zhi", NULL}};
  const struct shk_lines *const l = &d->lines;
  bool is_one;
  if (!read_count(d, &is_one))
    return false;
  if (is_one)
    return true;
  for (int k = 0; k < 3; k++)
    if (is_header_of(l, sides[k], 2)) {
      double low, high;
      if (!shk_lines_number(l, &low, 0, "a number") || !shk_lines_number(l, &high, 1, "a number"))
        return false;
      d->size[k] = high - low;
      return true;
    }
  const bool tilts = is_header_of(l, (const char *const[]){"xy", "xz", "yz", NULL}, 3);
  d->tilted = d->tilted || tilts;
  return tilts || (l->count > 1 && strcmp(l->words[1], "extra") == 0) ||
         shk_lines_fail(l, l->words[0], "a line of the header, or a section that is read");
}

/* ---- atoms ---- */

static bool read_mass(struct data *d)
{
  int type;
  double mass;
  if (!shk_lines_whole(&d->lines, &type, 0, 1, d->types[0], "the number of an atom type") ||
      !shk_lines_number(&d->lines, &mass, 1, "a mass"))
    return false;
  d->mass[type - 1] = mass;
  return mass > 0 || shk_lines_fail(&d->lines, d->lines.words[1], "a mass above 0");
}

static bool whole_atom(const struct data *d, int *number, int at)
{
  return shk_lines_whole(&d->lines, number, at, 1, d->counts[0], "the number of an atom");
}

/* x, y, z from a column on, and after them how many boxes further it is */
static bool read_place(const struct data *d, double *position, int from)
{
  const struct shk_lines *const l = &d->lines;
  int image[3] = {0, 0, 0};
  for (int k = 0; k < 3; k++)
    if (!shk_lines_number(l, &position[k], from + k, "a coordinate") ||
        (l->count > from + 3 &&
         !shk_lines_whole(l, &image[k], from + 3 + k, -1000000, 1000000, "an image")))
      return false;
  if (d->tilted && (image[0] || image[1] || image[2]))
    return shk_lines_fail(l, l->words[from + 3], "image 0 in a box that is not rectangular");
  for (int k = 0; k < 3; k++)
    position[k] = ANGSTROM * (position[k] + image[k] * d->size[k]);
  return true;
}

static bool read_atom(struct data *d, const struct style *style)
{
  const struct shk_lines *const l = &d->lines;
  struct shk_atom atom = {.name = ""};
  int number, type;
  if (!whole_atom(d, &number, 0) ||
      !shk_lines_whole(l, &type, style->type, 1, d->types[0], "the number of an atom type") ||
      (style->charge >= 0 && !shk_lines_number(l, &atom.charge, style->charge, "a charge")) ||
      !read_place(d, atom.position, style->x))
    return false;
  const struct coefficients *const c = &d->table[0][type - 1];
  atom.mass = d->mass[type - 1];
  if (!c->given || c->count < 2 || strncmp(d->style[0], "lj/", 3) != 0)
    return shk_lines_fail(l, l->words[style->type],
                          "a type that has pair coefficients before, of a style lj/…");
  if (!(atom.mass > 0) || d->placed[number - 1])
    return shk_lines_fail(l, l->words[atom.mass > 0 ? 0 : style->type],
                          atom.mass > 0 ? "each atom once" : "a type that has a mass before");
  snprintf(atom.name, sizeof atom.name, "%s%d", atom.mass < LIGHTEST_HEAVY ? "H" : "T", type);
  atom.epsilon = CALORIE * c->number[0];
  atom.sigma = ANGSTROM * c->number[1];
  d->imported->atoms[number - 1] = atom;
  d->placed[number - 1] = true;
  return true;
}

static bool read_velocity(struct data *d)
{
  int number;
  if (!whole_atom(d, &number, 0))
    return false;
  struct shk_atom *const atom = &d->imported->atoms[number - 1];
  if (!d->placed[number - 1])
    return shk_lines_fail(&d->lines, d->lines.words[0], "an atom that has a place before");
  for (int k = 0; k < 3; k++) {
    if (!shk_lines_number(&d->lines, &atom->velocity[k], 1 + k, "a velocity"))
      return false;
    atom->velocity[k] *= PER_FEMTOSECOND;
  }
  atom->moves = true;
  return true;
}

/* ---- terms ---- */

static bool read_coefficients(struct data *d, int k)
{
  const struct shk_lines *const l = &d->lines;
  int type;
  if (!shk_lines_whole(l, &type, 0, 1, d->types[k], "the number of a type"))
    return false;
  struct coefficients *const c = &d->table[k][type - 1];
  c->given = true;
  c->count = l->count - 1;
  for (int i = 0; i < c->count; i++)
    if (i == NUMBERS ||
        !shk_lines_number(l, &c->number[i], 1 + i, "a number of these coefficients"))
      return i < NUMBERS ? false : shk_lines_fail(l, l->words[1 + i], "fewer numbers");
  return true;
}

static void add_periodic(struct data *d, const int *at, double stiffness, double count,
                         double phase)
{
  if (stiffness == 0)
    return;
  struct shk_bonded_term *const term = shk_imported_add(d->imported, SHK_DIHEDRAL, at, 4);
  term->number[0] = CALORIE * stiffness;
  term->number[1] = count;
  term->number[2] = phase;
}

static bool is_multiplicity(double n)
{
  return n >= 1 && n <= 6 && n == floor(n);
}

/* opls:            ½ K_1 (1 + cos φ) + ½ K_2 (1 - cos 2φ) + ½ K_3 (1 + cos 3φ) + ½ K_4 (1 - cos 4φ)
 * harmonic:        K (1 + d cos nφ), d being 1 or -1
 * charmm:          K (1 + cos(nφ - d)), whose fourth number, a weight of pairs, must be 0
 * multi/harmonic:  Σ A_n cosⁿ⁻¹ φ, n = 1 … 5; our powers are of cos(φ - 180°) */
static bool add_dihedral(struct data *d, const int *at, const struct coefficients *c)
{
  const char *const style = d->style[3];
  const double *const x = c->number;
  if (strcmp(style, "opls") == 0 && c->count == 4) {
    for (int i = 0; i < 4; i++)
      add_periodic(d, at, x[i] / 2, i + 1, i % 2 ? 180 : 0);
    return true;
  }
  if (strcmp(style, "harmonic") == 0 && c->count == 3 && fabs(x[1]) == 1 && is_multiplicity(x[2])) {
    add_periodic(d, at, x[0], x[2], x[1] < 0 ? 180 : 0);
    return true;
  }
  if (strcmp(style, "charmm") == 0 && c->count == 4 && is_multiplicity(x[1]) && x[3] == 0) {
    add_periodic(d, at, x[0], x[1], x[2]);
    return true;
  }
  if (strcmp(style, "multi/harmonic") == 0 && c->count == 5) {
    struct shk_bonded_term *const term = shk_imported_add(d->imported, SHK_DIHEDRAL, at, 4);
    term->own = true;
    for (int i = 0; i < 5; i++)
      term->number[i] = CALORIE * (i % 2 ? -x[i] : x[i]);
    return true;
  }
  return shk_lines_fail(&d->lines, d->lines.words[1],
                        "a type of style opls, harmonic, charmm with weight 0, or multi/harmonic");
}

static bool is_rod(const struct data *d, const int *at)
{
  const struct shk_atom *const atoms = d->imported->atoms;
  return d->rules->rigid == SHK_RIGID_ALL ||
         (d->rules->rigid == SHK_RIGID_HYDROGEN &&
          (atoms[at[0]].mass < LIGHTEST_HEAVY || atoms[at[1]].mass < LIGHTEST_HEAVY));
}

/* Bonds, angles and impropers, K (x - x0)²; of impropers those about 0, whose sign says nothing. */
static bool add_harmonic(struct data *d, int k, const int *at, const struct coefficients *c)
{
  const double *const x = c->number;
  const bool flat = kinds[k].kind != SHK_IMPROPER || x[1] == 0;
  if (strcmp(d->style[k], "harmonic") != 0 || c->count != 2 || !flat)
    return shk_lines_fail(&d->lines, d->lines.words[1],
                          flat ? "a type of style harmonic, with two numbers"
                               : "an improper about 0");
  const bool rod = k == 1 && is_rod(d, at);
  struct shk_bonded_term *const term =
      shk_imported_add(d->imported, rod ? SHK_ROD : kinds[k].kind, at, kinds[k].ends);
  const double stiffness = 2 * CALORIE * x[0];
  if (rod) {
    term->number[0] = ANGSTROM * x[1];
    return true;
  }
  term->number[0] = k == 1 ? stiffness / (ANGSTROM * ANGSTROM) : stiffness;
  term->number[1] = k == 1 ? ANGSTROM * x[1] : x[1];
  return true;
}

static bool read_term(struct data *d, int k)
{
  const struct shk_lines *const l = &d->lines;
  int type, at[SHK_TERM_ENDS];
  if (!shk_lines_whole(l, &type, 1, 1, d->types[k], "the number of a type"))
    return false;
  for (int i = 0; i < kinds[k].ends; i++) {
    if (!whole_atom(d, &at[i], 2 + i))
      return false;
    at[i]--;
    for (int j = 0; j < i; j++)
      if (at[i] == at[j])
        return shk_lines_fail(l, l->words[2 + i], "different atoms");
  }
  const struct coefficients *const c = &d->table[k][type - 1];
  if (!c->given)
    return shk_lines_fail(l, l->words[1], "a type that has coefficients before");
  return kinds[k].kind == SHK_DIHEDRAL ? add_dihedral(d, at, c) : add_harmonic(d, k, at, c);
}

/* ---- sections ---- */

/* A section that is being read: what its lines are. */
struct section {
  enum { HEADER, MASSES, ATOMS, VELOCITIES, COEFFICIENTS, TERMS } what;
  int k;
  const struct style *style;
};

/* The style behind "#", "" without. */
static bool read_style(const struct data *d, char *style, size_t size, const char *hint)
{
  while (hint && *hint == ' ')
    hint++;
  const size_t length = hint ? strcspn(hint, " \t") : 0;
  if (length >= size)
    return shk_lines_fail(&d->lines, hint, "the name of a style");
  snprintf(style, size, "%.*s", (int)length, hint ? hint : "");
  return true;
}

static bool begin_atoms(struct data *d, struct section *section, const char *hint)
{
  char name[32];
  if (!read_style(d, name, sizeof name, hint))
    return false;
  for (section->style = styles; section->style->name; section->style++)
    if (strcmp(section->style->name, name) == 0)
      return true;
  return shk_lines_fail(
      &d->lines, name[0] ? name : "no style",
      "the style of atoms: Atoms # full, molecular, bond, angle, charge or atomic");
}

/* Whether the current line begins a section; its text is then `title`, what is behind "#" `hint`. */
static bool begin_section(struct data *d, struct section *section, const char *title,
                          const char *hint, bool *begins)
{
  *begins = true;
  *section = (struct section){.what = HEADER};
  if (strcmp(title, "Masses") == 0 || strcmp(title, "Velocities") == 0) {
    section->what = title[0] == 'M' ? MASSES : VELOCITIES;
    return true;
  }
  if (strcmp(title, "Atoms") == 0) {
    section->what = ATOMS;
    return begin_atoms(d, section, hint);
  }
  for (section->k = 0; section->k < KINDS; section->k++) {
    const bool terms = kinds[section->k].terms && strcmp(title, kinds[section->k].terms) == 0;
    section->what = terms ? TERMS : COEFFICIENTS;
    if (terms)
      return true;
    if (strcmp(title, kinds[section->k].coefficients) == 0)
      return read_style(d, d->style[section->k], sizeof d->style[0], hint);
  }
  *begins = false;
  return true;
}

static bool read_line_of(struct data *d, const struct section *section)
{
  switch (section->what) {
  case MASSES:
    return read_mass(d);
  case ATOMS:
    return read_atom(d, section->style);
  case VELOCITIES:
    return read_velocity(d);
  case COEFFICIENTS:
    return read_coefficients(d, section->k);
  case TERMS:
    return read_term(d, section->k);
  default:
    return read_header(d);
  }
}

/* Room for what the header has announced. */
static void make_room(struct data *d)
{
  if (d->mass)
    return;
  d->mass = shk_allocate(TYPES, sizeof *d->mass);
  d->placed = shk_allocate(SHK_PARTICLES_LIMIT, sizeof *d->placed);
  for (int k = 0; k < KINDS; k++)
    d->table[k] = shk_allocate(TYPES, sizeof **d->table);
  d->imported->atom_count = d->counts[0];
  d->imported->atoms = shk_allocate((size_t)d->counts[0] + 1, sizeof *d->imported->atoms);
}

static bool read_lines(struct data *d)
{
  struct section section = {.what = HEADER}, next;
  struct shk_lines *const l = &d->lines;
  if (!shk_lines_next(l)) /* the title */
    return shk_lines_fail(l, "the end of the file", "a title");
  const char *const units = strstr(l->current, "units = ");
  if (units && strncmp(units, "units = real", 12) != 0)
    return shk_lines_fail(l, units, "units = real");
  while (shk_lines_next(l)) {
    char *const hint = strchr(l->current, '#');
    char title[32];
    bool begins = false;
    const size_t length = hint ? (size_t)(hint - l->current) : strlen(l->current);
    size_t end = length;
    while (end > 0 && (l->current[end - 1] == ' ' || l->current[end - 1] == '\t'))
      end--;
    snprintf(title, sizeof title, "%.*s", (int)(end < sizeof title ? end : 0), l->current);
    if (!begin_section(d, &next, title, hint ? hint + 1 : NULL, &begins))
      return false;
    if (begins) {
      section = next;
      make_room(d);
      continue;
    }
    if (!shk_lines_split(l, '#'))
      return false;
    if (l->count > 0 && !read_line_of(d, &section))
      return false;
  }
  for (int i = 0; i < d->counts[0]; i++)
    if (!d->placed || !d->placed[i])
      return shk_lines_fail(l, "fewer atoms", "as many as the header has");
  return d->counts[0] > 0 || shk_lines_fail(l, "no atoms", "some");
}

bool shk_import_lammps(struct shk_imported *imported, const char *folder, const char *path,
                       const struct shk_lammps_rules *rules, struct shk_message *error)
{
  struct data d = {.imported = imported, .rules = rules};
  if (!shk_lines_open(&d.lines, folder, path, error))
    return false;
  imported->geometric = rules->geometric;
  const bool ok = read_lines(&d);
  if (ok)
    shk_imported_exclude(imported, 0, imported->atom_count, rules->excluded);
  shk_lines_close(&d.lines);
  for (int k = 0; k < KINDS; k++)
    free(d.table[k]);
  free(d.mass);
  free(d.placed);
  return ok;
}
