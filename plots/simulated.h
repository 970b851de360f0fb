/* Pictures of one run that `simulate` wrote as CSV. */
#ifndef PLOTS_SIMULATED_H
#define PLOTS_SIMULATED_H

#include "engine/context.h"
#include "foundation/message.h"
#include <stdbool.h>

/* What was run: canonical specifications, and the step as it stands, NULL: none. */
struct shk_simulated_run {
  const char *problem, *integrator, *step;
};

/* Draws the first coordinates and |H - H(0)| against time, as SVG. The header of the CSV names the
 * columns t, q1, …, energy. False with the reason. */
bool shk_plot_rows(const struct shk_simulated_run *run, const char *csv_file, const char *svg_file,
                   struct shk_message *error);

/* Draws the same rows as an animated GIF, a frame a row, at most 400 of them at even distances.
 * False with the reason, also where the problem does not say what it looks like. */
bool shk_animate_rows(const struct shk_context *context, const struct shk_simulated_run *run,
                      const char *csv_file, const char *gif_file, struct shk_message *error);

#endif
