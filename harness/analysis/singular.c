/* Outcomes of cells of a singular study. See singular.h. */
#include "harness/analysis/singular.h"
#include "foundation/memory.h"
#include "foundation/message.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *shk_singular_word(enum shk_singular_outcome outcome)
{
  static const char *const words[SHK_SINGULAR_OUTCOMES] = {
      [SHK_OUTCOME_STOPPED] = "stopped",           [SHK_OUTCOME_WRONG] = "silently wrong",
      [SHK_OUTCOME_RIGHT] = "right branch",        [SHK_OUTCOME_BLEW_UP] = "blew up",
      [SHK_OUTCOME_OTHER_BRANCH] = "other branch", [SHK_OUTCOME_NOT_CONVERGED] = "not converged",
      [SHK_OUTCOME_REFUSED] = "refused",           [SHK_OUTCOME_UNDECIDED] = "undecided"};
  return words[outcome];
}

char shk_singular_letter(enum shk_singular_outcome outcome)
{
  static const char letters[SHK_SINGULAR_OUTCOMES] = {
      [SHK_OUTCOME_STOPPED] = 'S',      [SHK_OUTCOME_WRONG] = 'W',
      [SHK_OUTCOME_RIGHT] = 'R',        [SHK_OUTCOME_BLEW_UP] = 'B',
      [SHK_OUTCOME_OTHER_BRANCH] = 'O', [SHK_OUTCOME_NOT_CONVERGED] = 'N',
      [SHK_OUTCOME_REFUSED] = 'F',      [SHK_OUTCOME_UNDECIDED] = '?'};
  return letters[outcome];
}

/* The known solution, complete or up to its end. */
struct known {
  const struct shk_record *record;
  double ends, unsure; /* INFINITY unless it ends within the run; uncertainty of the end */
  double size_q, size_p;
};

static double positive_or_one(double size)
{
  return size > 0 ? size : 1;
}

/* Finds the end of a solution: the reference and its check, which took other steps, both stopped,
 * no further apart than their samples. */
static bool ends_at(double *time, double *gap, const struct shk_group_reference *reference)
{
  const struct shk_record *record = reference->partial, *check = reference->partial_check;
  if (!record || !check || !(record->outcome.reached > 0) || record->outcome.sample_count < 2)
    return false;
  double before = 0;
  *gap = 0;
  for (int i = 0; i < record->cell.time_count; i++) {
    const double at = record->cell.numbers.times[i];
    *gap = fmax(*gap, at - before);
    before = at;
  }
  *time = fmax(record->outcome.reached, check->outcome.reached);
  return fabs(record->outcome.reached - check->outcome.reached) <= *gap;
}

static bool know(struct known *known, const struct shk_group_reference *reference,
                 const struct shk_singular_limits *limits, const struct shk_analysis_source *source,
                 struct shk_singular_result *result)
{
  known->ends = INFINITY;
  known->unsure = 0;
  known->record = reference->record;
  if (!known->record) {
    if (!ends_at(&known->ends, &known->unsure, reference)) {
      shk_text_fit(result->reason, sizeof result->reason, reference->why);
      return false;
    }
    known->record = reference->partial;
  }
  known->size_q = positive_or_one(shk_record_block_size(known->record, "q", source));
  known->size_p = positive_or_one(shk_record_block_size(known->record, "p", source));
  const double q = reference->error[SHK_REFERENCE_Q], p = reference->error[SHK_REFERENCE_P];
  const double enough = limits->error / 100;
  if (known->record == reference->record && !(q <= enough && p <= enough)) {
    snprintf(
        result->reason, sizeof result->reason,
        "the known solution itself is off by %.2g in q and %.2g in p: more than a hundredth of "
        "the threshold %.2g",
        q, p, limits->error);
    return false;
  }
  return true;
}

/* Returns |a - b|/size of a block of two samples; NaN if one has none,
 * infinite if it is not a number. */
