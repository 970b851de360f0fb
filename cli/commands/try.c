/*
 * shakedown try: what a method is, in seconds. It runs studies/try.yaml run by run, the cheapest
 * first, judges after each as `certify` does, and stops at the first claim that falls.
 */
#include "cli/commands/certify_claims.h"
#include "cli/commands/plugin.h"
#include "cli/commands/templates.h"
#include "cli/commands/try_facts.h"
#include "cli/shared/install_paths.h"
#include "cli/shared/output/overview.h"

#include "engine/names.h"
#include "foundation/clock.h"
#include "foundation/files/scratch.h"
#include "foundation/index.h"
#include "foundation/memory.h"
#include "harness/run/asked.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_BUDGET = 10 };

struct trial {
  struct shk_arguments arguments;
  long budget; /* seconds; 0: the default */
  bool all;
  struct shk_index methods;
  enum shk_language language;
  char *scratch, *option; /* a folder; options that name the plug-in in other commands */
  struct shk_table table; /* of programs */
};

/* One method, as far as the runs have gone. */
struct stage {
  const char *method; /* canonical */
  struct shk_study_job job;
  struct shk_certificate certificate;
  int runs, done; /* of the study */
  bool fell;
};

/* ---- what is tried ---- */

static bool take_method(struct trial *t, const char *text)
{
  struct shk_message error = {.text = ""};
  char *const spec = shk_canonical_integrator(&t->arguments.context, text, &error);
  if (spec)
    shk_index_text(&t->methods, spec);
  free(spec);
  return shk_accept(spec, &error);
}

/* Takes all methods of a plug-in, and RATTLE with its solvers. */
static bool take_plugin(struct trial *t, const char *path)
{
  const struct shk_remote_provider *const offer = shk_plugin_offer(&t->arguments, path);
  bool ok = offer;
  for (int i = 0; ok && i < offer->integrator_count; i++)
    ok = take_method(t, offer->integrators[i].name);
  for (int i = 0; ok && i < offer->solver_count; i++) {
    char *const spec = shk_print_text("rattle(solver=%s)", offer->solvers[i].name);
    ok = take_method(t, spec);
    free(spec);
  }
  return ok &&
         (t->methods.count > 0 || shk_complain("%s: offers no integrator and no solver", path));
}

static bool take_source(struct trial *t, const char *source)
{
  const char *const slash = strrchr(source, '/');
  t->scratch = shk_scratch_make();
  if (!t->scratch)
    return shk_complain("no folder for temporary files: %s", strerror(errno));
  char *const target = shk_print_text("%s/%s.so", t->scratch, slash ? slash + 1 : source);
  const bool ok = shk_plugin_build(&t->arguments, source, target) && take_plugin(t, target);
  free(target);
  return ok;
}

/* Runs the program as an engine, which shows by its greeting what it is. */
static bool greet(const struct shk_context *context, const void *user, void *filled,
                  struct shk_message *error)
{
  struct shk_outcome outcome = {0};
  (void)filled;
  shk_engine_f64.run(context, &outcome,
                     &(struct shk_cell){.kind = (char *)"run",
                                        .problem = (char *)"chain(links=2)",
                                        .integrator = (char *)user,
                                        .step = (char *)"0.01",
                                        .until = (char *)"0.01"});
  const enum shk_code code = outcome.code;
  shk_message_set(error, "%s", outcome.reason);
  shk_outcome_clear(&outcome);
  return code == SHK_OK || code == SHK_REFUSED;
}

static bool take_command(struct trial *t, const char *command)
{
  struct shk_answered answer;
  char *spec = shk_print_text("engine(command=\"%s\")", command);
  t->language = SHK_LANGUAGE_LINES;
  t->arguments.context.access.programs = true;
  bool ok = shk_use_plugins(&t->arguments);
  if (ok)
    shk_ask_apart(&(struct shk_asked){.servers = shk_servers_asked(&t->arguments),
                                      .engine = &shk_engine_f64,
                                      .seconds = (double)t->budget,
                                      .fill = greet,
                                      .user = spec},
                  &answer, sizeof answer);
  const bool integrator = ok && strstr(answer.reason, "found shakedown-integrator"),
             solver = ok && strstr(answer.reason, "found shakedown-solver");
  if (integrator || solver) {
    free(spec);
    spec = integrator ? shk_print_text("external(command=\"%s\")", command)
                      : shk_print_text("rattle(solver=program(command=\"%s\"))", command);
  }
  const bool known = ok && (answer.ok || integrator || solver);
  ok = ok && (known || shk_complain("%s: %s", command, answer.reason)) && take_method(t, spec);
  free(spec);
  return ok;
}

