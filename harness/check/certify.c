/* The rows of a certificate, made from the findings of its study. See certify.h. */
#include "harness/check/certify.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/specifications/claims.h"
#include "harness/analysis/families/family.h"
#include "measures/quantity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether the claim is made, and its value in `word`. */
static bool stated(char *word, size_t size, int claim, const struct shk_claims *all,
                   const struct shk_integrator_info *info)
{
  if (claim == SHK_CERTIFIED_FIBRE) {
    snprintf(word, size, "yes");
    return info->partner != NULL;
  }
  const int value = shk_claim_value(all, (enum shk_claim)claim);
  if (shk_claim_entries[claim].order)
    snprintf(word, size, "%d", value);
  else
    snprintf(word, size, "%s", value == SHK_YES ? "yes" : "no");
  return shk_is_claimed(all, (enum shk_claim)claim);
}

static bool is_about(const struct shk_finding *finding, int claim)
{
  return claim == SHK_CERTIFIED_FIBRE ? finding->named.id == SHK_QUANTITY_FIBRE
                                      : (int)shk_decided_by(&finding->named) == claim;
}

/* The kind of the cells of one step that decide the claim; NULL: whole runs decide it. */
static const char *kind_of(int claim)
{
  const enum shk_measure_id measure = claim == SHK_CERTIFIED_FIBRE
                                          ? SHK_MEASURE_FIBRE
                                          : shk_measure_deciding((enum shk_claim)claim);
  return shk_measures[measure].in == SHK_IN_STEPS ? shk_measures[measure].name : NULL;
}

struct shk_certificate_row *shk_certificate_add(struct shk_certificate *certificate,
                                                const char *integrator, int about,
                                                const char *stated)
{
  certificate->rows =
      shk_grow(certificate->rows, (size_t)certificate->count, sizeof *certificate->rows);
  struct shk_certificate_row *row = &certificate->rows[certificate->count++];
  *row = (struct shk_certificate_row){.integrator = integrator, .about = about, .value = NAN};
  row->claim = about ? shk_certified_words(about) : "claims";
  snprintf(row->stated, sizeof row->stated, "%s", stated);
  return row;
}

static struct shk_certificate_row *add_finding(struct shk_certificate *certificate,
                                               const struct shk_finding *finding, int about,
                                               const char *stated)
{
  struct shk_certificate_row *row =
      shk_certificate_add(certificate, finding->integrator, about, stated);
  row->problem = finding->problem;
  row->precision = finding->precision;
  row->value = finding->value;
  row->word = finding->word;
  row->expected = finding->expected;
  row->verdict = finding->verdict;
  row->reason = finding->reason;
  return row;
}

static bool is_about_cell(const struct shk_finding *finding, const struct shk_cell *cell,
                          const char *kind)
{
  return (cell->step || cell->tolerance) && strcmp(cell->kind, kind) == 0 &&
         strcmp(cell->integrator, finding->integrator) == 0 &&
         strcmp(cell->problem, finding->problem) == 0;
}

/* The least step (or tolerance) at which cells of that kind, of the finding's integrator and
 * problem, stopped in any precision. It is 0 unless two or more steps below it finished and none
 * above it. A loose tolerance above it may finish, because that run is shorter. */
static double largest_step(const struct shk_certification *c, const struct shk_finding *finding,
                           const char *kind)
{
  double failed = INFINITY;
  int count = 0;
  for (int i = 0; i < c->plan->count; i++) {
    const struct shk_cell *cell = &c->plan->cells[i].cell;
    if (!is_about_cell(finding, cell, kind))
      continue;
    if (!c->records[i])
      return 0;
    if (!shk_record_finished(c->records[i]))
      failed = fmin(failed, shk_cell_resolution(cell));
  }
  for (int i = 0; i < c->plan->count; i++) {
    const struct shk_cell *cell = &c->plan->cells[i].cell;
    if (!is_about_cell(finding, cell, kind) || !shk_record_finished(c->records[i]))
      continue;
    if (shk_cell_resolution(cell) < failed)
      count++;
    else if (cell->step)
      return 0;
  }
  return count >= 2 && isfinite(failed) ? failed : 0;
}

