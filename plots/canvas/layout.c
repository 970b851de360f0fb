/*
 * Layout of a figure: the page dimensions, the axis ranges, and positions for legends and for the
 * labels of grey lines where they do not overlap any curve. A legend inside a panel is placed in
 * the nearest free corner. If no corner is free, the axis is lengthened, by at most half, until one
 * is. All lengths are in cm. Positions in a panel are fractions of its size.
 */
#include "plots/canvas/chart.h"
#include "results/export/export.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The sizes of 7-point and 8-point type. For 7-point text: the width of a letter, the height of a
 * line, the length of a legend sample, and the height of a strip at the bottom of a panel. */
static const double SMALL = 0.247, NORMAL = 0.282, LETTER = 0.127, LINE = 0.31, SAMPLE = 0.85,
                    STRIP = 0.46;

static double length_of(const char *text)
{
  return SMALL * shk_text_width(text);
}

/* Returns the width of a panel. */
static double box_of(const struct shk_chart *chart, const struct shk_page *page)
{
  return (chart->width - page->left - page->right - (page->across - 1) * page->between) /
         page->across;
}

/* ---- ranges ---- */

static double unit_of(const struct shk_axis *axis, double value)
{
  return axis->log ? log10(value) : value;
}

/* Returns the position of a value on an axis: 0 at the beginning of its range, 1 at the end. */
static double place_of(const struct shk_axis *axis, double value)
{
  const double from = unit_of(axis, axis->from), to = unit_of(axis, axis->to);
  return (unit_of(axis, value) - from) / (to - from);
}

static double value_at(const struct shk_axis *axis, double place)
{
  const double from = unit_of(axis, axis->from), to = unit_of(axis, axis->to),
               unit = from + place * (to - from);
  return axis->log ? pow(10, unit) : unit;
}

/* Moves the ends of an axis to the given positions on that axis. */
static void stretch(struct shk_axis *axis, double from, double to)
{
  const double begin = value_at(axis, from), end = value_at(axis, to);
  axis->from = begin;
  axis->to = end;
}

/* Extends a logarithmic axis by at most 0.4 decades at an end, so that it includes two powers of
 * ten. */
static void reach_powers(struct shk_axis *axis, bool from, bool to)
{
  const double low = log10(axis->from), high = log10(axis->to), below = low - ceil(low - 1),
               above = floor(high + 1) - high;
  if (floor(high) - ceil(low) >= 1)
    return;
  if (from && below <= 0.4 && !(to && above < below))
    axis->from = pow(10, low - below) * (1 - 1e-9);
  else if (to && above <= 0.4)
    axis->to = pow(10, high + above) * (1 + 1e-9);
}

/* Replaces the ends of an axis that are NaN with values determined from the points, leaving some
 * room for marks. */
static void complete(struct shk_axis *axis, const struct shk_panel *panel, bool vertical)
{
  enum { SMALLEST = -300 };
  if (axis->fixed)
    return;
  double least = INFINITY, largest = -INFINITY;
  const bool no_from = isnan(axis->from), no_to = isnan(axis->to);
  for (int i = 0; i < panel->point_count; i++) {
    const double value = vertical ? panel->points[i].y : panel->points[i].x;
    if (isfinite(value) && !panel->points[i].outside && (!axis->log || value > 0)) {
      least = fmin(least, unit_of(axis, value));
      largest = fmax(largest, unit_of(axis, value));
    }
  }
  if (!(largest >= least))
    least = largest = axis->log ? 0 : 0.5;
  const double width = largest - least, some = axis->log ? 0.4 : fmax(0.1 * fabs(largest), 1e-30),
               room = fmax((vertical ? 0.06 : 0.045) * width, width > 0.2 * some ? 0 : some);
  least =
      fmax(no_from ? least - room : unit_of(axis, axis->from), axis->log ? SMALLEST : least - room);
  largest += room;
  axis->from = no_from ? (axis->log ? pow(10, least) : least) : axis->from;
  axis->to = no_to ? (axis->log ? pow(10, largest) : largest) : axis->to;
  /* If a logarithmic axis would have too few tics, lengthen it or make it linear. */
  if (axis->log && vertical && axis->to < 4 * axis->from && no_from && no_to)
    stretch(axis, -0.3, 1.3);
  if (axis->log && vertical)
    reach_powers(axis, no_from, no_to);
  axis->log = axis->log && (vertical || axis->to > 2.5 * axis->from);
  if (!(axis->to > axis->from))
    axis->to = axis->log ? 10 * axis->from : axis->from + 1;
}

/* Makes the scales of both axes equal in a panel of the given size by lengthening the range of one
 * axis. */
static void equalize(struct shk_panel *panel, double width, double height)
{
  const double x = (panel->x.to - panel->x.from) / width,
               y = (panel->y.to - panel->y.from) / height, more = fmax(x, y) / fmin(x, y) - 1;
  stretch(x < y ? &panel->x : &panel->y, -more / 2, 1 + more / 2);
}

static bool same_axis(const struct shk_panel *a, const struct shk_panel *b, bool vertical)
{
  const char *const name = vertical ? "ylabel" : "xlabel";
  const struct shk_axis *const of_a = vertical ? &a->y : &a->x, *const of_b =
                                                                    vertical ? &b->y : &b->x;
  return a->kind == b->kind && of_a->log == of_b->log && !a->equal &&
         shk_same_text(shk_panel_setting(a, name), shk_panel_setting(b, name));
}

