/*
 * Motion: a mechanism's run. What is drawn on paper is a still, states at a few times; the SVG
 * moves where its page is a screen whose user allows it (motion_frames.c).
 */
#include "plots/motion/motion.h"
#include "foundation/memory.h"
#include "plots/canvas/plane.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many states a still shows: few of a large mechanism, since they lie over each other. */
static int stills_of(const struct shk_motion *motion)
{
  const int parts = motion->run_count * (motion->scene.line_count + motion->scene.dot_count);
  const int alone = parts <= 30    ? 6
                    : parts <= 90  ? 4
                    : parts <= 200 ? 2
                                   : 1,
            together = motion->run_count > 2 ? 2 : 3, /* of runs that lie over each other */
      most = motion->run_count > 1 && alone > together ? together : alone;
  return motion->frame_count < most ? motion->frame_count : most;
}

/* The last, and others at even distances before it. */
static double still_time(const struct shk_motion *motion, int still, int stills)
{
  const int last = motion->frame_count - 1;
  return motion->frames[stills == 1 ? last : last * still / (stills - 1)];
}

static struct shk_box box_of(const struct shk_motion *motion)
{
  struct shk_box box = shk_box_of_nothing;
  bool any = false;
  for (int r = 0; r < motion->run_count; r++)
    any = any || motion->runs[r].finished;
  for (int i = 0; i < motion->scene.fixed_count; i++)
    shk_box_extend(&box, &motion->fixed[2 * i], &motion->fixed[2 * i + 1], 1);
  for (int i = 0; i < motion->scene.curve_count; i++)
    shk_box_extend(&box, &motion->curve[2 * i], &motion->curve[2 * i + 1], 1);
  /* A run that blew up must not make a dot of the others. */
  for (int r = 0; r < motion->run_count; r++)
    for (int i = 0; (motion->runs[r].finished || !any) && i < motion->runs[r].count; i++)
      for (int k = 0; k < motion->scene.point_count; k++) {
        const double *const at = shk_motion_at(motion, &motion->runs[r], i, k);
        if (isfinite(at[0]) && isfinite(at[1]))
          shk_box_extend(&box, &at[0], &at[1], 1);
      }
  return box;
}

/* ---- layers ---- */

static void add_ground(struct shk_figure *figure, struct shk_panel *panel,
                       const struct shk_motion *motion)
{
  const struct shk_scene *const scene = &motion->scene;
  if (scene->curve_count > 0) {
    const int index = shk_figure_block(figure, "what stays: x, y");
    for (int i = 0; i < scene->curve_count; i++) {
      shk_figure_row(figure, &motion->curve[2 * i], 2);
    }
    shk_panel_layer(panel, "index %d using 1:2 with lines linewidth 0.9 linecolor rgb '#909090'",
                    index);
  }
  if (scene->fixed_count > 0) {
    const int index = shk_figure_block(figure, "fixed points: x, y");
    for (int i = 0; i < scene->fixed_count; i++) {
      shk_figure_row(figure, &motion->fixed[2 * i], 2);
    }
    shk_panel_layer(panel,
                    "index %d using 1:2 with points pointtype 5 pointsize 0.3 linecolor rgb "
                    "'#606060'",
                    index);
  }
}

static void add_path(struct shk_figure *figure, struct shk_panel *panel,
                     const struct shk_motion *motion, const struct shk_motion_run *run,
                     const char *name)
{
  const int index =
      shk_figure_block(figure, "%s: time, x, y of the point whose path is drawn", name);
  for (int i = 0; i < run->count; i++) {
    const double *const at = shk_motion_at(motion, run, i, motion->scene.tracer);
    const double row[3] = {run->times[i], at[0], at[1]};
    shk_figure_row(figure, row, 3);
  }
  const char *const colour = shk_method_colour(figure, run->method) + 1;
  if (run->joined)
    shk_panel_layer(panel,
                    "index %d using 2:3 with lines linestyle %d linewidth 0.7 dashtype solid "
                    "linecolor rgb '#80%s'",
                    index, run->method + 1, colour);
  else
    shk_panel_layer(panel,
                    "index %d using 2:3 with points linestyle %d pointtype 7 pointsize 0.12 "
                    "linecolor rgb '#80%s'",
                    index, run->method + 1, colour);
}

