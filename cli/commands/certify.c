/* shakedown certify: tests the claims of integrators on problems that can decide them. */
#include "cli/commands/certify.h"
#include "cli/commands/certify_claims.h"
#include "cli/commands/certify_why.h"
#include "cli/shared/install_paths.h"
#include "cli/shared/output/overview.h"
#include "cli/shared/output/terminal.h"
#include "cli/shared/study/run_study.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "harness/check/certify.h"
#include "harness/check/option_sets.h"
#include "harness/plan/plan_records.h"
#include "measures/quantity.h"
#include <math.h>
#include <shakedown/random.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct certify {
  const char *store, *format_word, *why, *figures, *with;
  long jobs, seed; /* seed 0: not given */
  bool quiet, study, thorough, brief, options, values;
  bool tap;
  int *points; /* TAP points printed before; NULL: the certificate is the whole output */
  enum shk_format format;
  struct shk_arguments arguments;
  int count;
  char **integrators; /* canonical */
  struct shk_words problems, claims;
  char **specifications; /* the specifications of `integrators`, canonical */
  char *file;            /* study file with the requirements: --with, or the program's own */
};

/* ---- selection ---- */

static void add_integrator(struct certify *c, char *owned)
{
  c->integrators = shk_grow(c->integrators, (size_t)c->count, sizeof *c->integrators);
  c->integrators[c->count++] = owned;
}

static bool has(const struct certify *c, const char *spec)
{
  for (int i = 0; i < c->count; i++)
    if (strcmp(c->integrators[i], spec) == 0)
      return true;
  return false;
}

/* Returns false after an error message. */
static bool add_specification(struct certify *c, const char *text)
{
  struct shk_message error = {.text = ""};
  char *spec = shk_canonical_integrator(&c->arguments.context, text, &error);
  if (!spec) {
    shk_complain("%s", error.text);
    return false;
  }
  if (has(c, spec))
    free(spec);
  else
    add_integrator(c, spec);
  return true;
}

/* True if a word is the specification of an option set, or names its integrator. */
static bool is_meant(const struct shk_context *context, const char *set, const char *word)
{
  struct shk_message error;
  if (strchr(word, '(') == NULL)
    return shk_find_integrator(context, set) == shk_find_integrator(context, word);
  char *const spec = shk_canonical_integrator(context, set, &error);
  char *const meant = shk_canonical_integrator(context, word, &error);
  const bool same = spec != NULL && meant && strcmp(spec, meant) == 0;
  free(spec);
  free(meant);
  return same;
}

/* Selects the option sets that were named, or all. Returns false after an error message. */
static bool choose_options(struct certify *c)
{
  const int words = c->arguments.count;
  for (int i = 0; i < (words > 0 ? words : 1); i++) {
    const char *const word = words > 0 ? c->arguments.words[i] : NULL;
    const int before = c->count;
    for (const struct shk_option_set *set = shk_option_sets; set->integrator; set++)
      if ((!word || is_meant(&c->arguments.context, set->integrator, word)) &&
          !add_specification(c, set->integrator))
        return false;
    if (c->count == before) {
      shk_complain("--options: there are no option sets of \"%s\"", word);
      return false;
    }
  }
  return true;
}

/* Selects the integrators that were named, or all except the exact solution, which claims nothing.
 * Returns false after an error message. */
static bool choose(struct certify *c)
{
  if (c->options)
    return choose_options(c);
  for (int i = 0; i < c->arguments.count; i++)
    if (!add_specification(c, c->arguments.words[i]))
      return false;
  struct shk_message error = {.text = ""};
  const struct shk_integrator_info *info;
  for (int i = 0;
       c->arguments.count == 0 && (info = shk_integrator_at(&c->arguments.context, i)) != NULL;
       i++) {
    /* An integrator with mandatory options is certified only when it is named with them. */
    char *spec =
        info->exact ? NULL : shk_canonical_integrator(&c->arguments.context, info->name, &error);
    if (spec)
      add_integrator(c, spec);
  }
  return true;
}

