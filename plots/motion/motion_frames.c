/*
 * The frames of a motion, put into the SVG of its still.
 *
 * A frame is a group of its own that is made visible for its time by a CSS animation: discrete, so
 * that nothing is shown that was not computed. On paper, where the reader wishes for less motion
 * (prefers-reduced-motion), and in programs that know no animation, frames stay hidden and the
 * still is seen. Pointing at the picture, or moving the keyboard's focus to it, stops it. There is
 * no script, and every class and id begins with the figure's name, as pages hold several.
 *
 * Each state is shown from its own time until that of the next, the whole run in 5 to 20 seconds
 * and the last state for one more.
 */
#include "foundation/files/file.h"
#include "foundation/memory.h"
#include "plots/motion/motion.h"
#include "results/export/export.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HOLD = 1000, TAIL = 24 }; /* milliseconds; states */

/* Places are printed in tenths of a pixel. */
static long tenths(double at, double from, double scale)
{
  return lround(10 * (at - from) * scale);
}

struct spot {
  long x, y;
};

static bool spot_of(struct spot *spot, const struct shk_motion_view *view, const double *at)
{
  /* Far outside it is clipped away, and a number must fit its type. */
  const double reach = 100 * fmax(view->width, view->height);
  const double x = (at[0] - view->x) * view->scale_x, y = (view->y - at[1]) * view->scale_y;
  if (!(fabs(x) < reach && fabs(y) < reach))
    return false;
  *spot =
      (struct spot){tenths(at[0], view->x, view->scale_x), tenths(view->y, at[1], view->scale_y)};
  return true;
}

static void print_lines(FILE *out, const struct shk_motion *motion,
                        const struct shk_motion_view *view, const struct shk_motion_run *run,
                        int state, bool springs)
{
  bool any = false;
  for (int i = 0; i < motion->scene.line_count; i++) {
    const struct shk_scene_line *const line = &motion->scene.lines[i];
    struct spot a, b;
    if (line->spring != springs || !spot_of(&a, view, shk_motion_at(motion, run, state, line->a)) ||
        !spot_of(&b, view, shk_motion_at(motion, run, state, line->b)))
      continue;
    const int width = springs ? 9 : motion->scene.line_count > 60 ? 10 : 20;
    if (!any)
      fprintf(out, "<path stroke-width=\"%ld\"%s d=\"",
              lround(width * shk_motion_breadth(motion, run)),
              springs ? " stroke-dasharray=\"30\"" : "");
    fprintf(out, "M%ld %ldl%ld %ld", a.x, a.y, b.x - a.x, b.y - a.y);
    any = true;
  }
  fputs(any ? "\"/>" : "", out);
}

/* A dot is a line of no length with round ends. */
static void print_dots(FILE *out, const struct shk_motion *motion,
                       const struct shk_motion_view *view, const struct shk_motion_run *run,
                       int state)
{
  bool any = false;
  for (int i = 0; i < motion->scene.dot_count; i++) {
    struct spot at;
    if (!spot_of(&at, view, shk_motion_at(motion, run, state, i)))
      continue;
    if (!any)
      fprintf(
          out, "<path stroke-width=\"%ld\" d=\"",
          lround((motion->scene.dot_count > 60 ? 30 : 50) * sqrt(shk_motion_breadth(motion, run))));
    fprintf(out, "M%ld %ldh0", at.x, at.y);
    any = true;
  }
  fputs(any ? "\"/>" : "", out);
}

/* Where the tracer was in the last states: a line where they follow each other closely. */
static void print_tail(FILE *out, const struct shk_motion *motion,
                       const struct shk_motion_view *view, const struct shk_motion_run *run,
                       int state)
{
  bool begun = false, line = false;
  for (int i = state > TAIL ? state - TAIL : 0; i <= state; i++) {
    struct spot at;
    if (!spot_of(&at, view, shk_motion_at(motion, run, i, motion->scene.tracer))) {
      line = false;
      continue;
    }
    if (!begun)
      fprintf(out, "<path stroke-width=\"%d\" opacity=\".6\" d=\"", run->joined ? 8 : 18);
    fprintf(out,
            line && run->joined ? "L%ld %ld"
            : run->joined       ? "M%ld %ld"
                                : "M%ld %ldh0",
            at.x, at.y);
    begun = line = true;
  }
  fputs(begun ? "\"/>" : "", out);
}

static void print_run(FILE *out, const struct shk_motion *motion,
                      const struct shk_motion_view *view, const struct shk_motion_run *run,
                      double time)
{
  const int state = shk_motion_state(run, time);
  if (state < 0)
    return;
  const bool over = !run->finished && state == run->count - 1 && time > run->times[state];
  fprintf(out, "<g class=\"method method-%d\" stroke=\"%s\"%s>", run->method + 1,
          shk_style_colour(view->styles ? view->styles[run->method] : run->method),
          over ? " opacity=\".35\"" : "");
  print_tail(out, motion, view, run, state);
  print_lines(out, motion, view, run, state, false);
  print_lines(out, motion, view, run, state, true);
  print_dots(out, motion, view, run, state);
  fputs("</g>", out);
}

/* ---- time ---- */

struct clock {
  double first, span; /* of the run */
  int playing;        /* milliseconds of the run; the hold comes after */
  int decimals;       /* of the times that are shown */
};

static struct clock clock_of(const struct shk_motion *motion)
{
  const double last = motion->frames[motion->frame_count - 1];
  struct clock clock = {.first = motion->frames[0], .span = last - motion->frames[0]};
  clock.playing = (int)fmin(fmax(50.0 * motion->frame_count, 5000), 20000);
  const double mean = clock.span / (motion->frame_count - 1);
  clock.decimals = (int)fmin(fmax(ceil(-log10(mean)), 0), 9);
  return clock;
}

