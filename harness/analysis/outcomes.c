/* Determines the outcomes of cells in singular studies; see singular.h. */
#include "foundation/memory.h"
#include "harness/analysis/report.h"
#include <math.h>
#include <stdlib.h>

const struct shk_singular_entry shk_singulars[SHK_SINGULAR_OUTCOMES] = {
    [SHK_OUTCOME_STOPPED] = {"stopped", 'S'},
    [SHK_OUTCOME_WRONG] = {"silently wrong", 'W'},
    [SHK_OUTCOME_RIGHT] = {"right branch", 'R'},
    [SHK_OUTCOME_BLEW_UP] = {"blew up", 'B'},
    [SHK_OUTCOME_OTHER_BRANCH] = {"other branch", 'O'},
    [SHK_OUTCOME_NOT_CONVERGED] = {"not converged", 'N'},
    [SHK_OUTCOME_REFUSED] = {"refused", 'F'},
    [SHK_OUTCOME_UNDECIDED] = {"undecided", '?'}};

/* The known solution, which is either complete or ends at some time. */
struct known {
  const struct shk_record *record;
  /* the time at which the solution ends (INFINITY if it does not end during the run), and the
   * uncertainty of that time */
  double ends, unsure;
  double size_q, size_p;
};

static double positive_or_one(double size)
{
  return size > 0 ? size : 1;
}

/* Determines when a solution ends from the times at which the reference and its check stopped. Sets
 * *gap to the longest time between samples. Returns false unless both of them stopped at times that
 * differ by at most *gap. */
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

/* Stores an outcome together with its reason. */
#define conclude(result, what, ...)                                                                \
  ((result)->outcome = (what),                                                                     \
   shk_text_print((result)->reason, sizeof(result)->reason, __VA_ARGS__))

/* Finds the known solution. If there is none, sets the result to undecided and returns false. */
static bool know_outcomes(struct known *known, const struct shk_group_reference *reference,
                          const struct shk_singular_limits *limits,
                          struct shk_singular_result *result)
{
  const double q = reference->error[SHK_REFERENCE_Q], p = reference->error[SHK_REFERENCE_P];
  const double enough = limits->error / 100;
  *known = (struct known){.record = reference->record, .ends = INFINITY};
  if (!known->record) {
    known->record = reference->partial;
    if (!ends_at(&known->ends, &known->unsure, reference)) {
      conclude(result, SHK_OUTCOME_UNDECIDED, "%s", reference->why);
      return false;
    }
  } else if (!(q <= enough && p <= enough)) {
    conclude(result, SHK_OUTCOME_UNDECIDED,
             "the known solution itself has errors of %.2g in q and %.2g in p, which is more than "
             "a hundredth of the threshold %.2g",
             q, p, limits->error);
    return false;
  }
  known->size_q = positive_or_one(shk_record_block_size(known->record, "q"));
  known->size_p = positive_or_one(shk_record_block_size(known->record, "p"));
  return true;
}

/* The result of comparing a run with the known solution. */
struct seen {
  int compared; /* the number of samples compared */
  double growth;
  /* the first sample time after the end of the solution, and the first one on another branch; NaN
   * if there is none */
  double beyond, branch_since;
};

static struct seen compare_outcomes(struct shk_singular_result *result,
                                    const struct shk_record *record, const struct known *known,
                                    const struct shk_singular_limits *limits)
{
  struct seen seen = {.beyond = NAN, .branch_since = NAN};
  for (int k = 0; k < record->outcome.sample_count; k++) {
    const struct shk_sample *const sample = &record->outcome.samples[k];
    const struct shk_sample *const right =
        shk_outcome_sample(&known->record->outcome, sample->time);
    seen.growth = fmax(seen.growth, fmax(shk_sample_size(sample, "q") / known->size_q,
                                         shk_sample_size(sample, "p") / known->size_p));
    if (!right && sample->t > known->ends + known->unsure && isnan(seen.beyond))
      seen.beyond = sample->t;
    const double q = shk_sample_distance(sample, "q", right, "q") / known->size_q;
    const double p = shk_sample_distance(sample, "p", right, "p") / known->size_p;
    if (isnan(q) || isnan(p))
      continue;
    seen.compared++;
    const double error = fmax(q, p),
                 branch = shk_sample_distance(sample, "branch", right, "branch");
    result->error = fmax(result->error, error);
    if (isnan(result->since) && error > limits->error)
      result->since = sample->t;
    if (isnan(result->since))
      continue; /* near a branch point, branch functions are unreliable even for correct states */
    result->branch = fmax(result->branch, branch);
    if (isnan(seen.branch_since) && branch > limits->branch)
      seen.branch_since = sample->t;
  }
  return seen;
}

