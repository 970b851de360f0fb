/* A mechanism in motion: the bodies in the runs of one problem. Private to plots/. */
#ifndef PLOTS_CANVAS_MOTION_H
#define PLOTS_CANVAS_MOTION_H

#include "engine/engine.h"
#include "plots/canvas/chart.h"

/* A run of a method, which is given by its number and name. */
struct shk_motion {
  const char *problem, *name;
  int method;
  bool first;    /* true: the caption lists times of this run */
  bool finished; /* true: it determines the axis ranges, as the first run does */
  int longest;   /* number of states of the longest run of the panel */
  int count, n;  /* number of states, and of coordinates in each */
  const double *times, *q;
};

/* Writes a run as a data block for motion.gp: rows of struct shk_bodies, each preceded by its time
 * since t0. The k-th states of all runs in the panel have the same time. Returns false with the
 * reason on failure. */
bool shk_motion_add(struct shk_chart *chart, const struct shk_context *context,
                    const struct shk_motion *run, struct shk_message *error);

#endif
