/* All figures of a study: the kinds that it asks for, with their problems and precisions. */
#include "plots/kinds/kinds.h"
#include "plots/canvas/shown_runs.h"
#include <string.h>

const char *const shk_plot_types[] = {"pdf", "svg", "png", "tex", NULL};

static const struct shk_figure_kind *const kinds[] = {
#define SHK_FIGURE_KIND(name, word, axes) &shk_figure_kind_##name,
#include "harness/study/figure_kinds.def"
#undef SHK_FIGURE_KIND
    NULL};

static const char *const templates[] = {
#define SHK_FIGURE_KIND(name, word, axes) #name,
#include "harness/study/figure_kinds.def"
#undef SHK_FIGURE_KIND
};

const struct shk_figure_kind *shk_figure_kind_at(int index)
{
  return kinds[index];
}

/* Draws the figures of a group in its precisions; if `sparing`, in the first that has one. */
static bool draw_precisions(struct shk_drawing *drawing, const struct shk_figure_kind *kind,
                            int group)
{
  const int before = drawing->drawn;
  for (int i = 0; shk_drawn_precisions[i]; i++) {
    if (drawing->sparing && drawing->drawn > before) {
      drawing->passed_over = true;
      return true;
    }
    if (!kind->of_precision(drawing, group, shk_drawn_precisions[i]))
      return false;
    shk_drawing_put_back(drawing);
  }
  return true;
}

/* Draws up to `most` figures of a kind. */
static bool draw_kind(struct shk_drawing *drawing, const struct shk_figure_kind *kind, int most)
{
  const int before = drawing->drawn;
  bool any = false;
  if (kind->of_study)
    return kind->of_study(drawing);
  for (int g = 0; g < drawing->group_count; g++)
    any = any || (drawing->groups[g].used && kind->is_telling && kind->is_telling(drawing, g));
  for (int g = 0; g < drawing->group_count; g++) {
    if (!drawing->groups[g].used)
      continue;
    if (drawing->sparing &&
        (drawing->drawn - before >= most || drawing->drawn >= drawing->most_chosen ||
         (any && !kind->is_telling(drawing, g)))) {
      drawing->passed_over = true;
      continue;
    }
    if (kind->of_group && !kind->of_group(drawing, g))
      return false;
    if (kind->of_precision && !draw_precisions(drawing, kind, g))
      return false;
  }
  return true;
}

/* Deselects the problems beyond SHK_MOST_DRAWN, in the order of the study. */
static void leave_out(struct shk_drawing *drawing)
{
  int used = 0;
  for (int g = 0; g < drawing->group_count; g++)
    if (drawing->groups[g].used && used++ >= SHK_MOST_DRAWN)
      drawing->groups[g].used = false;
  if (used - SHK_MOST_DRAWN > drawing->left_out)
    drawing->left_out = used - SHK_MOST_DRAWN;
}

/* True if the study gives more than the kind of a figure. */
static bool selects(const struct shk_study_figure *asked)
{
  return asked->name || asked->problem_count > 0 || asked->integrator_count > 0 ||
         asked->precision || asked->step || asked->until || asked->axes[0] ||
         asked->columns != SHK_COLUMNS_DEFAULT;
}

/* Draws the figure asked for, or every kind if `asked` is NULL; at most `most` of a kind. */
static bool draw(struct shk_drawing *drawing, const struct shk_study_figure *asked, int most)
{
  const bool sparing = drawing->sparing;
  bool ok = true;
  drawing->asked = asked;
  drawing->sparing = sparing && !(asked && selects(asked));
  shk_drawing_gather(drawing);
  leave_out(drawing);
  for (int i = 0; ok && kinds[i]; i++) {
    drawing->kind = shk_figure_names[i];
    drawing->template = kinds[i]->template ? kinds[i]->template : templates[i];
    if (asked ? strcmp(drawing->kind, asked->kind) == 0 : !kinds[i]->only_by_name)
      ok = draw_kind(drawing, kinds[i], most);
  }
  shk_drawing_put_back(drawing);
  shk_drawing_clear(drawing);
  drawing->sparing = sparing;
  return ok;
}

/* Number of figures of each kind, at least one. Named kinds share `all` equally. If none is named,
 * only about a third of all kinds have data in one study. */
static int share_of_kinds(const struct shk_study *study, int all)
{
  enum { OF_ALL = 3 };
  int count = 0;
  for (int i = 0; i < study->figure_count; i++)
    count += !selects(&study->figures[i]);
  if (study->figure_count == 0)
    return all / OF_ALL;
  return count > 0 && count < all ? all / count : 1;
}

/* True if no run of the study has this measure. */
static bool lacks(const struct shk_study *study, const char *measure)
{
  for (int i = 0; measure && i < study->run_count; i++)
    if (shk_run_measures(&study->runs[i], shk_measure_named(measure)))
      return false;
  return measure;
}

static void note_undrawn(struct shk_plotted *plotted, const struct shk_study *study,
                         const struct shk_study_figure *asked)
{
  const char *measure = NULL;
  for (int i = 0; kinds[i]; i++)
    if (strcmp(asked->kind, shk_figure_names[i]) == 0)
      measure = kinds[i]->measure;
  if (plotted->undrawn_count < SHK_MOST_CHOSEN)
    plotted->undrawn[plotted->undrawn_count++] =
        (struct shk_undrawn){asked->kind, lacks(study, measure) ? measure : NULL};
}

bool shk_plot_all(struct shk_plotted *plotted, const struct shk_plot_request *request,
                  struct shk_message *error)
{
  const struct shk_study *const study = request->study;
  const int most_chosen =
      request->extent == SHK_PLOT_SUMMARY ? SHK_MOST_IN_SUMMARY : SHK_MOST_CHOSEN;
  const int most = share_of_kinds(study, most_chosen);
  struct shk_taken taken = {0};
  *plotted = (struct shk_plotted){0};
  if (!shk_make_directory(request->directory, error))
    return false;
  struct shk_drawing drawing = {.study = study,
                                .plan = request->plan,
                                .records = request->records,
                                .parts = request->parts,
                                .taken = &taken,
                                .analysis = request->analysis,
                                .directory = request->directory,
                                .place = {request->directory, request->types, request->templates},
                                .most_chosen = most_chosen,
                                .sparing = request->extent != SHK_PLOT_EVERYTHING,
                                .error = error};
  bool ok = study->figure_count > 0 || draw(&drawing, NULL, most);
  for (int i = 0; ok && i < study->figure_count; i++) {
    const int before = drawing.drawn;
    const bool passed_over = drawing.passed_over;
    drawing.passed_over = false;
    ok = draw(&drawing, &study->figures[i], most);
    if (ok && drawing.drawn == before && !drawing.passed_over)
      note_undrawn(plotted, study, &study->figures[i]);
    drawing.passed_over = drawing.passed_over || passed_over;
  }
  plotted->drawn = drawing.drawn;
  plotted->passed_over = drawing.passed_over;
  plotted->left_out = drawing.left_out;
  return ok;
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

void shk_plot_ask_bodies(const struct shk_study *study, const struct shk_plan *plan,
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
      draw(&drawing, &study->figures[i], SHK_MOST_DRAWN);
}
