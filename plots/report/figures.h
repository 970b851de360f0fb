/* The figures in the report of a study. Private to plots/report/. */
#ifndef PLOTS_REPORT_FIGURES_H
#define PLOTS_REPORT_FIGURES_H

#include "plots/kinds/kinds.h"

/* Draws the figures of a study in study order, and writes each of them with a caption in full
 * sentences and with the study's notes. The request must not have a directory. On failure, returns
 * false and sets the message. */
bool shk_put_figures(FILE *out, const struct shk_plot_request *request, struct shk_message *error);

#endif
