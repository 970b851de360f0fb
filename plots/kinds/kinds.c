/* All figures of a study: the kinds that it names, with their problems and precisions. */
#include "plots/kinds/kinds.h"
#include "plots/canvas/shown_runs.h"
#include <string.h>

const char *const shk_plot_types[] = {"pdf", "svg", "png", "tex", NULL};

static const struct {
  const struct shk_figure_kind *kind; /* NULL ends the list */
  const char *template;
} kinds[] = {
#define SHK_FIGURE_KIND(name, word) {&shk_figure_kind_##name, #name},
#include "harness/study/figure_kinds.def"
#undef SHK_FIGURE_KIND
    {NULL, NULL}};

/* Draws the figures of a kind. If `sparing`, a problem has one, in the first precision with data; a
 * kind has at most `most` of them, and all kinds together at most the request's number. */
static bool draw_kind(struct shk_drawing *drawing, const struct shk_figure_kind *kind, int most)
{
  const int first = drawing->drawn;
  for (int g = 0; g < drawing->group_count; g++) {
    const int before = drawing->drawn;
    for (int i = 0; drawing->groups[g].used && shk_drawn_precisions[i]; i++) {
      if (drawing->sparing &&
          (drawing->drawn > before || before - first >= most || before >= drawing->from->most)) {
        drawing->passed_over = true;
        break;
      }
      if (!kind->draw(drawing, g, shk_drawn_precisions[i]))
        return false;
      shk_drawing_put_back(drawing);
      if (kind->of_group)
        break;
    }
  }
  return true;
}

/* True if the study gives more of a figure than its kind. */
static bool selects_more(const struct shk_study_figure *asked)
{
  return asked->name || asked->problems.count > 0 || asked->integrators.count > 0 ||
         asked->precision || asked->step || asked->until || asked->axes[0] ||
         asked->columns != SHK_COLUMNS_DEFAULT;
}

/* Draws the requested figure or, if `asked` is NULL, every kind that need not be named; at most
 * `most` of a kind. Problems beyond SHK_MOST_DRAWN, in the order of the study, are left out. */
static bool draw_kinds(struct shk_plotted *plotted, const struct shk_plot_request *request,
                       const struct shk_study_figure *asked, int most, struct shk_message *error)
{
  struct shk_drawing drawing = {.from = request,
                                .error = error,
                                .asked = asked,
                                .drawn = plotted->drawn,
                                .passed_over = plotted->passed_over,
                                .sparing = request->most > 0 && !(asked && selects_more(asked))};
  int used = 0;
  bool ok = true;
  shk_drawing_gather(&drawing);
  for (int g = 0; g < drawing.group_count; g++)
    if (drawing.groups[g].used)
      drawing.groups[g].used = used++ < SHK_MOST_DRAWN;
  plotted->left_out = used > SHK_MOST_DRAWN ? used - SHK_MOST_DRAWN : plotted->left_out;
  for (int i = 0; ok && kinds[i].kind; i++) {
    const struct shk_figure_kind *const kind = drawing.entry = kinds[i].kind;
    drawing.kind = shk_figure_names[i];
    drawing.template = kind->template ? kind->template : kinds[i].template;
    if (asked ? strcmp(drawing.kind, asked->kind) == 0 : !kind->only_by_name)
      ok = draw_kind(&drawing, kind, most);
  }
  shk_drawing_put_back(&drawing);
  shk_drawing_clear(&drawing);
  plotted->drawn = drawing.drawn;
  plotted->passed_over = drawing.passed_over;
  return ok;
}

/* Largest number of figures of a kind, at least one. Kinds that the study names without a selection
 * share `all` equally; if it names none, three kinds are expected to have data. */
static int share_of_kinds(const struct shk_study *study, int all)
{
  int count = study->figure_count == 0 ? 3 : 0;
  for (int i = 0; i < study->figure_count; i++)
    count += !selects_more(&study->figures[i]);
  return count > 0 && count < all ? all / count : 1;
}

/* Returns the measure that this kind needs if no run of the study has it; else NULL. */
static const char *lacking_measure(const struct shk_study *study, const char *kind)
{
  const char *measure = NULL;
  for (int i = 0; kinds[i].kind; i++)
    if (strcmp(kind, shk_figure_names[i]) == 0)
      measure = kinds[i].kind->measure;
  for (int i = 0; measure && i < study->run_count; i++)
    if (shk_run_measures(&study->runs[i], shk_measure_named(measure)))
      measure = NULL;
  return measure;
}

bool shk_plot_all(struct shk_plotted *plotted, const struct shk_plot_request *request,
                  struct shk_message *error)
{
  const struct shk_study *const study = request->study;
  const int most = share_of_kinds(study, request->most);
  *plotted = (struct shk_plotted){0};
  bool ok = !request->files.directory || shk_make_directory(request->files.directory, error);
  if (ok && study->figure_count == 0)
    ok = draw_kinds(plotted, request, NULL, most, error);
  for (int i = 0; ok && i < study->figure_count; i++) {
    const char *const kind = study->figures[i].kind;
    const int before = plotted->drawn;
    const bool passed_over = plotted->passed_over;
    if (!request->files.directory && strcmp(kind, "motion") != 0)
      continue;
    plotted->passed_over = false;
    ok = draw_kinds(plotted, request, &study->figures[i], most, error);
    if (ok && plotted->drawn == before && !plotted->passed_over &&
        plotted->undrawn_count < SHK_MOST_CHOSEN)
      plotted->undrawn[plotted->undrawn_count++] =
          (struct shk_undrawn){kind, lacking_measure(study, kind)};
    plotted->passed_over = plotted->passed_over || passed_over;
  }
  return ok;
}

bool shk_plots_motion(const struct shk_study *study)
{
  for (int i = 0; i < study->figure_count; i++)
    if (strcmp(study->figures[i].kind, "motion") == 0)
      return true;
  return false;
}
