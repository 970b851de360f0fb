/* Findings about cells without a result: `status`, for those that were refused, failed or have not
 * been run. If the study states thresholds for outcomes, a stop is an outcome and no failure. */
#include "harness/analysis/report.h"

#include "foundation/memory.h"

#include <stdlib.h>

static void report(struct shk_reporter *c)
{
  const struct shk_family *const family = c->family;
  const bool outcomes = shk_singular_limits_of(c) != NULL;
  const struct shk_record *first_refused = NULL, *first_failed = NULL;
  int failed = 0, missing = 0;
  for (int i = 0; i < family->count; i++) {
    const struct shk_record *const record = family->records[i];
    if (!record)
      missing++;
    else if (shk_was_refused(record))
      first_refused = first_refused ? first_refused : record;
    else if (!shk_record_finished(record) && !(record->end == SHK_END_FINISHED && outcomes)) {
      failed++;
      first_failed = first_failed ? first_failed : record;
    }
  }
  if (first_refused)
    shk_report_status(c, SHK_QUANTITY_STATUS, first_refused, SHK_VERDICT_REFUSED);
  if (failed > 0) {
    const struct shk_cell *const cell = &first_failed->cell;
    struct shk_finding *finding =
        shk_report_status(c, SHK_QUANTITY_STATUS, first_failed, SHK_VERDICT_FAILED);
    char *const its = finding->reason;
    const bool too_large = cell->step && first_failed->outcome.code == SHK_NOT_CONVERGED;
    finding->reason =
        shk_print_text("%d of %d cells did not finish; at %s %s: %s%s", failed, family->count,
                       family->by_tolerance ? "tolerance" : "step",
                       family->by_tolerance ? cell->tolerance
                       : cell->step         ? cell->step
                                            : "none",
                       too_large ? "try a smaller step: " : "", its[0] ? its : finding->word);
    free(its);
  }
  if (missing > 0)
    shk_report_missing(c, SHK_QUANTITY_STATUS, missing);
}

const struct shk_finder shk_finder_status = {.in = SHK_IN_RUNS, .report = report};