/* Returns true if the panels of each row (for vertical axes) or column can share an axis. Gives
 * these panels a common range. */
static bool share(struct shk_chart *chart, const struct shk_page *page, bool vertical)
{
  const int lines = vertical ? page->down : page->across;
  bool shared = (vertical ? page->across : page->down) > 1;
  for (int pass = 0; shared && pass < 2; pass++)
    for (int line = 0; line < lines; line++) {
      struct shk_axis whole = {.from = INFINITY, .to = -INFINITY};
      const struct shk_panel *first = NULL;
      for (int turn = 0; turn < 2; turn++)
        for (int k = 0; k < chart->panel_count; k++) {
          struct shk_panel *const panel = &chart->panels[k];
          struct shk_axis *const axis = vertical ? &panel->y : &panel->x;
          if (!panel->template || (vertical ? k / page->across : k % page->across) != line)
            continue;
          first = first ? first : panel;
          shared = shared && same_axis(first, panel, vertical);
          whole.from = fmin(whole.from, axis->from);
          whole.to = fmax(whole.to, axis->to);
          if (pass == 1 && turn == 1) {
            axis->from = whole.from;
            axis->to = whole.to;
          }
        }
    }
  return shared;
}

/* Returns the position of a tag's end, which can be infinite. */
static double tag_place(const struct shk_axis *axis, double value)
{
  return place_of(axis, shk_tag_end(axis, value));
}

/* ---- free places ---- */

struct place {
  double left, right, bottom, top;
};

/* Returns true if the line segment from (x, y) to (u, v) intersects the rectangle. */
static bool meets(const struct place *place, double x, double y, double u, double v)
{
  const double from[] = {x, y}, by[] = {u - x, v - y}, low[] = {place->left, place->bottom},
               high[] = {place->right, place->top};
  double begin = 0, end = 1;
  for (int i = 0; i < 2; i++) {
    if (by[i] == 0 && (from[i] < low[i] || from[i] > high[i]))
      return false;
    const double a = (low[i] - from[i]) / by[i], b = (high[i] - from[i]) / by[i];
    begin = by[i] == 0 ? begin : fmax(begin, fmin(a, b));
    end = by[i] == 0 ? end : fmin(end, fmax(a, b));
  }
  return begin <= end;
}

/* Returns true if no curve or grey line of the panel crosses the rectangle, and if none of the
 * first `tags` labels overlaps it. */
static bool is_free(const struct shk_panel *panel, const struct place *place, int tags)
{
  for (int i = 0; i < panel->point_count; i++) {
    const struct shk_outline *const to = &panel->points[i],
                                    *from = i > 0 ? &panel->points[i - 1] : to;
    if (!isfinite(to->x) || !isfinite(to->y))
      continue;
    from = isfinite(from->x) && isfinite(from->y) && from->method == to->method ? from : to;
    if (meets(place, place_of(&panel->x, from->x), place_of(&panel->y, from->y),
              place_of(&panel->x, to->x), place_of(&panel->y, to->y)))
      return false;
  }
  for (int i = 0; i < panel->tag_count; i++) {
    const struct shk_tag *const tag = &panel->tags[i];
    const double x[] = {tag_place(&panel->x, tag->x[0]), tag_place(&panel->x, tag->x[1])},
                 y[] = {tag_place(&panel->y, tag->y[0]), tag_place(&panel->y, tag->y[1])};
    const double at_x = place_of(&panel->x, tag->label_x), at_y = place_of(&panel->y, tag->label_y);
    if (meets(place, x[0], y[0], x[1], y[1]) ||
        (i < tags && tag->labelled && place->left < at_x + tag->half_x &&
         place->right > at_x - tag->half_x && place->bottom < at_y + tag->half_y &&
         place->top > at_y - tag->half_y))
      return false;
  }
  return true;
}

static bool is_point(const struct shk_tag *tag)
{
  return tag->x[0] == tag->x[1] && tag->y[0] == tag->y[1];
}

/* Places the label of each grey line in free space next to it. If the line is just a point, the
 * label contains one line per tag at that point, and all directions around the point are tried. */
