/* Draws figures of a run that `simulate` has written as CSV. */
#ifndef PLOTS_SIMULATED_H
#define PLOTS_SIMULATED_H

#include "engine/context.h"
#include "foundation/message.h"
#include "foundation/specifications/cell.h"
#include <stdbool.h>

/* A run's rows in a CSV file, and how the run ended. */
struct shk_simulated {
  const struct shk_context *context;
  const struct shk_cell *cell;
  const char *csv_file;
  bool complete; /* false if the run stopped early */
};

/* Draws a run to a file. The suffix of the file name determines its type. A GIF shows the motion in
 * at most 400 frames, one for every k-th row and one for the last row. A PDF, SVG or PNG shows the
 * energy error, the path and the constraint violation in one grid. Rows are read in double
 * precision. On failure, for example if a GIF is requested for a problem that has no picture,
 * returns false and sets the message. */
bool shk_draw_simulated(const struct shk_simulated *run, const char *file,
                        struct shk_message *error);

#endif
