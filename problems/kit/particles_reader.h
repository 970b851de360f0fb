/*
 * The reader for particle systems. It has two source files: particles_reader.c reads points and the
 * file as a whole, and particles_terms.c reads the terms between points.
 */
#ifndef PROBLEMS_KIT_PARTICLES_READER_H
#define PROBLEMS_KIT_PARTICLES_READER_H

#include "foundation/files/yaml.h"
#include "problems/kit/particles_file.h"
#include "problems/kit/yaml_numbers.h"

struct shk_particles_reader {
  struct shk_yaml yaml;
  struct shk_particles_file file;     /* the part that has been read so far */
  struct shk_particles_point *points; /* points in the order of the file */
  int point_count;
  struct shk_particles_point point; /* being read */
  struct shk_particles_term term;   /* being read */
  enum shk_particles_kind kind;     /* kind of the term being read */
  char **vector;
  int *count; /* number of components read so far */
  int names;  /* number of names read so far */
};

/* NUMBER defines a key whose value is a number. KEY defines a key whose reader receives everything
 * read from the file so far. */
#define NUMBER(key, must, member, expected)                                                        \
  SHK_YAML_FIELD(key, must, struct shk_particles_reader, member, shk_particles_number, expected)
#define KEY(key, must, reader, ...)                                                                \
  {                                                                                                \
    .name = key, .required = must, .read = reader, .expected = __VA_ARGS__                         \
  }

/* Reads a key's number into a member that is still empty. */
shk_yaml_reader shk_particles_number;

/* Reads a list of terms. The key's field is the list for terms of its kind, and yaml->user is the
 * reader. */
shk_yaml_reader shk_particles_terms;

/* Resolves the names in all terms once the points are known. */
bool shk_particles_join(struct shk_particles_reader *r);

/* Reports an error that is found after reading, when column numbers are no longer known. Frees the
 * text and returns false. */
bool shk_particles_fail(const struct shk_particles_reader *r, int line, char *owned);
#define FAIL(r, line, ...) shk_particles_fail((r), (line), shk_print_text(__VA_ARGS__))

#endif
