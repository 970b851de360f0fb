/*
 * Declares the functions that run each kind of cell, and other functions of an engine. Each
 * function is in its own source file and has the signature of a member of struct shk_engine.
 */
#ifndef ENGINE_CELLS_CELLS_H
#define ENGINE_CELLS_CELLS_H

#include "engine/context.h"
#include <shakedown/system.h>

/* Runs a cell of kind "run", which is an integration with all measures. Unless `timed` is true, the
 * scalar cpu-seconds and the runs that measure it are omitted. */
void shk_run_cell(const struct shk_context *context, struct shk_outcome *outcome,
                  const struct shk_cell *cell, bool timed);
/* Runs a cell with members. The members must be of kind "run"; any other kind is bad input. */
shk_run_call shk_ensemble_cell;
/* Runs a cell of kind "time", which measures the processor time of a step as a multiple of that of
 * a control. Returns false if the cell is of a different kind. */
bool shk_time_cell(const struct shk_context *context, struct shk_outcome *outcome,
                   const struct shk_cell *cell);
/* Runs a cell that measures the structure of the one-step map. Its kind must be one of the names in
 * measures/structure.def; any other kind is bad input. Such a cell takes steps but has no run:
 * `until` and its single sample time are equal to the step size. */
shk_run_call shk_structure_cell;
/* Returns the requirements of the structure measure of this kind, or NULL if there is no such
 * measure. */
const struct shk_structure_asks *shk_asks_of_structure(const char *kind);

/* Returns a copy of a specification with a different name (NULL keeps the name) and with the
 * options `added` (NULL for none). Options in the list `without` and options that are not in
 * `among` are dropped (if `among` is NULL, it includes all options). The caller must free the
 * string. Returns NULL if `text` cannot be parsed. */
char *shk_changed_spec(const char *text, const char *name, const struct shk_option *among,
                       const struct shk_option *without, const char *added);

shk_inspect_call shk_inspect_problem;
shk_diagnose_call shk_diagnose_problem;
/* Stores the joints of a mechanism at the start. Does nothing for other problems. */
struct shk_bound;
struct shk_status shk_diagnose_joints(struct shk_diagnosis *d, struct shk_bound *bound);
shk_multiplier_call shk_multiplier_at;
/* Stores M (n x n) at q. Returns SHK_REFUSED if the system has no mass matrix. */
struct shk_status shk_mass_matrix(const struct shk_system *system, real *M, const real *q);
shk_bodies_call shk_cell_bodies;
shk_file_call shk_file_of_problem;
/* Audits a problem at the start and along the motion. The audit covers the problem's functions
 * (mechanics/system/audit.h), start, exact solution and invariants, which must stay constant.
 * Returns false and sets the reason if the problem cannot be bound or its start is inconsistent. */
shk_audit_call shk_audit_problem;

#endif
