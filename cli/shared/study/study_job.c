/* Reads, runs and analyses the study of a command. See study_job.h. */
#include "cli/shared/study/study_job.h"

#include "cli/shared/install_paths.h"
#include "cli/shared/output/claims_left.h"
#include "foundation/memory.h"
#include "foundation/nearest.h"
#include "harness/plan/plan.h"
#include "harness/run/replies.h"
#include "results/store/store_findings.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool shk_file_begins(const char *path, const char *mark)
{
  char begins[16] = "";
  const size_t length = strlen(mark);
  FILE *const file = fopen(path, "rbe");
  const bool is = file && length < sizeof begins && fread(begins, length, 1, file) == 1 &&
                  strcmp(begins, mark) == 0;
  if (file)
    fclose(file);
  return is;
}

char *shk_find_study(const char *word)
{
  if (shk_file_begins(word, "SQLite format 3")) {
    char *const store = shk_shell_word(word);
    shk_complain("%s is a store, not a study; use `shakedown show %s` to see what it contains",
                 word, store);
    free(store);
    return NULL;
  }
  if (strchr(word, '/') || access(word, F_OK) == 0)
    return shk_copy_text(word);
  char *const yaml = shk_print_text("%s.yaml", word);
  if (access(yaml, F_OK) == 0)
    return yaml;
  char *const shipped = shk_shipped_study(word);
  if (!shipped) {
    int count;
    char near[256], **names = shk_shipped_studies(&count);
    shk_nearest(near, sizeof near, word, names, sizeof *names, count);
    shk_free_texts(names, count);
    shk_complain("there is no study '%s', neither here nor in shakedown%s%s%s", word,
                 *near != '\0' ? "; did you mean " : "", near,
                 *near != '\0' ? "?" : " (`shakedown list studies`)");
  }
  free(yaml);
  return shipped;
}

static bool make_plan(struct shk_study_job *job, struct shk_message *error)
{
  if (job->study)
    job->plan = shk_plan_make(job->study, error);
  return shk_accept(job->plan, error);
}

bool shk_job_read(struct shk_study_job *job, const struct shk_arguments *arguments,
                  const char *word)
{
  struct shk_message error = {""};
  char *const path = shk_find_study(word);
  if (!path)
    return false;
  job->study = arguments->kick > 0
                   ? shk_study_read_kicked(&arguments->context, path, arguments->kick, &error)
                   : shk_study_read(&arguments->context, path, NULL, &error);
  free(path);
  return make_plan(job, &error);
}

bool shk_job_parse(struct shk_study_job *job, const struct shk_arguments *arguments,
                   const char *text, const char *name)
{
  struct shk_message error = {""};
  job->study = shk_study_parse(&arguments->context, text, strlen(text), name, &error);
  return make_plan(job, &error);
}

bool shk_job_open(struct shk_study_job *job, const char *store, struct shk_message *error)
{
  job->path = store;
  job->store = shk_store_open(store, SHK_STORE_WRITE, error);
  return job->store != NULL;
}

struct shk_schedule_options shk_schedule_asked(const struct shk_arguments *arguments)
{
  return (struct shk_schedule_options){.jobs = (int)arguments->jobs,
                                       .setup = shk_workers_asked(arguments),
                                       .keys = shk_replies_keys(arguments->replies),
                                       .plugin_text = shk_replies_plugins(arguments->replies),
                                       .quiet = arguments->quiet};
}

bool shk_job_run(struct shk_study_job *job, const struct shk_arguments *arguments,
                 const struct shk_schedule_options *options)
{
  struct shk_message error = {""}, ignored;
  const struct shk_study *const study = job->study;
  struct shk_schedule_options with_text = options ? *options : shk_schedule_asked(arguments);
  with_text.study_text = study->text;
  shk_replies_ask(arguments->replies, job->plan, &ignored); /* failures are stored, too */
  if (!shk_accept(shk_store_add_study(job->store, study->name, study->path, study->text, &error) &&
                      shk_replies_write(arguments->replies, job->store, study->name, &error) &&
                      shk_schedule(job->plan, job->store, &with_text, &job->result, &error),
                  &error))
    return false;
  return !job->result.interrupted ||
         shk_complain("interrupted%s", job->path ? "; the same command continues the run" : "");
}

