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

/* A rod, or a spring, or a pair that does not interact. a and b are indices as in the point, a
 * below b: only `a` can be fixed. */
struct shk_particles_bond {
  int line;
  char *names[2];
  int a, b;
  char *length, *stiffness;
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
  int rod_count, spring_count, exclude_count;
  struct shk_particles_bond *rods, *springs, *excludes;
  unsigned char *joined; /* point_count x point_count, symmetric: enum shk_particles_join */
};

enum shk_particles_join { SHK_JOIN_ROD = 1, SHK_JOIN_SPRING = 2, SHK_JOIN_EXCLUDE = 4 };

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
