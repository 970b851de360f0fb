/* States at the sample times, for the kinds that draw them. Private to plots/. */
#ifndef PLOTS_KINDS_KIT_STATES_H
#define PLOTS_KINDS_KIT_STATES_H

#include "plots/canvas/shown_runs.h"

enum { SHK_MOST_COMPONENTS = 4 };

/* Reads components of a state, such as "q1", "p2" or "t"; false if one does not exist or is not
 * finite. */
bool shk_state_read(double *values, const struct shk_sample *sample, const char *const *components,
                    int count);
/* Writes a block of the states of a run, time and components; states that are not finite are
 * omitted. Returns the number of states. */
int shk_states_write(struct shk_chart *chart, const struct shk_record *run, const char *name,
                     const char *const *components, int count);
/* Draws one component of the runs against another: the axes that the study names, or the standard
 * ones; with `equal`, on the same scale. */
bool shk_draw_portrait(struct shk_drawing *drawing, int group, const char *precision,
                       const char *const *standard, bool equal);

#endif
