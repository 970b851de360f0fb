/*
 * Analyses the records by calling every finder on each family of cells. Families of runs are
 * handled first. Within each group, the families are in the order of the plan.
 */
#include "harness/analysis/report.h"

#include "foundation/memory.h"
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

static bool applies_finders(const struct shk_finder *finder, const struct shk_reporter *c)
{
  const bool measures = finder->measures == 0 ? true
                        : finder->in == SHK_IN_RUNS
                            ? shk_reporter_wants(c, finder->measures)
                            : (finder->measures & 1ul << c->family->measure) != 0;
  return finder->in == c->family->in && finder->report && measures &&
         (!finder->applies || finder->applies(c));
}

/* Reports all findings about a family, and loads only those parts of its records that the finders
 * need. */
static void report_family(struct shk_reporter *c, struct shk_family *family)
{
  unsigned parts = 0;
  c->family = family;
  for (int i = 0; i < FINDERS; i++)
    parts |= applies_finders(finders[i], c) ? finders[i]->parts : 0;
  shk_family_take(c->all, family, parts);
  if (family->in == SHK_IN_RUNS)
    shk_family_refer(c->all, family);
  for (int i = 0; i < FINDERS; i++)
    if (applies_finders(finders[i], c))
      finders[i]->report(c);
  shk_family_put_back(c->all, family);
}

struct shk_analysis *shk_analyse(const struct shk_study *study, const struct shk_plan *plan,
                                 struct shk_records *records,
                                 const struct shk_analysis_source *source)
{
  static const enum shk_measured_in order[] = {SHK_IN_RUNS, SHK_IN_STEPS, SHK_IN_CONTRACT,
                                               SHK_IN_PATHS, SHK_IN_TIMES};
  struct shk_families all;
  struct shk_reporter c = {.study = study,
                           .plan = plan,
                           .all = &all,
                           .keeps = records->stay,
                           .analysis = shk_allocate(1, sizeof *c.analysis)};
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
  return c.analysis;
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
  int code = 0;
  for (int i = 0; i < analysis->finding_count; i++)
    code = shk_exit_code_with(code, analysis->findings[i].verdict);
  return code;
}

int shk_exit_code_with(int code, enum shk_verdict verdict)
{
  return verdict == SHK_VERDICT_FALSIFIED || code == 1 ? 1
         : verdict == SHK_VERDICT_FAILED               ? 3
                                                       : code;
}
