/* shakedown run: runs the cells of a study that its store does not have yet. */
#include "cli/shared/output/descriptor_texts.h"
#include "cli/shared/output/terminal.h"

#include "cli/shared/output/findings_table.h"
#include "cli/shared/output/overview.h"
#include "cli/shared/study/cached_analysis.h"
#include "cli/shared/study/kept_study.h"
#include "cli/shared/study/published_table.h"
#include "cli/shared/study/run_study.h"
#include "engine/names.h"

#include "foundation/memory.h"
#include "foundation/nearest.h"
#include "foundation/specifications/program.h"
#include "harness/plan/key.h"
#include "harness/plan/plan_records.h"
#include "harness/run/host.h"
#include "plots/kinds/kinds.h"
#include "results/record/cell_text.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PARTS = 100000 };

struct run {
  const char *store;
  const char *shard; /* the argument of --shard; NULL: all cells */
  int part, parts;   /* K and N of --shard; 0: all cells */
  long jobs;
  bool dry, quiet, again;
  const char *figures; /* folder of the figures; NULL: none are drawn */
  struct shk_arguments arguments;
};

/* ---- listing the cells ---- */

/* The role of a cell or, for a measured one, its measures. */
static const char *role_word(const struct shk_planned *planned)
{
  if (planned->role == SHK_ROLE_MEASURED)
    return strcmp(planned->cell.kind, "run") == 0 ? "measured" : planned->cell.kind;
  return planned->role == SHK_ROLE_REFERENCE ? "reference" : "reference-check";
}

/* The problem inspected last, kept because cells of one problem follow each other. */
struct inspected {
  const char *problem; /* NULL: none yet */
  struct shk_inspection is;
};

/* The reason why this cell will be refused, from declared capabilities; NULL if they allow it. */
static const char *refusal(const struct shk_context *context, const struct shk_cell *cell,
                           struct inspected *last)
{
  struct shk_message error;
  if (!last->problem || strcmp(last->problem, cell->problem) != 0) {
    if (!shk_inspect(context, &last->is, "double", cell->problem, &error))
      last->is = (struct shk_inspection){.exact = true}; /* the run reports the error */
    last->problem = cell->problem;
  }
  const struct shk_integrator_info *info = shk_find_integrator(context, cell->integrator);
  for (int i = 0; info && i < SHK_FEATURE_COUNT; i++)
    if (last->is.features & ~info->supports & 1u << i)
      return shk_feature_titles[i];
  if (info && info->exact && (!last->is.exact || cell->q))
    return "no exact solution is known";
  return NULL;
}

/* True if the cell is in the part given by --shard. */
static bool is_in_part(const struct run *run, const struct shk_plan *plan,
                       const struct shk_cell *cell)
{
  if (run->parts == 0)
    return true;
  char key[SHK_HASH_SIZE], *text = shk_cell_text(cell);
  const struct shk_host *const host = run->arguments.host;
  shk_key_make(plan->context, key, host ? &host->keys : NULL, cell, text);
  free(text);
  return shk_key_part(key, run->parts) == run->part;
}

static int show_plan(const struct run *run, const struct shk_plan *plan)
{
  const enum shk_format format = run->arguments.format;
  static const char *const names[] = {"role", "problem",   "integrator", "precision",
                                      "step", "tolerance", "until",      "refused"};
  struct shk_table table;
  int refused = 0, references = 0, cells = 0;
  struct inspected last = {.problem = NULL};
  shk_table_init(&table, sizeof names / sizeof names[0], names, NULL);
  for (int i = 0; i < plan->count; i++) {
    const struct shk_planned *planned = &plan->cells[i];
    const struct shk_cell *cell = &planned->cell;
    if (!is_in_part(run, plan, cell))
      continue;
    cells++;
    const char *why = refusal(plan->context, cell, &last);
    refused += why != NULL;
    references += planned->role != SHK_ROLE_MEASURED;
    char *start = cell->q != NULL && cell->member_count == 0
                      ? shk_print_text("%s from q = %s, p = %s", cell->problem, cell->q,
                                       cell->p ? cell->p : "its own")
                      : shk_cell_problem(cell);
    shk_table_add(&table, (const char *const[]){role_word(planned), start, cell->integrator,
                                                cell->precision, cell->step, cell->tolerance,
                                                cell->until, why});
    free(start);
  }
  shk_show_table(&table, format);
  shk_table_clear(&table);
  if (format == SHK_FORMAT_TABLE) {
    printf("\n%d cells, %d of them references", cells, references);
    if (refused > 0)
      printf("; %d will be refused", refused);
    if (plan->left_out > 0)
      printf("; %d combinations left out (double precision only)", plan->left_out);
    if (plan->excluded > 0)
      printf("; %d pairs excluded", plan->excluded);
    putchar('\n');
  }
  return SHK_EXIT_HELD;
}

