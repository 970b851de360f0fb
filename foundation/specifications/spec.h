/*
 * Specifications: `rattle(flow=gauss(stages=2),linear=svd)`.
 *
 *     spec  = name [ "(" item { "," item } ")" ]
 *     item  = [ option "=" ] value
 *     value = spec | number [unit] | "quoted string"
 *
 * A name is [a-z][a-z0-9-]*; blanks around tokens are ignored. The grammar knows no options;
 * binding to a descriptor (shk_values_bind) does.
 */
#ifndef FOUNDATION_SPECIFICATIONS_SPEC_H
#define FOUNDATION_SPECIFICATIONS_SPEC_H

#include "foundation/message.h"
#include "foundation/specifications/access.h"
#include <shakedown/values.h>
#include <stdbool.h>

struct shk_spec;

enum shk_spec_kind { SHK_SPEC_NUMBER, SHK_SPEC_STRING, SHK_SPEC_NESTED };

struct shk_spec_item {
  char *option; /* NULL: positional */
  enum shk_spec_kind kind;
  char *text;              /* the number, or the string without quotes; NULL for NESTED */
  struct shk_spec *nested; /* a name with or without parentheses */
};

/* Whether a text is a name, which needs no quotes. */
bool shk_spec_is_name(const char *text);
/* A string as specifications have it, between quotes. The caller frees it. */
char *shk_spec_quoted(const char *string);

struct shk_spec {
  char *name;
  int count;
  struct shk_spec_item *items;
};

/* Parses the whole text. On failure returns NULL and says where and what was expected; unbalanced
 * parentheses get the hint about YAML flow lists. */
struct shk_spec *shk_spec_parse(const char *text, struct shk_message *error);
void shk_spec_free(struct shk_spec *spec);
/* The specification as written, without blanks. The caller frees it. */
char *shk_spec_text(const struct shk_spec *spec);

/* An integrator or problem that an option names: its options (NULL if it has none), and itself
 * where available (shk_values_part). */
struct shk_option_part {
  const struct shk_option *options;
  const void *itself;
};
/* Finds the integrator, problem or plug-in's solver (SHK_OPTION_INTEGRATOR, SHK_OPTION_PROBLEM,
 * SHK_OPTION_CHOICE) of that name, or reports that there is none. */
typedef bool shk_part_finder(const void *user, struct shk_option_part *part,
                             enum shk_option_kind kind, const char *name,
                             struct shk_message *error);

/* What a specification is read in. It and all it points to must outlive the result. */
struct shk_scope {
  shk_part_finder *find; /* NULL: integrators and problems are refused as values */
  const void *user;
  struct shk_access access;
};

/* Checks the specification's items against a descriptor's options (NULL: none): the error suggests
 * known names for an unknown option and says what was found and expected for a wrong kind or a
 * value out of bounds; an option given twice is refused. NULL on failure. The result keeps nothing
 * of the specification; the descriptor's options must outlive it. Options whose value is an
 * integrator or a problem are checked against those that are found in the scope, which must outlive
 * the result too; without a scope (NULL) they are refused. */
struct shk_values *shk_values_bind(const struct shk_scope *scope, const struct shk_spec *spec,
                                   const struct shk_option *options, struct shk_message *error);
/* What the scope of the values may access; without a scope the working directory and no
 * programs. */
struct shk_access shk_values_access(const struct shk_values *values);
/* A copy of the text for the message of a status, with every % doubled. It lives until the next
 * call or as long as the values. */
const char *shk_values_message(const struct shk_values *values, const char *text);
void shk_values_free(struct shk_values *values);

/* The canonical form: options in the descriptor's order, those equal to their default left out,
 * numbers as written without blanks and needless zeros ("1.50" and "1.5" are the same, "90deg"
 * stays in degrees), no blanks. The caller frees it. */
char *shk_values_canonical(const char *name, const struct shk_values *values);

#endif
