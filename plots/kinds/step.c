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
#include "plots/kinds/kinds.h"
#include "plots/kinds/kit/states.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Writes the state after this number of steps, position and velocity; false if there is none. */
static bool write_state(struct shk_chart *chart, const struct shk_record *record, int steps,
                        const char *name)
{
  static const char *const axes[] = {"q1", "q2", "p1", "p2"};
  const double step = record->cell.numbers.step;
  double z[4];
  for (int i = 0; i < record->outcome.sample_count; i++) {
    const struct shk_sample *const sample = &record->outcome.samples[i];
    if (fabs(sample->t - steps * step) < 1e-9 * step && shk_state_read(z, sample, axes, 4)) {
      shk_chart_block(chart, name, "a state: x, y, velocity in x and in y");
      shk_chart_row(chart, z, 4);
      return true;
    }
  }
  return false;
}

/* The first method of that name with a step; -1: none. */
static int find_method(const struct shk_drawing *drawing, const struct shk_runs *runs,
                       const char *name)
{
  for (int m = 0; m < drawing->method_count; m++)
    if (runs->of[m] && runs->of[m]->cell.step && shk_same_problem(drawing->methods[m], name))
      return m;
  return -1;
}

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  const char *const problem = drawing->groups[group].problem;
  bool ok = true;
  if (!shk_same_problem(problem, "pendulum") || strstr(problem, "mass="))
    return true;
  struct shk_runs runs = shk_drawing_runs(drawing, group, precision, SHK_NO_SERIES);
  const int shake = find_method(drawing, &runs, "shake"),
            rattle = find_method(drawing, &runs, "rattle");
  if (shake >= 0 && rattle >= 0 &&
      strcmp(runs.of[shake]->cell.step, runs.of[rattle]->cell.step) == 0) {
    struct shk_chart chart;
    shk_drawing_chart(drawing, &chart, group, NULL, precision);
    shk_drawing_add(drawing, &chart, shake, "");
    shk_drawing_add(drawing, &chart, rattle, "");
    shk_chart_set(&chart, "h", runs.of[shake]->cell.numbers.step);
    shk_chart_note(&chart, "black: after the kick, and the free flight; grey: kick and projection");
    if (write_state(&chart, runs.of[shake], 1, "start") &&
        write_state(&chart, runs.of[shake], 2, "end") &&
        write_state(&chart, runs.of[rattle], 2, "projected"))
      ok = shk_drawing_draw(drawing, &chart);
    else
      shk_chart_clear(&chart);
  }
  free(runs.of);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_step = {
    .shows = "one step of SHAKE and RATTLE on the pendulum, drawn from its records",
    .only_by_name = true,
    .of_precision = draw};
