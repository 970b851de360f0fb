/* Runs beside each other. */
#ifndef ENGINE_CELLS_TOGETHER_H
#define ENGINE_CELLS_TOGETHER_H

#include "engine/cells/run.h"
#include <shakedown/integrator.h>

#define shk_run_together SHK_NAME(shk_run_together)

/* Runs the cells, at most SHK_TOGETHER, which differ in problem and start only: step by step beside
 * each other where the integrator offers that for them (`join`), else one after the other, to the same bits.
 * `timed`: the first as by shk_run_member. Returns how many were run, from the first: all, or one. */
int shk_run_together(const struct shk_context *context, struct shk_outcome *outcomes,
                     const struct shk_cell *cells, int count, bool timed);

#endif
