/*
 * shakedown simulate: prints a trajectory as rows of numbers. The integration runs in a separate
 * process, which sends each row immediately, so that earlier rows are not lost if a step crashes.
 */
#include "cli/shared/options.h"
#include "cli/shared/times.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/specifications/spec.h"
#include "harness/run/worker.h"
#include "plots/simulated.h"
#include "results/record/cell_text.h"
#include "results/record/record_bytes.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char default_tolerance[] = "1e-8";

struct simulate {
  struct shk_arguments arguments;
  const char *step, *until, *precision, *tolerance, *animation, *plot;
  long every, steps;
  /* true to print the exact multipliers at the row's state, false to print those of the method */
  bool of_state;
  bool crossings;
  struct shk_cell cell;
  FILE *files[2]; /* standard output and the temporary file; each is NULL if not needed */
  char *path;     /* path of the temporary file */
  long row_count;
  int fault; /* errno from a failed attempt to write a row, or 0 */
  struct shk_worker worker;
};

/* ---- rows ---- */

/* Prints the column names: t,q1,…,p1,…,lambda1,… (or lambda-state1,…), followed by three more names
 * and those of the joints' columns. */
static void print_names(FILE *file, const struct shk_row *row, bool of_state)
{
  const char *const names[] = {"q", "p", of_state ? "lambda-state" : "lambda"};
  const int counts[] = {row->n, row->n, row->m};
  putc('t', file);
  for (int k = 0; k < 3; k++)
    for (int i = 1; i <= counts[k]; i++)
      fprintf(file, ",%s%d", names[k], i);
  fprintf(file, ",energy,constraint,hidden%s\n", row->names ? row->names : "");
}

/* Prints a row as CSV. The row itself contains numbers separated by blanks. */
static void print_row(struct simulate *s, const struct shk_row *row)
{
  for (char *at = row->text; (at = strchr(at, ' ')) != NULL;)
    *at = ',';
  for (int i = 0; i < 2; i++) {
    FILE *const file = s->files[i];
    if (file && s->row_count == 0)
      print_names(file, row, s->of_state);
    if (file && (fprintf(file, "%s\n", row->text) < 0 || fflush(file) != 0))
      s->fault = errno;
  }
  s->row_count++;
}

/* Time limit for the first row of an external program. It includes the program's greeting and the
 * check that the program applies to the problem. */
enum { GREETING_SECONDS = 60 };

/* Handles a row or the end of the trajectory. Returns 0, which removes the time limit, or -1 if the
 * message cannot be read. */
static double take_row(void *user, const char *bytes, size_t size)
{
  struct simulate *const s = user;
  struct shk_message error;
  struct shk_stream stream;
  struct shk_row row = {0};
  if (!shk_reply_open(&stream, bytes, size, &error))
    return -1;
  shk_pass_row(&stream, &row);
  if (row.text && !s->fault)
    print_row(s, &row);
  free(row.names);
  free(row.text);
  free(row.reason);
  if (s->fault)
    shk_worker_end(&s->worker); /* further rows would be lost, so the process is no longer needed */
  return 0;
}

/* ---- the cell ---- */

static bool fill_tolerance(struct shk_cell *cell, const struct simulate *s,
                           const struct shk_integrator_info *info, struct shk_message *error)
{
  if (!info->adaptive)
    return !s->tolerance ||
           shk_message_set(error, "--tolerance: %s has fixed steps, so it takes no tolerance",
                           info->name);
  struct shk_decimal tolerance;
  if (!shk_positive_number(&tolerance, "tolerance", s->tolerance ? s->tolerance : default_tolerance,
                           error))
    return false;
  cell->tolerance = shk_decimal_text(tolerance);
  return true;
}

