/*
 * The reduced motion of momentum constraints on a sphere: paths of harmonic-sphere, all its starts
 * in one panel. With z_k = q_k + i p_k the sphere of fibres by Hopf's map, ζ = 2 z_1 z̄_2 and
 * ρ = |z_1|² - |z_2|², then stereographically ζ/(√(|ζ|² + ρ²) + ρ).
 *
 * Source: McLachlan, Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014), (21) and Figure 4,
 * from the pole from which the start za has the innermost path, as they say that it has; with -ρ in
 * the denominator, as printed there, it has the outermost.
 */
#include "foundation/memory.h"
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/portrait.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void project(double *x, double *y, const struct shk_sample *sample, const char *const *axes)
{
  (void)axes;
  const double q[2] = {shk_state_component(sample, "q1"), shk_state_component(sample, "q2")},
               p[2] = {shk_state_component(sample, "p1"), shk_state_component(sample, "p2")};
  const double re = 2 * (q[0] * q[1] + p[0] * p[1]), im = 2 * (p[0] * q[1] - q[0] * p[1]);
  const double rho = q[0] * q[0] + p[0] * p[0] - q[1] * q[1] - p[1] * p[1];
  const double below = hypot(hypot(re, im), rho) + rho;
  *x = re / below;
  *y = im / below;
}

static bool is_sphere(const char *problem)
{
  return strcmp(problem, "harmonic-sphere") == 0 || strncmp(problem, "harmonic-sphere(", 16) == 0;
}

/* Numbers the paths, in the order of the study's groups, beside their rightmost points. */
static void mark_path(struct shk_panel *panel, const struct shk_path *path, int number, double room)
{
  int at = 0;
  for (int i = 1; i < path->count; i++)
    if (path->x[i] > path->x[at])
      at = i;
  char text[16];
  snprintf(text, sizeof text, "%d", number);
  shk_panel_mark(panel, path->x[at] + room, path->y[at], shk_label_words(text));
}

static bool draw_precision(struct shk_drawing *drawing, const char *precision)
{
  struct shk_figure figure;
  struct shk_box box = shk_box_of_nothing;
  bool begun = false;
  int paths = 0;
  struct shk_path *outer = NULL;
  const struct shk_record **const shown =
      shk_allocate((size_t)drawing->method_count + 1, sizeof *shown);
  for (int g = 0; g < drawing->group_count; g++) {
    if (!drawing->groups[g].used || !is_sphere(drawing->groups[g].problem))
      continue;
    int count;
    const struct shk_record **const runs =
        shk_drawing_runs(drawing, g, precision, SHK_NO_SERIES, &count);
    bool first = true;
    for (int m = 0; m < drawing->method_count; m++) {
      if (!runs[m])
        continue;
      struct shk_path path = shk_path_of(runs[m], project, NULL);
      if (!begun) {
        shk_drawing_begin_study(drawing, &figure, precision, 1, 1);
        shk_figure_panel(&figure, 0, 0);
        begun = true;
      }
      shk_box_extend(&box, path.x, path.y, path.count);
      shown[m] = runs[m];
      shk_path_add(&figure.panels[0], &path, shk_path_write(&figure, &path, runs[m]), m,
                   drawing->method_count);
      if (first && path.count > 0) { /* the first method's stands for the problem */
        outer = shk_grow(outer, (size_t)paths, sizeof *outer);
        outer[paths++] = path;
        char *const name = shk_print_text("%d  %s, %s", paths, drawing->groups[g].shown, precision);
        shk_key_note(&figure, name);
        free(name);
        first = false;
      } else {
        shk_path_clear(&path);
      }
    }
    free(runs);
  }
  bool ok = true;
  if (begun) {
    const struct shk_key_runs key = shk_key_of_runs(&figure, shown, drawing->method_count);
    for (int m = 0; m < drawing->method_count; m++)
      if (shown[m])
        shk_key_run(&figure, &key, drawing, m, shown[m]);
    struct shk_panel *const panel = &figure.panels[0];
    panel->x.label = shk_label_words("Re");
    panel->y.label = shk_label_words("Im");
    shk_panel_ranges(&figure, panel, box, true);
    for (int i = 0; i < paths; i++)
      mark_path(panel, &outer[i], i + 1, 0.02 * (panel->x.high - panel->x.low));
    ok = shk_drawing_finish(drawing, &figure);
  }
  for (int i = 0; i < paths; i++)
    shk_path_clear(&outer[i]);
  free(outer);
  free(shown);
  return ok;
}

static bool draw(struct shk_drawing *drawing)
{
  for (int i = 0; shk_drawn_precisions[i]; i++)
    if (!draw_precision(drawing, shk_drawn_precisions[i]))
      return false;
  return true;
}

const struct shk_figure_kind shk_figure_kind_hopf = {
    .shows = "paths of `harmonic-sphere` on the sphere of fibres",
    .only_by_name = true,
    .of_study = draw};
