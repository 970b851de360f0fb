/* shakedown certify: tests integrators' claims on problems that can decide them. */
#include "cli/commands/certify.h"
#include "cli/commands/certify_claims.h"
#include "cli/shared/install_paths.h"
#include "cli/shared/output/claims_left.h"
#include "cli/shared/output/overview.h"
#include "cli/shared/output/terminal.h"
#include "cli/shared/study/study_job.h"

#include "engine/names.h"
#include "foundation/index.h"
#include "foundation/memory.h"
#include "measures/quantity.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct certify {
  struct shk_arguments arguments;
  const char *store, *with;
  long seed; /* 0: not given */
  bool all, study, thorough, brief, values;
  int *points; /* number of TAP points printed so far; NULL if only the certificate is printed */
  struct shk_words problems, claims;
  struct shk_index methods, specifications; /* the integrators and `problems` in canonical form */
  /* the study file with the requirements, either the argument of --with or the built-in file */
  char *file;
};

/* ---- selection ---- */

/* Adds an integrator unless it is already in the list. On failure, prints an error message and
 * returns false. */
static bool add_method(struct certify *c, const char *text)
{
  struct shk_message error = {.text = ""};
  char *const spec = shk_canonical_integrator(&c->arguments.context, text, &error);
  if (spec)
    shk_index_text(&c->methods, spec);
  free(spec);
  return shk_accept(spec, &error);
}

/* Selects the integrators named on the command line. By default, selects all integrators that need
 * no options, except the exact solution, which makes no claims. On failure, prints an error message
 * and returns false. */
static bool choose_certify(struct certify *c)
{
  struct shk_message unused;
  const struct shk_integrator_info *info;
  bool ok = true;
  for (int i = 0; ok && i < c->arguments.count; i++)
    ok = add_method(c, c->arguments.words[i]);
  if (!ok || c->methods.count > 0)
    return ok;
  for (int i = 0; (info = shk_integrator_at(&c->arguments.context, i)) != NULL; i++) {
    /* An integrator with mandatory options is certified only if these options are given on the
     * command line. */
    char *const spec =
        info->exact ? NULL : shk_canonical_integrator(&c->arguments.context, info->name, &unused);
    if (spec)
      shk_index_text(&c->methods, spec);
    free(spec);
  }
  return true;
}

/* Returns true if a line of the file begins with "bodies:", the key for rigid bodies. */
static bool has_bodies(const char *path)
{
  FILE *const file = fopen(path, "r");
  char line[16];
  bool found = false, begins = true;
  while (file && !found && fgets(line, sizeof line, file)) {
    found = begins && strncmp(line, "bodies:", 7) == 0;
    begins = strchr(line, '\n') != NULL;
  }
  if (file)
    fclose(file);
  return found;
}

/* Adds the problems given by --problem. A file FILE.yaml is a mechanism if it contains bodies, and
 * a particle system otherwise. A study omits problems that cannot be set up, but requested problems
 * must not be omitted. If one of them cannot be set up, this function therefore prints an error
 * message and returns false. */
static bool choose_problems(struct certify *c)
{
  struct shk_message error = {.text = ""};
  bool ok = true;
  for (int i = 0; ok && i < c->problems.count; i++) {
    const char *const word = c->problems.all[i];
    char *const named =
        shk_ends_with(word, ".yaml")
            ? shk_print_text("%s(file=\"%s\")", has_bodies(word) ? "mechanism" : "particles", word)
            : shk_copy_text(word);
    char *const spec = shk_canonical_problem(&c->arguments.context, named, &error);
    struct shk_inspection unused;
    ok = (spec && shk_inspect(&c->arguments.context, &unused, "double", spec, &error)) ||
         shk_complain("--problem: %s", error.text);
    if (ok)
      shk_index_text(&c->specifications, spec);
    free(spec);
    free(named);
  }
  return ok;
}

/* Finds the study file that contains the requirements. On failure, prints an error message and
 * returns false. */
static bool find_file(struct certify *c)
{
  const char *const own = c->points && c->brief ? "contract" : "certificate";
  c->file = c->with ? shk_find_study(c->with) : shk_shipped_study(own);
  if (!c->file && !c->with)
    shk_complain("studies/%s.yaml, which comes with shakedown, was not found", own);
  return c->file;
}

/* ---- output ---- */

static void show_table(const struct shk_certificate *certificate, enum shk_format format)
{
  struct shk_table table;
  shk_columns(&table,
              format == SHK_FORMAT_JSON
                  ? "integrator|claim|stated|problem|precision|value|expected|verdict|reason"
                  : "integrator|claim|stated|problem|precision|>value|expected|verdict");
  shk_certificate_add(&table, certificate, format == SHK_FORMAT_TABLE ? 4 : 17);
  shk_show_and_clear(&table, format);
}

