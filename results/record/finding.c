/* Findings and verdicts. See finding.h. */
#include "results/record/finding.h"
#include <stdlib.h>

const char *shk_verdict_word(enum shk_verdict verdict)
{
  switch (verdict) {
  case SHK_VERDICT_NONE:
    return "none";
  case SHK_VERDICT_HELD:
    return "held";
  case SHK_VERDICT_FALSIFIED:
    return "falsified";
  case SHK_VERDICT_UNDECIDED:
    return "undecided";
  case SHK_VERDICT_REFUSED:
    return "refused";
  case SHK_VERDICT_FAILED:
    return "failed";
  }
  return "unknown";
}

void shk_finding_clear(struct shk_finding *finding)
{
  free(finding->problem);
  free(finding->integrator);
  free(finding->precision);
  free(finding->quantity);
  free(finding->word);
  free(finding->expected);
  free(finding->reason);
  *finding = (struct shk_finding){0};
}

void shk_findings_free(struct shk_finding *findings, int count)
{
  for (int i = 0; i < count; i++)
    shk_finding_clear(&findings[i]);
  free(findings);
}
