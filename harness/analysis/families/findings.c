/* The list of findings during an analysis. See findings.h. */
#include "harness/analysis/families/findings.h"
#include "foundation/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct shk_finding *shk_findings_add_statistic(struct shk_findings *findings,
                                               const struct shk_family *family,
                                               enum shk_quantity_id quantity, const char *parameter,
                                               enum shk_statistic statistic, double value,
                                               double uncertainty)
{
  findings->all = shk_grow(findings->all, (size_t)findings->count, sizeof *findings->all);
  struct shk_finding *finding = &findings->all[findings->count++];
  struct shk_named_quantity named;
  *finding = (struct shk_finding){
      .problem = shk_copy_text(family->problem),
      .integrator = shk_copy_text(family->cell->integrator),
      .precision = shk_copy_text(family->cell->precision),
      .quantity = shk_finding_name(&named, quantity, parameter, statistic, family->suffix),
      .value = value,
      .uncertainty = uncertainty,
      .floor = NAN,
      .adaptive = family->by_tolerance,
      .chaotic = family->inspection.undecidable & SHK_CHAOTIC &&
                 family->until > family->inspection.horizon * (1 + 1e-9),
  };
  finding->named = named;
  return finding;
}

struct shk_finding *shk_findings_add(struct shk_findings *findings, const struct shk_family *family,
                                     enum shk_quantity_id quantity, const char *parameter,
                                     double value, double uncertainty)
{
  return shk_findings_add_statistic(findings, family, quantity, parameter, SHK_STATISTIC_NONE,
                                    value, uncertainty);
}

struct shk_finding *shk_findings_add_status(struct shk_findings *findings,
                                            const struct shk_family *family,
                                            enum shk_quantity_id quantity,
                                            const struct shk_record *record,
                                            enum shk_verdict verdict)
{
  char reason[320];
  shk_record_reason(reason, sizeof reason, record);
  struct shk_finding *const finding = shk_findings_add(findings, family, quantity, NULL, NAN, NAN);
  finding->word = shk_copy_text(shk_record_status(record));
  finding->verdict = verdict;
  finding->reason = shk_copy_text(reason);
  return finding;
}

void shk_findings_add_missing(struct shk_findings *findings, const struct shk_family *family,
                              enum shk_quantity_id quantity, int missing, int count)
{
  struct shk_finding *const finding = shk_findings_add(findings, family, quantity, NULL, NAN, NAN);
  finding->word = shk_copy_text(shk_record_status(NULL));
  finding->verdict = SHK_VERDICT_FAILED;
  finding->reason = shk_print_text("%d of %d cells have not been run", missing, count);
}

void shk_finding_decide(struct shk_finding *finding, const struct shk_decision *decision)
{
  finding->verdict = decision->verdict;
  free(finding->reason);
  finding->reason = decision->reason[0] ? shk_copy_text(decision->reason) : NULL;
}

void shk_finding_decide_vanishing(struct shk_finding *finding, const struct shk_decision *decision,
                                  enum shk_answer claimed, double floor)
{
  shk_finding_decide(finding, decision);
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
  findings->votes[findings->vote_count++] = (struct shk_vote){findings->count - 1, at_floor};
}

/* True if two findings are about one claim. Invariants have names of their own, but the claim
 * covers all of them, and a projection may keep only some. */
static bool are_of_one_claim(const struct shk_finding *a, const struct shk_finding *b)
{
  const enum shk_claim claim = shk_decided_by(&a->named);
  return claim == SHK_NO_CLAIM ? strcmp(a->quantity, b->quantity) == 0
                               : shk_decided_by(&b->named) == claim;
}

void shk_findings_count_votes(struct shk_findings *findings)
{
  struct shk_finding *all = findings->all;
  for (int i = 0; i < findings->vote_count; i++) {
    struct shk_finding *mine = &all[findings->votes[i].finding];
    bool every = true, several = false;
    for (int j = 0; j < findings->vote_count; j++) {
      const struct shk_finding *other = &all[findings->votes[j].finding];
      if (strcmp(mine->integrator, other->integrator) != 0 || !are_of_one_claim(mine, other))
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
