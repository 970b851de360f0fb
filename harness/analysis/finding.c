/* The list of findings. See finding.h. */
#include "harness/analysis/finding.h"
#include "foundation/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct shk_finding *shk_findings_add(struct shk_findings *findings, const struct shk_family *family,
                                     const char *quantity, double value, double uncertainty)
{
  struct shk_analysis *analysis = findings->analysis;
  analysis->findings =
      shk_grow(analysis->findings, (size_t)analysis->finding_count, sizeof *analysis->findings);
  struct shk_finding *finding = &analysis->findings[analysis->finding_count++];
  *finding = (struct shk_finding){
      .problem = shk_copy_text(family->problem),
      .integrator = shk_copy_text(family->cell->integrator),
      .precision = shk_copy_text(family->cell->precision),
      .quantity = shk_print_text("%s%s", quantity, family->suffix),
      .value = value,
      .uncertainty = uncertainty,
      .floor = NAN,
      .adaptive = family->by_tolerance,
      .chaotic = family->inspection.undecidable & SHK_CHAOTIC &&
                 family->until > family->inspection.horizon * (1 + 1e-9),
  };
  return finding;
}

void shk_finding_judge(struct shk_finding *finding, const struct shk_judgement *judgement)
{
  finding->verdict = judgement->verdict;
  free(finding->reason);
  finding->reason = judgement->reason[0] ? shk_copy_text(judgement->reason) : NULL;
}

void shk_finding_judge_vanishing(struct shk_finding *finding, const struct shk_judgement *judgement,
                                 enum shk_answer claimed, double floor)
{
  shk_finding_judge(finding, judgement);
  finding->floor = floor;
  if (claimed == SHK_YES)
    finding->expected = shk_print_text("at most %.2g", SHK_VANISHES * floor);
  else if (claimed == SHK_NO)
    finding->expected = shk_print_text("at least %.2g", SHK_DOES_NOT_VANISH * floor);
}

void shk_findings_vote(struct shk_findings *findings, bool at_floor)
{
  findings->votes =
      shk_grow(findings->votes, (size_t)findings->vote_count, sizeof *findings->votes);
  findings->votes[findings->vote_count++] =
      (struct shk_vote){findings->analysis->finding_count - 1, at_floor};
}

void shk_findings_count_votes(struct shk_findings *findings)
{
  struct shk_finding *all = findings->analysis->findings;
  for (int i = 0; i < findings->vote_count; i++) {
    struct shk_finding *mine = &all[findings->votes[i].finding];
    bool every = true, several = false;
    for (int j = 0; j < findings->vote_count; j++) {
      const struct shk_finding *other = &all[findings->votes[j].finding];
      if (strcmp(mine->integrator, other->integrator) != 0 ||
          strcmp(mine->quantity, other->quantity) != 0)
        continue;
      every = every && findings->votes[j].at_floor;
      several = several || strcmp(mine->problem, other->problem) != 0;
    }
    if (every && several) {
      mine->verdict = SHK_VERDICT_FALSIFIED;
      free(mine->reason);
      mine->reason =
          shk_copy_text("claimed not to vanish, but at round-off on every problem that could tell");
    }
  }
}
