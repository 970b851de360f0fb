/*
 * Draws figures of a run computed by `simulate`. The rows that it wrote are converted to the record
 * of a study that consists of one cell and one figure, so that the figure can be drawn like any
 * other. See simulated.h.
 */
#include "plots/simulated.h"
#include "foundation/files/file.h"
#include "foundation/files/scratch.h"
#include "foundation/memory.h"
#include "plots/kinds/kinds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SAMPLES = 50000, COLUMNS = 3 };

/* The last columns of a row: the energy, |g|, and the violation of the hidden constraint. */
static const enum shk_series_id series_of[COLUMNS] = {SHK_SERIES_ENERGY_ERROR,
                                                      SHK_SERIES_CONSTRAINT, SHK_SERIES_HIDDEN};
struct rows {
  int n, m, count, value_count;
  double *times, *values; /* times since the first row; n + COLUMNS values per row */
};

/* Reads a row, which contains t, q, p, lambda and the last columns. Stores t, q and the last
 * columns. */
static void read_row(struct rows *rows, char *rest)
{
  const double time = strtod(strsep(&rest, ","), NULL);
  *SHK_APPEND(rows->times, rows->count) = time;
  for (int k = 0; k < 2 * rows->n + rows->m + COLUMNS; k++) {
    const double value = rest ? strtod(strsep(&rest, ","), NULL) : 0;
    if (k < rows->n || k >= 2 * rows->n + rows->m)
      *SHK_APPEND(rows->values, rows->value_count) = value;
  }
}

/* Reads the rows that `simulate` wrote. The header determines the numbers of coordinates and
 * multipliers. On failure, returns false and sets the message. */
static bool read_rows(struct rows *rows, const char *path, struct shk_message *error)
{
  FILE *const file = fopen(path, "r");
  char *line = NULL;
  size_t room = 0;
  if (file && getline(&line, &room, file) > 0)
    for (char *rest = line, *name; (name = strsep(&rest, ",")) && strcmp(name, "energy") != 0;) {
      rows->n += name[0] == 'q';
      rows->m += strncmp(name, "lambda", 6) == 0;
    }
  while (file && getline(&line, &room, file) > 0)
    read_row(rows, line);
  for (int i = rows->count - 1; i >= 0; i--)
    rows->times[i] -= rows->times[0];
  free(line);
  if (file)
    fclose(file);
  return rows->count > 0 || shk_message_set(error, "%s contains no rows of a run", path);
}

/* Builds the outcome. Its series contain all rows; its samples contain the positions in every k-th
 * row and in the last row. */
static void make_outcome(struct shk_outcome *outcome, const struct rows *rows, bool complete)
{
  const int width = rows->n + COLUMNS, each = (rows->count + MOST_SAMPLES - 2) / (MOST_SAMPLES - 1);
  double most = 0;
  outcome->n = rows->n;
  outcome->m = rows->m;
  outcome->reached = rows->times[rows->count - 1];
  outcome->code = complete ? SHK_OK : SHK_STOPPED;
  for (int k = 0; k < (rows->m > 0 ? COLUMNS : 1); k++) {
    struct shk_series *const series =
        shk_outcome_add_series(outcome, shk_series_entries[series_of[k]].name, rows->count);
    for (int i = 0; i < rows->count; i++) {
      const double value =
          rows->values[i * width + rows->n + k] - (k == 0 ? rows->values[rows->n] : 0);
      series->time[i] = rows->times[i];
      series->minimum[i] = series->mean[i] = series->maximum[i] = value;
      most = k == 0 && fabs(value) > most ? fabs(value) : most;
    }
  }
  shk_outcome_add_scalar(outcome, shk_quantities[SHK_QUANTITY_ENERGY_MAX].scalar, most);
  for (int i = 0; i < rows->count; i++)
    if (i % each == 0 || i + 1 == rows->count)
      shk_sample_add_block(
          shk_outcome_add_sample(outcome, "", rows->times[i]), "q",
          shk_vector_copy(rows->values + i * width, rows->n, 8 * (int)sizeof *rows->values));
}

/* Chooses the first two coordinates that change as axes. If only one changes, the time is the
 * horizontal axis. */
static void name_axes(struct shk_phrase *axes, const struct rows *rows)
{
  const int width = rows->n + COLUMNS;
  int count = 0;
  for (int k = 0; k < rows->n && count < 2; k++)
    for (int i = 1; i < rows->count; i++)
      if (rows->values[i * width + k] != rows->values[k]) {
        axes[count++] = shk_phrase("q%d", k + 1);
        break;
      }
  if (count < 2) {
    axes[1] = count > 0 ? axes[0] : shk_phrase("q1");
    axes[0] = shk_phrase("t");
  }
}

/* Draws a figure with these panels from a record and copies it to the given file. */
static bool draw_record(const struct shk_simulated *run, const struct shk_record *record,
                        struct shk_study_figure *panels, int count, const char *file,
                        struct shk_message *error)
{
  const char *const types[] = {strrchr(file, '.') + 1, NULL};
  struct shk_study_figure figure = {.name = "run",
                                    .panels = panels,
                                    .panel_count = count,
                                    .width = count > 1 ? 14 : 0,
                                    .per_row = 2};
  const struct shk_study study = {.name = "run", .figures = &figure, .figure_count = 1};
  struct shk_planned planned = {.cell = record->cell, .role = SHK_ROLE_MEASURED};
  const struct shk_plan plan = {
      .context = run->context, .cells = &planned, .count = 1, .group_count = 1};
  const struct shk_analysis analysis = {0};
  struct shk_plotted plotted = {0};
  char *const folder = shk_scratch_make(), *const drawn = shk_print_text(
                                               "%s/run.%s", folder ? folder : "", types[0]);
  const struct shk_plot_request request = {.study = &study,
                                           .plan = &plan,
                                           .records = &record,
                                           .analysis = &analysis,
                                           .files = {folder, types, NULL}};
  const bool ok =
      (folder ||
       shk_message_set(error, "cannot create a folder for temporary files in TMPDIR or /tmp")) &&
      shk_plot_all(&plotted, &request, error) && shk_copy_file(drawn, file, error);
  shk_plotted_clear(&plotted);
  shk_scratch_remove(folder);
  free(drawn);
  free(folder);
  return ok;
}

bool shk_draw_simulated(const struct shk_simulated *run, const char *file,
                        struct shk_message *error)
{
  struct rows rows = {0};
  struct shk_record record = {.cell = *run->cell};
  bool ok = read_rows(&rows, run->csv_file, error);
  if (ok) {
    struct shk_phrase axes[2];
    name_axes(axes, &rows);
    struct shk_study_figure motion = {.kind = "motion"},
                            panels[] = {{.kind = "energy"},
                                        {.kind = axes[0].text[0] == 't' ? "phase" : "trajectory",
                                         .axes = {axes[0].text, axes[1].text}},
                                        {.kind = "constraint"}};
    const bool moving = shk_ends_with(file, ".gif");
    record.cell.numbers.step = record.cell.step ? strtod(record.cell.step, NULL) : 0;
    record.cell.numbers.tolerance = record.cell.tolerance ? strtod(record.cell.tolerance, NULL) : 0;
    make_outcome(&record.outcome, &rows, run->complete);
    ok = draw_record(run, &record, moving ? &motion : panels, moving ? 1 : 2 + (rows.m > 0), file,
                     error);
    shk_outcome_clear(&record.outcome);
  }
  free(rows.times);
  free(rows.values);
  return ok;
}
