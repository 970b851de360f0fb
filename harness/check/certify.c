/* Creates the rows of a certificate from the findings of its study; see certify.h. */
#include "harness/check/certify.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "harness/analysis/families/verdict.h"
#include "harness/analysis/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A certificate under construction, with the data needed for the current integrator's rows. */
struct certification {
  struct shk_certificate *certificate;
  const struct shk_analysis *analysis;
  const struct shk_plan *plan;
  const struct shk_record *const *records;
  const char *integrator; /* the canonical specification */
  const struct shk_integrator_info *info;
  struct shk_claims claims;
  bool in_quad; /* true if the claims are those that the method makes in quad */
  int first;    /* the index of the integrator's first row */
  int count;
  const struct shk_finding **findings; /* the findings about the integrator */
};

/* Returns true if the method makes the claim, and writes the claimed value to `word`. */
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
  else if (shk_claim_level(all, (enum shk_claim)claim) > 0)
    snprintf(word, size, "%g", shk_claim_level(all, (enum shk_claim)claim));
  else
    snprintf(word, size, "%s", value == SHK_YES ? "yes" : "no");
  return shk_is_claimed(all, (enum shk_claim)claim);
}

static bool is_about(const struct shk_finding *finding, int claim)
{
  return claim == SHK_CERTIFIED_FIBRE ? finding->named.id == SHK_QUANTITY_FIBRE
                                      : (int)shk_decided_by(&finding->named) == claim;
}

/* Returns the type of the single-step cells that decide a claim, or NULL if the claim is decided by
 * runs. */
static const char *kind_of(int claim)
{
  const struct shk_measure_entry *const entry = &shk_measures[shk_certified_measure(claim)];
  return entry->in == SHK_IN_STEPS ? entry->name : NULL;
}

/* Adds a row with the claimed value and a finding. The returned pointer is valid until the next row
 * is added. */
static struct shk_certificate_row *add_finding(const struct certification *c,
                                               const struct shk_finding *finding, int about,
                                               const char *stated)
{
  struct shk_certificate_row *const row = SHK_APPEND(c->certificate->rows, c->certificate->count);
  *row = (struct shk_certificate_row){.integrator = c->integrator,
                                      .about = about,
                                      .claim = about ? shk_certified_words(about) : "claims",
                                      .of = finding,
                                      .verdict = finding->verdict,
                                      .reason = finding->reason};
  snprintf(row->stated, sizeof row->stated, "%s", stated);
  return row;
}

/* Adds a row that has no finding. */
static struct shk_certificate_row *add_certify(const struct certification *c, int about,
                                               const char *stated)
{
  static const struct shk_finding none = {.value = NAN};
  return add_finding(c, &none, about, stated);
}

/* For a finding's integrator and problem, describes the steps or tolerances at which cells of one
 * type finished. */
struct reach {
  /* the smallest step or tolerance at which a cell did not finish, or infinity if all finished */
  double failed;
  /* the number of finished cells whose steps are below `failed`, and the number of those whose
   * steps are not */
  int below, above;
  bool missing; /* true if a cell has no record */
  /* the smallest stability limit of the method if all cells that did not finish had steps above
   * half their limits; otherwise 0 */
  double stable;
};

/* Collects the steps at which a finding's cells finished. Frequencies change along a motion, so a
 * run can become unstable with a step as small as half the stability limit. */
static struct reach reach_of(const struct certification *c, const struct shk_finding *finding,
                             const char *kind)
{
  struct reach reached = {.failed = INFINITY, .stable = INFINITY};
  for (int finished = 0; finished < 2; finished++)
    for (int i = 0; i < c->plan->count; i++) {
      const struct shk_cell *const cell = &c->plan->cells[i].cell;
      const struct shk_record *const record = c->records[i];
      const double step = shk_cell_resolution(cell);
      if (!(cell->step || cell->tolerance) || strcmp(cell->kind, kind) != 0 ||
          strcmp(cell->integrator, finding->integrator) != 0 ||
          strcmp(cell->problem, finding->problem) != 0 ||
          shk_record_finished(record) != (finished > 0))
        continue;
      if (finished) {
        reached.below += step < reached.failed;
        reached.above += step >= reached.failed && cell->step;
        continue;
      }
      const double bound =
          record ? shk_outcome_scalar(&record->outcome, "method-stability-limit") : NAN;
      reached.missing = reached.missing || !record;
      reached.failed = fmin(reached.failed, step);
      if (cell->step)
        reached.stable = step > bound / 2 ? fmin(reached.stable, bound) : 0;
    }
  return reached;
}

