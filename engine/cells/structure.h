/*
 * Cells that measure structure: what a map of one step is. Their kinds are the names in
 * measures/structure.def. Such a cell has a step and no run: until and its one sample time are the
 * step.
 */
#ifndef ENGINE_CELLS_STRUCTURE_H
#define ENGINE_CELLS_STRUCTURE_H

#include "engine/context.h"
#include "foundation/specifications/cell.h"
#include "measures/asks.h"
#include <shakedown/real.h>

/* As member run of struct shk_engine, for cells of these kinds. Any other kind is bad input. */
void shk_structure_cell(const struct shk_context *context, struct shk_outcome *outcome,
                        const struct shk_cell *cell);

/* NULL: no such kind. */
const struct shk_structure_asks *shk_asks_of_structure(const char *kind);

#endif