/* Takes the word of the command line. Returns false after an error message. */
static bool take(struct trial *t, const char *what)
{
  static const char *const sources[] = {".c", ".cpp", ".cc", ".cxx"};
  struct shk_message error = {.text = ""};
  char *const spec = shk_canonical_integrator(&t->arguments.context, what, &error);
  bool is_source = false;
  for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
    is_source = is_source || shk_ends_with(what, sources[i]);
  const bool is_file = is_source || shk_ends_with(what, ".so") || shk_ends_with(what, ".py");
  for (int i = 0; i < t->arguments.plugin_count; i++)
    if (shk_ends_with(t->arguments.plugins[i], ".py"))
      t->language = SHK_LANGUAGE_PYTHON;
  if (spec)
    shk_index_text(&t->methods, spec);
  free(spec);
  if (spec)
    return true;
  if (is_file && access(what, R_OK) != 0)
    return shk_complain("%s: %s", what, strerror(errno));
  if (shk_ends_with(what, ".py"))
    t->language = SHK_LANGUAGE_PYTHON;
  if (is_file)
    return is_source ? take_source(t, what) : take_plugin(t, what);
  return !strchr(what, '(') && strpbrk(what, "/ ") ? take_command(t, what)
                                                   : shk_complain("%s", error.text);
}

/* ---- runs ---- */

/* Plans the first runs of the study. A store is not read while it is written. */
static bool plan_runs(struct stage *s, int runs)
{
  struct shk_message error = {""};
  struct shk_study_job *const job = &s->job;
  shk_certificate_clear(&s->certificate);
  shk_stored_records_close(job->records);
  shk_analysis_free(job->analysis);
  shk_plan_free(job->plan);
  job->records = NULL;
  job->analysis = NULL;
  job->study->run_count = runs;
  job->plan = shk_plan_make(job->study, &error);
  return shk_accept(job->plan, &error);
}

/* Judges the runs that are planned. Returns false after an error message. */
static bool judge(struct trial *t, struct stage *s)
{
  struct shk_message error = {""};
  struct shk_study_job *const job = &s->job;
  if (!shk_accept(shk_job_analyse(job, &t->arguments, true, &error), &error))
    return false;
  shk_certify(&s->certificate, &s->method, 1, job->analysis, job->plan, job->all);
  for (int i = 0; i < s->certificate.count; i++) {
    struct shk_certificate_row *const row = &s->certificate.rows[i];
    s->fell = s->fell || row->verdict == SHK_VERDICT_FALSIFIED;
    if (row->verdict == SHK_VERDICT_NOT_SHOWN) /* not yet, or not here */
      row->verdict = SHK_VERDICT_UNDECIDED;
  }
  return true;
}

/* Runs and judges run by run, until a claim falls or the time is over: a run that is not finished
 * then is left out. Returns false after an error message. */
static bool run_all(struct trial *t, struct stage *s)
{
  const double end = shk_seconds() + (double)t->budget;
  struct shk_schedule_options options = shk_schedule_asked(&t->arguments);
  bool ok = true;
  options.untimed = true;
  while (ok && s->done < s->runs && (t->all || !s->fell)) {
    options.seconds = fmax(end - shk_seconds(), 0.01);
    ok = plan_runs(s, s->done + 1) && shk_job_run(&s->job, &t->arguments, &options);
    const bool over = ok && s->job.result.left > 0;
    s->done += ok && !over;
    if (over)
      ok = s->done == 0 || plan_runs(s, s->done);
    ok = ok && (s->done == 0 || judge(t, s));
    if (over)
      break;
  }
  return ok;
}

/* ---- output ---- */