char *shk_problem_named(const char *word)
{
  return shk_ends_with(word, ".yaml") ? shk_print_text("particles(file=\"%s\")", word)
                                      : shk_copy_text(word);
}

/* Reads the problems that were named; a file stands for a system of particles. Returns false after
 * an error message. */
static bool choose_problems(struct certify *c)
{
  struct shk_message error = {.text = ""};
  c->specifications = shk_allocate((size_t)c->problems.count + 1, sizeof *c->specifications);
  for (int i = 0; i < c->problems.count; i++) {
    char *const named = shk_problem_named(c->problems.all[i]);
    c->specifications[i] = shk_canonical_problem(&c->arguments.context, named, &error);
    free(named);
    if (!c->specifications[i]) {
      shk_complain("--problem: %s", error.text);
      return false;
    }
  }
  return true;
}

/* Finds the study file with the requirements. Returns false after an error message. */
static bool find_file(struct certify *c)
{
  c->file = c->with ? shk_find_study(c->with) : shk_shipped_study("certificate");
  if (!c->file && !c->with)
    shk_complain("studies/certificate.yaml, which comes with shakedown, is not found");
  return c->file != NULL;
}

static struct shk_certify_request request_of(const struct certify *c)
{
  return (struct shk_certify_request){(const char *const *)c->integrators,
                                      c->count,
                                      (const char *const *)c->specifications,
                                      c->problems.count,
                                      c->claims.all,
                                      c->claims.count,
                                      c->seed,
                                      c->thorough              ? SHK_BUDGET_THOROUGH
                                      : c->options || c->brief ? SHK_BUDGET_BRIEF
                                                               : SHK_BUDGET_DEFAULT,
                                      c->file};
}

/* ---- output ---- */

static const char *value_text(char *buffer, size_t size, const struct shk_certificate_row *row,
                              int digits)
{
  if (row->word)
    return row->word;
  shk_number_text(buffer, size, row->value, digits);
  return *buffer != '\0' ? buffer : NULL;
}

static void show_table(const struct shk_certificate *certificate, enum shk_format format)
{
  static const char *const names[] = {"integrator", "claim", "stated",   "problem",
                                      "precision",  "value", "expected", "verdict"};
  static const enum shk_alignment sides[] = {SHK_ALIGN_LEFT, SHK_ALIGN_LEFT, SHK_ALIGN_LEFT,
                                             SHK_ALIGN_LEFT, SHK_ALIGN_LEFT, SHK_ALIGN_RIGHT,
                                             SHK_ALIGN_LEFT, SHK_ALIGN_LEFT};
  struct shk_table table;
  shk_table_init(&table, sizeof names / sizeof names[0], names, sides);
  for (int i = 0; i < certificate->count; i++) {
    const struct shk_certificate_row *row = &certificate->rows[i];
    char number[64];
    const char *value = value_text(number, sizeof number, row, format == SHK_FORMAT_TABLE ? 4 : 17);
    shk_table_add(&table, (const char *const[]){row->integrator, row->claim, row->stated,
                                                row->problem, row->precision, value, row->expected,
                                                shk_verdict_word(row->verdict)});
  }
  shk_show_table(&table, format);
  shk_table_clear(&table);
}

