/*
 * Paths of states at the sample times in a plane, for the kinds that draw them.
 *
 * Samples are joined by a line if they are close: if the path turns by less than 10° from sample to
 * sample, nine times out of ten. Otherwise each is a separate mark, since a line would show a
 * motion that was not computed. If marks of several methods coincide, those of the earlier methods
 * are larger.
 */
#ifndef PLOTS_KINDS_KIT_PORTRAIT_H
#define PLOTS_KINDS_KIT_PORTRAIT_H

#include "plots/canvas/plane.h"
#include "plots/canvas/shown_runs.h"

struct shk_path {
  int count;
  double *times, *x, *y;
  bool joined;
};

/* A coordinate of a state, "q1", …; NaN if it does not exist. */
double shk_state_component(const struct shk_sample *sample, const char *axis);

/* Two coordinates of a run's states; states that are not finite are omitted. */
struct shk_path shk_path_of(const struct shk_record *record, const char *const *axes);
void shk_path_clear(struct shk_path *path);

/* Draws one coordinate of the runs against another: the axes that the study names, or the standard
 * ones; with `equal`, on the same scale. */
bool shk_draw_portrait(struct shk_drawing *drawing, int group, const char *precision,
                       const char *const *standard, bool equal);

#endif
