/* What became of a cell of a singular study. See fate.h. */
#include "harness/analysis/outcome.h"
#include "foundation/memory.h"
#include "foundation/message.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *shk_fate_word(enum shk_fate fate)
{
  static const char *const words[SHK_FATE_COUNT] = {
      [SHK_FATE_STOPPED] = "stopped",           [SHK_FATE_WRONG] = "silently wrong",
      [SHK_FATE_RIGHT] = "right branch",        [SHK_FATE_BLEW_UP] = "blew up",
      [SHK_FATE_OTHER_BRANCH] = "other branch", [SHK_FATE_NOT_CONVERGED] = "not converged",
      [SHK_FATE_REFUSED] = "refused",           [SHK_FATE_UNDECIDED] = "undecided"};
  return words[fate];
}

char shk_fate_letter(enum shk_fate fate)
{
  static const char letters[SHK_FATE_COUNT] = {
      [SHK_FATE_STOPPED] = 'S', [SHK_FATE_WRONG] = 'W',        [SHK_FATE_RIGHT] = 'R',
      [SHK_FATE_BLEW_UP] = 'B', [SHK_FATE_OTHER_BRANCH] = 'O', [SHK_FATE_NOT_CONVERGED] = 'N',
      [SHK_FATE_REFUSED] = 'F', [SHK_FATE_UNDECIDED] = '?'};
  return letters[fate];
}

/* The known solution, whole or up to where it ends. */
struct known {
  const struct shk_record *record;
  double ends, unsure; /* INFINITY unless it ends within the run, and how well that is known */
  double size_q, size_p;
};

static double positive_or_one(double size)
{
  return size > 0 ? size : 1;
}

/* A solution ends where the reference and its check, which took other steps, both stopped, no
 * further apart than their samples are. */
static bool ends_at(double *time, double *gap, const struct shk_group_reference *reference)
{
  const struct shk_record *record = reference->partial, *check = reference->partial_check;
  if (!record || !check || !(record->outcome.reached > 0) || record->outcome.sample_count < 2)
    return false;
  double before = 0;
  *gap = 0;
  for (int i = 0; i < record->cell.time_count; i++) {
    const double at = strtod(record->cell.times[i], NULL);
    *gap = fmax(*gap, at - before);
    before = at;
  }
  *time = fmax(record->outcome.reached, check->outcome.reached);
  return fabs(record->outcome.reached - check->outcome.reached) <= *gap;
}

static bool know(struct known *known, const struct shk_group_reference *reference,
                 const struct shk_fate_limits *limits, const struct shk_analysis_source *source,
                 struct shk_decided *decided)
{
  known->ends = INFINITY;
  known->unsure = 0;
  known->record = reference->record;
  if (!known->record) {
    if (!ends_at(&known->ends, &known->unsure, reference)) {
      shk_text_fit(decided->reason, sizeof decided->reason, reference->why);
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
        decided->reason, sizeof decided->reason,
        "the known solution itself is off by %.2g in q and %.2g in p: more than a hundredth of "
        "the threshold %.2g",
        q, p, limits->error);
    return false;
  }
  return true;
}

/* |a - b|/size of a block of two samples; NaN if one has none, infinite if it is not a number. */
static double difference_of(const struct shk_sample *a, const struct shk_sample *b,
                            const char *name, double size, const struct shk_analysis_source *source)
{
  const char *const mine = shk_sample_block(a, name), *const its = shk_sample_block(b, name);
  double difference, none;
  if (!mine || !its || !source->difference(&difference, &none, mine, its))
    return NAN;
  return isfinite(difference) ? difference / size : INFINITY;
}

static double size_of(const struct shk_sample *sample, const char *name, double size,
                      const struct shk_analysis_source *source)
{
  const char *const text = shk_sample_block(sample, name);
  double none, mine;
  if (!text || !source->difference(&none, &mine, text, text))
    return NAN;
  return isfinite(mine) && isfinite(none) ? mine / size : INFINITY;
}

static void set(struct shk_decided *decided, enum shk_fate fate, const char *format, double a,
                double b, double c) __attribute__((format(printf, 3, 0)));

static void set(struct shk_decided *decided, enum shk_fate fate, const char *format, double a,
                double b, double c)
{
  decided->fate = fate;
  snprintf(decided->reason, sizeof decided->reason, format, a, b, c);
}

/* Compares the states. False if there is none to compare. */
static bool compare(struct shk_decided *decided, double *growth, double *beyond,
                    double *branch_since, const struct shk_record *record,
                    const struct known *known, const struct shk_fate_limits *limits,
                    const struct shk_analysis_source *source)
{
  int compared = 0;
  *growth = 0;
  *beyond = NAN;
  *branch_since = NAN;
  for (int k = 0; k < record->outcome.sample_count; k++) {
    const struct shk_sample *const sample = &record->outcome.samples[k];
    const double time = strtod(sample->time, NULL);
    *growth = fmax(*growth, fmax(size_of(sample, "q", known->size_q, source),
                                 size_of(sample, "p", known->size_p, source)));
    const struct shk_sample *const right = shk_record_sample(known->record, sample->time);
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
    decided->error = fmax(decided->error, error);
    if (isnan(decided->since) && error > limits->error)
      decided->since = time;
    if (isnan(decided->since))
      continue; /* where branches meet, their functions say nothing of a state that is right */
    decided->branch = fmax(decided->branch, branch);
    if (isnan(*branch_since) && branch > limits->branch)
      *branch_since = time;
  }
  return compared > 0;
}

