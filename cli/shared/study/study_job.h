/* The study of a command, from its file or from a store, with its records and their analysis. */
#ifndef CLI_SHARED_STUDY_STUDY_JOB_H
#define CLI_SHARED_STUDY_STUDY_JOB_H

#include "cli/shared/options.h"
#include "harness/analysis/analysis.h"
#include "harness/run/scheduler.h"
#include "plots/kinds/kinds.h"
#include "results/store/store.h"

/* A zeroed struct holds nothing. */
struct shk_study_job {
  struct shk_study *study;
  struct shk_plan *plan;
  const char *path; /* of the store; NULL: in memory */
  struct shk_store *store;
  bool loaded; /* true: the study is from a store that is only read and that the job does not own */
  struct shk_schedule_result result; /* of its cells */
  struct shk_records *records;       /* read them through results/record/record.h */
  /* All records, without states and series, by cell of the plan; an entry is NULL if there is no
   * record. The list is NULL unless the records stay in memory. */
  const struct shk_record *const *all;
  struct shk_analysis *analysis;     /* curves and drifts only if the records stay in memory */
  bool analysed;                     /* all records could be read */
  const struct shk_replies *replies; /* descriptors to be stored at the end; NULL: none */
};

/* True if the file begins with `mark`, which has at most 15 characters. */
bool shk_file_begins(const char *path, const char *mark);

/* Finds the file of a study: a path, the file WORD or WORD.yaml in the current folder, or a study
 * that comes with the program. NULL after an error message. The caller frees it. */
char *shk_find_study(const char *word);

/* These read and plan a study: a file, as shk_find_study takes it, or a text. They return false
 * after an error message. Clear the job either way. */
bool shk_job_read(struct shk_study_job *job, const struct shk_arguments *arguments,
                  const char *word);
bool shk_job_parse(struct shk_study_job *job, const struct shk_arguments *arguments,
                   const char *text, const char *name);
/* Opens the store for its records (NULL: in memory). Returns false with the reason. */
bool shk_job_open(struct shk_study_job *job, const char *store, struct shk_message *error);

/* Options of the scheduler from the command line, including the plug-ins in use. */
struct shk_schedule_options shk_schedule_asked(const struct shk_arguments *arguments);
/* Stores the study's text and the descriptors of its plug-ins, programs and files
 * (harness/run/replies.h), and runs the cells that the store does not have; options NULL: those of
 * the command line. Returns false after a message about an error or an interruption; the result is
 * valid either way. */
bool shk_job_run(struct shk_study_job *job, const struct shk_arguments *arguments,
                 const struct shk_schedule_options *options);
/* Opens the records and analyses them. `stay`: the records stay in memory, and there are curves,
 * for figures. Otherwise a study may be larger than memory. Returns false with the reason. */
bool shk_job_analyse(struct shk_study_job *job, bool stay, struct shk_message *error);

/* Returns the exit status of an analysed study, and prints the claims that it leaves open into
 * `file` (NULL: nowhere). */
int shk_command_status(const struct shk_study_job *job, const struct shk_arguments *arguments,
                       FILE *file);

/* Draws the figures of an analysed study whose records stay in memory: at most `most` (0: all), in
 * these types, with the templates in that folder (NULL: the program's own). Returns false after
 * messages if a figure that the study names, or every figure, could not be drawn. */
bool shk_job_draw(struct shk_plotted *plotted, const struct shk_study_job *job, const char *folder,
                  const char *const *types, int most, const char *templates);

/* Closes the store, unless the job does not own it, and frees the job. Returns `status`; if the
 * store could not be written, SHK_EXIT_INCOMPLETE after an error message. */
int shk_job_clear(struct shk_study_job *job, int status);

#endif
