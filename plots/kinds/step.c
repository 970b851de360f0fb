/*
 * One step of SHAKE and of RATTLE on the pendulum, from the recorded states: the velocity at its
 * start, the kick along the rod, the free flight to the circle, and the projection at its end.
 *
 * The step shown is the second step of SHAKE, which begins with a velocity v⁻ that is not tangent
 * to the circle. RATTLE's velocity at the end comes from its own record; it is v₁⁻ without its
 * component along the rod. The template computes the kick and the flight.
 *
 * The problem must be `pendulum` with unit mass, so that velocities equal momenta, and both methods
 * must have samples one step apart.
 *
 * Source: McLachlan, Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014), Figure 1.
 */
#include "plots/canvas/plane.h"
#include "plots/canvas/shown_runs.h"
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/portrait.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The sample after this number of steps; NULL if there is none. */
static const struct shk_sample *sample_after(const struct shk_record *record, int steps)
{
  const double step = record->cell.numbers.step;
  for (int i = 0; i < record->outcome.sample_count; i++)
    if (fabs(record->outcome.samples[i].t - steps * step) < 1e-9 * step)
      return &record->outcome.samples[i];
  return NULL;
}

/* Writes a state, position and velocity; returns false if it is incomplete. */
static bool write_state(struct shk_chart *chart, const struct shk_sample *sample, const char *name,
                        struct shk_box *box)
{
  static const char *const axes[] = {"q1", "q2", "p1", "p2"};
  double z[4];
  for (int k = 0; k < 4; k++) {
    z[k] = sample ? shk_state_component(sample, axes[k]) : (double)NAN;
    if (!isfinite(z[k]))
      return false;
  }
  shk_chart_block(chart, name, NULL, "a state: x, y, velocity in x and in y");
  shk_chart_row(chart, z, 4);
  shk_box_extend(box, &z[0], &z[1], 1);
  return true;
}

static bool is_named(const char *integrator, const char *name)
{
  return strncmp(integrator, name, strlen(name)) == 0 &&
         (integrator[strlen(name)] == '\0' || integrator[strlen(name)] == '(');
}

/* The chart's method of that name with a step; -1: none. */
static int find_method(const struct shk_drawing *drawing, const struct shk_record *const *runs,
                       const char *name)
{
  for (int m = 0; m < drawing->method_count; m++)
    if (runs[m] && runs[m]->cell.step && is_named(drawing->methods[m], name))
      return m;
  return -1;
}

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  const char *const problem = drawing->plan->cells[drawing->groups[group].cells[0]].cell.problem;
  int count;
  if (!is_named(problem, "pendulum") || strstr(problem, "mass="))
    return true;
  const struct shk_record **const runs =
      shk_drawing_runs(drawing, group, precision, SHK_NO_SERIES, &count);
  const int shake = find_method(drawing, runs, "shake"),
            rattle = find_method(drawing, runs, "rattle");
  bool ok = true;
  if (shake >= 0 && rattle >= 0 && strcmp(runs[shake]->cell.step, runs[rattle]->cell.step) == 0) {
    struct shk_chart chart;
    struct shk_box box = shk_box_of_nothing;
    const int methods[] = {shake, rattle};
    shk_drawing_chart(drawing, &chart, group, NULL, precision);
    for (int i = 0; i < 2; i++) {
      shk_chart_method(&chart, methods[i], drawing->styles[methods[i]]);
      shk_chart_legend(&chart, i + 1, drawing->shown[methods[i]], NULL);
    }
    shk_chart_set(&chart, "h", runs[shake]->cell.numbers.step);
    shk_chart_note(&chart, shk_label_words("black: after the kick, and the free flight; grey: kick "
                                           "and projection"));
    if (write_state(&chart, sample_after(runs[shake], 1), "start", &box) &&
        write_state(&chart, sample_after(runs[shake], 2), "end", &box) &&
        write_state(&chart, sample_after(runs[rattle], 2), "projected", &box))
      ok = shk_drawing_draw(drawing, &chart);
    else
      shk_chart_clear(&chart);
  }
  free(runs);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_step = {
    .shows = "one step of SHAKE and RATTLE on the pendulum, drawn from its records",
    .only_by_name = true,
    .of_precision = draw};
