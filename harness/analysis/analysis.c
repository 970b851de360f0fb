/*
 * Analysis of records: the findings of every finder about each family of cells, in the order of the
 * plan, first those of runs.
 */
#include "harness/analysis/analysis.h"

#include "engine/names.h"
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

/* Makes an analysis, or adds curves and drifts to one whose findings are known. */
static struct shk_analysis *analyse(const struct shk_study *study, const struct shk_plan *plan,
                                    struct shk_records *records,
                                    const struct shk_analysis_source *source,
                                    struct shk_analysis *known)
{
  static const enum shk_measured_in order[] = {SHK_IN_RUNS, SHK_IN_STEPS, SHK_IN_CONTRACT,
                                               SHK_IN_PATHS};
  struct shk_families all;
  struct shk_reporter c = {.study = study, .plan = plan, .all = &all, .keeps = records->stay};
  shk_families_gather(&all, plan, records, source);
  for (size_t k = 0; k < (known ? 1 : sizeof order / sizeof order[0]); k++) {
    for (int i = 0; i < all.count; i++)
      if (all.families[i].in == order[k])
        report_family(&c, &all.families[i]);
    for (int i = 0; !known && i < FINDERS; i++)
      if (finders[i]->in == order[k] && finders[i]->report_all)
        finders[i]->report_all(&c);
  }
  shk_count_votes(&c);
  free(c.votes);
  shk_families_clear(&all);
  struct shk_analysis *const analysis =
      known ? known : shk_analysis_of_findings(c.findings, c.count);
  if (known)
    shk_findings_free(c.findings, c.count);
  analysis->curves = c.curves;
  analysis->curve_count = c.curve_count;
  analysis->drifts = c.drifts;
  analysis->drift_count = c.drift_count;
  analysis->singular = c.singular;
  return analysis;
}

struct shk_analysis *shk_analyse_with(const struct shk_study *study, const struct shk_plan *plan,
                                      struct shk_records *records,
                                      const struct shk_analysis_source *source)
{
  return analyse(study, plan, records, source, NULL);
}

static bool inspect_either(const struct shk_context *context, struct shk_inspection *inspection,
                           const char *problem, struct shk_message *error)
{
  return shk_inspect(context, inspection, "quad", problem, error) ||
         shk_inspect(context, inspection, "double", problem, error);
}

struct shk_analysis_source shk_engine_source(const struct shk_plan *plan)
{
  return (struct shk_analysis_source){
      .context = plan->context, .claims = shk_claims_of, .inspect = inspect_either};
}

struct shk_analysis *shk_analyse(const struct shk_study *study, const struct shk_plan *plan,
                                 struct shk_records *records)
{
  const struct shk_analysis_source source = shk_engine_source(plan);
  return analyse(study, plan, records, &source, NULL);
}

void shk_analysis_add_curves(struct shk_analysis *analysis, const struct shk_study *study,
                             const struct shk_plan *plan, struct shk_records *records)
{
  const struct shk_analysis_source source = shk_engine_source(plan);
  analyse(study, plan, records, &source, analysis);
}

void shk_each_error(const struct shk_plan *plan, struct shk_records *records,
                    shk_error_taker *taker, void *user)
{
  const struct shk_analysis_source source = shk_engine_source(plan);
  struct shk_families all;
  shk_families_gather(&all, plan, records, &source);
  for (int i = 0; i < all.count; i++) {
    struct shk_family *const family = &all.families[i];
    if (family->in != SHK_IN_RUNS)
      continue;
    shk_family_take(&all, family, NAN, SHK_PART_STATES);
    shk_family_refer(&all, family);
    if (family->reference->record)
      shk_family_each_error(family, taker, user);
    shk_family_put_back(&all, family, NAN);
  }
  shk_families_clear(&all);
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
