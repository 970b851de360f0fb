/*
 * A mechanism in motion: the states of one run or several of the same problem, as points of a
 * plane. Private to plots/.
 */
#ifndef PLOTS_MOTION_MOTION_H
#define PLOTS_MOTION_MOTION_H

#include "engine/engine.h"
#include "plots/canvas/figure.h"

struct shk_motion_run {
  int method; /* its style, from 0 */
  int count;  /* states, by time */
  double *times;
  double *places; /* count x points x 2; NaN where a point cannot be told */
  bool joined;    /* whether the tracer's places follow each other closely */
  bool finished;  /* the run came to its end */
};

struct shk_motion {
  const char *problem;
  struct shk_scene scene; /* without states; of the first run */
  double *fixed, *curve;  /* projected: 2 numbers a point */
  int run_count;
  struct shk_motion_run *runs;
  /* Every time at which a run has a state, ascending; at most SHK_MOTION_FRAMES of them, the
   * others being left out. */
  int frame_count;
  double *frames;
  const char *time_unit; /* " s" or empty */
};

enum { SHK_MOTION_FRAMES = 400 };

/* In space a point is seen from afar, from this direction: so many degrees from the first axis
 * after the vertical one towards the second, and above the horizon. */
#define SHK_MOTION_AZIMUTH 30
#define SHK_MOTION_ELEVATION 20

/* Adds a run: times since t0, ascending, and the n numbers of each q. False with the reason; the motion
 * is to be cleared in any case. */
bool shk_motion_add(const struct shk_context *context, struct shk_motion *motion,
                    const char *problem, int method, bool finished, int count, const double *times,
                    int n, const double *q, struct shk_message *error);
/* Chooses the frames, once all runs are there. False with the reason, where there are fewer than
 * two. */
bool shk_motion_choose_frames(struct shk_motion *motion, struct shk_message *error);
void shk_motion_clear(struct shk_motion *motion);

/* A point's place in the plane, from `dimension` coordinates. */
void shk_motion_project(double *x, double *y, const struct shk_scene *scene, const double *r);
/* Place of a point of the scene in a state; below zero a fixed one. */
const double *shk_motion_at(const struct shk_motion *motion, const struct shk_motion_run *run,
                            int state, int point);
/* The last state of a run at that time or before; -1 where it has none yet. */
int shk_motion_state(const struct shk_motion_run *run, double time);

/* How much broader than the last run one is drawn, that those which lie over each other are seen. */
double shk_motion_breadth(const struct shk_motion *motion, const struct shk_motion_run *run);

/* Draws the still of it in a figure that has been begun, with the methods in its key: states at a
 * few times, the later the stronger, over the tracers' paths. The SVG moves where a page allows it.
 * The figure is finished and freed. */
bool shk_motion_draw(const struct shk_motion *motion, struct shk_figure *figure,
                     const char *directory, const char *const *types, struct shk_message *error);

/* Where the plane is in the SVG, in pixels: x -> left + x scale_x. */
struct shk_motion_view {
  double left, top, width, height; /* of the panel */
  double x, scale_x, y, scale_y;
  int still_first, still_last; /* the still's layers, counted from 1 */
  const int *styles;           /* of the methods; NULL: 0, 1, … */
};

/* Puts the frames into NAME.svg. */
bool shk_motion_animate(const struct shk_motion *motion, const struct shk_motion_view *view,
                        const char *name, const char *directory, struct shk_message *error);

#endif
