/*
 * States at the sample times, one coordinate against another: phase portraits, trajectories, and
 * the reduced motion of momentum constraints on a sphere.
 *
 *   phase       q1 and p1, or the axes that the study names
 *   trajectory  q1 and q2, with the same scale on both axes
 *   hopf        of harmonic-sphere, all its starts in one panel: with z_k = q_k + i p_k the sphere
 *               of fibres by Hopf's map, ζ = 2 z_1 z̄_2 and ρ = |z_1|² - |z_2|², then
 *               stereographically ζ/(√(|ζ|² + ρ²) + ρ)
 *
 * Samples are joined by a line where they follow each other closely: where the path turns by less
 * than 10° from sample to sample, nine times out of ten. Otherwise each is a mark by itself, since
 * a line would show a motion that nobody computed; where marks of several methods coincide, those
 * of the earlier are the larger.
 *
 * Source of hopf: McLachlan, Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014), (21) and
 * Figure 4, from the pole from which the start za has the innermost path, as they say that it has;
 * with -ρ in the denominator, as printed there, it has the outermost.
 */
#include "foundation/memory.h"
#include "plots/kinds/kinds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COORDINATES = 1000, MARKS_ALONG = 6 };

struct path {
  int count;
  double *times, *x, *y;
  bool joined;
};

static void clear_path(struct path *path)
{
  free(path->times);
  free(path->x);
  free(path->y);
}

const struct shk_box shk_box_of_nothing = {INFINITY, -INFINITY, INFINITY, -INFINITY};

void shk_box_extend(struct shk_box *box, const double *x, const double *y, int count)
{
  for (int i = 0; i < count; i++) {
    box->left = fmin(box->left, x[i]);
    box->right = fmax(box->right, x[i]);
    box->bottom = fmin(box->bottom, y[i]);
    box->top = fmax(box->top, y[i]);
  }
}

bool shk_path_is_close(const double *x, const double *y, int count)
{
  struct shk_box box = shk_box_of_nothing;
  shk_box_extend(&box, x, y, count);
  const double width = box.right > box.left ? box.right - box.left : 1,
               height = box.top > box.bottom ? box.top - box.bottom : 1;
  int turns = 0, sharp = 0;
  for (int i = 2; i < count; i++) {
    const double ax = (x[i - 1] - x[i - 2]) / width, ay = (y[i - 1] - y[i - 2]) / height,
                 bx = (x[i] - x[i - 1]) / width, by = (y[i] - y[i - 1]) / height;
    turns++;
    sharp += ax * bx + ay * by < 0.985 * sqrt((ax * ax + ay * ay) * (bx * bx + by * by));
  }
  return turns > 0 && 10 * sharp <= turns;
}

/* The number at that place of a block; NaN if there is none. */
static double component(const struct shk_sample *sample, const char *axis)
{
  const char block[2] = {axis[0], '\0'};
  const char *at = shk_sample_block(sample, block);
  const int index = atoi(axis + 1);
  double value = NAN;
  for (int i = 0; at && i < index; i++) {
    char *end;
    value = strtod(at, &end);
    if (end == at)
      return NAN;
    at = end;
  }
  return at ? value : NAN;
}

static struct path path_of(const struct shk_record *record, const char *const *axes)
{
  struct path path = {0};
  const int most = record->outcome.sample_count;
  path.times = shk_allocate((size_t)most + 1, sizeof *path.times);
  path.x = shk_allocate((size_t)most + 1, sizeof *path.x);
  path.y = shk_allocate((size_t)most + 1, sizeof *path.y);
  for (int i = 0; i < most; i++) {
    const struct shk_sample *sample = &record->outcome.samples[i];
    path.times[path.count] = strtod(sample->time, NULL);
    if (axes) {
      path.x[path.count] = component(sample, axes[0]);
      path.y[path.count] = component(sample, axes[1]);
    } else {
      const double q[2] = {component(sample, "q1"), component(sample, "q2")},
                   p[2] = {component(sample, "p1"), component(sample, "p2")};
      const double re = 2 * (q[0] * q[1] + p[0] * p[1]), im = 2 * (p[0] * q[1] - q[0] * p[1]);
      const double rho = q[0] * q[0] + p[0] * p[0] - q[1] * q[1] - p[1] * p[1];
      const double below = hypot(hypot(re, im), rho) + rho;
      path.x[path.count] = re / below;
      path.y[path.count] = im / below;
    }
    path.count += isfinite(path.x[path.count]) && isfinite(path.y[path.count]);
  }
  path.joined = shk_path_is_close(path.x, path.y, path.count);
  return path;
}

