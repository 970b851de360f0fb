/*
 * One step of SHAKE and of RATTLE on the pendulum, from the recorded states: the velocity at its
 * start, the kick along the rod, the free flight to the circle, and the projection at its end.
 *
 * The step is the second of SHAKE, which begins where the first ended, with a velocity v⁻ that is
 * not tangent to the circle. The kick changes it to v⁺ along the rod; under a constant acceleration
 * a the flight is q + s v⁺ + s² a/2, so that v⁺ = 2(q₁-q₀)/h - v₁⁻ and a = (v₁⁻-v⁺)/h are read off
 * the records. RATTLE's velocity at the end is that of its own record, which is v₁⁻ with its
 * component along the rod taken out.
 *
 * The problem must be `pendulum` with unit mass, where velocities are momenta, and both methods
 * must have samples one step apart. Velocities are drawn as what they cover in half a step.
 *
 * Source: McLachlan, Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014), Figure 1.
 */
#include "foundation/memory.h"
#include "plots/canvas/shown_runs.h"
#include "plots/kinds/kinds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct point {
  double x, y;
};

static bool read_point(struct point *point, const struct shk_sample *sample, const char *block)
{
  const struct shk_vector *const vector = shk_sample_block(sample, block);
  if (!vector)
    return false;
  point->x = shk_vector_double(vector, 0);
  point->y = shk_vector_double(vector, 1);
  return isfinite(point->x) && isfinite(point->y);
}

/* The sample at that many steps; NULL if there is none. */
static const struct shk_sample *sample_after(const struct shk_record *record, int steps)
{
  const double step = record->cell.numbers.step;
  for (int i = 0; i < record->outcome.sample_count; i++)
    if (fabs(record->outcome.samples[i].t - steps * step) < 1e-9 * step)
      return &record->outcome.samples[i];
  return NULL;
}

struct step {
  double h;
  struct point q0, q1, before, after, end, projected; /* v⁻, v⁺, v₁⁻, v₁ */
};

static struct point plus(struct point a, double scale, struct point b)
{
  return (struct point){a.x + scale * b.x, a.y + scale * b.y};
}

/* So far beyond `to` on the line from `from`. */
static struct point beyond(struct point from, struct point to, double distance)
{
  const struct point way = plus(to, -1, from);
  return plus(to, distance / hypot(way.x, way.y), way);
}

static bool read_step(struct step *step, const struct shk_record *shake,
                      const struct shk_record *rattle)
{
  const struct shk_sample *const first = sample_after(shake, 1),
                                 *const second = sample_after(shake, 2),
                                 *const other = sample_after(rattle, 2);
  step->h = shake->cell.numbers.step;
  if (!first || !second || !other || !read_point(&step->q0, first, "q") ||
      !read_point(&step->before, first, "p") || !read_point(&step->q1, second, "q") ||
      !read_point(&step->end, second, "p") || !read_point(&step->projected, other, "p"))
    return false;
  const struct point chord = plus(step->q1, -1, step->q0);
  step->after =
      (struct point){2 * chord.x / step->h - step->end.x, 2 * chord.y / step->h - step->end.y};
  return true;
}

static void add_arrow(struct shk_figure *figure, struct shk_panel *panel, const char *what,
                      struct point from, struct point to, const char *style)
{
  const int index = shk_figure_block(figure, "%s: x, y, and how far the arrow goes", what);
  fprintf(figure->data, "%.9g\t%.9g\t%.9g\t%.9g\n", from.x, from.y, to.x - from.x, to.y - from.y);
  shk_panel_layer(panel, "index %d using 1:2:3:4 with vectors head size screen 0.02,20 filled %s",
                  index, style);
}

static void add_line(struct shk_figure *figure, struct shk_panel *panel, const char *what,
                     const struct point *points, int count, const char *style)
{
  const int index = shk_figure_block(figure, "%s: x, y", what);
  for (int i = 0; i < count; i++)
    fprintf(figure->data, "%.9g\t%.9g\n", points[i].x, points[i].y);
  shk_panel_layer(panel, "index %d using 1:2 with lines %s", index, style);
}

static void add_label(struct shk_panel *panel, struct point at, const char *plain,
                      const char *latex)
{
  shk_panel_mark(panel, at.x, at.y, shk_label(plain, latex));
}

/* The circle on which the pendulum moves; the panel shows a part of it. */
static void add_circle(struct shk_figure *figure, struct shk_panel *panel, const struct step *step)
{
  enum { PIECES = 360 };
  struct point points[PIECES + 1];
  const double length = hypot(step->q0.x, step->q0.y);
  for (int i = 0; i <= PIECES; i++) {
    const double angle = 6.283185307179586 * i / PIECES;
    points[i] = (struct point){length * cos(angle), length * sin(angle)};
  }
  add_line(figure, panel, "the circle g = 0", points, PIECES + 1,
           "linewidth 1 linecolor rgb '#808080'");
}

