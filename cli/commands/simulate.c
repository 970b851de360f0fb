/* shakedown simulate: one trajectory as rows of numbers. */
#include "cli/commands/simulate_subprocess.h"
#include "cli/shared/options.h"
#include "cli/shared/output/terminal.h"
#include "cli/shared/times.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "plots/simulated.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char default_tolerance[] = "1e-8";

struct simulate {
  const char *step, *until, *precision, *tolerance, *q, *p, *plot, *animation;
  long every;
  bool project;
  struct shk_arguments arguments;
};

/* ---- rows ---- */

struct rows {
  enum shk_format format;
  bool began;
  FILE *copy;             /* rows as CSV for the plot; NULL: no plot */
  struct shk_table table; /* printed at the end, unless rows are printed one by one */
};

static void add_names(char **names, int *count, const char *letter, int n)
{
  for (int i = 1; i <= n; i++)
    names[(*count)++] = shk_print_text("%s%d", letter, i);
}

/* Names of the columns: t,q1,…,p1,…,lambda1,…,energy,constraint,hidden. */
static char **column_names(int *count, int n, int m)
{
  char **names = shk_allocate(2 * (size_t)n + (size_t)m + 4, sizeof *names);
  *count = 0;
  names[(*count)++] = shk_copy_text("t");
  add_names(names, count, "q", n);
  add_names(names, count, "p", n);
  add_names(names, count, "lambda", m);
  names[(*count)++] = shk_copy_text("energy");
  names[(*count)++] = shk_copy_text("constraint");
  names[(*count)++] = shk_copy_text("hidden");
  return names;
}

static void print_names(FILE *file, char *const *names, int count)
{
  for (int i = 0; i < count; i++)
    fprintf(file, "%s%s", i > 0 ? "," : "", names[i]);
  putc('\n', file);
}

static void begin_rows(struct rows *rows, int n, int m)
{
  int count;
  char **names = column_names(&count, n, m);
  if (rows->copy)
    print_names(rows->copy, names, count);
  if (rows->format == SHK_FORMAT_CSV) {
    print_names(stdout, names, count);
  } else {
    enum shk_alignment *right = shk_allocate((size_t)count, sizeof *right);
    for (int i = 0; i < count; i++)
      right[i] = SHK_ALIGN_RIGHT;
    shk_table_init(&rows->table, count, (const char *const *)names, right);
    free(right);
  }
  shk_free_texts(names, count);
  rows->began = true;
}

static void take_row(void *user, int n, int m, const char *row)
{
  struct rows *rows = user;
  if (!rows->began)
    begin_rows(rows, n, m);
  if (rows->copy)
    fprintf(rows->copy, "%s\n", row);
  if (rows->format == SHK_FORMAT_CSV) {
    puts(row);
    return;
  }
  char *copy = shk_copy_text(row), *rest = copy;
  const char **fields = shk_allocate((size_t)rows->table.column_count, sizeof *fields);
  for (int i = 0; i < rows->table.column_count; i++)
    fields[i] = strsep(&rest, ",");
  shk_table_add(&rows->table, fields);
  free(fields);
  free(copy);
}

/* ---- the cell ---- */

static bool ends_in(const char *option, const char *path, const char *ending, const char *type)
{
  if (!path || shk_ends_with(path, ending))
    return true;
  shk_complain("%s: found '%s', expected FILE%s: one run is drawn as %s", option, path, ending,
               type);
  return false;
}

static bool needs_step(const struct simulate *s)
{
  if (s->step && s->until)
    return true;
  shk_complain("simulate: --step H and --until T are needed");
  return false;
}

static bool fill_tolerance(struct shk_cell *cell, const struct simulate *s,
                           const struct shk_integrator_info *info, struct shk_message *error)
{
  if (!info->adaptive) {
    if (!s->tolerance)
      return true;
    shk_message_set(error, "--tolerance: %s has fixed steps and takes no tolerance", info->name);
    return false;
  }
  struct shk_decimal tolerance;
  if (!shk_positive_number(&tolerance, "tolerance", s->tolerance ? s->tolerance : default_tolerance,
                           error))
    return false;
  cell->tolerance = shk_decimal_text(tolerance);
  return true;
}

