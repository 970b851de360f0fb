/* The values of a study's methods from version to version, as a figure. */
#ifndef PLOTS_HISTORY_H
#define PLOTS_HISTORY_H

#include "harness/check/versions.h"

/* Draws orders of q, errors of q and evaluations of forces of each method against the version, the
 * last two relative to the first version; means over problems and precisions. Notes list the
 * versions in which bands were left. Writes SVG. Returns false with the reason. */
bool shk_plot_history(const struct shk_version *versions, int count, const char *svg_file,
                      struct shk_message *error);

#endif
