/* The rows of a run of `simulate`, in motion. See simulated.h. */
#include "plots/simulated.h"
#include "foundation/files/file.h"
#include "foundation/files/scratch.h"
#include "foundation/memory.h"
#include "plots/canvas/motion.h"
#include <stdlib.h>
#include <string.h>

struct rows {
  int n, count, value_count;
  double *times, *values; /* times since the first row; n coordinates of each row */
};

static void read_row(struct rows *rows, char *rest)
{
  const double time = strtod(strsep(&rest, ","), NULL);
  *SHK_APPEND(rows->times, rows->count) = time;
  for (int k = 0; k < rows->n; k++)
    *SHK_APPEND(rows->values, rows->value_count) = rest ? strtod(strsep(&rest, ","), NULL) : 0;
}

/* Reads the rows that `simulate` wrote, with the number of coordinates in their header. False with
 * the reason. */
static bool read_rows(struct rows *rows, const char *path, struct shk_message *error)
{
  FILE *const file = fopen(path, "r");
  char *line = NULL;
  size_t room = 0;
  if (file && getline(&line, &room, file) > 0)
    for (char *rest = line, *name; (name = strsep(&rest, ","));)
      rows->n += name[0] == 'q';
  while (file && getline(&line, &room, file) > 0)
    read_row(rows, line);
  for (int i = rows->count - 1; i >= 0; i--)
    rows->times[i] -= rows->times[0];
  free(line);
  if (file)
    fclose(file);
  return rows->count > 0 || shk_message_set(error, "no rows of a run in %s", path);
}

bool shk_animate_rows(const struct shk_context *context, const char *problem,
                      const char *integrator, const char *csv_file, const char *gif_file,
                      struct shk_message *error)
{
  static const char *const types[] = {"gif", NULL};
  struct rows rows = {0};
  struct shk_chart chart;
  const struct shk_look look = {.colour = "blue", .mark = "circle", .line = "solid"};
  char *const folder = shk_scratch_make();
  char *const drawn = shk_print_text("%s/motion.gif", folder ? folder : "");
  shk_chart_begin(&chart, shk_copy_text("motion"));
  shk_chart_panel(&chart, "motion", "motion", problem);
  shk_chart_method(&chart, 0, integrator, &look, "");
  bool ok = (folder || shk_message_set(error, "cannot make a folder for temporary files below "
                                              "TMPDIR or /tmp")) &&
            read_rows(&rows, csv_file, error) &&
            shk_motion_add(&chart, context, problem, 0, integrator, true, true, rows.count,
                           rows.times, rows.n, rows.values, error);
  if (ok)
    ok = shk_chart_finish(&chart, &(const struct shk_plot_files){folder, types, NULL}, error) &&
         shk_copy_file(drawn, gif_file, error);
  else
    shk_chart_clear(&chart);
  shk_scratch_remove(folder);
  free(rows.times);
  free(rows.values);
  free(drawn);
  free(folder);
  return ok;
}
