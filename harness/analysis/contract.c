/*
 * Reports the number of faults found by the contract checks (measures/contract.def). These checks
 * apply to every method, whatever it claims. The verdict is held, falsified or undecided. The
 * reason given for a falsified check is the first fault.
 */
#include "harness/analysis/report.h"

#include <math.h>

static void report_contract(struct shk_reporter *c)
{
  const enum shk_quantity_id quantity = shk_measure_finds(c->family->measure);
  const struct shk_record *const record = c->family->records[0];
  if (!shk_record_finished(record)) {
    struct shk_finding *const finding = shk_finding_end(c, quantity, record, 1);
    /* A step may fail without violating the contract, as long as it returns a failure status. */
    if (finding->verdict == SHK_VERDICT_FAILED && record && record->end == SHK_END_FINISHED)
      finding->verdict = SHK_VERDICT_UNDECIDED;
    return;
  }
  const double faults = shk_recorded(&record->outcome, quantity, NULL);
  const char *const reason = record->outcome.reason;
  shk_report(c, quantity, NULL, faults, NAN);
  shk_finding_verdict(c, &(struct shk_evidence){.kind = SHK_EVIDENCE_NUMBER,
                                                .number = faults,
                                                .why = reason[0] ? reason : NULL});
}

const struct shk_finder shk_finder_contract = {.in = SHK_IN_CONTRACT, .report = report_contract};
