/* A mechanism in motion: the bodies of runs of one problem. Private to plots/. */
#ifndef PLOTS_CANVAS_MOTION_H
#define PLOTS_CANVAS_MOTION_H

#include "engine/engine.h"
#include "plots/canvas/chart.h"

/* All runs of a chart; zero at first. */
struct shk_motion {
  int longest;   /* number of states of the longest run */
  double *times; /* its times, owned */
};

/* Writes a run as a block of data: the rows of struct shk_bodies after their times. times: since
 * t0; q: n numbers for each state. Returns false with the reason. */
bool shk_motion_add(struct shk_motion *motion, struct shk_chart *chart,
                    const struct shk_context *context, const char *problem, const char *name,
                    bool finished, int count, const double *times, int n, const double *q,
                    struct shk_message *error);
/* Writes the settings for motion.gp. Frees the contents of the motion. */
void shk_motion_end(struct shk_motion *motion, struct shk_chart *chart);

#endif
