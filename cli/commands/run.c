/* shakedown run: runs the cells of a study that are not yet in its store. */
#include "cli/shared/output/findings_table.h"
#include "cli/shared/output/overview.h"
#include "cli/shared/output/terminal.h"
#include "cli/shared/study/study_job.h"
#include "engine/names.h"

#include "foundation/memory.h"
#include "foundation/specifications/spec.h"
#include "harness/plan/key.h"
#include "harness/run/replies.h"
#include "plots/kinds/kinds.h"
#include "results/record/cell_text.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PARTS = 100000 };

struct run {
  struct shk_arguments arguments;
  const char *store;
  const char *shard; /* the argument of --shard; NULL means all cells */
  int part, parts;   /* K and N from --shard; 0 means all cells */
  bool dry, again;
  const char *figures; /* folder for the figures; NULL if none are drawn */
  struct shk_study_job job;
};

/* ---- listing the cells ---- */

/* Returns "measured" for a run, the cell type for any other measured cell, and "reference" or
 * "reference-check" for references. */
static const char *role_word(const struct shk_planned *planned)
{
  if (planned->role == SHK_ROLE_MEASURED)
    return strcmp(planned->cell.kind, "run") == 0 ? "measured" : planned->cell.kind;
  return planned->role == SHK_ROLE_REFERENCE ? "reference" : "reference-check";
}

/* Returns true if the cell belongs to the part given by --shard. */
static bool is_in_part(const struct run *run, const struct shk_plan *plan,
                       const struct shk_cell *cell)
{
  if (run->parts == 0)
    return true;
  char key[SHK_HASH_SIZE], *text = shk_cell_text(cell);
  shk_key_make(plan->context, NULL, key, shk_replies_keys(run->arguments.replies), cell, text);
  free(text);
  return shk_key_part(key, run->parts) == run->part;
}

static int show_plan(const struct run *run)
{
  const struct shk_plan *const plan = run->job.plan;
  struct shk_table table;
  int references = 0;
  shk_columns(&table, "role|problem|integrator|precision|step|tolerance|until");
  for (int i = 0; i < plan->count; i++) {
    const struct shk_planned *planned = &plan->cells[i];
    const struct shk_cell *cell = &planned->cell;
    if (!is_in_part(run, plan, cell))
      continue;
    references += planned->role != SHK_ROLE_MEASURED;
    char *start = shk_cell_problem(cell);
    shk_table_add(&table,
                  (const char *const[]){role_word(planned), start, cell->integrator,
                                        cell->precision, cell->step, cell->tolerance, cell->until});
    free(start);
  }
  shk_show_table(&table, run->arguments.format);
  if (run->arguments.format == SHK_FORMAT_TABLE) {
    printf("\n%d cells, %d of them references", table.row_count, references);
    if (plan->left_out > 0)
      printf("; %d combinations left out (double precision only)", plan->left_out);
    if (plan->excluded > 0)
      printf("; %d pairs excluded", plan->excluded);
    putchar('\n');
  }
  shk_table_clear(&table);
  return SHK_EXIT_HELD;
}

/* Reports keys of a study that have no effect: steps if all integrators choose their own steps, and
 * tolerances if none of them does. */
static void note_unused(const struct shk_study *study, const struct shk_plan *plan)
{
  for (int r = 0; r < study->run_count; r++) {
    const struct shk_study_run *const run = &study->runs[r];
    int cells = 0, stepped = 0, driven = 0;
    if (run->is_like || (r > 0 && study->runs[r - 1].line == run->line))
      continue; /* a run in the file may have been split by method into several runs */
    for (int i = 0; i < plan->count; i++)
      if (study->runs[plan->cells[i].run].line == run->line &&
          plan->cells[i].role == SHK_ROLE_MEASURED) {
        cells++;
        stepped += plan->cells[i].cell.step != NULL;
        driven += plan->cells[i].cell.tolerance != NULL;
      }
    if (cells > 0 && stepped == 0 && driven > 0 && run->step_kind == SHK_STEPS_LIST)
      shk_complain("%s:%d: note: `steps` only sets the sample times, because all integrators of "
                   "this run choose their own steps according to `tolerances`",
                   study->path, run->steps_line);
    if (cells > 0 && driven == 0 && run->tolerances.count > 0)
      shk_complain("%s:%d: note: `tolerances` is not used, because no integrator of this run "
                   "chooses its own steps",
                   study->path, run->line);
  }
}

