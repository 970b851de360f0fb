/*
 * Specifications: `rattle(flow=gauss(stages=2),linear=svd)`.
 *
 *     spec  = name [ "(" item { "," item } ")" ]
 *     item  = [ option "=" ] value
 *     value = spec | number [unit] | "quoted string"
 *
 * A name is [a-z][a-z0-9-]*, and blanks around tokens are ignored. The grammar does not know any
 * options; binding to a descriptor (shk_values_bind) checks these.
 */
#ifndef FOUNDATION_SPECIFICATIONS_SPEC_H
#define FOUNDATION_SPECIFICATIONS_SPEC_H

#include "foundation/message.h"
#include "foundation/specifications/access.h"
#include <shakedown/parts/values.h>
#include <stdbool.h>

struct shk_spec;

enum shk_spec_kind { SHK_SPEC_NUMBER, SHK_SPEC_STRING, SHK_SPEC_NESTED };

struct shk_spec_item {
  char *option; /* NULL for a positional item */
  enum shk_spec_kind kind;
  char *text;              /* the number, or the string without quotes; NULL for NESTED */
  struct shk_spec *nested; /* a name with or without parentheses */
};

/* Returns true if a text is a name and needs no quotes. */
bool shk_spec_is_name(const char *text);
/* Returns a string in quotes, as specifications contain it. The caller frees it. */
char *shk_spec_quoted(const char *string);

struct shk_spec {
  char *name;
  int count;
  struct shk_spec_item *items;
};

/* Parses the whole text. On failure, returns NULL, and the message contains the position and what
 * was expected. For unbalanced parentheses, it contains a hint about YAML flow lists. */
struct shk_spec *shk_spec_parse(const char *text, struct shk_message *error);
void shk_spec_free(struct shk_spec *spec);
/* Returns the specification as written, without blanks. The caller frees it. */
char *shk_spec_text(const struct shk_spec *spec);

/* An integrator, problem or plug-in's solver that is the value of an option: its options (NULL if
 * it has none) and, if available, the object itself (shk_values_part). */
struct shk_option_part {
  const struct shk_option *options;
  const void *itself;
};
/* Finds a plug-in's integrator, problem or solver by its name (SHK_OPTION_INTEGRATOR,
 * SHK_OPTION_PROBLEM, SHK_OPTION_CHOICE). On failure, returns false and sets the reason. */
typedef bool shk_part_finder(const void *user, struct shk_option_part *part,
                             enum shk_option_kind kind, const char *name,
                             struct shk_message *error);

/* The scope in which a specification is bound. The scope and everything it points to must outlive
 * the result. */
struct shk_scope {
  shk_part_finder *find; /* if NULL, integrators and problems are refused as values */
  const void *user;
  struct shk_access access;
};

/* Checks a specification against a descriptor's options (NULL if it has none), and checks
 * integrators or problems that are values against `scope` (if it is NULL, they are refused).
 * `options` and `scope` must outlive the result, but `spec` need not. On failure, returns NULL and
 * sets the reason, which suggests known names for an unknown option. */
struct shk_values *shk_values_bind(const struct shk_scope *scope, const struct shk_spec *spec,
                                   const struct shk_option *options, struct shk_message *error);
/* Returns the access that the scope of the values permits. If there is no scope, this is the
 * working directory and no programs. */
struct shk_access shk_values_access(const struct shk_values *values);
/* Returns a copy of the text for the message of a status, with every % doubled. It is valid until
 * the next call or until the values are freed. */
const char *shk_values_message(const struct shk_values *values, const char *text);
/* The first function stores a note that tells users how the values were interpreted, for example
 * that the contents of a file were changed. The second returns the note, or "" if there is none. */
void shk_values_set_note(const struct shk_values *values, const char *text);
const char *shk_values_note(const struct shk_values *values);
/* Returns the first option that the code read but that is missing from its descriptor, including
 * nested options, or NULL if there is none. */
const char *shk_values_unknown(const struct shk_values *values);
void shk_values_free(struct shk_values *values);

/* Returns the canonical form. It contains the options in the descriptor's order, except those equal
 * to their default. There are no blanks, and numbers have no unnecessary zeros ("1.50" is "1.5",
 * "90deg" stays in degrees). The caller frees it. */
char *shk_values_canonical(const char *name, const struct shk_values *values);

/* ---- specifications that run a program ----
 *
 * These specifications are or contain `external(command="…")`, `engine(command="…")` or
 * `program(command="…")`, the last of which is a problem or a solver. They are refused unless the
 * command line allows them, so that an untrusted study cannot start programs. */

/* The version of the protocol that such programs use. */
enum { SHK_PROGRAM_PROTOCOL = 1 };

/* Returns the number of programs that a specification runs, or 0 if the text is not a
 * specification. Unless `visit` is NULL, calls it with each command in order. */
int shk_spec_programs(const char *spec, void (*visit)(void *user, const char *command), void *user);

/* Returns false and sets the reason if the specification runs a program but this is not allowed. */
bool shk_programs_permit(const struct shk_access *access, const char *spec,
                         struct shk_message *error);

#endif