/* Fills in the cell and performs all checks that can be made before the run. */
static bool fill_cell(struct simulate *s, struct shk_message *error)
{
  struct shk_cell *const cell = &s->cell;
  struct shk_message reason;
  if (!shk_engine_named(s->precision, &reason))
    return shk_message_set(error, "--precision: %s", reason.text);
  const struct shk_context *const context = &s->arguments.context;
  const char *const problem = s->arguments.words[0], *const integrator = s->arguments.words[1];
  if (shk_find_integrator(context, problem) && shk_find_problem(context, integrator))
    return shk_message_set(
        error,
        "found the integrator %s before the problem %s, expected the problem first: "
        "`shakedown simulate '%s' '%s' …`",
        problem, integrator, integrator, problem);
  cell->problem = shk_canonical_problem(context, problem, error);
  cell->integrator = cell->problem ? shk_canonical_integrator(context, integrator, error) : NULL;
  if (!cell->integrator)
    return false;
  cell->kind = shk_copy_text("run");
  cell->precision = shk_copy_text(s->precision);
  return shk_fill_start(cell, &s->arguments, error) &&
         fill_tolerance(cell, s, shk_find_integrator(context, cell->integrator), error) &&
         shk_check_times(&s->steps, &cell->step, &cell->until, s->step, s->until, error);
}

/* ---- results ---- */

/* Returns the exit status, which depends on how the process ended and on its last message. */
static int conclude_simulate(const struct simulate *s, const struct shk_worker_result *result,
                             bool runs_program)
{
  struct shk_message error = {""};
  struct shk_stream stream;
  struct shk_row end = {0};
  char reason[SHK_MESSAGE_SIZE];
  if (s->fault == EPIPE)
    raise(SIGPIPE);
  if (s->fault)
    return shk_incomplete("a row cannot be written: %s", strerror(s->fault));
  if (result->record.end != SHK_END_FINISHED) {
    shk_record_reason(reason, sizeof reason, &result->record);
    if (runs_program && s->row_count == 0)
      return shk_incomplete("stopped after 0 rows: no greeting or first row within %d s (%s)",
                            GREETING_SECONDS, reason);
    return shk_incomplete("stopped after %ld rows: %s", s->row_count, reason);
  }
  if (!shk_reply_open(&stream, result->answer, result->size, &error))
    return shk_bad_input("%s", error.text);
  shk_pass_row(&stream, &end);
  const enum shk_code code = (enum shk_code)end.code;
  int status = SHK_EXIT_HELD;
  if (code != SHK_OK && s->row_count == 0 &&
      (code == SHK_REFUSED || code == SHK_BAD_INPUT || code == SHK_INCONSISTENT))
    status = shk_bad_input("%s", end.reason);
  else if (code != SHK_OK)
    status = shk_incomplete("stopped at t0 + %.6g: %s (%s)", end.reached, end.reason,
                            shk_code_name(code));
  free(end.names);
  free(end.text);
  free(end.reason);
  return status;
}

/* Opens the files to which rows are written. On failure, prints an error message and returns
 * false. */
static bool open_files(struct simulate *s)
{
  s->files[0] = stdout;
  if (!s->animation && !s->plot)
    return true;
  const char *const folder = getenv("TMPDIR");
  s->path = shk_print_text("%s/shakedown-XXXXXX", folder && *folder != '\0' ? folder : "/tmp");
  const int descriptor = mkstemp(s->path);
  s->files[1] = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
  return s->files[1] || shk_complain("%s: %s", s->path, strerror(errno));
}

/* Prints the problem's note, if there is one. If the note cannot be obtained, the run will report
 * the reason. */
static void tell_note(const struct simulate *s)
{
  struct shk_inspection is;
  struct shk_message unused;
  if (shk_inspect(&s->arguments.context, &is, s->precision, s->cell.problem, &unused) &&
      is.note[0] != '\0')
    shk_complain("note: %s", is.note);
}

/* ---- singular crossings ---- */

