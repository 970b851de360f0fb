/* The study that a command uses, read from a file or a store, with its records and their
 * analysis. */
#ifndef CLI_SHARED_STUDY_STUDY_JOB_H
#define CLI_SHARED_STUDY_STUDY_JOB_H

#include "cli/shared/options.h"
#include "harness/analysis/analysis.h"
#include "harness/run/scheduler.h"
#include "plots/kinds/kinds.h"
#include "results/store/store.h"

/* A study with its plan, records and analysis. A zeroed struct is an empty job. */
struct shk_study_job {
  struct shk_study *study;
  struct shk_plan *plan;
  const char *path; /* path of the store; NULL if the store is in memory */
  struct shk_store *store;
  /* true if the study was loaded from a store that is only read and that the job does not own */
  bool loaded;
  struct shk_schedule_result result; /* result of running the cells */
  struct shk_records *records;       /* these are read through results/record/record.h */
  /* All records without their states and series, in the order of the plan's cells. An entry is NULL
   * if there is no record. The list itself is NULL unless the records stay in memory. */
  const struct shk_record *const *all;
  /* the analysis contains curves and drifts only if the records stay in memory */
  struct shk_analysis *analysis;
  bool analysed; /* true if all records could be read */
  /* descriptors to be stored at the end; NULL if there are none */
  const struct shk_replies *replies;
};

/* Returns true if a file begins with `mark`, which must have at most 15 characters. */
bool shk_file_begins(const char *path, const char *mark);

/* Finds a study file, given as a path, as the name of a file WORD or WORD.yaml in the current
 * folder, or as the name of a study that comes with the program. The caller frees the path. On
 * failure, prints an error message and returns NULL. */
char *shk_find_study(const char *word);

/* These functions read and plan a study from a string or from a file that shk_find_study can find.
 * On failure, they print an error message and return false. The job must be cleared in either
 * case. */
bool shk_job_read(struct shk_study_job *job, const struct shk_arguments *arguments,
                  const char *word);
bool shk_job_parse(struct shk_study_job *job, const struct shk_arguments *arguments,
                   const char *text, const char *name);
/* Opens the store for the job's records; if `store` is NULL, they are in memory. On failure,
 * returns false and sets the reason. */
bool shk_job_open(struct shk_study_job *job, const char *store, struct shk_message *error);

/* Returns the scheduler options given by the command line, including the plug-ins in use. */
struct shk_schedule_options shk_schedule_asked(const struct shk_arguments *arguments);
/* Stores the source of the study and the descriptors of its plug-ins, programs and files
 * (harness/run/replies.h), and runs all cells that are not in the store. If `options` is NULL, the
 * options from the command line are used. If an error or an interruption occurs, prints a message
 * and returns false. The job's `result` is valid in either case. */
bool shk_job_run(struct shk_study_job *job, const struct shk_arguments *arguments,
                 const struct shk_schedule_options *options);
/* Opens the records and analyses them. If `stay` is true, the records stay in memory and curves are
 * computed, as figures require. Otherwise, a study can be larger than memory. On failure, returns
 * false and sets the reason. */
bool shk_job_analyse(struct shk_study_job *job, bool stay, struct shk_message *error);

/* Returns the exit status for an analysed study. If `file` is not NULL, also prints the claims that
 * the study leaves open to this file. */
int shk_command_status(const struct shk_study_job *job, const struct shk_arguments *arguments,
                       FILE *file);

/* Draws the figures of an analysed study whose records stay in memory. Draws at most `most` figures
 * (0 means all) in the given file types, using the templates in the folder `templates` (NULL
 * selects the built-in templates). If no figure could be drawn, or if a figure that the study names
 * could not be drawn, prints messages and returns false. */
bool shk_job_draw(struct shk_plotted *plotted, const struct shk_study_job *job, const char *folder,
                  const char *const *types, int most, const char *templates);

/* Closes the store if the job owns it, and frees the job. Returns `status`, or, if the store could
 * not be written, prints an error message and returns SHK_EXIT_INCOMPLETE. */
int shk_job_clear(struct shk_study_job *job, int status);

#endif
