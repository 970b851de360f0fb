/* The analysis of a study in a store. See cached_analysis.h. */
#include "cli/shared/study/cached_analysis.h"

#include "cli/shared/options.h"
#include "cli/shared/study/published_table.h"
#include "harness/plan/plan_records.h"
#include "harness/run/host.h"
#include "results/store/store_findings.h"

/* True if the study compares with the literature. The comparison is not in the store and is always
 * repeated. */
static bool asks_for_literature(const struct shk_study *study)
{
  for (int i = 0; i < study->run_count; i++)
    if (shk_run_measures(&study->runs[i], SHK_MEASURE_PUBLISHED))
      return true;
  return false;
}

bool shk_cached_analysis(const struct shk_arguments *arguments, struct shk_store *store,
                         const struct shk_study *study, char basis[SHK_HASH_SIZE],
                         struct shk_analysis **analysis, struct shk_message *error)
{
  *analysis = NULL;
  if (asks_for_literature(study))
    return true;
  const struct shk_stored_study its = {
      .name = study->name, .path = study->path, .text = study->text};
  struct shk_finding *findings;
  int count;
  if (!shk_store_basis(store, basis, &its, arguments->host ? arguments->host->plugins : NULL,
                       error) ||
      !shk_store_findings(store, &findings, &count, study->name, basis, error))
    return false;
  if (findings)
    *analysis = shk_analysis_of_findings(findings, count);
  return true;
}

struct shk_analysis *shk_analyse_stored(const struct shk_arguments *arguments,
                                        struct shk_store *store, const struct shk_study *study,
                                        const struct shk_plan *plan,
                                        struct shk_published *published)
{
  struct shk_message error = {.text = ""};
  char basis[SHK_HASH_SIZE];
  struct shk_analysis *analysis = NULL;
  struct shk_published compared = {0};
  bool ok = shk_cached_analysis(arguments, store, study, basis, &analysis, &error);
  if (ok && !analysis) {
    struct shk_records *const records = shk_plan_open_records(store, plan, false, &error);
    if (records) {
      analysis = shk_analyse(study, plan, records);
      if (published)
        shk_compare_published(&compared, analysis, study, plan, records);
    }
    ok = records != NULL && shk_stored_records_good(records, &error);
    shk_stored_records_close(records);
    if (ok && !asks_for_literature(study))
      ok = shk_store_put_findings(store, study->name, basis, analysis->findings,
                                  analysis->finding_count, &error);
  }
  if (published)
    *published = compared;
  if (ok)
    return analysis;
  shk_complain("%s", error.text);
  shk_analysis_free(analysis);
  return NULL;
}
