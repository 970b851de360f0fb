/* Phase portraits: p1 against q1, or the axes that the study names, at the sample times. */
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/states.h"

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  return shk_draw_portrait(drawing, group, precision, (const char *const[]){"q1", "p1"}, false);
}

const struct shk_figure_kind shk_figure_kind_phase = {
    .shows = "p1 against q1, or the `axes` that are named, at the sample times",
    .template = "path",
    .only_by_name = true,
    .of_precision = draw};