static int write_path(struct shk_figure *figure, const struct path *path,
                      const struct shk_record *record)
{
  const struct shk_cell *cell = &record->cell;
  const int index = shk_figure_block(figure, "%s, %s, %s %s: time, x, y; %s", cell->problem,
                                     cell->integrator, cell->tolerance ? "tolerance" : "step",
                                     cell->tolerance ? cell->tolerance
                                     : cell->step    ? cell->step
                                                     : "of its own",
                                     shk_record_status(record));
  for (int i = 0; i < path->count; i++)
    fprintf(figure->data, "%.9g\t%.9g\t%.9g\n", path->times[i], path->x[i], path->y[i]);
  return index;
}

static void add_path(struct shk_panel *panel, const struct path *path, int index, int method,
                     int methods)
{
  if (path->joined) {
    const int every = path->count > MARKS_ALONG ? path->count / MARKS_ALONG : 1;
    shk_panel_layer(panel, "index %d using 2:3 with lines linestyle %d", index, method + 1);
    shk_panel_layer(panel, "index %d every %d::%d using 2:3 with points linestyle %d", index, every,
                    (int)((method + 0.5) * every / methods), method + 1);
  } else {
    shk_panel_layer(panel, "index %d using 2:3 with points linestyle %d pointsize %.2f", index,
                    method + 1, 0.15 + 0.45 * (methods - method) / methods);
  }
}

void shk_panel_ranges(struct shk_figure *figure, struct shk_panel *panel, struct shk_box box,
                      bool equal)
{
  double width = 1.1 * (box.right - box.left), height = 1.1 * (box.top - box.bottom);
  width = width > 0 ? width : fmax(1e-3, fabs(box.left));
  height = height > 0 ? height : (equal ? width : fmax(1e-3, fabs(box.bottom)));
  if (equal) {
    const double wide = shk_panel_width(figure);
    const double ratio = fmin(fmax(height / width, 0.5), 1.25);
    figure->panel_height = wide * ratio;
    width = fmax(width, height / ratio);
    height = width * ratio;
  }
  const double x = (box.left + box.right) / 2, y = (box.bottom + box.top) / 2;
  panel->x.low = x - width / 2;
  panel->x.high = x + width / 2;
  panel->y.low = y - height / 2;
  panel->y.high = y + height / 2;
}

static struct shk_label axis_label(const char *axis)
{
  struct shk_label label;
  snprintf(label.plain, sizeof label.plain, "{/:Italic %c}_{%s}", axis[0], axis + 1);
  snprintf(label.latex, sizeof label.latex, "$%c_{%s}$", axis[0], axis + 1);
  return label;
}

void shk_drawing_run_line(struct shk_figure *figure, int method, const char *name,
                          const struct shk_record *run)
{
  const double value = figure->width - 0.1 - SHK_KEY_VALUE;
  const int line = shk_key_sample(figure, method, name, value - SHK_KEY_NAMES - 0.1);
  struct shk_label label = {.plain = ""};
  if (run->end != SHK_END_FINISHED || run->outcome.code != SHK_OK)
    snprintf(label.plain, sizeof label.plain, "to t = %.3g", run->outcome.reached);
  else if (run->cell.tolerance)
    snprintf(label.plain, sizeof label.plain, "tol. %.20s", run->cell.tolerance);
  else if (run->cell.step)
    snprintf(label.plain, sizeof label.plain, "h = %.20s", run->cell.step);
  snprintf(label.latex, sizeof label.latex, "%s", label.plain);
  shk_key_value(figure, line, value, label);
}

static bool draw_portrait(struct shk_drawing *drawing, int group, const char *precision,
                          const char *kind, const char *const *axes, bool equal)
{
  int count;
  const struct shk_record **const runs = shk_drawing_runs(drawing, group, precision, NULL, &count);
  struct path *const paths = shk_allocate((size_t)drawing->method_count + 1, sizeof *paths);
  struct shk_box box = shk_box_of_nothing;
  for (int m = 0; m < drawing->method_count; m++)
    if (runs[m]) {
      paths[m] = path_of(runs[m], axes);
      shk_box_extend(&box, paths[m].x, paths[m].y, paths[m].count);
    }
  bool ok = true;
  if (box.right >= box.left) {
    struct shk_figure figure;
    shk_drawing_begin(drawing, &figure, kind, group, NULL, precision, 1, 1);
    struct shk_panel *panel = shk_figure_panel(&figure, 0, 0);
    for (int m = 0; m < drawing->method_count; m++)
      if (runs[m] && paths[m].count > 0) {
        const int index = write_path(&figure, &paths[m], runs[m]);
        add_path(panel, &paths[m], index, m, drawing->method_count);
        shk_drawing_run_line(&figure, m, drawing->methods[m], runs[m]);
      }
    panel->x.label = axis_label(axes[0]);
    panel->y.label = axis_label(axes[1]);
    shk_panel_ranges(&figure, panel, box, equal);
    ok = shk_drawing_finish(drawing, &figure);
  }
  for (int m = 0; m < drawing->method_count; m++)
    clear_path(&paths[m]);
  free(paths);
  free(runs);
  return ok;
}

