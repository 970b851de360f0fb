/* From the findings of a certificate's study to the rows of a certificate. See certify.h. */
#include "harness/check/certify.h"

#include "engine/engine.h"
#include "foundation/memory.h"
#include "harness/analysis/family.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is claimed, and the quantity of a finding that decides it. */
static const struct claim {
  const char *name;
  const char *quantity;
  size_t offset; /* into struct shk_claims */
  bool order;
} claims[] = {
#define ORDER(block, member)                                                                       \
  {                                                                                                \
    "order of " block, "order of " block, offsetof(struct shk_claims, member), true                \
  }
#define ANSWER(name, quantity, member)                                                             \
  {                                                                                                \
    name, quantity, offsetof(struct shk_claims, member), false                                     \
  }
    ORDER("q", order_q),
    ORDER("p", order_p),
    ORDER("lambda", order_lambda),
    ORDER("mu", order_mu),
    ORDER("lambda-mean", order_lambda_mean),
    ORDER("lambda-sum", order_lambda_sum),
    ORDER("lambda-state", order_lambda_state),
    ANSWER("symplectic", "symplecticity", symplectic),
    ANSWER("presymplectic", "presymplecticity", presymplectic),
    ANSWER("symmetric", "symmetry", symmetric),
    ANSWER("reversible", "reversibility", reversible),
    ANSWER("keeps constraint", "constraint max", keeps_constraint),
    ANSWER("keeps hidden constraint", "hidden max", keeps_hidden),
    ANSWER("keeps momenta", "invariant", keeps_momenta),
    ANSWER("energy bounded", "energy class", energy_bounded),
    {"fibre identity", "fibre", 0, false}, /* claimed by naming a partner */
#undef ORDER
#undef ANSWER
};
enum { CLAIMS = sizeof claims / sizeof claims[0] };

/* Whether the claim is made, then in words. */
static bool stated(char *word, size_t size, const struct claim *claim, const struct shk_claims *all,
                   const struct shk_integrator_info *info)
{
  const char *const at = (const char *)all + claim->offset;
  if (claim->order) {
    snprintf(word, size, "%d", *(const int *)at);
    return *(const int *)at != SHK_NO_ORDER;
  }
  const bool fibre = claim == &claims[CLAIMS - 1];
  const enum shk_answer answer =
      fibre ? (info && info->partner ? SHK_YES : SHK_UNKNOWN) : *(const enum shk_answer *)at;
  snprintf(word, size, "%s", answer == SHK_YES ? "yes" : "no");
  return answer != SHK_UNKNOWN;
}

/* A finding's quantity may be followed by what tells groups of cells apart. */
static bool is_about(const struct shk_finding *finding, const struct claim *claim)
{
  const size_t length = strlen(claim->quantity);
  if (strncmp(finding->quantity, claim->quantity, length) != 0)
    return false;
  const char *const rest = finding->quantity + length;
  if (strcmp(claim->quantity, "invariant") == 0)
    return rest[0] == ' ' && strstr(rest, "momentum") != NULL;
  return rest[0] == '\0' || strncmp(rest, " (", 2) == 0;
}

static struct shk_certificate_row *add(struct shk_certificate *certificate)
{
  certificate->rows =
      shk_grow(certificate->rows, (size_t)certificate->count, sizeof *certificate->rows);
  struct shk_certificate_row *row = &certificate->rows[certificate->count++];
  *row = (struct shk_certificate_row){.value = NAN};
  return row;
}

static struct shk_certificate_row *add_finding(struct shk_certificate *certificate,
                                               const struct shk_finding *finding, const char *claim,
                                               const char *answer)
{
  struct shk_certificate_row *row = add(certificate);
  *row = (struct shk_certificate_row){.integrator = finding->integrator,
                                      .claim = claim,
                                      .problem = finding->problem,
                                      .precision = finding->precision,
                                      .value = finding->value,
                                      .word = finding->word,
                                      .expected = finding->expected,
                                      .verdict = finding->verdict,
                                      .reason = finding->reason};
  snprintf(row->stated, sizeof row->stated, "%s", answer);
  return row;
}

struct context {
  const struct shk_analysis *analysis;
  const struct shk_plan *plan;
  const struct shk_record *const *records;
};

static bool is_about_cell(const struct shk_finding *finding, const struct shk_cell *cell,
                          const char *kind)
{
  return (cell->step || cell->tolerance) && strcmp(cell->kind, kind) == 0 &&
         strcmp(cell->integrator, finding->integrator) == 0 &&
         strcmp(cell->problem, finding->problem) == 0;
}

static double length_of(const struct shk_cell *cell)
{
  return strtod(cell->step ? cell->step : cell->tolerance, NULL);
}

/* The least step (or tolerance) at which cells of that kind, of the finding's integrator and
 * problem, stopped, in whatever precision, if two or more below it did not and no step above it
 * finished; else 0. A loose tolerance may suffice for a shorter run. */
static double largest_step(const struct context *c, const struct shk_finding *finding,
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
      failed = fmin(failed, length_of(cell));
  }
  for (int i = 0; i < c->plan->count; i++) {
    const struct shk_cell *cell = &c->plan->cells[i].cell;
    if (!is_about_cell(finding, cell, kind) || !shk_record_finished(c->records[i]))
      continue;
    if (length_of(cell) < failed)
      count++;
    else if (cell->step)
      return 0;
  }
  return count >= 2 && isfinite(failed) ? failed : 0;
}

