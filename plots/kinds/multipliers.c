/*
 * Multipliers of redundant constraints: the multipliers are not unique, but the constraint force
 * is. A panel for each of the first rows of G has the lambda of every run with that row. Below them
 * is the difference of the constraint force -Gᵀλ from that of the reduced system, which is the
 * first run of the fewest rows: the largest component, relative to the largest of that force along
 * the run. The runs are all of one problem, with any options, and of one precision; a method on
 * two systems is two curves.
 *
 * Forces are compared at the same sample times. A difference of zero is drawn at the least
 * difference that is not zero, since the axis is logarithmic.
 */
#include "foundation/memory.h"
#include "plots/canvas/plane.h"
#include "plots/canvas/shown_runs.h"
#include "plots/kinds/kinds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* MOST_FORCES: records with more coordinates have no states. */
enum { MOST_ROWS = 4, MOST_FORCES = 1000 };

struct curve {
  const struct shk_record *run;
  int method, group;
  int rows;     /* length of lambda */
  char *name;   /* the method, and the system if there are several */
  double worst; /* largest difference of the force */
  bool seen;    /* the ranges include it; a run that stopped may have exploded */
  bool joined;  /* lines join its samples */
};

struct set {
  int count, rows;
  struct curve *curves;
  const struct curve *reduced;
  double force; /* largest force of the reduced system */
};

/* Reads the numbers of a block; returns their number, at most `room` of them stored. */
static int read_block(const struct shk_sample *sample, const char *name, double *values, int room)
{
  const struct shk_vector *const vector = shk_sample_block(sample, name);
  const int count = vector ? vector->count : 0;
  for (int i = 0; i < count && i < room; i++)
    values[i] = shk_vector_double(vector, i);
  return count;
}

static int rows_of(const struct shk_record *run)
{
  for (int i = 0; i < run->outcome.sample_count; i++) {
    const int rows = read_block(&run->outcome.samples[i], "lambda", NULL, 0);
    if (rows > 0)
      return rows;
  }
  return 0;
}

/* ---- choice of runs ---- */

static void add_runs(struct set *set, const struct shk_drawing *drawing, int group,
                     const char *precision)
{
  int count;
  const struct shk_record **const runs =
      shk_drawing_runs(drawing, group, precision, SHK_NO_SERIES, &count);
  for (int m = 0; m < drawing->method_count; m++) {
    const int rows = runs[m] ? rows_of(runs[m]) : 0;
    if (rows == 0)
      continue;
    set->curves = shk_grow(set->curves, (size_t)set->count, sizeof *set->curves);
    set->curves[set->count++] =
        (struct curve){.run = runs[m], .method = m, .group = group, .rows = rows};
    set->rows = rows > set->rows ? rows : set->rows;
  }
  free(runs);
}

static void clear(struct set *set)
{
  for (int i = 0; i < set->count; i++)
    free(set->curves[i].name);
  free(set->curves);
}

/* Names the curves. Returns whether all are of one system. */
static bool name_curves(struct set *set, const struct shk_drawing *drawing)
{
  bool one = true;
  for (int i = 0; i < set->count; i++)
    one = one && set->curves[i].group == set->curves[0].group;
  for (int i = 0; i < set->count; i++) {
    struct curve *const curve = &set->curves[i];
    curve->name = shk_print_text("%s%s%s", drawing->shown[curve->method], one ? "" : ", ",
                                 one ? "" : drawing->groups[curve->group].shown);
  }
  return one;
}

/* Chooses the reduced system, with which the others are compared. */
static void choose_reduced(struct set *set)
{
  double *const force = shk_allocate(MOST_FORCES, sizeof *force);
  for (int i = 0; i < set->count; i++)
    if (!set->reduced || set->curves[i].rows < set->reduced->rows)
      set->reduced = &set->curves[i];
  for (int i = 0; set->reduced && i < set->reduced->run->outcome.sample_count; i++) {
    int n = read_block(&set->reduced->run->outcome.samples[i], "force", force, MOST_FORCES);
    for (n = n < MOST_FORCES ? n : MOST_FORCES; n > 0; n--)
      set->force = fmax(set->force, fabs(force[n - 1]));
  }
  free(force);
}

/* ---- drawing ---- */

/* Difference of the forces of two samples; NaN if one is missing. */
static double distance(const struct shk_sample *a, const struct shk_sample *b, double *space)
{
  double *const other = space + MOST_FORCES, worst = NAN;
  const int n = read_block(a, "force", space, MOST_FORCES);
  if (!b || n == 0 || n > MOST_FORCES || read_block(b, "force", other, MOST_FORCES) != n)
    return NAN;
  for (int i = 0; i < n; i++)
    worst = fmax(worst, fabs(space[i] - other[i]));
  return worst;
}

