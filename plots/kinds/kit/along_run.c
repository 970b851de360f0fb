/* A quantity along the run. See along_run.h. */
#include "plots/kinds/kit/along_run.h"
#include "foundation/memory.h"
#include "foundation/specifications/precision.h"
#include <math.h>
#include <stdlib.h>

enum { MOST_ROWS = 400, FEWEST_ROWS = 50, MOST_TURNS = 16 };

struct row {
  double time, low, mean, high;
};

struct extent {
  double least, most;        /* of the values */
  double low, high, stopped; /* sizes of runs that finished, without zeros; of those that stopped */
  bool any_finished;
};

static double size_of(const struct row *row)
{
  return fmax(fabs(row->low), fabs(row->high));
}

/* Merges intervals to at most `most`; NaN if one of them is not a number. */
static struct row *join(const struct shk_series *series, int most, int *count)
{
  const int joined = (series->count + most - 1) / most;
  struct row *const rows = shk_allocate((size_t)series->count + 1, sizeof *rows);
  double begin = 0;
  *count = 0;
  for (int i = 0; i < series->count; i += joined) {
    const int end = i + joined < series->count ? i + joined : series->count;
    struct row row = {(begin + series->time[end - 1]) / 2, INFINITY, 0, -INFINITY};
    for (int j = i; j < end; j++) {
      row.low = fmin(row.low, series->minimum[j]);
      row.high = fmax(row.high, series->maximum[j]);
      row.mean += series->mean[j] / (end - i);
    }
    if (!isfinite(row.mean) || !isfinite(size_of(&row)))
      row.low = row.mean = row.high = NAN;
    rows[(*count)++] = row;
    begin = series->time[end - 1];
  }
  return rows;
}

static int turns_of(const struct row *rows, int count, bool of_means)
{
  int turns = 0;
  double before = 0;
  for (int i = 1; i < count; i++) {
    const double now =
        of_means ? rows[i].mean - rows[i - 1].mean : size_of(&rows[i]) - size_of(&rows[i - 1]);
    turns += before * now < 0;
    before = now != 0 && isfinite(now) ? now : before;
  }
  return turns;
}

/* The rows of a line with few turns. */
static struct row *envelope_of(const struct shk_series *series, int *count)
{
  for (int most = MOST_ROWS;; most /= 2) {
    struct row *const rows = join(series, most, count);
    if (most / 2 < FEWEST_ROWS ||
        (turns_of(rows, *count, false) <= MOST_TURNS && turns_of(rows, *count, true) <= MOST_TURNS))
      return rows;
    free(rows);
  }
}

/* ---- writing ---- */

static double largest_in(const struct row *rows, int from, int to)
{
  double largest = 0;
  for (int i = from; i < to; i++)
    largest = isfinite(rows[i].mean) ? fmax(largest, size_of(&rows[i])) : INFINITY;
  return largest;
}

/* True if the size stays within some thousand roundings of one and does not grow: the second half
 * is at most three times the first. A sum of n roundings grows at least with the root of n, that is
 * by 1.4 or more from half to half. */
static bool is_round_off(const struct row *rows, int count, const char *precision)
{
  const double first = largest_in(rows, 0, count / 2), second = largest_in(rows, count / 2, count),
               largest = fmax(first, second);
  return largest > 0 && largest < 4096 * shk_precision_epsilon(precision) && second <= 3 * first;
}

/* Adds a run to the extent; returns its least size. A quantity near a zero may be tiny for a
 * moment; that must not compress the rest of the plot. A run that stopped may have exploded. */
static double extend(struct extent *extent, const struct row *rows, int count, bool finished)
{
  double least = INFINITY, largest = 0;
  for (int i = 0; i < count; i++) {
    if (!isfinite(rows[i].mean))
      continue;
    if (finished || !extent->any_finished) {
      extent->least = fmin(extent->least, rows[i].low);
      extent->most = fmax(extent->most, rows[i].high);
    }
    least = size_of(&rows[i]) > 0 ? fmin(least, size_of(&rows[i])) : least;
    largest = fmax(largest, size_of(&rows[i]));
  }
  if (largest > 0)
    extent->low = fmin(extent->low, fmax(least, 1e-4 * largest));
  double *const high = finished ? &extent->high : &extent->stopped;
  *high = fmax(*high, largest);
  return least;
}

static void write_run(struct shk_chart *chart, const struct shk_record *run, const char *name,
                      enum shk_series_id id, struct extent *extent)
{
  const struct shk_series *series = shk_drawn_series(run, id);
  if (!series) {
    shk_chart_gap(chart);
    return;
  }
  int count;
  struct row *const rows = envelope_of(series, &count);
  const bool round_off = is_round_off(rows, count, run->cell.precision);
  const double least = extend(extent, rows, count, shk_record_finished(run));
  shk_chart_block(chart, name,
                  "%s, %s %s, %s: middle of the interval; minimum, mean, maximum and largest size "
                  "of the envelope; least size at round-off",
                  shk_series_entries[id].name, run->cell.tolerance ? "tolerance" : "step",
                  shk_cell_step(&run->cell, "of its own"), shk_record_status(run));
  for (int i = 0; i < count; i++) {
    const double size = round_off ? largest_in(rows, 0, count) : size_of(&rows[i]);
    SHK_CHART_ROW(chart, rows[i].time, rows[i].low, rows[i].mean, rows[i].high,
                  size > 0 ? size : NAN, round_off ? least : NAN);
  }
  free(rows);
}

void shk_along_run_write(const struct shk_drawing *drawing, struct shk_chart *chart,
                         const struct shk_runs *runs, int panel, enum shk_series_id series)
{
  struct extent extent = {
      .least = INFINITY, .most = -INFINITY, .low = INFINITY, .any_finished = runs->any_finished};
  for (int i = 0; i < chart->method_count; i++)
    write_run(chart, runs->of[chart->methods[i]], drawing->shown[chart->methods[i]], series,
              &extent);
  /* A run that stopped may have exploded: the axis ends at a hundred times the others. */
  const double most =
      extent.high > 0 ? fmin(fmax(extent.high, extent.stopped), 100 * extent.high) : extent.stopped;
  const bool any = most > 0; /* otherwise all values are zero */
  const double high = any ? fmin(most, extent.low * 1e40) : 1e-16, low = any ? extent.low : 1e-16,
               room = high < 30 * low ? 10 : 3;
  shk_chart_list(chart, "range", panel, low / room);
  shk_chart_list(chart, "range", panel,
                 high * (extent.stopped > 0 ? 100 : room)); /* room for marks of ends */
  shk_chart_list(chart, "extent", panel, extent.least);
  shk_chart_list(chart, "extent", panel, extent.most);
}
