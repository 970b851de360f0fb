/*
 * shakedown try: shows the properties of a method within seconds. It executes the runs of
 * studies/try.yaml one by one, starting with the cheapest. After each run, it evaluates the claims
 * in the same way as `certify`, and it stops as soon as a claim fails.
 */
#include "cli/commands/certify_claims.h"
#include "cli/commands/plugin.h"
#include "cli/commands/templates.h"
#include "cli/commands/try_facts.h"
#include "cli/shared/install_paths.h"
#include "cli/shared/output/atomic_file.h"
#include "cli/shared/output/claims_left.h"
#include "cli/shared/output/overview.h"

#include "engine/names.h"
#include "foundation/clock.h"
#include "foundation/files/scratch.h"
#include "foundation/index.h"
#include "foundation/memory.h"
#include "foundation/specifications/spec.h"
#include "harness/check/check_report.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Default time per method in seconds, default seed, and number of runs that are executed even if a
 * claim fails, so that the method can be described. */
enum { DEFAULT_BUDGET = 10, DEFAULT_SEED = 1, AT_LEAST = 4 };

struct trial {
  struct shk_arguments arguments;
  long budget;  /* time per method, in s; 0 selects the default */
  long seed;    /* seed for the random systems; 0 selects the default */
  double began; /* start time of the current method's first run */
  bool all;
  struct shk_index methods;
  enum shk_language language;
  struct shk_idle_workers idle;
  /* temporary folder for a plug-in built from a source file; NULL if there is none */
  char *scratch;
  char *option;           /* options that let other commands use the same method */
  char *build;            /* command that must be run before those commands; "" if there is none */
  struct shk_table table; /* rows for CSV and JSON */
  const char *junit_file; /* NULL if there is none */
  struct shk_junit junit;
};

/* A method and its results so far. */
struct stage {
  const char *method; /* canonical specification */
  struct shk_study_job job;
  struct shk_certificate certificate;
  struct shk_study_run *all_runs;
  int runs, done; /* total number of runs in the study, and number of finished runs */
  int counts[SHK_VERDICTS];
  bool fell;
};

/* ---- methods ---- */

static bool take_method(struct trial *t, const char *text)
{
  struct shk_message error = {.text = ""};
  char *const spec = shk_canonical_integrator(&t->arguments.context, text, &error);
  if (spec)
    shk_index_text(&t->methods, spec);
  free(spec);
  return shk_accept(spec, &error);
}

/* Adds all integrators of a plug-in, and RATTLE combined with each of its solvers. On failure,
 * prints an error message and returns false, like the functions below. */
static bool take_plugin(struct trial *t, const char *path)
{
  const struct shk_remote_provider *const offer = shk_plugin_offer(&t->arguments, path);
  bool ok = offer;
  for (int i = 0; ok && i < offer->count; i++) {
    char *const method = shk_offered_method(&offer->offers[i]);
    ok = !method || take_method(t, method);
    free(method);
  }
  return ok && (t->methods.count > 0 ||
                shk_complain("%s: offers neither an integrator nor a solver", path));
}

static bool take_source(struct trial *t, const char *source)
{
  const char *const slash = strrchr(source, '/');
  t->scratch = shk_scratch_make();
  if (!t->scratch)
    return shk_complain("cannot create a folder for temporary files: %s", strerror(errno));
  char *const target = shk_print_text("%s/%s.so", t->scratch, slash ? slash + 1 : source);
  const bool ok = shk_plugin_build(&t->arguments, source, target) && take_plugin(t, target);
  free(target);
  return ok;
}

/* Adds a program as an engine, an integrator or a solver. These kinds are tried in order, and the
 * first one whose step does not fail is used. A step fails if the program's greeting belongs to a
 * different kind. */