/* A block of data: lines as x, y, dx, dy, or dots as x, y, each state separated from the next by a
 * blank line. */
static int write_states(struct shk_figure *figure, const struct shk_motion *motion,
                        const struct shk_motion_run *run, int stills, bool springs, bool dots)
{
  const struct shk_scene *const scene = &motion->scene;
  const int index = shk_figure_block(figure, dots      ? "its points, state by state: x, y"
                                             : springs ? "its springs, state by state: x, y, dx, dy"
                                                       : "its lines, state by state: x, y, dx, dy");
  for (int s = 0; s < stills; s++) {
    /* Where a run stopped is shown once. */
    const bool over = s > 0 && run->times[run->count - 1] < still_time(motion, s - 1, stills);
    const int state = over ? -1 : shk_motion_state(run, still_time(motion, s, stills));
    if (s > 0)
      putc('\n', figure->data);
    fprintf(figure->data, "# t0 + %.6g\n", state >= 0 ? run->times[state] : 0);
    for (int i = 0; state >= 0 && i < (dots ? scene->dot_count : scene->line_count); i++) {
      if (!dots && scene->lines[i].spring != springs)
        continue;
      const double *const a = shk_motion_at(motion, run, state, dots ? i : scene->lines[i].a);
      const double *const b = dots ? a : shk_motion_at(motion, run, state, scene->lines[i].b);
      const double row[4] = {a[0], a[1], b[0] - a[0], b[1] - a[1]};
      shk_print_numbers(figure->data, row, dots ? 2 : 4);
      putc('\n', figure->data);
    }
  }
  return index;
}

/* Lines, springs and dots of a run, the earlier states fainter. */
static void add_states(struct shk_figure *figure, struct shk_panel *panel,
                       const struct shk_motion *motion, const struct shk_motion_run *run,
                       int stills)
{
  bool lines = false, springs = false;
  for (int i = 0; i < motion->scene.line_count; i++) {
    lines = lines || !motion->scene.lines[i].spring;
    springs = springs || motion->scene.lines[i].spring;
  }
  const char *const colour = shk_method_colour(figure, run->method) + 1;
  const double breadth = shk_motion_breadth(motion, run);
  const int line = lines ? write_states(figure, motion, run, stills, false, false) : 0;
  const int spring = springs ? write_states(figure, motion, run, stills, true, false) : 0;
  const int dot = write_states(figure, motion, run, stills, false, true);
  for (int s = 0; s < stills; s++) {
    const int faint = stills > 1 ? (int)(200 * (1 - (s + 1.0) / stills)) : 0;
    if (lines)
      shk_panel_layer(panel,
                      "index %d every :::%d::%d using 1:2:3:4 with vectors nohead linestyle %d "
                      "linewidth %.1f dashtype solid linecolor rgb '#%02x%s'",
                      line, s, s, run->method + 1, 1.4 * breadth, faint, colour);
    if (springs)
      shk_panel_layer(panel,
                      "index %d every :::%d::%d using 1:2:3:4 with vectors nohead linestyle %d "
                      "linewidth %.1f dashtype (3,3) linecolor rgb '#%02x%s'",
                      spring, s, s, run->method + 1, 0.7 * breadth, faint, colour);
    shk_panel_layer(panel,
                    "index %d every :::%d::%d using 1:2 with points linestyle %d pointtype 7 "
                    "pointsize %.2f linecolor rgb '#%02x%s'",
                    dot, s, s, run->method + 1,
                    (motion->scene.dot_count > 60 ? 0.25 : 0.4) * sqrt(breadth), faint, colour);
  }
}

/* ---- the figure ---- */

static void label_axes(struct shk_panel *panel, const struct shk_scene *scene)
{
  if (scene->dimension == 2) {
    panel->x.label = shk_label("{/:Italic x}", "$x$");
    panel->y.label = shk_label("{/:Italic y}", "$y$");
  } else {
    panel->x.label = shk_label_words("across the line of sight");
    panel->y.label = shk_label_words("upwards, projected");
  }
}

