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
  char *const yaml = shk_print_text("%s.yaml", word);
  if (access(yaml, F_OK) == 0)
    return yaml;
  char *const shipped = shk_shipped_study(word);
  if (!shipped) {
    int count;
    char near[256], **names = shk_shipped_studies(&count);
    shk_nearest(near, sizeof near, word, names, sizeof *names, count);
    shk_free_texts(names, count);
    const bool is_file = shk_ends_with(word, ".yaml");
    shk_complain("there is no study '%s': neither a file of that name%s%s%s here nor one that "
                 "comes with shakedown%s%s%s",
                 word, is_file ? "" : " (or ", is_file ? "" : yaml, is_file ? "" : ")",
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
  struct shk_message error = {.text = ""};
  char *const path = shk_find_study(word);
  if (!path)
    return false;
  job->study = shk_study_read(&arguments->context, path, &error);
  free(path);
  return make_plan(job, &error);
}

bool shk_job_parse(struct shk_study_job *job, const struct shk_arguments *arguments,
                   const char *text, const char *name)
{
  struct shk_message error = {.text = ""};
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
  const struct shk_host *const host = arguments->host;
  return (struct shk_schedule_options){.jobs = (int)arguments->jobs,
                                       .servers = shk_servers_asked(arguments),
                                       .keys = host ? &host->keys : NULL,
                                       .plugin_text = host ? host->plugins : NULL,
                                       .quiet = arguments->quiet};
}

bool shk_job_run(struct shk_study_job *job, const struct shk_arguments *arguments,
                 const struct shk_schedule_options *options)
{
  struct shk_message error = {.text = ""};
  struct shk_schedule_options with_text = options ? *options : shk_schedule_asked(arguments);
  with_text.study_text = job->study->text;
  if (!shk_keep_study(arguments, job->store, job->study, job->plan) ||
      !shk_accept(shk_schedule(job->plan, job->store, &with_text, &job->result, &error), &error))
    return false;
  return !job->result.interrupted ||
         shk_complain("interrupted%s", job->path ? "; the same command continues the run" : "");
}

int shk_job_clear(struct shk_study_job *job, int status)
{
  struct shk_message error = {.text = ""};
  shk_analysis_free(job->analysis);
  if (!shk_accept(shk_store_close(job->store, &error), &error) && status != SHK_EXIT_BAD_INPUT)
    status = SHK_EXIT_INCOMPLETE;
  shk_plan_free(job->plan);
  shk_study_free(job->study);
  *job = (struct shk_study_job){0};
  return status;
}
