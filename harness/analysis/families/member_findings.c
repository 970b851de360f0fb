/* Findings of cells with members. See member_findings.h. */
#include "harness/analysis/families/member_findings.h"

#include "foundation/memory.h"
#include "harness/analysis/statistics/ensemble.h"
#include "results/record/cell_text.h"

#include <math.h>
#include <stdlib.h>

/* ---- rows ---- */

void shk_findings_add_members(struct shk_findings *findings, const struct shk_family *family, int i,
                              enum shk_quantity_id quantity, const char *parameter,
                              const struct shk_member_statistics *members, double floor)
{
  if (members->count == 0)
    return;
  shk_findings_add_statistic(findings, family, quantity, parameter, SHK_STATISTIC_MEAN,
                             members->mean, members->half_width)
      ->floor = floor;
  shk_findings_add_statistic(findings, family, quantity, parameter, SHK_STATISTIC_LEAST,
                             members->least, NAN)
      ->floor = floor;
  const struct shk_cell *const cell = &family->records[i]->cell;
  char *const worst = shk_member_problem(&cell->members[members->worst]);
  shk_findings_add_statistic(findings, family, quantity, parameter, SHK_STATISTIC_WORST, NAN, NAN)
      ->word = shk_print_text("%d: %s", members->worst + 1, worst);
  free(worst);
}

void shk_findings_add_range(struct shk_findings *findings, const struct shk_family *family,
                            enum shk_quantity_id quantity, const char *parameter,
                            const struct shk_member_statistics *members, bool with_mean)
{
  if (members->count == 0)
    return;
  if (with_mean)
    shk_findings_add_statistic(findings, family, quantity, parameter, SHK_STATISTIC_MEAN,
                               members->mean, members->half_width);
  shk_findings_add_statistic(findings, family, quantity, parameter, SHK_STATISTIC_LEAST,
                             members->least, NAN);
  shk_findings_add_statistic(findings, family, quantity, parameter, SHK_STATISTIC_LARGEST,
                             members->largest, NAN);
}

/* ---- the energy ---- */

static bool describe(struct shk_energy_run *run, const struct shk_family *family, int i,
                     const struct shk_outcome *outcome, bool finished)
{
  *run = (struct shk_energy_run){.series = shk_recorded_series(outcome, SHK_SERIES_ENERGY_ERROR),
                                 .epsilon = family->epsilon,
                                 .scale = shk_family_energy_of(family, outcome),
                                 .time_scale = family->time_scale,
                                 .steps = shk_family_steps(family, i),
                                 .finished = finished,
                                 .not_finite = outcome->code == SHK_NOT_FINITE};
  return run->series != NULL && run->series->count > 0;
}

static bool classify_members(struct shk_drift *drift, const struct shk_family *family, int i)
{
  const struct shk_record *const record = family->records[i];
  const int count = record->outcome.member_count;
  struct shk_energy_run *const runs = shk_allocate((size_t)count, sizeof *runs);
  char **const names = shk_allocate((size_t)count, sizeof *names);
  bool ok = count == record->cell.member_count;
  for (int k = 0; ok && k < count; k++) {
    const struct shk_outcome *const member = &record->outcome.members[k];
    ok = describe(&runs[k], family, i, member, member->code == SHK_OK);
    names[k] = shk_member_problem(&record->cell.members[k]);
  }
  if (ok)
    shk_ensemble_classify(drift, runs, (const char *const *)names, count);
  shk_free_texts(names, count);
  free(runs);
  return ok;
}

bool shk_family_drift(struct shk_drift *drift, const struct shk_family *family, int i)
{
  const struct shk_record *const record = family->records[i];
  struct shk_energy_run run;
  if (!record)
    return false;
  if (record->outcome.member_count > 0)
    return classify_members(drift, family, i);
  if (!describe(&run, family, i, &record->outcome, shk_record_finished(record)))
    return false;
  shk_energy_classify(drift, &run);
  return true;
}

double shk_family_time_scales(const struct shk_family *family)
{
  const double own = family->inspected ? family->until / family->time_scale : NAN;
  return shk_ensemble_time_scales(own, family->cell->member_count);
}
