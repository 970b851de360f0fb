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
  const char *word;  /* the name of the study: shk_find_study */
  const char *store; /* NULL: in memory */
  long jobs;         /* 0: as many as processors */
  bool quiet;        /* no progress */
  bool untimed;      /* as in struct shk_schedule_options */
  /* The study must have this name, which this baseline says; NULL: any. */
  const char *name, *named_by;
  struct shk_arguments *arguments;
};

/* The file of a study: a path, a name with its file here, or the name of a study that comes with
 * the program. NULL after a complaint; the caller frees it. */
char *shk_find_study(const char *word);

/* False after a complaint if there are more cell servers than allowed. */
bool shk_jobs_allowed(long jobs);
/* The scheduler's options from the command line, including the plug-ins in use. */
struct shk_schedule_options shk_schedule_asked(const struct shk_arguments *arguments, long jobs,
                                               bool quiet);
/* Keeps the study's text and runs the cells that the store does not have. False after a complaint
 * about an error or an interruption. */
bool shk_run_cells(const struct shk_study *study, const struct shk_plan *plan,
                   struct shk_store *store, const struct shk_study_request *request);

/* Reads the study: its file and its plan. False after a complaint. Clear it either way. */
bool shk_study_job_read(struct shk_study_job *job, const struct shk_study_request *request);
/* False after a complaint if the store could not be written to its file. */
bool shk_study_job_clear(struct shk_study_job *job);

/* Reads the study, runs the cells that the store does not have, analyses, and has `use` say the
 * exit status. */
int shk_study_analysed(const struct shk_study_request *request,
                       int (*use)(const void *user, const struct shk_study_job *job),
                       const void *user);

#endif
