/*
 * The reduced motion of momentum constraints on a sphere: runs of harmonic-sphere, all its starts
 * in one panel. The template has Hopf's map.
 *
 * Source: McLachlan, Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014), (21) and Figure 4.
 * The pole is chosen so that the start za has the innermost path, as they state; with -ρ in the
 * denominator, as printed there, it has the outermost.
 */
#include "foundation/memory.h"
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/portrait.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_sphere(const struct shk_drawn_group *group)
{
  return group->used && strcspn(group->problem, "( ") == strlen("harmonic-sphere") &&
         shk_same_problem(group->problem, "harmonic-sphere");
}

/* Extends the box by Hopf's map of a state. */
static void extend(struct shk_box *box, const double z[4])
{
  const double re = 2 * (z[0] * z[1] + z[2] * z[3]), im = 2 * (z[2] * z[1] - z[0] * z[3]);
  const double rho = z[0] * z[0] + z[2] * z[2] - z[1] * z[1] - z[3] * z[3];
  const double below = hypot(hypot(re, im), rho) + rho, x = re / below, y = im / below;
  if (isfinite(x) && isfinite(y))
    shk_box_extend(box, &x, &y, 1);
}

static void write_run(struct shk_chart *chart, const struct shk_record *run, const char *name,
                      struct shk_box *box)
{
  static const char *const axes[] = {"q1", "q2", "p1", "p2"};
  if (!run) {
    shk_chart_gap(chart);
    return;
  }
  shk_chart_block(chart, name, NULL, "%s, %s: time, q1, q2, p1, p2; %s", run->cell.problem,
                  run->cell.integrator, shk_record_status(run));
  for (int i = 0; i < run->outcome.sample_count; i++) {
    double z[4];
    for (int k = 0; k < 4; k++)
      z[k] = shk_state_component(&run->outcome.samples[i], axes[k]);
    SHK_CHART_ROW(chart, run->outcome.samples[i].t, z[0], z[1], z[2], z[3]);
    extend(box, z);
  }
}

static bool draw_precision(struct shk_drawing *drawing, const char *precision)
{
  struct shk_chart chart;
  struct shk_box box = shk_box_of_nothing;
  int starts = 0, count;
  const struct shk_record **const shown =
      shk_allocate((size_t)drawing->method_count + 1, sizeof *shown);
  shk_drawing_chart_of_study(drawing, &chart, precision);
  for (int m = 0; m < drawing->method_count; m++)
    shk_chart_method(&chart, m, drawing->styles[m]);
  for (int g = 0; g < drawing->group_count; g++) {
    if (!is_sphere(&drawing->groups[g]))
      continue;
    const struct shk_record **const runs =
        shk_drawing_runs(drawing, g, precision, SHK_NO_SERIES, &count);
    for (int m = 0; count > 0 && m < drawing->method_count; m++) {
      write_run(&chart, runs[m], drawing->shown[m], &box);
      shown[m] = runs[m] ? runs[m] : shown[m];
    }
    if (count > 0)
      shk_append_text(&chart.head, "%s%d: %s", starts > 0 ? "; " : "", starts + 1,
                      drawing->groups[g].shown);
    starts += count > 0;
    free(runs);
  }
  shk_chart_head(&chart, "; ", precision);
  const struct shk_run_names names = shk_name_runs(&chart, shown, drawing->method_count);
  for (int m = 0; m < drawing->method_count; m++)
    if (shown[m]) {
      const struct shk_label label = shk_run_label(&names, shown[m], shk_label_words(""));
      shk_chart_legend(&chart, m + 1, drawing->shown[m], &label);
    }
  free(shown);
  shk_chart_set(&chart, "starts", starts);
  shk_chart_box(&chart, box, true);
  if (starts > 0)
    return shk_drawing_draw(drawing, &chart);
  shk_chart_clear(&chart);
  return true;
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
