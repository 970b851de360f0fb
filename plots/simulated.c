/*
 * One run in the CSV of `simulate`: coordinates against time, and |H - H(0)| below; or its bodies
 * in motion.
 *
 * The difference of energies is computed in quadruple precision from the digits of the file. A long
 * run is drawn through the least and largest value in each of 1,000 intervals of time, so that the
 * plot neither loses nor invents an oscillation.
 */
#include "plots/simulated.h"
#include "engine/engine.h"
#include "foundation/memory.h"
#include "plots/canvas/chart.h"
#include "plots/canvas/motion.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COORDINATES = 6, MOST_ROWS = 2000, MOST_STATES = 400 };

struct table {
  int coordinates, shown; /* q1, …; number of them drawn against time */
  int first, energy;      /* indices of columns */
  long rows;
  double *times, *values, *errors; /* values: the coordinates, row by row */
};

static void clear(struct table *table)
{
  free(table->times);
  free(table->values);
  free(table->errors);
}

static bool read_header(struct table *table, char *line, const char *path,
                        struct shk_message *error)
{
  int column = 0;
  bool time = false;
  table->energy = -1;
  char *rest = NULL;
  for (char *name = strtok_r(line, ",\r\n", &rest); name; name = strtok_r(NULL, ",\r\n", &rest)) {
    if (column == 0)
      time = strcmp(name, "t") == 0;
    if (name[0] == 'q' && name[1] >= '1' && name[1] <= '9') {
      if (table->coordinates == 0)
        table->first = column;
      table->coordinates++;
    }
    if (strcmp(name, "energy") == 0)
      table->energy = column;
    column++;
  }
  if (!time || table->coordinates == 0 || table->energy < 0) {
    shk_message_set(error, "%s: expected a header \"t,q1,…,energy,…\"", path);
    return false;
  }
  table->shown = table->coordinates < MOST_COORDINATES ? table->coordinates : MOST_COORDINATES;
  return true;
}

/* The energy error relative to the first row. The first row sets `start`. */
static double energy_error(struct shk_vector *start, const char *field)
{
  const struct shk_engine *const engine = shk_finest_engine();
  struct shk_vector energy;
  double error = NAN, size;
  if (!engine->read(&energy, field))
    return error;
  if (!start->values)
    *start = shk_vector_copy(energy.values, energy.count, energy.bits);
  if (!engine->difference(&error, &size, &energy, start))
    error = NAN;
  shk_vector_clear(&energy);
  return error;
}

/* Adds a row; `start` is the energy in the first. Returns false if it is not a row of numbers. */
static bool read_row(struct table *table, char *line, struct shk_vector *start)
{
  const size_t rows = (size_t)table->rows, each = (size_t)table->coordinates;
  if ((rows & (rows - 1)) == 0) { /* room for twice as many rows */
    const size_t room = rows ? 2 * rows : 1;
    table->times = shk_reallocate(table->times, room, sizeof(double));
    table->errors = shk_reallocate(table->errors, room, sizeof(double));
    table->values = shk_reallocate(table->values, room * each, sizeof(double));
  }
  int column = 0, found = 0;
  char *rest = NULL;
  for (char *field = strtok_r(line, ",\r\n", &rest); field;
       field = strtok_r(NULL, ",\r\n", &rest), column++) {
    char *end;
    const double value = strtod(field, &end);
    if (end == field || *end)
      return false;
    if (column == 0)
      table->times[rows] = value;
    else if (column >= table->first && column < table->first + table->coordinates)
      table->values[rows * each + (size_t)(column - table->first)] = value;
    else if (column == table->energy)
      table->errors[rows] = energy_error(start, field);
    else
      continue;
    found++;
  }
  table->rows += found == table->coordinates + 2;
  return found == table->coordinates + 2;
}

static bool read_table(struct table *table, const char *path, struct shk_message *error)
{
  FILE *const file = fopen(path, "r");
  if (!file) {
    shk_message_set(error, "cannot read %s: %s", path, strerror(errno));
    return false;
  }
  char *line = NULL;
  struct shk_vector start = {0};
  size_t room = 0;
  long number = 1;
  bool ok = getline(&line, &room, file) > 0;
  if (!ok)
    shk_message_set(error, "%s is empty", path);
  ok = ok && read_header(table, line, path, error);
  while (ok && getline(&line, &room, file) > 0) {
    number++;
    ok = read_row(table, line, &start);
    if (!ok)
      shk_message_set(error, "%s:%ld: expected a row of numbers like the header", path, number);
  }
  if (ok && table->rows == 0) {
    ok = false;
    shk_message_set(error, "%s has no rows", path);
  }
  shk_vector_clear(&start);
  free(line);
  fclose(file);
  return ok;
}

