/* Running a study for its analysis. See run_study.h. */
#include "cli/shared/study/run_study.h"

#include "cli/shared/install_paths.h"
#include "cli/shared/study/cached_analysis.h"
#include "cli/shared/study/kept_study.h"
#include "foundation/memory.h"
#include "foundation/nearest.h"
#include "harness/run/host.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_JOBS = 1024 };

static bool is_store(const char *path)
{
  static const char mark[] = "SQLite format 3";
  char begins[sizeof mark] = "";
  FILE *const file = fopen(path, "rb");
  const bool is =
      file && fread(begins, sizeof begins, 1, file) == 1 && memcmp(begins, mark, sizeof mark) == 0;
  if (file)
    fclose(file);
  return is;
}

char *shk_find_study(const char *word)
{
  if (is_store(word)) {
    shk_complain("%s is a store, not a study: `shakedown show %s` shows what is in it", word, word);
    return NULL;
  }
  if (strchr(word, '/') || access(word, F_OK) == 0)
    return shk_copy_text(word);
  char *here = shk_print_text("%s.yaml", word);
  if (access(here, F_OK) == 0)
    return here;
  free(here);
  char *shipped = shk_shipped_study(word);
  if (shipped)
    return shipped;
  int count;
  char near[256], **names = shk_shipped_studies(&count);
  shk_nearest(near, sizeof near, word, names, sizeof *names, count);
  shk_free_texts(names, count);
  const bool is_file = shk_ends_with(word, ".yaml");
  char *const or_so = is_file ? shk_copy_text("") : shk_print_text(" (or %s.yaml)", word);
  shk_complain("there is no study '%s': neither a file of that name%s here nor one that comes with "
               "shakedown%s%s%s",
               word, or_so, *near != '\0' ? "; did you mean " : "", near,
               *near != '\0' ? "?" : " (`shakedown list studies`)");
  free(or_so);
  return NULL;
}

bool shk_jobs_allowed(long jobs)
{
  if (jobs > MOST_JOBS)
    shk_complain("--jobs: %ld cell servers are more than the %d that are allowed", jobs, MOST_JOBS);
  return jobs <= MOST_JOBS;
}

bool shk_study_job_read(struct shk_study_job *job, const struct shk_study_request *request)
{
  struct shk_message error = {.text = ""};
  *job = (struct shk_study_job){0};
  if (!shk_jobs_allowed(request->jobs) || !shk_use_plugins(request->arguments))
    return false;
  char *path = shk_find_study(request->word);
  if (!path)
    return false;
  job->study = shk_study_read(&request->arguments->context, path, &error);
  free(path);
  if (job->study)
    job->plan = shk_plan_make(job->study, &error);
  if (!job->plan)
    shk_complain("%s", error.text);
  return job->plan != NULL;
}

struct shk_schedule_options shk_schedule_asked(const struct shk_arguments *arguments, long jobs,
                                               bool quiet)
{
  const struct shk_host *const host = arguments->host;
  return (struct shk_schedule_options){.jobs = (int)jobs,
                                       .servers = shk_servers_asked(arguments),
                                       .keys = host ? &host->keys : NULL,
                                       .plugin_text = host ? host->plugins : NULL,
                                       .quiet = quiet};
}

bool shk_run_cells(const struct shk_study *study, const struct shk_plan *plan,
                   struct shk_store *store, const struct shk_study_request *request)
{
  struct shk_message error = {.text = ""};
  if (!shk_keep_study(request->arguments, store, study, plan))
    return false;
  struct shk_schedule_options options =
      shk_schedule_asked(request->arguments, request->jobs, request->quiet);
  options.study_text = study->text;
  options.untimed = request->untimed;
  struct shk_schedule_result result = {0};
  const bool went = shk_schedule(plan, store, &options, &result, &error);
  if (!went)
    shk_complain("%s", error.text);
  else if (result.interrupted)
    shk_complain("interrupted%s", request->store ? "; the same command continues the run" : "");
  return went && !result.interrupted;
}

/* Runs the cells that the store does not have and analyses. Returns SHK_EXIT_HELD if there is an
 * analysis, whatever its verdicts; otherwise the exit status, after an error message. */
static int run_and_analyse(struct shk_study_job *job, const struct shk_study_request *request)
{
  struct shk_message error = {.text = ""};
  job->store = shk_store_open(request->store, SHK_STORE_WRITE, &error);
  if (!job->store) {
    shk_complain("%s", error.text);
    return SHK_EXIT_BAD_INPUT;
  }
  if (!shk_run_cells(job->study, job->plan, job->store, request))
    return SHK_EXIT_INCOMPLETE;
  job->analysis = shk_analyse_stored(request->arguments, job->store, job->study, job->plan, NULL);
  return job->analysis ? SHK_EXIT_HELD : SHK_EXIT_INCOMPLETE;
}

bool shk_study_job_clear(struct shk_study_job *job)
{
  struct shk_message error = {.text = ""};
  shk_analysis_free(job->analysis);
  const bool ok = shk_store_close(job->store, &error);
  if (!ok)
    shk_complain("%s", error.text);
  shk_plan_free(job->plan);
  shk_study_free(job->study);
  *job = (struct shk_study_job){0};
  return ok;
}

int shk_study_analysed(const struct shk_study_request *request,
                       int (*use)(const void *user, const struct shk_study_job *job),
                       const void *user)
{
  struct shk_study_job job;
  int status = SHK_EXIT_BAD_INPUT;
  if (shk_study_job_read(&job, request)) {
    if (request->name && strcmp(job.study->name, request->name) != 0)
      shk_complain("%s: baseline of the study '%s', found the study '%s' in %s", request->named_by,
                   request->name, job.study->name, job.study->path);
    else
      status = run_and_analyse(&job, request);
    if (status == SHK_EXIT_HELD)
      status = use(user, &job);
  }
  if (!shk_study_job_clear(&job) && status != SHK_EXIT_BAD_INPUT)
    status = SHK_EXIT_INCOMPLETE;
  return status;
}
