/* shakedown check: runs a study again and compares it with its baseline. */
#include "cli/shared/options.h"
#include "cli/shared/output/atomic_file.h"
#include "cli/shared/output/claims_left.h"
#include "cli/shared/study/sides.h"

#include "harness/check/check_report.h"
#include <stdlib.h>

struct check {
  struct shk_arguments arguments;
  const char *baseline, *junit, *store;
  struct shk_side was, is;
};

static void print_junit(FILE *file, const void *comparison)
{
  shk_check_print_junit(file, comparison);
}

static int compare_check(const struct check *c)
{
  struct shk_comparison comparison;
  shk_compare(&comparison, shk_side_study(&c->was, c->is.studies[0].study), c->is.studies);
  shk_check_print_tap(stdout, &comparison);
  char *const options = shk_method_options(&c->arguments);
  shk_print_claims_left(stdout, "# ", &c->is.open, true, options);
  free(options);
  int status = shk_open_claims_exit_code(&c->is.open, comparison.exit_code);
  if (c->junit && !shk_write_file(c->junit, print_junit, &comparison))
    status = SHK_EXIT_INCOMPLETE;
  shk_comparison_clear(&comparison);
  return status;
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
               "a baseline, or a store or REVISION:FILE as for `compare`"),
    SHK_OPTION(TEXT, "junit", 0, AT(junit), "FILE", "also write the results as JUnit's XML"),
    SHK_OPTION(TEXT, "store", 0, AT(store), "STORE",
               "take records from this store and keep new ones there (default: in memory only)"),
    {.name = NULL}};

const struct shk_command shk_command_check = {
    .name = "check",
    .synopsis = "STUDY --baseline FILE [--junit FILE] [--store STORE] [-j N]",
    .summary = "Runs a study and compares its results with a baseline",
    .help = "Prints TAP 13, a point for each value, and a sentence for each change. A value\n"
            "outside its band fails in either direction: a value that improved needs a new\n"
            "baseline. Missing values fail, new ones are reported. Exit status 1: a value\n"
            "changed, or a claim fell; 3: a claim whose measure the study names was not decided,\n"
            "cells failed, or the run was interrupted.",
    .line = {1, 1, SHK_TAKES_JOBS | SHK_TAKES_QUIET, flags},
    .does = {sizeof(struct check), run_check, clear_check}};
