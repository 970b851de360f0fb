/* Names and specifications, over all precisions and the plug-ins of a context. */
#ifndef ENGINE_NAMES_H
#define ENGINE_NAMES_H

#include "engine/context.h"

/* Answers a query with the engine of its precision or with the context's provider. On failure
 * returns false and sets the reason. */
bool shk_ask(const struct shk_context *context, const struct shk_query *query, void *answer,
             struct shk_message *error);

/* Return claims and inspections of built-in parts and plug-ins (engine/context.h) in the precision
 * of that name. The layers above the engine call these functions. */
bool shk_claims_of(const struct shk_context *context, struct shk_claims *claims,
                   const char *precision, const char *integrator, struct shk_message *error);
bool shk_inspect(const struct shk_context *context, struct shk_inspection *inspection,
                 const char *precision, const char *problem, struct shk_message *error);

/* Returns the code of a cell whose integrator belongs to the context's provider, and sets the
 * reason if the cell is tried for the first time. Other cells are not tried and get SHK_OK, because
 * their descriptors list the features that they support. */
enum shk_code shk_code_of(const struct shk_context *context, const struct shk_cell *cell,
                          struct shk_message *reason);

/* The function `bodies` of struct shk_engine in double precision, which suffices for pictures. */
bool shk_bodies_of(const struct shk_context *context, struct shk_bodies *bodies,
                   const char *problem, int count, const double *times, int n, const double *q,
                   struct shk_message *error);

/* Return true if the context's provider must answer, as for plug-ins, files and programs. */
bool shk_is_remote_problem(const struct shk_context *context, const char *spec);
bool shk_is_remote_integrator(const struct shk_context *context, const char *spec);

/* What shk_is_name requires, in words for messages. */
#define SHK_RULE_OF_NAMES                                                                          \
  "at most 48 lower-case letters, digits and single dashes, beginning with a letter"
/* Returns true if problems and integrators may have this name: at most 48 lower-case letters,
 * digits and single dashes, beginning with a letter and not ending with a dash. */
bool shk_is_name(const char *name);

/* Return the problems and integrators with names, including those of plug-ins, by index from 0.
 * NULL after the last. */
const struct shk_problem_info *shk_problem_at(const struct shk_context *context, int index);
const struct shk_integrator_info *shk_integrator_at(const struct shk_context *context, int index);
/* Returns an item of a kind by its index from 0, those of this process before the provider's. The
 * item after the last has no name. Solvers are those of plug-ins; the built-in ones are
 * shk_solver_choices. */
struct shk_item shk_engine_item(const struct shk_context *context, enum shk_option_kind kind,
                                int index);
/* Returns the item of that kind with which a specification begins. */
struct shk_item shk_find_item(const struct shk_context *context, enum shk_option_kind kind,
                              const char *spec);
/* Sets the message for a name that no problem, or no integrator, has. The message lists the nearest
 * names. */
void shk_unknown_name(const struct shk_context *context, struct shk_message *error,
                      enum shk_option_kind kind, const char *name);
/* Returns true if there is an item of that kind and name, built in or in a plug-in. */
bool shk_is_known(const struct shk_context *context, enum shk_option_kind kind, const char *name);
/* Returns true if a specification names a solver of a plug-in. */
bool shk_has_plugin_solver(const struct shk_context *context, const char *spec);

/* Returns the canonical form of a problem's or integrator's specification, which the caller frees.
 * Returns NULL and sets the reason if a name is unknown (with the nearest known names) or if a
 * program is not allowed to run. */
char *shk_canonical_problem(const struct shk_context *context, const char *text,
                            struct shk_message *error);
char *shk_canonical_integrator(const struct shk_context *context, const char *text,
                               struct shk_message *error);
/* Returns true if a specification, or one of its options, contains `name`. A text value that
 * happens to be equal to it also counts; this does no harm, because the worker knows all built-in
 * names. */
bool shk_mentions(const char *spec, const char *name);
/* Return the descriptor that a specification names, or NULL if it is unknown. */
const struct shk_problem_info *shk_find_problem(const struct shk_context *context,
                                                const char *spec);
const struct shk_integrator_info *shk_find_integrator(const struct shk_context *context,
                                                      const char *spec);

/* Returns the name of the multiplier solver that ran, by its index in solvers.def (outcome.def), or
 * NULL for none and for a plug-in's solver. */
const char *shk_solver_name(int solver);

#endif
