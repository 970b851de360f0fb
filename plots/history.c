/* Versions of a baseline as a figure. See history.h. */
#include "plots/history.h"

#include "foundation/index.h"
#include "foundation/memory.h"
#include "plots/canvas/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A panel: what is drawn of the values whose quantity begins so. */
static const struct shown {
  const char *quantity, *label;
  bool ratio; /* over the first version's */
} shown[] = {{"order of q", "order of {/:Italic q}", false},
             {"error of q", "ratio of errors", true},
             {"work-gradient", "ratio of evaluations", true}};
enum { PANELS = sizeof shown / sizeof shown[0] };

struct job {
  const struct shk_version *versions;
  int count;
};

static const struct shk_baseline_value *find(const struct shk_baseline *baseline,
                                             const struct shk_baseline_value *like)
{
  for (int i = 0; i < baseline->count; i++)
    if (shk_baseline_order(&baseline->values[i], like) == 0)
      return &baseline->values[i];
  return NULL;
}

static bool is_of(const struct shk_baseline_value *value, const struct shown *what,
                  const char *integrator)
{
  const size_t length = strlen(what->quantity);
  return strcmp(value->integrator, integrator) == 0 &&
         strncmp(value->quantity, what->quantity, length) == 0 &&
         (value->quantity[length] == '\0' || value->quantity[length] == ' ') &&
         isfinite(value->value);
}

/* The mean of a method's values that the first version has too: of ratios in logarithms. NaN. */
static double mean_of(const struct job *job, int version, const struct shown *what,
                      const char *integrator)
{
  const struct shk_baseline *const first = &job->versions[0].baseline;
  double sum = 0;
  int count = 0;
  for (int i = 0; i < first->count; i++) {
    if (!is_of(&first->values[i], what, integrator))
      continue;
    const struct shk_baseline_value *const now =
        find(&job->versions[version].baseline, &first->values[i]);
    const double value = !now          ? NAN
                         : what->ratio ? log(now->value / first->values[i].value)
                                       : now->value;
    sum += isfinite(value) ? value : 0;
    count += isfinite(value);
  }
  return count == 0 ? NAN : what->ratio ? exp(sum / count) : sum / count;
}

static void draw_method(struct shk_figure *figure, const struct job *job, int method,
                        const char *name, double low[PANELS], double high[PANELS])
{
  const int index = shk_figure_block(figure, "%s: version, order of q, error, evaluations", name);
  for (int v = 0; v < job->count; v++) {
    double row[PANELS + 1] = {v + 1};
    for (int i = 0; i < PANELS; i++) {
      row[i + 1] = mean_of(job, v, &shown[i], name);
      low[i] = fmin(low[i], row[i + 1]);
      high[i] = fmax(high[i], row[i + 1]);
    }
    shk_figure_row(figure, row, PANELS + 1);
  }
  for (int i = 0; i < PANELS; i++)
    for (int points = 0; points < 2; points++)
      shk_panel_layer(&figure->panels[i], "index %d using 1:%d with %s linestyle %d", index, i + 2,
                      points ? "points" : "lines", method + 1);
  shk_key_name(figure, method, name);
}

static bool draw(void *user, const char *folder, struct shk_message *error)
{
  static const char *const types[] = {"svg", NULL};
  const struct job *const job = user;
  struct shk_index methods = {0};
  struct shk_figure figure;
  double low[PANELS], high[PANELS];
  const struct shk_baseline *const first = &job->versions[0].baseline;
  for (int i = 0; i < first->count; i++)
    shk_index_text(&methods, first->values[i].integrator);
  shk_figure_begin(&figure, shk_copy_text("history"), PANELS, 1, methods.count);
  figure.panel_height = 3;
  figure.title = shk_print_text("%s, versions 1 to %d: %s to %s", first->study, job->count,
                                job->versions[0].name, job->versions[job->count - 1].name);
  shk_key_note(&figure, figure.title);
  for (int i = 0; i < PANELS; i++) {
    shk_figure_panel(&figure, i, 0);
    low[i] = INFINITY;
    high[i] = -INFINITY;
  }
  for (int m = 0; m < methods.count; m++)
    draw_method(&figure, job, m, methods.texts[m], low, high);
  for (int i = 0; i < PANELS; i++) {
    struct shk_panel *const panel = &figure.panels[i];
    panel->x = (struct shk_axis){.low = 0.5, .high = job->count + 0.5};
    if (i == PANELS - 1)
      panel->x.label = shk_label_words("version");
    if (low[i] <= high[i])
      shk_axis_linear(&panel->y, low[i], high[i]);
    panel->y.label = shk_label_words(shown[i].label);
  }
  shk_index_clear(&methods);
  return shk_figure_finish(&figure, folder, types, error);
}

bool shk_plot_history(const struct shk_version *versions, int count, const char *svg_file,
                      struct shk_message *error)
{
  struct job job = {versions, count};
  return shk_draw_one_file(svg_file, "history", draw, &job, error);
}