/* The method's own bound of stable steps on the finding's problem, if no run stopped below half of
 * it (frequencies change along a motion); else 0. */
static double stability_limit(const struct shk_certification *c, const struct shk_finding *finding)
{
  double limit = INFINITY;
  for (int i = 0; i < c->plan->count; i++) {
    const struct shk_cell *const cell = &c->plan->cells[i].cell;
    if (!is_about_cell(finding, cell, "run") || !cell->step || shk_record_finished(c->records[i]))
      continue;
    const double known =
        c->records[i] ? shk_outcome_scalar(&c->records[i]->outcome, "method-stability-limit") : NAN;
    if (!(cell->numbers.step > known / 2))
      return 0;
    limit = fmin(limit, known);
  }
  return isfinite(limit) ? limit : 0;
}

/* Makes a row undecided, for this reason, which it owns, and the finding's. */
static void excuse(struct shk_certificate_row *row, const struct shk_finding *finding, char *why)
{
  row->verdict = SHK_VERDICT_UNDECIDED;
  row->owned = shk_print_text("%s: %s", why, finding->reason ? finding->reason : finding->word);
  row->reason = row->owned;
  free(why);
}

/* Methods have largest steps: failures only at steps above a limit are undecided. */
static void excuse_steps(struct shk_certificate_row *row, const struct shk_finding *finding,
                         double step)
{
  if (step > 0)
    excuse(row, finding, shk_print_text("not at steps or tolerances of %.3g and above", step));
}

/* Adds refusals and failures of whole convergence runs, one row for each problem. */
static void add_status(struct shk_certificate *certificate, const struct shk_certification *c)
{
  const struct shk_analysis *const analysis = c->analysis;
  const int first = certificate->count;
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *finding = &analysis->findings[i];
    if (strcmp(finding->integrator, c->integrator) != 0 || !finding->word ||
        finding->named.id != SHK_QUANTITY_STATUS)
      continue;
    const bool refused = finding->verdict == SHK_VERDICT_REFUSED;
    const int about = refused ? SHK_CERTIFIED_APPLIES : SHK_CERTIFIED_FINISHES;
    bool listed = false;
    for (int j = first; j < certificate->count && !listed; j++)
      listed = strcmp(certificate->rows[j].problem, finding->problem) == 0 &&
               certificate->rows[j].about == about;
    if (listed)
      continue;
    struct shk_certificate_row *row =
        add_finding(certificate, finding, about, refused ? "no" : "yes");
    const double step = refused ? 0 : largest_step(c, finding, "run");
    const double limit = refused ? 0 : stability_limit(c, finding);
    /* Double has only the long runs, unless the integrator has no other precision. */
    const bool left = !refused && c->claims.keeps_constraint == SHK_NO &&
                      strcmp(finding->word, shk_code_name(SHK_TRY_SMALLER)) == 0;
    const bool unbounded = !refused && c->claims.energy_bounded != SHK_YES && c->in_quad &&
                           strcmp(finding->precision, "double") == 0;
    if (left)
      excuse(row, finding,
             shk_copy_text("off the constraint, which is claimed not to be kept, functions may be "
                           "undefined"));
    else if (unbounded)
      excuse(row, finding,
             shk_copy_text("the long run grew without bound, and no bounded energy is claimed"));
    else if (limit > 0)
      excuse(row, finding,
             shk_print_text("at steps that are too long for the method, which is stable up to %.3g",
                            limit));
    else
      excuse_steps(row, finding, step);
  }
}

/* True if this refusal is already reported as the integrator's on the problem. */
static bool is_listed(const struct shk_certificate *certificate, int first,
                      const struct shk_finding *finding)
{
  for (int i = first; i < certificate->count; i++)
    if (certificate->rows[i].about == SHK_CERTIFIED_APPLIES &&
        strcmp(certificate->rows[i].problem, finding->problem) == 0)
      return true;
  return false;
}

