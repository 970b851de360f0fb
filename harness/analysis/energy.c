/*
 * Reports findings about the energy. `order of energy` is the power of the step with which max |H -
 * H(0)| decreases, and `energy max` is this maximum at the finest step. For long runs, with or
 * without members, `energy slope` and `energy class` are also reported.
 */
#include "harness/analysis/report.h"

#include "foundation/memory.h"
#include "results/record/cell_text.h"

#include <math.h>
#include <stdlib.h>

/* Classifies the energy in the family's cell i, using all members if there are any. Returns false
 * if the cell has no record or if an energy series is missing. */
static bool classify_energy(struct shk_drift *drift, const struct shk_family *family, int i)
{
  const struct shk_record *const record = family->records[i];
  const struct shk_outcome *outcomes;
  if (!record)
    return false;
  const int count = shk_outcomes(&outcomes, record), members = record->outcome.member_count;
  bool ok = members == 0 || members == record->cell.member_count;
  struct shk_energy_run *const runs = shk_allocate((size_t)count, sizeof *runs);
  for (int k = 0; ok && k < count; k++) {
    const struct shk_outcome *const outcome = &outcomes[k];
    runs[k] = (struct shk_energy_run){
        .series = shk_recorded_series(outcome, SHK_SERIES_ENERGY_ERROR),
        .epsilon = family->epsilon,
        .scale = shk_family_energy(family, outcome),
        .steps = shk_family_steps(family, i),
        .finished = members > 0 ? outcome->code == SHK_OK : shk_record_finished(record),
        .not_finite = outcome->code == SHK_NOT_FINITE,
        .name = members > 0 ? shk_member_problem(&record->cell, k) : NULL};
    ok = runs[k].series != NULL && runs[k].series->count > 0;
  }
  if (ok && members > 0)
    shk_ensemble_classify(drift, runs, count);
  else if (ok)
    shk_energy_classify(drift, runs);
  for (int k = 0; k < count; k++)
    free(runs[k].name);
  free(runs);
  return ok;
}

static void report_size(struct shk_reporter *c)
{
  const int at = shk_family_finest(c->family);
  struct shk_curve curve;
  if (!shk_curve_make(&curve, c->family, SHK_BLOCK_ENERGY))
    return;
  const struct shk_point *const point = &curve.points[at];
  shk_finding_curve(c, &curve);
  shk_report(c, SHK_QUANTITY_ENERGY_MAX, NULL, point->error, NAN)->floor = point->floor;
  shk_finding_members(c, SHK_QUANTITY_ENERGY_MAX, NULL, &point->members, SHK_OF_A_WORST,
                      point->floor);
  shk_keep_curve(c, &curve);
}

const char *shk_energy_not_kept(const struct shk_family *family)
{
  return family->inspection.features & (SHK_FORCES | SHK_RHEONOMIC | SHK_GENERAL_DAE)
             ? "the problem itself does not conserve energy"
             : NULL;
}

static void report_class(struct shk_reporter *c, const struct shk_drift *drift)
{
  const struct shk_family *const family = c->family;
  const char *const not_kept = shk_energy_not_kept(family);
  const bool kept = drift->class == SHK_ENERGY_EXACT || drift->class == SHK_ENERGY_BOUNDED;
  if (drift->class != SHK_ENERGY_EXPONENTIAL && !isnan(drift->slope)) {
    shk_report(c, SHK_QUANTITY_ENERGY_SLOPE, NULL, drift->slope, drift->slope_half_width);
    shk_finding_members(c, SHK_QUANTITY_ENERGY_SLOPE, NULL, &drift->member_slopes, SHK_OF_A_MEAN,
                        NAN);
  }
  shk_finding_word(c, SHK_QUANTITY_ENERGY_CLASS, NULL, shk_energy_words[drift->class])->floor =
      drift->near_roundoff || drift->class == SHK_ENERGY_EXACT ? drift->floor : NAN;
  shk_finding_verdict(c, &(struct shk_evidence){.kind = SHK_EVIDENCE_ENERGY,
                                                .claimed = family->claims.energy_bounded,
                                                .drift = drift,
                                                .undecidable = shk_family_undecidable(family),
                                                .meaningless = not_kept ? not_kept
                                                               : kept   ? shk_family_rests(family)
                                                                        : NULL});
  if (family->claims.energy_dissipates == SHK_UNKNOWN)
    return;
  shk_finding_word(c, SHK_QUANTITY_ENERGY_DISSIPATION, NULL, shk_energy_words[drift->class]);
  shk_finding_verdict(c, &(struct shk_evidence){.kind = SHK_EVIDENCE_DISSIPATION,
                                                .claimed = family->claims.energy_dissipates,
                                                .drift = drift,
                                                .undecidable = shk_family_undecidable(family),
                                                .meaningless = not_kept ? not_kept
                                                               : kept   ? shk_family_rests(family)
                                                                        : NULL});
}

static void report_energy(struct shk_reporter *c)
{
  const struct shk_family *const family = c->family;
  const double scales = shk_ensemble_time_scales(
      family->inspected ? family->until / family->time_scale : NAN, family->cell->member_count);
  struct shk_drift *const runs = shk_allocate((size_t)family->count, sizeof *runs), drift;
  int count = 0, seen = 0;
  report_size(c);
  for (int i = 0; i < family->count; i++) {
    const struct shk_record *record = family->records[i];
    if (!classify_energy(&runs[count], family, i))
      continue;
    seen++;
    if (shk_record_finished(record) && c->keeps) {
      struct shk_run_drift *const kept = SHK_APPEND(c->analysis->drifts, c->analysis->drift_count);
      *kept = (struct shk_run_drift){.record = record, .drift = runs[count]};
      kept->drift.too_short = scales < SHK_ENERGY_TIME_SCALES;
    }
    /* A run that ended early but did not blow up cannot decide a claim about long runs. */
    count += shk_record_finished(record) || runs[count].class == SHK_ENERGY_BLOW_UP;
  }
  if (seen > 0) {
    shk_energy_combine(&drift, runs, count, scales);
    report_class(c, &drift);
  }
  free(runs);
}

const struct shk_finder shk_finder_energy = {.in = SHK_IN_RUNS,
                                             .measures = SHK_BIT(ENERGY),
                                             .parts = SHK_PART_SERIES,
                                             .report = report_energy};
