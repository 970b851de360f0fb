/* The study of a command, read from a file or a store, with its records and their analysis. */
#ifndef CLI_SHARED_STUDY_STUDY_JOB_H
#define CLI_SHARED_STUDY_STUDY_JOB_H

#include "cli/shared/options.h"
#include "harness/analysis/analysis.h"
#include "harness/run/scheduler.h"
#include "plots/kinds/kinds.h"
#include "results/store/store.h"

/* A zeroed struct is empty. */
struct shk_study_job {
  struct shk_study *study;
  struct shk_plan *plan;
  const char *path; /* path of the store; NULL: in memory */
  struct shk_store *store;
  bool loaded; /* true if the study is from a store that is only read and not owned by the job */
  struct shk_schedule_result result; /* of its cells */
  struct shk_records *records;       /* must be read through results/record/record.h */
  /* All records, without states and series, indexed by cell of the plan. An entry is NULL if there
   * is no record. The list is NULL unless the records stay in memory. */
  const struct shk_record *const *all;
  struct shk_analysis *analysis;     /* has curves and drifts only if the records stay in memory */
  bool analysed;                     /* true if all records could be read */
  const struct shk_replies *replies; /* descriptors to be stored at the end; NULL: none */
};

/* Returns true if the file begins with `mark`, which has at most 15 characters. */
bool shk_file_begins(const char *path, const char *mark);

/* Finds the file of a study, which is a path, the file WORD or WORD.yaml in the current folder, or
 * a study that comes with the program. On failure, prints an error message and returns NULL. The
 * caller frees the text. */
char *shk_find_study(const char *word);

/* These functions read and plan a study, which is given as a text or as a file that shk_find_study
 * can find. On failure, they print an error message and return false. The job must be cleared in
 * either case. */
bool shk_job_read(struct shk_study_job *job, const struct shk_arguments *arguments,
                  const char *word);
bool shk_job_parse(struct shk_study_job *job, const struct shk_arguments *arguments,
                   const char *text, const char *name);
/* Opens the store for the job's records (NULL: in memory). On failure, returns false and sets the
 * reason. */
bool shk_job_open(struct shk_study_job *job, const char *store, struct shk_message *error);

/* Returns the scheduler options that the command line sets, including the plug-ins in use. */
struct shk_schedule_options shk_schedule_asked(const struct shk_arguments *arguments);
/* Stores the study's text and the descriptors of its plug-ins, programs and files
 * (harness/run/replies.h), and runs the cells that the store does not contain. If `options` is
 * NULL, the options of the command line are used. On an error or an interruption, prints a message
 * and returns false. The result is valid in either case. */
bool shk_job_run(struct shk_study_job *job, const struct shk_arguments *arguments,
                 const struct shk_schedule_options *options);
/* Opens the records and analyses them. If `stay` is true, the records stay in memory and there are
 * curves, which figures need. Otherwise, a study can be larger than memory. On failure, returns
 * false and sets the reason. */
bool shk_job_analyse(struct shk_study_job *job, bool stay, struct shk_message *error);

/* Returns the exit status of an analysed study, and prints the claims that it leaves open to `file`
 * (NULL: does not print them). */
int shk_command_status(const struct shk_study_job *job, const struct shk_arguments *arguments,
                       FILE *file);

/* Draws the figures of an analysed study whose records stay in memory. Draws at most `most` figures
 * (0: all), in these file types, with the templates in that folder (NULL: the program's own). If a
 * figure that the study names, or every figure, could not be drawn, prints messages and returns
 * false. */
bool shk_job_draw(struct shk_plotted *plotted, const struct shk_study_job *job, const char *folder,
                  const char *const *types, int most, const char *templates);

/* Closes the store, unless the job does not own it, and frees the job. Returns `status`. If the
 * store could not be written, prints an error message and returns SHK_EXIT_INCOMPLETE. */
int shk_job_clear(struct shk_study_job *job, int status);

#endif