static void show_tap(const struct shk_certificate *certificate, int *points)
{
  for (int i = 0; i < certificate->count; i++) {
    const struct shk_certificate_row *row = &certificate->rows[i];
    const bool bad = shk_is_bad_for_exit(row->verdict),
               skipped = !bad && row->verdict != SHK_VERDICT_HELD;
    char *const text = shk_certificate_text(row);
    char *const why = shk_print_text("%s: %s", shk_verdict_word(row->verdict),
                                     row->reason ? row->reason : "no reason given");
    shk_tap_point(++*points, !bad, text, skipped ? why : NULL, bad && row->reason ? why : NULL);
    free(why);
    free(text);
  }
}

static void show_seed(const struct certify *c, const char *before)
{
  printf("%ssome problems are random; use --seed %ld to repeat them\n", before, c->seed);
}

/* Prints the open claims, along with the command for a certificate with the next larger budget. The
 * output goes to standard error unless the format is the default table or TAP. */
static void show_left(const struct certify *c, const struct shk_certificate *certificate)
{
  const bool tap = (int)c->arguments.format == SHK_FORMAT_TAP;
  const bool here = tap || c->arguments.format == SHK_FORMAT_TABLE;
  struct shk_open_claims open = {.count = 0};
  char *const methods = shk_method_options(&c->arguments);
  char *const options = c->thorough || c->with
                            ? NULL
                            : shk_print_text("%s%s", methods, c->brief ? "" : " --thorough");
  shk_open_claims_of_certificate(&open, certificate);
  fflush(stdout);
  shk_print_claims_left(here ? stdout : stderr, tap ? "# " : "", &open,
                        c->arguments.format != SHK_FORMAT_TABLE, options);
  shk_open_claims_clear(&open);
  free(options);
  free(methods);
}

static int show_certify(const struct certify *c, const struct shk_study_job *job)
{
  const enum shk_format format = c->arguments.format;
  const bool tap = (int)format == SHK_FORMAT_TAP, people = format == SHK_FORMAT_TABLE;
  struct shk_certificate certificate;
  shk_certify(&certificate, (const char *const *)c->methods.texts, c->methods.count, job->analysis,
              job->plan, job->all);
  shk_certificate_keep(&certificate, c->claims.all, c->claims.count);
  const int status = shk_certificate_exit_code(&certificate);
  if (tap) {
    int own = 0;
    show_seed(c, "# ");
    show_tap(&certificate, c->points ? c->points : &own);
    if (!c->points)
      printf("1..%d\n", own);
  } else if (people && !c->values) {
    shk_print_claims(&certificate);
  } else {
    show_table(&certificate, format);
  }
  if (people) {
    char *const options = shk_method_options(&c->arguments);
    shk_print_reasons(&certificate);
    show_seed(c, "");
    shk_print_shrink(&certificate, options);
    free(options);
  }
  show_left(c, &certificate);
  shk_certificate_clear(&certificate);
  return status;
}

/* ---- the run ---- */

static int run_study(struct certify *c, const char *text)
{
  struct shk_message error = {.text = ""};
  struct shk_study_job job = {0};
  int status = SHK_EXIT_BAD_INPUT;
  if (!shk_job_parse(&job, &c->arguments, text, "certificates"))
    return shk_job_clear(&job, status);
  if (c->arguments.count == 0 && !c->all && !c->points)
    shk_complain("certify: name an integrator (`shakedown list integrators`), or use --all to run "
                 "%d integrators in %d cells",
                 c->methods.count, job.plan->count);
  else if (shk_accept(shk_job_open(&job, c->store, &error), &error)) {
    struct shk_schedule_options options = shk_schedule_asked(&c->arguments);
    options.untimed = !c->store;
    status = shk_job_run(&job, &c->arguments, &options) &&
                     shk_accept(shk_job_analyse(&job, true, &error), &error)
                 ? show_certify(c, &job)
                 : SHK_EXIT_INCOMPLETE;
  }
  return shk_job_clear(&job, status);
}

/* Seed for the study that --study prints if --seed is not given. */
static const long fixed_seed = 1;

/* Draws a random seed from 1 to 999,999. If no source of random numbers is available, returns the
 * fixed seed. */
static long draw_seed(void)
{
  uint32_t drawn = 0;
  return getentropy(&drawn, sizeof drawn) == 0 ? 1 + (long)(drawn % 999999) : fixed_seed;
}