/* Sets the verdict and the reason of a row. The row takes ownership of the reason. */
static void decide_certify(struct shk_certificate_row *row, enum shk_verdict verdict, char *reason)
{
  row->verdict = verdict;
  row->reason = row->owned = reason;
}

/* Changes the verdict of a row to undecided. The new reason consists of `why` and the reason of the
 * finding. */
static void excuse_certify(struct shk_certificate_row *row, const char *why)
{
  decide_certify(row, SHK_VERDICT_UNDECIDED,
                 shk_print_text("%s: %s", why, row->of->reason ? row->of->reason : row->of->word));
}

/* Changes failures to undecided if at least two step sizes finished and all of them are smaller
 * than those that failed, because every method has a largest usable step. Runs with tolerances
 * looser than the failed ones may finish as well, because such runs are shorter. */
static void excuse_steps(struct shk_certificate_row *row, const struct reach *reach)
{
  char why[80];
  snprintf(why, sizeof why, "not at steps or tolerances of %.3g and above", reach->failed);
  if (!reach->missing && reach->above == 0 && reach->below >= 2 && isfinite(reach->failed) &&
      reach->failed > 0)
    excuse_certify(row, why);
}

/* If a run did not finish but the method is not to blame, changes the verdict on the run to
 * undecided. */
static void excuse_run(struct shk_certificate_row *row, const struct certification *c)
{
  const struct shk_finding *const finding = row->of;
  const struct reach reach = reach_of(c, finding, "run");
  char why[96];
  snprintf(why, sizeof why, "at steps that are too long for the method, which is stable up to %.3g",
           reach.stable);
  if (c->claims.keeps_constraint == SHK_NO &&
      strcmp(finding->word, shk_code_name(SHK_TRY_SMALLER)) == 0)
    excuse_certify(row, "the method claims not to keep the constraint, and away from it functions "
                        "may be undefined");
  /* Unless double is the highest precision, the runs in double are the long ones. */
  else if (c->claims.energy_bounded != SHK_YES && c->in_quad &&
           strcmp(finding->precision, "double") == 0)
    excuse_certify(row,
                   "the long run grew without bound, and the method does not claim bounded energy");
  else if (reach.stable > 0 && isfinite(reach.stable))
    excuse_certify(row, why);
  else
    excuse_steps(row, &reach);
}

/* Returns true if the integrator already has a row with this subject and the finding's problem. */
static bool is_listed(const struct certification *c, int about, const struct shk_finding *finding)
{
  for (int i = c->first; i < c->certificate->count; i++)
    if (c->certificate->rows[i].about == about &&
        strcmp(c->certificate->rows[i].of->problem, finding->problem) == 0)
      return true;
  return false;
}

/* Adds rows for runs that were refused or failed, with at most one row of each kind per problem. */
static void add_status(const struct certification *c)
{
  for (int i = 0; i < c->count; i++) {
    const struct shk_finding *const finding = c->findings[i];
    const bool refused = finding->verdict == SHK_VERDICT_REFUSED;
    const int about = refused ? SHK_CERTIFIED_APPLIES : SHK_CERTIFIED_FINISHES;
    if (!finding->word || finding->named.id != SHK_QUANTITY_STATUS || is_listed(c, about, finding))
      continue;
    struct shk_certificate_row *const row = add_finding(c, finding, about, refused ? "no" : "yes");
    if (!refused)
      excuse_run(row, c);
  }
}

static bool is_order(int claim)
{
  return claim != SHK_CERTIFIED_FIBRE && shk_claim_entries[claim].order;
}

/* Adds the rows for one claim on all problems. Returns true if there are findings with verdicts
 * about the claim. */