static bool take_command(struct trial *t, const char *command)
{
  static const char *const forms[][2] = {
      {"engine(", ")"}, {"external(", ")"}, {"rattle(solver=program(", "))"}};
  struct shk_message reason = {""};
  struct shk_context *const context = &t->arguments.context;
  enum shk_code code = SHK_SOLVER_FAILED;
  bool ok = false;
  t->language = SHK_LANGUAGE_LINES;
  context->access.programs = true;
  context->question_seconds = (double)t->budget;
  if (!shk_use_plugins(&t->arguments))
    return false;
  char *const quoted = shk_spec_quoted(command);
  for (int i = 0; i < 3 && code == SHK_SOLVER_FAILED; i++) {
    char *const spec = shk_print_text("%scommand=%s%s", forms[i][0], quoted, forms[i][1]);
    code = shk_code_of(context,
                       &(struct shk_cell){.kind = (char *)"symmetry",
                                          .problem = (char *)"chain(links=2)",
                                          .integrator = spec,
                                          .precision = (char *)"double",
                                          .step = (char *)"0.01",
                                          .until = (char *)"0.01"},
                       &reason);
    ok = code != SHK_SOLVER_FAILED && code != SHK_STOPPED && take_method(t, spec);
    free(spec);
  }
  free(quoted);
  return ok || shk_complain("%s: %s%s", command, reason.text,
                            code == SHK_STOPPED ? ", without a line-protocol greeting" : "");
}

/* Returns true if a name has one of the given endings, such as ".c.cc.cpp". */
static bool has_ending(const char *what, const char *endings)
{
  const char *const dot = strrchr(what, '.'), *const found = dot ? strstr(endings, dot) : NULL;
  return found && strchr(".", found[strlen(dot)]) != NULL;
}

/* Handles a command-line argument, which is a file, a command or a method. */
static bool take_try(struct trial *t, const char *what)
{
  const bool command = strpbrk(what, " /") && !strchr(what, '('),
             source = has_ending(what, ".c.cc.cpp.cxx"),
             file = source || has_ending(what, ".so.py");
  bool python = has_ending(what, ".py");
  for (int i = 0; i < t->arguments.plugin_count; i++)
    python = python || has_ending(t->arguments.plugins[i], ".py");
  t->language = python ? SHK_LANGUAGE_PYTHON : SHK_LANGUAGE_C;
  if (file && access(what, R_OK) == 0)
    return source ? take_source(t, what) : take_plugin(t, what);
  if (file && !strchr(what, ' '))
    return shk_complain("%s: %s", what, strerror(errno));
  return command ? take_command(t, what) : take_method(t, what);
}

/* ---- runs ---- */

/* Plans `count` runs of the study, starting with `first`. First closes the records, because a store
 * must not be read while it is being written. On failure, prints an error message and returns
 * false. */
static bool plan_runs(struct stage *s, int first, int count)
{
  struct shk_message error = {""};
  struct shk_study_job *const job = &s->job;
  shk_certificate_clear(&s->certificate);
  shk_stored_records_close(job->records);
  shk_analysis_free(job->analysis);
  shk_plan_free(job->plan);
  job->records = NULL;
  job->analysis = NULL;
  job->study->runs = s->all_runs + first;
  job->study->run_count = count;
  job->plan = shk_plan_make(job->study, &error);
  job->study->runs = s->all_runs;
  job->study->run_count = s->runs;
  return shk_accept(job->plan, &error);
}

/* Evaluates the claims on the runs that are currently planned. On failure, prints an error message
 * and returns false. */
static bool judge_try(struct stage *s)
{
  struct shk_message error = {""};
  struct shk_study_job *const job = &s->job;
  if (!shk_accept(shk_job_analyse(job, true, &error), &error))
    return false;
  memset(s->counts, 0, sizeof s->counts);
  shk_certify(&s->certificate, &s->method, 1, job->analysis, job->plan, job->all);
  for (int i = 0; i < s->certificate.count; i++) {
    struct shk_certificate_row *const row = &s->certificate.rows[i];
    /* a later run, or `certify`, may demonstrate the claim */
    if (row->verdict == SHK_VERDICT_NOT_SHOWN)
      row->verdict = SHK_VERDICT_UNDECIDED;
    s->counts[row->verdict]++;
  }
  s->fell = s->counts[SHK_VERDICT_FALSIFIED] > 0;
  return true;
}

/* Evaluates the claims on all finished runs together. On failure, prints an error message and
 * returns false. */
static bool judge_all(struct stage *s)
{
  return s->done == 0 || (plan_runs(s, 0, s->done) && judge_try(s));
}

/* Executes one run after another until a claim fails (or, with --all, until all runs are done) or
 * time runs out. An unfinished run is omitted. Normally, each run is evaluated on its own, because
 * evaluating all runs after each one would take most of the time. Once a claim fails, and at the
 * end, all runs are evaluated together. On failure, prints an error message and returns false. */
