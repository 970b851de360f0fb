/* Names and specifications, over all precisions and the plug-ins of a context. */
#ifndef ENGINE_NAMES_H
#define ENGINE_NAMES_H

#include "engine/context.h"

/* Answers a query by the engine of its precision, or by the context's provider. False with the
 * reason. */
bool shk_ask(const struct shk_context *context, const struct shk_query *query, void *answer,
             struct shk_message *error);

/* Claims and inspections of built-in parts and plug-ins (engine/context.h), in the precision of
 * that name. The layers above the engine call these functions. */
bool shk_claims_of(const struct shk_context *context, struct shk_claims *claims,
                   const char *precision, const char *integrator, struct shk_message *error);
bool shk_inspect(const struct shk_context *context, struct shk_inspection *inspection,
                 const char *precision, const char *problem, struct shk_message *error);

/* Returns the code of a cell whose integrator the context's provider has, with the reason if it is
 * tried for the first time. Others are not tried, but SHK_OK: their descriptors list the features
 * that they support. */
enum shk_code shk_code_of(const struct shk_context *context, const struct shk_cell *cell,
                          struct shk_message *reason);

/* The function `bodies` of struct shk_engine in double precision, which is enough for pictures. */
bool shk_bodies_of(const struct shk_context *context, struct shk_bodies *bodies,
                   const char *problem, int count, const double *times, int n, const double *q,
                   struct shk_message *error);

/* True if the context's provider must answer: for plug-ins, files and programs. */
bool shk_is_remote_problem(const struct shk_context *context, const char *spec);
bool shk_is_remote_integrator(const struct shk_context *context, const char *spec);

/* The rule of shk_is_name, for messages. */
#define SHK_RULE_OF_NAMES                                                                          \
  "lower-case letters, digits and single dashes, 48 at most, beginning with a letter"
/* True if problems and integrators may have this name: at most 48 lower-case letters, digits and
 * single dashes, beginning with a letter and not ending with a dash. */
bool shk_is_name(const char *name);

/* All named problems and integrators, plug-ins included: index from 0, NULL at the end. */
const struct shk_problem_info *shk_problem_at(const struct shk_context *context, int index);
const struct shk_integrator_info *shk_integrator_at(const struct shk_context *context, int index);
/* The items of a kind, those of this process before the provider's: index from 0, no name at the
 * end. Of solvers those of plug-ins; the built-in ones are shk_solver_choices. */
struct shk_item shk_engine_item(const struct shk_context *context, enum shk_option_kind kind,
                                int index);
/* The item of that kind with which a specification begins. */
struct shk_item shk_find_item(const struct shk_context *context, enum shk_option_kind kind,
                              const char *spec);
/* Sets the message for a name that no problem, or no integrator, has, with the nearest ones. */
void shk_unknown_name(const struct shk_context *context, struct shk_message *error,
                      enum shk_option_kind kind, const char *name);
/* True if there is an item of that kind and name, built in or of a plug-in. */
bool shk_is_known(const struct shk_context *context, enum shk_option_kind kind, const char *name);
/* True if a specification names a solver of a plug-in. */
bool shk_has_plugin_solver(const struct shk_context *context, const char *spec);

/* The canonical form of a problem's or integrator's specification, which the caller frees. NULL
 * with the reason: an unknown name, with the nearest known ones, or a program that is not allowed
 * to run. */
char *shk_canonical_problem(const struct shk_context *context, const char *text,
                            struct shk_message *error);
char *shk_canonical_integrator(const struct shk_context *context, const char *text,
                               struct shk_message *error);
/* True if a specification, or one of its options, names `name`, also if a text value is equal to
 * it: that does no harm, since the worker knows all built-in names. */
bool shk_mentions(const char *spec, const char *name);
/* The descriptor that a specification names; NULL if unknown. */
const struct shk_problem_info *shk_find_problem(const struct shk_context *context,
                                                const char *spec);
const struct shk_integrator_info *shk_find_integrator(const struct shk_context *context,
                                                      const char *spec);

/* Returns the name of the solver for multipliers that ran, by its place in solvers.def
 * (outcome.def); NULL for none, and for a plug-in's. */
const char *shk_solver_name(int solver);

#endif