static bool add_claim(const struct certification *c, int claim, const char *answer)
{
  static const char *const wrenches[] = {"order of wrench", "order of wrench-mean",
                                         "order of wrench-state"};
  bool any = false;
  for (int i = 0; i < 2 * c->count; i++) { /* findings about wrenches come last */
    const struct shk_finding *const finding = c->findings[i % c->count];
    const enum shk_block_id block = finding->named.block;
    const bool of_wrench = block >= SHK_BLOCK_WRENCH && block <= SHK_BLOCK_WRENCH_STATE;
    if (!is_about(finding, claim) || finding->verdict == SHK_VERDICT_NONE ||
        of_wrench != (i >= c->count))
      continue;
    any = true;
    /* Skip orders that are undecided in double but decided in quad, and refusals that already have
     * a row. */
    if ((finding->verdict == SHK_VERDICT_UNDECIDED && c->in_quad && is_order(claim) &&
         strcmp(finding->precision, "double") == 0) ||
        (finding->verdict == SHK_VERDICT_REFUSED && is_listed(c, SHK_CERTIFIED_APPLIES, finding)))
      continue;
    struct shk_certificate_row *const row = add_finding(c, finding, claim, answer);
    row->claim = of_wrench ? wrenches[block - SHK_BLOCK_WRENCH] : row->claim;
    if (finding->verdict == SHK_VERDICT_FAILED && finding->word && kind_of(claim)) {
      const struct reach reach = reach_of(c, finding, kind_of(claim));
      excuse_steps(row, &reach);
    }
  }
  return any;
}

/* Changes held rows to undecided if they are not enough to confirm a claim of "yes". */
static void affirm_certify(const struct certification *c, int claim, int first)
{
  int held;
  if (claim == SHK_CERTIFIED_FIBRE ||
      shk_is_affirmed(&held, c->plan->context, c->analysis, c->integrator, (enum shk_claim)claim))
    return;
  for (int i = first; i < c->certificate->count; i++)
    if (c->certificate->rows[i].verdict == SHK_VERDICT_HELD)
      decide_certify(
          &c->certificate->rows[i], SHK_VERDICT_UNDECIDED,
          shk_print_text(
              "held here, but a claim of yes needs %d problems with non-quadratic constraints, at "
              "least two degrees of freedom and unequal masses; it held on %d",
              SHK_AFFIRM, held));
}

/* Returns true if these numbers of rows are enough to demonstrate the claim. A method that
 * conserves a quantity to round-off does so on nearly all problems, so in that case undecided rows
 * must not outnumber held ones. */
static bool is_demonstrated(int claim, int held, int undecided)
{
  const bool kept = claim == SHK_CLAIM_KEEPS_CONSTRAINT || claim == SHK_CLAIM_KEEPS_HIDDEN ||
                    claim == SHK_CLAIM_KEEPS_MOMENTA;
  return held > 0 && (!kept || held >= undecided);
}

/* Adds a final row for a claim if its rows, which begin at `first`, do not demonstrate the claim.
 * If a claim of "no" was tested, no such row is needed, because the rows themselves explain why it
 * is undecided. */
static void demand_certify(const struct certification *c, int claim, const char *answer, int first,
                           bool any)
{
  const char *why = any ? "undecided" : "none of the measured problems could decide it";
  const int rows = c->certificate->count - first;
  const bool denied = strcmp(answer, "no") == 0;
  const bool by_tolerance = c->info->adaptive && is_order(claim);
  int held = 0, undecided = 0;
  for (int i = first; i < c->certificate->count; i++) {
    const struct shk_certificate_row *const row = &c->certificate->rows[i];
    if (row->verdict == SHK_VERDICT_FALSIFIED)
      return;
    held += row->verdict == SHK_VERDICT_HELD;
    undecided += row->verdict == SHK_VERDICT_UNDECIDED;
    why = row->reason ? row->reason : why;
  }
  if (held > 0 && !denied)
    affirm_certify(c, claim, first);
  if (denied ? any : is_demonstrated(claim, held, undecided))
    return;
  char number[16] = "none";
  if (held > 0)
    snprintf(number, sizeof number, "%d", held);
  char *const reason =
      any ? shk_print_text("upheld on %s of %d problems; the last: %s", number, rows, why)
          : shk_copy_text(by_tolerance ? "the steps are controlled by a tolerance, so there is no "
                                         "order in the step size"
                                       : why);
  decide_certify(add_certify(c, claim, answer),
                 by_tolerance || denied ? SHK_VERDICT_UNDECIDED : SHK_VERDICT_NOT_SHOWN, reason);
}

