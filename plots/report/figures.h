/* The figures in the report of a study. Private to plots/report/. */
#ifndef PLOTS_REPORT_FIGURES_H
#define PLOTS_REPORT_FIGURES_H

#include "plots/kinds/kinds.h"

/* Draws the figures of a study, in its order, and writes each with a caption in full sentences and
 * the study's notes. The request must have no directory. Returns false with the reason on
 * failure. */
bool shk_put_figures(FILE *out, const struct shk_plot_request *request, struct shk_message *error);

#endif
