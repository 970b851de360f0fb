/* A quantity along the run. See along_run.h. */
#include "plots/kinds/kit/along_run.h"
#include "foundation/memory.h"
#include "foundation/specifications/precision.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TURNS = 16 };

const struct shk_along_run shk_along_run_of_nothing = {INFINITY, 0, 0, INFINITY, -INFINITY, 0};

/* ---- merging intervals ---- */

/* Columns of `count` rows. */
struct rows {
  int count;
  double *time, *low, *mean, *high, *size;
};

static double *column(int count)
{
  return shk_allocate((size_t)count + 1, sizeof(double));
}

static struct rows make_rows(int count)
{
  return (struct rows){.count = count,
                       .time = column(count),
                       .low = column(count),
                       .mean = column(count),
                       .high = column(count),
                       .size = column(count)};
}

static void clear_rows(struct rows *rows)
{
  free(rows->time);
  free(rows->low);
  free(rows->mean);
  free(rows->high);
  free(rows->size);
}

/* Merges intervals to at most `most`; NaN if one of them is not a number. */
static struct rows join(const struct shk_series *series, int most)
{
  const int joined = (series->count + most - 1) / most;
  struct rows rows = make_rows((series->count + joined - 1) / joined);
  double begin = 0;
  for (int i = 0; i < series->count; i += joined) {
    const int end = i + joined < series->count ? i + joined : series->count, row = i / joined;
    double low = INFINITY, high = -INFINITY, sum = 0;
    for (int j = i; j < end; j++) {
      low = fmin(low, series->minimum[j]);
      high = fmax(high, series->maximum[j]);
      sum += series->mean[j];
    }
    const double size = fmax(fabs(low), fabs(high));
    const bool whole = isfinite(size) && isfinite(sum);
    rows.time[row] = (begin + series->time[end - 1]) / 2;
    rows.low[row] = whole ? low : NAN;
    rows.mean[row] = whole ? sum / (end - i) : NAN;
    rows.high[row] = whole ? high : NAN;
    rows.size[row] = whole ? size : NAN;
    begin = series->time[end - 1];
  }
  return rows;
}

/* ---- the envelope ---- */

static int turns_of(const double *values, int count)
{
  int turns = 0;
  double before = 0;
  for (int i = 1; i < count; i++) {
    const double now = values[i] - values[i - 1];
    turns += before * now < 0;
    before = now != 0 && isfinite(now) ? now : before;
  }
  return turns;
}

/* The largest (sign 1), the smallest (-1) or the mean (0) of the values up to `reach` rows away. */
static void widen(double *to, const double *from, int count, int reach, int sign)
{
  for (int i = 0; i < count; i++) {
    double best = from[i], sum = 0;
    int numbers = 0;
    for (int j = i > reach ? i - reach : 0; j <= i + reach && j < count && isfinite(best); j++)
      if (isfinite(from[j])) {
        best = sign * from[j] > sign * best ? from[j] : best;
        sum += from[j];
        numbers++;
      }
    to[i] = sign != 0 || !isfinite(best) ? best : sum / numbers;
  }
}

static struct rows envelope_of(const struct rows *rows)
{
  struct rows wide = make_rows(rows->count);
  for (int reach = 0;; reach = reach > 0 ? 2 * reach : 1) {
    widen(wide.low, rows->low, rows->count, reach, -1);
    widen(wide.mean, rows->mean, rows->count, reach, 0);
    widen(wide.high, rows->high, rows->count, reach, 1);
    widen(wide.size, rows->size, rows->count, reach, 1);
    if (8 * reach >= rows->count || (turns_of(wide.size, rows->count) <= MOST_TURNS &&
                                     turns_of(wide.mean, rows->count) <= MOST_TURNS))
      return wide;
  }
}

/* ---- writing ---- */

static double largest_in(const double *sizes, int from, int to)
{
  double largest = 0;
  for (int i = from; i < to; i++)
    largest = isfinite(sizes[i]) ? fmax(largest, sizes[i]) : INFINITY;
  return largest;
}

