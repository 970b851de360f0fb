/*
 * Molecules read from the files of other programs, to be written as a system of particles
 * (docs/systems-from-files.md). In nm, ps, u, e and kJ/mol, whatever the file has; numbers are doubles,
 * which keep 15 decimal digits of what was read.
 */
#ifndef RESULTS_IMPORT_IMPORTED_H
#define RESULTS_IMPORT_IMPORTED_H

#include "foundation/message.h"
#include "problems/kit/particles_file.h"
#include <stdio.h>

enum { SHK_ATOM_NAME = 16 };

struct shk_atom {
  char name[SHK_ATOM_NAME];
  double mass, charge, sigma, epsilon, position[3], velocity[3];
  bool moves; /* whether a velocity was given */
};

/* What acts between atoms: the numbers are, of a rod, its length; of a spring, stiffness and length; of
 * a pair, the factor of charges and that of the sites; with `own`, the former, sigma and epsilon; of
 * angles and impropers, stiffness and degrees; of a dihedral stiffness, multiplicity and degrees or, with
 * `own`, six powers of cosines. */
struct shk_bonded_term {
  enum shk_particles_kind kind;
  int at[SHK_TERM_ENDS];
  bool own;
  double number[SHK_TERM_COSINES];
};

struct shk_imported {
  int atom_count, term_count;
  struct shk_atom *atoms;
  struct shk_bonded_term *terms;
  bool geometric; /* the rule of combination of sigma */
};

/* Which bonds are rods and not springs. */
enum shk_rigid { SHK_RIGID_NONE, SHK_RIGID_HYDROGEN, SHK_RIGID_ALL };

/* The subsets that are read are in docs/systems-from-files.md; whatever else a file has is refused with file,
 * line, what was found and what was expected. `define`: as #define in a topology; NULL: nothing. */
bool shk_import_gromacs(struct shk_imported *imported, const char *folder, const char *path,
                        const char *define, enum shk_rigid rigid, struct shk_message *error);
/* What a data file of LAMMPS leaves to the input script: pairs at most so many bonds apart do not act (special_bonds:
 * 0 0 0 is 3, 0 0 1 is 2), and the rule of combination (pair_modify mix). */
struct shk_lammps_rules {
  enum shk_rigid rigid;
  int excluded;
  bool geometric;
};
bool shk_import_lammps(struct shk_imported *imported, const char *folder, const char *path,
                       const struct shk_lammps_rules *rules, struct shk_message *error);
/* Positions (and velocities) from a .gro or a .pdb, for atoms that are there already. */
bool shk_import_coordinates(struct shk_imported *imported, const char *folder, const char *path,
                            struct shk_message *error);
void shk_imported_clear(struct shk_imported *imported);

/* Adds a term at these atoms, which are as many as its kind has. */
struct shk_bonded_term *shk_imported_add(struct shk_imported *imported,
                                         enum shk_particles_kind kind, const int *at, int ends);
/* Adds pairs to exclude of atoms first … end-1: what is at most so many bonds apart, unless a rod or a
 * pair of its own joins it. */
void shk_imported_exclude(struct shk_imported *imported, int first, int end, int bonds);

/* Writes the system of particles. `source`: what it was made from. */
void shk_imported_write(FILE *out, const struct shk_imported *imported, const char *source);

#endif
