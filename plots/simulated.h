/* The motion of a run that `simulate` wrote as CSV. */
#ifndef PLOTS_SIMULATED_H
#define PLOTS_SIMULATED_H

#include "engine/context.h"
#include "foundation/message.h"
#include <stdbool.h>

/* Draws the rows of a run of this problem as an animated GIF of at most 400 frames, one for every
 * k-th row and one for the last. Returns false with the reason, also if the problem has no
 * picture. */
bool shk_animate_rows(const struct shk_context *context, const char *problem,
                      const char *integrator, const char *csv_file, const char *gif_file,
                      struct shk_message *error);

#endif
