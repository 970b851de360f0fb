/* The kinds of figure, one file each. Private to plots/. */
#ifndef PLOTS_KINDS_KINDS_H
#define PLOTS_KINDS_KINDS_H

#include "plots/canvas/drawing.h"

/* Each draws its figures of a group, or of the study; false with the message set. */
bool shk_draw_orders(struct shk_drawing *drawing, int group);
bool shk_draw_energy(struct shk_drawing *drawing, int group, const char *precision);
bool shk_draw_constraint(struct shk_drawing *drawing, int group, const char *precision);
bool shk_draw_tolerance(struct shk_drawing *drawing, int group, const char *precision);
bool shk_draw_phase(struct shk_drawing *drawing, int group, const char *precision);
bool shk_draw_trajectory(struct shk_drawing *drawing, int group, const char *precision);
bool shk_draw_motion(struct shk_drawing *drawing, int group, const char *precision);
bool shk_draw_fibres(struct shk_drawing *drawing, int group, const char *precision);
bool shk_draw_step(struct shk_drawing *drawing, int group, const char *precision);
bool shk_draw_hopf(struct shk_drawing *drawing);
bool shk_draw_scaling(struct shk_drawing *drawing);
bool shk_draw_certificates(struct shk_drawing *drawing);
bool shk_draw_outcome_maps(struct shk_drawing *drawing);
bool shk_draw_regularity(struct shk_drawing *drawing, int group, const char *precision);
bool shk_draw_parameters(struct shk_drawing *drawing);
bool shk_draw_multipliers(struct shk_drawing *drawing);
bool shk_draw_structure(struct shk_drawing *drawing, int group, const char *precision);
bool shk_draw_cost(struct shk_drawing *drawing, int group, const char *precision);

#endif
