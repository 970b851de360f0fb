/* Figures of a run that `simulate` wrote as CSV. */
#ifndef PLOTS_SIMULATED_H
#define PLOTS_SIMULATED_H

#include "engine/context.h"
#include "foundation/message.h"
#include "foundation/specifications/cell.h"
#include <stdbool.h>

/* The rows of a run, and information about how it ended. */
struct shk_simulated {
  const struct shk_context *context;
  const struct shk_cell *cell;
  const char *csv_file;
  bool complete; /* false if the run stopped early */
};

/* Draws a run into a file whose type is given by the name's suffix. A GIF file shows the motion in
 * at most 400 frames, one for every k-th row and one for the last row. A PDF, SVG or PNG file shows
 * the energy error, the path and the constraint violation in one grid. Rows are read in double
 * precision. Returns false with the reason on failure, which includes a GIF of a problem that has
 * no picture. */
bool shk_draw_simulated(const struct shk_simulated *run, const char *file,
                        struct shk_message *error);

#endif