static void show_tap(const struct shk_certificate *certificate, int *points)
{
  for (int i = 0; i < certificate->count; i++) {
    const struct shk_certificate_row *row = &certificate->rows[i];
    const bool bad = shk_is_bad(row->verdict);
    char number[64];
    const char *value = value_text(number, sizeof number, row, 4);
    printf("%sok %d - ", bad ? "not " : "", ++*points);
    shk_print_tap(stdout, row->integrator);
    printf(": %s %s", row->claim, row->stated);
    if (row->problem) {
      fputs(" on ", stdout);
      shk_print_tap(stdout, row->problem);
      printf(" in %s", row->precision);
    }
    if (value) {
      fputs(": ", stdout);
      shk_print_tap(stdout, value);
    }
    if (row->expected) {
      fputs(", ", stdout);
      shk_print_tap(stdout, row->expected);
    }
    if (!bad && row->verdict != SHK_VERDICT_HELD) {
      printf(" # SKIP %s: ", shk_verdict_word(row->verdict));
      shk_print_tap(stdout, row->reason ? row->reason : "no reason given");
    }
    putchar('\n');
    if (bad && row->reason) {
      printf("# %s: ", shk_verdict_word(row->verdict));
      shk_print_tap(stdout, row->reason);
      putchar('\n');
    }
  }
}

/* Draws the figures. Returns false after an error message. */
static bool draw(const struct certify *c, const struct shk_certificate *certificate,
                 const struct shk_plot_request *request)
{
  const int drawn = shk_draw_why(certificate, shk_certified_named(c->why), request);
  if (drawn >= 0)
    printf("%d figure%s in %s\n", drawn, drawn == 1 ? "" : "s", c->figures);
  return drawn >= 0;
}

static int show(const struct certify *c, const struct shk_study *study,
                const struct shk_analysis *analysis, const struct shk_plan *plan,
                struct shk_records *records)
{
  struct shk_certificate certificate;
  shk_certify(&certificate, (const char *const *)c->integrators, c->count, analysis, plan,
              shk_stored_records_all(records, 0), records);
  shk_certificate_keep(&certificate, c->claims.all, c->claims.count);
  int status = shk_certificate_exit_code(&certificate);
  if (c->why) {
    shk_print_why(&certificate, shk_certified_named(c->why), analysis, plan,
                  shk_stored_records_all(records, 0));
    const struct shk_plot_request request = {.study = study,
                                             .plan = plan,
                                             .records = shk_stored_records_all(records, 0),
                                             .parts = records,
                                             .analysis = analysis,
                                             .directory = c->figures,
                                             .extent = SHK_PLOT_CHOSEN};
    if (c->figures && !draw(c, &certificate, &request))
      status = SHK_EXIT_INCOMPLETE;
  } else if (c->tap) {
    int own = 0;
    if (!c->brief)
      printf("# some problems are random: --seed %ld gives the same ones\n", c->seed);
    show_tap(&certificate, c->points ? c->points : &own);
    if (!c->points)
      printf("1..%d\n", own);
  } else {
    if (c->format == SHK_FORMAT_TABLE && !c->values)
      shk_print_claims(&certificate);
    else
      show_table(&certificate, c->format);
    if (c->format == SHK_FORMAT_TABLE) {
      shk_print_reasons(&certificate);
      if (!c->brief)
        printf("some problems are random: --seed %ld gives the same ones\n", c->seed);
    }
  }
  shk_certificate_clear(&certificate);
  return status;
}

/* ---- the run ---- */

static int run_plan(struct certify *c, const struct shk_study *study, const struct shk_plan *plan,
                    struct shk_store *store)
{
  const struct shk_study_request request = {.store = c->store,
                                            .jobs = c->jobs,
                                            .quiet = c->quiet,
                                            .untimed = !c->store,
                                            .arguments = &c->arguments};
  if (!shk_run_cells(study, plan, store, &request))
    return SHK_EXIT_INCOMPLETE;
  struct shk_message error = {.text = ""};
  struct shk_records *records = shk_plan_open_records(store, plan, true, &error);
  if (!records) {
    shk_complain("%s", error.text);
    return SHK_EXIT_INCOMPLETE;
  }
  struct shk_analysis *analysis = shk_analyse(study, plan, records);
  int status = SHK_EXIT_INCOMPLETE;
  if (shk_stored_records_good(records, &error))
    status = show(c, study, analysis, plan, records);
  else
    shk_complain("%s", error.text);
  shk_analysis_free(analysis);
  shk_stored_records_close(records);
  return status;
}

