/* A mechanism in motion: states of runs of one problem as points of a plane. Private to plots/. */
#ifndef PLOTS_CANVAS_MOTION_H
#define PLOTS_CANVAS_MOTION_H

#include "engine/engine.h"
#include "plots/canvas/plane.h"

struct shk_motion {
  struct shk_box box;
  char *states, *joined; /* lists with one number for each run */
  int last;              /* number of states of the longest run */
  double *times;         /* its times, owned */
};

/* Writes a run as two blocks of data: the path of its tracer; its lines, springs and points, state
 * by state, separated by blank lines. times: since t0; q: n numbers for each state. Returns false
 * with the reason. */
bool shk_motion_add(struct shk_motion *motion, struct shk_chart *chart,
                    const struct shk_context *context, const char *problem, const char *name,
                    bool finished, int count, const double *times, int n, const double *q,
                    struct shk_message *error);
/* Writes the settings for motion.gp and animate.gp. Frees the contents of the motion. */
void shk_motion_end(struct shk_motion *motion, struct shk_chart *chart);

#endif
