/* Findings of contract checks. See contract.h. */
#include "harness/analysis/contract_findings.h"

#include "foundation/memory.h"
#include "measures/quantity.h"

#include <math.h>

static void report(struct shk_findings *findings, const struct shk_family *family,
                   enum shk_quantity_id quantity)
{
  const struct shk_record *const record = family->records[0];
  if (!record) {
    shk_findings_add_missing(findings, family, quantity, 1, 1);
    return;
  }
  if (!shk_record_finished(record)) {
    /* A normal step that fails with a status is no fault here, and decides nothing. */
    shk_findings_add_status(findings, family, quantity, record,
                            record->end != SHK_END_FINISHED       ? SHK_VERDICT_FAILED
                            : record->outcome.code == SHK_REFUSED ? SHK_VERDICT_REFUSED
                                                                  : SHK_VERDICT_UNDECIDED);
    return;
  }
  const double faults = shk_recorded(&record->outcome, quantity, NULL);
  struct shk_finding *const finding =
      shk_findings_add(findings, family, quantity, NULL, faults, NAN);
  finding->expected = shk_copy_text("0");
  const bool has_reason = record->outcome.reason[0] != '\0';
  finding->verdict = faults > 0   ? SHK_VERDICT_FALSIFIED
                     : has_reason ? SHK_VERDICT_UNDECIDED
                                  : SHK_VERDICT_HELD;
  if (has_reason)
    finding->reason = shk_copy_text(record->outcome.reason);
}

void shk_contract_report(struct shk_findings *findings, const struct shk_plan *plan,
                         struct shk_records *records, const struct shk_analysis_source *source)
{
  for (int i = 0; i < SHK_MEASURES; i++) {
    if (shk_measures[i].in != SHK_IN_CONTRACT)
      continue;
    const enum shk_quantity_id quantity = shk_measure_finds((enum shk_measure_id)i);
    struct shk_families all;
    shk_families_gather(&all, shk_measures[i].name, plan, records, source);
    for (int k = 0; k < all.count; k++) {
      shk_family_take(&all, &all.families[k], NAN, 0);
      report(findings, &all.families[k], quantity);
      shk_family_put_back(&all, &all.families[k], NAN);
    }
    shk_families_clear(&all);
  }
}