static void print_crossings(const struct shk_outcome *outcome)
{
  static const char word[] = "crossing ";
  const struct shk_series *const crossings = shk_outcome_series(outcome, "crossing");
  const int count = crossings ? crossings->count : 0;
  if (count == 0)
    fputs("the run passes through no singular configuration\n", stderr);
  for (int i = 0; i < count; i++) {
    const char *before = ": ";
    fprintf(stderr, "singular at t0 + %.10g", crossings->time[i]);
    for (int k = 0; k < outcome->series_count; k++) {
      const struct shk_series *const one = &outcome->series[k];
      if (strncmp(one->name, word, sizeof word - 1) != 0)
        continue;
      fprintf(stderr, "%s%s = %.10g", before, one->name + sizeof word - 1, one->mean[i]);
      before = ", ";
    }
    putc('\n', stderr);
  }
}

/* Runs the cell again with the measure for singular configurations, which decomposes the constraint
 * Jacobian at every step. Prints the singular configurations that the run crosses. On failure,
 * returns false and sets the reason. */
static bool find_crossings(struct simulate *s, const struct shk_workers *setup,
                           struct shk_message *error)
{
  struct shk_cell cell = s->cell;
  struct shk_record record = {0};
  struct shk_worker_result result = {0};
  cell.kind = (char *)"regularity";
  cell.times = &cell.until;
  cell.time_count = 1;
  cell.step_counts = (long long[]){s->steps};
  char *const text = shk_cell_text(&cell);
  const struct shk_request request = {.cell = text,
                                      .step_count = 1,
                                      .step_counts = cell.step_counts,
                                      .folder = s->arguments.context.access.folder};
  bool ok = shk_worker_ask(&s->worker, setup, &request, NULL, NULL, &result, error) &&
            shk_worker_finished(&result, error) &&
            shk_record_read(&record, result.answer, result.size, error);
  if (ok && record.outcome.code != SHK_OK && !shk_outcome_series(&record.outcome, "crossing"))
    ok = shk_message_set(error, "--crossings: %s", record.outcome.reason);
  if (ok)
    print_crossings(&record.outcome);
  shk_record_clear(&record);
  shk_worker_result_clear(&result);
  free(text);
  return ok;
}

static int run(void *self)
{
  struct simulate *const s = self;
  struct shk_message error = {""};
  s->precision = s->precision ? s->precision : "double";
  s->every = s->every > 0 ? s->every : 1;
  if (!s->step || !s->until)
    return shk_bad_input("simulate: --step H and --until T are needed");
  if (s->animation && !shk_ends_with(s->animation, ".gif"))
    return shk_bad_input("--animate: found '%s', expected FILE.gif", s->animation);
  if (s->plot && !shk_ends_with(s->plot, ".pdf") && !shk_ends_with(s->plot, ".svg") &&
      !shk_ends_with(s->plot, ".png"))
    return shk_bad_input("--plot: found '%s', expected FILE.pdf, FILE.svg or FILE.png", s->plot);
  if (!fill_cell(s, &error))
    return shk_bad_input("%s", error.text);
  if (!open_files(s))
    return SHK_EXIT_INCOMPLETE;
  char *const text = shk_cell_text(&s->cell);
  const bool runs_program = shk_spec_programs(s->cell.integrator, NULL, NULL) +
                                shk_spec_programs(s->cell.problem, NULL, NULL) >
                            0;
  const struct shk_workers setup = shk_workers_asked(&s->arguments);
  const struct shk_request request = {.cell = text,
                                      .rows = {s->every, s->steps, s->of_state},
                                      .folder = s->arguments.context.access.folder,
                                      .seconds = runs_program ? GREETING_SECONDS : 0};
  struct shk_worker_result result;
  if (!runs_program && !s->arguments.quiet)
    tell_note(s);
  signal(SIGPIPE, SIG_IGN); /* if the reader has closed the pipe, this causes a write error */
  const bool asked = shk_worker_ask(&s->worker, &setup, &request, take_row, s, &result, &error);
  signal(SIGPIPE, SIG_DFL);
  const int status =
      asked ? conclude_simulate(s, &result, runs_program) : shk_bad_input("%s", error.text);
  if (asked && result.record.output)
    fputs(result.record.output, stderr);
  shk_worker_result_clear(&result);
  free(text);
  if (s->crossings && s->row_count > 0 && !find_crossings(s, &setup, &error))
    return shk_incomplete("%s", error.text);
  const struct shk_simulated simulated = {&s->arguments.context, &s->cell, s->path,
                                          status == SHK_EXIT_HELD};
  const char *const drawn[] = {s->animation, s->plot};
  for (int i = 0; i < 2; i++)
    if (drawn[i] && s->row_count > 0 && !shk_draw_simulated(&simulated, drawn[i], &error))
      return shk_incomplete("%s", error.text);
  return status;
}