/* Adds the rows for a claim that the method makes. */
static void certify_claim(const struct certification *c, int claim, const char *answer)
{
  const int first = c->certificate->count;
  const bool any = add_claim(c, claim, answer);
  const bool assumed =
      claim != SHK_CERTIFIED_FIBRE && shk_claim_is_assumed(&c->claims, (enum shk_claim)claim);
  if (assumed)
    return;
  demand_certify(c, claim, answer, first, any);
  for (int i = first; i < c->certificate->count; i++)
    c->certificate->rows[i].counts = true;
}

/* Adds rows for a property about which the method makes no claim. Falsified findings are included
 * because they concern requirements that every method that follows the motion must meet. A final
 * row contains the measured range of the property. */
static void add_unclaimed(const struct certification *c, int claim)
{
  int count = 0;
  double least = INFINITY, most = -INFINITY;
  const char *hint = NULL;
  for (int i = 0; i < c->count; i++) {
    const struct shk_finding *const finding = c->findings[i];
    if (!is_about(finding, claim))
      continue;
    if (finding->verdict == SHK_VERDICT_FALSIFIED)
      add_finding(c, finding, claim, "required");
    if (finding->reason &&
        (strstr(finding->reason, SHK_OWN_DEFINITION) || strstr(finding->reason, SHK_NO_MULTIPLIER)))
      hint = finding->reason;
    count += !isnan(finding->value);
    least = fmin(least, finding->value);
    most = fmax(most, finding->value);
  }
  if (count > 0)
    decide_certify(add_certify(c, claim, "-"), SHK_VERDICT_NONE,
                   shk_print_text("measured on %d problem%s: %.3g to %.3g%s%s", count,
                                  count == 1 ? "" : "s", least, most, hint ? "; " : "",
                                  hint ? hint : ""));
}

/* Adds a row if the method refused more than half of the problems that have only features it
 * supports. */
static void add_reach(const struct certification *c)
{
  struct shk_index problems = {0};
  struct shk_inspection is;
  struct shk_message unused;
  int applies = 0, refuses = 0;
  for (int i = 0; i < c->count; i++) {
    const char *const problem = c->findings[i]->problem;
    const int known = problems.count;
    if (shk_index_text(&problems, problem) < known)
      continue;
    if (c->findings[i]->verdict != SHK_VERDICT_REFUSED)
      applies++;
    else if (shk_inspect(c->plan->context, &is, "double", problem, &unused))
      refuses += (is.features & ~c->info->supports) == 0;
  }
  shk_index_clear(&problems);
  if (refuses > applies)
    decide_certify(add_certify(c, SHK_CERTIFIED_APPLIES, "required"), SHK_VERDICT_UNDECIDED,
                   shk_print_text("refuses %d of %d problems whose features it supports: nothing "
                                  "can be certified on these",
                                  refuses, refuses + applies));
}

/* Falsifies the claims of a symmetric method with an odd order, because the order of a symmetric
 * map that is smooth in h is even (GNI, theorem II.3.2). */
static void add_parity(const struct certification *c)
{
  const int q = c->claims.order_q, p = c->claims.order_p, order = q < p ? q : p;
  if (c->claims.symmetric == SHK_YES && !c->info->adaptive && order > 0 && order % 2 != 0)
    decide_certify(add_certify(c, SHK_CLAIM_SYMMETRIC, "yes"), SHK_VERDICT_FALSIFIED,
                   shk_print_text("the claims of order %d and symmetry contradict each other: a "
                                  "symmetric map that is smooth in h has an even order. A method "
                                  "and its adjoint that are joined at h = 0 are not symmetric",
                                  order));
}

/* Adds the findings about requirements that apply to every method. Refusals are left out because
 * add_status adds them. */
static void add_owed(const struct certification *c)
{
  for (enum shk_quantity_id id = 0; id < SHK_QUANTITIES; id++) {
    const char *const words = shk_owed_words(id);
    for (int i = 0; words && i < c->count; i++)
      if (c->findings[i]->named.id == id && c->findings[i]->verdict != SHK_VERDICT_REFUSED)
        add_finding(c, c->findings[i], SHK_CERTIFIED_OWED, "required")->claim = words;
  }
}

