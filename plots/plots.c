/* All figures of a study: which kinds are asked for, of which problems and precisions. */
#include "plots/plots.h"
#include "plots/kinds.h"
#include <string.h>

const char *const shk_plot_types[] = {"pdf", "svg", "png", "tex", NULL};

static bool is_asked_for(const struct shk_study *study, const char *kind)
{
  for (int i = 0; i < study->figure_count; i++)
    if (strcmp(study->figures[i], kind) == 0)
      return true;
  return study->figure_count == 0;
}

static bool draw_group(struct shk_drawing *drawing, int group)
{
  const struct shk_study *study = drawing->study;
  if (is_asked_for(study, "order") && !shk_draw_orders(drawing, group))
    return false;
  for (int i = 0; shk_drawn_precisions[i]; i++) {
    const char *precision = shk_drawn_precisions[i];
    if (is_asked_for(study, "energy") && !shk_draw_energy(drawing, group, precision))
      return false;
    if (is_asked_for(study, "constraint") && !shk_draw_constraint(drawing, group, precision))
      return false;
    if (is_asked_for(study, "work-precision") && !shk_draw_cost(drawing, group, precision))
      return false;
  }
  return true;
}

static bool types_are_known(const char *const *types, struct shk_message *error)
{
  if (!types[0])
    shk_message_set(error, "no type of figure is given, expected pdf, svg, png or tex");
  for (int i = 0; types[i]; i++) {
    bool known = false;
    for (int j = 0; shk_plot_types[j]; j++)
      known = known || strcmp(types[i], shk_plot_types[j]) == 0;
    if (!known) {
      shk_message_set(error, "unknown type of figure \"%s\", expected pdf, svg, png or tex",
                      types[i]);
      return false;
    }
  }
  return types[0] != NULL;
}

int shk_plot_all(const struct shk_study *study, const struct shk_plan *plan,
                 const struct shk_record *const *records, const struct shk_analysis *analysis,
                 const char *directory, const char *const *types, struct shk_message *error)
{
  if (!types_are_known(types, error) || !shk_make_directory(directory, error))
    return -1;
  struct shk_drawing drawing = {.study = study,
                                .plan = plan,
                                .records = records,
                                .analysis = analysis,
                                .directory = directory,
                                .types = types,
                                .error = error};
  shk_drawing_gather(&drawing);
  bool ok = true;
  for (int i = 0; ok && i < drawing.group_count; i++)
    if (drawing.groups[i].used)
      ok = draw_group(&drawing, i);
  shk_drawing_clear(&drawing);
  return ok ? drawing.drawn : -1;
}