/* Adds the rows of one claim on all problems. Returns whether there are any. */
static bool add_claim(struct shk_certificate *certificate, const struct shk_certification *c,
                      int claim, const char *answer, int first)
{
  bool any = false;
  for (int i = 0; i < c->analysis->finding_count; i++) {
    const struct shk_finding *finding = &c->analysis->findings[i];
    if (strcmp(finding->integrator, c->integrator) != 0 || !is_about(finding, claim) ||
        finding->verdict == SHK_VERDICT_NONE)
      continue;
    any = true;
    /* If quad decides, an undecided value in double is omitted. */
    if (finding->verdict == SHK_VERDICT_UNDECIDED && c->in_quad && claim != SHK_CERTIFIED_FIBRE &&
        shk_claim_entries[claim].order && strcmp(finding->precision, "double") == 0)
      continue;
    if (finding->verdict == SHK_VERDICT_REFUSED && is_listed(certificate, first, finding))
      continue;
    struct shk_certificate_row *row = add_finding(certificate, finding, claim, answer);
    if (finding->verdict == SHK_VERDICT_FAILED && finding->word && kind_of(claim))
      excuse_steps(row, finding, largest_step(c, finding, kind_of(claim)));
  }
  return any;
}

/* Adds a last row if a claim is not demonstrated: a claim of "yes" must be upheld on some problem;
 * a claim of "no" only must not be falsified. */
static void demand(struct shk_certificate *certificate, const struct shk_certification *c,
                   int claim, const char *answer, int first, bool any)
{
  const bool order = claim != SHK_CERTIFIED_FIBRE && shk_claim_entries[claim].order;
  const char *why = any ? NULL : "no problem that could decide it was measured";
  int undecided = 0;
  for (int i = first; i < certificate->count; i++) {
    const struct shk_certificate_row *const row = &certificate->rows[i];
    if (row->verdict == SHK_VERDICT_HELD || row->verdict == SHK_VERDICT_FALSIFIED)
      return;
    undecided++;
    why = row->reason ? row->reason : why;
  }
  const bool by_tolerance = c->info->adaptive && order;
  /* These claims are assumed unless denied, and need not be demonstrated. */
  if ((strcmp(answer, "no") == 0 && any) || claim == SHK_CLAIM_PERMUTABLE ||
      claim == SHK_CLAIM_MODIFIED_HAMILTONIAN)
    return;
  char *reason =
      any ? shk_print_text("upheld on none of %d problems; the last: %s", undecided,
                           why ? why : "undecided")
          : shk_copy_text(by_tolerance ? "steps follow a tolerance: there is no order in the step"
                                       : why);
  struct shk_certificate_row *row = shk_certificate_add(certificate, c->integrator, claim, answer);
  row->verdict =
      by_tolerance || strcmp(answer, "no") == 0 ? SHK_VERDICT_UNDECIDED : SHK_VERDICT_NOT_SHOWN;
  row->reason = row->owned = reason;
}

/* Adds falsified findings of a property without a claim: every method must follow the motion. */
static void add_required(struct shk_certificate *certificate, const struct shk_certification *c,
                         int claim)
{
  for (int i = 0; i < c->analysis->finding_count; i++) {
    const struct shk_finding *const finding = &c->analysis->findings[i];
    if (finding->verdict == SHK_VERDICT_FALSIFIED && is_about(finding, claim) &&
        strcmp(finding->integrator, c->integrator) == 0)
      add_finding(certificate, finding, claim, "owed");
  }
}

/* Adds the measured range of a property without a claim. */
static void add_unclaimed(struct shk_certificate *certificate, const struct shk_certification *c,
                          int claim)
{
  int count = 0;
  double least = INFINITY, most = -INFINITY;
  for (int i = 0; i < c->analysis->finding_count; i++) {
    const struct shk_finding *finding = &c->analysis->findings[i];
    if (strcmp(finding->integrator, c->integrator) != 0 || !is_about(finding, claim) ||
        isnan(finding->value))
      continue;
    count++;
    least = fmin(least, finding->value);
    most = fmax(most, finding->value);
  }
  if (count == 0)
    return;
  struct shk_certificate_row *row = shk_certificate_add(certificate, c->integrator, claim, "-");
  row->owned = shk_print_text("measured on %d problem%s: %.3g to %.3g", count,
                              count == 1 ? "" : "s", least, most);
  row->reason = row->owned;
}

