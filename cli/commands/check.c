/* shakedown check: runs a study again and compares it with its baseline. */
#include "cli/shared/options.h"
#include "cli/shared/output/atomic_file.h"
#include "cli/shared/study/run_study.h"

#include "harness/check/check_report.h"
#include "harness/check/timing.h"
#include <string.h>

struct check {
  struct shk_study_request request;
  const char *baseline, *junit;
  struct shk_baseline was;
  struct shk_arguments arguments;
};

struct junit {
  const char *study;
  const struct shk_comparison *comparison;
};

static void print_junit(FILE *file, const void *what)
{
  const struct junit *junit = what;
  shk_check_print_junit(file, junit->study, junit->comparison);
}

static int compare(const void *user, const struct shk_study_job *job)
{
  const struct check *const c = user;
  struct shk_baseline is;
  struct shk_comparison comparison;
  shk_baseline_make(&is, job->study->name, job->analysis, true);
  shk_compare(&comparison, &c->was, &is);
  shk_check_print_tap(stdout, &comparison);
  shk_timing_print(stdout, "# ", &comparison);
  int status = shk_comparison_exit_code(&comparison);
  if (c->junit &&
      !shk_write_file(c->junit, print_junit, &(struct junit){c->was.study, &comparison}))
    status = SHK_EXIT_INCOMPLETE;
  shk_comparison_clear(&comparison);
  shk_baseline_clear(&is);
  return status;
}

static int start(struct check *c)
{
  struct shk_message error = {.text = ""};
  c->request.word = c->arguments.words[0];
  c->request.arguments = &c->arguments;
  if (!c->baseline) {
    shk_complain("check needs --baseline FILE; `shakedown baseline %s -o FILE` writes one",
                 c->request.word);
    return SHK_EXIT_BAD_INPUT;
  }
  if (!shk_baseline_read(&c->was, c->baseline, &error)) {
    shk_complain("%s", error.text);
    return SHK_EXIT_BAD_INPUT;
  }
  c->request.name = c->was.study;
  c->request.named_by = c->baseline;
  const int status = shk_study_analysed(&c->request, compare, c);
  shk_baseline_clear(&c->was);
  return status;
}

static int run(const struct shk_command *command, int argc, char **argv)
{
  struct check c = {.baseline = NULL};
  const struct shk_flag flags[] = {
      {"baseline", 0, SHK_FLAG_TEXT, "FILE", "a file written by `shakedown baseline`", &c.baseline},
      {"junit", 0, SHK_FLAG_TEXT, "FILE", "also write the results as JUnit's XML", &c.junit},
      {"store", 0, SHK_FLAG_TEXT, "STORE",
       "take records from this store and keep new ones there (default: in memory only)",
       &c.request.store},
      {"jobs", 'j', SHK_FLAG_COUNT, "N", "cell servers (default: as many as processors)",
       &c.request.jobs},
      {"quiet", 'q', SHK_FLAG_SWITCH, NULL, "no progress", &c.request.quiet},
      {NULL, 0, SHK_FLAG_SWITCH, NULL, NULL, NULL}};
  int status;
  if (shk_arguments_read(&c.arguments, &status, command, flags, 1, 1, argc, argv))
    status = start(&c);
  shk_arguments_clear(&c.arguments);
  return status;
}

const struct shk_command shk_command_check = {
    .name = "check",
    .synopsis = "STUDY --baseline FILE [--junit FILE] [--store STORE] [-j N]",
    .summary = "Runs a study and compares its results with a baseline",
    .help = "Prints TAP 13, a point for each value, and a sentence for each change. A value\n"
            "outside its band fails in either direction: a value that improved needs a new\n"
            "baseline. Missing values fail, new ones are reported. Exit status 1: a value\n"
            "changed; 3: only because cells failed, or the run was interrupted.",
    .run = run};
