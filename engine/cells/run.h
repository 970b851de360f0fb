/* Cells of kind "run": an integration with all measures. */
#ifndef ENGINE_CELLS_RUN_H
#define ENGINE_CELLS_RUN_H

#include "engine/engine.h"
#include <shakedown/real.h>

/* As the members run, simulate, diagnose and inspect of struct shk_engine. */
void shk_run_cell(const struct shk_context *context, struct shk_outcome *outcome,
                  const struct shk_cell *cell);
/* The same; unless `timed`, without the scalar cpu-seconds and the runs for it. */
void shk_run_member(const struct shk_context *context, struct shk_outcome *outcome,
                    const struct shk_cell *cell, bool timed);
void shk_simulate_cell(const struct shk_context *context, struct shk_outcome *outcome,
                       const struct shk_cell *cell, long every, shk_row_sink *sink, void *user);
bool shk_inspect_problem(const struct shk_context *context, struct shk_inspection *inspection,
                         const char *problem, struct shk_message *error);
bool shk_diagnose_problem(const struct shk_context *context, struct shk_diagnosis *diagnosis,
                          const char *problem, const char *q, const char *p, bool project,
                          struct shk_message *error);

#endif