static void place_tags(struct shk_panel *panel, double width, double height)
{
  for (int i = 0, lines; i < panel->tag_count; i += lines) {
    struct shk_tag *const tag = &panel->tags[i];
    const bool point = is_point(tag);
    double half_x = 0.2 / width;
    for (lines = 0; i + lines < panel->tag_count; lines++) {
      const struct shk_tag *const next = &panel->tags[i + lines];
      if (lines > 0 &&
          !(point && is_point(next) && next->x[0] == tag->x[0] && next->y[0] == tag->y[0]))
        break;
      half_x = fmax(half_x, length_of(next->plain) / 2 / width);
    }
    const double half_y = (LINE * (lines - 1) / 2 + 0.16) / height;
    bool found = false;
    for (int k = 0; k < 16 && !found; k++) {
      const double t = (k / 2) / 7.0, side = k % 2 == 0 ? -1 : 1, turn = k * acos(-1) / 4,
                   far = k < 8 ? 0.17 : 0.26;
      const double away_x = point ? cos(turn) * (half_x + far / width) : -side * 1.2 * half_x,
                   away_y = point ? sin(turn) * (half_y + far / height) : side * 1.3 * half_y;
      const double x = (1 - t) * tag_place(&panel->x, tag->x[0]) +
                       t * tag_place(&panel->x, tag->x[1]) + away_x,
                   y = (1 - t) * tag_place(&panel->y, tag->y[0]) +
                       t * tag_place(&panel->y, tag->y[1]) + away_y;
      const double mark_x = point ? 0.1 / width : 0, mark_y = point ? 0.1 / height : 0;
      const struct place box = {x - half_x - mark_x, x + half_x + mark_x, y - half_y - mark_y,
                                y + half_y + mark_y};
      found = box.left > 0.02 && box.right < 0.98 &&
              box.bottom > (panel->strip ? STRIP / height : 0.02) && box.top < 0.98 &&
              is_free(panel, &box, i);
      for (int line = 0; line < lines && (found || k == 0); line++) {
        tag[line].labelled = found;
        tag[line].half_x = half_x;
        tag[line].half_y = 0.16 / height;
        tag[line].label_x = value_at(&panel->x, x);
        tag[line].label_y = value_at(&panel->y, y + ((lines - 1) / 2.0 - line) * LINE / height);
      }
    }
  }
}

/* Finds room in a corner, or in the middle of a side, for a legend with `count` entries of width
 * `entry`. `side` limits the search to the top (1) or the bottom (2); 0 allows any position. */
static bool place_legend(struct shk_panel *panel, int count, double entry, double width,
                         double height, int side)
{
  const int remark = shk_panel_setting(panel, "remark") != NULL; /* a line at the bottom */
  const double strip = panel->strip ? STRIP / height : 0;
  for (int columns = 1; columns <= 3 && columns * entry + 0.25 < width; columns++) {
    const double x = fmin((columns * entry + 0.25) / width, 1),
                 y = (((count + columns - 1) / columns + remark) * LINE + 0.25) / height;
    for (int c = 0; c < 6 && y < 0.95; c++) {
      const bool right = c == 1 || c == 2 || c == 5, top = c < 2, bottom = c == 2 || c == 3;
      const struct place place = {right ? 1 - x : 0, right ? 1 : x,
                                  top      ? 1 - y
                                  : bottom ? strip
                                           : (1 - y) / 2,
                                  top      ? 1
                                  : bottom ? strip + y
                                           : (1 + y) / 2};
      if ((top && (panel->exits > 0 || side == 2)) || (bottom && side == 1) ||
          !is_free(panel, &place, panel->tag_count))
        continue;
      panel->keyed = true;
      panel->key_x = place.left + 0.15 / width;
      panel->key_y = place.top - 0.12 / height;
      panel->entry = entry;
      panel->columns = columns;
      return true;
    }
  }
  return false;
}

/* ---- legends in panels ---- */

/* Returns the width of an entry in a panel legend, which consists of a sample, the name (unless
 * `words_only`), and the text after the name. */
static double entry_of(const struct shk_chart *chart, const struct shk_panel *panel,
                       bool words_only)
{
  double longest = 0;
  for (int i = 0; i < panel->method_count; i++) {
    const char *const name = chart->methods[panel->methods[i].method].name;
    longest =
        fmax(longest, (words_only ? 0 : length_of(name)) + length_of(panel->methods[i].words));
  }
  return longest + SAMPLE;
}

/* Returns the number of entries in a panel legend. */
static int entries_of(const struct shk_chart *chart, const struct shk_panel *panel, bool words_only)
{
  int count = 0;
  for (int i = 0; i < panel->method_count; i++)
    count += words_only ? panel->methods[i].words[0] != '\0'
                        : shk_chart_is_seen(chart, panel->methods[i].method);
  return count;
}

static bool has_words(const struct shk_panel *panel)
{
  bool any = false;
  for (int i = 0; i < panel->method_count; i++)
    any = any || panel->methods[i].words[0];
  return any;
}

static bool any_words(const struct shk_chart *chart)
{
  bool any = false;
  for (int k = 0; k < chart->panel_count; k++)
    any = any || has_words(&chart->panels[k]);
  return any;
}

/* Returns the largest x coordinate of a method's points in a panel, or -INFINITY if the method has
 * no points. */
static double end_of(const struct shk_panel *panel, int method)
{
  double end = -INFINITY;
  for (int k = 0; k < panel->point_count; k++)
    if (panel->points[k].method == method && isfinite(panel->points[k].x))
      end = fmax(end, panel->points[k].x);
  return end;
}

/* Returns true if all curves with text after their names end at nearly the same x position. */
static bool end_together(const struct shk_panel *panel)
{
  double least = 1, largest = 0;
  for (int i = 0; i < panel->method_count; i++) {
    const double end = end_of(panel, panel->methods[i].method);
    if (!panel->methods[i].words[0] || !isfinite(end))
      continue;
    least = fmin(least, place_of(&panel->x, end));
    largest = fmax(largest, place_of(&panel->x, end));
  }
  return largest - least < 0.1;
}

/* Returns the width needed at the ends of the curves for the texts after names, if panels are
 * placed side by side. Returns 0 if there are no such texts, if they are too long, if the curves do
 * not end at nearly the same position, or if the user has set the axis. */
