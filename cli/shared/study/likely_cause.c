/* Finds a likely cause from single steps. See likely_cause.h. */
#include "cli/shared/study/likely_cause.h"

#include "cli/shared/install_paths.h"
#include "cli/shared/study/study_job.h"
#include "foundation/memory.h"
#include "harness/check/certify.h"

#include <stdlib.h>

enum { SECONDS = 10, SEED = 1 }; /* the default value used by `try` */

/* Runs the study and returns the likely cause. */
static char *run_cause(const struct shk_arguments *arguments, const char *text)
{
  struct shk_message unused = {""};
  struct shk_study_job job = {0};
  struct shk_schedule_options options = shk_schedule_asked(arguments);
  char *cause = NULL;
  options.untimed = true;
  options.quiet = true;
  options.seconds = SECONDS;
  if (shk_job_parse(&job, arguments, text, "try") && shk_job_open(&job, NULL, &unused) &&
      shk_job_run(&job, arguments, &options) && shk_job_analyse(&job, true, &unused))
    for (int i = 0; i < job.analysis->finding_count && !cause; i++)
      if (job.analysis->findings[i].named.id == SHK_QUANTITY_CAUSE)
        cause = shk_copy_text(job.analysis->findings[i].word);
  shk_job_clear(&job, 0);
  return cause;
}

char *shk_find_likely_cause(const struct shk_arguments *arguments, const char *integrator)
{
  struct shk_message unused = {""};
  char *const file = shk_shipped_study("try");
  const struct shk_certify_request request = {.integrators = &integrator,
                                              .count = 1,
                                              .measures = 1ul << SHK_MEASURE_IDENTITIES,
                                              .seed = SEED,
                                              .budget = SHK_BUDGET_DEFAULT,
                                              .file = file};
  char *const text = file ? shk_certify_study(&arguments->context, &request, &unused) : NULL;
  char *const cause = text ? run_cause(arguments, text) : NULL;
  free(text);
  free(file);
  return cause;
}
