/*
 * Kinds that draw the states at the sample times: portraits, figures of harmonic-sphere and of the
 * pendulum, mechanisms. Templates have the mathematics.
 *
 * Sources: McLachlan, Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014), Figures 1, 4 and 6.
 */
#include "foundation/memory.h"
#include "plots/canvas/motion.h"
#include "plots/canvas/shown_runs.h"
#include "plots/kinds/kinds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns a component of a state, "q1", "lambda2" or "t"; NaN if there is none. */
static double component_of(const struct shk_sample *sample, const char *name)
{
  const size_t letters = strcspn(name, "0123456789");
  const int number = atoi(name + letters);
  if (strcmp(name, "t") == 0)
    return sample->t;
  const struct shk_phrase block = shk_phrase("%.*s", (int)letters, name);
  const struct shk_vector *const vector = shk_sample_block(sample, block.text);
  return vector ? shk_vector_double(vector, number - 1) : (double)NAN;
}

/* Writes a block of the states of a run, leaving out states with a component that is not finite.
 * Returns their number. */
static int write_states(const struct shk_drawing *drawing, struct shk_chart *chart,
                        const struct shk_record *run, const char *const *axes)
{
  int states = 0;
  shk_chart_run_block(drawing, chart, run, "time, components");
  for (int i = 0; i < run->outcome.sample_count; i++) {
    double row[SHK_MOST_AXES + 1] = {run->outcome.samples[i].t};
    int count = 0;
    while (axes[count] && isfinite(row[count])) {
      row[count + 1] = component_of(&run->outcome.samples[i], axes[count]);
      count++;
    }
    if (!isfinite(row[count]))
      continue;
    shk_chart_row(chart, row, count + 1);
    states++;
  }
  return states;
}

/* ---- portraits ---- */

bool shk_draw_portrait(struct shk_drawing *drawing, int group, const char *precision)
{
  const struct shk_portrait *const portrait = &drawing->entry->portrait;
  char *const *const chosen = drawing->asked ? drawing->asked->axes : NULL;
  const bool own = chosen && chosen[0];
  const char *const named[] = {own ? chosen[0] : NULL, own ? chosen[1] : NULL, NULL};
  const char *const *const axes = own ? named : portrait->axes;
  const char *const problem = drawing->groups[group].problem;
  struct shk_chart chart;
  if ((portrait->problem && !shk_same_problem(problem, portrait->problem)) ||
      (portrait->whole && !shk_drawing_is_first(drawing, group)))
    return true;
  for (int i = 0; portrait->without[i]; i++)
    if (strstr(problem, portrait->without[i]))
      return true;
  struct shk_runs runs;
  if (!shk_chart_runs(drawing, &chart, &runs, group, precision, SHK_NO_SERIES))
    return true;
  int states = 0;
  if (portrait->most > 0 && chart.method_count > portrait->most)
    chart.method_count = portrait->most;
  for (int i = 0; i < chart.method_count; i++) {
    const struct shk_record *const run = runs.of[chart.methods[i]];
    const int count = write_states(drawing, &chart, run, axes);
    /* A run that stopped may have exploded. */
    shk_chart_list(&chart, "counts", 0,
                   count > 0 && (!runs.any_finished || shk_record_finished(run)));
    shk_chart_name_run(drawing, &chart, &runs, chart.methods[i], "");
    states += count;
  }
  shk_chart_list(&chart, "starts", 0, 1);
  for (int at = group + 1, next;
       portrait->whole && (next = shk_drawing_next_group(drawing, &at, problem)) >= 0;) {
    struct shk_runs further_runs = shk_drawing_runs(drawing, next, precision, SHK_NO_SERIES);
    shk_chart_list(&chart, "starts", 0, chart.method_count + 1);
    shk_chart_head(&chart, "; %s", drawing->groups[next].shown);
    for (int m = 0; m < drawing->methods.count; m++)
      if (further_runs.of[m]) {
        shk_chart_method(&chart, m, drawing->styles[m]);
        shk_chart_list(&chart, "counts", 0, 1);
        write_states(drawing, &chart, further_runs.of[m], axes);
      }
  }
  if (portrait->note)
    shk_chart_note(&chart, "%s", portrait->note);
  shk_chart_set(&chart, "h", runs.of[chart.methods[0]]->cell.numbers.step);
  shk_chart_set(&chart, "equal", portrait->equal);
  shk_chart_words(&chart, "horizontal", axes[0], axes[0]);
  shk_chart_words(&chart, "vertical", axes[1], axes[1]);
  if (states > chart.method_count)
    return shk_drawing_draw(drawing, &chart);
  shk_chart_clear(&chart);
  return true;
}

