/* Findings and verdicts. See finding.h. */
#include "results/record/finding.h"
#include <stdlib.h>
#include <string.h>

static const char *const words[SHK_VERDICTS] = {
#define VERDICT(id, word) [SHK_VERDICT_##id] = word,
#include "results/record/statuses.def"
#undef VERDICT
};

const char *shk_verdict_word(enum shk_verdict verdict)
{
  return verdict < SHK_VERDICTS ? words[verdict] : "unknown";
}

enum shk_verdict shk_verdict_named(const char *word)
{
  int verdict = 0;
  while (verdict < SHK_VERDICTS && strcmp(words[verdict], word) != 0)
    verdict++;
  return (enum shk_verdict)verdict;
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