static int run_study(struct certify *c, const char *text)
{
  struct shk_message error = {.text = ""};
  struct shk_study *study =
      shk_study_parse(&c->arguments.context, text, strlen(text), "certificates", &error);
  struct shk_plan *plan = study ? shk_plan_make(study, &error) : NULL;
  struct shk_store *store = plan ? shk_store_open(c->store, SHK_STORE_WRITE, &error) : NULL;
  int status = SHK_EXIT_BAD_INPUT;
  if (!store) {
    shk_complain("%s", error.text);
  } else {
    status = run_plan(c, study, plan, store);
    if (!shk_store_close(store, &error)) {
      shk_complain("%s", error.text);
      status = SHK_EXIT_INCOMPLETE;
    }
  }
  shk_plan_free(plan);
  shk_study_free(study);
  return status;
}

/* Seed of the study that is printed by --study without --seed. */
static const long fixed_seed = 1;

/* A new seed for each certificate, from the clock and the process number. */
static long draw_seed(void)
{
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  uint64_t state = (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec +
                   ((uint64_t)getpid() << 40);
  return 1 + (long)(shk_random_next(&state) % 999999);
}

static int unknown_claim(const char *option, const char *words)
{
  shk_complain("%s: found \"%s\", expected a claim such as \"order of q\" or \"symplectic\"; "
               "`shakedown certify` lists them",
               option, words);
  return SHK_EXIT_BAD_INPUT;
}

static int start(struct certify *c)
{
  struct shk_message error = {.text = ""};
  if (c->format_word && strcmp(c->format_word, "tap") == 0) {
    c->tap = true;
  } else if (c->format_word && (!shk_format_parse(&c->format, c->format_word, &error) ||
                                c->format == SHK_FORMAT_LATEX)) {
    shk_complain("--format: unknown format \"%s\", expected table, csv, json or tap",
                 c->format_word);
    return SHK_EXIT_BAD_INPUT;
  }
  c->why = c->why ? shk_current_name(c->why) : NULL;
  for (int i = 0; i < c->claims.count; i++)
    c->claims.all[i] = shk_current_name(c->claims.all[i]);
  if (c->why && shk_certified_named(c->why) < 0)
    return unknown_claim("--why", c->why);
  for (int i = 0; i < c->claims.count; i++)
    if (shk_certified_measures(c->claims.all[i]) == 0)
      return unknown_claim("--claim", c->claims.all[i]);
  if (c->figures && !c->why) {
    shk_complain("--figures needs --why CLAIM: figures show one claim");
    return SHK_EXIT_BAD_INPUT;
  }
  if (!shk_jobs_allowed(c->jobs) || !shk_use_plugins(&c->arguments) || !choose(c) ||
      !choose_problems(c) || !find_file(c))
    return SHK_EXIT_BAD_INPUT;
  if (c->seed == 0)
    c->seed = c->study ? fixed_seed : draw_seed();
  const struct shk_certify_request request = request_of(c);
  char *text = shk_certify_study(&c->arguments.context, &request, &error);
  int status = SHK_EXIT_BAD_INPUT;
  if (!text) {
    shk_complain("%s", error.text);
  } else if (c->study) {
    fputs(text, stdout);
    status = SHK_EXIT_HELD;
  } else {
    status = run_study(c, text);
  }
  free(text);
  return status;
}

int shk_certify_points(int *points, const struct shk_arguments *arguments,
                       const char *const *integrators, int count, const struct shk_words *problems,
                       long jobs)
{
  struct shk_message error = {.text = ""};
  struct certify c = {.tap = true,
                      .quiet = true,
                      .points = points,
                      .jobs = jobs,
                      .seed = draw_seed(),
                      .arguments = *arguments,
                      .count = count,
                      .integrators = (char **)integrators,
                      .problems = *problems};
  const bool chosen = choose_problems(&c) && find_file(&c);
  const struct shk_certify_request request = request_of(&c);
  char *text = chosen ? shk_certify_study(&arguments->context, &request, &error) : NULL;
  int status = SHK_EXIT_BAD_INPUT;
  if (!text && chosen)
    shk_complain("%s", error.text);
  else if (text)
    status = run_study(&c, text);
  free(text);
  free(c.file);
  shk_free_texts(c.specifications, c.problems.count);
  return status;
}

static int run(const struct shk_command *command, int argc, char **argv)
{
  struct certify c = {.format = SHK_FORMAT_TABLE};
  const struct shk_flag flags[] = {
      {"output", 'o', SHK_FLAG_TEXT, "STORE", "keep the records (default: in memory only)",
       &c.store},
      {"jobs", 'j', SHK_FLAG_COUNT, "N", "cell servers (default: as many as processors)", &c.jobs},
      {"study", 0, SHK_FLAG_SWITCH, NULL, "print the study that would be run, and run nothing",
       &c.study},
      {"with", 0, SHK_FLAG_TEXT, "STUDY", "run this study on $method (default: certificate)",
       &c.with},
      {"seed", 0, SHK_FLAG_COUNT, "N",
       "seed of random systems (default: a new one each time; with --study 1)", &c.seed},
      {"why", 0, SHK_FLAG_TEXT, "CLAIM",
       "show the evidence for one claim, step by step: \"order of q\"", &c.why},
      {"figures", 0, SHK_FLAG_TEXT, "DIR", "with --why: draw it too, into this folder", &c.figures},
      {"brief", 0, SHK_FLAG_SWITCH, NULL,
       "no random systems, fewer steps and long runs, little in double precision", &c.brief},
      {"thorough", 0, SHK_FLAG_SWITCH, NULL,
       "more problems, more steps, both precisions; takes minutes", &c.thorough},
      {"options", 0, SHK_FLAG_SWITCH, NULL,
       "certify methods with options other than the defaults; takes minutes", &c.options},
      {"problem", 0, SHK_FLAG_WORDS, "SPEC",
       "also test on this problem, or the system in FILE.yaml; may be repeated", &c.problems},
      {"claim", 0, SHK_FLAG_WORDS, "CLAIM",
       "test this claim only: \"symplectic\", \"contract\"; may be repeated", &c.claims},
      {"values", 0, SHK_FLAG_SWITCH, NULL, "print a row for each problem, not for each claim",
       &c.values},
      {"quiet", 'q', SHK_FLAG_SWITCH, NULL, "no progress", &c.quiet},
      {"format", 0, SHK_FLAG_TEXT, "table|csv|json|tap", "output format", &c.format_word},
      {NULL, 0, SHK_FLAG_SWITCH, NULL, NULL, NULL}};
  int status;
  if (shk_arguments_read(&c.arguments, &status, command, flags, 0, 1000, argc, argv))
    status = start(&c);
  shk_arguments_clear(&c.arguments);
  shk_free_texts(c.integrators, c.count);
  if (c.specifications)
    shk_free_texts(c.specifications, c.problems.count);
  free(c.file);
  free(c.problems.all);
  free(c.claims.all);
  return status;
}

const struct shk_command shk_command_certify = {
    .name = "certify",
    .synopsis = "[INTEGRATOR…] [-o STORE] [-j N]",
    .summary = "Tests every claim of an integrator on problems that can decide it",
    .help = "Without names: all integrators. Claims of yes and of no are tested: orders of q, p\n"
            "and the multipliers, (pre)symplecticity, symmetry, reversibility, constraints and\n"
            "momenta, the class of the energy, the fibre identity of SHAKE and RATTLE. Tested for\n"
            "every method: double agrees with quad, steps back have the same order, a step\n"
            "depends on its state alone, has no side effects, and reports failures. Properties\n"
            "that are not claimed are measured, too. Some problems are random systems, from a\n"
            "seed that is printed. Exit status 1: a claim was falsified or is upheld nowhere; 3:\n"
            "something failed.",
    .run = run};
