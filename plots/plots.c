/* All figures of a study: which kinds are asked for, of which problems and precisions. */
#include "plots/plots.h"
#include "plots/kinds/kinds.h"
#include <string.h>

const char *const shk_plot_types[] = {"pdf", "svg", "png", "tex", NULL};

/* What draws a kind: the figures of a group, those of a group in a precision, or the one of the
 * study. Each draws nothing where the records do not hold what it needs. */
static const struct kind {
  const char *name;
  bool (*of_group)(struct shk_drawing *drawing, int group);
  bool (*of_precision)(struct shk_drawing *drawing, int group, const char *precision);
  bool (*of_study)(struct shk_drawing *drawing);
  bool only_by_name; /* a study has to ask for it */
} kinds[] = {
    {.name = "outcome-map", .of_study = shk_draw_outcome_maps},
    {.name = "regularity", .of_precision = shk_draw_regularity},
    {.name = "parameter", .of_study = shk_draw_parameters},
    {.name = "order", .of_group = shk_draw_orders},
    {.name = "energy", .of_precision = shk_draw_energy},
    {.name = "constraint", .of_precision = shk_draw_constraint},
    {.name = "work-precision", .of_precision = shk_draw_cost},
    {.name = "tolerance", .of_precision = shk_draw_tolerance},
    {.name = "scaling", .of_study = shk_draw_scaling},
    {.name = "certificates", .of_study = shk_draw_certificates},
    {.name = "structure", .of_precision = shk_draw_structure, .only_by_name = true},
    {.name = "multipliers", .of_study = shk_draw_multipliers, .only_by_name = true},
    {.name = "phase", .of_precision = shk_draw_phase, .only_by_name = true},
    {.name = "trajectory", .of_precision = shk_draw_trajectory, .only_by_name = true},
    {.name = "motion", .of_precision = shk_draw_motion, .only_by_name = true},
    {.name = "hopf", .of_study = shk_draw_hopf, .only_by_name = true},
    {.name = "fibres", .of_precision = shk_draw_fibres, .only_by_name = true},
    {.name = "step", .of_precision = shk_draw_step, .only_by_name = true},
};

static bool draw_kind(struct shk_drawing *drawing, const struct kind *kind)
{
  if (kind->of_study)
    return kind->of_study(drawing);
  for (int g = 0; g < drawing->group_count; g++) {
    if (!drawing->groups[g].used)
      continue;
    if (kind->of_group && !kind->of_group(drawing, g))
      return false;
    for (int i = 0; kind->of_precision && shk_drawn_precisions[i]; i++) {
      if (!kind->of_precision(drawing, g, shk_drawn_precisions[i]))
        return false;
      shk_drawing_put_back(drawing);
    }
  }
  return true;
}

/* Figures of a problem are drawn of so many, whatever the size of the study: the first of those
 * that are asked for. */
static void leave_out(struct shk_drawing *drawing)
{
  int used = 0;
  for (int g = 0; g < drawing->group_count; g++)
    if (drawing->groups[g].used && used++ >= SHK_MOST_DRAWN)
      drawing->groups[g].used = false;
  if (used - SHK_MOST_DRAWN > drawing->left_out)
    drawing->left_out = used - SHK_MOST_DRAWN;
}

/* Draws what is asked for; with nothing named, NULL, every kind. */
static bool draw(struct shk_drawing *drawing, const struct shk_study_figure *asked)
{
  bool ok = true;
  drawing->asked = asked;
  shk_drawing_gather(drawing);
  leave_out(drawing);
  for (size_t i = 0; ok && i < sizeof kinds / sizeof *kinds; i++)
    if (asked ? strcmp(kinds[i].name, asked->kind) == 0 : !kinds[i].only_by_name)
      ok = draw_kind(drawing, &kinds[i]);
  shk_drawing_put_back(drawing);
  shk_drawing_clear(drawing);
  return ok;
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
                 const struct shk_record *const *records, struct shk_records *parts,
                 const struct shk_analysis *analysis, const char *directory,
                 const char *const *types, int *left_out, struct shk_message *error)
{
  struct shk_taken taken = {0};
  *left_out = 0;
  if (!types_are_known(types, error) || !shk_make_directory(directory, error))
    return -1;
  struct shk_drawing drawing = {.study = study,
                                .plan = plan,
                                .records = records,
                                .parts = parts,
                                .taken = &taken,
                                .analysis = analysis,
                                .directory = directory,
                                .types = types,
                                .error = error};
  bool ok = study->figure_count > 0 || draw(&drawing, NULL);
  for (int i = 0; ok && i < study->figure_count; i++)
    ok = draw(&drawing, &study->figures[i]);
  *left_out = drawing.left_out;
  return ok ? drawing.drawn : -1;
}