static bool run_all(struct trial *t, struct stage *s)
{
  const double end = t->began + (double)t->budget;
  struct shk_schedule_options options = shk_schedule_asked(&t->arguments);
  bool ok = true, fell = false, over = false;
  options.untimed = true;
  options.idle = &t->idle;
  while (ok && !over && s->done < s->runs && (t->all || !fell || s->done < AT_LEAST)) {
    options.seconds = fmax(end - shk_seconds(), 0.01);
    ok = plan_runs(s, s->done, 1) && shk_job_run(&s->job, &t->arguments, &options);
    over = ok && s->job.result.left > 0;
    s->done += ok && !over;
    /* A claim of "no" that fails on a few problems may no longer fail once more problems are
     * included. */
    if (ok && !over && !t->all)
      ok = judge_try(s) && (!(s->fell || fell) || judge_all(s));
    fell = s->fell;
  }
  return ok && judge_all(s);
}

/* ---- output ---- */

/* Finds the open claims: those that the certificate leaves open, and those with runs that were not
 * executed because time ran out. */
static void find_open(struct shk_open_claims *open, const struct stage *s)
{
  unsigned long left = 0;
  for (int r = s->done; r < s->runs && !s->fell; r++)
    for (int m = 0; m < SHK_MEASURES; m++)
      left |= shk_run_measures(&s->job.study->runs[r], (enum shk_measure_id)m) ? 1ul << m : 0;
  for (int i = 0; i < s->certificate.count; i++) {
    const struct shk_certificate_row *const row = &s->certificate.rows[i];
    if (row->counts && left & 1ul << shk_certified_measure(row->about))
      shk_open_claims_add(open, row->integrator, shk_certified_words(row->about),
                          "the time ran out before all questions about it were answered");
  }
  shk_open_claims_of_certificate(open, &s->certificate);
}

static void add_row(struct trial *t, const struct stage *s, const char *claim, const char *stated,
                    const char *verdict, const char *reason)
{
  shk_table_add(&t->table, (const char *const[]){s->method, claim, stated, NULL, NULL, NULL, NULL,
                                                 verdict, reason});
}

/* Adds the rows of the certificate, the lines describing the method, and the claims that the method
 * could make. */
static void add_rows(struct trial *t, const struct stage *s, const struct shk_facts *facts)
{
  shk_certificate_add(&t->table, &s->certificate, 17);
  for (int i = 0; i < 2; i++)
    if (facts->lines[i])
      add_row(t, s, "is", NULL, NULL, facts->lines[i]);
  for (int i = 1; i < SHK_CLAIMS; i++)
    if (shk_facts_propose(facts, (enum shk_claim)i)) {
      char value[16];
      snprintf(value, sizeof value, "%d", facts->values[i]);
      add_row(t, s, shk_claim_entries[i].words, shk_claim_entries[i].order ? value : "yes",
              "could be claimed", NULL);
    }
  if (s->done < s->runs && !s->fell)
    add_row(t, s, "finishes", NULL, "not asked", "the budget ran out");
}

/* Returns the first falsified claim that is measured in whole runs or, if there is none, the first
 * falsified claim. Returns NULL if no claim was falsified. Sets *drawn to true if the claim is
 * measured in whole runs and figures can therefore show it. */
static const struct shk_certificate_row *fallen_claim(const struct stage *s, bool *drawn)
{
  const struct shk_certificate_row *first = NULL;
  *drawn = false;
  for (int i = 0; i < s->certificate.count && !*drawn; i++) {
    const struct shk_certificate_row *const row = &s->certificate.rows[i];
    if (row->verdict != SHK_VERDICT_FALSIFIED)
      continue;
    *drawn = row->about < SHK_CERTIFIED_CLAIMS &&
             shk_measures[shk_certified_measure(row->about)].in == SHK_IN_RUNS;
    first = first && !*drawn ? first : row;
  }
  return first;
}

/* Adds a test case for each row with a verdict. For a failure, the message is the likely cause. */
static void add_cases(struct shk_junit *junit, const struct shk_certificate *certificate)
{
  const char *cause = "";
  for (int i = 0; i < certificate->count; i++)
    if (certificate->rows[i].about == SHK_CERTIFIED_CAUSE)
      cause = certificate->rows[i].reason;
  for (int i = 0; i < certificate->count; i++) {
    const struct shk_certificate_row *const row = &certificate->rows[i];
    const bool bad = shk_is_bad_for_exit(row->verdict);
    char *name = shk_print_text("%s %s", row->claim, row->stated);
    if (row->of->problem)
      shk_append_text(&name, " on %s in %s", row->of->problem, row->of->precision);
    if (row->verdict != SHK_VERDICT_NONE)
      shk_junit_add(junit, row->integrator, name,
                    bad                                ? "failure"
                    : row->verdict == SHK_VERDICT_HELD ? NULL
                                                       : "skipped",
                    shk_verdict_word(row->verdict), row->reason ? row->reason : "",
                    bad ? cause : "");
    free(name);
  }
}

