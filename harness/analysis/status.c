/* Reports `status` for cells without a result, that is, cells that were refused, failed or have not
 * been run. If the study sets thresholds for outcomes, a cell that stopped has an outcome
 * instead. */
#include "harness/analysis/report.h"

#include "foundation/memory.h"

#include <stdlib.h>

static bool has_outcome(const struct shk_record *record)
{
  return record->end == SHK_END_FINISHED && !shk_was_refused(record);
}

static void report_status(struct shk_reporter *c)
{
  const struct shk_family *const family = c->family;
  const struct shk_ends ends =
      shk_count_ends(family, shk_singular_limits_of(c) ? has_outcome : NULL);
  if (ends.refused)
    shk_finding_end(c, SHK_QUANTITY_STATUS, ends.refused, 0);
  if (ends.failed) {
    const struct shk_cell *const cell = &ends.failed->cell;
    struct shk_finding *const finding = shk_finding_end(c, SHK_QUANTITY_STATUS, ends.failed, 0);
    char *const reason = finding->reason;
    finding->reason = shk_print_text("%d of %d cells did not finish; at %s %s: %s", ends.failures,
                                     family->count, family->by_tolerance ? "tolerance" : "step",
                                     family->by_tolerance ? cell->tolerance
                                     : cell->step         ? cell->step
                                                          : "none",
                                     reason[0] ? reason : finding->word);
    free(reason);
  }
  if (ends.missing > 0)
    shk_finding_end(c, SHK_QUANTITY_STATUS, NULL, ends.missing);
}

const struct shk_finder shk_finder_status = {.in = SHK_IN_RUNS, .report = report_status};