static double beside_of(const struct shk_chart *chart, const struct shk_page *page)
{
  static const double most = 1.6;
  double longest = 0;
  for (int k = 0; k < chart->panel_count; k++)
    for (int i = 0; i < chart->panels[k].method_count; i++)
      longest = fmax(longest, length_of(chart->panels[k].methods[i].words) - length_of(", "));
  bool fixed = false;
  for (int k = 0; k < chart->panel_count; k++)
    fixed = fixed || chart->panels[k].x.fixed || !end_together(&chart->panels[k]);
  return page->across > 1 && chart->width > 12 && longest < most && !fixed ? longest : 0;
}

/* Returns true if the last panel of each row contains all methods of that row. The names can then
 * be placed at the ends of its curves. */
static bool names_fit_ends(const struct shk_chart *chart, const struct shk_page *page)
{
  bool fit = true;
  for (int k = 0; k < chart->panel_count; k++) {
    const int end = (k / page->across + 1) * page->across;
    const struct shk_panel *const
        panel = &chart->panels[k],
        *const last = &chart->panels[(end < chart->panel_count ? end : chart->panel_count) - 1];
    for (int i = 0; i < panel->method_count; i++) {
      bool has = false;
      for (int j = 0; j < last->method_count; j++)
        has = has || last->methods[j].method == panel->methods[i].method;
      fit = fit && has;
    }
  }
  return fit;
}

/* Finds positions for the `wanted` legends (1 for names, 2 for words only) of the panels from
 * `begin` up to, but not including, `end`. These panels share the vertical axis. If necessary, the
 * axis range is extended at the top or the bottom, by at most `most` steps of 4 % of the panel. */
static bool place_row(struct shk_chart *chart, int begin, int end, const int *wanted, double width,
                      double height, int most)
{
  struct shk_axis *const base = shk_allocate((size_t)chart->panel_count, sizeof *base);
  bool found = false;
  for (int k = begin; k < end; k++)
    base[k] = chart->panels[k].y;
  for (int trial = 0; trial < 2 * most + 2 && !found; trial++) {
    const double more = 0.04 * (trial / 2) / (1 - 0.04 * (trial / 2));
    const int side = trial < 2 ? 0 : 1 + trial % 2;
    found = true;
    for (int k = begin; k < end; k++) {
      struct shk_panel *const panel = &chart->panels[k];
      panel->y = base[k];
      if (trial > 1 && !panel->y.fixed)
        stretch(&panel->y, side == 2 ? -more : 0, side == 1 ? 1 + more : 1);
      if (panel->equal)
        equalize(panel, width, height);
      place_tags(panel, width, height);
      found = found && (wanted[k] == 0 ||
                        place_legend(panel, entries_of(chart, panel, wanted[k] == 2),
                                     entry_of(chart, panel, wanted[k] == 2), width, height, side));
    }
  }
  for (int k = begin; k < end && !found; k++) {
    chart->panels[k].y = base[k];
    if (chart->panels[k].equal)
      equalize(&chart->panels[k], width, height);
    chart->panels[k].keyed = false;
    place_tags(&chart->panels[k], width, height);
  }
  free(base);
  return found;
}

/* Returns true if the panel has a method that does not appear in any panel with texts after
 * names. */
static bool has_unnamed(const struct shk_chart *chart, const struct shk_panel *panel)
{
  bool any = false;
  for (int i = 0; i < panel->method_count; i++) {
    bool named = false;
    for (int k = 0; k < chart->panel_count; k++)
      for (int j = 0; j < chart->panels[k].method_count && has_words(&chart->panels[k]); j++)
        named = named || chart->panels[k].methods[j].method == panel->methods[i].method;
    any = any || !named;
  }
  return any;
}

/* Returns true if the panel has a curve for every method that is drawn in at least one panel. */
static bool shows_all(const struct shk_chart *chart, const struct shk_panel *panel)
{
  bool all = panel->template;
  for (int m = 0; m < chart->method_count && all; m++) {
    all = !shk_chart_is_seen(chart, m);
    for (int i = 0; i < panel->method_count && !all; i++)
      all = panel->methods[i].method == m && !panel->methods[i].unseen;
  }
  return all;
}

/* Determines which legend each panel needs: 1 for names, 2 for only the texts after names, 0 for
 * none. If the figure has several panels and such texts, this depends on the page's `keys`.
 * Otherwise, panel `chosen` shows the names if `names` is true. Returns false if the names are
 * needed but no panel can show them. */
static bool want_legends(struct shk_chart *chart, const struct shk_page *page, bool names,
                         int chosen, int *wanted)
{
  const bool each = any_words(chart) && chart->panel_count > 1 && page->beside == 0;
  bool any = false, complete = false;
  for (int k = 0; k < chart->panel_count; k++)
    complete = complete || shows_all(chart, &chart->panels[k]);
  for (int k = 0; k < chart->panel_count; k++) {
    struct shk_panel *const panel = &chart->panels[k];
    const bool whole = panel->template && panel->method_count == chart->method_count &&
                       (!complete || shows_all(chart, panel));
    if (!each)
      wanted[k] = names && k == chosen && whole;
    else if (page->keys == SHK_KEYS_NAMED)
      wanted[k] = has_words(panel) || has_unnamed(chart, panel);
    else
      wanted[k] = has_words(panel) ? 2 : page->keys == SHK_KEYS_SPLIT && whole && !any;
    any = any || wanted[k] == 1;
    panel->keyed = false;
    panel->words_only = wanted[k] == 2;
  }
  return any || !names;
}