/* Adds a row for a cause with the given description. */
static void add_cause(const struct certification *c, const struct shk_finding *finding,
                      const char *words)
{
  add_finding(c, finding, SHK_CERTIFIED_CAUSE, "-")->reason = words;
}

/* Adds the likely cause if any row is falsified. Also adds the cause of rounding errors in
 * velocities, taken from the first problem on which they were found. No claim covers these
 * errors. */
static void add_causes(const struct certification *c)
{
  bool fell = false, rounded = false;
  for (int i = c->first; i < c->certificate->count; i++)
    fell = fell || c->certificate->rows[i].verdict == SHK_VERDICT_FALSIFIED;
  for (int i = 0; i < c->count; i++) {
    const struct shk_finding *const f = c->findings[i];
    if (fell && f->named.id == SHK_QUANTITY_CAUSE)
      add_cause(c, f, f->word);
    if (!rounded && f->named.id == SHK_QUANTITY_VELOCITY_ROUNDING && f->reason) {
      add_cause(c, f, f->reason);
      rounded = true;
    }
  }
}

static void certify_one(const struct certification *c)
{
  bool claims = false;
  add_status(c);
  for (int claim = 1; claim < SHK_CERTIFIED_CLAIMS; claim++) {
    char answer[16];
    if (stated(answer, sizeof answer, claim, &c->claims, c->info)) {
      claims = true;
      certify_claim(c, claim, answer);
    } else if (claim != SHK_CERTIFIED_FIBRE) {
      add_unclaimed(c, claim);
    }
  }
  add_reach(c);
  add_parity(c);
  if (!claims)
    decide_certify(add_certify(c, 0, "-"), SHK_VERDICT_NOT_SHOWN,
                   shk_copy_text("the method claims nothing, so there is nothing to certify"));
}

void shk_certify(struct shk_certificate *certificate, const char *const *integrators, int count,
                 const struct shk_analysis *analysis, const struct shk_plan *plan,
                 const struct shk_record *const *records)
{
  const struct shk_finding **const findings =
      shk_allocate((size_t)analysis->finding_count + 1, sizeof *findings);
  *certificate = (struct shk_certificate){0};
  for (int i = 0; i < count; i++) {
    struct shk_message error;
    struct certification c = {.certificate = certificate,
                              .analysis = analysis,
                              .plan = plan,
                              .records = records,
                              .integrator = integrators[i],
                              .info = shk_find_integrator(plan->context, integrators[i]),
                              .first = certificate->count,
                              .findings = findings};
    for (int k = 0; k < analysis->finding_count; k++)
      if (strcmp(analysis->findings[k].integrator, integrators[i]) == 0)
        findings[c.count++] = &analysis->findings[k];
    if (c.info && shk_finest_claims(plan->context, &c.claims, &c.in_quad, integrators[i], &error))
      certify_one(&c);
    add_owed(&c);
    add_causes(&c);
  }
  free(findings);
}

void shk_certificate_keep(struct shk_certificate *certificate, const char *const *claims, int count)
{
  int kept = 0;
  for (int i = 0; i < certificate->count; i++) {
    const struct shk_certificate_row row = certificate->rows[i];
    bool keeps = count == 0 || row.about == SHK_CERTIFIED_APPLIES ||
                 row.about == SHK_CERTIFIED_FINISHES || row.about == SHK_CERTIFIED_CAUSE;
    for (int k = 0; k < count && !keeps; k++)
      keeps = row.about == 0 ? shk_certified_named(claims[k]) >= 0
                             : row.about == shk_certified_named(claims[k]) ||
                                   strcmp(row.claim, claims[k]) == 0;
    if (keeps)
      certificate->rows[kept++] = row;
    else
      free(row.owned);
  }
  certificate->count = kept;
}

void shk_certificate_clear(struct shk_certificate *certificate)
{
  for (int i = 0; i < certificate->count; i++)
    free(certificate->rows[i].owned);
  free(certificate->rows);
  *certificate = (struct shk_certificate){0};
}
