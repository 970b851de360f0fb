/*
 * The fibres above a run of harmonic-sphere: how fast H changes along each of them.
 *
 * The fibre through z = (q,p) is the circle q(θ) = q cos θ + p sin θ, p(θ) = p cos θ - q sin θ.
 * With 𝓗(θ) = H(q(θ),p(θ)),
 *
 *     𝓗'(θ) = V_q(q(θ))·p(θ) - q(θ)·p(θ),
 *
 * which for V = -γ·q is ½(|q|² - |p|²) sin 2θ - q·p cos 2θ + γ·q sin θ - γ·p cos θ. Its zeros,
 * drawn black, are where the fibre meets the hidden constraint manifold; lines of |𝓗'| = 0.1, 0.2,
 * … are the lighter the larger it is. θ = 0 is the state that the method carries. The panel below
 * is the same around there.
 *
 * The level lines are found by linear interpolation on a grid, whose columns are the samples.
 *
 * Source: McLachlan, Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014), Figure 6; in their
 * (28) only sin 2θ has the right sign.
 */
#include "foundation/memory.h"
#include "foundation/specifications/spec.h"
#include "plots/canvas/shown_runs.h"
#include "plots/kinds/kinds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 160, LEVELS = 12 };

static const double spacing = 0.1, zoom = 0.06;

struct potential {
  double gravity, quartic;
};

struct grid {
  int columns;
  double *times;
  double *q, *p; /* two a column */
};

/* Those of the specification, or the problem's defaults. False if it is another problem. */
static bool read_potential(struct potential *potential, const char *problem)
{
  struct shk_message unused = {.text = ""};
  struct shk_spec *const spec = shk_spec_parse(problem, &unused);
  const bool ok = spec && strcmp(spec->name, "harmonic-sphere") == 0;
  *potential = (struct potential){.gravity = 1};
  for (int i = 0; ok && i < spec->count; i++) {
    const struct shk_spec_item *item = &spec->items[i];
    if (item->option && strcmp(item->option, "gravity") == 0 && item->text) {
      potential->gravity = strtod(item->text, NULL);
    } else if (item->option && strcmp(item->option, "quartic") == 0 && item->text) {
      potential->quartic = strtod(item->text, NULL);
    }
  }
  shk_spec_free(spec);
  return ok;
}

static bool read_pair(double pair[2], const struct shk_sample *sample, const char *block)
{
  const struct shk_vector *const vector = shk_sample_block(sample, block);
  if (!vector)
    return false;
  pair[0] = shk_vector_double(vector, 0);
  pair[1] = shk_vector_double(vector, 1);
  return isfinite(pair[0]) && isfinite(pair[1]);
}

static struct grid read_grid(const struct shk_record *record)
{
  const size_t most = (size_t)record->outcome.sample_count;
  struct grid grid = {.times = shk_allocate(most + 1, sizeof(double)),
                      .q = shk_allocate(2 * most + 2, sizeof(double)),
                      .p = shk_allocate(2 * most + 2, sizeof(double))};
  for (size_t i = 0; i < most; i++) {
    const struct shk_sample *sample = &record->outcome.samples[i];
    if (!read_pair(grid.q + 2 * grid.columns, sample, "q") ||
        !read_pair(grid.p + 2 * grid.columns, sample, "p"))
      continue;
    grid.times[grid.columns++] = sample->t;
  }
  return grid;
}

static double slope_along_fibre(const struct potential *potential, const double *q, const double *p,
                                double theta)
{
  const double c = cos(theta), s = sin(theta);
  double sum = 0;
  for (int i = 0; i < 2; i++) {
    const double x = c * q[i] + s * p[i], y = c * p[i] - s * q[i];
    sum += (potential->quartic * x * x * x + (i == 1 ? potential->gravity : 0) - x) * y;
  }
  return sum;
}

/* ---- level lines ---- */

struct corner {
  double x, y, value;
};

static void print_crossing(FILE *file, const struct corner *a, const struct corner *b)
{
  const double part = a->value / (a->value - b->value);
  fprintf(file, "%.6g\t%.6g\n", a->x + part * (b->x - a->x), a->y + part * (b->y - a->y));
}

/* The zero line in a triangle, a straight piece: there is one if a corner's sign is alone. */
static void print_piece(FILE *file, const struct corner *corners, bool *first)
{
  for (int i = 0; i < 3; i++) {
    const struct corner *a = &corners[i], *b = &corners[(i + 1) % 3], *c = &corners[(i + 2) % 3];
    if ((a->value > 0) == (b->value > 0) || (b->value > 0) != (c->value > 0))
      continue;
    if (!*first)
      putc('\n', file);
    *first = false;
    print_crossing(file, a, b);
    print_crossing(file, a, c);
  }
}

