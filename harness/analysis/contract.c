/*
 * Findings of contract checks, which apply to every method whatever it claims
 * (measures/contract.def): the faults of each cell; falsified, with the first fault as the reason,
 * or held, or undecided with a reason.
 */
#include "harness/analysis/report.h"

#include "foundation/memory.h"

#include <math.h>

static void report(struct shk_reporter *c)
{
  const enum shk_quantity_id quantity = shk_measure_finds(c->family->measure);
  const struct shk_record *const record = c->family->records[0];
  if (!record) {
    shk_report_missing(c, quantity, 1);
    return;
  }
  if (!shk_record_finished(record)) {
    /* A normal step that fails with a status is no fault here, and decides nothing. */
    shk_report_status(c, quantity, record,
                      record->end != SHK_END_FINISHED ? SHK_VERDICT_FAILED
                      : shk_was_refused(record)       ? SHK_VERDICT_REFUSED
                                                      : SHK_VERDICT_UNDECIDED);
    return;
  }
  const double faults = shk_recorded(&record->outcome, quantity, NULL);
  struct shk_finding *const finding = shk_report(c, quantity, NULL, faults, NAN);
  finding->expected = shk_copy_text("0");
  const bool has_reason = record->outcome.reason[0] != '\0';
  finding->verdict = faults > 0   ? SHK_VERDICT_FALSIFIED
                     : has_reason ? SHK_VERDICT_UNDECIDED
                                  : SHK_VERDICT_HELD;
  if (has_reason)
    finding->reason = shk_copy_text(record->outcome.reason);
}

const struct shk_finder shk_finder_contract = {.in = SHK_IN_CONTRACT, .report = report};
