/* Runs cells of kind "time", which measure the processor time of a step as a multiple of that of a
 * control. */
#ifndef ENGINE_CELLS_TIME_H
#define ENGINE_CELLS_TIME_H

#include "engine/context.h"

/* Returns false if the cell is not of kind "time". */
bool shk_time_cell(const struct shk_context *context, struct shk_outcome *outcome,
                   const struct shk_cell *cell);

#endif