bool shk_draw_phase(struct shk_drawing *drawing, int group, const char *precision)
{
  const bool chosen = drawing->asked && drawing->asked->axes[0];
  const char *const axes[] = {chosen ? drawing->asked->axes[0] : "q1",
                              chosen ? drawing->asked->axes[1] : "p1"};
  return draw_portrait(drawing, group, precision, "phase", axes, false);
}

bool shk_draw_trajectory(struct shk_drawing *drawing, int group, const char *precision)
{
  const bool chosen = drawing->asked && drawing->asked->axes[0];
  const char *const axes[] = {chosen ? drawing->asked->axes[0] : "q1",
                              chosen ? drawing->asked->axes[1] : "q2"};
  return draw_portrait(drawing, group, precision, "trajectory", axes, true);
}

/* ---- the sphere of fibres ---- */

static bool is_sphere(const char *problem)
{
  return strcmp(problem, "harmonic-sphere") == 0 || strncmp(problem, "harmonic-sphere(", 16) == 0;
}

/* Numbers the paths, in the order of the study's groups, beside their rightmost points. */
static void mark_path(struct shk_panel *panel, const struct path *path, int number, double room)
{
  int at = 0;
  for (int i = 1; i < path->count; i++)
    if (path->x[i] > path->x[at])
      at = i;
  char text[16];
  snprintf(text, sizeof text, "%d", number);
  shk_panel_mark(panel, path->x[at] + room, path->y[at], shk_label(text, text));
}

static bool draw_hopf(struct shk_drawing *drawing, const char *precision)
{
  struct shk_figure figure;
  struct shk_box box = shk_box_of_nothing;
  bool begun = false;
  int paths = 0;
  struct path *outer = NULL;
  const struct shk_record **const shown =
      shk_allocate((size_t)drawing->method_count + 1, sizeof *shown);
  for (int g = 0; g < drawing->group_count; g++) {
    if (!drawing->groups[g].used || !is_sphere(drawing->groups[g].problem))
      continue;
    int count;
    const struct shk_record **const runs = shk_drawing_runs(drawing, g, precision, NULL, &count);
    bool first = true;
    for (int m = 0; m < drawing->method_count; m++) {
      if (!runs[m])
        continue;
      struct path path = path_of(runs[m], NULL);
      if (!begun) {
        shk_drawing_begin_study(drawing, &figure, "hopf", precision, 1, 1);
        shk_figure_panel(&figure, 0, 0);
        begun = true;
      }
      shk_box_extend(&box, path.x, path.y, path.count);
      shown[m] = runs[m];
      add_path(&figure.panels[0], &path, write_path(&figure, &path, runs[m]), m,
               drawing->method_count);
      if (first && path.count > 0) { /* the first method's stands for the problem */
        outer = shk_grow(outer, (size_t)paths, sizeof *outer);
        outer[paths++] = path;
        char *const name =
            shk_print_text("%d  %s, %s", paths, drawing->groups[g].problem, precision);
        shk_key_text(&figure, 0.2, figure.width - 0.4, name);
        free(name);
        first = false;
      } else {
        clear_path(&path);
      }
    }
    free(runs);
  }
  bool ok = true;
  if (begun) {
    for (int m = 0; m < drawing->method_count; m++)
      if (shown[m])
        shk_drawing_run_line(&figure, m, drawing->methods[m], shown[m]);
    struct shk_panel *const panel = &figure.panels[0];
    panel->x.label = shk_label("Re", "Re");
    panel->y.label = shk_label("Im", "Im");
    shk_panel_ranges(&figure, panel, box, true);
    for (int i = 0; i < paths; i++)
      mark_path(panel, &outer[i], i + 1, 0.02 * (panel->x.high - panel->x.low));
    ok = shk_drawing_finish(drawing, &figure);
  }
  for (int i = 0; i < paths; i++)
    clear_path(&outer[i]);
  free(outer);
  free(shown);
  return ok;
}

bool shk_draw_hopf(struct shk_drawing *drawing)
{
  for (int i = 0; shk_drawn_precisions[i]; i++)
    if (!draw_hopf(drawing, shk_drawn_precisions[i]))
      return false;
  return true;
}
