/* Results of an analysis. See analysis.h; finders.c has shk_analyse. */
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
  int code = 0;
  for (int i = 0; i < analysis->finding_count; i++)
    code = shk_exit_code_with(code, analysis->findings[i].verdict);
  return code;
}

int shk_exit_code_with(int code, enum shk_verdict verdict)
{
  const bool wrong = verdict == SHK_VERDICT_FALSIFIED || verdict == SHK_VERDICT_NOT_SHOWN;
  return wrong || code == 1 ? 1 : verdict == SHK_VERDICT_FAILED ? 3 : code;
}