/* Finds positions for all panel legends, extending each axis by at most `most` steps. */
static bool place_all(struct shk_chart *chart, const struct shk_page *page, bool names, int most)
{
  const double width = box_of(chart, page);
  int *const wanted = shk_allocate((size_t)chart->panel_count + 1, sizeof *wanted);
  bool ok = false;
  for (int chosen = 0; chosen < (names ? chart->panel_count : 1) && !ok; chosen++) {
    ok = want_legends(chart, page, names, chosen, wanted);
    for (int k = 0, end; k < chart->panel_count; k = end) {
      end = page->shared_y && k + page->across < chart->panel_count ? k + page->across
            : page->shared_y                                        ? chart->panel_count
                                                                    : k + 1;
      ok = place_row(chart, k, end, wanted, width, page->tall, ok ? most : 0) && ok;
    }
  }
  free(wanted);
  return ok;
}

/* ---- the page ---- */

/* Returns the width of the longest entry in the page legend. */
static double longest_entry(const struct shk_chart *chart)
{
  double longest = 0;
  for (int m = 0; m < chart->method_count; m++)
    longest =
        fmax(longest, length_of(chart->methods[m].name) + length_of(chart->methods[m].beside));
  return longest + SAMPLE;
}

/* Returns the left margin. It is wider if tic labels are decimal numbers, or numbers such as 2 ×
 * 10⁻⁵, which appear on axes that span few decades far from 1. */
static double left_of_panel(const struct shk_panel *panel)
{
  const struct shk_axis *const y = &panel->y;
  const bool few =
      y->log && (log10(y->to / y->from) < 1.3 || floor(log10(y->to)) <= ceil(log10(y->from)));
  const bool far = few && (y->to < 1e-3 || y->from > 1e4);
  return far ? 1.5 : !y->log ? 1.28 : 1.16;
}

static double left_of(const struct shk_chart *chart)
{
  double left = 1.16;
  for (int k = 0; k < chart->panel_count; k++)
    left = fmax(left, left_of_panel(&chart->panels[k]));
  return left;
}

/* Returns the number of lines in a legend below the panels, which key.gp fills one after
 * another. */
static int lines_below(const struct shk_chart *chart, double left)
{
  int lines = 1;
  double used = left;
  for (int m = 0; m < chart->method_count; m++) {
    if (!shk_chart_is_seen(chart, m))
      continue;
    const double entry =
        length_of(chart->methods[m].name) + length_of(chart->methods[m].beside) + SAMPLE + 0.25;
    lines += used > left && used + entry > chart->width;
    used = (used > left && used + entry > chart->width ? left : used) + entry;
  }
  return lines;
}

/* Sets the margins, and makes the panels high enough to cover a sufficient part of the page. */
static void set_lengths(const struct shk_chart *chart, struct shk_page *page)
{
  static const double covered = 0.7, highest = 6.5;
  page->left = chart->left > 0 ? chart->left : left_of(chart);
  page->top = chart->top > 0 ? chart->top : 0.4;
  page->right = 0.28;
  page->below = chart->left > 0 ? 0.1 : 0.82;
  page->between = page->shared_y ? 0.3 : fmax(page->left, 1.16) + 0.04;
  page->gap =
      (page->shared_x ? 0.15 : 0.8) + (page->problems || page->parts || page->lettered ? 0.27 : 0);
  if (page->shared_x && chart->panel_count > 0) {
    const char *const broken = shk_panel_setting(&chart->panels[0], "broken");
    page->gap += broken && strcmp(broken, "0") != 0 ? 0.12 : 0; /* a break extends below its axis */
  }
  page->foot = 0;
  if (page->legend == SHK_LEGEND_RIGHT || page->legend == SHK_LEGEND_AT_ENDS)
    page->right = longest_entry(chart) - (page->legend == SHK_LEGEND_AT_ENDS ? 0.48 : 0) + 0.1;
  if (page->legend == SHK_LEGEND_BELOW)
    page->foot = LINE * lines_below(chart, page->left) + 0.08;
  const double width = box_of(chart, page),
               rest = page->top + page->below + page->foot + (page->down - 1) * page->gap,
               share = covered * chart->width / (page->across * width);
  const double enough = share < 0.95 ? share * rest / (1 - share) / page->down : width;
  if (chart->tall > 0)
    page->tall = chart->tall;
  else if (chart->panel_count == 1)
    page->tall = chart->width > 11                  ? 0.36 * width
                 : page->legend == SHK_LEGEND_BELOW ? fmin(enough, highest - rest)
                                                    : fmin(0.6 * width, highest - rest);
  else if (page->across == 1)
    page->tall = fmin(fmax(enough, 2.3), page->down == 2 ? 3.7 : 2.6);
  else
    page->tall = fmin(fmax(enough, 0.7 * width), 1.35 * width);
  if (page->down > 1 && chart->tall == 0) /* the height is at most two thirds of a page */
    page->tall = fmax(fmin(page->tall, (15.8 - rest) / page->down), 1.6);
}