/* A cell that was right as far as it went. */
static void decide_right(struct shk_decided *decided, const struct shk_record *record)
{
  if (shk_record_finished(record)) {
    set(decided, SHK_FATE_RIGHT, "largest error %.2g", decided->error, 0, 0);
    return;
  }
  char why[240];
  shk_record_reason(why, sizeof why, record);
  decided->fate =
      record->outcome.code == SHK_NOT_CONVERGED ? SHK_FATE_NOT_CONVERGED : SHK_FATE_STOPPED;
  snprintf(decided->reason, sizeof decided->reason, "right until t = %.6g, then %s: %s",
           record->outcome.reached, shk_record_status(record), why);
}

void shk_fate_decide(struct shk_decided *decided, const struct shk_family *family, int i,
                     const struct shk_group_reference *reference,
                     const struct shk_fate_limits *limits, const struct shk_analysis_source *source)
{
  const struct shk_record *const record = family->records[i];
  *decided = (struct shk_decided){.cell = family->cells[i],
                                  .fate = SHK_FATE_UNDECIDED,
                                  .error = NAN,
                                  .branch = NAN,
                                  .since = NAN};
  if (record->end != SHK_END_FINISHED) {
    shk_record_reason(decided->reason, sizeof decided->reason, record);
    return;
  }
  if (record->outcome.code == SHK_REFUSED) {
    decided->fate = SHK_FATE_REFUSED;
    shk_record_reason(decided->reason, sizeof decided->reason, record);
    return;
  }
  struct known known;
  if (!know(&known, reference, limits, source, decided))
    return;
  double growth, beyond, branch_since;
  if (!compare(decided, &growth, &beyond, &branch_since, record, &known, limits, source)) {
    snprintf(decided->reason, sizeof decided->reason,
             "no state that could be compared was recorded: %s", shk_record_status(record));
    return;
  }
  const double energy = shk_outcome_scalar(&record->outcome, "energy-error-max") /
                        positive_or_one(shk_family_energy(family, i));
  if (record->outcome.code == SHK_NOT_FINITE || !isfinite(growth) ||
      fmax(growth, energy) > limits->growth)
    set(decided, SHK_FATE_BLEW_UP,
        "the state grew to %.2g times, the energy error to %.2g times what is typical; up to "
        "t = %.6g",
        growth, energy, record->outcome.reached);
  else if (!isnan(branch_since))
    set(decided, SHK_FATE_OTHER_BRANCH,
        "on another branch by t = %.6g: error %.2g, branch functions differ by %.2g", branch_since,
        decided->error, decided->branch);
  else if (!isnan(decided->since))
    set(decided, SHK_FATE_WRONG, "wrong by t = %.6g: error up to %.2g, reported as good states",
        decided->since, decided->error, 0);
  else if (!isnan(beyond))
    set(decided, SHK_FATE_WRONG, "went on to t = %.6g, but the solution ends at t = %.6g", beyond,
        known.ends, 0);
  else
    decide_right(decided, record);
}

/* ---- findings ---- */

const struct shk_fate_limits *shk_fates_asked(const struct shk_study *study,
                                              const struct shk_plan *plan,
                                              const struct shk_family *family)
{
  for (int i = 0; study && i < family->count; i++) {
    const int run = plan->cells[family->cells[i]].run;
    if (run >= 0 && run < study->run_count && study->runs[run].fates.asked)
      return &study->runs[run].fates;
  }
  return NULL;
}

static void report(struct shk_findings *findings, const struct shk_family *family, int i,
                   const struct shk_decided *decided, double reference_error)
{
  const struct shk_record *const record = family->records[i];
  char *const at = family->by_tolerance ? shk_print_text("tolerance %s", record->cell.tolerance)
                   : record->cell.step  ? shk_print_text("step %s", record->cell.step)
                                        : shk_copy_text("steps of its own");
  char *const quantity = shk_print_text("outcome at %s", at);
  struct shk_finding *const finding = shk_findings_add(findings, family, quantity, NAN, NAN);
  finding->word = shk_copy_text(shk_fate_word(decided->fate));
  finding->reason = shk_copy_text(decided->reason);
  if (decided->fate == SHK_FATE_UNDECIDED)
    finding->verdict = record->end == SHK_END_FINISHED ? SHK_VERDICT_UNDECIDED : SHK_VERDICT_FAILED;
  free(quantity);
  if (isfinite(decided->error)) {
    char *const error = shk_print_text("outcome error at %s", at);
    shk_findings_add(findings, family, error, decided->error, reference_error);
    free(error);
  }
  free(at);
}

void shk_fates_report(struct shk_findings *findings, const struct shk_fate_limits *limits,
                      const struct shk_family *family, const struct shk_group_reference *reference,
                      const struct shk_analysis_source *source)
{
  for (int i = 0; limits && i < family->count; i++) {
    struct shk_decided decided;
    if (!family->records[i])
      continue;
    shk_fate_decide(&decided, family, i, reference, limits, source);
    struct shk_analysis *const analysis = findings->analysis;
    analysis->fates =
        shk_grow(analysis->fates, (size_t)analysis->fate_count, sizeof *analysis->fates);
    analysis->fates[analysis->fate_count++] = decided;
    if (decided.fate != SHK_FATE_REFUSED) /* that is its status, which is reported */
      report(findings, family, i, &decided, reference->error[SHK_REFERENCE_Q]);
  }
}
