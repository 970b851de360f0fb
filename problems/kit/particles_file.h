/*
 * Systems of particles written in YAML, read into text: numbers stay decimal, so that each
 * precision reads all of their digits; names become indices. All faults of a file that show without
 * computing are reported here, with file, line, what was found and what was expected.
 */
#ifndef PROBLEMS_KIT_PARTICLES_FILE_H
#define PROBLEMS_KIT_PARTICLES_FILE_H

#include "foundation/message.h"
#include <shakedown/values.h>
#include <stdbool.h>
#include <stddef.h>

enum {
  SHK_PARTICLES_LIMIT = 1000,        /* particles and fixed points together */
  SHK_PARTICLES_FILE_LIMIT = 1 << 20 /* bytes */
};

/* Numbers are canonical decimal text (foundation/number.h); NULL: not given. */
struct shk_particles_point {
  char *name;
  int line;
  int index; /* among the particles from 0, or of the fixed point k: -1 - k */
  char *mass;
  char *position[3], *velocity[3]; /* velocity[0] NULL: at rest */
  char *charge, *sigma, *epsilon;  /* the last two together */
};

/* What acts between points, or does not. */
enum shk_particles_kind {
  SHK_ROD,
  SHK_SPRING,
  SHK_EXCLUDE,
  SHK_PAIR, /* charges and sites that act otherwise than by the points' own numbers */
  SHK_ANGLE,
  SHK_DIHEDRAL,
  SHK_IMPROPER,
  SHK_PARTICLES_KINDS
};
enum { SHK_TERM_ENDS = 4, SHK_TERM_COSINES = 6 };

/* One of them. `at` are indices as in the point; of two ends the first is the lower: only it can be
 * fixed. */
struct shk_particles_term {
  int line;
  char *names[SHK_TERM_ENDS];
  int at[SHK_TERM_ENDS];
  char *length, *stiffness, *angle, *multiplicity, *phase;
  char *coulomb, *lennard_jones, *sigma, *epsilon; /* factors; the last two together */
  char *cosines[SHK_TERM_COSINES];
  int cosine_count;
};

struct shk_particles_terms {
  int count;
  struct shk_particles_term *list;
};

struct shk_particles_file {
  const struct shk_values *parameters; /* of the problem that named it; NULL: none */
  char *path;
  int dimension;    /* 2 or 3, as the positions have numbers */
  char *gravity[3]; /* [0] NULL: none */
  int gravity_count, gravity_line;
  char *coulomb, *time_scale, *horizon;
  int count, fixed_count; /* particles, fixed points */
  int point_count;
  struct shk_particles_point *points; /* the particles, then the fixed points */
  struct shk_particles_terms terms[SHK_PARTICLES_KINDS];
  char *combination;     /* of sigma: "lorentz" or "geometric"; NULL: the first */
  unsigned char *joined; /* point_count x point_count, symmetric: 1 << enum shk_particles_kind */
};

/* Reads the file at a path below the folder (foundation/files/folder.h). NULL with the reason. */
struct shk_particles_file *shk_particles_read(const char *folder, const char *path,
                                              struct shk_message *error);
/* The same of the file that the parameter `file` names. NULL with the reason as the message of a
 * status. */
struct shk_particles_file *shk_particles_of(const struct shk_values *parameters,
                                            const char **reason);
/* The text as the message of a status, which lasts as long as the file's parameters. */
const char *shk_particles_message(const struct shk_particles_file *file, const char *text);
void shk_particles_free(struct shk_particles_file *file);

/* The point of an index, in `points`. */
static inline int shk_particles_point_of(const struct shk_particles_file *file, int index)
{
  return index >= 0 ? index : file->count - 1 - index;
}

#endif
