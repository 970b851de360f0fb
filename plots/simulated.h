/* Figures of a run that `simulate` wrote as CSV. */
#ifndef PLOTS_SIMULATED_H
#define PLOTS_SIMULATED_H

#include "engine/context.h"
#include "foundation/message.h"
#include "foundation/specifications/cell.h"
#include <stdbool.h>

/* The rows of a run, and how it ended. */
struct shk_simulated {
  const struct shk_context *context;
  const struct shk_cell *cell;
  const char *csv_file;
  bool complete; /* false: the run stopped early */
};

/* Draws a run into a file, by its ending: as GIF, its motion, of at most 400 frames, one for every
 * k-th row and one for the last; as PDF, SVG or PNG, its energy error, its path and the violation of
 * its constraints, in one grid. Rows are read in double precision. Returns false with the reason,
 * also if a problem in motion has no picture. */
bool shk_draw_simulated(const struct shk_simulated *run, const char *file,
                        struct shk_message *error);

#endif
