/*
 * Multipliers by strategy: where constraints are redundant, multipliers are not unique, but the force
 * that they exert is. A panel for each of the first rows of G, with the lambda of every run in which that
 * row is there, and below them how far the constraint force -Gᵀλ of each is from that of the first
 * run of the fewest rows, the reduced system: the largest component, over the largest of that
 * force along the run. Runs are those of one problem, whatever its options, and of one precision;
 * a method on two systems is two curves.
 *
 * Compared are the forces at the same sample times. A difference of zero is drawn at the least one
 * that is not zero, since the axis is logarithmic.
 */
#include "foundation/memory.h"
#include "plots/canvas/plane.h"
#include "plots/canvas/shown_runs.h"
#include "plots/kinds/kinds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* MOST_FORCES: of more coordinates records hold no states. */
enum { MOST_ROWS = 4, MARKS_ALONG = 9, MOST_FORCES = 1000 };

struct curve {
  const struct shk_record *run;
  int method, group;
  int rows;                   /* of lambda */
  char *name;                 /* of the method, and of the system where there are several */
  double worst;               /* largest difference of the force */
  bool joined[MOST_ROWS + 1]; /* by panel: whether a line goes through its samples */
};

struct set {
  int count, rows;
  struct curve *curves;
  const struct curve *reduced;
  double force; /* largest of the reduced system */
};

/* The numbers of a block; returns how many, at most `room` of them stored. */
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

/* ---- which runs ---- */

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

/* Whether all are of one system. */
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

/* Sets what the others are compared with. */
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

/* How far the forces of two samples are apart; NaN where one has none. */
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

/* Writes time, the first rows of lambda and the distance of the force. */
static int write_curve(struct shk_figure *figure, const struct set *set, struct curve *curve,
                       double *low, double *high)
{
  const int shown = set->rows < MOST_ROWS ? set->rows : MOST_ROWS;
  const int index = shk_figure_block(figure, "%s: time, lambda 1 … %d, distance of -G^T lambda; %s",
                                     curve->name, shown, shk_record_status(curve->run));
  double *const space = shk_allocate(2 * MOST_FORCES, sizeof *space);
  const size_t samples = (size_t)curve->run->outcome.sample_count;
  double *const columns = shk_allocate((MOST_ROWS + 2) * samples + 1, sizeof *columns);
  curve->worst = 0;
  for (int i = 0; i < curve->run->outcome.sample_count; i++) {
    const struct shk_sample *const sample = &curve->run->outcome.samples[i];
    double row[MOST_ROWS + 2];
    for (int j = 0; j < MOST_ROWS + 2; j++)
      row[j] = NAN;
    row[0] = sample->t;
    read_block(sample, "lambda", row + 1, shown);
    const double apart =
        distance(sample, shk_record_sample(set->reduced->run, sample->time), space) / set->force;
    row[shown + 1] = curve == set->reduced ? NAN : apart;
    shk_figure_row(figure, row, shown + 2);
    for (int j = 0; j < shown + 2; j++)
      columns[(size_t)j * samples + (size_t)i] = row[j];
    for (int j = 0; j < shown; j++)
      if (isfinite(row[j + 1])) {
        low[j] = fmin(low[j], row[j + 1]);
        high[j] = fmax(high[j], row[j + 1]);
      }
    if (isfinite(apart) && curve != set->reduced) {
      curve->worst = fmax(curve->worst, apart);
      if (apart > 0)
        low[MOST_ROWS] = fmin(low[MOST_ROWS], apart);
      high[MOST_ROWS] = fmax(high[MOST_ROWS], apart);
    }
  }
  for (int j = 0; j <= shown; j++)
    curve->joined[j] =
        shk_path_is_close(columns, columns + (size_t)(j + 1) * samples, (int)samples);
  free(columns);
  free(space);
  return index;
}

static void add_layers(struct shk_figure *figure, const struct set *set, int which, int index,
                       double least)
{
  const struct curve *const curve = &set->curves[which];
  const int shown = figure->panel_count - 1, samples = curve->run->outcome.sample_count;
  const int every = samples > MARKS_ALONG ? samples / MARKS_ALONG : 1;
  for (int j = 0; j <= shown; j++) {
    if (j < shown ? j >= curve->rows : curve == set->reduced)
      continue;
    char value[64];
    if (j < shown)
      snprintf(value, sizeof value, "%d", j + 2);
    else
      snprintf(value, sizeof value, "($%d>%.3g?$%d:%.3g)", j + 2, least, j + 2, least);
    struct shk_panel *const panel = &figure->panels[j];
    if (!curve->joined[j]) { /* a line would be none that anything moves along */
      shk_panel_layer(panel,
                      "index %d using 1:%s with points linestyle %d pointtype 7 pointsize %.2f",
                      index, value, which + 1, 0.2 + 0.15 * (set->count - 1 - which));
      continue;
    }
    shk_panel_layer(panel, "index %d using 1:%s with lines linestyle %d", index, value, which + 1);
    shk_panel_layer(panel, "index %d every %d::%d using 1:%s with points linestyle %d", index,
                    every, (which + 1) * every / (set->count + 1), value, which + 1);
  }
}

