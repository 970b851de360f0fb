/*
 * shakedown simulate: one trajectory as rows of numbers. The integration runs in a process of its
 * own. It writes each row at once, to standard output and, for an animation, to a temporary file,
 * so that a crash in a step does not lose the rows before it.
 */
#include "cli/shared/options.h"
#include "cli/shared/times.h"

#include "engine/names.h"
#include "engine/surface/handle.h"
#include "foundation/memory.h"
#include "foundation/processes/subprocess.h"
#include "foundation/specifications/spec.h"
#include "harness/run/isolated.h"
#include "plots/simulated.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char default_tolerance[] = "1e-8";

struct simulate {
  struct shk_arguments arguments;
  const char *step, *until, *precision, *tolerance, *animation;
  long every, steps;
  bool of_state; /* multipliers: exact ones of the row's state, else the method's */
  struct shk_cell cell;
  FILE *files[2]; /* standard output and the temporary file (NULL: not wanted) */
  char *path;     /* of the temporary file */
};

/* ---- the integrating process ---- */

struct answer {
  struct shk_answered is;
  enum shk_code code;
  double reached;
  long rows;    /* number of rows written */
  int error;    /* errno of a row that could not be written; 0: none */
  bool waiting; /* true until an external program has made its first row */
};

/* Prints the names of the columns: t,q1,…,p1,…,lambda1,… (or lambda-state1,…) and three more. */
static void print_names(FILE *file, const struct shakedown_sizes *sizes, bool of_state)
{
  const char *const names[] = {"q", "p", of_state ? "lambda-state" : "lambda"};
  const int counts[] = {sizes->n, sizes->n, sizes->m};
  putc('t', file);
  for (int k = 0; k < 3; k++)
    for (int i = 1; i <= counts[k]; i++)
      fprintf(file, ",%s%d", names[k], i);
  fputs(",energy,constraint,hidden\n", file);
}

/* Prints a row, whose numbers are separated by blanks, as CSV; frees it. */
static void print_row(const struct simulate *s, struct answer *answer,
                      const struct shakedown_sizes *sizes, char *row)
{
  for (char *at = row; (at = strchr(at, ' ')) != NULL;)
    *at = ',';
  for (int i = 0; i < 2; i++) {
    FILE *const file = s->files[i];
    if (file && answer->rows == 0)
      print_names(file, sizes, s->of_state);
    if (file && (fprintf(file, "%s\n", row) < 0 || fflush(file) != 0)) {
      answer->error = errno;
      _exit(1); /* the rows are lost, so this process has no purpose left */
    }
  }
  if (answer->rows++ == 0)
    alarm(0);
  answer->waiting = false;
  free(row);
}

/* Time limit of an external program's first row, for its greeting and the check that it applies. */
enum { GREETING_SECONDS = 60 };

static bool integrate_simulate(const struct shk_context *context, const void *user, void *filled,
                               struct shk_message *error)
{
  const struct simulate *const s = user;
  struct answer *const answer = filled;
  const struct shk_handle *const held = shk_engine_named(s->cell.precision, error)->held;
  struct shakedown_error failure = {0};
  char *row;
  signal(SIGPIPE, SIG_IGN); /* a reader that is gone is an error of writing */
  if (shk_spec_programs(s->cell.integrator, NULL, NULL) > 0) {
    answer->waiting = true;
    alarm(GREETING_SECONDS); /* ends this process */
  }
  struct shakedown_run *const run = held->run_begin(context, &s->cell, &failure);
  const struct shakedown_sizes *const sizes =
      run ? &((const struct shakedown_problem *)run)->sizes : NULL;
  for (long left = s->steps, next;
       run && (row = held->run_row_text(run, s->of_state, &failure)) != NULL; left -= next) {
    print_row(s, answer, sizes, row);
    next = left < s->every ? left : s->every;
    if (next == 0 || held->run_steps(run, next, &failure) != SHK_OK)
      break;
  }
  answer->code = (enum shk_code)failure.code;
  shk_text_fit(answer->is.reason, sizeof answer->is.reason, failure.text);
  if (run) {
    held->run_state(run, &answer->reached, NULL, NULL, NULL, NULL);
    answer->reached -= sizes->initial_time;
    held->run_close(run);
  }
  return true;
}

/* ---- the cell ---- */

static bool fill_tolerance(struct shk_cell *cell, const struct simulate *s,
                           const struct shk_integrator_info *info, struct shk_message *error)
{
  if (!info->adaptive)
    return !s->tolerance ||
           shk_message_set(error, "--tolerance: %s has fixed steps and takes no tolerance",
                           info->name);
  struct shk_decimal tolerance;
  if (!shk_positive_number(&tolerance, "tolerance", s->tolerance ? s->tolerance : default_tolerance,
                           error))
    return false;
  cell->tolerance = shk_decimal_text(tolerance);
  return true;
}

