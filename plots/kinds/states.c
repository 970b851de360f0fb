/*
 * Figures that show states at the sample times: portraits, special figures for harmonic-sphere and
 * the pendulum, and mechanisms. The templates contain the mathematics.
 *
 * Source: McLachlan, Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014), Figures 1, 4 and 6.
 */
#include "foundation/memory.h"
#include "plots/canvas/motion.h"
#include "plots/canvas/shown_runs.h"
#include "plots/kinds/kinds.h"
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns a component of a state, such as "q1", "lambda2" or "t", or NaN if the state has no such
 * component. */
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

/* Returns a component at the given time, interpolated linearly between samples. After the last
 * sample of a run that stopped, returns the component there. */
static double component_at(const struct shk_record *run, double time, const char *name)
{
  const struct shk_sample *const samples = run->outcome.samples;
  int i = 0;
  while (i < run->outcome.sample_count - 1 && samples[i].t < time)
    i++;
  if (i == 0 || samples[i].t <= time)
    return component_of(&samples[i], name);
  const double share = (time - samples[i - 1].t) / (samples[i].t - samples[i - 1].t);
  return (1 - share) * component_of(&samples[i - 1], name) +
         share * component_of(&samples[i], name);
}

/* Maps a state of harmonic-sphere to its point on the sphere of fibres, as in hopf.gp. */
static double complex fibre_of(const double *row)
{
  const double complex first = row[1] + I * row[3], second = row[2] + I * row[4],
                       z = 2 * first * conj(second);
  const double r = creal(first * conj(first)) - creal(second * conj(second));
  return z / (sqrt(creal(z * conj(z)) + r * r) + r);
}

/* Writes a data block with the states of a run, omitting states with a non-finite component.
 * Returns the number of states written. The states affect the axis ranges only if `counted`,
 * because a run that stopped early may have blown up. */
static int write_states(const struct shk_drawing *drawing, struct shk_chart *chart,
                        const struct shk_record *run, const char *const *axes, bool counted)
{
  const bool path = strcmp(drawing->template, "path") == 0;
  const int method = shk_index_find(&drawing->methods, run->cell.integrator);
  const bool fibres = strcmp(drawing->template, "hopf") == 0;
  int states = 0;
  const struct shk_series *const crossings =
      path ? shk_drawn_series(run, SHK_SERIES_CROSSING) : NULL;
  int crossed = 0;
  shk_chart_run_block(drawing, chart, run,
                      path ? "time, components, 1 at a singular configuration"
                           : "time, components");
  for (int i = 0; i < run->outcome.sample_count; i++) {
    double row[SHK_MOST_AXES + 2] = {run->outcome.samples[i].t};
    int count = 0;
    while (axes[count] && isfinite(row[count])) {
      row[count + 1] = component_of(&run->outcome.samples[i], axes[count]);
      count++;
    }
    if (!isfinite(row[count]))
      continue;
    for (; i > 0 && crossings && crossed < crossings->count &&
           crossings->time[crossed] <= run->outcome.samples[i].t;
         crossed++) {
      double at[SHK_MOST_AXES + 2] = {crossings->time[crossed]};
      for (int c = 0; c < count; c++)
        at[c + 1] = component_at(run, at[0], axes[c]);
      at[count + 1] = 1;
      shk_chart_row(chart, at, count + 2);
    }
    shk_chart_row(chart, row, count + 1 + path);
    states++;
    const double complex fibre = fibres ? fibre_of(row) : row[1] + I * row[2];
    if (strcmp(drawing->template, "step") == 0)
      continue; /* for this kind, add_step adds the points */
    if (!counted)
      shk_chart_obstacle(chart, method, row[1], row[2]);
    else if (count < 4)
      shk_chart_point(chart, method, row[1], row[2]);
    else if (fibres)
      shk_chart_point(chart, method, creal(fibre), cimag(fibre));
  }
  shk_chart_point(chart, method, NAN, NAN);
  return states;
}

/* Labels the start and the crossings of a run. Crossings that are close together share a label with
 * several lines. */