static void certify_one(struct shk_certificate *certificate, const struct shk_certification *c)
{
  const int first = certificate->count;
  bool claims = false;
  add_status(certificate, c);
  for (int claim = 1; claim < SHK_CERTIFIED_CLAIMS; claim++) {
    char answer[16];
    const int rows = certificate->count;
    if (stated(answer, sizeof answer, claim, &c->claims, c->info)) {
      claims = true;
      demand(certificate, c, claim, answer, rows, add_claim(certificate, c, claim, answer, first));
    } else if (claim != SHK_CERTIFIED_FIBRE) {
      add_required(certificate, c, claim);
      add_unclaimed(certificate, c, claim);
    }
  }
  shk_certify_checks(certificate, c);
  if (claims)
    return;
  struct shk_certificate_row *row = shk_certificate_add(certificate, c->integrator, 0, "-");
  row->verdict = SHK_VERDICT_NOT_SHOWN;
  row->reason = "the method claims nothing: there is nothing to certify";
}

/* Adds the contract checks, which are required of every method; refusals are reported elsewhere. */
static void add_owed(struct shk_certificate *certificate, const char *integrator,
                     const struct shk_analysis *analysis)
{
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *const finding = &analysis->findings[i];
    const char *const words = shk_contract_words(finding->named.id);
    if (words && strcmp(finding->integrator, integrator) == 0 &&
        finding->verdict != SHK_VERDICT_REFUSED)
      add_finding(certificate, finding, SHK_CERTIFIED_OWED, "owed")->claim = words;
  }
}

/* Runs that stopped do not make a certificate incomplete if two at least finished, all at smaller
 * steps: methods have largest steps. */
void shk_certify(struct shk_certificate *certificate, const char *const *integrators, int count,
                 const struct shk_analysis *analysis, const struct shk_plan *plan,
                 const struct shk_record *const *records, struct shk_records *states)
{
  *certificate = (struct shk_certificate){0};
  for (int i = 0; i < count; i++) {
    struct shk_message error;
    struct shk_certification c = {.integrator = integrators[i],
                                  .info = shk_find_integrator(plan->context, integrators[i]),
                                  .analysis = analysis,
                                  .plan = plan,
                                  .records = records,
                                  .states = states};
    if (c.info && shk_finest_claims(plan->context, &c.claims, &c.in_quad, integrators[i], &error))
      certify_one(certificate, &c);
    add_owed(certificate, integrators[i], analysis);
  }
}

static bool is_kept(const struct shk_certificate_row *row, const char *const *claims, int count)
{
  if (row->about == SHK_CERTIFIED_APPLIES || row->about == SHK_CERTIFIED_FINISHES ||
      row->about == 0)
    return true;
  for (int i = 0; i < count; i++)
    if (strcmp(row->claim, claims[i]) == 0)
      return true;
  return false;
}

void shk_certificate_keep(struct shk_certificate *certificate, const char *const *claims, int count)
{
  int kept = 0;
  for (int i = 0; i < certificate->count && count > 0; i++)
    if (is_kept(&certificate->rows[i], claims, count))
      certificate->rows[kept++] = certificate->rows[i];
    else
      free(certificate->rows[i].owned);
  if (count > 0)
    certificate->count = kept;
}

void shk_certificate_clear(struct shk_certificate *certificate)
{
  for (int i = 0; i < certificate->count; i++)
    free(certificate->rows[i].owned);
  free(certificate->rows);
  *certificate = (struct shk_certificate){0};
}

int shk_certificate_exit_code(const struct shk_certificate *certificate)
{
  bool failed = false;
  for (int i = 0; i < certificate->count; i++) {
    if (certificate->rows[i].verdict == SHK_VERDICT_FALSIFIED ||
        certificate->rows[i].verdict == SHK_VERDICT_NOT_SHOWN)
      return 1;
    failed = failed || certificate->rows[i].verdict == SHK_VERDICT_FAILED;
  }
  return failed ? 3 : 0;
}