/* Notes keys of a study that have no effect: steps if all integrators choose theirs, tolerances if
 * none does. */
static void note_unused(const struct shk_study *study, const struct shk_plan *plan)
{
  for (int r = 0; r < study->run_count; r++) {
    const struct shk_study_run *const run = &study->runs[r];
    int cells = 0, stepped = 0, driven = 0;
    if (run->is_like || (r > 0 && study->runs[r - 1].line == run->line))
      continue; /* one run of the file may be split into several, by method */
    for (int i = 0; i < plan->count; i++)
      if (study->runs[plan->cells[i].run].line == run->line &&
          plan->cells[i].role == SHK_ROLE_MEASURED) {
        cells++;
        stepped += plan->cells[i].cell.step != NULL;
        driven += plan->cells[i].cell.tolerance != NULL;
      }
    if (cells > 0 && stepped == 0 && driven > 0 && run->step_kind == SHK_STEPS_LIST)
      shk_complain("%s:%d: note: `steps` only places the sample times: all integrators of this run "
                   "choose their steps, by `tolerances`",
                   study->path, run->steps_line);
    if (cells > 0 && driven == 0 && run->tolerances.count > 0)
      shk_complain("%s:%d: note: `tolerances` are not used: no integrator of this run chooses its "
                   "steps",
                   study->path, run->line);
  }
}

/* ---- the run ---- */

static bool draw_figures(const struct run *run, const struct shk_study *study,
                         const struct shk_plan *plan, struct shk_records *records,
                         const struct shk_record *const *all, const struct shk_analysis *analysis)
{
  static const char *const types[] = {"pdf", "png", NULL};
  const struct shk_plot_request request = {study,    plan,         all,   records,
                                           analysis, run->figures, types, SHK_PLOT_CHOSEN};
  struct shk_message error = {.text = ""};
  struct shk_plotted plotted;
  const bool ok = shk_plot_all(&plotted, &request, &error);
  if (!ok)
    shk_complain("%s", error.text);
  else if (!run->quiet)
    fprintf(stderr, "%d figures in %s%s\n", plotted.drawn, run->figures,
            plotted.passed_over ? "; `shakedown plot STORE --all` draws more" : "");
  shk_complain_of_figures(study, &plotted);
  return ok && plotted.drawn > 0 && plotted.undrawn_count == 0;
}

/* Analyses and draws. Figures need curves, and records that stay in memory. NULL after an error
 * message. */
static struct shk_analysis *analyse_and_draw(const struct run *run, const struct shk_study *study,
                                             const struct shk_plan *plan, struct shk_store *store,
                                             struct shk_published *published, bool *drawn)
{
  struct shk_message error = {.text = ""};
  struct shk_records *const records = shk_plan_open_records(store, plan, true, &error);
  struct shk_analysis *analysis = NULL;
  bool ok = records != NULL;
  *published = (struct shk_published){0};
  if (ok) {
    const struct shk_record *const *const all = shk_stored_records_all(records, 0);
    analysis = shk_analyse(study, plan, records);
    shk_compare_published(published, analysis, study, plan, records);
    ok = shk_stored_records_good(records, &error);
    if (ok)
      *drawn = draw_figures(run, study, plan, records, all, analysis);
    ok = ok && shk_stored_records_good(records, &error);
  }
  shk_stored_records_close(records);
  if (ok)
    return analysis;
  shk_complain("%s", error.text);
  shk_analysis_free(analysis);
  return NULL;
}

