/* Properties of a method, in words and as claims. See try_facts.h. */
#include "cli/commands/try_facts.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "harness/analysis/families/verdict.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const ids[SHK_CLAIMS] = {
    "",
#define CLAIM(id, ...) #id,
#include <shakedown/claims.def>
#undef CLAIM
};

/* ---- findings as if everything were claimed ---- */

static bool suppose(const struct shk_context *context, struct shk_claims *claims,
                    const char *precision, const char *integrator, struct shk_message *error)
{
  const bool ok = shk_claims_of(context, claims, precision, integrator, error);
  for (int i = 1; ok && i < SHK_CLAIMS; i++)
    if (!shk_claim_entries[i].order)
      shk_claim_set(claims, (enum shk_claim)i, SHK_YES);
  return ok;
}

/* An order that is measured is a whole number within the band of claims; the lowest of all problems
 * counts. */
static void take_order(struct shk_facts *facts, enum shk_claim claim,
                       const struct shk_finding *finding)
{
  const double order = round(finding->value), band = shk_order_band(finding->precision);
  int *const value = &facts->values[claim];
  if (fabs(finding->value - order) <= band && finding->uncertainty < band && order >= 0 &&
      (*value == SHK_NO_ORDER || order < *value))
    *value = (int)order;
}

static void take(struct shk_facts *facts, const struct shk_finding *finding)
{
  const enum shk_claim claim = shk_decided_by(&finding->named);
  int *const value = &facts->values[claim];
  if (claim == SHK_NO_CLAIM)
    return;
  if (shk_claim_entries[claim].order)
    take_order(facts, claim, finding);
  else if (finding->verdict == SHK_VERDICT_FALSIFIED)
    *value = SHK_NO;
  else if (finding->verdict == SHK_VERDICT_HELD && *value == SHK_UNKNOWN)
    *value = SHK_YES;
}

/* ---- words ---- */

/* "2.00(1)": the half-width in units of the last digit. */
static char *order_text(const struct shk_finding *finding)
{
  const double width = isnan(finding->uncertainty) ? 0 : finding->uncertainty;
  return width >= 0.1 ? shk_print_text("%.1f(%.0f)", finding->value, ceil(10 * width))
                      : shk_print_text("%.2f(%.0f)", finding->value, fmax(1, ceil(100 * width)));
}

static void add(char **line, const char *before, const char *text, const char *after)
{
  shk_append_text(line, "%s%s%s%s", *line ? ", " : "", before, text, after);
}

/* The finding of the lowest value, or for quantities that vanish of the largest. */
static const struct shk_finding *worst(const struct shk_analysis *analysis, const char *integrator,
                                       enum shk_quantity_id id, enum shk_block_id block)
{
  const bool order = id == SHK_QUANTITY_ORDER;
  const struct shk_finding *found = NULL;
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *const f = &analysis->findings[i];
    if (f->named.id == id && (!order || f->named.block == block) && !isnan(f->value) &&
        strcmp(f->integrator, integrator) == 0 &&
        (!found || (order ? f->value < found->value : fabs(f->value) > fabs(found->value))))
      found = f;
  }
  return found;
}

/* "Gv = 0.02 h" where it falls with the step of a problem's runs, else "Gv up to 0.02". */
static char *size_text(const struct shk_finding *finding, const struct shk_study_job *job,
                       enum shk_quantity_id id)
{
  const char *const name = id == SHK_QUANTITY_CONSTRAINT_MAX ? "|g|" : "Gv";
  double steps[2] = {INFINITY, INFINITY}, sizes[2] = {NAN, NAN}; /* the finest first */
  if (finding->verdict == SHK_VERDICT_HELD)
    return shk_print_text("%s at round-off", name);
  for (int i = 0; i < job->plan->count; i++) {
    const struct shk_cell *const cell = &job->plan->cells[i].cell;
    if (!cell->step || !shk_record_finished(job->all[i]) || strcmp(cell->kind, "run") != 0 ||
        strcmp(cell->integrator, finding->integrator) != 0 ||
        strcmp(cell->problem, finding->problem) != 0 ||
        strcmp(cell->precision, finding->precision) != 0)
      continue;
    const int at = cell->numbers.step < steps[0] ? 0 : cell->numbers.step < steps[1] ? 1 : 2;
    if (at == 0) {
      steps[1] = steps[0];
      sizes[1] = sizes[0];
    }
    if (at < 2) {
      steps[at] = cell->numbers.step;
      sizes[at] = shk_recorded(&job->all[i]->outcome, id, NULL);
    }
  }
  const double power = log(sizes[1] / sizes[0]) / log(steps[1] / steps[0]), whole = round(power);
  char power_text[16] = "";
  if (whole > 1)
    snprintf(power_text, sizeof power_text, "^%.0f", whole);
  return whole >= 1 && fabs(power - whole) < 0.2
             ? shk_print_text("%s = %.2g h%s", name, sizes[0] / pow(steps[0], whole), power_text)
             : shk_print_text("%s up to %.1e", name, finding->value);
}

