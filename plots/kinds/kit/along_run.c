/* A quantity along the run. See along_run.h. */
#include "plots/kinds/kit/along_run.h"
#include <math.h>

enum { MARKS_ALONG = 6 };

const struct shk_along_run shk_along_run_of_nothing = {INFINITY, 0, 0};

/* The joined intervals of a series. */
static int per_row(const struct shk_series *series, int most)
{
  return (series->count + most - 1) / most;
}

int shk_along_run_write(struct shk_figure *figure, const struct shk_record *run,
                        enum shk_series_id id, int most, struct shk_along_run *extent)
{
  const struct shk_series *series = shk_drawn_series(run, id);
  const struct shk_cell *cell = &run->cell;
  const int index = shk_figure_block(
      figure, "%s, %s, %s %s: middle of the interval, minimum, mean, maximum, largest size; %s",
      shk_series_entries[id].name, cell->integrator, cell->tolerance ? "tolerance" : "step",
      shk_cell_step(cell, "of its own"), shk_record_status(run));
  const int joined = per_row(series, most);
  double begin = 0, least = INFINITY, largest = 0;
  for (int i = 0; i < series->count; i += joined) {
    const int end = i + joined < series->count ? i + joined : series->count;
    double low = INFINITY, high = -INFINITY, sum = 0;
    for (int j = i; j < end; j++) {
      low = fmin(low, series->minimum[j]);
      high = fmax(high, series->maximum[j]);
      sum += series->mean[j];
    }
    const double size = fmax(fabs(low), fabs(high)), time = (begin + series->time[end - 1]) / 2;
    begin = series->time[end - 1];
    if (!isfinite(size) || !isfinite(sum)) {
      fprintf(figure->data, "%.9g\tNaN\tNaN\tNaN\tNaN\n", time);
      continue;
    }
    fprintf(figure->data, "%.9g\t%.9g\t%.9g\t%.9g", time, low, sum / (end - i), high);
    if (size > 0) {
      fprintf(figure->data, "\t%.9g\n", size);
      least = fmin(least, size);
      largest = fmax(largest, size);
    } else {
      fputs("\t?\n", figure->data);
    }
    extent->until = fmax(extent->until, begin);
  }
  /* Where the quantity passes zero it may be tiny for a moment; that must not flatten the rest. */
  if (largest > 0) {
    extent->low = fmin(extent->low, fmax(least, 1e-4 * largest));
    extent->high = fmax(extent->high, largest);
  }
  return index;
}

void shk_along_run_lines(struct shk_panel *panel, int index, const char *columns, int method,
                         int methods, int rows)
{
  const int every = rows > MARKS_ALONG ? rows / MARKS_ALONG : 1;
  shk_panel_layer(panel, "index %d using %s with lines linestyle %d", index, columns, method + 1);
  shk_panel_layer(panel, "index %d every %d::%d using %s with points linestyle %d", index, every,
                  (int)((method + 0.5) * every / methods), columns, method + 1);
}

int shk_along_run_rows(const struct shk_record *run, enum shk_series_id id, int most)
{
  const struct shk_series *series = shk_drawn_series(run, id);
  const int joined = per_row(series, most);
  return (series->count + joined - 1) / joined;
}

void shk_along_run_log_axis(struct shk_axis *axis, const struct shk_along_run *extent)
{
  axis->logarithmic = true;
  if (!(extent->high > 0)) { /* nothing but zeros */
    axis->low = 1e-17;
    axis->high = 1e-15;
    return;
  }
  /* Beyond 40 decades there are only runs that blew up. */
  const double high = fmin(extent->high, extent->low * 1e40);
  shk_axis_range(axis, extent->low, high, high < 30 * extent->low ? 10 : 3);
}

/* Where the two columns of values begin. */
static double values_of(const struct shk_figure *figure)
{
  return figure->width - 0.1 - 2 * SHK_KEY_VALUE + 0.2;
}

void shk_along_run_key_head(struct shk_figure *figure, const char *plain, const char *latex)
{
  const int head = shk_drawing_head(figure, values_of(figure));
  shk_key_value(figure, head, figure->width - 0.1 - SHK_KEY_VALUE + 0.2, shk_label(plain, latex));
}

void shk_along_run_key(struct shk_figure *figure, int method, const char *name,
                       const struct shk_record *run, enum shk_quantity_id quantity)
{
  const double values = values_of(figure);
  const int line = shk_key_sample(figure, method, name, values - SHK_KEY_NAMES - 0.1);
  shk_key_value(figure, line, values, shk_step_label(&run->cell));
  const struct shk_label size =
      shk_record_finished(run)
          ? shk_label_number(shk_recorded(&run->outcome, quantity, NULL), 3)
          : shk_label_print("to t = %.3g", "to $t = %.3g$", run->outcome.reached);
  shk_key_value(figure, line, values + SHK_KEY_VALUE, size);
}
