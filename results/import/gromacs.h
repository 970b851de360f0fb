/*
 * A topology of GROMACS while it is read: its lines (gromacs.c), and the molecules that they make
 * (gromacs_molecules.c).
 */
#ifndef RESULTS_IMPORT_GROMACS_H
#define RESULTS_IMPORT_GROMACS_H

#include "results/import/imported.h"
#include "results/import/lines.h"

enum { NAME = 16, NUMBERS = 6, DEPTH = 8 };

enum section {
  NOWHERE,
  DEFAULTS,
  ATOM_TYPES,
  BOND_TYPES,
  CONSTRAINT_TYPES,
  ANGLE_TYPES,
  DIHEDRAL_TYPES,
  PAIR_TYPES,
  MOLECULE_TYPE,
  ATOMS,
  BONDS,
  CONSTRAINTS,
  SETTLES,
  ANGLES,
  DIHEDRALS,
  PAIRS,
  EXCLUSIONS,
  SYSTEM,
  MOLECULES,
  SECTIONS
};

/* What a line of terms or of their types has: names of types, or indices of atoms from 0. */
struct shk_topology_entry {
  enum section section;
  char names[SHK_TERM_ENDS][NAME];
  int at[SHK_TERM_ENDS];
  int function, count;
  double number[NUMBERS];
  const char *path; /* of its line */
  int line;
};

struct shk_topology_type {
  char name[NAME], bonded[NAME];
  double mass, charge, sigma, epsilon;
};

struct shk_topology_atom {
  char type[NAME];
  struct shk_atom atom;
};

struct shk_topology_molecule {
  char name[64];
  int excluded, atom_count, entry_count;
  struct shk_topology_atom *atoms;
  struct shk_topology_entry *entries;
};

struct shk_topology_macro {
  char *name, *text;
};

struct shk_topology {
  struct shk_imported *imported;
  struct shk_message *error;
  const char *folder;
  enum shk_rigid rigid;
  enum section section;
  int rule, depth;
  bool defaults, generates;
  double scale, charges; /* fudgeLJ, fudgeQQ */
  int type_count, entry_count, molecule_count, macro_count, path_count;
  struct shk_topology_type *types;
  struct shk_topology_entry *entries; /* types of bonds and so on */
  struct shk_topology_molecule *molecules;
  struct shk_topology_macro *macros;
  char **paths;
};

/* The directive of each section. */
extern const char *const shk_topology_sections[SECTIONS];

/* How many atoms a line of the section names. */
int shk_topology_ends(enum section section);
/* The atom type of this name; NULL: none. */
const struct shk_topology_type *shk_topology_type(const struct shk_topology *r, const char *name);
/* Turns C6 and C12 into sigma and epsilon where the combination rule has them. False: no potential. */
bool shk_topology_combine(const struct shk_topology *r, double *sigma, double *epsilon);
/* Adds one more of the molecules to what is imported; the line is that of [ molecules ]. */
bool shk_topology_add(struct shk_topology *r, const struct shk_topology_molecule *m,
                      const struct shk_lines *l);

#endif
