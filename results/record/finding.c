/* Handles findings and verdicts. See finding.h. */
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

void shk_findings_free(struct shk_finding *findings, int count)
{
  for (int i = 0; i < count; i++) {
    free(findings[i].problem);
    free(findings[i].integrator);
    free(findings[i].precision);
    free(findings[i].quantity);
    free(findings[i].word);
    free(findings[i].expected);
    free(findings[i].reason);
  }
  free(findings);
}
