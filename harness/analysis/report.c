/* Collects the findings of an analysis; see report.h. */
#include "harness/analysis/report.h"

#include "engine/names.h"
#include "foundation/index.h"
#include "foundation/memory.h"
#include "results/record/cell_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the measures that a study names ---- */

const struct shk_study_run *shk_reporter_run(const struct shk_reporter *c, int i)
{
  const int index = c->plan->cells[c->family->cells[i]].run;
  return c->study && index >= 0 && index < c->study->run_count ? &c->study->runs[index] : NULL;
}

/* Returns true if a run of the study contains cells of this family and includes one of these
 * measures. If by_name is true, the run must name the measure; otherwise, a measure that is
 * included by default also counts. */
static bool any_names(const struct shk_reporter *c, unsigned long measures, bool by_name)
{
  bool any = false;
  for (int i = 0; c->study && i < c->family->count; i++) {
    const struct shk_planned *const planned = &c->plan->cells[c->family->cells[i]];
    any = any || (measures & (by_name ? planned->named : planned->measures)) != 0;
  }
  return any;
}

bool shk_reporter_wants(const struct shk_reporter *c, unsigned long measures)
{
  return !c->study || any_names(c, measures, false);
}

bool shk_reporter_is_asked(const struct shk_reporter *c, unsigned long measures)
{
  return any_names(c, measures, true);
}

/* ---- findings ---- */

/* Adds a finding about a quantity or, if a statistic is given, about the value of that statistic
 * over all members. */
static struct shk_finding *add_report(struct shk_reporter *c, enum shk_quantity_id quantity,
                                      const char *parameter, enum shk_statistic statistic,
                                      double value, double uncertainty)
{
  const struct shk_family *const family = c->family;
  struct shk_finding *const finding = SHK_APPEND(c->analysis->findings, c->analysis->finding_count);
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
      .chaotic = shk_family_undecidable(family) & SHK_CHAOTIC,
  };
  finding->named = named;
  return finding;
}

struct shk_finding *shk_report(struct shk_reporter *c, enum shk_quantity_id quantity,
                               const char *parameter, double value, double uncertainty)
{
  return add_report(c, quantity, parameter, SHK_STATISTIC_NONE, value, uncertainty);
}

void shk_finding_members(struct shk_reporter *c, enum shk_quantity_id quantity,
                         const char *parameter, const struct shk_member_statistics *members,
                         unsigned which, double floor)
{
  const double values[SHK_STATISTICS] = {[SHK_STATISTIC_MEAN] = members->mean,
                                         [SHK_STATISTIC_LEAST] = members->least,
                                         [SHK_STATISTIC_LARGEST] = members->largest,
                                         [SHK_STATISTIC_WORST] = NAN};
  for (enum shk_statistic s = SHK_STATISTIC_MEAN; members->count > 0 && s < SHK_STATISTICS; s++) {
    if (!(which & 1u << s))
      continue;
    struct shk_finding *const finding = add_report(
        c, quantity, parameter, s, values[s], s == SHK_STATISTIC_MEAN ? members->half_width : NAN);
    finding->floor = floor;
    if (s == SHK_STATISTIC_WORST) {
      char *const worst = shk_member_problem(c->family->cell, members->worst);
      finding->word = shk_print_text("%d: %s", members->worst + 1, worst);
      free(worst);
    }
  }
}

double shk_finding_fit(struct shk_reporter *c, enum shk_quantity_id order, struct shk_point *points,
                       int count)
{
  const struct shk_fit fit = shk_order_fit(points, count, false);
  const double found = fit.determined ? fit.order : NAN;
  shk_report(c, order, NULL, found, fit.determined ? fit.half_width : NAN)->reason =
      fit.determined ? NULL : shk_copy_text(fit.why);
  return found;
}

void shk_finding_points(struct shk_reporter *c, enum shk_quantity_id error,
                        enum shk_quantity_id order, struct shk_point *points, int count)
{
  const struct shk_point *const last = &points[count - 1];
  shk_report(c, error, NULL, last->error, NAN)->floor = last->floor;
  shk_finding_fit(c, order, points, count);
}

struct shk_finding *shk_finding_word(struct shk_reporter *c, enum shk_quantity_id quantity,
                                     const char *parameter, const char *word)
{
  struct shk_finding *const finding = shk_report(c, quantity, parameter, NAN, NAN);
  finding->word = shk_copy_text(word);
  return finding;
}

