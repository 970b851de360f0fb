/* A mechanism in motion: the bodies of runs of one problem. Private to plots/. */
#ifndef PLOTS_CANVAS_MOTION_H
#define PLOTS_CANVAS_MOTION_H

#include "engine/engine.h"
#include "plots/canvas/chart.h"

/* A run of a method, by its number and name. */
struct shk_motion {
  const char *problem, *name;
  int method;
  bool first;    /* the caption lists times of this run */
  bool finished; /* it determines the ranges of axes, as does the first */
  int longest;   /* number of states of the longest run of the panel */
  int count, n;  /* number of states, and of the coordinates of each */
  const double *times, *q;
};

/* Writes a run as a block of data for motion.gp: rows of struct shk_bodies, each after its time since
 * t0. States of the same number have the same time in all runs of the panel. Returns false with the
 * reason. */
bool shk_motion_add(struct shk_chart *chart, const struct shk_context *context,
                    const struct shk_motion *run, struct shk_message *error);

#endif