const struct shk_figure_kind shk_figure_kind_phase = {
    .shows = "p1 against q1, or the `axes` that are named, at the sample times",
    .template = "path",
    .only_by_name = true,
    .draw = shk_draw_portrait,
    .portrait = {.axes = {"q1", "p1"}}};

const struct shk_figure_kind shk_figure_kind_trajectory = {
    .shows = "q2 against q1, or the `axes`, with one scale",
    .template = "path",
    .only_by_name = true,
    .draw = shk_draw_portrait,
    .portrait = {.axes = {"q1", "q2"}, .equal = true}};

const struct shk_figure_kind shk_figure_kind_hopf = {
    .shows = "paths of `harmonic-sphere` on the sphere of fibres",
    .only_by_name = true,
    .draw = shk_draw_portrait,
    .portrait = {{"q1", "q2", "p1", "p2"}, "harmonic-sphere", .whole = true}};

const struct shk_figure_kind shk_figure_kind_fibres = {
    .shows = "level lines of the derivative of H along the fibres above a run of `harmonic-sphere`",
    .only_by_name = true,
    .draw = shk_draw_portrait,
    .portrait = {{"q1", "q2", "p1", "p2"},
                 "harmonic-sphere",
                 {"gravity=", "quartic=", "start=half"},
                 "black: H' = 0, hidden constraint; grey: |H'| = 0.1, 0.2, …",
                 .most = 1}};

/* The pendulum has unit mass here: velocities equal momenta. */
const struct shk_figure_kind shk_figure_kind_step = {
    .shows = "one step of SHAKE and RATTLE, in this order, on the pendulum, from its records",
    .only_by_name = true,
    .draw = shk_draw_portrait,
    .portrait = {{"q1", "q2", "p1", "p2"},
                 "pendulum",
                 {"mass="},
                 "black: after the kick, and the free flight; grey: kick and projection",
                 .most = 2}};

/* ---- motion ---- */

static bool add_run(const struct shk_drawing *drawing, struct shk_chart *chart,
                    const struct shk_record *record, const char *name)
{
  const struct shk_outcome *const outcome = &record->outcome;
  const size_t n = outcome->n > 0 ? (size_t)outcome->n : 0;
  double *const times = shk_allocate((size_t)outcome->sample_count + 1, sizeof *times);
  double *const q = shk_allocate((size_t)outcome->sample_count * n + 1, sizeof *q);
  int count = 0;
  for (int i = 0; i < outcome->sample_count; i++) {
    const struct shk_vector *const block = shk_sample_block(&outcome->samples[i], "q");
    for (size_t k = 0; block && k < n; k++)
      q[(size_t)count * n + k] = shk_vector_double(block, (int)k);
    times[count] = outcome->samples[i].t;
    count += block != NULL;
  }
  const bool ok =
      shk_motion_add(chart, drawing->from->plan->context, record->cell.problem, name,
                     shk_record_finished(record), count, times, (int)n, q, drawing->error);
  free(q);
  free(times);
  return ok;
}

static bool draw_motion(struct shk_drawing *drawing, int group, const char *precision)
{
  struct shk_chart chart;
  struct shk_runs runs;
  if (!shk_chart_runs(drawing, &chart, &runs, group, precision, SHK_NO_SERIES))
    return true;
  bool ok = true;
  for (int i = 0; ok && i < chart.method_count; i++) {
    const int m = chart.methods[i];
    ok = add_run(drawing, &chart, runs.of[m], drawing->shown[m]);
    shk_chart_name_run(drawing, &chart, &runs, m, "");
  }
  if (ok && drawing->from->files.directory)
    return shk_drawing_draw(drawing, &chart);
  shk_chart_clear(&chart);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_motion = {
    .shows = "a mechanism at a few times, over the path of a point",
    .only_by_name = true,
    .draw = draw_motion};
