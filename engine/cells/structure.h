/*
 * Cells that measure structure: what a map of one step is. Their kinds are
 *
 *   symplecticity     on T M^H          presymplecticity  on T M
 *   symmetry          Ψ_{-h} Ψ_h = id   reversibility     ρ Ψ_h ρ Ψ_h = id
 *   fibre             Π S^k = R^k with the integrator's partner
 *
 * Such a cell has a step and no run: until and its one sample time are the step.
 */
#ifndef ENGINE_CELLS_STRUCTURE_H
#define ENGINE_CELLS_STRUCTURE_H

#include "engine/context.h"
#include "foundation/specifications/cell.h"
#include <shakedown/real.h>

#define shk_structure_cell SHK_NAME(shk_structure_cell)

/* As member run of struct shk_engine, for cells of these kinds. Any other kind is bad input. */
void shk_structure_cell(const struct shk_context *context, struct shk_outcome *outcome,
                        const struct shk_cell *cell);

#endif
