/*
 * The reader of systems of particles, as its two files share it: points and the file as a whole
 * (particles_reader.c), and the terms between points (particles_terms.c).
 */
#ifndef PROBLEMS_KIT_PARTICLES_READER_H
#define PROBLEMS_KIT_PARTICLES_READER_H

#include "foundation/files/yaml.h"
#include "problems/kit/particles_file.h"

struct shk_particles_reader {
  struct shk_yaml yaml;
  struct shk_particles_file file;     /* as far as it is read */
  struct shk_particles_point *points; /* in the file's order */
  int point_count;
  struct shk_particles_point point; /* being read */
  struct shk_particles_term term;   /* being read */
  enum shk_particles_kind kind;     /* of the term being read */
  char **vector;
  int *count; /* numbers of the vector so far */
  int names;  /* of the term so far */
};

/* Kinds of number, told apart by their address. */
extern const char shk_any_number[], shk_positive[], shk_not_negative[], shk_any_angle[],
    shk_multiplicity[];

/* A key whose value is a number, and one that is read with all that is known of the file. */
#define NUMBER(key, must, member, expected)                                                        \
  SHK_YAML_FIELD(key, must, struct shk_particles_reader, member, shk_particles_number, expected)
#define KEY(key, must, reader, what)                                                               \
  {                                                                                                \
    .name = key, .required = must, .into = reader, .expected = what                                \
  }

/* Canonical text of a number of the kind that is expected; NULL after a complaint. */
char *shk_particles_number_of(const struct shk_yaml *yaml, struct fy_node *value,
                              const char *expected);
/* The reader of a key: into a member that is still empty. */
bool shk_particles_number(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                          void *field);

/* The reader of the keys of terms, whose field is the list of its kind; yaml->user is the reader. */
bool shk_particles_terms(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                         void *list);

/* Finds the points of all terms by their names, once the points are known. */
bool shk_particles_join(struct shk_particles_reader *r);

/* A fault in something read before: columns are no longer known. Frees the text; false. */
bool shk_particles_fail(const struct shk_particles_reader *r, int line, char *owned);
#define FAIL(r, line, ...) shk_particles_fail((r), (line), shk_print_text(__VA_ARGS__))

#endif