static void tag_crossings(struct shk_chart *chart, const struct shk_record *run,
                          const char *const *axes)
{
  const struct shk_series *const crossings = shk_drawn_series(run, SHK_SERIES_CROSSING);
  const struct shk_sample *const samples = run->outcome.samples;
  int *const first = shk_allocate((size_t)crossings->count, sizeof *first);
  double least[2] = {INFINITY, INFINITY}, largest[2] = {-INFINITY, -INFINITY};
  for (int i = 0; i < run->outcome.sample_count; i++)
    for (int c = 0; c < 2; c++) {
      least[c] = fmin(least[c], component_of(&samples[i], axes[c]));
      largest[c] = fmax(largest[c], component_of(&samples[i], axes[c]));
    }
  double(*const at)[2] = shk_allocate((size_t)crossings->count, sizeof *at);
  for (int k = 0; k < crossings->count; k++) {
    first[k] = k;
    for (int c = 0; c < 2; c++)
      at[k][c] = component_at(run, crossings->time[k], axes[c]);
    for (int j = k - 1; j >= 0; j--)
      if (hypot((at[k][0] - at[j][0]) / (largest[0] - least[0]),
                (at[k][1] - at[j][1]) / (largest[1] - least[1])) < 0.05)
        first[k] = first[j];
  }
  for (int k = 0; k < crossings->count; k++)
    for (int j = k; j < crossings->count; j++)
      if (first[k] == k && first[j] == k) {
        const double x[] = {at[k][0], at[k][0]}, y[] = {at[k][1], at[k][1]};
        const struct shk_phrase time = shk_phrase_rounded(crossings->time[j], 4);
        shk_chart_tag(chart, x, y, shk_phrase("{/:Italic t}_{%d} = %s", j + 1, time.text).text,
                      shk_phrase("$t_{%d}=%s$", j + 1, time.text).text);
      }
  const double x = component_of(samples, axes[0]), y = component_of(samples, axes[1]);
  shk_chart_tag(chart, (const double[]){x, x}, (const double[]){y, y}, "{/:Italic t} = 0", "$t=0$");
  free(at);
  free(first);
}

/* ---- portraits ---- */

/* Labels an axis. The name "q1" becomes q with a subscript, and "t" becomes the time. */
static void label_axis(struct shk_chart *chart, const char *name, const char *axis,
                       const struct shk_drawn_group *group)
{
  const size_t letters = strcspn(axis, "123456789");
  if (strcmp(axis, "t") == 0)
    shk_chart_time(chart, group);
  else if (letters == 1)
    shk_chart_words(chart, name, shk_phrase("{/:Italic %c}_{%s}", axis[0], axis + 1).text,
                    shk_phrase("$%c_{%s}$", axis[0], axis + 1).text);
  else
    shk_chart_words(chart, name, axis, axis);
}

/* Adds the end points of the vectors that step.gp draws for the second step of the SHAKE and RATTLE
 * runs: positions, velocities (as displacements in half a step), and the kick. */
static void add_step(struct shk_chart *chart, const struct shk_runs *runs, int methods, double h)
{
  const struct shk_record *shown[2] = {NULL};
  double q[3][2] = {{0}}, v[3][2] = {{0}};
  for (int m = 0, count = 0; m < methods && count < 2; m++)
    if (runs->of[m])
      shown[count++] = runs->of[m];
  for (int k = 0; k < 3; k++) {
    const struct shk_record *const run = shown[k / 2];
    for (int i = 0; run && i < run->outcome.sample_count; i++)
      for (int c = 0; c < 2 && fabs(run->outcome.samples[i].t - (k > 0 ? 2 : 1) * h) < 1e-6 * h;
           c++) {
        q[k][c] = component_of(&run->outcome.samples[i], c == 0 ? "q1" : "q2");
        v[k][c] = h / 2 * component_of(&run->outcome.samples[i], c == 0 ? "p1" : "p2");
      }
  }
  for (int k = 0; k < 4; k++) {
    const double *const at = q[k < 3 ? k : 0],
                        along[] = {k < 3 ? v[k][0] : q[1][0] - q[0][0] - v[1][0],
                                   k < 3 ? v[k][1] : q[1][1] - q[0][1] - v[1][1]};
    for (int end = 0; end < 2; end++)
      shk_chart_point(chart, -1, at[0] + 1.4 * end * along[0], at[1] + 1.4 * end * along[1]);
    shk_chart_point(chart, -1, NAN, NAN);
  }
}

