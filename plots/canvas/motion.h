/* Draws a mechanism in motion, that is, the moving bodies in the runs of one problem. Private to
 * plots/. */
#ifndef PLOTS_CANVAS_MOTION_H
#define PLOTS_CANVAS_MOTION_H

#include "engine/engine.h"
#include "plots/canvas/chart.h"

/* A run of a method, which is identified by its number and name. */
struct shk_motion {
  const char *problem, *name;
  int method;
  bool first;    /* true if the caption lists times of this run */
  bool si;       /* true if lengths are in metres */
  bool finished; /* true if the run, like the first one, determines the axis ranges */
  int longest;   /* number of states in the longest run of the panel */
  int count, n;  /* the number of states, and the number of coordinates per state */
  const double *times, *q;
};

/* Writes a run as a data block for motion.gp. Each row of struct shk_bodies is preceded by the time
 * since t0. The k-th states of all runs in a panel must have the same time. On failure, returns
 * false and sets the message. */
bool shk_motion_add(struct shk_chart *chart, const struct shk_context *context,
                    const struct shk_motion *run, struct shk_message *error);

#endif
