/*
 * The contents of a YAML file that describes a system of particles. Numbers remain strings so that
 * every precision can use all of their digits. Names are replaced with indices. Errors that can be
 * found without computing are reported here, with the file, the line, what was found and what was
 * expected.
 */
#ifndef PROBLEMS_KIT_PARTICLES_FILE_H
#define PROBLEMS_KIT_PARTICLES_FILE_H

#include "foundation/message.h"
#include "mechanics/binding/real_text.h"
#include <shakedown/parts/values.h>

enum {
  SHK_PARTICLES_LIMIT = 1000,        /* maximum total number of particles and fixed points */
  SHK_PARTICLES_FILE_LIMIT = 1 << 20 /* bytes */
};

/* A particle or fixed point. Numbers are canonical decimal strings (foundation/number.h), or NULL
 * if absent. */
struct shk_particles_point {
  char *name;
  int line;
  int index; /* 0-based for particles; -1 - k for fixed point k */
  char *mass;
  char *position[3], *velocity[3]; /* velocity[0] is NULL if the point is at rest */
  char *charge, *sigma, *epsilon;  /* sigma and epsilon must be given together */
};

/* Kinds of terms between points, including the pairs that do not interact. */
enum shk_particles_kind {
  SHK_ROD,
  SHK_SPRING,
  SHK_EXCLUDE,
  SHK_PAIR, /* charges and sites of a pair that has its own parameters */
  SHK_ANGLE,
  SHK_DIHEDRAL,
  SHK_IMPROPER,
  SHK_QUARTIC,
  SHK_COSINE_ANGLE,
  SHK_PARTICLES_KINDS
};
enum { SHK_TERM_ENDS = 4, SHK_TERM_COSINES = 6 };

/* A term. `at` contains the indices of its points. If there are two points, the first has the lower
 * index, and only the first can be fixed. */
struct shk_particles_term {
  int line;
  char *names[SHK_TERM_ENDS];
  int at[SHK_TERM_ENDS];
  char *length, *stiffness, *angle, *multiplicity, *phase;
  /* factors. sigma and epsilon must be given together */
  char *coulomb, *lennard_jones, *sigma, *epsilon;
  char *cosines[SHK_TERM_COSINES];
  int cosine_count;
};

struct shk_particles_terms {
  int count;
  struct shk_particles_term *list;
};

struct shk_particles_file {
  /* parameters of the problem that specifies the file, or NULL if there is no such problem */
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
  /* combination rule for sigma: "geometric" or "lorentz"; NULL means "lorentz" */
  char *combination;
  unsigned char *joined; /* point_count x point_count, symmetric: 1 << enum shk_particles_kind */
};

/* Reads the file at a path relative to the folder (foundation/files/file.h). On failure, returns
 * NULL and stores the reason. */
struct shk_particles_file *shk_particles_read(const char *folder, const char *path,
                                              struct shk_message *error);
/* Reads the file named by the parameter `file`. On failure, returns NULL and stores the reason as a
 * status message. */
struct shk_particles_file *shk_particles_of(const struct shk_values *parameters,
                                            const char **reason);
/* Converts a string to a status message, which remains valid as long as the file's parameters. */
const char *shk_particles_message(const struct shk_particles_file *file, const char *text);
void shk_particles_free(struct shk_particles_file *file);

/* Returns the position in `points` of the point with the given index. */
static inline int shk_particles_point_of(const struct shk_particles_file *file, int index)
{
  return index >= 0 ? index : file->count - 1 - index;
}

#endif