static int show_findings(const struct run *run, const struct shk_study *study,
                         const struct shk_plan *plan, struct shk_store *store)
{
  struct shk_published published;
  bool drawn = true;
  struct shk_analysis *analysis =
      run->figures ? analyse_and_draw(run, study, plan, store, &published, &drawn)
                   : shk_analyse_stored(&run->arguments, store, study, plan, &published);
  if (!analysis) {
    shk_published_clear(&published);
    return SHK_EXIT_INCOMPLETE;
  }
  int status = shk_analysis_exit_code(analysis);
  if (!drawn && status == SHK_EXIT_HELD)
    status = SHK_EXIT_INCOMPLETE;
  if (run->arguments.format == SHK_FORMAT_TABLE) {
    shk_overview_print(analysis, run->quiet ? SHK_TABLES_NONE : SHK_TABLES);
    shk_print_published(&published);
  } else {
    struct shk_table table;
    shk_findings_init(&table, run->arguments.format);
    shk_findings_add_rows(&table, study->name, analysis, NULL, 17);
    shk_show_table(&table, run->arguments.format);
    shk_table_clear(&table);
  }
  shk_published_clear(&published);
  shk_analysis_free(analysis);
  return status;
}

static void show_next(const struct run *run, const char *store)
{
  if (run->quiet || run->arguments.format != SHK_FORMAT_TABLE)
    return;
  char *const line =
      shk_print_text("try next: shakedown show %s; shakedown plot %s -o figures", store, store);
  shk_print_plain(stdout, line);
  putchar('\n');
  free(line);
}

/* Summarizes a part of a study. It is not analysed: an order needs cells of several parts. */
static void show_rest(const struct run *run, const struct shk_schedule_result *result,
                      const struct shk_plan *plan, const char *store)
{
  if (run->quiet || run->arguments.format != SHK_FORMAT_TABLE)
    return;
  char *text =
      shk_print_text("%s has the %d cells of part %d of %d, of %d in all\n\ntry next, when all "
                     "parts are there:\n  shakedown merge STORE… -o STORE",
                     store, result->planned, run->part, run->parts, plan->count);
  for (char *rest = text, *line; (line = strsep(&rest, "\n")) != NULL;) {
    shk_print_plain(stdout, line);
    putchar('\n');
  }
  free(text);
}

/* The store to write without -o: each part gets one of its own. */
static char *default_store(const struct run *run, const struct shk_study *study)
{
  return run->parts > 0 ? shk_print_text("%s.%d-of-%d.db", study->name, run->part, run->parts)
                        : shk_print_text("%s.db", study->name);
}

/* Runs and analyses the study. The store is open. */
static int run_plan(const struct run *run, const struct shk_study *study,
                    const struct shk_plan *plan, struct shk_store *store, const char *path)
{
  struct shk_message error = {.text = ""};
  if (!shk_keep_study(&run->arguments, store, study, plan))
    return SHK_EXIT_INCOMPLETE;
  struct shk_schedule_options options = shk_schedule_asked(&run->arguments, run->jobs, run->quiet);
  options.study_text = study->text;
  options.again = run->again;
  options.part = run->part;
  options.parts = run->parts;
  struct shk_schedule_result result = {0};
  const bool went = shk_schedule(plan, store, &options, &result, &error);
  if (!went)
    shk_complain("%s", error.text);
  if (!run->quiet)
    fprintf(stderr, "%d cells: %d were there, %d run (%d ok, %d refused, %d failed), %d left\n",
            result.planned, result.kept, result.ok + result.refused + result.failed, result.ok,
            result.refused, result.failed, result.left);
  if (result.damaged > 0)
    fprintf(stderr, "%d damaged record%s of the store removed before the run\n", result.damaged,
            result.damaged == 1 ? "" : "s");
  if (result.interrupted || !went) {
    if (result.interrupted)
      shk_complain("interrupted; the same command continues the run");
    return SHK_EXIT_INCOMPLETE;
  }
  if (run->parts > 0) {
    show_rest(run, &result, plan, path);
    return SHK_EXIT_HELD;
  }
  if (!shk_keep_scenes(&run->arguments, store, study, plan))
    return SHK_EXIT_INCOMPLETE;
  const int status = show_findings(run, study, plan, store);
  show_next(run, path);
  return status;
}

