/* A mechanism in motion: states of runs of one problem as points of a plane. Private to plots/. */
#ifndef PLOTS_CANVAS_MOTION_H
#define PLOTS_CANVAS_MOTION_H

#include "engine/engine.h"
#include "plots/canvas/plane.h"

struct shk_motion {
  struct shk_box box;
  char *states, *joined; /* lists, a number each run */
  int last;              /* states of the longest run */
  double *times;         /* its own */
};

/* Writes a run as two blocks of data: the path of its tracer; its lines, springs and points, state
 * by state, separated by blank lines. Before the first run stand what stays and the fixed points.
 * Of a run that stopped early the box takes nothing, unless it is the first. Times are since t0, of
 * each state q has n numbers. False with the reason. */
bool shk_motion_add(struct shk_motion *motion, struct shk_chart *chart,
                    const struct shk_context *context, const char *problem, const char *name,
                    bool finished, int count, const double *times, int n, const double *q,
                    struct shk_message *error);
/* The settings of its templates, motion.gp and animate.gp. Frees what the motion holds. */
void shk_motion_end(struct shk_motion *motion, struct shk_chart *chart);

#endif