bool shk_job_analyse(struct shk_study_job *job, bool stay, struct shk_message *error)
{
  job->records = shk_plan_open_records(job->store, job->plan, stay, error);
  if (!job->records)
    return false;
  if (stay)
    job->all = shk_stored_records_all(job->records, 0);
  job->analysis = shk_analyse(job->study, job->plan, job->records, NULL);
  job->analysed = shk_stored_records_good(job->records, error);
  return job->analysed;
}

int shk_command_status(const struct shk_study_job *job, const struct shk_arguments *arguments,
                       FILE *file)
{
  struct shk_open_claims open = {.count = 0};
  char *const options = shk_method_options(arguments);
  shk_open_claims_of_study(&open, job->study, job->analysis);
  if (file)
    shk_print_claims_left(file, "", &open, file != stdout, options);
  const int status = shk_open_claims_exit_code(&open, shk_analysis_exit_code(job->analysis));
  shk_open_claims_clear(&open);
  free(options);
  return status;
}

bool shk_job_draw(struct shk_plotted *plotted, const struct shk_study_job *job, const char *folder,
                  const char *const *types, int most, const char *templates)
{
  const char *const name = job->study->name;
  const struct shk_plot_request request = {job->study,   job->plan,     job->all,
                                           job->records, job->analysis, {folder, types, templates},
                                           most};
  struct shk_message error = {""};
  const bool ok = shk_accept(shk_plot_all(plotted, &request, &error), &error);
  if (plotted->left_out > 0)
    shk_complain("%s: no figures for %d problems beyond the limit of %d; select problems with "
                 "`problems:` under `figures:`",
                 name, plotted->left_out, SHK_MOST_DRAWN);
  for (int i = 0; i < plotted->undrawn_count; i++) {
    const struct shk_undrawn *const undrawn = &plotted->undrawn[i];
    shk_complain("%s: no figure `%s`: %s%s%s", name, undrawn->kind,
                 undrawn->measure ? "it needs the measure `" : "the records contain no data for it",
                 undrawn->measure ? undrawn->measure : "",
                 undrawn->measure ? "`, which no run has" : "");
  }
  for (int i = 0; i < plotted->notes.count; i++)
    shk_say("%s: %s", name, plotted->notes.all[i]);
  if (ok && plotted->drawn == 0 && plotted->undrawn_count == 0)
    shk_complain("%s: no figure: no measure recorded data", name);
  return ok && plotted->drawn > 0 && plotted->undrawn_count == 0;
}

/* Stores the descriptors and findings, which cannot be done while records are being read, and
 * closes the store. */
static bool close_store(struct shk_study_job *job, struct shk_message *error)
{
  const bool ok =
      (!job->replies || shk_replies_write(job->replies, job->store, job->study->name, error)) &&
      (!job->analysed || !job->path ||
       shk_store_put_findings(job->store, job->study->name, job->analysis->findings,
                              job->analysis->finding_count, error));
  struct shk_message second = {""};
  const bool closed = shk_store_close(job->store, &second);
  if (ok && !closed)
    *error = second;
  return ok && closed;
}

int shk_job_clear(struct shk_study_job *job, int status)
{
  struct shk_message error = {""};
  shk_stored_records_close(job->records);
  if (!job->loaded && !shk_accept(close_store(job, &error), &error) && status != SHK_EXIT_BAD_INPUT)
    status = SHK_EXIT_INCOMPLETE;
  shk_analysis_free(job->analysis);
  shk_plan_free(job->plan);
  shk_study_free(job->study);
  *job = (struct shk_study_job){0};
  return status;
}