static int status_of(const struct stage *s, const struct shk_facts *facts)
{
  int held = 0;
  bool failed = false;
  for (int i = 0; i < s->certificate.count; i++) {
    held += s->certificate.rows[i].verdict == SHK_VERDICT_HELD;
    failed = failed || s->certificate.rows[i].verdict == SHK_VERDICT_FAILED;
  }
  return s->fell                                        ? SHK_EXIT_SHORT
         : failed || held == 0 || facts->claims_nothing ? SHK_EXIT_INCOMPLETE
                                                        : SHK_EXIT_HELD;
}

static void add_row(struct trial *t, const struct stage *s, const char *claim, const char *stated,
                    const char *verdict, const char *reason)
{
  shk_table_add(&t->table, (const char *const[]){s->method, claim, stated, NULL, NULL, NULL, NULL,
                                                 verdict, reason});
}

/* Adds the rows of the certificate, the lines about the method, and what it could claim. */
static void add_rows(struct trial *t, const struct stage *s, const struct shk_facts *facts)
{
  for (int i = 0; i < s->certificate.count; i++) {
    const struct shk_certificate_row *const row = &s->certificate.rows[i];
    const struct shk_finding *const f = row->of;
    char number[64];
    shk_number_text(number, sizeof number, f->value, 17);
    shk_table_add(&t->table,
                  (const char *const[]){row->integrator, row->claim, row->stated, f->problem,
                                        f->precision, f->word ? f->word : number, f->expected,
                                        shk_verdict_word(row->verdict), row->reason});
  }
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
    add_row(t, s, "finishes", NULL, "not asked", "the budget has ended");
}

static void print_next(const struct trial *t, const struct stage *s)
{
  const bool plain = strcspn(s->method, "(\"' ") == strlen(s->method);
  char *const word = plain ? shk_copy_text(s->method) : shk_shell_words("", &s->method, 1);
  const char *claim = NULL;
  for (int i = 0; i < s->certificate.count && !claim; i++)
    if (s->certificate.rows[i].verdict == SHK_VERDICT_FALSIFIED)
      claim = s->certificate.rows[i].claim;
  if (claim)
    printf("to draw it:\n  shakedown certify %s%s --with try --claim '%s' -o try.db\n"
           "  shakedown plot try.db -o figures\n",
           word, t->option, claim);
  else
    printf("try next, for the whole of it:\n  shakedown certify %s%s\n", word, t->option);
  free(word);
}

static void print_counts(const struct stage *s)
{
  int counts[SHK_VERDICTS] = {0};
  for (int i = 0; i < s->certificate.count; i++)
    counts[s->certificate.rows[i].verdict]++;
  shk_print_verdicts(counts);
}

static void print_text(const struct trial *t, const struct stage *s, const struct shk_facts *facts)
{
  char *const text = shk_facts_text(facts, t->language);
  shk_say("%s", s->method);
  for (int i = 0; i < 2; i++)
    if (facts->lines[i])
      shk_say("  %s", facts->lines[i]);
  shk_print_fallen(&s->certificate);
  print_counts(s);
  if (s->done < s->runs && !s->fell)
    shk_say("after %ld s %d of %d questions were answered; --budget SECONDS gives more", t->budget,
            s->done, s->runs);
  if (facts->claims_nothing && text)
    printf("it claims nothing; it could claim\n%s%s", text,
           t->language == SHK_LANGUAGE_LINES ? "\n" : "");
  print_next(t, s);
  free(text);
}

/* ---- the command ---- */

