/*
 * Parses specifications such as `rattle(flow=gauss(stages=2),linear=svd)`.
 *
 *     spec  = name [ "(" item { "," item } ")" ]
 *     item  = [ option "=" ] value
 *     value = spec | number [unit] | "quoted string"
 *
 * A name is [a-z][a-z0-9-]*, and spaces around tokens are ignored. The grammar does not know any
 * options; these are checked when a specification is bound to a descriptor (shk_values_bind).
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
  char *text;              /* the number, or the string without its quotes; NULL for NESTED */
  struct shk_spec *nested; /* a name with or without parentheses */
};

/* Returns true if a string is a name, which does not have to be quoted. */
bool shk_spec_is_name(const char *text);
/* Returns a string enclosed in quotation marks, in the form used in specifications. The caller must
 * free the result. */
char *shk_spec_quoted(const char *string);

struct shk_spec {
  char *name;
  int count;
  struct shk_spec_item *items;
};

/* Parses the whole string. On failure, returns NULL and sets the message to the position and what
 * was expected there. If parentheses are unbalanced, the message contains a hint about YAML flow
 * lists. */
struct shk_spec *shk_spec_parse(const char *text, struct shk_message *error);
void shk_spec_free(struct shk_spec *spec);
/* Returns the specification as it was written, without spaces. The caller must free the string. */
char *shk_spec_text(const struct shk_spec *spec);

/* An integrator, a problem or a plug-in's solver that is the value of an option, with its own
 * options (NULL if it has none) and, if available, the object itself (shk_values_part). */
struct shk_option_part {
  const struct shk_option *options;
  const void *itself;
};
/* Finds an integrator, problem or solver of a plug-in by name (SHK_OPTION_INTEGRATOR,
 * SHK_OPTION_PROBLEM, SHK_OPTION_CHOICE). On failure, returns false and sets the reason. */
typedef bool shk_part_finder(const void *user, struct shk_option_part *part,
                             enum shk_option_kind kind, const char *name,
                             struct shk_message *error);

/* The scope in which a specification is bound. The scope and everything it points to must outlive
 * the result. */
struct shk_scope {
  shk_part_finder *find; /* if this is NULL, integrators and problems are rejected as values */
  const void *user;
  struct shk_access access;
};

/* Checks a specification against a descriptor's options (NULL if it has none). Integrators or
 * problems that are values of options are checked against `scope`, or rejected if `scope` is NULL.
 * `options` and `scope` must outlive the result, but `spec` does not have to. On failure, returns
 * NULL and sets the reason, which suggests known names for an unknown option. */
struct shk_values *shk_values_bind(const struct shk_scope *scope, const struct shk_spec *spec,
                                   const struct shk_option *options, struct shk_message *error);
/* Returns the access that the scope of the values permits. Without a scope, this is access to the
 * working directory but not to programs. */
struct shk_access shk_values_access(const struct shk_values *values);
/* Returns a copy of the string for use as the message of a status, with every % doubled. The copy
 * is valid until the next call or until the values are freed. */
const char *shk_values_message(const struct shk_values *values, const char *text);
/* The first function stores a note that explains to users how the values were interpreted, for
 * example that the contents of a file were changed. The second function returns the note, or "" if
 * there is none. */
void shk_values_set_note(const struct shk_values *values, const char *text);
const char *shk_values_note(const struct shk_values *values);
/* Returns the first option, including nested options, that the code has read but that its
 * descriptor does not contain. Returns NULL if there is none. */
const char *shk_values_unknown(const struct shk_values *values);
void shk_values_free(struct shk_values *values);

/* Returns the canonical form of the values, which the caller must free. The canonical form contains
 * the options in the descriptor's order, except those equal to their default. It contains no
 * spaces, and numbers have no unnecessary zeros ("1.50" becomes "1.5"; "90deg" remains in
 * degrees). */
char *shk_values_canonical(const char *name, const struct shk_values *values);

/* ---- specifications that run a program ----
 *
 * Such a specification is or contains `external(command="…")`, `engine(command="…")` or
 * `program(command="…")`, the last of which is a problem or a solver. These specifications are
 * rejected unless the command line allows them, so that an untrusted study cannot start
 * programs. */

/* The version of the protocol that these programs use. */
enum { SHK_PROGRAM_PROTOCOL = 1 };

/* Returns the number of programs that a specification runs, or 0 if the string is not a
 * specification. If `visit` is not NULL, it is called for each command in order. */
int shk_spec_programs(const char *spec, void (*visit)(void *user, const char *command), void *user);

/* Returns false and sets the reason if the specification runs a program that is not allowed to
 * run. */
bool shk_programs_permit(const struct shk_access *access, const char *spec,
                         struct shk_message *error);

#endif