/* Fills the cell and makes all checks that are possible before the run. */
static bool fill_cell(struct shk_cell *cell, const struct simulate *s, struct shk_message *error)
{
  struct shk_message reason;
  if (!shk_engine_named(s->precision, &reason)) {
    shk_message_set(error, "--precision: %s", reason.text);
    return false;
  }
  const char *const problem = s->arguments.words[0], *const integrator = s->arguments.words[1];
  if (shk_find_integrator(&s->arguments.context, problem) &&
      shk_find_problem(&s->arguments.context, integrator)) {
    shk_message_set(error,
                    "found the integrator %s before the problem %s, expected the problem first: "
                    "`shakedown simulate '%s' '%s' …`",
                    problem, integrator, integrator, problem);
    return false;
  }
  cell->problem = shk_canonical_problem(&s->arguments.context, s->arguments.words[0], error);
  if (!cell->problem)
    return false;
  cell->integrator = shk_canonical_integrator(&s->arguments.context, s->arguments.words[1], error);
  if (!cell->integrator)
    return false;
  cell->kind = shk_copy_text("run");
  cell->precision = shk_copy_text(s->precision);
  return shk_fill_start(cell, s->q, s->p, s->project, error) &&
         fill_tolerance(cell, s, shk_find_integrator(&s->arguments.context, cell->integrator),
                        error) &&
         shk_check_times(&cell->step, &cell->until, s->step, s->until, error);
}

static int conclude(const struct shk_simulated *result)
{
  if (result->no_plugin) {
    shk_complain("%s", result->reason);
    return SHK_EXIT_BAD_INPUT;
  }
  if (result->finished && result->code == SHK_OK)
    return SHK_EXIT_HELD;
  if (result->rows == 0 && (result->code == SHK_REFUSED || result->code == SHK_BAD_INPUT ||
                            result->code == SHK_INCONSISTENT)) {
    shk_complain("%s", result->reason);
    return SHK_EXIT_BAD_INPUT;
  }
  if (result->finished)
    shk_complain("stopped at t0 + %s: %s%s (%s)", result->reached,
                 result->code == SHK_NOT_CONVERGED ? "try a smaller step: " : "", result->reason,
                 shk_code_name(result->code));
  else
    shk_complain("stopped after %ld rows: %s", result->rows, result->reason);
  return SHK_EXIT_INCOMPLETE;
}

/* Opens the temporary file through which the rows go to the plot. */
static bool open_copy(struct rows *rows, char *path, size_t size)
{
  const char *folder = getenv("TMPDIR");
  snprintf(path, size, "%s/shakedown-XXXXXX", folder != NULL && *folder != '\0' ? folder : "/tmp");
  const int descriptor = mkstemp(path);
  rows->copy = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
  if (!rows->copy)
    shk_complain("%s: %s", path, strerror(errno));
  return rows->copy != NULL;
}

/* Draws the copied rows. Returns `status`, or the status of the drawing if that failed. */
static int draw(struct rows *rows, const char *path, const struct simulate *s,
                const struct shk_cell *cell, int status)
{
  struct shk_message error = {.text = ""};
  const struct shk_simulated_run run = {cell->problem, cell->integrator, cell->step};
  const bool whole = fclose(rows->copy) == 0;
  rows->copy = NULL;
  if (rows->began && !whole)
    shk_complain("%s: %s", path, strerror(errno));
  else if (rows->began && !((!s->plot || shk_plot_rows(&run, path, s->plot, &error)) &&
                            (!s->animation || shk_animate_rows(&s->arguments.context, &run, path,
                                                               s->animation, &error))))
    shk_complain("%s", error.text);
  else
    return status;
  return SHK_EXIT_INCOMPLETE;
}