/* Least and largest value of a column over some rows, in the order in which they occur. */
static void find_extremes(const double *column, size_t stride, long begin, long end, double *first,
                          double *second)
{
  long low = begin, high = begin;
  for (long i = begin; i < end; i++) {
    if (column[(size_t)i * stride] < column[(size_t)low * stride])
      low = i;
    if (column[(size_t)i * stride] > column[(size_t)high * stride])
      high = i;
  }
  *first = column[(size_t)(low < high ? low : high) * stride];
  *second = column[(size_t)(low < high ? high : low) * stride];
}

static void write_rows(struct shk_chart *chart, const struct table *table)
{
  const size_t shown = (size_t)table->shown;
  double row[MOST_COORDINATES + 2];
  shk_chart_block(chart, "run", NULL, "time, the first %d of %d coordinates, |H - H(0)|",
                  table->shown, table->coordinates);
  const long joined = table->rows <= MOST_ROWS ? 1 : (2 * table->rows + MOST_ROWS - 1) / MOST_ROWS;
  for (long begin = 0; begin < table->rows; begin += joined) {
    const long end = begin + joined < table->rows ? begin + joined : table->rows;
    for (int half = 0; half < (joined > 1 ? 2 : 1); half++) {
      row[0] = table->times[half ? (begin + end) / 2 : begin];
      for (size_t c = 0; c <= shown; c++) {
        double extremes[2];
        const double *const column = c < shown ? table->values + c : table->errors;
        find_extremes(column, c < shown ? (size_t)table->coordinates : 1, begin, end, &extremes[0],
                      &extremes[1]);
        row[c + 1] = extremes[half];
      }
      shk_chart_row(chart, row, (int)shown + 2);
    }
  }
}

static void build(struct shk_chart *chart, const struct shk_simulated_run *run,
                  const struct table *table)
{
  shk_chart_begin(chart, shk_copy_text("run"), "run");
  chart->title = shk_print_text("%s on %s", run->integrator, run->problem);
  shk_chart_head(chart, "", chart->title);
  if (run->step)
    shk_chart_head(chart, ", h = ", run->step);
  write_rows(chart, table);
  for (int c = 0; c < table->shown; c++) {
    const struct shk_label first = shk_label_print("the first %d of %d", "the first %d of %d",
                                                   table->shown, table->coordinates);
    const bool last = c + 1 == table->shown && table->shown < table->coordinates;
    char name[16];
    snprintf(name, sizeof name, "q%d", c + 1);
    shk_chart_method(chart, c, c);
    shk_chart_legend(chart, c + 1, name, last ? &first : NULL);
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

/* ---- animation ---- */

/* Keeps rows at equal distances, including the last, with times since the first. */
static void thin_out(struct table *table)
{
  const long each = (table->rows + MOST_STATES - 1) / MOST_STATES;
  const size_t n = (size_t)table->coordinates;
  const double start = table->times[0];
  long kept = 0;
  for (long i = 0; i < table->rows; i++) {
    if (i % each != 0 && i + 1 < table->rows)
      continue;
    table->times[kept] = table->times[i] - start;
    memmove(table->values + (size_t)kept * n, table->values + (size_t)i * n, n * sizeof(double));
    kept++;
  }
  table->rows = kept;
}

bool shk_animate_rows(const struct shk_context *context, const struct shk_simulated_run *run,
                      const char *csv_file, const char *gif_file, struct shk_message *error)
{
  struct table table = {0};
  struct shk_motion motion = {0};
  struct shk_chart chart;
  bool ok = read_table(&table, csv_file, error);
  if (ok)
    thin_out(&table);
  shk_chart_begin(&chart, shk_copy_text("animate"), "animate");
  ok = ok && shk_motion_add(&motion, &chart, context, run->problem, run->integrator, true,
                            (int)table.rows, table.times, table.coordinates, table.values, error);
  shk_motion_end(&motion, &chart);
  if (ok)
    ok = shk_chart_finish_file(&chart, gif_file, "gif", error);
  else
    shk_chart_clear(&chart);
  clear(&table);
  return ok;
}