static void describe_numbers(struct shk_facts *facts, const char *integrator,
                             const struct shk_analysis *analysis, const struct shk_study_job *job)
{
  static const enum shk_quantity_id sizes[] = {SHK_QUANTITY_CONSTRAINT_MAX,
                                               SHK_QUANTITY_HIDDEN_MAX};
  char **const line = &facts->lines[0];
  for (enum shk_block_id block = SHK_BLOCK_Q; block <= SHK_BLOCK_P; block++) {
    const struct shk_finding *const f = worst(analysis, integrator, SHK_QUANTITY_ORDER, block);
    char *const order = f ? order_text(f) : NULL;
    char *const where = shk_print_text(" in %s", shk_blocks[block].name);
    if (f)
      add(line, *line ? "" : "order ", order, where);
    free(where);
    free(order);
  }
  for (int i = 0; i < 2; i++) {
    const struct shk_finding *const f = worst(analysis, integrator, sizes[i], SHK_BLOCKS);
    char *const text = f ? size_text(f, job, sizes[i]) : NULL;
    if (f)
      add(line, "", text, "");
    free(text);
  }
}

static void describe_structure(struct shk_facts *facts, const char *integrator,
                               const struct shk_analysis *analysis)
{
  static const enum shk_claim shown[] = {SHK_CLAIM_SYMPLECTIC, SHK_CLAIM_PRESYMPLECTIC,
                                         SHK_CLAIM_SYMMETRIC, SHK_CLAIM_REVERSIBLE};
  const struct shk_finding *const slope =
      worst(analysis, integrator, SHK_QUANTITY_ENERGY_SLOPE, SHK_BLOCKS);
  const int momenta = facts->values[SHK_CLAIM_KEEPS_MOMENTA],
            energy = facts->values[SHK_CLAIM_ENERGY_BOUNDED];
  char **const line = &facts->lines[1];
  char text[80];
  for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
    if (facts->values[shown[i]] != SHK_UNKNOWN)
      add(line, facts->values[shown[i]] == SHK_YES ? "" : "not ", shk_claim_entries[shown[i]].words,
          "");
  if (momenta != SHK_UNKNOWN)
    add(line, "momenta ", momenta == SHK_YES ? "kept" : "not kept", "");
  if (energy == SHK_YES)
    add(line, "energy ", "bounded", "");
  if (energy == SHK_NO && slope) {
    snprintf(text, sizeof text, "%.1e(%.0e)", slope->value, slope->uncertainty);
    add(line, "energy drifts ", text, " per unit of time");
  }
}

void shk_facts_find(struct shk_facts *facts, const char *integrator,
                    const struct shk_study_job *job)
{
  struct shk_analysis *const analysis = shk_analyse(job->study, job->plan, job->records,
                                                    &(struct shk_analysis_source){suppose, NULL});
  struct shk_message unused;
  bool in_quad, single = false;
  *facts = (struct shk_facts){.claims_nothing = true};
  for (int i = 1; i < SHK_CLAIMS; i++)
    facts->values[i] = shk_claim_entries[i].order ? SHK_NO_ORDER : SHK_UNKNOWN;
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *const f = &analysis->findings[i];
    if (strcmp(f->integrator, integrator) != 0)
      continue;
    take(facts, f);
    single = single || (f->named.id == SHK_QUANTITY_CAUSE && strstr(f->word, "single precision"));
  }
  if (single) /* rounding to single hides a form that is not kept */
    facts->values[SHK_CLAIM_SYMPLECTIC] = facts->values[SHK_CLAIM_PRESYMPLECTIC] =
        facts->values[SHK_CLAIM_SYMPLECTIC_OFF_CONSTRAINTS] = SHK_UNKNOWN;
  shk_finest_claims(job->plan->context, &facts->claimed, &in_quad, integrator, &unused);
  for (int i = 1; i < SHK_CLAIMS; i++)
    facts->claims_nothing =
        facts->claims_nothing && !shk_is_claimed(&facts->claimed, (enum shk_claim)i);
  describe_numbers(facts, integrator, analysis, job);
  describe_structure(facts, integrator, analysis);
  shk_analysis_free(analysis);
}

void shk_facts_clear(struct shk_facts *facts)
{
  free(facts->lines[0]);
  free(facts->lines[1]);
}

/* ---- proposals ---- */

bool shk_facts_propose(const struct shk_facts *facts, enum shk_claim claim)
{
  const int value = facts->values[claim];
  return !shk_is_claimed(&facts->claimed, claim) &&
         (shk_claim_entries[claim].order ? value >= 1 : value == SHK_YES);
}

/* Writes a claim: "SHK_CLAIM(ORDER_Q, 2)", "order_q = 2", "order-q=2". */
static void add_claim(char **text, enum shk_claim claim, int value, enum shk_language language)
{
  const bool order = shk_claim_entries[claim].order;
  char *const number = shk_print_text("%d", value), *const field = shk_copy_text(
                                                        shk_claim_entries[claim].field);
  for (char *at = field; language == SHK_LANGUAGE_LINES && *at != '\0'; at++)
    *at = *at == '_' ? '-' : *at;
  if (language == SHK_LANGUAGE_C)
    shk_append_text(text, "    SHK_CLAIM(%s, %s),\n", ids[claim], order ? number : "SHK_YES");
  else if (language == SHK_LANGUAGE_PYTHON)
    shk_append_text(text, "    %s = %s\n", field, order ? number : "True");
  else
    shk_append_text(text, " %s=%s", field, order ? number : "yes");
  free(field);
  free(number);
}

char *shk_facts_text(const struct shk_facts *facts, enum shk_language language)
{
  char *text = NULL;
  for (int i = 1; i < SHK_CLAIMS; i++)
    if (shk_facts_propose(facts, (enum shk_claim)i))
      add_claim(&text, (enum shk_claim)i, facts->values[i], language);
  if (!text || language != SHK_LANGUAGE_C)
    return text;
  char *const whole =
      shk_print_text("static const struct shk_stated claims[] = {\n%s    {0}};\n", text);
  free(text);
  return whole;
}