void shk_singular_decide(struct shk_singular_result *result, const struct shk_family *family, int i,
                         const struct shk_singular_limits *limits)
{
  const struct shk_record *const record = family->records[i];
  const struct shk_outcome *const outcome = &record->outcome;
  char why[SHK_MESSAGE_SIZE];
  *result = (struct shk_singular_result){.cell = family->cells[i],
                                         .outcome = SHK_OUTCOME_UNDECIDED,
                                         .error = NAN,
                                         .branch = NAN,
                                         .since = NAN};
  if (record->end != SHK_END_FINISHED || shk_was_refused(record)) {
    if (shk_was_refused(record))
      result->outcome = SHK_OUTCOME_REFUSED;
    shk_record_reason(result->reason, sizeof result->reason, record);
    return;
  }
  struct known known;
  if (!know_outcomes(&known, family->reference, limits, result))
    return;
  const struct seen seen = compare_outcomes(result, record, &known, limits);
  const double energy = shk_recorded(outcome, SHK_QUANTITY_ENERGY_MAX, NULL) /
                        positive_or_one(shk_family_energy(family, outcome));
  shk_record_reason(why, sizeof why, record);
  if (seen.compared == 0)
    conclude(result, SHK_OUTCOME_UNDECIDED, "the run recorded no state that could be compared: %s",
             shk_record_status(record));
  else if (outcome->code == SHK_NOT_FINITE)
    conclude(result, SHK_OUTCOME_BLEW_UP, "blew up at t = %.6g, %s", outcome->reached, why);
  else if (!isfinite(seen.growth) || fmax(seen.growth, energy) > limits->growth)
    conclude(result, SHK_OUTCOME_BLEW_UP,
             "blew up at t = %.6g: the state grew to %.2g times and the energy error to %.2g times "
             "its typical size",
             outcome->reached, seen.growth, energy);
  else if (!isnan(seen.branch_since))
    conclude(result, SHK_OUTCOME_OTHER_BRANCH,
             "left the smooth continuation by t = %.6g: it is on another branch, with error %.2g, "
             "and the branch functions differ by %.2g",
             seen.branch_since, result->error, result->branch);
  else if (!isnan(result->since))
    conclude(result, SHK_OUTCOME_WRONG,
             "left the solution before t = %.6g: errors of up to %.2g in states that it reported "
             "as valid",
             result->since, result->error);
  else if (!isnan(seen.beyond))
    conclude(result, SHK_OUTCOME_WRONG, "continued to t = %.6g, but the solution ends at t = %.6g",
             seen.beyond, known.ends);
  else if (shk_record_finished(record))
    conclude(result, SHK_OUTCOME_RIGHT, "largest error %.2g", result->error);
  else
    conclude(result,
             outcome->code == SHK_NOT_CONVERGED ? SHK_OUTCOME_NOT_CONVERGED : SHK_OUTCOME_STOPPED,
             "stopped at t = %.6g, %s", outcome->reached, why);
}

/* ---- findings ---- */

const struct shk_singular_limits *shk_singular_limits_of(const struct shk_reporter *c)
{
  for (int i = 0; i < c->family->count; i++) {
    const struct shk_study_run *const run = shk_reporter_run(c, i);
    if (run && run->singular.asked)
      return &run->singular;
  }
  return NULL;
}

/* Reports two findings about a cell: `outcome at …`, which is a word with a reason, and `outcome
 * error at …`, which is the largest error over all samples. */
static void report_cell(struct shk_reporter *c, int i, const struct shk_singular_result *result)
{
  const struct shk_record *const record = c->family->records[i];
  char *const at = c->family->by_tolerance ? shk_print_text("tolerance %s", record->cell.tolerance)
                   : record->cell.step     ? shk_print_text("step %s", record->cell.step)
                                           : shk_copy_text("steps of its own");
  struct shk_finding *const finding =
      shk_finding_word(c, SHK_QUANTITY_OUTCOME, at, shk_singulars[result->outcome].word);
  finding->reason = shk_copy_text(result->reason);
  if (result->outcome == SHK_OUTCOME_UNDECIDED)
    finding->verdict = record->end == SHK_END_FINISHED ? SHK_VERDICT_UNDECIDED : SHK_VERDICT_FAILED;
  if (isfinite(result->error))
    shk_report(c, SHK_QUANTITY_OUTCOME_ERROR, at, result->error,
               c->family->reference->error[SHK_REFERENCE_Q]);
  free(at);
}

static bool applies_outcomes(const struct shk_reporter *c)
{
  return shk_singular_limits_of(c) != NULL;
}

static void report_outcomes(struct shk_reporter *c)
{
  struct shk_singular_results *const results = &c->analysis->singular;
  for (int i = 0; i < c->family->count; i++) {
    if (!c->family->records[i])
      continue;
    struct shk_singular_result *const result = SHK_APPEND(results->all, results->count);
    shk_singular_decide(result, c->family, i, shk_singular_limits_of(c));
    if (result->outcome != SHK_OUTCOME_REFUSED) /* refusals are reported in status.c */
      report_cell(c, i, result);
  }
}

const struct shk_finder shk_finder_outcomes = {.in = SHK_IN_RUNS,
                                               .applies = applies_outcomes,
                                               .parts = SHK_PART_STATES,
                                               .report = report_outcomes};
