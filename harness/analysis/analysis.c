/*
 * Analysis of records: the findings of every finder about each family of cells, in the order of the
 * plan, first those of runs.
 */
#include "harness/analysis/analysis.h"

#include "foundation/memory.h"
#include "harness/analysis/report.h"
#include <math.h>
#include <stdlib.h>

#define FINDER(word, ...) extern const struct shk_finder shk_finder_##word;
#include "measures/findings.def"
#undef FINDER

static const struct shk_finder *const finders[] = {
#define FINDER(word, ...) &shk_finder_##word,
#include "measures/findings.def"
#undef FINDER
};
enum { FINDERS = sizeof finders / sizeof finders[0] };

static bool applies(const struct shk_finder *finder, const struct shk_reporter *c)
{
  return finder->in == c->family->in && finder->report && (!finder->applies || finder->applies(c));
}

/* Reports all findings about a family, with the parts of its records that they need. */
static void report_family(struct shk_reporter *c, struct shk_family *family)
{
  unsigned parts = 0;
  c->family = family;
  for (int i = 0; i < FINDERS; i++)
    parts |= applies(finders[i], c) ? finders[i]->parts : 0;
  shk_family_take(c->all, family, NAN, parts);
  if (family->in == SHK_IN_RUNS)
    shk_family_refer(c->all, family);
  for (int i = 0; i < FINDERS; i++)
    if (applies(finders[i], c))
      finders[i]->report(c);
  shk_family_put_back(c->all, family, NAN);
}

struct shk_analysis *shk_analyse(const struct shk_study *study, const struct shk_plan *plan,
                                 struct shk_records *records,
                                 const struct shk_analysis_source *source)
{
  static const enum shk_measured_in order[] = {SHK_IN_RUNS, SHK_IN_STEPS, SHK_IN_CONTRACT,
                                               SHK_IN_PATHS};
  struct shk_families all;
  struct shk_reporter c = {.study = study, .plan = plan, .all = &all, .keeps = records->stay};
  shk_families_gather(&all, plan, records, source);
  for (size_t k = 0; k < sizeof order / sizeof order[0]; k++) {
    for (int i = 0; i < all.count; i++)
      if (all.families[i].in == order[k])
        report_family(&c, &all.families[i]);
    for (int i = 0; i < FINDERS; i++)
      if (finders[i]->in == order[k] && finders[i]->report_all)
        finders[i]->report_all(&c);
  }
  shk_count_votes(&c);
  free(c.votes);
  shk_families_clear(&all);
  struct shk_analysis *const analysis = shk_analysis_of_findings(c.findings, c.count);
  analysis->curves = c.curves;
  analysis->curve_count = c.curve_count;
  analysis->drifts = c.drifts;
  analysis->drift_count = c.drift_count;
  analysis->singular = c.singular;
  return analysis;
}

struct shk_analysis *shk_analysis_of_findings(struct shk_finding *owned, int count)
{
  struct shk_analysis *const analysis = shk_allocate(1, sizeof *analysis);
  analysis->findings = owned;
  analysis->finding_count = count;
  return analysis;
}

void shk_analysis_free(struct shk_analysis *analysis)
{
  if (!analysis)
    return;
  shk_findings_free(analysis->findings, analysis->finding_count);
  for (int i = 0; i < analysis->curve_count; i++)
    shk_curve_clear(&analysis->curves[i]);
  free(analysis->curves);
  free(analysis->singular.all);
  free(analysis->drifts);
  free(analysis);
}

int shk_analysis_exit_code(const struct shk_analysis *analysis)
{
  bool failed = false;
  for (int i = 0; i < analysis->finding_count; i++) {
    if (analysis->findings[i].verdict == SHK_VERDICT_FALSIFIED)
      return 1;
    if (analysis->findings[i].verdict == SHK_VERDICT_FAILED)
      failed = true;
  }
  return failed ? 3 : 0;
}