/* Sets up the axes of a portrait. */
static void set_portrait(const struct shk_drawing *drawing, struct shk_chart *chart, int group,
                         const char *const *axes, bool near, bool crossed)
{
  const struct shk_portrait *const portrait = &drawing->entry->portrait;
  const bool along = strcmp(axes[0], "t") == 0, path = strcmp(drawing->template, "path") == 0,
             fibres = strcmp(drawing->template, "fibres") == 0;
  struct shk_panel *const panel = &chart->panels[chart->panel_count - 1];
  panel->equal = portrait->equal && !along;
  if (!along && !fibres && !panel->x.fixed) /* shk_chart_runs has set it to the time */
    panel->x.from = panel->x.to = NAN;
  panel->exits = along ? panel->exits : 0;
  if (fibres && !panel->y.fixed)
    panel->y = (struct shk_axis){.from = near ? -0.06 : -0.5, .to = near ? 0.06 : 0.5};
  if (!path && chart->legend == SHK_LEGEND_NEAREST && chart->panel_count <= 2 &&
      (fibres || drawing->whole)) /* lines span the whole panel, or have numbers next to them */
    chart->legend = SHK_LEGEND_BELOW;
  if (path && !along) {
    shk_chart_part(chart, "path", "path");
    panel->labelled = true;
  }
  if (path)
    shk_chart_set(chart, "along", along);
  if (path)
    shk_chart_set(chart, "crossed", crossed);
  if (fibres) {
    shk_chart_words(chart, "ylabel", "{/:Italic θ}/2π", "$\\theta/2\\pi$");
  } else if (strcmp(drawing->template, "hopf") == 0) {
    shk_chart_words(chart, "xlabel", "Re", "Re");
    shk_chart_words(chart, "ylabel", "Im", "Im");
  } else {
    label_axis(chart, "xlabel", axes[0], &drawing->groups[group]);
    label_axis(chart, "ylabel", axes[1], &drawing->groups[group]);
  }
}

bool shk_draw_portrait(struct shk_drawing *drawing, struct shk_chart *chart, int group,
                       const char *precision, const char *part)
{
  const struct shk_portrait *const portrait = &drawing->entry->portrait;
  char *const *const chosen = drawing->asked ? drawing->asked->axes : NULL;
  const bool own = chosen && chosen[0], step = strcmp(drawing->template, "step") == 0;
  const char *const named[] = {own ? chosen[0] : NULL, own ? chosen[1] : NULL, NULL};
  const char *const *const axes = own ? named : portrait->axes;
  const char *const problem = drawing->groups[group].problem;
  if ((portrait->problem && !shk_same_problem(problem, portrait->problem)) ||
      (portrait->whole && !shk_drawing_is_first(drawing, group)))
    return true;
  for (int i = 0; portrait->without[i]; i++)
    if (strstr(problem, portrait->without[i]))
      return true;
  struct shk_runs runs = shk_drawing_runs(drawing, group, precision, SHK_NO_SERIES);
  int states = 0, shown = 0;
  for (int m = 0; m < drawing->methods.count; m++)
    states += runs.of[m] ? runs.of[m]->outcome.sample_count : 0;
  if (states <= runs.count)
    return true;
  drawing->whole = portrait->whole;
  drawing->most_runs = portrait->most;
  shk_chart_runs(drawing, chart, &runs, group, precision, SHK_NO_SERIES, NULL);
  drawing->most_runs = 0;
  double h = 0;
  for (int m = 0; m < drawing->methods.count; m++)
    if (runs.of[m]) {
      h = shown++ == 0 ? runs.of[m]->cell.numbers.step : h;
      write_states(drawing, chart, runs.of[m], axes,
                   !runs.any_finished || shk_record_finished(runs.of[m]));
    }
  bool crossed = false;
  for (int m = 0; m < drawing->methods.count; m++)
    crossed = crossed || (runs.of[m] && shk_drawn_series(runs.of[m], SHK_SERIES_CROSSING));
  set_portrait(drawing, chart, group, axes, shk_same_text(part, "near"), crossed);
  if (crossed && strcmp(drawing->template, "path") == 0) {
    const struct shk_record *const numbered = shk_numbered_run(drawing, chart, &runs);
    shk_chart_note(
        chart,
        "Marks on paths are at singular configurations, between samples by linear interpolation");
    if (numbered)
      tag_crossings(chart, numbered, axes);
  }
  if (step) {
    shk_chart_set(chart, "h", h);
    add_step(chart, &runs, drawing->methods.count, h);
  }
  if (portrait->whole)
    shk_chart_list(chart, "starts", 1);
  for (int at = group + 1, next, blocks = runs.count;
       portrait->whole && (next = shk_drawing_next_group(drawing, &at, problem)) >= 0;) {
    struct shk_runs further_runs = shk_drawing_runs(drawing, next, precision, SHK_NO_SERIES);
    shk_chart_list(chart, "starts", blocks + 1);
    shk_chart_note(chart, "Further path: %s", drawing->groups[next].shown);
    for (int m = 0; m < drawing->methods.count; m++)
      if (further_runs.of[m] && runs.of[m]) {
        write_states(drawing, chart, further_runs.of[m], axes, true);
        blocks++;
      }
  }
  if (portrait->note)
    shk_chart_note(chart, "%s", portrait->note);
  return true;
}