/* Methods have largest steps: what stopped at steps above one only is undecided. */
static void excuse(struct shk_certificate_row *row, const struct shk_finding *finding, double step)
{
  row->verdict = SHK_VERDICT_UNDECIDED;
  row->owned = shk_print_text("not at steps or tolerances of %.3g and above: %s", step,
                              finding->reason ? finding->reason : finding->word);
  row->reason = row->owned;
}

/* Refusals and failures of whole courses, one row for each problem. */
static void add_status(struct shk_certificate *certificate, const char *integrator,
                       const struct shk_integrator_info *info, const struct shk_claims *all,
                       const struct context *c)
{
  const struct shk_analysis *const analysis = c->analysis;
  const int first = certificate->count;
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *finding = &analysis->findings[i];
    if (strcmp(finding->integrator, integrator) != 0 || !finding->word ||
        strncmp(finding->quantity, "status", 6) != 0)
      continue;
    const bool refused = finding->verdict == SHK_VERDICT_REFUSED;
    const char *const claim = refused ? "applies" : "finishes";
    bool said = false;
    for (int j = first; j < certificate->count && !said; j++)
      said = strcmp(certificate->rows[j].problem, finding->problem) == 0 &&
             strcmp(certificate->rows[j].claim, claim) == 0;
    if (said)
      continue;
    struct shk_certificate_row *row =
        add_finding(certificate, finding, claim, refused ? "no" : "yes");
    const double step = refused ? 0 : largest_step(c, finding, "run");
    /* In double there are only the long runs, unless the integrator has no other precision. */
    const bool unbounded = !refused && all->energy_bounded == SHK_NO && !info->double_only &&
                           strcmp(finding->precision, "double") == 0;
    if (unbounded) {
      row->verdict = SHK_VERDICT_UNDECIDED;
      row->owned = shk_print_text("the long run, whose energy is claimed not to be bounded: %s",
                                  finding->reason ? finding->reason : finding->word);
      row->reason = row->owned;
    } else if (step > 0) {
      excuse(row, finding, step);
    }
  }
}

/* Whether this refusal has been told as one of the integrator on the problem. */
static bool told(const struct shk_certificate *certificate, int first,
                 const struct shk_finding *finding)
{
  for (int i = first; i < certificate->count; i++)
    if (strcmp(certificate->rows[i].claim, "applies") == 0 &&
        strcmp(certificate->rows[i].problem, finding->problem) == 0)
      return true;
  return false;
}

static void certify_one(struct shk_certificate *certificate, const char *integrator,
                        const struct context *c)
{
  const struct shk_analysis *const analysis = c->analysis;
  const struct shk_integrator_info *const info = shk_find_integrator(integrator);
  struct shk_claims all;
  struct shk_message error;
  if (!info || !shk_claims_of(&all, info->double_only ? "double" : "quad", integrator, &error))
    return;
  const int first = certificate->count;
  add_status(certificate, integrator, info, &all, c);
  for (int k = 0; k < CLAIMS; k++) {
    char answer[16];
    if (!stated(answer, sizeof answer, &claims[k], &all, info))
      continue;
    bool any = false;
    for (int i = 0; i < analysis->finding_count; i++) {
      const struct shk_finding *finding = &analysis->findings[i];
      if (strcmp(finding->integrator, integrator) != 0 || !is_about(finding, &claims[k]) ||
          finding->verdict == SHK_VERDICT_NONE)
        continue;
      any = true;
      if (finding->verdict == SHK_VERDICT_REFUSED && told(certificate, first, finding))
        continue;
      struct shk_certificate_row *row = add_finding(certificate, finding, claims[k].name, answer);
      const double step = finding->verdict == SHK_VERDICT_FAILED && finding->word
                              ? largest_step(c, finding, claims[k].quantity)
                              : 0;
      if (step > 0)
        excuse(row, finding, step);
    }
    if (!any) {
      struct shk_certificate_row *row = add(certificate);
      row->integrator = integrator;
      row->claim = claims[k].name;
      snprintf(row->stated, sizeof row->stated, "%s", answer);
      row->verdict = SHK_VERDICT_UNDECIDED;
      row->reason = info->adaptive && claims[k].order
                        ? "driven by a tolerance: there is no step to have an order in"
                        : "no problem that could decide it was measured";
    }
  }
}

void shk_certify(struct shk_certificate *certificate, const char *const *integrators, int count,
                 const struct shk_analysis *analysis, const struct shk_plan *plan,
                 const struct shk_record *const *records)
{
  const struct context c = {analysis, plan, records};
  *certificate = (struct shk_certificate){0};
  for (int i = 0; i < count; i++)
    certify_one(certificate, integrators[i], &c);
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
    if (certificate->rows[i].verdict == SHK_VERDICT_FALSIFIED)
      return 1;
    failed = failed || certificate->rows[i].verdict == SHK_VERDICT_FAILED;
  }
  return failed ? 3 : 0;
}
