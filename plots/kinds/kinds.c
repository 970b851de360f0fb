/* All figures of a study: which kinds are asked for, of which problems and precisions. */
#include "plots/kinds/kinds.h"
#include "plots/canvas/shown_runs.h"
#include <string.h>

const char *const shk_plot_types[] = {"pdf", "svg", "png", "tex", NULL};

static const struct shk_figure_kind *const kinds[] = {
#define SHK_FIGURE_KIND(name, word, axes) &shk_figure_kind_##name,
#include "harness/study/figure_kinds.def"
#undef SHK_FIGURE_KIND
    NULL};

const struct shk_figure_kind *shk_figure_kind_at(int index)
{
  return kinds[index];
}

static bool draw_kind(struct shk_drawing *drawing, const struct shk_figure_kind *kind)
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

/* Leaves out the problems beyond SHK_MOST_DRAWN, in the order of the study. */
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
  for (int i = 0; ok && kinds[i]; i++) {
    drawing->kind = shk_figure_names[i];
    if (asked ? strcmp(drawing->kind, asked->kind) == 0 : !kinds[i]->only_by_name)
      ok = draw_kind(drawing, kinds[i]);
  }
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

static bool shows_motion(const struct shk_study_figure *figure)
{
  return strcmp(figure->kind, "motion") == 0;
}

bool shk_plots_motion(const struct shk_study *study)
{
  for (int i = 0; i < study->figure_count; i++)
    if (shows_motion(&study->figures[i]))
      return true;
  return false;
}

void shk_plot_ask_scenes(const struct shk_study *study, const struct shk_plan *plan,
                         const struct shk_record *const *records, struct shk_records *parts,
                         const struct shk_analysis *analysis)
{
  struct shk_taken taken = {0};
  struct shk_message ignored;
  struct shk_drawing drawing = {.study = study,
                                .plan = plan,
                                .records = records,
                                .parts = parts,
                                .taken = &taken,
                                .analysis = analysis,
                                .error = &ignored};
  for (int i = 0; i < study->figure_count; i++)
    if (shows_motion(&study->figures[i]))
      draw(&drawing, &study->figures[i]);
}
