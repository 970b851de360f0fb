/* A mechanism in motion: the bodies of runs of one problem. Private to plots/. */
#ifndef PLOTS_CANVAS_MOTION_H
#define PLOTS_CANVAS_MOTION_H

#include "engine/engine.h"
#include "plots/canvas/chart.h"

/* Writes a run as a block of data for motion.gp: the rows of struct shk_bodies after their times,
 * which are since t0; the first run of a chart has the times of the notes. q: n numbers for each
 * state. Returns false with the reason. */
bool shk_motion_add(struct shk_chart *chart, const struct shk_context *context, const char *problem,
                    const char *name, bool finished, int count, const double *times, int n,
                    const double *q, struct shk_message *error);

#endif
