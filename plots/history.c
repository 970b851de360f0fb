/* Versions of a baseline as a figure. See history.h. */
#include "plots/history.h"

#include "foundation/index.h"
#include "foundation/memory.h"
#include "plots/canvas/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A panel each. */
static const struct {
  enum shk_followed what;
  const char *label;
} shown[] = {{SHK_FOLLOWED_ORDER_Q, "order of {/:Italic q}"},
             {SHK_FOLLOWED_ERROR, "ratio of errors"},
             {SHK_FOLLOWED_WORK, "ratio of evaluations"}};
enum { PANELS = sizeof shown / sizeof shown[0] };

struct job {
  const struct shk_version *versions;
  int count;
};

static void draw_method(struct shk_figure *figure, const struct job *job, int method,
                        const char *name, double low[PANELS], double high[PANELS])
{
  const int index = shk_figure_block(figure, "%s: version, order of q, error, evaluations", name);
  for (int v = 0; v < job->count; v++) {
    double row[PANELS + 1] = {v + 1};
    for (int i = 0; i < PANELS; i++) {
      row[i + 1] = shk_version_mean(job->versions, v, shown[i].what, name);
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

/* "bands were left in version 3 (1f2e3d4): 2". */
static void note_left(struct shk_figure *figure, const struct job *job)
{
  for (int v = 1; v < job->count; v++) {
    if (job->versions[v].left == 0)
      continue;
    char *const text = shk_print_text("bands left in version %d, %s: %d", v + 1,
                                      job->versions[v].name, job->versions[v].left);
    shk_key_note(figure, text);
    free(text);
  }
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
  int *const styles = shk_allocate((size_t)methods.count + 1, sizeof *styles);
  shk_choose_styles(styles, (const char *const *)methods.texts, methods.count);
  figure.styles = styles;
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
  note_left(&figure, job);
  for (int i = 0; i < PANELS; i++) {
    struct shk_panel *const panel = &figure.panels[i];
    panel->x = (struct shk_axis){.low = 0.5, .high = job->count + 0.5};
    if (i == PANELS - 1)
      panel->x.label = shk_label_words("version");
    if (low[i] <= high[i])
      shk_axis_linear(&panel->y, low[i], high[i]);
    panel->y.label = shk_label_words(shown[i].label);
  }
  const bool ok = shk_figure_finish(&figure, folder, types, error);
  shk_index_clear(&methods);
  free(styles);
  return ok;
}

bool shk_plot_history(const struct shk_version *versions, int count, const char *svg_file,
                      struct shk_message *error)
{
  struct job job = {versions, count};
  return shk_draw_one_file(svg_file, "history", draw, &job, error);
}