static double difference_of(const struct shk_sample *a, const struct shk_sample *b,
                            const char *name, double size, const struct shk_analysis_source *source)
{
  const struct shk_vector *const mine = shk_sample_block(a, name), *const its =
                                                                       shk_sample_block(b, name);
  double difference, none;
  if (!mine || !its || !source->difference(&difference, &none, mine, its))
    return NAN;
  return isfinite(difference) ? difference / size : INFINITY;
}

static double size_of(const struct shk_sample *sample, const char *name, double size,
                      const struct shk_analysis_source *source)
{
  const struct shk_vector *const block = shk_sample_block(sample, name);
  double none, mine;
  if (!block || !source->difference(&none, &mine, block, block))
    return NAN;
  return isfinite(mine) && isfinite(none) ? mine / size : INFINITY;
}

__attribute__((format(printf, 3, 0))) static void set(struct shk_singular_result *result,
                                                      enum shk_singular_outcome outcome,
                                                      const char *format, double a, double b,
                                                      double c)
{
  result->outcome = outcome;
  snprintf(result->reason, sizeof result->reason, format, a, b, c);
}

/* Compares the states. Returns false if there is none to compare. */
static bool compare(struct shk_singular_result *result, double *growth, double *beyond,
                    double *branch_since, const struct shk_record *record,
                    const struct known *known, const struct shk_singular_limits *limits,
                    const struct shk_analysis_source *source)
{
  int compared = 0;
  *growth = 0;
  *beyond = NAN;
  *branch_since = NAN;
  for (int k = 0; k < record->outcome.sample_count; k++) {
    const struct shk_sample *const sample = &record->outcome.samples[k];
    const double time = sample->t;
    *growth = fmax(*growth, fmax(size_of(sample, "q", known->size_q, source),
                                 size_of(sample, "p", known->size_p, source)));
    const struct shk_sample *const right =
        shk_outcome_sample(&known->record->outcome, sample->time);
    if (!right) {
      if (time > known->ends + known->unsure && isnan(*beyond))
        *beyond = time;
      continue;
    }
    const double q = difference_of(sample, right, "q", known->size_q, source);
    const double p = difference_of(sample, right, "p", known->size_p, source);
    if (isnan(q) || isnan(p))
      continue;
    compared++;
    const double error = fmax(q, p), branch = difference_of(sample, right, "branch", 1, source);
    result->error = fmax(result->error, error);
    if (isnan(result->since) && error > limits->error)
      result->since = time;
    if (isnan(result->since))
      continue; /* near a branch point, branch functions say nothing about a correct state */
    result->branch = fmax(result->branch, branch);
    if (isnan(*branch_since) && branch > limits->branch)
      *branch_since = time;
  }
  return compared > 0;
}

/* Decides on a cell by its end, described by a word: "blew up", "stopped". */
static void decide_end(struct shk_singular_result *result, const struct shk_record *record,
                       enum shk_singular_outcome outcome, const char *word)
{
  char why[240];
  shk_record_reason(why, sizeof why, record);
  result->outcome = outcome;
  snprintf(result->reason, sizeof result->reason, "%s at t = %.6g, %s", word,
           record->outcome.reached, why);
}