static void print_next(const struct trial *t, const struct stage *s)
{
  char *const word = shk_shell_word(s->method);
  bool drawn;
  const struct shk_certificate_row *const row = fallen_claim(s, &drawn);
  printf("try next%s:\n%s", row ? "" : ", for the whole certificate", t->build);
  if (!row)
    printf("  shakedown certify %s%s\n", word, t->option);
  else
    printf("  shakedown certify %s%s --with try --seed %ld --claim '%s'%s\n", word, t->option,
           t->seed, row->claim, drawn ? " -o try.db\n  shakedown plot try.db -o figures" : "");
  shk_print_shrink(&s->certificate, t->option);
  free(word);
}

static void print_text(const struct trial *t, const struct stage *s, const struct shk_facts *facts,
                       const struct shk_open_claims *open)
{
  char *const text = shk_facts_text(facts, t->language);
  shk_say("%s", s->method);
  for (int i = 0; i < 2; i++)
    if (facts->lines[i])
      shk_say("  %s", facts->lines[i]);
  shk_print_fallen(&s->certificate);
  shk_print_verdicts(s->counts);
  if (s->done < s->runs && !s->fell)
    shk_say("after %ld s, %d of %d questions had been answered; use --budget SECONDS to allow more "
            "time",
            t->budget, s->done, s->runs);
  if (s->counts[SHK_VERDICT_HELD] == 0 && !s->fell && !facts->lines[0] && !facts->lines[1]) {
    shk_print_refusals(&s->certificate);
    shk_say("nothing was decided, because the method could be measured on no system of `try`, "
            "neither points and rods nor rigid bodies and joints; add --problem FILE.yaml, with a "
            "system that the method accepts, to the command below");
  }
  if (facts->claims_nothing && text)
    printf("the method claims nothing; it could claim\n%s%s", text,
           t->language == SHK_LANGUAGE_LINES ? "\n" : "");
  if (s->fell || open->count == 0)
    print_next(t, s);
  else
    shk_print_claims_left(stdout, "", open, true, t->option);
  free(text);
}

/* Prints or stores the results. Returns the exit status. */
static int tell_try(struct trial *t, const struct stage *s)
{
  struct shk_facts facts;
  struct shk_open_claims open = {.count = 0};
  shk_facts_find(&facts, s->method, &s->job);
  find_open(&open, s);
  if (t->arguments.format == SHK_FORMAT_TABLE) {
    print_text(t, s, &facts, &open);
  } else {
    add_rows(t, s, &facts);
    if (!s->fell)
      shk_print_claims_left(stderr, "", &open, true, t->option);
  }
  add_cases(&t->junit, &s->certificate);
  const int status = shk_open_claims_exit_code(&open, shk_certificate_exit_code(&s->certificate));
  shk_open_claims_clear(&open);
  shk_facts_clear(&facts);
  return status;
}

/* ---- the command ---- */

static int try_method(struct trial *t, const char *method, const char *file)
{
  const struct shk_certify_request request = {.integrators = &method,
                                              .count = 1,
                                              .seed = t->seed,
                                              .kick = t->arguments.kick,
                                              .budget = SHK_BUDGET_DEFAULT,
                                              .file = file};
  struct shk_message error = {""};
  struct stage s = {.method = method};
  int status = SHK_EXIT_BAD_INPUT;
  char *const text = shk_certify_study(&t->arguments.context, &request, &error);
  if (shk_accept(text, &error) && shk_job_parse(&s.job, &t->arguments, text, "try") &&
      shk_accept(shk_job_open(&s.job, NULL, &error), &error)) {
    s.all_runs = s.job.study->runs;
    s.runs = s.job.study->run_count;
    /* reading the study is not timed, because it asks a program which problems it accepts */
    t->began = shk_seconds();
    const bool ok = run_all(t, &s);
    status = SHK_EXIT_INCOMPLETE;
    if (ok && s.done == 0) {
      shk_complain("%s: nothing was decided in %ld s; use --budget SECONDS to allow more time",
                   method, t->budget);
    } else if (ok) {
      status = tell_try(t, &s);
    }
  }
  shk_certificate_clear(&s.certificate);
  free(text);
  return shk_job_clear(&s.job, status);
}

