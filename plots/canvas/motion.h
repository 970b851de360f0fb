/* A mechanism in motion: the bodies of runs of one problem. Private to plots/. */
#ifndef PLOTS_CANVAS_MOTION_H
#define PLOTS_CANVAS_MOTION_H

#include "engine/engine.h"
#include "plots/canvas/chart.h"

/* Writes a run of a method, by its number, as a block of data for motion.gp: rows of struct shk_bodies, each after its time
 * since t0. The caption lists times of the first run. q: n numbers for each state.
 * finished: the run determines the ranges of axes, as does the first. Returns false with the
 * reason. */
bool shk_motion_add(struct shk_chart *chart, const struct shk_context *context, const char *problem,
                    int method, const char *name, bool first, bool finished, int count,
                    const double *times, int n, const double *q, struct shk_message *error);

#endif
