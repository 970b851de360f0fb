/*
 * One run of `simulate`: coordinates against time, and |H - H(0)| below; or its bodies in motion.
 *
 * The difference of energies is computed in quadruple precision from the digits of the rows. A long
 * run is drawn through the least and largest value in each of 1,000 intervals of time, so that the
 * plot neither loses nor invents an oscillation.
 */
#include "plots/simulated.h"
#include "engine/engine.h"
#include "foundation/memory.h"
#include "plots/canvas/chart.h"
#include "plots/canvas/motion.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COORDINATES = 6, MOST_ROWS = 2000 };

struct table {
  int n, energy; /* coordinates; index of the column of the energy */
  int rows;
  double *times, *values, *errors; /* values: the coordinates, row by row */
  struct shk_vector start;         /* the energy of the first row */
};

static void clear(struct table *table)
{
  shk_vector_clear(&table->start);
  free(table->times);
  free(table->values);
  free(table->errors);
}

/* The energy error relative to the first row. */
static double energy_error(struct table *table, const char *field)
{
  const struct shk_engine *const engine = shk_finest_engine();
  struct shk_vector energy;
  double error = NAN, size;
  if (!engine->read(&energy, field))
    return error;
  if (!table->start.values)
    table->start = shk_vector_copy(energy.values, energy.count, energy.bits);
  if (!shk_difference(&error, &size, &energy, &table->start))
    error = NAN;
  shk_vector_clear(&energy);
  return error;
}

static void read_row(struct table *table, char *line)
{
  const size_t rows = (size_t)table->rows++, n = (size_t)table->n;
  char *rest = line, *field;
  table->times = shk_grow(table->times, rows, sizeof(double));
  table->errors = shk_grow(table->errors, rows, sizeof(double));
  table->values = shk_grow(table->values, rows, n * sizeof(double));
  for (int column = 0; (field = strsep(&rest, ",\n")) != NULL; column++)
    if (column == 0)
      table->times[rows] = strtod(field, NULL);
    else if (column <= table->n)
      table->values[rows * n + (size_t)column - 1] = strtod(field, NULL);
    else if (column == table->energy)
      table->errors[rows] = energy_error(table, field);
}

/* Reads the rows that `simulate` wrote, and the numbers of columns from their header. */
static bool read_table(struct table *table, const char *path, struct shk_message *error)
{
  FILE *const file = fopen(path, "r");
  char *line = NULL, *name;
  size_t room = 0;
  if (file && getline(&line, &room, file) > 0) {
    char *rest = line;
    for (int column = 0; (name = strsep(&rest, ",\n")) != NULL; column++) {
      table->n += name[0] == 'q';
      table->energy = strcmp(name, "energy") == 0 ? column : table->energy;
    }
    while (getline(&line, &room, file) > 0)
      read_row(table, line);
  }
  if (table->rows == 0)
    shk_message_set(error, "%s has no rows", path);
  free(line);
  if (file)
    fclose(file);
  return table->rows > 0;
}

/* Writes a long run as the least and the largest values in each interval of time. Returns the
 * number of coordinates shown. */
static int write_rows(struct shk_chart *chart, const struct table *table)
{
  const int shown = table->n < MOST_COORDINATES ? table->n : MOST_COORDINATES;
  const int joined = table->rows <= MOST_ROWS ? 1 : (2 * table->rows + MOST_ROWS - 1) / MOST_ROWS;
  shk_chart_block(chart, "run", "time, the first %d of %d coordinates, |H - H(0)|", shown,
                  table->n);
  for (int begin = 0; begin < table->rows; begin += joined) {
    const int end = begin + joined < table->rows ? begin + joined : table->rows;
    double low[MOST_COORDINATES + 2] = {table->times[begin]},
                                  high[MOST_COORDINATES + 2] = {table->times[(begin + end) / 2]};
    for (int c = 1; c <= shown + 1; c++) {
      low[c] = INFINITY;
      high[c] = -INFINITY;
      for (int i = begin; i < end; i++) {
        const double value = c <= shown ? table->values[i * table->n + c - 1] : table->errors[i];
        low[c] = fmin(low[c], value);
        high[c] = fmax(high[c], value);
      }
    }
    shk_chart_row(chart, low, shown + 2);
    if (joined > 1)
      shk_chart_row(chart, high, shown + 2);
  }
  return shown;
}

static void build(struct shk_chart *chart, const struct shk_simulated_run *run,
                  const struct table *table)
{
  shk_chart_begin(chart, shk_copy_text("run"), "run");
  shk_chart_head(chart, run->step ? "%s on %s, h = %s" : "%s on %s", run->integrator, run->problem,
                 run->step);
  const int shown = write_rows(chart, table);
  const struct shk_phrase first = shk_phrase("the first %d of %d", shown, table->n);
  for (int c = 0; c < shown; c++) {
    shk_chart_method(chart, c, c);
    shk_chart_legend(chart, c + 1, shk_phrase("q%d", c + 1).text,
                     c + 1 == shown && shown < table->n ? first.text : "");
  }
}

bool shk_plot_rows(const struct shk_simulated_run *run, const char *csv_file, const char *svg_file,
                   struct shk_message *error)
{
  struct table table = {0};
  struct shk_chart chart;
  bool ok = read_table(&table, csv_file, error);
  if (ok) {
    build(&chart, run, &table);
    ok = shk_chart_finish_file(&chart, svg_file, "svg", error);
  }
  clear(&table);
  return ok;
}

bool shk_animate_rows(const struct shk_context *context, const struct shk_simulated_run *run,
                      const char *csv_file, const char *gif_file, struct shk_message *error)
{
  struct table table = {0};
  struct shk_chart chart;
  bool ok = read_table(&table, csv_file, error);
  for (int i = table.rows - 1; i >= 0; i--) /* since the start */
    table.times[i] -= table.times[0];
  shk_chart_begin(&chart, shk_copy_text("motion"), "motion");
  ok = ok && shk_motion_add(&chart, context, run->problem, run->integrator, true, table.rows,
                            table.times, table.n, table.values, error);
  if (ok)
    ok = shk_chart_finish_file(&chart, gif_file, "gif", error);
  else
    shk_chart_clear(&chart);
  clear(&table);
  return ok;
}