struct shk_ends shk_count_ends(const struct shk_family *family,
                               bool (*has_answer)(const struct shk_record *record))
{
  struct shk_ends ends = {0};
  for (int i = family->count - 1; i >= 0; i--) {
    const struct shk_record *const record = family->records[i];
    if (!record)
      ends.missing++;
    else if ((has_answer ? has_answer : shk_record_finished)(record))
      ends.answers++;
    else if (shk_was_refused(record))
      ends.refused = record;
    else {
      ends.failures++;
      ends.failed = record;
    }
  }
  return ends;
}

struct shk_finding *shk_finding_end(struct shk_reporter *c, enum shk_quantity_id quantity,
                                    const struct shk_record *record, int missing)
{
  char reason[SHK_MESSAGE_SIZE];
  struct shk_finding *const finding =
      shk_finding_word(c, quantity, NULL, shk_record_status(record));
  finding->verdict = shk_was_refused(record) ? SHK_VERDICT_REFUSED : SHK_VERDICT_FAILED;
  if (record)
    shk_record_reason(reason, sizeof reason, record);
  finding->reason =
      record ? shk_copy_text(reason)
             : shk_print_text("%d of %d cells have not been run", missing, c->family->count);
  return finding;
}

/* ---- verdicts ---- */

static char *expectation_text(const struct shk_evidence *e, double floor)
{
  const bool yes = e->claimed == SHK_YES;
  switch (e->kind) {
  case SHK_EVIDENCE_ORDER:
  case SHK_EVIDENCE_NUMBER:
    return e->claimed == SHK_NO_ORDER ? NULL
           : e->band > 0              ? shk_print_text("%d ± %g", e->claimed, e->band)
                                      : shk_print_text("%d", e->claimed);
  case SHK_EVIDENCE_CONSISTENCY:
    return NULL;
  case SHK_EVIDENCE_LEVEL:
    return shk_print_text("at most %.2g", shk_level_bound(e));
  case SHK_EVIDENCE_DISSIPATION:
    return e->claimed == SHK_UNKNOWN ? NULL : shk_copy_text(yes ? "dissipates" : "not dissipating");
  case SHK_EVIDENCE_ENERGY:
    return e->claimed == SHK_UNKNOWN ? NULL : shk_copy_text(yes ? "bounded" : "not bounded");
  default:
    return e->claimed == SHK_UNKNOWN ? NULL
           : yes                     ? shk_print_text("at most %.2g", SHK_VANISHES * floor)
                                     : shk_print_text("at least %.2g", SHK_DOES_NOT_VANISH * floor);
  }
}

struct shk_finding *shk_finding_newest(const struct shk_reporter *c)
{
  return &c->analysis->findings[c->analysis->finding_count - 1];
}

/* Returns a finding's problem with its kick removed. The caller must free the string. */
static char *unkicked(const char *problem)
{
  const char *kick = NULL;
  for (const char *at = problem; (at = strstr(at, " kick=")) != NULL; at++)
    kick = at;
  return kick ? shk_print_text("%.*s", (int)(kick - problem), problem) : shk_copy_text(problem);
}

/* Returns true for claims that may hold by accident if the constraints are quadratic. */
static bool is_of_form(enum shk_claim claim)
{
  return claim == SHK_CLAIM_SYMPLECTIC || claim == SHK_CLAIM_PRESYMPLECTIC;
}

bool shk_can_deny(enum shk_claim claim, const struct shk_inspection *problem)
{
  return !is_of_form(claim) || (problem->beyond_quadratic && problem->n - problem->m >= 2);
}

bool shk_is_affirmed(int *held, const struct shk_context *context,
                     const struct shk_analysis *analysis, const char *integrator,
                     enum shk_claim claim)
{
  struct shk_index holding = {0};
  bool refused = false, applies = false;
  for (int i = 0; is_of_form(claim) && i < analysis->finding_count; i++) {
    const struct shk_finding *const f = &analysis->findings[i];
    struct shk_inspection is;
    struct shk_message unused;
    if (f->verdict == SHK_VERDICT_NONE || shk_decided_by(&f->named) != claim ||
        strcmp(f->integrator, integrator) != 0)
      continue;
    char *const problem = unkicked(f->problem);
    const bool known = shk_inspect(context, &is, "double", problem, &unused);
    free(problem);
    if (!known || !shk_can_deny(claim, &is) || !is.unequal_masses)
      continue;
    refused = refused || f->verdict == SHK_VERDICT_REFUSED;
    applies = applies || f->verdict != SHK_VERDICT_REFUSED;
    if (f->verdict == SHK_VERDICT_HELD)
      shk_index_text(&holding, f->problem);
  }
  *held = holding.count;
  shk_index_clear(&holding);
  return !is_of_form(claim) || *held >= SHK_AFFIRM || (refused && !applies);
}