/* Determines the height of panels with equal scales from their contents, within limits. */
static void set_equal_scales(struct shk_chart *chart, struct shk_page *page)
{
  const double width = box_of(chart, page);
  double ratio = 0;
  for (int k = 0; k < chart->panel_count; k++)
    if (chart->panels[k].equal)
      ratio = fmax(ratio, (chart->panels[k].y.to - chart->panels[k].y.from) /
                              (chart->panels[k].x.to - chart->panels[k].x.from));
  if (ratio > 0 && page->down == 1 && chart->tall == 0)
    page->tall =
        fmax(fmin(ratio * width, page->across > 1 ? 1.15 * width : 6.5 - page->top - page->below),
             0.58 * width);
  for (int k = 0; k < chart->panel_count; k++)
    if (chart->panels[k].equal)
      equalize(&chart->panels[k], width, page->tall);
}

/* Shortens names that do not fit into the figure, and adds the full names to the caption. */
static void cut_names(struct shk_chart *chart, double width)
{
  for (int m = 0; m < chart->method_count; m++) {
    struct shk_drawn_method *const method = &chart->methods[m];
    double words = 0;
    for (int k = 0; k < chart->panel_count; k++)
      for (int i = 0; i < chart->panels[k].method_count; i++)
        if (chart->panels[k].methods[i].method == m && chart->panel_count == 1)
          words = length_of(chart->panels[k].methods[i].words);
    const int most = (int)((width - SAMPLE - words - 0.3) / LETTER);
    if (shk_print_plain(NULL, method->name) <= most)
      continue;
    char *const cut = shk_text_cut(method->name, most > 12 ? most : 12);
    shk_chart_note(chart, "%s is %s", cut, method->name);
    free(method->name);
    method->name = cut;
  }
}

/* Shortens titles that are wider than their panel. The step size is dropped first; then the problem
 * is shortened. The caption contains both in full. */
static void cut_titles(struct shk_chart *chart, const struct shk_page *page)
{
  for (int k = 0; k < chart->panel_count; k++) {
    struct shk_panel *const panel = &chart->panels[k];
    const double room =
        box_of(chart, page) + (page->across == 1 ? 0.5 : 0.2) - (page->lettered ? 0.6 : 0) -
        (page->parts && panel->part[0] ? NORMAL * (0.6 + shk_text_width(panel->part[0])) : 0);
    const double step = panel->step[0] ? NORMAL * (0.6 + shk_text_width(panel->step[0])) : 0,
                 problem = NORMAL * shk_text_width(panel->problem);
    const int length = shk_print_plain(NULL, panel->problem),
              most = problem > room ? (int)(length * room / problem) : length;
    if (step > 0 && problem + step > room) {
      free(panel->step[0]);
      free(panel->step[1]);
      panel->step[0] = panel->step[1] = NULL;
    }
    char *const cut = shk_text_cut(panel->problem, most > 12 ? most : 12);
    free(panel->problem);
    panel->problem = cut;
  }
}

/* Adds the outline of a text to the panel, extending from position (x, y) to the right edge. */
static void add_outline(struct shk_panel *panel, int method, double x, double y)
{
  const double places[] = {x, (1 + x) / 2, 1};
  for (int i = 0; i < 4; i++)
    *SHK_APPEND(panel->points, panel->point_count) =
        (struct shk_outline){.x = i < 3 ? value_at(&panel->x, places[i]) : (double)NAN,
                             .y = i < 3 ? value_at(&panel->y, y) : (double)NAN,
                             .method = method,
                             .outside = true};
}

/* Places the texts of methods next to the last points of their curves, without overlaps. The
 * setting `ends_at` lists their heights in the panel. If `beside` is positive, the axis is extended
 * to make room for texts of that width, which begin at `ends_x`. */
static void place_ends(struct shk_panel *panel, double width, double height, double beside)
{
  double *const at = shk_allocate((size_t)panel->method_count + 1, sizeof *at);
  const double apart = LINE / height, head = shk_panel_setting(panel, "heading") && beside > 0;
  for (int i = 0; i < panel->method_count; i++) {
    double last = -INFINITY;
    at[i] = 0.5;
    for (int k = 0; k < panel->point_count; k++)
      if (panel->points[k].method == panel->methods[i].method && isfinite(panel->points[k].y) &&
          panel->points[k].x >= last) {
        last = panel->points[k].x;
        at[i] = fmin(fmax(place_of(&panel->y, panel->points[k].y), 0), 1);
      }
  }
  for (int pass = 0; pass < 50; pass++)
    for (int i = 0; i < panel->method_count; i++) {
      for (int j = 0; j < i; j++)
        if (fabs(at[i] - at[j]) < apart) {
          const double by = (apart - fabs(at[i] - at[j])) / 2 * (at[i] >= at[j] ? 1 : -1);
          at[i] += by;
          at[j] -= by;
        }
      at[i] = fmin(fmax(at[i], 0.8 * apart), 1 - (0.8 + head) * apart);
    }
  for (int i = 0; i < panel->method_count; i++)
    shk_panel_list(panel, "ends_at", at[i]);
  if (beside > 0) {
    double largest = -INFINITY;
    for (int i = 0; i < panel->method_count; i++)
      largest = fmax(largest, end_of(panel, panel->methods[i].method));
    stretch(&panel->x, 0, 1 / (1 - (beside + 0.1) / width));
    const double x = place_of(&panel->x, largest) + 0.12 / width;
    shk_panel_list(panel, "ends_x", x);
    for (int i = 0; i < panel->method_count; i++)
      add_outline(panel, panel->methods[i].method, x, at[i]);
  }
  free(at);
}