static void fill_axes(struct shk_figure *figure, const struct set *set, const char *unit,
                      const double *low, const double *high)
{
  const int shown = figure->panel_count - 1;
  double until = 0;
  for (int i = 0; i < set->count; i++)
    until = fmax(until, set->curves[i].run->outcome.reached);
  for (int j = 0; j <= shown; j++) {
    struct shk_panel *const panel = &figure->panels[j];
    panel->x = (struct shk_axis){.low = 0, .high = until};
    if (j == shown)
      break;
    const double room = high[j] > low[j] ? 0.08 * (high[j] - low[j]) : fmax(1e-3, fabs(high[j]));
    panel->y.low = low[j] - room;
    panel->y.high = high[j] + room;
    panel->y.label = shk_label_print("{/:Italic λ}_%d", "$\\lambda_%d$", j + 1);
  }
  struct shk_panel *const last = &figure->panels[shown];
  if (high[MOST_ROWS] > 0)
    shk_axis_range(&last->y, low[MOST_ROWS], high[MOST_ROWS], 3);
  last->y.label = shk_label("{/:Italic G}^T{/:Italic λ}, apart", "$G^T\\lambda$, apart");
  last->x.label = shk_time_label(unit);
}

static void fill_key(struct shk_figure *figure, const struct set *set)
{
  shk_key_head(figure, 0, shk_label_words("max apart"));
  for (int i = 0; i < set->count; i++) {
    const struct curve *const curve = &set->curves[i];
    shk_key_name(figure, i, curve->name);
    shk_key_value(figure, 0,
                  curve == set->reduced ? shk_label_words("compared with")
                                        : shk_label_number(curve->worst, 2));
  }
}

static bool draw_set(struct shk_drawing *drawing, struct set *set, int group, const char *precision)
{
  const char *const problem = drawing->groups[group].problem;
  const bool one = name_curves(set, drawing);
  char *const text =
      one ? shk_print_text("%s, %s", drawing->groups[set->curves[0].group].shown, precision)
          : shk_print_text("%.*s, %s", (int)strcspn(problem, "( "), problem, precision);
  const int shown = set->rows < MOST_ROWS ? set->rows : MOST_ROWS;
  struct shk_figure figure;
  shk_drawing_begin_part(drawing, &figure, "multipliers", text, shown + 1, 1);
  figure.panel_height = 2.4;
  free(text);
  const char **const names = shk_allocate((size_t)set->count, sizeof *names);
  double low[MOST_ROWS + 1], high[MOST_ROWS + 1];
  for (int j = 0; j <= MOST_ROWS; j++) {
    low[j] = INFINITY;
    high[j] = -INFINITY;
  }
  int *const blocks = shk_allocate((size_t)set->count, sizeof *blocks);
  int *const styles = shk_allocate((size_t)set->count, sizeof *styles);
  for (int i = 0; i < set->count; i++) {
    names[i] = set->curves[i].name;
    styles[i] = drawing->styles[set->curves[i].method];
    blocks[i] = write_curve(&figure, set, &set->curves[i], low, high);
  }
  low[MOST_ROWS] = fmin(low[MOST_ROWS], high[MOST_ROWS]); /* where all differences are zero */
  figure.method_names = figure.key_names = names;
  figure.styles = one ? styles : NULL; /* a method on two systems is two curves */
  figure.method_count = set->count;
  for (int j = 0; j <= shown; j++)
    shk_figure_panel(&figure, j, 0);
  for (int i = 0; i < set->count; i++)
    add_layers(&figure, set, i, blocks[i], low[MOST_ROWS]);
  fill_axes(&figure, set, drawing->groups[group].unit, low, high);
  fill_key(&figure, set);
  const bool ok = shk_drawing_finish(drawing, &figure);
  free(styles);
  free(blocks);
  free(names);
  return ok;
}

/* The runs of a group and of those after it of the same problem; none where one before has it. */
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
    .shows = "each λ of redundant constraints by strategy, with the system without the redundant "
             "rows if it is among the problems, and how far Gᵀλ is apart; problems of one name are "
             "drawn together",
    .only_by_name = true,
    .of_precision = draw};
