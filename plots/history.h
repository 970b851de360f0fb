/* How the methods of a study moved from version to version, as a figure. */
#ifndef PLOTS_HISTORY_H
#define PLOTS_HISTORY_H

#include "harness/check/versions.h"

/* Orders of q, errors of q and evaluations of forces of each method against the version, the last
 * two over those of the first; means over problems and precisions. Below them, in which versions
 * bands were left. SVG. False with the reason. */
bool shk_plot_history(const struct shk_version *versions, int count, const char *svg_file,
                      struct shk_message *error);

#endif