/* Sets the text shown next to each name in the page legend. If there are several panels, the texts
 * of all of them are listed in panel order. */
static void set_beside(struct shk_chart *chart, bool several)
{
  for (int m = 0; m < chart->method_count; m++) {
    char **const beside = &chart->methods[m].beside;
    (*beside)[0] = '\0';
    for (int k = 0; k < chart->panel_count && (!several || any_words(chart)); k++) {
      const char *words = "";
      for (int i = 0; i < chart->panels[k].method_count; i++)
        if (chart->panels[k].methods[i].method == m)
          words = chart->panels[k].methods[i].words;
      if (several && has_words(&chart->panels[k]))
        shk_append_text(beside, "%s", words[0] ? words : ", –");
      else if (!several)
        shk_append_text(beside, "%s", words);
    }
  }
  const bool fits = longest_entry(chart) < chart->width - 0.5;
  for (int m = 0; m < chart->method_count && several; m++)
    if (!fits && chart->methods[m].beside[0]) {
      shk_chart_note(chart, "%s%s", chart->methods[m].name, chart->methods[m].beside);
      chart->methods[m].beside[0] = '\0';
    }
  if (several && any_words(chart))
    shk_chart_note(chart, "Values %s are those of the panels, in this order",
                   fits ? "beside names" : "after names");
}

/* Sets the page dimensions and lays out the panels, except for names at the ends of curves. Returns
 * false if a legend does not fit into its panel. */
static bool fit(struct shk_chart *chart, struct shk_page *page)
{
  set_lengths(chart, page);
  set_equal_scales(chart, page);
  for (int k = 0; k < chart->panel_count; k++) {
    struct shk_panel *const panel = &chart->panels[k];
    if (panel->exits > 0 && !panel->y.fixed)
      stretch(&panel->y, 0, 1 / (1 - (0.3 + 0.34 * fmin(panel->exits, 3)) / page->tall));
    if (panel->strip && !panel->y.fixed)
      stretch(&panel->y, 1 - 1 / (1 - STRIP / page->tall), 1);
    if (page->beside > 0 && shk_panel_setting(panel, "heading") && !panel->y.fixed)
      stretch(&panel->y, 0, 1 / (1 - LINE / page->tall));
    if (page->beside > 0)
      place_ends(panel, box_of(chart, page), page->tall, page->beside);
  }
  const bool inside = page->legend == SHK_LEGEND_INSIDE;
  bool placed = false;
  for (int most = 0; most <= (inside ? 12 : 9) && !placed; most += 3)
    placed = place_all(chart, page, inside, most);
  return placed;
}

/* Lays out the panels with the given kind of legends. If one of them does not fit, restores the
 * axes and returns false. */
static bool fit_keys(struct shk_chart *chart, struct shk_page *page, enum shk_panel_keys keys)
{
  struct shk_axis(*const axes)[2] = shk_allocate((size_t)chart->panel_count, sizeof *axes);
  for (int k = 0; k < chart->panel_count; k++) {
    axes[k][0] = chart->panels[k].x;
    axes[k][1] = chart->panels[k].y;
  }
  page->legend = SHK_LEGEND_INSIDE;
  page->keys = keys;
  const bool ok = fit(chart, page);
  for (int k = 0; k < chart->panel_count && !ok; k++) {
    chart->panels[k].x = axes[k][0];
    chart->panels[k].y = axes[k][1];
  }
  free(axes);
  return ok;
}

