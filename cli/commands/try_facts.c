/* Describes the properties of a method in words and as claims. See try_facts.h. */
#include "cli/commands/try_facts.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "harness/analysis/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const ids[SHK_CLAIMS] = {
    "",
#define CLAIM(id, ...) #id,
#include <shakedown/claims.def>
#undef CLAIM
};

/* ---- findings on the assumption that everything is claimed ---- */

static bool suppose_claims(const struct shk_context *context, struct shk_claims *claims,
                           const char *precision, const char *integrator, struct shk_message *error)
{
  const bool ok = shk_claims_of(context, claims, precision, integrator, error);
  for (int i = 1; ok && i < SHK_CLAIMS; i++)
    if (!shk_claim_entries[i].order)
      shk_claim_set(claims, (enum shk_claim)i, SHK_YES);
  return ok;
}

/* Uses a measured order if it is an integer to within the band for claims. The problem with the
 * lowest order determines the result. */
static void take_order(struct shk_facts *facts, enum shk_claim claim,
                       const struct shk_finding *finding)
{
  const double order = round(finding->value), band = shk_order_band(finding->precision);
  int *const value = &facts->values[claim];
  if (fabs(finding->value - order) <= band && finding->uncertainty < band && order >= 0 &&
      (*value == SHK_NO_ORDER || order < *value))
    *value = (int)order;
}

static void take_try_facts(struct shk_facts *facts, const struct shk_finding *finding)
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

/* Returns the separator to insert before the next part of a line. `line` is NULL if the line is
 * empty. */
static const char *separator_of_line(const char *line)
{
  return line ? ", " : "";
}

/* Returns true if only the order of a is decided, or if both or neither are decided and the order
 * of a is lower. */
static bool is_lower(const struct shk_finding *a, const struct shk_finding *b)
{
  const bool open = a->verdict == SHK_VERDICT_UNDECIDED,
             other = b->verdict == SHK_VERDICT_UNDECIDED;
  return open == other ? a->value < b->value : other;
}

/* Returns the integrator's finding with the lowest decided order. For other quantities, returns the
 * first falsified finding or, if there is none, the first finding, because values in different
 * units cannot be compared. Returns NULL if there is no finding. */
static const struct shk_finding *worst_finding(const struct shk_analysis *analysis,
                                               const char *integrator, enum shk_quantity_id id,
                                               enum shk_block_id block)
{
  const bool order = id == SHK_QUANTITY_ORDER;
  const struct shk_finding *found = NULL;
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *const f = &analysis->findings[i];
    if (f->named.id == id && (!order || f->named.block == block) && !isnan(f->value) &&
        strcmp(f->integrator, integrator) == 0 &&
        (!found ||
         (order ? is_lower(f, found)
                : found->verdict != SHK_VERDICT_FALSIFIED && f->verdict == SHK_VERDICT_FALSIFIED)))
      found = f;
  }
  return found;
}

/* Adds an order, such as "2.00(1) in q", where the number in parentheses is the half-width in units
 * of the last digit. */
static void add_order(char **line, const struct shk_finding *f)
{
  const double width = isnan(f->uncertainty) ? 0 : f->uncertainty;
  const int digits = width >= 0.1 ? 1 : 2;
  shk_append_text(line, "%s%.*f(%.0f) in %s", *line ? ", " : "order ", digits, f->value,
                  fmax(1, ceil(pow(10, digits) * width)), shk_blocks[f->named.block].name);
}

/* Adds "Gv at round-off" if that is the verdict, "Gv = 0.02 h" if the violation decreases as a
 * power of the step in the problem's two finest runs, or "Gv up to 0.02" otherwise. */
