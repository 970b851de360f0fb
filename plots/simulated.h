/* Pictures of one run that `simulate` wrote as CSV. */
#ifndef PLOTS_SIMULATED_H
#define PLOTS_SIMULATED_H

#include "engine/context.h"
#include "foundation/message.h"
#include <stdbool.h>

/* Canonical specifications of the run, and the step as written; NULL: none. */
struct shk_simulated_run {
  const char *problem, *integrator, *step;
};

/* Draws the first coordinates and |H - H(0)| against time, as SVG. The header of the CSV names the
 * columns t, q1, …, energy. Returns false with the reason. */
bool shk_plot_rows(const struct shk_simulated_run *run, const char *csv_file, const char *svg_file,
                   struct shk_message *error);

/* Draws the same rows as an animated GIF with at most 400 frames at equal distances, one row each.
 * Returns false with the reason, also if the problem has no picture. */
bool shk_animate_rows(const struct shk_context *context, const struct shk_simulated_run *run,
                      const char *csv_file, const char *gif_file, struct shk_message *error);

#endif
