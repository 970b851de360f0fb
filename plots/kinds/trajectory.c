/* Trajectories: q2 against q1, or the axes that the study names, with the same scale on both
 * axes. */
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/states.h"

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  return shk_draw_portrait(drawing, group, precision, (const char *const[]){"q1", "q2"}, true);
}

const struct shk_figure_kind shk_figure_kind_trajectory = {
    .shows = "q2 against q1, or the `axes`, with one scale",
    .template = "path",
    .only_by_name = true,
    .of_precision = draw};
