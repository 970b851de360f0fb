/*
 * Specifications: `rattle(flow=gauss(stages=2),linear=svd)`.
 *
 *     spec  = name [ "(" item { "," item } ")" ]
 *     item  = [ option "=" ] value
 *     value = spec | number [unit] | "quoted string"
 *
 * A name is [a-z][a-z0-9-]*; blanks around tokens are ignored. The grammar knows nothing of what
 * options there are; binding to a descriptor (values_bind) does.
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

struct shk_spec {
  char *name;
  int count;
  struct shk_spec_item *items;
};

/* Parses the whole text. On failure returns NULL and says where and what was expected; unbalanced
 * parentheses get the hint about YAML flow lists. */
struct shk_spec *shk_spec_parse(const char *text, struct shk_message *error);
void shk_spec_free(struct shk_spec *spec);
/* The specification as written but for blanks. The caller frees it. */
char *shk_spec_text(const struct shk_spec *spec);

/* Checks the specification's items against a descriptor's options (NULL: none): unknown options are
 * answered with the nearest known ones, wrong kinds and values out of bounds with what was found
 * and expected, an option given twice is refused. NULL on failure. The result keeps nothing of the
 * specification; the descriptor's options must outlive it. An option whose value is an integrator
 * or a problem is refused: nothing is known of either here. */
struct shk_values *shk_values_bind(const struct shk_spec *spec, const struct shk_option *options,
                                   struct shk_message *error);

/* An integrator or problem that an option names: its options (NULL if it has none), and itself where
 * it is to be had (shk_values_part). */
struct shk_part {
  const struct shk_option *options;
  const void *itself;
};
/* Finds the one of that name, as the kind SHK_OPTION_INTEGRATOR or SHK_OPTION_PROBLEM says, or says
 * that there is none. */
typedef bool shk_part_finder(const void *user, struct shk_part *part, enum shk_option_kind kind,
                             const char *name, struct shk_message *error);

/* What a specification is read in. It and all it points at must outlive what is read. */
struct shk_scope {
  shk_part_finder *find; /* NULL: no integrators and problems as values */
  const void *user;
  struct shk_access access;
};

/* The same, with options whose value is an integrator or a problem: its items are checked against
 * the options that are found in the scope, which must outlive the result too, and its text is
 * canonical. */
struct shk_values *shk_values_bind_in(const struct shk_scope *scope, const struct shk_spec *spec,
                                      const struct shk_option *options, struct shk_message *error);
/* What the values were bound with: nothing, that is the working directory and no programs, without a
 * scope. */
struct shk_access shk_values_access(const struct shk_values *values);
/* A copy of the text that lives as long as the values, in place of the last: the message of a
 * status, in which no % of the text is taken for the place of a number. */
const char *shk_values_message(const struct shk_values *values, const char *text);
void shk_values_free(struct shk_values *values);

/* The canonical form: options in the descriptor's order, those that equal their default left out,
 * numbers as written but for blanks and needless zeros ("1.50" and "1.5" are the same, "90deg"
 * stays in degrees), no blanks. The caller frees it. */
char *shk_values_canonical(const char *name, const struct shk_values *values);

#endif