static void add_size(char **line, const struct shk_finding *f, const struct shk_study_job *job)
{
  const enum shk_quantity_id id = f->named.id;
  double steps[2] = {NAN, NAN}, sizes[2] = {NAN, NAN}; /* the finest first */
  shk_append_text(line, "%s%s", separator_of_line(*line),
                  id == SHK_QUANTITY_CONSTRAINT_MAX ? "|g|" : "Gv");
  /* the cells are sorted from the largest step to the smallest */
  for (int i = 0; i < job->plan->count; i++) {
    const struct shk_cell *const cell = &job->plan->cells[i].cell;
    if (cell->step && shk_record_finished(job->all[i]) && strcmp(cell->kind, "run") == 0 &&
        strcmp(cell->integrator, f->integrator) == 0 && strcmp(cell->problem, f->problem) == 0 &&
        strcmp(cell->precision, f->precision) == 0) {
      steps[1] = steps[0];
      sizes[1] = sizes[0];
      steps[0] = cell->numbers.step;
      sizes[0] = shk_recorded(&job->all[i]->outcome, id, NULL);
    }
  }
  const double power = log(sizes[1] / sizes[0]) / log(steps[1] / steps[0]), whole = round(power);
  if (f->verdict == SHK_VERDICT_HELD)
    shk_append_text(line, " at round-off");
  else if (whole >= 1 && fabs(power - whole) < 0.2)
    shk_append_text(line, whole > 1 ? " = %.2g h^%.0f" : " = %.2g h",
                    sizes[0] / pow(steps[0], whole), whole);
  else
    shk_append_text(line, " up to %.1e", f->value);
}

/* Describes the multipliers if they differ from those of the reference. The problem with the lowest
 * order provides the description, because it shows the difference most clearly. */
static void add_definition(char **line, const char *integrator, const struct shk_analysis *analysis)
{
  const struct shk_finding *clearest = NULL;
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *const f = &analysis->findings[i];
    if (f->named.id == SHK_QUANTITY_ORDER && f->named.block == SHK_BLOCK_LAMBDA && f->reason &&
        strcmp(f->integrator, integrator) == 0 &&
        (strstr(f->reason, SHK_OWN_DEFINITION) || strstr(f->reason, SHK_NO_MULTIPLIER)) &&
        (!clearest || f->value < clearest->value))
      clearest = f;
  }
  if (clearest)
    shk_append_text(line, "%slambda: %s", separator_of_line(*line), clearest->reason);
}

static void describe_numbers(char **line, const char *integrator,
                             const struct shk_analysis *analysis, const struct shk_study_job *job)
{
  static const struct {
    enum shk_quantity_id id;
    enum shk_block_id block;
  } shown[] = {{SHK_QUANTITY_ORDER, SHK_BLOCK_Q},
               {SHK_QUANTITY_ORDER, SHK_BLOCK_P},
               {SHK_QUANTITY_CONSTRAINT_MAX, SHK_BLOCKS},
               {SHK_QUANTITY_HIDDEN_MAX, SHK_BLOCKS}};
  for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
    const struct shk_finding *const f =
        worst_finding(analysis, integrator, shown[i].id, shown[i].block);
    if (f && shown[i].id == SHK_QUANTITY_ORDER)
      add_order(line, f);
    else if (f)
      add_size(line, f, job);
  }
  add_definition(line, integrator, analysis);
}

/* Adds the condition under which the energy was found to be unbounded. This applies to methods that
 * add their own stiff terms to H and report the frequency of these terms. The condition states the
 * step size in the energy runs as the phase, in radians, by which an oscillation at this frequency
 * advances in one step. */
static void add_condition(char **line, const char *integrator, const struct shk_study_job *job)
{
  double least = INFINITY, frequency = NAN;
  for (int i = 0; i < job->plan->count; i++) {
    const struct shk_planned *const planned = &job->plan->cells[i];
    if (planned->run < 0 || !job->all[i] || !planned->cell.step ||
        strcmp(planned->cell.integrator, integrator) != 0 ||
        !(planned->measures & 1ul << SHK_MEASURE_ENERGY))
      continue;
    const double own_frequency =
        shk_outcome_scalar(&job->all[i]->outcome, "method-stiff-frequency");
    if (own_frequency * planned->cell.numbers.step < least) {
      least = own_frequency * planned->cell.numbers.step;
      frequency = own_frequency;
    }
  }
  if (frequency > 0)
    shk_append_text(line,
                    " at hω ≥ %.2g (ω = %.3g is the method's stiffest frequency; this says nothing "
                    "about hω ≤ 1, or about H with the method's own terms, such as V + ½k|g|²)",
                    least, frequency);
}