/* When a frame begins, in milliseconds; the one after the last: the end. */
static int begins(const struct shk_motion *motion, const struct clock *clock, int frame)
{
  if (frame >= motion->frame_count)
    return clock->playing + HOLD;
  return (int)lround(clock->playing * (motion->frames[frame] - clock->first) / clock->span);
}

static int ascending(const void *a, const void *b)
{
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static void print_style(FILE *out, const struct shk_motion *motion,
                        const struct shk_motion_view *view, const struct clock *clock,
                        const char *name)
{
  const int total = clock->playing + HOLD;
  int *const lengths = shk_allocate((size_t)motion->frame_count, sizeof *lengths);
  for (int i = 0; i < motion->frame_count; i++)
    lengths[i] = begins(motion, clock, i + 1) - begins(motion, clock, i);
  qsort(lengths, (size_t)motion->frame_count, sizeof *lengths, ascending);
  fputs("<style>\n@media screen and (prefers-reduced-motion:no-preference){\n", out);
  for (int i = view->still_first; i <= view->still_last; i++)
    fprintf(out, "%s#%s-curve-%da", i > view->still_first ? "," : "", name, i);
  fprintf(out, "{visibility:hidden}\n.%s-frame{animation:%d.%03ds step-end infinite}\n", name,
          total / 1000, total % 1000);
  for (int i = 0; i < motion->frame_count; i++) {
    if (i > 0 && lengths[i] == lengths[i - 1])
      continue;
    fprintf(out, ".%s-of-%d{animation-name:%s-for-%d}\n", name, lengths[i], name, lengths[i]);
  }
  for (int i = 0; i < motion->frame_count; i++) {
    const int begin = begins(motion, clock, i), wait = begin > 0 ? total - begin : 0;
    fprintf(out, ".%s-%d{animation-delay:-%d.%03ds}\n", name, i, wait / 1000, wait % 1000);
  }
  fprintf(out,
          "#%s-motion:hover .%s-frame,#%s-motion:focus .%s-frame{animation-play-state:paused}\n}\n",
          name, name, name, name);
  for (int i = 0; i < motion->frame_count; i++)
    if (i == 0 || lengths[i] != lengths[i - 1])
      fprintf(out, "@keyframes %s-for-%d{0%%{visibility:visible}%.4f%%,100%%{visibility:hidden}}\n",
              name, lengths[i], 100.0 * lengths[i] / total);
  fputs("</style>\n", out);
  free(lengths);
}

static void print_frames(FILE *out, const struct shk_motion *motion,
                         const struct shk_motion_view *view, const struct clock *clock,
                         const char *name)
{
  fprintf(out,
          "<g id=\"%s-motion\" tabindex=\"0\" role=\"img\" aria-label=\"motion, %d states in %.0f "
          "seconds; it stops while it has the focus\">\n",
          name, motion->frame_count, clock->playing / 1000.0);
  fprintf(out,
          "<clipPath id=\"%s-window\"><rect width=\"%.2f\" height=\"%.2f\"/></clipPath>\n"
          "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"none\" "
          "pointer-events=\"all\"/>\n",
          name, view->width, view->height, view->left, view->top, view->width, view->height);
  fprintf(out,
          "<g transform=\"translate(%.2f %.2f)\" clip-path=\"url(#%s-window)\" fill=\"none\" "
          "font-family=\"Helvetica,Arial,sans-serif\" font-size=\"10.67\" "
          "stroke-linecap=\"round\" pointer-events=\"none\">\n",
          view->left, view->top, name);
  for (int i = 0; i < motion->frame_count; i++) {
    const double time = motion->frames[i];
    fprintf(
        out,
        "<g class=\"%s-frame %s-of-%d %s-%d\" visibility=\"hidden\"><g transform=\"scale(.1)\">",
        name, name, begins(motion, clock, i + 1) - begins(motion, clock, i), name, i);
    for (int r = 0; r < motion->run_count; r++)
      print_run(out, motion, view, &motion->runs[r], time);
    fprintf(out,
            "</g><text x=\"9\" y=\"15\" fill=\"#000\" stroke=\"#fff\" stroke-width=\"3\" "
            "paint-order=\"stroke\">t0 + %.*f%s</text></g>\n",
            clock->decimals, time, motion->time_unit);
  }
  fputs("</g></g>\n", out);
}

bool shk_motion_animate(const struct shk_motion *motion, const struct shk_motion_view *view,
                        const char *name, const char *directory, struct shk_message *error)
{
  static const char end[] = "</svg>";
  char *const file = shk_print_text("%s.svg", name);
  char *const path = shk_print_text("%s/%s", directory, file);
  size_t length, size = 0;
  char *const still = shk_read_file(path, 1 << 26, "figure", &length, error), *text = NULL;
  char *last = NULL;
  for (char *at = still; at && (at = strstr(at, end)) != NULL; at++)
    last = at;
  FILE *const out = last ? open_memstream(&text, &size) : NULL;
  bool ok = out != NULL;
  if (still && !last)
    shk_message_set(error, "%s does not end as an SVG does", path);
  else if (!ok && still)
    shk_out_of_memory();
  if (ok) {
    const struct clock clock = clock_of(motion);
    fwrite(still, 1, (size_t)(last - still), out);
    print_style(out, motion, view, &clock, name);
    print_frames(out, motion, view, &clock, name);
    fputs(last, out);
    ok = fclose(out) == 0 && shk_write_text(directory, file, text, size, error);
  }
  free(text);
  free(still);
  free(path);
  free(file);
  return ok;
}
