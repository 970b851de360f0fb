/*
 * Systems of particles in YAML, as text. Numbers remain decimal text, so that each precision can
 * use all of their digits; names are replaced with indices. Errors that can be found without
 * computing are reported here, with the file, the line, what was found and what was expected.
 */
#ifndef PROBLEMS_KIT_PARTICLES_FILE_H
#define PROBLEMS_KIT_PARTICLES_FILE_H

#include "foundation/message.h"
#include "mechanics/binding/real_text.h"
#include <shakedown/parts/values.h>

enum {
  SHK_PARTICLES_LIMIT = 1000,        /* maximum number of particles and fixed points together */
  SHK_PARTICLES_FILE_LIMIT = 1 << 20 /* bytes */
};

/* A particle or fixed point. Numbers are canonical decimal text (foundation/number.h), or NULL if
 * absent. */
struct shk_particles_point {
  char *name;
  int line;
  int index; /* counted from 0 for particles; -1 - k for fixed point k */
  char *mass;
  char *position[3], *velocity[3]; /* if velocity[0] is NULL, the point is at rest */
  char *charge, *sigma, *epsilon;  /* sigma and epsilon must be given together */
};

/* The terms between points, and the pairs that do not interact. */
enum shk_particles_kind {
  SHK_ROD,
  SHK_SPRING,
  SHK_EXCLUDE,
  SHK_PAIR, /* charges and sites of a pair that has its own numbers */
  SHK_ANGLE,
  SHK_DIHEDRAL,
  SHK_IMPROPER,
  SHK_QUARTIC,
  SHK_COSINE_ANGLE,
  SHK_PARTICLES_KINDS
};
enum { SHK_TERM_ENDS = 4, SHK_TERM_COSINES = 6 };

/* A term. `at` contains indices in the same numbering as the points. If there are two ends, the
 * first is the lower one, and only that one can be fixed. */
struct shk_particles_term {
  int line;
  char *names[SHK_TERM_ENDS];
  int at[SHK_TERM_ENDS];
  char *length, *stiffness, *angle, *multiplicity, *phase;
  /* factors; sigma and epsilon must be given together */
  char *coulomb, *lennard_jones, *sigma, *epsilon;
  char *cosines[SHK_TERM_COSINES];
  int cosine_count;
};

struct shk_particles_terms {
  int count;
  struct shk_particles_term *list;
};

struct shk_particles_file {
  /* parameters of the problem that named the file; NULL: none */
  const struct shk_values *parameters;
  char *path;
  int dimension;    /* 2 or 3, the number of coordinates of a position */
  char *gravity[3]; /* [0] NULL: none */
  int gravity_count, gravity_line;
  char *coulomb, *time_scale, *horizon;
  int count, fixed_count; /* particles, fixed points */
  int point_count;
  struct shk_particles_point *points; /* the particles, followed by the fixed points */
  struct shk_particles_terms terms[SHK_PARTICLES_KINDS];
  char *combination;     /* combination rule for sigma: "lorentz" or "geometric"; NULL: "lorentz" */
  unsigned char *joined; /* point_count x point_count, symmetric: 1 << enum shk_particles_kind */
};

/* Reads the file at a path relative to the folder (foundation/files/file.h). On failure, returns
 * NULL and stores the reason. */
struct shk_particles_file *shk_particles_read(const char *folder, const char *path,
                                              struct shk_message *error);
/* Reads the file that is named by the parameter `file`. On failure, returns NULL and stores the
 * reason as a status message. */
struct shk_particles_file *shk_particles_of(const struct shk_values *parameters,
                                            const char **reason);
/* Turns the text into a status message, which lives as long as the file's parameters. */
const char *shk_particles_message(const struct shk_particles_file *file, const char *text);
void shk_particles_free(struct shk_particles_file *file);

/* Returns the position in `points` that belongs to an index. */
static inline int shk_particles_point_of(const struct shk_particles_file *file, int index)
{
  return index >= 0 ? index : file->count - 1 - index;
}

#endif