/* Returns true if energy is dissipated in these runs, so that a slope does not describe it. */
static bool dissipates(const struct shk_analysis *analysis, const struct shk_finding *slope)
{
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *const f = &analysis->findings[i];
    if (f->named.id == SHK_QUANTITY_ENERGY_CLASS && strcmp(f->integrator, slope->integrator) == 0 &&
        strcmp(f->problem, slope->problem) == 0 &&
        shk_same_text(f->word, shk_energy_words[SHK_ENERGY_DISSIPATES]))
      return true;
  }
  return false;
}

static void describe_structure(struct shk_facts *facts, const char *integrator,
                               const struct shk_analysis *analysis, const struct shk_study_job *job)
{
  static const struct {
    enum shk_claim claim;
    const char *no;
  } shown[] = {{SHK_CLAIM_SYMPLECTIC, "not symplectic"},
               {SHK_CLAIM_PRESYMPLECTIC, "not presymplectic"},
               {SHK_CLAIM_SYMMETRIC, "not symmetric"},
               {SHK_CLAIM_REVERSIBLE, "not reversible"},
               {SHK_CLAIM_KEEPS_MOMENTA, "momenta not kept"},
               {SHK_CLAIM_ENERGY_BOUNDED, "energy not bounded"}};
  const struct shk_finding *const slope =
      worst_finding(analysis, integrator, SHK_QUANTITY_ENERGY_SLOPE, SHK_BLOCKS);
  char **const line = &facts->lines[1];
  for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
    if (facts->values[shown[i].claim] != SHK_UNKNOWN)
      shk_append_text(line, "%s%s", separator_of_line(*line),
                      facts->values[shown[i].claim] == SHK_YES
                          ? shk_claim_entries[shown[i].claim].words
                          : shown[i].no);
  if (facts->values[SHK_CLAIM_ENERGY_BOUNDED] == SHK_NO)
    add_condition(line, integrator, job);
  if (facts->values[SHK_CLAIM_ENERGY_BOUNDED] == SHK_NO && slope && dissipates(analysis, slope))
    shk_append_text(line, ", it dissipates");
  else if (facts->values[SHK_CLAIM_ENERGY_BOUNDED] == SHK_NO && slope)
    shk_append_text(line, ", drift %.2g ± %.1g per unit of time", slope->value, slope->uncertainty);
}

void shk_facts_find(struct shk_facts *facts, const char *integrator,
                    const struct shk_study_job *job)
{
  struct shk_analysis *const analysis = shk_analyse(
      job->study, job->plan, job->records, &(struct shk_analysis_source){suppose_claims, NULL});
  struct shk_message unused;
  bool in_quad, single = false;
  *facts = (struct shk_facts){.claims_nothing = true};
  for (int i = 1; i < SHK_CLAIMS; i++)
    facts->values[i] = shk_claim_entries[i].order ? SHK_NO_ORDER : SHK_UNKNOWN;
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *const f = &analysis->findings[i];
    if (strcmp(f->integrator, integrator) != 0)
      continue;
    take_try_facts(facts, f);
    single = single || strcmp(f->precision, "single") == 0 ||
             (f->named.id == SHK_QUANTITY_CAUSE && strstr(f->word, "single precision"));
  }
  for (int i = 1, held; i < SHK_CLAIMS; i++)
    if (facts->values[i] == SHK_YES &&
        !shk_is_affirmed(&held, job->plan->context, analysis, integrator, (enum shk_claim)i))
      facts->values[i] = SHK_UNKNOWN;
  if (single) /* rounding errors in single precision hide small defects */
    facts->values[SHK_CLAIM_SYMPLECTIC] = facts->values[SHK_CLAIM_PRESYMPLECTIC] =
        facts->values[SHK_CLAIM_SYMPLECTIC_OFF_CONSTRAINTS] =
            facts->values[SHK_CLAIM_KEEPS_ENERGY] = SHK_UNKNOWN;
  shk_finest_claims(job->plan->context, &facts->claimed, &in_quad, integrator, &unused);
  for (int i = 1; i < SHK_CLAIMS; i++)
    facts->claims_nothing =
        facts->claims_nothing && !shk_is_claimed(&facts->claimed, (enum shk_claim)i);
  describe_numbers(&facts->lines[0], integrator, analysis, job);
  describe_structure(facts, integrator, analysis, job);
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

/* Appends a claim, such as "SHK_CLAIM(ORDER_Q, 2)", "order_q = 2" or "order-q=2". */
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
