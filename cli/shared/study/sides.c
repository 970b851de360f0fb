/* Reads the sides of a comparison from a store, a file, a git revision of a file, or a run. */
#include "cli/shared/study/sides.h"

#include "cli/shared/study/load_studies.h"
#include "cli/shared/study/revisions.h"
#include "cli/shared/study/study_job.h"
#include "foundation/files/file.h"
#include "foundation/memory.h"
#include "harness/check/stated_bands.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_BYTES = 64 << 20 }; /* of a baseline */

/* Reads a baseline from a git revision, given as REVISION:FILE. On failure, prints an error message
 * and returns false. */
static bool read_revision(struct shk_baseline *baseline, const char *name)
{
  struct shk_message error = {.text = ""};
  size_t length;
  char *const text = shk_revision_text(name, MOST_BYTES, &length);
  const bool ok =
      text && shk_accept(shk_baseline_parse(baseline, text, length, name, &error), &error);
  free(text);
  return ok;
}

/* ---- a side ---- */

static struct shk_baseline *add_study(struct shk_side *side)
{
  struct shk_baseline *const study = SHK_APPEND(side->studies, side->count);
  *study = (struct shk_baseline){0};
  return study;
}

static bool add_facts(struct shk_side *side, struct shk_store *store, long row)
{
  struct shk_message error = {.text = ""};
  struct shk_provenance p;
  if (!shk_store_provenance(store, &p, row, &error))
    return shk_complain("%s: %s", side->name, error.text);
  for (int i = 0; i < SHK_PROVENANCE_TEXTS; i++) {
    const char *const text = *shk_provenance_text(&p, i);
    shk_index_text(&side->facts[i], text && *text ? text : "none");
  }
  shk_provenance_clear(&p);
  return true;
}

static int read_study(void *user, const struct shk_study_job *loaded, int count)
{
  struct shk_side *const side = user;
  struct shk_index rows = {0};
  bool ok = true;
  (void)count;
  for (int i = 0; ok && i < loaded->plan->count; i++) {
    const struct shk_record *const record = loaded->records->take(loaded->records, i, 0);
    const long row = record ? record->provenance : 0;
    loaded->records->put_back(loaded->records, i);
    const int known = rows.count;
    if (row > 0 && shk_index_number(&rows, "%ld", row) == known)
      ok = add_facts(side, loaded->store, row);
  }
  shk_index_clear(&rows);
  shk_baseline_make(add_study(side), loaded->study->name, loaded->analysis);
  return ok ? SHK_EXIT_HELD : SHK_EXIT_BAD_INPUT;
}

bool shk_side_read(struct shk_side *side, const struct shk_arguments *arguments, const char *name,
                   const char *study)
{
  struct shk_message error = {.text = ""};
  *side = (struct shk_side){.name = name};
  if (strchr(name, ':') && access(name, F_OK) != 0)
    return read_revision(add_study(side), name);
  if (!shk_file_begins(name, "shakedown"))
    return shk_load_studies(arguments, name, study, false, read_study, side) == SHK_EXIT_HELD;
  size_t length;
  char *const text = shk_read_file(name, MOST_BYTES, "baseline", &length, &error);
  const bool ok = text && shk_baseline_parse(add_study(side), text, length, name, &error);
  free(text);
  return shk_accept(ok, &error);
}

/* Runs and analyses a job's study. Returns the exit status. */
static int run_side(struct shk_side *side, struct shk_study_job *job,
                    const struct shk_arguments *arguments)
{
  struct shk_message error = {.text = ""};
  if (!shk_job_run(job, arguments, NULL) ||
      !shk_accept(shk_job_analyse(job, false, &error), &error))
    return SHK_EXIT_INCOMPLETE;
  shk_open_claims_of_study(&side->open, job->study, job->analysis);
  shk_baseline_make(add_study(side), job->study->name, job->analysis);
  return shk_open_claims_exit_code(&side->open, shk_analysis_exit_code(job->analysis));
}

/* Applies the bands stated by the study and reports those that match no value. */
static void apply_bands(struct shk_stated_bands *bands, const struct shk_study_job *job,
                        struct shk_side *side, const struct shk_side *of)
{
  shk_stated_bands_apply(bands, of ? shk_side_study(of, job->study->name) : NULL, side->studies);
  for (int i = 0; i < bands->count; i++)
    if (!bands->all[i].used)
      shk_complain("%s:%d: bands: no value of this study is called \"%s\"", job->study->path,
                   bands->all[i].line, job->study->bands[i].of);
}

int shk_side_run(struct shk_side *side, const struct shk_arguments *arguments, const char *store,
                 struct shk_side *of)
{
  struct shk_message error = {.text = ""};
  struct shk_study_job job = {0};
  struct shk_stated_bands bands = {0};
  int status = SHK_EXIT_BAD_INPUT;
  *side = (struct shk_side){.name = arguments->words[0]};
  if (!shk_job_read(&job, arguments, arguments->words[0]))
    return shk_job_clear(&job, status);
  if (of && !shk_side_study(of, job.study->name))
    shk_complain("%s: this is a baseline of the study '%s', but found the study '%s' in %s",
                 of->name, of->studies[0].study, job.study->name, job.study->path);
  else if (shk_accept(shk_stated_bands_read(&bands, job.study, &error), &error) &&
           shk_accept(shk_job_open(&job, store, &error), &error))
    status = run_side(side, &job, arguments);
  if (side->count > 0)
    apply_bands(&bands, &job, side, of);
  shk_stated_bands_clear(&bands);
  return shk_job_clear(&job, status);
}

void shk_side_clear(struct shk_side *side)
{
  for (int i = 0; i < side->count; i++)
    shk_baseline_clear(&side->studies[i]);
  for (int i = 0; i < SHK_PROVENANCE_TEXTS; i++)
    shk_index_clear(&side->facts[i]);
  shk_open_claims_clear(&side->open);
  free(side->studies);
  *side = (struct shk_side){0};
}

struct shk_baseline *shk_side_study(const struct shk_side *side, const char *study)
{
  for (int i = 0; i < side->count; i++)
    if (strcmp(side->studies[i].study, study) == 0)
      return &side->studies[i];
  return NULL;
}