/* Creates the study for the selected integrators, and prints or runs it. */
static int certify(struct certify *c)
{
  struct shk_message error = {.text = ""};
  if (!choose_problems(c) || !find_file(c))
    return SHK_EXIT_BAD_INPUT;
  if (c->seed == 0)
    c->seed = c->study ? fixed_seed : draw_seed();
  const struct shk_certify_request request = {.integrators = (const char *const *)c->methods.texts,
                                              .count = c->methods.count,
                                              .problems =
                                                  (const char *const *)c->specifications.texts,
                                              .problem_count = c->specifications.count,
                                              .claims = c->claims.all,
                                              .claim_count = c->claims.count,
                                              .seed = c->seed,
                                              .kick = c->arguments.kick,
                                              .budget = c->thorough ? SHK_BUDGET_THOROUGH
                                                        : c->brief  ? SHK_BUDGET_BRIEF
                                                                    : SHK_BUDGET_DEFAULT,
                                              .file = c->file};
  char *const text = shk_certify_study(&c->arguments.context, &request, &error);
  int status = SHK_EXIT_BAD_INPUT;
  if (shk_accept(text, &error) && !c->study)
    status = run_study(c, text);
  else if (text && fputs(text, stdout) >= 0)
    status = SHK_EXIT_HELD;
  free(text);
  return status;
}

static void clear_certify(void *self)
{
  struct certify *const c = self;
  shk_index_clear(&c->methods);
  shk_index_clear(&c->specifications);
  free(c->file);
}

static int run_certify(void *self)
{
  struct certify *const c = self;
  for (int i = 0; i < c->claims.count; i++)
    if (shk_certified_measures(c->claims.all[i]) == 0)
      return shk_bad_input("--claim: found \"%s\", expected a claim such as \"order of q\" or "
                           "\"symplectic\"; `shakedown certify` lists them",
                           c->claims.all[i]);
  return choose_certify(c) ? certify(c) : SHK_EXIT_BAD_INPUT;
}

int shk_certify_points(int *points, const struct shk_arguments *arguments,
                       const struct shk_index *integrators, const struct shk_words *problems,
                       bool quick)
{
  static const char *contract[] = {"contract", "stateless", "valid states", "smooth"};
  struct certify c = {
      .points = points, .arguments = *arguments, .problems = *problems, .brief = quick};
  if (quick)
    c.claims = (struct shk_words){sizeof contract / sizeof contract[0], contract};
  c.arguments.format = (enum shk_format)SHK_FORMAT_TAP;
  c.arguments.quiet = true;
  for (int i = 0; i < integrators->count; i++)
    shk_index_text(&c.methods, integrators->texts[i]);
  const int status = certify(&c);
  clear_certify(&c);
  return status;
}

#define AT(member) offsetof(struct certify, member)
static const struct shk_flag flags[] = {
    SHK_OPTION(TEXT, "output", 'o', AT(store), "STORE",
               "save the records in this store (default: in memory only)"),
    SHK_SWITCH("all", 0, AT(all), "test all integrators that need no options"),
    SHK_SWITCH("study", 0, AT(study), "print the study instead of running it"),
    SHK_OPTION(TEXT, "with", 0, AT(with), "STUDY",
               "run this study with the integrator as $method (default: certificate)"),
    SHK_OPTION(COUNT, "seed", 0, AT(seed), "N",
               "seed for the random systems (default: a new one each time, or 1 with --study)"),
    SHK_SWITCH("brief", 0, AT(brief),
               "take only single steps of random systems, use fewer step sizes and long runs, and "
               "test little in double precision"),
    SHK_SWITCH("thorough", 0, AT(thorough),
               "use more problems, more steps and both precisions; takes minutes"),
    SHK_OPTION(WORDS, "problem", 0, AT(problems), "SPEC",
               "also test on this problem, or the system in FILE.yaml; may be repeated"),
    SHK_OPTION(WORDS, "claim", 0, AT(claims), "CLAIM",
               "test only this claim, such as \"symplectic\" or \"contract\"; may be repeated"),
    SHK_SWITCH("values", 0, AT(values), "print one row per problem instead of one per claim"),
    {.name = NULL}};

const struct shk_command shk_command_certify = {
    .name = "certify",
    .synopsis = "[INTEGRATOR…] [-o STORE] [-j N]",
    .summary = "Tests every claim of an integrator on problems that can decide it",
    .help = "Without names, this command prints what --all would run. It tests claims that a\n"
            "method has a property and claims that it does not: the orders of q, p and the\n"
            "multipliers, (pre)symplecticity, symmetry, reversibility, constraints and momenta,\n"
            "the energy class, and the fibre identity of SHAKE and RATTLE. For every method, it\n"
            "tests that double agrees with quad, that backward steps have the same order, and\n"
            "that a step depends only on its state, has no side effects and reports failures.\n"
            "Properties that are not claimed are measured, too. Some problems are random\n"
            "systems, and their seed is printed. The exit status is 0 if all claims are held, 1\n"
            "if a claim was falsified, and 3 if a claim was not decided (these are listed), if\n"
            "runs failed, or if nothing is claimed.",
    .formats = SHK_DATA | 1 << SHK_FORMAT_TAP,
    .line = {0, 0, SHK_TAKES_JOBS | SHK_TAKES_QUIET | SHK_TAKES_KICK, flags},
    .does = {sizeof(struct certify), run_certify, clear_certify}};
