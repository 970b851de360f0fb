/*
 * The motion of a run that `simulate` wrote. Of many rows some are taken, at even distances, and
 * the last.
 */
#include "foundation/memory.h"

#include "engine/names.h"
#include "plots/motion/motion.h"
#include "plots/simulated.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 2000 };

struct rows {
  int coordinates; /* q1, … stand after t */
  int count;
  double *times;
  double *q; /* `coordinates` of each */
};

static void clear(struct rows *rows)
{
  free(rows->q);
  free(rows->times);
}

static bool read_header(struct rows *rows, const char *line)
{
  if (line[0] != 't')
    return false;
  for (const char *at = strchr(line, ','); at && at[1] == 'q'; at = strchr(at + 1, ','))
    rows->coordinates++;
  return rows->coordinates > 0;
}

/* t and q; false if it is no such row. */
static bool read_row(struct rows *rows, const char *line, double start)
{
  char *end;
  const double time = strtod(line, &end);
  if (end == line || *end != ',')
    return false;
  const size_t n = (size_t)rows->coordinates, count = (size_t)rows->count;
  if ((count & (count - 1)) == 0) /* room for twice as many */
    rows->q = shk_reallocate(rows->q, (count ? 2 * count : 1) * n, sizeof *rows->q);
  rows->times = shk_grow(rows->times, count, sizeof *rows->times);
  for (size_t i = 0; i < n; i++) {
    const char *const from = end + 1;
    rows->q[count * n + i] = strtod(from, &end);
    if (end == from || *end != ',')
      return false;
  }
  rows->times[count] = time - start;
  rows->count++;
  return true;
}

static long count_lines(FILE *file)
{
  long count = 0;
  for (int c; (c = getc(file)) != EOF;)
    count += c == '\n';
  rewind(file);
  return count;
}

static bool read_rows(struct rows *rows, const char *path, double start, struct shk_message *error)
{
  FILE *const file = fopen(path, "r");
  if (!file) {
    shk_message_set(error, "cannot read %s: %s", path, strerror(errno));
    return false;
  }
  const long last = count_lines(file), each = (last + MOST_ROWS - 1) / MOST_ROWS;
  char *line = NULL;
  size_t room = 0;
  bool ok = getline(&line, &room, file) > 0 && read_header(rows, line);
  if (!ok)
    shk_message_set(error, "%s: expected a header \"t,q1,…\"", path);
  for (long number = 2; ok && getline(&line, &room, file) > 0; number++) {
    if ((number - 2) % each != 0 && number != last)
      continue;
    ok = read_row(rows, line, start);
    if (!ok)
      shk_message_set(error, "%s:%ld: expected a row of numbers like the header", path, number);
  }
  free(line);
  fclose(file);
  return ok;
}

struct job {
  const struct shk_motion *motion;
  const struct shk_simulated_run *run;
  const char *name;
};

static bool draw(void *user, const char *folder, struct shk_message *error)
{
  static const char *const types[] = {"svg", NULL};
  const struct job *const job = user;
  struct shk_figure figure;
  shk_figure_begin(&figure, shk_copy_text(job->name), 1, 1, 1);
  figure.method_names = &job->run->integrator;
  figure.title = shk_print_text("motion of %s", job->run->problem);
  shk_key_note(&figure, job->run->problem);
  if (job->run->step)
    shk_key_note_more(&figure, ", h = ", job->run->step);
  shk_key_method(&figure, 0);
  return shk_motion_draw(job->motion, &figure, folder, types, error);
}

bool shk_plot_motion(const struct shk_context *context, const struct shk_simulated_run *run,
                     const char *csv_file, const char *svg_file, struct shk_message *error)
{
  const char *const problem = run->problem;
  struct shk_inspection inspection;
  if (!shk_inspect(context, &inspection, "double", problem, error))
    return false;
  const struct shk_problem_info *const info = shk_find_problem(context, problem);
  const bool si = info && info->units && strncmp(info->units, "SI", 2) == 0;
  struct rows rows = {0};
  struct shk_motion motion = {.time_unit = si ? " s" : ""};
  char *const slug = shk_slug(problem), *const name = shk_print_text("motion-%s", slug);
  struct job job = {&motion, run, name};
  const bool ok = read_rows(&rows, csv_file, inspection.initial_time, error) &&
                  shk_motion_add(context, &motion, problem, 0, true, rows.count, rows.times,
                                 rows.coordinates, rows.q, error) &&
                  shk_motion_choose_frames(&motion, error) &&
                  shk_draw_one_file(svg_file, name, draw, &job, error);
  shk_motion_clear(&motion);
  clear(&rows);
  free(name);
  free(slug);
  return ok;
}
