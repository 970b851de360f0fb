/*
 * One run as `simulate` wrote it: coordinates against time, and |H - H(0)| below.
 *
 * The difference of energies is taken in quadruple precision from the digits of the file. A long
 * run is drawn through the least and largest value of each of 1,000 stretches of time, so that no
 * oscillation is lost or invented.
 */
#include "engine/engine.h"
#include "foundation/memory.h"
#include "plots/canvas/figure.h"
#include "plots/simulated.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COORDINATES = 6, MOST_ROWS = 2000 };

struct table {
  int coordinates, shown; /* q1, …; how many of them are drawn */
  int first, energy;      /* columns */
  long rows;
  double *times, *values, *errors; /* values: `shown` of them a row */
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

/* Of an energy from that of the first row, which it becomes where there is none; NaN: not a number. */
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

/* Adds a row; `start` is the energy in the first. False if it is no row of numbers. */
static bool read_row(struct table *table, char *line, struct shk_vector *start)
{
  const size_t rows = (size_t)table->rows, shown = (size_t)table->shown;
  if ((rows & (rows - 1)) == 0) { /* room for twice as many */
    const size_t room = rows ? 2 * rows : 1;
    table->times = shk_reallocate(table->times, room, sizeof(double));
    table->errors = shk_reallocate(table->errors, room, sizeof(double));
    table->values = shk_reallocate(table->values, room * shown, sizeof(double));
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
    else if (column >= table->first && column < table->first + table->shown)
      table->values[rows * shown + (size_t)(column - table->first)] = value;
    else if (column == table->energy)
      table->errors[rows] = energy_error(start, field);
    else
      continue;
    found++;
  }
  table->rows += found == table->shown + 2;
  return found == table->shown + 2;
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

/* Least and largest of a column over some rows, in the order in which they come. */
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

static void write_rows(struct shk_figure *figure, const struct table *table)
{
  const size_t shown = (size_t)table->shown;
  shk_figure_block(figure, "time, the first %d of %d coordinates, |H - H(0)|", table->shown,
                   table->coordinates);
  const long joined = table->rows <= MOST_ROWS ? 1 : (2 * table->rows + MOST_ROWS - 1) / MOST_ROWS;
  for (long begin = 0; begin < table->rows; begin += joined) {
    const long end = begin + joined < table->rows ? begin + joined : table->rows;
    for (int half = 0; half < (joined > 1 ? 2 : 1); half++) {
      fprintf(figure->data, "%.9g", table->times[half ? (begin + end) / 2 : begin]);
      for (size_t c = 0; c <= shown; c++) {
        double extremes[2];
        if (c < shown)
          find_extremes(table->values + c, shown, begin, end, &extremes[0], &extremes[1]);
        else
          find_extremes(table->errors, 1, begin, end, &extremes[0], &extremes[1]);
        putc('\t', figure->data);
        shk_print_numbers(figure->data, &extremes[half], 1);
      }
      putc('\n', figure->data);
    }
  }
}

static void build(struct shk_figure *figure, const struct shk_simulated_run *run,
                  const struct table *table)
{
  shk_figure_begin(figure, shk_copy_text("run"), 2, 1, table->shown);
  figure->panel_height = 4;
  figure->title = shk_print_text("%s on %s", run->integrator, run->problem);
  shk_key_note(figure, figure->title);
  if (run->step)
    shk_key_note_more(figure, ", h = ", run->step);
  write_rows(figure, table);
  const double last = table->times[table->rows - 1];
  struct shk_panel *panel = shk_figure_panel(figure, 0, 0);
  panel->x = (struct shk_axis){.low = table->times[0], .high = last};
  panel->y.label = shk_label("{/:Italic q}", "$q$");
  for (int c = 0; c < table->shown; c++) {
    char name[64];
    shk_panel_layer(panel, "index 0 using 1:%d with lines linestyle %d", c + 2, c + 1);
    shk_panel_layer(panel, "index 0 every %d::%d using 1:%d with points linestyle %d",
                    table->rows > 80 ? (int)(fmin((double)table->rows, MOST_ROWS) / 8) : 10, c + 1,
                    c + 2, c + 1);
    if (c + 1 == table->shown && table->shown < table->coordinates)
      snprintf(name, sizeof name, "q%d   (the first %d of %d)", c + 1, table->shown,
               table->coordinates);
    else
      snprintf(name, sizeof name, "q%d", c + 1);
    shk_key_name(figure, c, name);
  }
  const size_t values = (size_t)table->rows * (size_t)table->shown;
  double least = INFINITY, most = -INFINITY;
  for (size_t i = 0; i < values; i++)
    if (isfinite(table->values[i])) {
      least = fmin(least, table->values[i]);
      most = fmax(most, table->values[i]);
    }
  if (least <= most)
    shk_axis_linear(&panel->y, least, most);
  panel = shk_figure_panel(figure, 1, 0);
  panel->x = (struct shk_axis){
      .label = shk_label("time {/:Italic t}", "time $t$"), .low = table->times[0], .high = last};
  double low = INFINITY, high = 0;
  for (long i = 0; i < table->rows; i++)
    if (table->errors[i] > 0 && isfinite(table->errors[i])) {
      low = fmin(low, table->errors[i]);
      high = fmax(high, table->errors[i]);
    }
  /* Where H passes H(0) the difference may be tiny; the six decades below the top say enough. */
  if (high > 0)
    shk_axis_range(&panel->y, fmax(low, high * 1e-6), high, 3);
  else
    panel->y = (struct shk_axis){.logarithmic = true, .low = 1e-17, .high = 1e-15};
  panel->y.label = shk_label("|{/:Italic H} − {/:Italic H}(0)|", "$|H-H(0)|$");
  shk_panel_layer(panel, "index 0 using 1:%d with lines linewidth 1.4 linecolor rgb 'black'",
                  table->shown + 2);
}

struct job {
  const struct shk_simulated_run *run;
  const struct table *table;
};

static bool draw_table(void *user, const char *folder, struct shk_message *error)
{
  static const char *const types[] = {"svg", NULL};
  const struct job *const job = user;
  struct shk_figure figure;
  build(&figure, job->run, job->table);
  return shk_figure_finish(&figure, folder, types, error);
}

bool shk_plot_rows(const struct shk_simulated_run *run, const char *csv_file, const char *svg_file,
                   struct shk_message *error)
{
  struct table table = {0};
  struct job job = {run, &table};
  const bool ok = read_table(&table, csv_file, error) &&
                  shk_draw_one_file(svg_file, "run", draw_table, &job, error);
  clear(&table);
  return ok;
}