/* True if the size stays within some thousand roundings of one and does not grow: the second half
 * is at most three times the first. A sum of n roundings grows at least with the root of n, that is
 * by 1.4 or more from half to half. */
static bool is_round_off(const struct rows *rows, const char *precision)
{
  const double epsilon = shk_precision_epsilon(precision);
  const double first = largest_in(rows->size, 0, rows->count / 2),
               second = largest_in(rows->size, rows->count / 2, rows->count);
  return fmax(first, second) < 4096 * epsilon && second <= 3 * first;
}

static void extend(struct shk_along_run *extent, const struct rows *rows, bool finished)
{
  double least = INFINITY, largest = 0;
  for (int i = 0; i < rows->count; i++) {
    if (!isfinite(rows->size[i]))
      continue;
    extent->least = fmin(extent->least, rows->low[i]);
    extent->most = fmax(extent->most, rows->high[i]);
    least = rows->size[i] > 0 ? fmin(least, rows->size[i]) : least;
    largest = fmax(largest, rows->size[i]);
  }
  /* A quantity near a zero may be tiny for a moment; that must not compress the rest of the
   * plot. */
  if (largest > 0) {
    extent->low = fmin(extent->low, fmax(least, 1e-4 * largest));
    double *const high = finished ? &extent->high : &extent->stopped;
    *high = fmax(*high, largest);
  }
}

/* Replaces a quantity at round-off by a band from its smallest to its largest size. */
static void flatten(struct rows *wide, const struct rows *rows)
{
  const double largest = largest_in(rows->size, 0, rows->count);
  double least = largest;
  for (int i = 0; i < rows->count; i++)
    least = rows->size[i] > 0 ? fmin(least, rows->size[i]) : least;
  for (int i = 0; i < rows->count; i++) {
    wide->time[i] = least;
    wide->size[i] = largest;
  }
}

void shk_along_run_write(struct shk_chart *chart, const struct shk_record *run, const char *name,
                         enum shk_series_id id, int most, struct shk_along_run *extent)
{
  const struct shk_series *series = shk_drawn_series(run, id);
  if (!series) {
    shk_chart_gap(chart);
    return;
  }
  struct rows rows = join(series, most), wide = envelope_of(&rows);
  shk_chart_block(chart, name, NULL,
                  "%s, %s %s, %s: middle of the interval, minimum, mean, maximum, largest size, "
                  "the same four of the envelope, least size at round-off",
                  shk_series_entries[id].name, run->cell.tolerance ? "tolerance" : "step",
                  shk_cell_step(&run->cell, "of its own"), shk_record_status(run));
  const bool round_off =
      largest_in(rows.size, 0, rows.count) > 0 && is_round_off(&rows, run->cell.precision);
  if (round_off)
    flatten(&wide, &rows);
  for (int i = 0; i < rows.count; i++)
    SHK_CHART_ROW(chart, rows.time[i], rows.low[i], rows.mean[i], rows.high[i],
                  rows.size[i] > 0 ? rows.size[i] : NAN, wide.low[i], wide.mean[i], wide.high[i],
                  wide.size[i] > 0 ? wide.size[i] : NAN, round_off ? wide.time[i] : NAN);
  extend(extent, &rows, shk_record_finished(run));
  extent->until = fmax(extent->until, series->time[series->count - 1]);
  clear_rows(&rows);
  clear_rows(&wide);
}

void shk_along_run_range(struct shk_chart *chart, int number, const struct shk_along_run *extent)
{
  /* A run that stopped may have exploded: the axis ends at a hundred times the others. */
  double high = extent->high > 0 ? fmin(fmax(extent->high, extent->stopped), 100 * extent->high)
                                 : extent->stopped;
  if (!(high > 0)) { /* all values are zero */
    shk_chart_range(chart, number, 1e-17, 1e-15);
    return;
  }
  high = fmin(high, extent->low * 1e40);
  const double room = high < 30 * extent->low ? 10 : 3;
  const double above = extent->stopped > 0 ? 100 : room; /* room for their end marks */
  shk_chart_range(chart, number, extent->low / room, high * above);
}