static struct shk_page lay_out(struct shk_chart *chart)
{
  struct shk_page page = {.legend = chart->legend};
  bool any_points = true;
  page.across = chart->per_row < chart->panel_count ? chart->per_row : chart->panel_count;
  page.down = (chart->panel_count + page.across - 1) / page.across;
  for (int k = 0; k < chart->panel_count; k++) {
    struct shk_panel *const panel = &chart->panels[k];
    if (!panel->template)
      continue;
    complete(&panel->x, panel, false);
    complete(&panel->y, panel, true);
    any_points = any_points && panel->point_count > 0;
  }
  page.parts = chart->panel_count == 1 && !chart->panels[0].labelled;
  for (int k = 1; k < chart->panel_count; k++)
    if (chart->panels[k].template) {
      page.problems =
          page.problems || strcmp(chart->panels[k].problem, chart->panels[0].problem) != 0;
      page.parts = page.parts || !shk_same_text(chart->panels[k].part[0], chart->panels[0].part[0]);
    }
  page.shared_y = share(chart, &page, true);
  page.shared_x = share(chart, &page, false);
  const bool several = chart->panel_count > 1;
  page.lettered = several && chart->top == 0;
  if (several && any_words(chart) && any_points && page.legend == SHK_LEGEND_NEAREST &&
      beside_of(chart, &page) == 0 &&
      (fit_keys(chart, &page, SHK_KEYS_NAMED) || fit_keys(chart, &page, SHK_KEYS_SPLIT))) {
    cut_titles(chart, &page);
    return page;
  }
  page.legend = chart->legend;
  page.keys = SHK_KEYS_OF_TEXTS;
  if (page.legend == SHK_LEGEND_NEAREST)
    page.legend = any_points && !(several && (any_words(chart) || chart->width > 12))
                      ? SHK_LEGEND_INSIDE
                      : SHK_LEGEND_BELOW;
  if ((page.legend == SHK_LEGEND_INSIDE && several && any_words(chart)) ||
      (page.legend == SHK_LEGEND_AT_ENDS && !names_fit_ends(chart, &page)))
    page.legend = SHK_LEGEND_BELOW;
  page.beside = page.legend == SHK_LEGEND_BELOW || page.legend == SHK_LEGEND_AT_ENDS
                    ? beside_of(chart, &page)
                    : 0;
  if (!several)
    set_beside(chart, false);
  if (page.legend != SHK_LEGEND_IN_CAPTION)
    cut_names(chart, page.legend == SHK_LEGEND_RIGHT || page.legend == SHK_LEGEND_AT_ENDS
                         ? 0.45 * chart->width
                         : chart->width - 1.5);
  const bool inside = page.legend == SHK_LEGEND_INSIDE;
  if (!fit(chart, &page) && (inside || several)) {
    page.legend = inside ? SHK_LEGEND_BELOW : page.legend;
    if (several)
      set_beside(chart, true);
    for (int k = 0; k < chart->panel_count; k++)
      chart->panels[k].keyed = false;
    set_lengths(chart, &page);
    set_equal_scales(chart, &page);
    for (int k = 0; k < chart->panel_count; k++)
      place_tags(&chart->panels[k], box_of(chart, &page), page.tall);
  }
  cut_titles(chart, &page);
  for (int k = 0; k < chart->panel_count && page.legend == SHK_LEGEND_AT_ENDS; k++)
    if (page.beside == 0 && ((k + 1) % page.across == 0 || k + 1 == chart->panel_count))
      place_ends(&chart->panels[k], box_of(chart, &page), page.tall, 0);
  return page;
}

/* ---- coincident curves ---- */

int shk_height_of(const struct shk_look *look)
{
  return 2 * look->on_top + (strcmp(look->line, shk_line_words[0]) != 0);
}

/* Returns true if at least four fifths of one method's points coincide with points of the other
 * method. */
static bool coincide(const struct shk_panel *panel, int method, int other)
{
  static const double near = 0.02;
  const int stride = 1 + panel->point_count / 400;
  int count = 0, same = 0;
  for (int i = 0; i < panel->point_count; i += stride) {
    const struct shk_outline *const point = &panel->points[i];
    bool found = false;
    if (point->method != method || point->outside || !isfinite(point->x) || !isfinite(point->y))
      continue;
    for (int j = 0; j < panel->point_count && !found; j++)
      found =
          panel->points[j].method == other &&
          fabs(place_of(&panel->x, panel->points[j].x) - place_of(&panel->x, point->x)) < near &&
          fabs(place_of(&panel->y, panel->points[j].y) - place_of(&panel->y, point->y)) < near;
    same += found;
    count++;
  }
  return count > 0 && 5 * same >= 4 * count;
}

/* Sets the mark sizes. If curves coincide, those behind get marks that surround the marks in front.
 * They also get a solid line if they have the same line style as a curve in front. */
static void tell_apart(struct shk_chart *chart)
{
  int *const depth = shk_allocate((size_t)chart->method_count + 1, sizeof *depth);
  bool *const covers = shk_allocate((size_t)chart->method_count + 1, sizeof *covers),
              *const same_line = shk_allocate((size_t)chart->method_count + 1, sizeof *same_line);
  for (int height = 3; height >= 0; height--)
    for (int m = chart->method_count - 1; m >= 0; m--) {
      struct shk_look *const look = &chart->methods[m].look;
      for (int j = 0; j < chart->method_count && shk_height_of(look) == height; j++) {
        const struct shk_look *const before = &chart->methods[j].look;
        const bool in_front =
            shk_height_of(before) > height || (shk_height_of(before) == height && j > m);
        for (int k = 0; k < chart->panel_count && in_front; k++)
          if (chart->panels[k].template && coincide(&chart->panels[k], m, j)) {
            depth[m] = depth[j] >= depth[m] ? depth[j] + 1 : depth[m];
            covers[j] = true;
            same_line[m] = same_line[m] || strcmp(look->line, before->line) == 0;
          }
      }
    }
  for (int m = 0; m < chart->method_count; m++) {
    struct shk_look *const look = &chart->methods[m].look;
    if (look->size > 0)
      continue;
    /* if hollow marks have a meaning, marks behind are filled and larger instead */
    look->hollow = look->hollow || (depth[m] > 0 && !chart->odd);
    look->line = same_line[m] && !look->own_line ? shk_line_words[0] : look->line;
    look->size = depth[m] > 1 ? 2.3 : depth[m] > 0 ? 1.75 : covers[m] ? 0.9 : 1.1;
  }
  free(same_line);
  free(covers);
  free(depth);
}

struct shk_page shk_chart_lay_out(struct shk_chart *chart)
{
  const struct shk_page page = lay_out(chart);
  for (int k = 0; k < chart->panel_count && chart->left == 0 && page.down == 1; k++) {
    const double indent = page.left - left_of_panel(&chart->panels[k]);
    if (indent > 0)
      shk_panel_list(&chart->panels[k], "indent", indent);
  }
  tell_apart(chart);
  return page;
}