static bool is_same_problem(const struct shk_cell *a, const struct shk_cell *b)
{
  return strcmp(a->problem, b->problem) == 0 && strcmp(a->precision, b->precision) == 0;
}

/* Prints the problems' notes for the precisions of their cells. */
static void note_problems(const struct shk_plan *plan)
{
  const struct shk_cell **seen = NULL;
  int count = 0;
  for (int i = 0; i < plan->count; i++) {
    const struct shk_cell *const cell = &plan->cells[i].cell;
    struct shk_inspection is;
    struct shk_message unused;
    bool is_new = true;
    for (int k = count - 1; k >= 0 && is_new; k--)
      is_new = !is_same_problem(seen[k], cell);
    if (!is_new)
      continue;
    SHK_APPEND(seen, count)[0] = cell;
    if (shk_spec_programs(cell->problem, NULL, NULL) == 0 &&
        shk_inspect(plan->context, &is, cell->precision, cell->problem, &unused) &&
        is.note[0] != '\0')
      shk_complain("note, in %s precision: %s", cell->precision, is.note);
  }
  free(seen);
}

/* ---- the run ---- */

static bool draw_figures(const struct run *run)
{
  static const char *const types[] = {"pdf", "png", NULL};
  struct shk_plotted plotted;
  const bool ok = shk_job_draw(&plotted, &run->job, run->figures, types, SHK_MOST_OF_REQUEST, NULL);
  if (!run->arguments.quiet)
    fprintf(stderr, "%d figures in %s%s\n", plotted.drawn, run->figures,
            plotted.wanted > plotted.drawn ? "; `shakedown plot STORE --all` draws more" : "");
  shk_plotted_clear(&plotted);
  return ok;
}

/* Analyses the study, draws its figures and prints its findings. Returns the exit status. Figures
 * and bodies require all records to stay in memory. */
static int show_findings(struct run *run)
{
  struct shk_study_job *const job = &run->job;
  const enum shk_format format = run->arguments.format;
  struct shk_message error = {""};
  bool bodies = false; /* the bodies of external problems, which the store preserves for `plot` */
  for (int i = 0; i < job->plan->count && shk_plots_motion(job->study); i++)
    bodies = bodies || shk_is_remote_problem(job->plan->context, job->plan->cells[i].cell.problem);
  if (!shk_job_analyse(job, run->figures || bodies, &error))
    return shk_incomplete("%s", error.text);
  if (bodies) {
    const struct shk_plot_request nothing_drawn = {job->study,    job->plan, job->all, job->records,
                                                   job->analysis, {NULL},    0};
    struct shk_plotted none;
    shk_plot_all(&none, &nothing_drawn, &error);
    shk_plotted_clear(&none);
    job->replies = run->arguments.replies;
  }
  const bool drawn = !run->figures || draw_figures(run);
  if (!shk_stored_records_good(job->records, &error))
    return shk_incomplete("%s", error.text);
  if (format == SHK_FORMAT_TABLE) {
    shk_overview_print(job->analysis, !run->arguments.quiet, true);
  } else {
    struct shk_table table;
    shk_findings_init(&table, format);
    shk_findings_add(&table, format, job->study->name, job->analysis, NULL);
    shk_show_and_clear(&table, format);
  }
  const int status =
      shk_command_status(job, &run->arguments, format == SHK_FORMAT_TABLE ? stdout : stderr);
  return status == SHK_EXIT_HELD && !drawn ? SHK_EXIT_INCOMPLETE : status;
}

/* Suggests the next command. A part of a study is not analysed on its own, because determining an
 * order requires cells from several parts. */
static void show_next(const struct run *run, const char *store)
{
  if (run->arguments.quiet || run->arguments.format != SHK_FORMAT_TABLE)
    return;
  char *const word = shk_shell_word(store);
  if (run->parts > 0)
    shk_say("%s contains the %d cells of part %d of %d (%d cells in all)\n"
            "\n"
            "try next, when all parts have been run:\n"
            "  shakedown merge STORE… -o STORE",
            store, run->job.result.planned, run->part, run->parts, run->job.plan->count);
  else
    shk_say("try next: shakedown show %s; shakedown plot %s -o figures", word, word);
  free(word);
}

/* Runs the cells and, unless they are only a part of the study, analyses it. `path` is the path of
 * the open store. Returns the exit status. */
