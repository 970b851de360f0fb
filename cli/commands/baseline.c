/* shakedown baseline: the analysed values of a study as a file for reviews and for `check`. */
#include "cli/shared/options.h"
#include "cli/shared/output/atomic_file.h"
#include "cli/shared/study/run_study.h"

#include "harness/check/baseline.h"

struct baseline {
  struct shk_study_request request;
  const char *output;
  bool seconds;
  struct shk_arguments arguments;
};

static void print(FILE *file, const void *what)
{
  shk_baseline_print(file, what);
}

/* Warns of facts that a reviewer should know before the file is committed. */
static void warn(const struct shk_baseline *made)
{
  int falsified = 0, failed = 0;
  for (int i = 0; i < made->count; i++) {
    falsified += made->values[i].verdict == SHK_VERDICT_FALSIFIED;
    failed += made->values[i].verdict == SHK_VERDICT_FAILED;
  }
  if (falsified > 0)
    shk_complain("found %d falsified value%s; the baseline has them", falsified,
                 falsified == 1 ? "" : "s");
  if (failed > 0)
    shk_complain("found %d value%s of cells that did not finish; the baseline has them", failed,
                 failed == 1 ? "" : "s");
}

static int make(const void *user, const struct shk_study_job *job)
{
  const struct baseline *const b = user;
  struct shk_baseline made;
  shk_baseline_make(&made, job->study->name, job->analysis, b->seconds);
  int status = shk_analysis_exit_code(job->analysis);
  if (shk_write_file(b->output, print, &made))
    warn(&made);
  else
    status = SHK_EXIT_INCOMPLETE;
  shk_baseline_clear(&made);
  return status;
}

static int run(const struct shk_command *command, int argc, char **argv)
{
  struct baseline b = {.output = NULL};
  const struct shk_flag flags[] = {
      {"output", 'o', SHK_FLAG_TEXT, "FILE", "the baseline (default: standard output)", &b.output},
      {"store", 0, SHK_FLAG_TEXT, "STORE",
       "take records from this store and keep new ones there (default: in memory only)",
       &b.request.store},
      {"seconds", 0, SHK_FLAG_SWITCH, NULL,
       "also write seconds; `check` reports their ratios and never fails by them", &b.seconds},
      {"jobs", 'j', SHK_FLAG_COUNT, "N", "cell servers (default: as many as processors)",
       &b.request.jobs},
      {"quiet", 'q', SHK_FLAG_SWITCH, NULL, "no progress", &b.request.quiet},
      {NULL, 0, SHK_FLAG_SWITCH, NULL, NULL, NULL}};
  int status;
  if (shk_arguments_read(&b.arguments, &status, command, flags, 1, 1, argc, argv)) {
    b.request.word = b.arguments.words[0];
    b.request.arguments = &b.arguments;
    status = shk_study_analysed(&b.request, make, &b);
  }
  shk_arguments_clear(&b.arguments);
  return status;
}

const struct shk_command shk_command_baseline = {
    .name = "baseline",
    .synopsis = "STUDY -o FILE [--store STORE] [-j N]",
    .summary = "Writes the results of a study to a baseline file, for `check`",
    .help = "The file has one value per line, sorted, with its uncertainty, its band and the\n"
            "reason of the band: orders, classes, errors, violations, defects, counted work.\n"
            "Review and commit it. Exit status as for `run`; the file is written unless the run\n"
            "was interrupted.",
    .run = run};
