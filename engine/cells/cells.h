/*
 * Kinds of cells, and the other functions of an engine: one source file each, with the signatures
 * of the members of struct shk_engine.
 */
#ifndef ENGINE_CELLS_CELLS_H
#define ENGINE_CELLS_CELLS_H

#include "engine/context.h"
#include <shakedown/system.h>

/* Cells of kind "run": an integration with all measures; if not `timed`, without the scalar
 * cpu-seconds and the runs that measure it. */
void shk_run_cell(const struct shk_context *context, struct shk_outcome *outcome,
                  const struct shk_cell *cell, bool timed);
/* Cells with members. Members of another kind than "run" are bad input. */
void shk_ensemble_cell(const struct shk_context *context, struct shk_outcome *outcome,
                       const struct shk_cell *cell);
/* Cells that measure the structure of the map of one step. Their kinds are the names in
 * measures/structure.def; any other is bad input. Such a cell has a step and no run: `until` and
 * its single sample time equal the step. */
void shk_structure_cell(const struct shk_context *context, struct shk_outcome *outcome,
                        const struct shk_cell *cell);
/* NULL: there is no such kind. */
const struct shk_structure_asks *shk_asks_of_structure(const char *kind);

void shk_simulate_cell(const struct shk_context *context, struct shk_outcome *outcome,
                       const struct shk_cell *cell, long every, shk_row_sink *sink, void *user);
bool shk_inspect_problem(const struct shk_context *context, struct shk_inspection *inspection,
                         const char *problem, struct shk_message *error);
bool shk_diagnose_problem(const struct shk_context *context, struct shk_diagnosis *diagnosis,
                          const char *problem, const char *q, const char *p, bool project,
                          struct shk_message *error);
bool shk_observe_state(const struct shk_context *context, struct shk_observation *observation,
                       const char *problem, const char *since, const struct shk_vector *q,
                       const struct shk_vector *p, const struct shk_vector *v,
                       struct shk_message *error);
/* Stores M (n x n) at q; SHK_REFUSED: there is none. */
struct shk_status shk_mass_matrix(const struct shk_system *system, real *M, const real *q);
bool shk_bodies_of_problem(const struct shk_context *context, struct shk_bodies *bodies,
                           const char *problem, int count, const double *times, int n,
                           const double *q, struct shk_message *error);
/* Audits the problem's functions (mechanics/system/audit.h), its start, exact solution and
 * invariants at the start and along the motion, and tests that no invariant changes along it. False
 * with the reason if the problem cannot be bound or its start is inconsistent. */
bool shk_audit_problem(const struct shk_context *context, struct shk_checks *checks,
                       const char *problem, struct shk_message *error);

#endif