static void draw_step(struct shk_figure *figure, const struct step *step, int shake, int rattle)
{
  enum { PIECES = 40 };
  struct shk_panel *const panel = shk_figure_panel(figure, 0, 0);
  const double shown = step->h / 2;
  char shake_style[40], rattle_style[40];
  snprintf(shake_style, sizeof shake_style, "linestyle %d dashtype solid", shake + 1);
  snprintf(rattle_style, sizeof rattle_style, "linestyle %d dashtype solid", rattle + 1);
  add_circle(figure, panel, step);
  const struct point pivot = {0, 0};
  add_line(figure, panel, "the rod at the start", (struct point[]){pivot, step->q0}, 2,
           "linewidth 0.8 linecolor rgb '#808080' dashtype (3,4)");
  add_line(figure, panel, "the rod at the end", (struct point[]){pivot, step->q1}, 2,
           "linewidth 0.8 linecolor rgb '#808080' dashtype (3,4)");
  struct point flight[PIECES + 1];
  for (int i = 0; i <= PIECES; i++) {
    const double s = step->h * i / PIECES;
    const struct point a = {(step->end.x - step->after.x) / step->h,
                            (step->end.y - step->after.y) / step->h};
    flight[i] = plus(plus(step->q0, s, step->after), s * s / 2, a);
  }
  add_line(figure, panel, "free flight", flight, PIECES + 1,
           "linewidth 1.4 linecolor rgb 'black' dashtype (12,5)");
  const struct point before = plus(step->q0, shown, step->before),
                     after = plus(step->q0, shown, step->after),
                     end = plus(step->q1, shown, step->end),
                     projected = plus(step->q1, shown, step->projected);
  add_arrow(figure, panel, "SHAKE's velocity at the start", step->q0, before, shake_style);
  add_arrow(figure, panel, "velocity after the kick", step->q0, after,
            "linewidth 1.4 linecolor rgb 'black'");
  add_arrow(figure, panel, "the kick, along the rod", before, after,
            "linewidth 1.2 linecolor rgb '#808080'");
  add_arrow(figure, panel, "SHAKE's velocity at the end", step->q1, end, shake_style);
  add_arrow(figure, panel, "RATTLE's projection, along the rod", end, projected,
            "linewidth 1.2 linecolor rgb '#808080'");
  add_arrow(figure, panel, "RATTLE's velocity at the end", step->q1, projected, rattle_style);
  const int ends = shk_figure_block(figure, "positions: x, y");
  fprintf(figure->data, "%.9g\t%.9g\n%.9g\t%.9g\n", step->q0.x, step->q0.y, step->q1.x, step->q1.y);
  shk_panel_layer(panel,
                  "index %d using 1:2 with points pointtype 7 pointsize 0.6 linecolor rgb "
                  "'black'",
                  ends);
  /* Away from the kick, or from the projection, that ends there. */
  const double away = 0.25 * shown;
  add_label(panel, plus(before, 0.03, step->before), "{/:Italic v}^−", "$v^-$");
  add_label(panel, beyond(before, after, away), "{/:Italic v}^+", "$v^+$");
  add_label(panel, plus(end, 0.03, step->end), "{/:Italic v}_1^−", "$v_1^-$");
  add_label(panel, plus(projected, 0.35, plus(projected, -1, step->q1)), "{/:Italic v}_1", "$v_1$");
  panel->x.label = shk_label("{/:Italic q}_1", "$q_1$");
  panel->y.label = shk_label("{/:Italic q}_2", "$q_2$");
  /* The same scale on both axes, around what is drawn besides the circle. */
  const struct point all[] = {step->q0, step->q1, before, after, end, projected};
  double left = INFINITY, right = -INFINITY, bottom = INFINITY, top = -INFINITY;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    left = fmin(left, all[i].x);
    right = fmax(right, all[i].x);
    bottom = fmin(bottom, all[i].y);
    top = fmax(top, all[i].y);
  }
  const double wide = shk_panel_width(figure), room = 0.18;
  double width = (1 + 2 * room) * (right - left), height = (1 + 2 * room) * (top - bottom);
  const double ratio = fmin(fmax(height / width, 0.6), 1.1);
  width = fmax(width, height / ratio);
  height = width * ratio;
  figure->panel_height = wide * ratio;
  figure->sized = true;
  panel->x.low = (left + right - width) / 2;
  panel->x.high = (left + right + width) / 2;
  panel->y.low = (bottom + top - height) / 2;
  panel->y.high = (bottom + top + height) / 2;
}

static bool is_named(const char *integrator, const char *name)
{
  return strncmp(integrator, name, strlen(name)) == 0 &&
         (integrator[strlen(name)] == '\0' || integrator[strlen(name)] == '(');
}

static bool draw(struct shk_drawing *drawing, int group, const char *precision)
{
  const char *const problem = drawing->plan->cells[drawing->groups[group].cells[0]].cell.problem;
  if (!is_named(problem, "pendulum") || strstr(problem, "mass="))
    return true;
  int count, shake = -1, rattle = -1;
  const struct shk_record **const runs =
      shk_drawing_runs(drawing, group, precision, SHK_NO_SERIES, &count);
  for (int m = 0; m < drawing->method_count; m++) {
    if (!runs[m] || !runs[m]->cell.step)
      continue;
    if (shake < 0 && is_named(drawing->methods[m], "shake"))
      shake = m;
    if (rattle < 0 && is_named(drawing->methods[m], "rattle"))
      rattle = m;
  }
  struct step step;
  bool ok = true;
  if (shake >= 0 && rattle >= 0 && strcmp(runs[shake]->cell.step, runs[rattle]->cell.step) == 0 &&
      read_step(&step, runs[shake], runs[rattle])) {
    struct shk_figure figure;
    shk_drawing_begin(drawing, &figure, group, NULL, precision, 1, 1);
    draw_step(&figure, &step, shake, rattle);
    shk_key_method(&figure, shake);
    shk_key_method(&figure, rattle);
    shk_key_note(&figure, "black: after the kick, and the free flight; grey: kick and projection");
    ok = shk_drawing_finish(drawing, &figure);
  }
  free(runs);
  return ok;
}

const struct shk_figure_kind shk_figure_kind_step = {
    .shows = "one step of SHAKE and RATTLE on the pendulum, drawn from its records",
    .only_by_name = true,
    .of_precision = draw};
