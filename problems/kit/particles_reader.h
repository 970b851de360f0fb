/*
 * The reader of particle systems, which is shared by two source files: one reads points and the
 * file as a whole (particles_reader.c), and the other reads the terms between points
 * (particles_terms.c).
 */
#ifndef PROBLEMS_KIT_PARTICLES_READER_H
#define PROBLEMS_KIT_PARTICLES_READER_H

#include "foundation/files/yaml.h"
#include "problems/kit/particles_file.h"
#include "problems/kit/yaml_numbers.h"

struct shk_particles_reader {
  struct shk_yaml yaml;
  struct shk_particles_file file;     /* the part that has been read so far */
  struct shk_particles_point *points; /* points in the file's order */
  int point_count;
  struct shk_particles_point point; /* being read */
  struct shk_particles_term term;   /* being read */
  enum shk_particles_kind kind;     /* kind of the term being read */
  char **vector;
  int *count; /* number of components read so far */
  int names;  /* number of names read so far */
};

/* Keys whose value is a number, and keys whose reader receives everything that has been read of the
 * file so far. */
#define NUMBER(key, must, member, expected)                                                        \
  SHK_YAML_FIELD(key, must, struct shk_particles_reader, member, shk_particles_number, expected)
#define KEY(key, must, reader, ...)                                                                \
  {                                                                                                \
    .name = key, .required = must, .read = reader, .expected = __VA_ARGS__                         \
  }

/* Reads the number given for a key into a member that is still empty. */
shk_yaml_reader shk_particles_number;

/* Reads a list of terms. The key's field is the list for its kind, and yaml->user is the reader. */
shk_yaml_reader shk_particles_terms;

/* Resolves the names in all terms once the points are known. */
bool shk_particles_join(struct shk_particles_reader *r);

/* Reports an error that is found after reading, when columns are no longer known. Frees the text
 * and returns false. */
bool shk_particles_fail(const struct shk_particles_reader *r, int line, char *owned);
#define FAIL(r, line, ...) shk_particles_fail((r), (line), shk_print_text(__VA_ARGS__))

#endif