static void clear_simulate(void *self)
{
  struct simulate *const s = self;
  shk_worker_end(&s->worker);
  if (s->files[1]) {
    fclose(s->files[1]);
    remove(s->path);
  }
  free(s->path);
  shk_cell_clear(&s->cell);
}

#define AT(member) offsetof(struct simulate, member)
static const struct shk_flag flags[] = {
    SHK_OPTION(TEXT, "step", 0, AT(step), "H",
               "step size, or the spacing of rows for adaptive solvers"),
    SHK_OPTION(TEXT, "until", 0, AT(until), "T", "horizon, from the problem's initial time"),
    SHK_OPTION(COUNT, "every", 0, AT(every), "K", "print every K-th step and the last (default 1)"),
    SHK_OPTION(TEXT, "precision", 0, AT(precision), "single|double|quad",
               "precision of all numbers (default double)"),
    SHK_OPTION(TEXT, "tolerance", 0, AT(tolerance), "TOL",
               "tolerance for adaptive solvers (default 1e-8)"),
    SHK_SWITCH("lambda-state", 0, AT(of_state),
               "print the multipliers of the exact motion through each row's state at the same t"),
    SHK_SWITCH("crossings", 0, AT(crossings),
               "after a second run, also print to standard error the times of singular "
               "configurations and the joints involved"),
    SHK_OPTION(TEXT, "animate", 0, AT(animation), "FILE.gif", "also animate the mechanism"),
    SHK_OPTION(TEXT, "plot", 0, AT(plot), "FILE",
               "also draw the energy, the path and the constraints, as .pdf, .svg or .png"),
    {0}};

const struct shk_command shk_command_simulate = {
    .name = "simulate",
    .synopsis = "PROBLEM INTEGRATOR --step H --until T [option …]",
    .summary = "Integrates a problem and writes the trajectory as CSV",
    .help = "The columns are t,q1,…,p1,…,lambda1,…,energy,constraint,hidden with all digits of\n"
            "the precision. There is a row for the start, for every K-th step and for the last\n"
            "step. The constraint force is -Gᵀ lambda. In the row for t, lambda is the multiplier\n"
            "that acted at t - h and made g = 0 at t; in the first row it is the multiplier of\n"
            "the exact motion. With --lambda-state, every row contains the multiplier of the\n"
            "exact motion at its own t.\n"
            "Mechanisms add named columns for their joints: elbow.angle and elbow.rate (in\n"
            "radians), slide.position and slide.velocity, and the wrench on the joint's second\n"
            "body, computed from the multiplier of the exact motion: elbow.force_x to\n"
            "elbow.torque_z along the space axes, and elbow.force_1 to elbow.torque_3 along the\n"
            "joint's own axes, of which the third is the joint axis. An indeterminate wrench is\n"
            "printed as nan.\n"
            "The exit status is 3 if the run stopped early.",
    .line = {2, 2, SHK_TAKES_START | SHK_TAKES_KICK, flags},
    .does = {sizeof(struct simulate), run, clear_simulate}};
