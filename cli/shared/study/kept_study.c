/* Studies in their stores. See kept_study.h. */
#include "cli/shared/study/kept_study.h"

#include "cli/shared/options.h"
#include "engine/names.h"
#include "harness/analysis/analysis.h"
#include "harness/plan/plan_records.h"
#include "harness/run/said.h"
#include "plots/kinds/kinds.h"

static bool complain_unless(bool ok, const struct shk_message *error)
{
  if (!ok)
    shk_complain("%s", error->text);
  return ok;
}

bool shk_keep_study(const struct shk_arguments *arguments, struct shk_store *store,
                    const struct shk_study *study, const struct shk_plan *plan)
{
  struct shk_message error = {.text = ""}, ignored;
  shk_said_ask(arguments->said, plan, &ignored); /* a failure is stored like an answer */
  return complain_unless(
      shk_store_add_study(store, study->name, study->path, study->text, &error) &&
          shk_said_write(arguments->said, store, study->name, &error),
      &error);
}

static bool has_remote_problems(const struct shk_plan *plan)
{
  for (int i = 0; i < plan->count; i++)
    if (shk_is_remote_problem(plan->context, plan->cells[i].cell.problem))
      return true;
  return false;
}

bool shk_keep_bodies(const struct shk_arguments *arguments, struct shk_store *store,
                     const struct shk_study *study, const struct shk_plan *plan)
{
  if (!shk_plots_motion(study) || !has_remote_problems(plan))
    return true;
  struct shk_message error = {.text = ""};
  struct shk_records *const records = shk_plan_open_records(store, plan, true, &error);
  bool ok = records;
  if (ok) {
    const struct shk_record *const *const all = shk_stored_records_all(records, 0);
    struct shk_analysis *const none = shk_analysis_of_findings(NULL, 0);
    shk_plot_ask_bodies(study, plan, all, records, none);
    shk_analysis_free(none);
    ok = shk_stored_records_good(records, &error);
  }
  shk_stored_records_close(records);
  return complain_unless(ok && shk_said_write(arguments->said, store, study->name, &error), &error);
}