static int run_plan(struct run *run, const char *path)
{
  struct shk_study_job *const job = &run->job;
  struct shk_schedule_options options = shk_schedule_asked(&run->arguments);
  options.again = run->again;
  options.part = run->part;
  options.parts = run->parts;
  const bool finished = shk_job_run(job, &run->arguments, &options);
  const struct shk_schedule_result *const result = &job->result;
  if (!run->arguments.quiet)
    fprintf(stderr, "%d cells: %d already stored, %d run (%d ok, %d refused, %d failed), %d left\n",
            result->planned, result->kept, result->ok + result->refused + result->failed,
            result->ok, result->refused, result->failed, result->left);
  if (result->damaged > 0)
    fprintf(stderr, "%d damaged record%s removed from the store before the run\n", result->damaged,
            result->damaged == 1 ? "" : "s");
  if (!finished)
    return SHK_EXIT_INCOMPLETE;
  const int status = run->parts == 0 ? show_findings(run) : SHK_EXIT_HELD;
  show_next(run, path);
  return status;
}

/* Parses the argument K/N of --shard. On failure, prints an error message and returns false. */
static bool read_shard(struct run *run)
{
  int end = 0;
  return !run->shard ||
         (sscanf(run->shard, "%7d/%7d%n", &run->part, &run->parts, &end) == 2 && end > 0 &&
          run->shard[end] == '\0' && run->part >= 1 && run->part <= run->parts &&
          run->parts <= MOST_PARTS) ||
         shk_complain("--shard: '%s' is not a part K/N with 1 <= K <= N <= %d", run->shard,
                      MOST_PARTS);
}

static int run(void *self)
{
  struct run *const run = self;
  struct shk_study_job *const job = &run->job;
  struct shk_message error = {""};
  if (!read_shard(run) || (run->figures && !shk_output_folder("--plot", run->figures)) ||
      !shk_job_read(job, &run->arguments, run->arguments.words[0]))
    return SHK_EXIT_BAD_INPUT;
  if (!run->arguments.quiet)
    note_unused(job->study, job->plan);
  if (run->dry)
    return show_plan(run);
  if (!run->arguments.quiet)
    note_problems(job->plan);
  /* Without -o, each part gets its own store. */
  char *const path = run->store ? shk_copy_text(run->store)
                     : run->parts > 0
                         ? shk_print_text("%s.%d-of-%d.db", job->study->name, run->part, run->parts)
                         : shk_print_text("%s.db", job->study->name);
  const bool opened = shk_job_open(job, path, &error);
  if (!opened)
    shk_complain("%s%s", error.text,
                 run->store || !strstr(error.text, "cannot be written")
                     ? ""
                     : "; use -o STORE to put the results elsewhere");
  const int status = opened ? run_plan(run, path) : SHK_EXIT_BAD_INPUT;
  free(path);
  return shk_job_clear(job, status);
}

static void clear_run(void *self)
{
  shk_job_clear(&((struct run *)self)->job, SHK_EXIT_BAD_INPUT);
}

#define AT(member) offsetof(struct run, member)
static const struct shk_flag flags[] = {
    SHK_OPTION(TEXT, "output", 'o', AT(store), "STORE",
               "the results file (default: NAME.db in this folder)"),
    SHK_OPTION(TEXT, "shard", 0, AT(shard), "K/N",
               "run only part K of N of the cells, without analysing the results"),
    SHK_SWITCH("dry-run", 'n', AT(dry), "list the cells without running them"),
    SHK_OPTION(TEXT, "plot", 0, AT(figures), "DIR",
               "draw the figures into this folder, as PDF and PNG"),
    SHK_SWITCH("quiet", 'q', AT(arguments.quiet),
               "print neither progress nor the table of findings"),
    SHK_SWITCH("again", 0, AT(again), "rerun the cells that crashed or reached a limit"),
    {0}};

const struct shk_command shk_command_run = {
    .name = "run",
    .synopsis = "STUDY [-o STORE] [-j N] [--shard K/N] [--dry-run]",
    .summary = "Runs the cells of a study that are not yet in its store",
    .help = "STUDY is a file or the name of a study that comes with shakedown. After an\n"
            "interruption, the same command continues the run. A part (--shard) is not analysed;\n"
            "use `merge` to join the parts. The exit status is 1 if a claim was falsified, and 3\n"
            "if a claim whose measure the study names was not decided, or if cells failed or are\n"
            "missing.",
    .formats = SHK_DATA,
    .line = {1, 1, SHK_TAKES_JOBS | SHK_TAKES_KICK, flags},
    .does = {sizeof(struct run), run, clear_run}};
