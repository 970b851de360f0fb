/* shakedown check: runs a study again and compares the results with its baseline. */
#include "cli/shared/options.h"
#include "cli/shared/output/atomic_file.h"
#include "cli/shared/output/claims_left.h"
#include "cli/shared/study/likely_cause.h"
#include "cli/shared/study/revisions.h"
#include "cli/shared/study/sides.h"
#include "cli/shared/study/study_job.h"

#include "foundation/memory.h"
#include "harness/check/check_report.h"
#include "harness/check/power.h"
#include "harness/check/stated_bands.h"
#include <stdlib.h>

struct check {
  struct shk_arguments arguments;
  const char *baseline, *junit, *store;
  bool power;
  struct shk_side was, is;
};

static void print_junit(FILE *file, const void *comparison)
{
  shk_check_print_junit(file, comparison);
}

enum { MOST_CAUSES = 3 }; /* maximum number of methods for which likely causes are determined */

/* Finds the likely causes for the first few methods with falsified claims. */
static void find_causes(const struct check *c, struct shk_comparison *comparison)
{
  int asked = 0;
  for (int first = 0, end; first < comparison->count && asked < MOST_CAUSES; first = end) {
    const char *const integrator = comparison->rows[first].of->integrator;
    bool fell = false;
    end = shk_comparison_end(comparison, first);
    for (int i = first; i < end; i++)
      fell = fell || comparison->rows[i].fell;
    asked += fell;
    char *const words = fell ? shk_find_likely_cause(&c->arguments, integrator) : NULL;
    if (words)
      *SHK_APPEND(comparison->causes, comparison->cause_count) =
          (struct shk_likely_cause){integrator, words};
  }
}

/* Determines, for each changed value, when the old value was added to the baseline. */
static void find_origins(const struct check *c, struct shk_comparison *comparison)
{
  struct shk_origins origins;
  shk_origins_find(&origins, c->baseline);
  for (int i = 0; i < comparison->count; i++) {
    struct shk_compared *const row = &comparison->rows[i];
    const char *const since = row->was ? shk_origin(&origins, row->was->line) : NULL;
    if (shk_changes[row->change].fails && since)
      row->since = shk_copy_text(since);
  }
  shk_origins_clear(&origins);
}

/* Returns a command that shows more details, which the caller frees. The command shows the first
 * method with falsified claims or failed cells or, if there is no such method, the values. */
static char *next_command(const struct check *c, const struct shk_comparison *comparison)
{
  const char *method = NULL;
  for (int i = 0; i < comparison->count && !method; i++)
    if (comparison->rows[i].fell || (comparison->fell == 0 && comparison->rows[i].incomplete))
      method = comparison->rows[i].of->integrator;
  char *const options = shk_method_options(&c->arguments);
  char *const study = shk_shell_word(c->arguments.words[0]);
  char *const store = shk_shell_word(c->store ? c->store : "check.db");
  char *const word = method ? shk_shell_word(method) : NULL;
  char *const text = method ? shk_print_text("shakedown try %s%s", word, options)
                            : shk_print_text("shakedown run %s -o %s%s; shakedown show %s%s", study,
                                             store, options, store, options);
  free(word);
  free(store);
  free(study);
  free(options);
  return text;
}

static int compare_check(const struct check *c)
{
  struct shk_comparison comparison;
  shk_compare(&comparison, shk_side_study(&c->was, c->is.studies[0].study), c->is.studies);
  find_causes(c, &comparison);
  if (comparison.failing > 0)
    find_origins(c, &comparison);
  char *const next = next_command(c, &comparison);
  shk_check_print_tap(stdout, &comparison, next);
  free(next);
  char *const options = shk_method_options(&c->arguments);
  shk_print_claims_left(stdout, "# ", &c->is.open, true, options);
  free(options);
  int status = shk_open_claims_exit_code(&c->is.open, comparison.exit_code);
  if (c->junit && !shk_write_file(c->junit, print_junit, &comparison))
    status = SHK_EXIT_INCOMPLETE;
  shk_comparison_clear(&comparison);
  return status;
}

/* Prints which changes the study cannot detect when it is compared with this baseline. */
static int print_power(struct check *c)
{
  struct shk_message error = {.text = ""};
  struct shk_study_job job = {.loaded = true}; /* without a store */
  struct shk_stated_bands bands = {0};
  int status = SHK_EXIT_BAD_INPUT;
  if (shk_job_read(&job, &c->arguments, c->arguments.words[0]) &&
      shk_accept(shk_stated_bands_read(&bands, job.study, &error), &error)) {
    struct shk_baseline *const baseline = shk_side_study(&c->was, job.study->name);
    if (!baseline) {
      shk_complain("%s: found no values of the study '%s', which is in %s", c->baseline,
                   job.study->name, job.study->path);
    } else {
      shk_stated_bands_apply(&bands, NULL, baseline);
      shk_power_print(stdout, job.study, job.plan, baseline);
      status = SHK_EXIT_HELD;
    }
  }
  shk_stated_bands_clear(&bands);
  return shk_job_clear(&job, status);
}

static int run_check(void *self)
{
  struct check *const c = self;
  if (!c->baseline) {
    char *const study = shk_shell_word(c->arguments.words[0]);
    shk_complain("check needs --baseline FILE; `shakedown baseline %s -o FILE` writes one", study);
    free(study);
    return SHK_EXIT_BAD_INPUT;
  }
  if (!shk_side_read(&c->was, &c->arguments, c->baseline, NULL))
    return SHK_EXIT_BAD_INPUT;
  if (c->power)
    return print_power(c);
  const int status = shk_side_run(&c->is, &c->arguments, c->store, &c->was);
  return c->is.count > 0 ? compare_check(c) : status;
}

static void clear_check(void *self)
{
  struct check *const c = self;
  shk_side_clear(&c->was);
  shk_side_clear(&c->is);
}

#define AT(member) offsetof(struct check, member)
static const struct shk_flag flags[] = {
    SHK_OPTION(TEXT, "baseline", 0, AT(baseline), "FILE",
               "a baseline, or a store or REVISION:FILE as in `compare`"),
    SHK_SWITCH("power", 0, AT(power),
               "print what the study cannot detect, without running anything"),
    SHK_OPTION(TEXT, "junit", 0, AT(junit), "FILE", "also write the results as JUnit XML"),
    SHK_OPTION(TEXT, "store", 0, AT(store), "STORE",
               "reuse the records in this store and save new ones to it (default: in memory only)"),
    {.name = NULL}};

const struct shk_command shk_command_check = {
    .name = "check",
    .synopsis = "STUDY --baseline FILE [--power] [--junit FILE] [--store STORE] [-j N]",
    .summary = "Runs a study and compares its results with a baseline",
    .help = "Prints TAP 13 with one test point for each value and a sentence for each change. If\n"
            "anything fails, the first lines report what failed, how long its value had been the\n"
            "same, and the likely cause that `try` finds. A value outside its band fails in\n"
            "either direction; if it improved, renew the baseline. Missing values fail, and new\n"
            "ones are reported. The exit status is 1 if a value changed or a claim failed, and 3\n"
            "if a claim whose measure the study names was not decided, if cells failed, or if the\n"
            "run was interrupted.",
    .line = {1, 1, SHK_TAKES_JOBS | SHK_TAKES_QUIET, flags},
    .does = {sizeof(struct check), run_check, clear_check}};