/* Fills the cell and makes all checks that are possible before the run. */
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

static int conclude_simulate(const struct answer *answer)
{
  const enum shk_code code = answer->code;
  const char *const reason = answer->is.reason;
  if (answer->error == EPIPE)
    raise(SIGPIPE);
  if (answer->error)
    return shk_incomplete("a row cannot be written: %s", strerror(answer->error));
  if (answer->is.answered && !answer->is.loaded)
    return shk_bad_input("%s", reason);
  if (!answer->is.ok && answer->waiting)
    return shk_incomplete("stopped after 0 rows: no greeting or first row in %d s (%s)",
                          GREETING_SECONDS, reason);
  if (!answer->is.ok)
    return shk_incomplete("stopped after %ld rows: %s", answer->rows, reason);
  if (code == SHK_OK)
    return SHK_EXIT_HELD;
  if (answer->rows == 0 &&
      (code == SHK_REFUSED || code == SHK_BAD_INPUT || code == SHK_INCONSISTENT))
    return shk_bad_input("%s", reason);
  return shk_incomplete("stopped at t0 + %.6g: %s (%s)", answer->reached, reason,
                        shk_code_name(code));
}

/* Opens the files for the rows. Returns false after an error message. */
static bool open_files(struct simulate *s)
{
  /* A copy of standard output, which is redirected to standard error for plug-ins. */
  s->files[0] = fdopen(shk_descriptor_move(dup(STDOUT_FILENO), 200), "w");
  if (!s->files[0])
    return shk_complain("standard output: %s", strerror(errno));
  if (!s->animation)
    return true;
  const char *const folder = getenv("TMPDIR");
  s->path = shk_print_text("%s/shakedown-XXXXXX", folder && *folder != '\0' ? folder : "/tmp");
  const int descriptor = mkstemp(s->path);
  s->files[1] = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
  return s->files[1] || shk_complain("%s: %s", s->path, strerror(errno));
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
  if (!fill_cell(s, &error))
    return shk_bad_input("%s", error.text);
  if (!open_files(s))
    return SHK_EXIT_INCOMPLETE;
  const struct shk_isolated isolated = {shk_servers_asked(&s->arguments),
                                        shk_engine_named(s->precision, &error),
                                        NULL,
                                        0,
                                        integrate_simulate,
                                        s};
  struct answer answer;
  shk_ask_isolated(&isolated, &answer.is, sizeof answer);
  const int status = conclude_simulate(&answer);
  if (answer.rows > 0 && s->animation &&
      !shk_animate_rows(&s->arguments.context, s->cell.problem, s->cell.integrator, s->path,
                        s->animation, &error))
    return shk_incomplete("%s", error.text);
  return status;
}

static void clear_simulate(void *self)
{
  struct simulate *const s = self;
  for (int i = 0; i < 2; i++)
    if (s->files[i])
      fclose(s->files[i]);
  if (s->files[1])
    remove(s->path);
  free(s->path);
  shk_cell_clear(&s->cell);
}

#define AT(member) offsetof(struct simulate, member)
static const struct shk_flag flags[] = {
    SHK_OPTION(TEXT, "step", 0, AT(step), "H",
               "step size; for adaptive solvers the spacing of the rows"),
    SHK_OPTION(TEXT, "until", 0, AT(until), "T", "horizon, from the problem's initial time"),
    SHK_OPTION(COUNT, "every", 0, AT(every), "K", "print every K-th step and the last (default 1)"),
    SHK_OPTION(TEXT, "precision", 0, AT(precision), "single|double|quad",
               "precision of all numbers (default double)"),
    SHK_OPTION(TEXT, "tolerance", 0, AT(tolerance), "TOL",
               "tolerance of adaptive solvers (default 1e-8)"),
    SHK_SWITCH("lambda-state", 0, AT(of_state),
               "multipliers of the exact motion from each row's state, at its own t"),
    SHK_OPTION(TEXT, "animate", 0, AT(animation), "FILE.gif", "also animate the mechanism"),
    {0}};

const struct shk_command shk_command_simulate = {
    .name = "simulate",
    .synopsis = "PROBLEM INTEGRATOR --step H --until T [option …]",
    .summary = "Integrates and writes the trajectory as CSV",
    .help = "The columns are t,q1,…,p1,…,lambda1,…,energy,constraint,hidden with all digits of\n"
            "the precision: a row for the start, one for every K-th step, and the last. The force\n"
            "of the constraints is -Gᵀ lambda. In the row of t, lambda is the multiplier that\n"
            "acted at t - h and made g = 0 at t; in the first row it is that of the exact motion.\n"
            "With --lambda-state every row has the multiplier of the exact motion at its own t.\n"
            "Exit status 3: the run stopped early.",
    .line = {2, 2, SHK_TAKES_START, flags},
    .does = {sizeof(struct simulate), run, clear_simulate}};