bool shk_finding_rests(struct shk_reporter *c)
{
  const char *const rests = shk_family_rests(c->family);
  struct shk_finding *const finding = shk_finding_newest(c);
  if (!rests || (finding->verdict != SHK_VERDICT_HELD && finding->verdict != SHK_VERDICT_UNDECIDED))
    return false;
  finding->verdict = SHK_VERDICT_UNDECIDED;
  free(finding->reason);
  finding->reason = shk_copy_text(rests);
  return true;
}

struct shk_decision shk_finding_verdict(struct shk_reporter *c, const struct shk_evidence *evidence)
{
  struct shk_finding *const finding = shk_finding_newest(c);
  struct shk_decision decision = shk_decide(evidence);
  finding->verdict = decision.verdict;
  finding->reason = decision.reason[0] ? shk_copy_text(decision.reason) : NULL;
  finding->expected = expectation_text(evidence, finding->floor);
  if (shk_finding_rests(c))
    decision = (struct shk_decision){.verdict = finding->verdict, .exponent = decision.exponent};
  if (decision.votes || decision.above || decision.as_claimed)
    *SHK_APPEND(c->votes, c->vote_count) = (struct shk_vote){
        .finding = c->analysis->finding_count - 1,
        .at_floor = decision.at_floor,
        .above = decision.above,
        .as_claimed = decision.as_claimed,
        .decides = shk_can_deny(shk_decided_by(&finding->named), &c->family->inspection)};
  return decision;
}

/* Returns true if two findings are about the same claim. All momenta belong to one claim although
 * their names differ, because a projection may conserve only some of them. */
static bool are_of_one_claim(const struct shk_finding *a, const struct shk_finding *b)
{
  const enum shk_claim claim = shk_decided_by(&a->named);
  return claim == SHK_NO_CLAIM ? strcmp(a->quantity, b->quantity) == 0
                               : shk_decided_by(&b->named) == claim;
}

enum { CONVINCING = 3 }; /* a claimed order is falsified if it is exceeded on this many problems */

/* Returns the number of problems on which the order exceeds the one claimed in a finding, or 0 if
 * the order is as claimed on at least one problem. */
static int problems_above(const struct shk_reporter *c, const struct shk_finding *mine)
{
  const struct shk_finding *const all = c->analysis->findings;
  struct shk_index problems = {0};
  bool as_claimed = false;
  for (int i = 0; i < c->vote_count; i++) {
    const struct shk_finding *const other = &all[c->votes[i].finding];
    if (strcmp(mine->integrator, other->integrator) != 0 || !are_of_one_claim(mine, other))
      continue;
    as_claimed = as_claimed || c->votes[i].as_claimed;
    if (c->votes[i].above)
      shk_index_text(&problems, other->problem);
  }
  const int count = as_claimed ? 0 : problems.count;
  shk_index_clear(&problems);
  return count;
}

/* Falsifies claimed orders that are exceeded on enough problems. */
static void count_above(struct shk_reporter *c)
{
  for (int i = 0; i < c->vote_count; i++) {
    struct shk_finding *const mine = &c->analysis->findings[c->votes[i].finding];
    const int count = c->votes[i].above ? problems_above(c, mine) : 0;
    if (count < CONVINCING)
      continue;
    mine->verdict = SHK_VERDICT_FALSIFIED;
    free(mine->reason);
    mine->reason = shk_print_text("order %.3g ± %.2g, higher than claimed, as on %d problems",
                                  mine->value, mine->uncertainty, count);
  }
}

void shk_count_votes(struct shk_reporter *c)
{
  count_above(c);
  struct shk_finding *const all = c->analysis->findings;
  for (int i = 0; i < c->vote_count; i++) {
    struct shk_finding *mine = &all[c->votes[i].finding];
    bool every = true, several = false, decided = false;
    for (int j = 0; j < c->vote_count; j++) {
      const struct shk_finding *other = &all[c->votes[j].finding];
      if (strcmp(mine->integrator, other->integrator) != 0 || !are_of_one_claim(mine, other))
        continue;
      every = every && c->votes[j].at_floor;
      decided = decided || c->votes[j].decides;
      several = several || strcmp(mine->problem, other->problem) != 0;
    }
    if (every && several && decided) {
      mine->verdict = SHK_VERDICT_FALSIFIED;
      free(mine->reason);
      mine->reason = shk_copy_text(
          "claimed to be nonzero, but it is at round-off on every problem that could show it");
    }
  }
}