static int try_method(struct trial *t, const char *method, const char *file)
{
  const struct shk_certify_request request = {
      .integrators = &method, .count = 1, .seed = 1, .budget = SHK_BUDGET_DEFAULT, .file = file};
  struct shk_message error = {""};
  struct stage s = {.method = method};
  int status = SHK_EXIT_BAD_INPUT;
  char *const text = shk_certify_study(&t->arguments.context, &request, &error);
  if (shk_accept(text, &error) && shk_job_parse(&s.job, &t->arguments, text, "try") &&
      shk_accept(shk_job_open(&s.job, NULL, &error), &error)) {
    s.runs = s.job.study->run_count;
    const bool ok = run_all(t, &s);
    status = SHK_EXIT_INCOMPLETE;
    if (ok && s.done == 0) {
      shk_complain("%s: nothing was decided in %ld s", method, t->budget);
    } else if (ok) {
      struct shk_facts facts;
      shk_facts_find(&facts, method, &s.job);
      if (t->arguments.format == SHK_FORMAT_TABLE)
        print_text(t, &s, &facts);
      else
        add_rows(t, &s, &facts);
      status = status_of(&s, &facts);
      shk_facts_clear(&facts);
    }
    s.job.study->run_count = s.runs;
  }
  shk_certificate_clear(&s.certificate);
  free(text);
  return shk_job_clear(&s.job, status);
}

/* The options of the command line that other commands need for the same method. */
static void keep_options(struct trial *t, const char *what)
{
  const char *const *const plugins = t->arguments.named_plugins.all;
  char *const named = shk_shell_words(" --plugin ", plugins, t->arguments.named_plugins.count);
  const bool file = t->arguments.plugin_count > t->arguments.named_plugins.count;
  char *own = NULL;
  if (file && t->scratch)
    own = shk_print_text(" --plugin ./%.*s.so", (int)(strrchr(what, '.') - what), what);
  else if (file)
    own = shk_print_text(" --plugin %s", what);
  t->option = shk_print_text("%s%s%s", named, own ? own : "",
                             t->language == SHK_LANGUAGE_LINES ? " --allow-external" : "");
  free(own);
  free(named);
}

static int run(void *self)
{
  static const int order[] = {SHK_EXIT_HELD, SHK_EXIT_INCOMPLETE, SHK_EXIT_SHORT};
  struct trial *const t = self;
  const char *const what = t->arguments.words[0];
  int worst = 0, status;
  t->budget = t->budget > 0 ? t->budget : DEFAULT_BUDGET;
  t->arguments.quiet = true;
  if (!take(t, what))
    return SHK_EXIT_BAD_INPUT;
  char *const file = shk_shipped_study("try");
  if (!file)
    return shk_bad_input("studies/try.yaml, which comes with shakedown, is not found");
  keep_options(t, what);
  shk_columns(&t->table, "integrator|claim|stated|problem|precision|value|expected|verdict|reason");
  for (int i = 0; i < t->methods.count; i++) {
    if (i > 0 && t->arguments.format == SHK_FORMAT_TABLE)
      putchar('\n');
    status = try_method(t, t->methods.texts[i], file);
    for (int k = 0; k < 3; k++)
      worst = status == order[k] && k > worst ? k : worst;
  }
  if (t->arguments.format == SHK_FORMAT_TABLE)
    shk_table_clear(&t->table);
  else
    shk_show_and_clear(&t->table, t->arguments.format);
  free(file);
  return order[worst];
}

static void clear(void *self)
{
  struct trial *const t = self;
  shk_index_clear(&t->methods);
  shk_scratch_remove(t->scratch);
  free(t->scratch);
  free(t->option);
}

#define AT(member) offsetof(struct trial, member)
static const struct shk_flag flags[] = {
    SHK_OPTION(COUNT, "budget", 0, AT(budget), "SECONDS", "time for a method (default: 10)"),
    SHK_SWITCH("all", 0, AT(all), "do not stop at the first claim that falls"),
    {0}};

const struct shk_command shk_command_try = {
    .name = "try",
    .synopsis = "FILE.c|FILE.cpp|FILE.py|FILE.so|INTEGRATOR|COMMAND",
    .summary = "Says in seconds what a method is, and which of its claims fall",
    .help = "FILE is a method's source or plug-in; COMMAND a program that speaks one of the line\n"
            "protocols, as an integrator, an engine or a solver, which is run. The cheapest\n"
            "questions come first; the first claim that falls ends it, with the likely cause.\n"
            "A method without claims is shown what it could claim. `certify` is the whole of\n"
            "it. Exit status 0: what was asked is held; 1: a claim fell; 3: nothing was decided.",
    .formats = SHK_DATA,
    .line = {1, 1, SHK_TAKES_JOBS, flags},
    .does = {sizeof(struct trial), run, clear}};