static int run_study(const struct run *run, const struct shk_study *study)
{
  struct shk_message error = {.text = ""};
  struct shk_plan *plan = shk_plan_make(study, &error);
  if (!plan) {
    shk_complain("%s", error.text);
    return SHK_EXIT_BAD_INPUT;
  }
  int status = SHK_EXIT_BAD_INPUT;
  if (!run->quiet)
    note_unused(study, plan);
  char *path = run->store ? shk_copy_text(run->store) : default_store(run, study);
  if (run->dry) {
    status = show_plan(run, plan);
  } else {
    struct shk_store *store = shk_store_open(path, SHK_STORE_WRITE, &error);
    if (!store) {
      shk_complain("%s%s", error.text,
                   run->store || !strstr(error.text, "cannot be written")
                       ? ""
                       : "; -o STORE puts the results elsewhere");
    } else {
      status = run_plan(run, study, plan, store, path);
      if (!shk_store_close(store, &error)) {
        shk_complain("%s", error.text);
        status = SHK_EXIT_INCOMPLETE;
      }
    }
  }
  free(path);
  shk_plan_free(plan);
  return status;
}

static int start(struct run *run)
{
  if (!shk_use_plugins(&run->arguments))
    return SHK_EXIT_BAD_INPUT;
  char *path = shk_find_study(run->arguments.words[0]);
  if (!path)
    return SHK_EXIT_BAD_INPUT;
  struct shk_message error = {.text = ""};
  struct shk_study *study = shk_study_read(&run->arguments.context, path, &error);
  free(path);
  if (!study) {
    shk_complain("%s", error.text);
    return SHK_EXIT_BAD_INPUT;
  }
  const int status = run_study(run, study);
  shk_study_free(study);
  return status;
}

/* Reads K/N. Returns false after an error message. */
static bool read_shard(struct run *run)
{
  int end = 0;
  if (!run->shard)
    return true;
  if (sscanf(run->shard, "%7d/%7d%n", &run->part, &run->parts, &end) == 2 && end > 0 &&
      run->shard[end] == '\0' && run->part >= 1 && run->part <= run->parts &&
      run->parts <= MOST_PARTS)
    return true;
  shk_complain("--shard: '%s' is not a part K/N with 1 <= K <= N <= %d", run->shard, MOST_PARTS);
  return false;
}

static int run(const struct shk_command *command, int argc, char **argv)
{
  struct run r = {0};
  const struct shk_flag flags[] = {
      {"output", 'o', SHK_FLAG_TEXT, "STORE", "the file of results (default: NAME.db here)",
       &r.store},
      {"jobs", 'j', SHK_FLAG_COUNT, "N", "cell servers (default: as many as processors)", &r.jobs},
      {"shard", 0, SHK_FLAG_TEXT, "K/N",
       "run only the K-th of N parts of the cells, and analyse nothing", &r.shard},
      {"dry-run", 'n', SHK_FLAG_SWITCH, NULL, "list the cells and run none", &r.dry},
      {"plot", 0, SHK_FLAG_TEXT, "DIR", "draw the figures into this folder, as PDF and PNG",
       &r.figures},
      {"quiet", 'q', SHK_FLAG_SWITCH, NULL, "no progress, no table of findings", &r.quiet},
      {"again", 0, SHK_FLAG_SWITCH, NULL, "run cells again that crashed or reached a limit",
       &r.again},
      {NULL, 0, SHK_FLAG_SWITCH, NULL, NULL, NULL}};
  int status;
  if (shk_arguments_read(&r.arguments, &status, command, flags, 1, 1, argc, argv)) {
    status = SHK_EXIT_BAD_INPUT;
    if (shk_jobs_allowed(r.jobs) && read_shard(&r) &&
        (!r.figures || shk_output_folder("--plot", r.figures)))
      status = start(&r);
  }
  shk_arguments_clear(&r.arguments);
  return status;
}

const struct shk_command shk_command_run = {
    .name = "run",
    .synopsis = "STUDY [-o STORE] [-j N] [--shard K/N] [--dry-run]",
    .summary = "Runs the cells of a study that are not yet in its store",
    .help = "STUDY is a file or the name of a study that comes with shakedown. After an\n"
            "interruption the same command continues the run. Exit status 1: a claim was\n"
            "falsified; 3: cells failed or are missing. With --shard exit status 0 means that\n"
            "every cell of the part has a record (NAME.K-of-N.db), 3 that the run was\n"
            "interrupted; `merge` joins the parts and analyses them.",
    .formats = 1u << SHK_FORMAT_TABLE | 1u << SHK_FORMAT_CSV | 1u << SHK_FORMAT_JSON,
    .run = run};
