/* See energy_findings.h. */
#include "harness/analysis/energy_findings.h"

#include "foundation/memory.h"
#include "harness/analysis/block_findings.h"
#include "harness/analysis/families/member_findings.h"
#include "harness/analysis/statistics/drift.h"
#include <math.h>
#include <stdlib.h>

static void keep_drift(struct shk_reporter *c, const struct shk_family *family,
                       const struct shk_record *record, const struct shk_drift *drift)
{
  c->drifts = shk_grow(c->drifts, (size_t)c->drift_count, sizeof *c->drifts);
  struct shk_run_drift *const kept = &c->drifts[c->drift_count++];
  *kept = (struct shk_run_drift){.record = record, .drift = *drift};
  kept->drift.too_short = shk_family_time_scales(family) < SHK_ENERGY_TIME_SCALES;
}

void shk_report_energy(struct shk_reporter *c, const struct shk_family *family)
{
  if (!shk_reporter_wants(c, family, SHK_MEASURE_ENERGY))
    return;
  struct shk_curve curve;
  if (shk_curve_make_energy(&curve, family)) {
    shk_report_order(c, family, &curve);
    const int at = shk_family_finest(family);
    shk_reporter_add(c, family, SHK_QUANTITY_ENERGY_MAX, curve.points[at].error, NAN)->floor =
        curve.points[at].floor;
    shk_findings_add_members(&c->findings, family, at, SHK_QUANTITY_ENERGY_MAX, NULL,
                             &curve.points[at].members, curve.points[at].floor);
    shk_reporter_keep_curve(c, &curve);
  }
  struct shk_drift drift;
  struct shk_drift *runs = shk_allocate((size_t)family->count, sizeof *runs);
  int count = 0, seen = 0;
  for (int i = 0; i < family->count; i++) {
    const struct shk_record *record = family->records[i];
    if (!shk_family_drift(&runs[count], family, i))
      continue;
    seen++;
    if (shk_record_finished(record) && c->keeps)
      keep_drift(c, family, record, &runs[count]);
    /* A run that ended early without blowing up decides nothing about a long run. */
    count += shk_record_finished(record) || runs[count].class == SHK_ENERGY_BLOW_UP;
  }
  if (seen > 0) {
    shk_energy_combine(&drift, runs, count, shk_family_time_scales(family));
    if (drift.class != SHK_ENERGY_EXPONENTIAL && !isnan(drift.slope)) {
      shk_reporter_add(c, family, SHK_QUANTITY_ENERGY_SLOPE, drift.slope, drift.slope_half_width);
      shk_findings_add_range(&c->findings, family, SHK_QUANTITY_ENERGY_SLOPE, NULL,
                             &drift.member_slopes, false);
    }
    struct shk_finding *finding = shk_reporter_add(c, family, SHK_QUANTITY_ENERGY_CLASS, NAN, NAN);
    finding->word = shk_copy_text(shk_energy_word(drift.class));
    finding->floor = drift.near_roundoff || drift.class == SHK_ENERGY_EXACT ? drift.floor : NAN;
    const enum shk_answer claimed = family->claims.energy_bounded;
    if (claimed != SHK_UNKNOWN)
      finding->expected = shk_copy_text(claimed == SHK_YES ? "bounded" : "not bounded");
    bool at_floor;
    struct shk_decision decision =
        shk_decide_energy(&at_floor, &drift, claimed, shk_family_undecidable(family));
    if (claimed != SHK_UNKNOWN &&
        (family->inspection.features & (SHK_FORCES | SHK_RHEONOMIC | SHK_GENERAL_DAE)))
      decision = (struct shk_decision){SHK_VERDICT_UNDECIDED,
                                       "the problem itself does not keep the energy"};
    else if (claimed == SHK_NO && decision.verdict != SHK_VERDICT_NONE &&
             drift.class != SHK_ENERGY_UNDETERMINED)
      shk_findings_vote(&c->findings, at_floor);
    shk_finding_decide(finding, &decision);
  }
  free(runs);
}