static int integrate(const struct simulate *s, const struct shk_cell *cell, struct rows *rows)
{
  struct shk_message error = {.text = ""};
  struct shk_simulated result;
  if (!shk_simulate_in_subprocess(&s->arguments.context, &result, cell, s->every,
                                  s->arguments.plugins, s->arguments.plugin_count, take_row, rows,
                                  &error)) {
    shk_complain("%s", error.text);
    return SHK_EXIT_INCOMPLETE;
  }
  if (rows->began && rows->format != SHK_FORMAT_CSV)
    shk_show_table(&rows->table, rows->format);
  return conclude(&result);
}

static int simulate(const struct simulate *s)
{
  struct shk_cell cell = {0};
  struct shk_message error = {.text = ""};
  struct rows rows = {.format = s->arguments.format};
  char copy[PATH_MAX];
  int status = SHK_EXIT_BAD_INPUT;
  if (!fill_cell(&cell, s, &error))
    shk_complain("%s", error.text);
  else if (!s->plot && !s->animation)
    status = integrate(s, &cell, &rows);
  else if (open_copy(&rows, copy, sizeof copy)) {
    status = draw(&rows, copy, s, &cell, integrate(s, &cell, &rows));
    remove(copy);
  }
  shk_table_clear(&rows.table);
  shk_cell_clear(&cell);
  return status;
}

static int run(const struct shk_command *command, int argc, char **argv)
{
  struct simulate s = {.precision = "double", .every = 1};
  const struct shk_flag flags[] = {
      {"step", 0, SHK_FLAG_TEXT, "H", "step size; for adaptive solvers the spacing of the rows",
       &s.step},
      {"until", 0, SHK_FLAG_TEXT, "T", "horizon, from the problem's initial time", &s.until},
      {"every", 0, SHK_FLAG_COUNT, "K", "print every K-th step and the last (default 1)", &s.every},
      {"precision", 0, SHK_FLAG_TEXT, "single|double|quad",
       "precision of all numbers (default double)", &s.precision},
      {"tolerance", 0, SHK_FLAG_TEXT, "TOL", "tolerance of adaptive solvers (default 1e-8)",
       &s.tolerance},
      {"q", 'q', SHK_FLAG_TEXT, "Q1,Q2,…", "start from these coordinates", &s.q},
      {"p", 'p', SHK_FLAG_TEXT, "P1,P2,…", "and these momenta", &s.p},
      {"project", 0, SHK_FLAG_SWITCH, NULL, "make that start consistent", &s.project},
      {"plot", 0, SHK_FLAG_TEXT, "FILE.svg", "also draw the run", &s.plot},
      {"animate", 0, SHK_FLAG_TEXT, "FILE.gif", "also animate the mechanism", &s.animation},
      {NULL, 0, SHK_FLAG_SWITCH, NULL, NULL, NULL}};
  int status;
  if (shk_arguments_read(&s.arguments, &status, command, flags, 2, 2, argc, argv))
    status = needs_step(&s) && ends_in("--plot", s.plot, ".svg", "SVG") &&
                     ends_in("--animate", s.animation, ".gif", "GIF") &&
                     shk_use_plugins(&s.arguments)
                 ? simulate(&s)
                 : SHK_EXIT_BAD_INPUT;
  shk_arguments_clear(&s.arguments);
  return status;
}

const struct shk_command shk_command_simulate = {
    .name = "simulate",
    .synopsis = "PROBLEM INTEGRATOR --step H --until T [option …]",
    .summary = "Integrates and writes the trajectory",
    .help = "The columns are t,q1,…,p1,…,lambda1,…,energy,constraint,hidden with all digits of\n"
            "the precision: a row for the start, one for every K-th step, and the last. The force\n"
            "of the constraints is -Gᵀ lambda. In the row of t, lambda is the multiplier that\n"
            "acted at t - h and made g = 0 at t; in the first row it is that of the exact motion.\n"
            "Exit status 3: the run stopped early.",
    .formats = 1u << SHK_FORMAT_TABLE | 1u << SHK_FORMAT_CSV | 1u << SHK_FORMAT_JSON,
    .format = SHK_FORMAT_CSV,
    .run = run};
