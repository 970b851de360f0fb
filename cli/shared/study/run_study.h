/* A study that a command runs for its analysis: `baseline` and `check`. Other commands that run
 * cells use parts of it. */
#ifndef CLI_SHARED_STUDY_RUN_STUDY_H
#define CLI_SHARED_STUDY_RUN_STUDY_H

#include "cli/shared/options.h"
#include "harness/analysis/analysis.h"
#include "harness/run/scheduler.h"
#include "results/store/store.h"

struct shk_study_job {
  struct shk_study *study;
  struct shk_plan *plan;
  struct shk_store *store;
  struct shk_analysis *analysis;
};

struct shk_study_request {
  const char *word;  /* the argument of shk_find_study */
  const char *store; /* NULL: in memory */
  long jobs;         /* 0: as many as processors */
  bool quiet;        /* true: progress is not shown */
  bool untimed;      /* as in struct shk_schedule_options */
  /* Required name of the study, and the baseline that has this name; NULL: any. */
  const char *name, *named_by;
  struct shk_arguments *arguments;
};

/* Finds the file of a study: a path, a file of that name in the current folder, or a study that
 * comes with the program. NULL after an error message; the caller frees it. */
char *shk_find_study(const char *word);

/* Returns false after an error message if there are more cell servers than allowed. */
bool shk_jobs_allowed(long jobs);
/* Options of the scheduler from the command line, including the plug-ins in use. */
struct shk_schedule_options shk_schedule_asked(const struct shk_arguments *arguments, long jobs,
                                               bool quiet);
/* Stores the study's text and runs the cells that the store does not have. Returns false after a
 * message about an error or an interruption. */
bool shk_run_cells(const struct shk_study *study, const struct shk_plan *plan,
                   struct shk_store *store, const struct shk_study_request *request);

/* Reads the study's file and plans it. Returns false after an error message. Clear it either
 * way. */
bool shk_study_job_read(struct shk_study_job *job, const struct shk_study_request *request);
/* Returns false after an error message if the store could not be written to its file. */
bool shk_study_job_clear(struct shk_study_job *job);

/* Reads the study, runs the cells that the store does not have, analyses, and calls `use`, which
 * returns the exit status. */
int shk_study_analysed(const struct shk_study_request *request,
                       int (*use)(const void *user, const struct shk_study_job *job),
                       const void *user);

#endif