static int write_level(struct shk_figure *figure, const struct grid *grid, const double *values,
                       double range, double level)
{
  const int index = shk_figure_block(figure,
                                     "pieces of |H'| = %g, |theta| below %g turns: time, "
                                     "theta in turns",
                                     level, range);
  bool first = true;
  for (int side = 0; side < (level > 0 ? 2 : 1); side++)
    for (int i = 0; i + 1 < grid->columns; i++)
      for (int j = 0; j < ROWS; j++) {
        struct corner corners[4];
        for (int k = 0; k < 4; k++) {
          const int column = i + (k == 1 || k == 2), row = j + (k >= 2);
          corners[k] = (struct corner){.x = grid->times[column],
                                       .y = range * (2.0 * row / ROWS - 1),
                                       .value = values[(size_t)column * (ROWS + 1) + (size_t)row] +
                                                (side == 0 ? -level : level)};
        }
        print_piece(figure->data, (struct corner[]){corners[0], corners[1], corners[2]}, &first);
        print_piece(figure->data, (struct corner[]){corners[0], corners[2], corners[3]}, &first);
      }
  if (first)
    fputs("NaN\tNaN\n", figure->data);
  return index;
}

static void add_panel(struct shk_figure *figure, const struct grid *grid,
                      const struct potential *potential, int row, double range)
{
  static const double turn = 6.283185307179586;
  double *const values = shk_allocate((size_t)grid->columns * (ROWS + 1), sizeof *values);
  double largest = 0;
  for (int i = 0; i < grid->columns; i++)
    for (int j = 0; j <= ROWS; j++) {
      double *const value = &values[(size_t)i * (ROWS + 1) + (size_t)j];
      *value = slope_along_fibre(potential, grid->q + 2 * i, grid->p + 2 * i,
                                 turn * range * (2.0 * j / ROWS - 1));
      largest = fmax(largest, fabs(*value));
    }
  struct shk_panel *const panel = shk_figure_panel(figure, row, 0);
  for (int level = LEVELS; level >= 0; level--) {
    if (level * spacing > largest)
      continue;
    const int grey = 90 + 12 * level;
    const int index = write_level(figure, grid, values, range, level * spacing);
    if (level > 0)
      shk_panel_layer(panel,
                      "index %d using 1:2 with lines linewidth 0.7 linecolor rgb '#%02x%02x%02x'",
                      index, grey, grey, grey);
    else
      shk_panel_layer(panel, "index %d using 1:2 with lines linewidth 1.8 linecolor rgb 'black'",
                      index);
  }
  free(values);
  const double last = grid->times[grid->columns - 1];
  panel->x.low = grid->times[0];
  panel->x.high = last;
  panel->y.low = -range;
  panel->y.high = range;
  panel->y.label = shk_label("{/:Italic θ}/2π", "$\\theta/2\\pi$");
}

/* The state that the method carries: a broken line at θ = 0. */
static void add_run(struct shk_figure *figure, const struct grid *grid, int method)
{
  const int index = shk_figure_block(figure, "the run: time, theta");
  fprintf(figure->data, "%.9g\t0\n%.9g\t0\n", grid->times[0], grid->times[grid->columns - 1]);
  for (int i = 0; i < figure->panel_count; i++)
    shk_panel_layer(&figure->panels[i], "index %d using 1:2 with lines linestyle %d dashtype (8,4)",
                    index, method + 1);
}

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  struct potential potential;
  const struct shk_cell *const cell = &drawing->plan->cells[drawing->groups[group].cells[0]].cell;
  if (!read_potential(&potential, cell->problem))
    return true;
  int count;
  const struct shk_record **const runs =
      shk_drawing_runs(drawing, group, precision, SHK_NO_SERIES, &count);
  bool ok = true, drawn = false;
  for (int m = 0; ok && !drawn && m < drawing->method_count; m++) {
    if (!runs[m])
      continue;
    struct grid grid = read_grid(runs[m]);
    if (grid.columns > 1) {
      struct shk_figure figure;
      shk_drawing_begin(drawing, &figure, group, NULL, precision, 2, 1);
      figure.panel_height = 4.4;
      add_panel(&figure, &grid, &potential, 0, 0.5);
      add_panel(&figure, &grid, &potential, 1, zoom);
      figure.panels[1].x.label = shk_label("time {/:Italic t}", "time $t$");
      add_run(&figure, &grid, m);
      shk_key_method(&figure, m);
      shk_key_note(&figure, "black: H' = 0, the hidden constraint; grey: |H'| = 0.1, 0.2, ...");
      ok = shk_drawing_finish(drawing, &figure);
      drawn = true;
    }
    free(grid.times);
    free(grid.q);
    free(grid.p);
  }
  free(runs);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_fibres = {
    .shows = "level lines of the derivative of H along the fibres above a run of `harmonic-sphere`",
    .only_by_name = true,
    .of_precision = draw};
