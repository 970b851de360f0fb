/* Names and specifications over both precisions and the plug-ins of a context. */
#ifndef ENGINE_NAMES_H
#define ENGINE_NAMES_H

#include "engine/context.h"

/* Answers a query by the engine of its precision, or by the context's provider. False with the
 * reason. */
bool shk_ask(const struct shk_context *context, const struct shk_query *query, void *answer,
             struct shk_message *error);

/* Claims and inspections of what is built in and of plug-ins (engine/context.h), in the precision
 * of that name. Everything above the engine asks here. */
bool shk_claims_of(const struct shk_context *context, struct shk_claims *claims,
                   const char *precision, const char *integrator, struct shk_message *error);
bool shk_inspect(const struct shk_context *context, struct shk_inspection *inspection,
                 const char *precision, const char *problem, struct shk_message *error);

/* Whether an integrator of a plug-in, or a program, refuses a cell; of what is built in the
 * descriptor says what it supports. */
bool shk_refuses(const struct shk_context *context, const struct shk_cell *cell);

/* The member scene in double precision, which is enough for pictures. */
bool shk_scene_of(const struct shk_context *context, struct shk_scene *scene, const char *problem,
                  int count, const double *times, int n, const double *q,
                  struct shk_message *error);

/* Whether these are asked of the context's provider: what is a plug-in's, named files, programs. */
bool shk_is_remote_problem(const struct shk_context *context, const char *spec);
bool shk_is_remote_integrator(const struct shk_context *context, const char *spec);

/* What a measure of structure asks for, by its name (measures/structure.def); NULL: there is
 * none. */
const struct shk_structure_asks *shk_find_structure(const char *kind);

/* Whether problems and integrators may have this name: at most 48 lower-case letters, digits and
 * single dashes, beginning with a letter. */
bool shk_is_name(const char *name);

/* All that is known by name, plug-ins included: index from 0, NULL at the end. */
const struct shk_problem_info *shk_problem_at(const struct shk_context *context, int index);
const struct shk_integrator_info *shk_integrator_at(const struct shk_context *context, int index);
/* The solvers of plug-ins; the program's own are shk_solver_choices. */
const struct shk_integrator_info *shk_solver_at(const struct shk_context *context, int index);
/* Whether there is a solver of that name, built in or a plug-in's. */
bool shk_is_solver(const struct shk_context *context, const char *name);
/* Whether a specification names one of them. */
bool shk_has_plugin_solver(const struct shk_context *context, const char *spec);

/* The canonical form of a problem's or integrator's specification; NULL with the reason (unknown
 * names with the nearest known; a program that it would run and that is not allowed). The caller
 * frees it. */
char *shk_canonical_problem(const struct shk_context *context, const char *text,
                            struct shk_message *error);
char *shk_canonical_integrator(const struct shk_context *context, const char *text,
                               struct shk_message *error);
/* The descriptor that a specification names; NULL if unknown. */
const struct shk_problem_info *shk_find_problem(const struct shk_context *context,
                                                const char *spec);
const struct shk_integrator_info *shk_find_integrator(const struct shk_context *context,
                                                      const char *spec);

#endif