/* The directions of the axes, in the lower left corner. */
static void add_axes(struct shk_figure *figure, struct shk_panel *panel,
                     const struct shk_scene *scene)
{
  static const char *const names[] = {"x", "y", "z"};
  const double width = panel->x.high - panel->x.low, length = 0.07 * width;
  const double x = panel->x.low + 0.12 * width,
               y = panel->y.low + 0.12 * (panel->y.high - panel->y.low);
  const int index = shk_figure_block(figure, "directions of the axes: x, y, dx, dy");
  for (int axis = 0; axis < 3; axis++) {
    double unit[3] = {0, 0, 0}, dx, dy;
    unit[axis] = length;
    shk_motion_project(&dx, &dy, scene, unit);
    const double row[4] = {x, y, dx, dy};
    shk_figure_row(figure, row, 4);
    /* As far beyond its end, however short it is seen. */
    const double beyond = 1 + 0.35 * length / fmax(hypot(dx, dy), 0.2 * length);
    shk_panel_mark(panel, x + beyond * dx - 0.01 * width, y + beyond * dy,
                   shk_label_words(names[axis]));
  }
  shk_panel_layer(
      panel, "index %d using 1:2:3:4 with vectors nohead linewidth 0.8 linecolor rgb '#909090'",
      index);
}

static void say_times(struct shk_figure *figure, const struct shk_motion *motion, int stills)
{
  char *text = NULL;
  size_t size;
  FILE *const out = open_memstream(&text, &size);
  if (!out) {
    shk_out_of_memory();
    return;
  }
  fputs(stills > 1 ? "states, light to dark, at t0 + " : "the state at t0 + ", out);
  for (int s = 0; s < stills; s++)
    fprintf(out, "%s%.3g", s > 0 ? ", " : "", still_time(motion, s, stills));
  fputs(motion->time_unit, out);
  fclose(out);
  shk_key_note(figure, text);
  free(text);
  if (motion->scene.dimension == 3) {
    char seen[120];
    snprintf(seen, sizeof seen, "parallel projection, seen from %d° beside and %d° above",
             SHK_MOTION_AZIMUTH, SHK_MOTION_ELEVATION);
    shk_key_note(figure, seen);
  }
}

static struct shk_motion_view view_of(const struct shk_figure *figure,
                                      const struct shk_panel *panel)
{
  const double pixels = 96 / 2.54;
  const struct shk_place place = shk_panel_place(figure, panel);
  const double width = panel->x.high - panel->x.low, height = panel->y.high - panel->y.low;
  return (struct shk_motion_view){.styles = figure->styles,
                                  .left = place.left * pixels,
                                  .top = place.top * pixels,
                                  .width = place.width * pixels,
                                  .height = place.height * pixels,
                                  .x = panel->x.low,
                                  .y = panel->y.high,
                                  .scale_x = place.width * pixels / width,
                                  .scale_y = place.height * pixels / height};
}

bool shk_motion_draw(const struct shk_motion *motion, struct shk_figure *figure,
                     const char *directory, const char *const *types, struct shk_message *error)
{
  const int stills = stills_of(motion);
  char *const name = shk_copy_text(figure->name);
  struct shk_panel *const panel = shk_figure_panel(figure, 0, 0);
  shk_panel_ranges(figure, panel, box_of(motion), true);
  label_axes(panel, &motion->scene);
  add_ground(figure, panel, motion);
  if (motion->scene.dimension == 3)
    add_axes(figure, panel, &motion->scene);
  const int first = panel->layer_count + 1;
  for (int r = 0; r < motion->run_count; r++) {
    const struct shk_motion_run *const run = &motion->runs[r];
    add_path(figure, panel, motion, run,
             figure->method_names ? figure->method_names[run->method] : "the run");
  }
  for (int r = 0; r < motion->run_count; r++)
    add_states(figure, panel, motion, &motion->runs[r], stills);
  say_times(figure, motion, stills);
  struct shk_motion_view view = view_of(figure, panel);
  view.still_first = first;
  view.still_last = panel->layer_count;
  bool ok = shk_figure_finish(figure, directory, types, error);
  for (int i = 0; ok && types[i]; i++)
    if (strcmp(types[i], "svg") == 0)
      ok = shk_motion_animate(motion, &view, name, directory, error);
  free(name);
  return ok;
}