/* Stores the options that other commands need in order to use the same method. `what` is the method
 * as given on the command line. */
static void keep_options(struct trial *t, const char *what)
{
  const char *const *const plugins = t->arguments.named_plugins.all;
  char *const named = shk_shell_words(" --plugin ", plugins, t->arguments.named_plugins.count);
  const bool file = t->arguments.plugin_count > t->arguments.named_plugins.count;
  char *const word = shk_shell_word(what);
  char *const target = t->scratch ? shk_plugin_target(what) : shk_copy_text(what);
  char *const plugin = t->scratch ? shk_plugin_word(target) : shk_shell_word(target);
  char *const own = file ? shk_print_text(" --plugin %s", plugin) : NULL;
  t->build = t->scratch ? shk_print_text("  shakedown plugin build %s\n", word) : shk_copy_text("");
  t->option = shk_print_text("%s%s%s", named, own ? own : "",
                             t->language == SHK_LANGUAGE_LINES ? " --allow-external" : "");
  free(own);
  free(plugin);
  free(target);
  free(word);
  free(named);
}

static int run_try(void *self)
{
  struct trial *const t = self;
  const char *const what = t->arguments.words[0];
  const bool people = t->arguments.format == SHK_FORMAT_TABLE;
  int worst = SHK_EXIT_HELD;
  t->budget = t->budget > 0 ? t->budget : DEFAULT_BUDGET;
  t->seed = t->seed > 0 ? t->seed : DEFAULT_SEED;
  t->arguments.quiet = true;
  t->junit.suite = "try";
  char *const file = shk_shipped_study("try");
  if (!file || !take_try(t, what)) {
    free(file);
    return file ? SHK_EXIT_BAD_INPUT
                : shk_bad_input("studies/try.yaml, which comes with shakedown, was not found");
  }
  keep_options(t, what);
  shk_columns(&t->table, "integrator|claim|stated|problem|precision|value|expected|verdict|reason");
  for (int i = 0; i < t->methods.count; i++) {
    if (i > 0 && people)
      putchar('\n');
    const int status = try_method(t, t->methods.texts[i], file);
    worst = worst == SHK_EXIT_SHORT || status == SHK_EXIT_HELD ? worst : status;
  }
  if (!people)
    shk_show_table(&t->table, t->arguments.format);
  if (t->junit_file && !shk_write_file(t->junit_file, shk_junit_print, &t->junit))
    worst = SHK_EXIT_INCOMPLETE;
  shk_table_clear(&t->table);
  free(file);
  return worst;
}

static void clear_try(void *self)
{
  struct trial *const t = self;
  shk_idle_workers_end(&t->idle);
  shk_index_clear(&t->methods);
  shk_junit_clear(&t->junit);
  shk_scratch_remove(t->scratch);
  free(t->scratch);
  free(t->option);
  free(t->build);
}

#define AT(member) offsetof(struct trial, member)
static const struct shk_flag flags[] = {
    SHK_OPTION(COUNT, "budget", 0, AT(budget), "SECONDS",
               "time allowed for a method (default: 10)"),
    SHK_OPTION(COUNT, "seed", 0, AT(seed), "N", "seed for the random systems (default: 1)"),
    SHK_SWITCH("all", 0, AT(all), "do not stop at the first claim that fails"),
    SHK_OPTION(TEXT, "junit", 0, AT(junit_file), "FILE", "also write the results as JUnit XML"),
    {0}};

const struct shk_command shk_command_try = {
    .name = "try",
    .synopsis = "WHAT [--budget SECONDS] [--seed N] [--all] [--junit FILE]",
    .summary = "Tells you within seconds what a method is and which of its claims fail",
    .help = "WHAT is a method, its source or plug-in, or the command that starts a program that\n"
            "speaks a line protocol. The cheapest tests come first. The first claim that fails\n"
            "ends the trial, and its likely cause is printed. If a method claims nothing, `try`\n"
            "prints the claims it could make. The exit status is 0 if all claims are held, 1 if a\n"
            "claim failed, and 3 if a claim was not decided (`try` prints the commands that\n"
            "decide it), if runs failed, or if the method claims nothing.",
    .formats = SHK_DATA,
    .line = {1, 1, SHK_TAKES_JOBS | SHK_TAKES_KICK, flags},
    .does = {sizeof(struct trial), run_try, clear_try}};
