/* The results of an analysis. See analysis.h; finders.c makes them. */
#include "harness/analysis/analysis.h"

#include "foundation/memory.h"
#include <stdlib.h>

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