const struct shk_figure_kind shk_figure_kind_phase = {.title = "Path",
                                                      .template = "path",
                                                      .only_by_name = true,
                                                      .draw = shk_draw_portrait,
                                                      .portrait = {.axes = {"q1", "p1"}}};

const struct shk_figure_kind shk_figure_kind_trajectory = {
    .title = "Path",
    .template = "path",
    .only_by_name = true,
    .draw = shk_draw_portrait,
    .portrait = {.axes = {"q1", "q2"}, .equal = true}};

const struct shk_figure_kind shk_figure_kind_hopf = {
    .title = "Paths on the sphere of fibres",
    .only_by_name = true,
    .draw = shk_draw_portrait,
    .portrait = {{"q1", "q2", "p1", "p2"}, "harmonic-sphere", .equal = true, .whole = true}};

const struct shk_figure_kind shk_figure_kind_fibres = {
    .title = "Derivative of H along the fibres above a run",
    .stacked = true,
    .only_by_name = true,
    .draw = shk_draw_portrait,
    .portrait = {{"q1", "q2", "p1", "p2"},
                 "harmonic-sphere",
                 {"gravity=", "quartic=", "start=half"},
                 "Black: H' = 0, the hidden constraint; grey: |H'| = 0.1, 0.2, …",
                 .most = 1}};

/* The pendulum must have unit mass here, so that velocities equal momenta. */
const struct shk_figure_kind shk_figure_kind_step = {
    .title = "One step",
    .only_by_name = true,
    .draw = shk_draw_portrait,
    .portrait = {{"q1", "q2", "p1", "p2"},
                 "pendulum",
                 {"mass="},
                 "Black: the state after the kick, and the free flight; grey: kick and projection",
                 .equal = true,
                 .most = 2}};

/* ---- motion ---- */

static bool add_run(const struct shk_drawing *drawing, struct shk_chart *chart, int group,
                    const struct shk_record *record, int method, bool first, int longest)
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
  const struct shk_motion run = {.problem = record->cell.problem,
                                 .name = drawing->shown[method],
                                 .method = method,
                                 .first = first,
                                 .si = drawing->groups[group].si,
                                 .finished = shk_record_finished(record),
                                 .longest = longest,
                                 .count = count,
                                 .n = (int)n,
                                 .times = times,
                                 .q = q};
  const bool ok = shk_motion_add(chart, drawing->from->plan->context, &run, drawing->error);
  free(q);
  free(times);
  return ok;
}

static bool draw_motion(struct shk_drawing *drawing, struct shk_chart *chart, int group,
                        const char *precision, const char *part)
{
  struct shk_runs runs;
  (void)part;
  if (!shk_chart_runs(drawing, chart, &runs, group, precision, SHK_NO_SERIES, NULL))
    return true;
  bool ok = true, first = true;
  int longest = 0;
  for (int m = 0; m < drawing->methods.count; m++)
    if (runs.of[m] && runs.of[m]->outcome.sample_count > longest)
      longest = runs.of[m]->outcome.sample_count;
  for (int m = 0; ok && m < drawing->methods.count; m++)
    if (runs.of[m]) {
      ok = add_run(drawing, chart, group, runs.of[m], m, first, longest);
      first = false;
    }
  return ok;
}

const struct shk_figure_kind shk_figure_kind_motion = {
    .title = "Motion", .only_by_name = true, .draw = draw_motion};
