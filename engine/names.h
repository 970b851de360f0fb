/* Handles names and specifications for all precisions, including those of a context's plug-ins. */
#ifndef ENGINE_NAMES_H
#define ENGINE_NAMES_H

#include "engine/context.h"

/* Answers a query, using either the engine of the query's precision or the context's provider. On
 * failure, returns false and sets the reason. */
bool shk_ask(const struct shk_context *context, const struct shk_query *query, void *answer,
             struct shk_message *error);

/* Return the claims and inspections of built-in parts and plug-ins (engine/context.h) in the named
 * precision. These functions are called by the layers above the engine. */
bool shk_claims_of(const struct shk_context *context, struct shk_claims *claims,
                   const char *precision, const char *integrator, struct shk_message *error);
bool shk_inspect(const struct shk_context *context, struct shk_inspection *inspection,
                 const char *precision, const char *problem, struct shk_message *error);

/* Tries a cell whose integrator belongs to the context's provider and returns the cell's code. If
 * the cell is tried for the first time, also sets the reason. For any other cell, returns SHK_OK
 * without trying it, because the integrator's descriptor lists the features that it supports. */
enum shk_code shk_code_of(const struct shk_context *context, const struct shk_cell *cell,
                          struct shk_message *reason);

/* Calls the function `bodies` of struct shk_engine in double precision, which is sufficient for
 * pictures. */
bool shk_bodies_of(const struct shk_context *context, struct shk_bodies *bodies,
                   const char *problem, int count, const double *times, int n, const double *q,
                   struct shk_message *error);

/* Return true if the context's provider must answer queries about this specification, which is the
 * case for plug-ins, files and programs. */
bool shk_is_remote_problem(const struct shk_context *context, const char *spec);
bool shk_is_remote_integrator(const struct shk_context *context, const char *spec);

/* The requirements that shk_is_name checks, worded for use in messages. */
#define SHK_RULE_OF_NAMES                                                                          \
  "at most 48 lower-case letters, digits and single dashes, beginning with a letter"
/* Returns true if this is a valid name for a problem or an integrator. A name consists of at most
 * 48 lower-case letters, digits and single dashes, begins with a letter, and does not end with a
 * dash. */
bool shk_is_name(const char *name);

/* Return the descriptors of the named problems and integrators, including those in plug-ins, by
 * index from 0. Return NULL after the last one. */
const struct shk_problem_info *shk_problem_at(const struct shk_context *context, int index);
const struct shk_integrator_info *shk_integrator_at(const struct shk_context *context, int index);
/* Returns an item of this kind by its index, starting from 0. The items of this process precede
 * those of the provider, and the item after the last one has no name. Only the solvers in plug-ins
 * are included; the built-in solvers are listed in shk_solver_choices. */
struct shk_item shk_engine_item(const struct shk_context *context, enum shk_option_kind kind,
                                int index);
/* Returns the item of this kind that is named in a specification. */
struct shk_item shk_find_item(const struct shk_context *context, enum shk_option_kind kind,
                              const char *spec);
/* Sets the error message for the name of an unknown problem or integrator. The message lists the
 * most similar names. */
void shk_unknown_name(const struct shk_context *context, struct shk_message *error,
                      enum shk_option_kind kind, const char *name);
/* Returns true if an item of this kind and name exists, either built in or in a plug-in. */
bool shk_is_known(const struct shk_context *context, enum shk_option_kind kind, const char *name);
/* Returns true if a specification names a solver from a plug-in. */
bool shk_has_plugin_solver(const struct shk_context *context, const char *spec);

/* Returns the canonical form of a problem's or integrator's specification, which the caller must
 * free. Returns NULL and sets the reason if a program is not allowed to run or if a name is
 * unknown; in the latter case, the reason lists the most similar known names. */
char *shk_canonical_problem(const struct shk_context *context, const char *text,
                            struct shk_message *error);
char *shk_canonical_integrator(const struct shk_context *context, const char *text,
                               struct shk_message *error);
/* Returns true if a specification or one of its options contains `name`. A string value that
 * happens to be equal to the name also counts. This is harmless, because the worker knows all
 * built-in names. */
bool shk_mentions(const char *spec, const char *name);
/* Return the descriptor of the part that a specification names, or NULL if the part is unknown. */
const struct shk_problem_info *shk_find_problem(const struct shk_context *context,
                                                const char *spec);
const struct shk_integrator_info *shk_find_integrator(const struct shk_context *context,
                                                      const char *spec);

/* Returns the name of the multiplier solver that was used, given its index in solvers.def
 * (outcome.def). Returns NULL if no solver or a plug-in's solver was used. */
const char *shk_solver_name(int solver);

#endif