/* Writes time, the first rows of lambda and the difference of the force. */
static void write_curve(struct shk_chart *chart, const struct set *set, struct curve *curve,
                        struct shk_box boxes[MOST_ROWS + 1])
{
  const int shown = set->rows < MOST_ROWS ? set->rows : MOST_ROWS;
  const size_t samples = (size_t)curve->run->outcome.sample_count;
  double *const space = shk_allocate(2 * MOST_FORCES, sizeof *space);
  double *const times = shk_allocate(2 * samples + 1, sizeof *times), *const firsts =
                                                                          times + samples;
  shk_chart_block(chart, curve->name, NULL, "time, lambda 1 … %d, distance of -G^T lambda; %s",
                  shown, shk_record_status(curve->run));
  for (size_t i = 0; i < samples; i++) {
    const struct shk_sample *const sample = &curve->run->outcome.samples[i];
    double row[MOST_ROWS + 2];
    for (int j = 0; j < MOST_ROWS + 2; j++)
      row[j] = NAN;
    row[0] = times[i] = sample->t;
    read_block(sample, "lambda", row + 1, shown);
    firsts[i] = row[1];
    if (curve != set->reduced)
      row[shown + 1] =
          distance(sample, shk_outcome_sample(&set->reduced->run->outcome, sample->time), space) /
          set->force;
    shk_chart_row(chart, row, shown + 2);
    for (int j = 1; j < shown + 2; j++)
      if (curve->seen && isfinite(row[j]) && (j <= shown || row[j] > 0))
        shk_box_extend(&boxes[j - 1], &row[0], &row[j], 1);
    curve->worst = fmax(curve->worst, isfinite(row[shown + 1]) ? row[shown + 1] : 0);
  }
  curve->joined = shk_path_is_close(times, firsts, (int)samples);
  free(times);
  free(space);
}

static void set_ranges(struct shk_chart *chart, const struct set *set, const struct shk_box *boxes,
                       int shown)
{
  double until = 0;
  for (int i = 0; i < set->count; i++)
    until = fmax(until, set->curves[i].run->outcome.reached);
  for (int j = 0; j < shown; j++) {
    const double low = boxes[j].bottom, high = boxes[j].top;
    const double room = high > low ? 0.08 * (high - low) : fmax(1e-3, fabs(high));
    shk_chart_range(chart, j + 1, low - room, high + room);
  }
  const struct shk_box *const apart = &boxes[shown];
  const bool any = apart->top > 0;
  shk_chart_range(chart, shown + 1, any ? apart->bottom / 3 : 1e-17, any ? apart->top * 3 : 1e-15);
  shk_chart_set(chart, "panels", shown);
  shk_chart_set(chart, "until", until);
}

static void fill_legend(struct shk_chart *chart, const struct set *set)
{
  char *joined = NULL;
  for (int i = 0; i < set->count; i++) {
    const struct curve *const curve = &set->curves[i];
    const struct shk_label label =
        curve == set->reduced
            ? shk_label_words("compared with")
            : shk_label_join(shk_label_words("max apart"), shk_label_number(curve->worst, 2));
    shk_chart_legend(chart, i + 1, curve->name, &label);
    shk_list_add(&joined, curve->joined);
  }
  shk_chart_set_list(chart, "joined", joined);
}

static bool draw_set(struct shk_drawing *drawing, struct set *set, int group, const char *precision)
{
  const char *const problem = drawing->groups[group].problem;
  const bool one = name_curves(set, drawing);
  const int shown = set->rows < MOST_ROWS ? set->rows : MOST_ROWS;
  char *const text =
      one ? shk_print_text("%s, %s", drawing->groups[set->curves[0].group].shown, precision)
          : shk_print_text("%.*s, %s", (int)strcspn(problem, "( "), problem, precision);
  struct shk_box boxes[MOST_ROWS + 1];
  struct shk_chart chart;
  shk_drawing_chart_of_part(drawing, &chart, "multipliers", text);
  free(text);
  for (int j = 0; j <= MOST_ROWS; j++)
    boxes[j] = shk_box_of_nothing;
  bool finished = false;
  for (int i = 0; i < set->count; i++)
    finished = finished || shk_record_finished(set->curves[i].run);
  for (int i = 0; i < set->count; i++) {
    const int m = set->curves[i].method;
    set->curves[i].seen = !finished || shk_record_finished(set->curves[i].run);
    shk_chart_method(&chart, m, one ? drawing->styles[m] : i); /* on two systems: two curves */
    write_curve(&chart, set, &set->curves[i], boxes);
  }
  set_ranges(&chart, set, boxes, shown);
  shk_chart_set_label(&chart, "time", shk_time_label(drawing->groups[group].unit));
  fill_legend(&chart, set);
  return shk_drawing_draw(drawing, &chart);
}

/* Draws the runs of a group and of the later groups of the same problem; nothing if an earlier
 * group has that problem. */
static bool draw(struct shk_drawing *drawing, int first, const char *precision)
{
  const char *const problem = drawing->groups[first].problem;
  for (int g = 0; g < first; g++)
    if (drawing->groups[g].used && shk_same_problem(drawing->groups[g].problem, problem))
      return true;
  struct set set = {0};
  for (int g = first; g < drawing->group_count; g++)
    if (drawing->groups[g].used && shk_same_problem(drawing->groups[g].problem, problem))
      add_runs(&set, drawing, g, precision);
  choose_reduced(&set);
  const bool ok = set.count < 2 || !(set.force > 0) || draw_set(drawing, &set, first, precision);
  clear(&set);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_multipliers = {
    .shows = "each λ of redundant constraints by strategy, beside the system without redundant "
             "rows, and the differences of Gᵀλ; problems of one name together",
    .only_by_name = true,
    .of_precision = draw};