void shk_singular_decide(struct shk_singular_result *result, const struct shk_family *family, int i,
                         const struct shk_group_reference *reference,
                         const struct shk_singular_limits *limits,
                         const struct shk_analysis_source *source)
{
  const struct shk_record *const record = family->records[i];
  *result = (struct shk_singular_result){.cell = family->cells[i],
                                         .outcome = SHK_OUTCOME_UNDECIDED,
                                         .error = NAN,
                                         .branch = NAN,
                                         .since = NAN};
  if (record->end != SHK_END_FINISHED) {
    shk_record_reason(result->reason, sizeof result->reason, record);
    return;
  }
  if (record->outcome.code == SHK_REFUSED) {
    result->outcome = SHK_OUTCOME_REFUSED;
    shk_record_reason(result->reason, sizeof result->reason, record);
    return;
  }
  struct known known;
  if (!know(&known, reference, limits, source, result))
    return;
  double growth, beyond, branch_since;
  if (!compare(result, &growth, &beyond, &branch_since, record, &known, limits, source)) {
    snprintf(result->reason, sizeof result->reason,
             "no state that could be compared was recorded: %s", shk_record_status(record));
    return;
  }
  const double energy = shk_recorded(&record->outcome, SHK_QUANTITY_ENERGY_MAX, NULL) /
                        positive_or_one(shk_family_energy(family, i));
  const bool iterates = record->outcome.code == SHK_NOT_CONVERGED;
  if (record->outcome.code == SHK_NOT_FINITE)
    decide_end(result, record, SHK_OUTCOME_BLEW_UP, "blew up");
  else if (!isfinite(growth) || fmax(growth, energy) > limits->growth)
    set(result, SHK_OUTCOME_BLEW_UP,
        "blew up at t = %.6g: the state grew to %.2g times, the energy error to %.2g times what is "
        "typical",
        record->outcome.reached, growth, energy);
  else if (!isnan(branch_since))
    set(result, SHK_OUTCOME_OTHER_BRANCH,
        "left the smooth continuation by t = %.6g: on another branch, error %.2g, branch functions "
        "differ by %.2g",
        branch_since, result->error, result->branch);
  else if (!isnan(result->since))
    set(result, SHK_OUTCOME_WRONG, "wrong by t = %.6g: error up to %.2g, reported as valid states",
        result->since, result->error, 0);
  else if (!isnan(beyond))
    set(result, SHK_OUTCOME_WRONG, "went on to t = %.6g, but the solution ends at t = %.6g", beyond,
        known.ends, 0);
  else if (shk_record_finished(record))
    set(result, SHK_OUTCOME_RIGHT, "largest error %.2g", result->error, 0, 0);
  else
    decide_end(result, record, iterates ? SHK_OUTCOME_NOT_CONVERGED : SHK_OUTCOME_STOPPED,
               "stopped");
}

/* ---- findings ---- */

const struct shk_singular_limits *shk_singular_limits_of(const struct shk_study *study,
                                                         const struct shk_plan *plan,
                                                         const struct shk_family *family)
{
  for (int i = 0; study && i < family->count; i++) {
    const int run = plan->cells[family->cells[i]].run;
    if (run >= 0 && run < study->run_count && study->runs[run].singular.asked)
      return &study->runs[run].singular;
  }
  return NULL;
}

static void report(struct shk_findings *findings, const struct shk_family *family, int i,
                   const struct shk_singular_result *result, double reference_error)
{
  const struct shk_record *const record = family->records[i];
  char *const at = family->by_tolerance ? shk_print_text("tolerance %s", record->cell.tolerance)
                   : record->cell.step  ? shk_print_text("step %s", record->cell.step)
                                        : shk_copy_text("steps of its own");
  struct shk_finding *const finding =
      shk_findings_add(findings, family, SHK_QUANTITY_OUTCOME, at, NAN, NAN);
  finding->word = shk_copy_text(shk_singular_word(result->outcome));
  finding->reason = shk_copy_text(result->reason);
  if (result->outcome == SHK_OUTCOME_UNDECIDED)
    finding->verdict = record->end == SHK_END_FINISHED ? SHK_VERDICT_UNDECIDED : SHK_VERDICT_FAILED;
  if (isfinite(result->error))
    shk_findings_add(findings, family, SHK_QUANTITY_OUTCOME_ERROR, at, result->error,
                     reference_error);
  free(at);
}

void shk_singular_report(struct shk_findings *findings, struct shk_singular_results *results,
                         const struct shk_singular_limits *limits, const struct shk_family *family,
                         const struct shk_group_reference *reference,
                         const struct shk_analysis_source *source)
{
  for (int i = 0; limits && i < family->count; i++) {
    struct shk_singular_result result;
    if (!family->records[i])
      continue;
    shk_singular_decide(&result, family, i, reference, limits, source);
    results->all = shk_grow(results->all, (size_t)results->count, sizeof *results->all);
    results->all[results->count++] = result;
    if (result.outcome != SHK_OUTCOME_REFUSED) /* its status, which is reported elsewhere */
      report(findings, family, i, &result, reference->error[SHK_REFERENCE_Q]);
  }
}
