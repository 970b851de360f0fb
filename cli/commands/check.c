/* shakedown check: a study run again and compared with its baseline. */
#include "cli/shared/options.h"
#include "cli/shared/output/atomic_file.h"
#include "cli/shared/study/run_study.h"

#include "foundation/memory.h"
#include "harness/check/check_report.h"
#include "harness/check/timing.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct check {
  struct shk_study_request request;
  const char *baseline, *junit;
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

/* Seconds that both sides have, as ratios. */
static void show_seconds(const struct shk_comparison *comparison)
{
  struct shk_timing *timings = shk_allocate((size_t)comparison->count, sizeof *timings);
  char **owned = shk_allocate((size_t)comparison->count, sizeof *owned);
  int count = 0;
  for (int i = 0; i < comparison->count; i++) {
    const struct shk_compared *row = &comparison->rows[i];
    if (!row->was || !row->is || row->was->why != SHK_BECAUSE_CLOCK || !(row->was->value > 0) ||
        !(row->is->value > 0))
      continue;
    owned[count] = shk_print_text("%s in %s", row->was->integrator, row->was->precision);
    timings[count] =
        (struct shk_timing){owned[count], row->was->problem, row->was->value, row->is->value};
    count++;
  }
  if (count > 0) {
    puts("# Seconds are not gated. Against the baseline's:");
    shk_timing_print(stdout, "# ", timings, count);
  }
  shk_free_texts(owned, count);
  free(timings);
}

static bool has_seconds(const struct shk_baseline *baseline)
{
  for (int i = 0; i < baseline->count; i++)
    if (baseline->values[i].why == SHK_BECAUSE_CLOCK)
      return true;
  return false;
}

static int compare(const struct check *c, const struct shk_baseline *was,
                   const struct shk_study_job *job)
{
  struct shk_baseline is;
  struct shk_comparison comparison;
  shk_baseline_make(&is, job->study->name, job->analysis, has_seconds(was));
  shk_compare(&comparison, was, &is);
  shk_check_print_tap(stdout, &comparison);
  show_seconds(&comparison);
  int status = shk_comparison_exit_code(&comparison);
  if (c->junit && !shk_write_file(c->junit, print_junit, &(struct junit){was->study, &comparison}))
    status = SHK_EXIT_INCOMPLETE;
  shk_comparison_clear(&comparison);
  shk_baseline_clear(&is);
  return status;
}

static int start(struct check *c)
{
  struct shk_message error = {.text = ""};
  struct shk_baseline was;
  struct shk_study_job job;
  int status = SHK_EXIT_BAD_INPUT;
  if (!c->baseline) {
    shk_complain("check needs --baseline FILE; `shakedown baseline %s -o FILE` writes one",
                 c->request.word);
    return status;
  }
  if (!shk_baseline_read(&was, c->baseline, &error)) {
    shk_complain("%s", error.text);
    return status;
  }
  if (shk_study_job_read(&job, &c->request)) {
    if (strcmp(job.study->name, was.study) != 0) {
      shk_complain("%s: is a baseline of the study '%s', found the study '%s' in %s", c->baseline,
                   was.study, job.study->name, job.study->path);
    } else {
      status = shk_study_job_run(&job, &c->request);
      if (status == SHK_EXIT_HELD)
        status = compare(c, &was, &job);
    }
  }
  if (!shk_study_job_clear(&job) && status != SHK_EXIT_BAD_INPUT)
    status = SHK_EXIT_INCOMPLETE;
  shk_baseline_clear(&was);
  return status;
}

static int run(const struct shk_command *command, int argc, char **argv)
{
  struct check c = {.baseline = NULL};
  const struct shk_flag flags[] = {
      {"baseline", 0, SHK_FLAG_TEXT, "FILE", "what `shakedown baseline` wrote", &c.baseline},
      {"junit", 0, SHK_FLAG_TEXT, "FILE", "also write the results as JUnit's XML", &c.junit},
      {"store", 0, SHK_FLAG_TEXT, "STORE",
       "take records from this store and keep new ones there (default: in memory only)",
       &c.request.store},
      {"jobs", 'j', SHK_FLAG_COUNT, "N", "worker processes (default: as many as processors)",
       &c.request.jobs},
      {"quiet", 'q', SHK_FLAG_SWITCH, NULL, "no progress", &c.request.quiet},
      {NULL, 0, SHK_FLAG_SWITCH, NULL, NULL, NULL}};
  int status;
  if (shk_arguments_read(&c.arguments, &status, command, flags, 1, 1, argc, argv)) {
    c.request.word = c.arguments.words[0];
    c.request.arguments = &c.arguments;
    status = start(&c);
  }
  shk_arguments_clear(&c.arguments);
  return status;
}

const struct shk_command shk_command_check = {
    .name = "check",
    .synopsis = "STUDY --baseline FILE [--junit FILE] [--store STORE] [-j N]",
    .summary = "Runs a study and holds what it finds against a baseline",
    .help =
        "Prints TAP 13, a point for each value, and a sentence for each change. A value beyond\n"
        "its band fails in either direction: what got better calls for a new baseline. Missing\n"
        "values fail, new ones are reported. Exit status 1: something changed; 3: only because\n"
        "cells failed, or the run was interrupted.",
    .run = run};
