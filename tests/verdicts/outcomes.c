/*
 * Outcomes of cells in a singular study, from made-up records: what the states say against the
 * known solution decides, whatever the integrator said of itself.
 *
 * The known solution is q = (1, t), p = (2, 0), branch function 0, at t = 1 … 4.
 */
#include "harness/analysis/singular.h"
#include "tests/kit/tap.h"

enum { SAMPLES = 4 };

static char *times[SAMPLES] = {(char *)"1", (char *)"2", (char *)"3", (char *)"4"};
static double instants[SAMPLES] = {1, 2, 3, 4};

static const struct shk_singular_limits limits = {
    .asked = true, .error = 1e-2, .branch = 0.1, .growth = 10};

/* A run of `count` samples that are off by (dq, dp, db) from sample `from` on. */
static struct shk_vector vector(double x, double y, int count)
{
  return shk_vector_copy((const double[]){x, y}, count, 64);
}

static struct shk_record make(int count, int from, double dq, double dp, double db)
{
  struct shk_record record = {.cell = {.kind = (char *)"run",
                                       .problem = (char *)"crossing",
                                       .integrator = (char *)"method",
                                       .precision = (char *)"double",
                                       .step = (char *)"0.1",
                                       .until = (char *)"4",
                                       .time_count = SAMPLES,
                                       .times = times,
                                       .numbers = {.until = 4, .times = instants}}};
  for (int i = 0; i < count; i++) {
    struct shk_sample *const sample =
        shk_outcome_add_sample(&record.outcome, times[i], instants[i]);
    const bool off = i + 1 >= from;
    shk_sample_add_block(sample, "q", vector(1 + (off ? dq : 0), i + 1, 2));
    shk_sample_add_block(sample, "p", vector(2 + (off ? dp : 0), 0, 2));
    shk_sample_add_block(sample, "branch", vector(off ? db : 0, 0, 1));
  }
  shk_outcome_add_scalar(&record.outcome, "energy-start", 2);
  shk_outcome_add_scalar(&record.outcome, "energy-error-max", 1e-9);
  record.outcome.reached = count;
  return record;
}

static struct shk_record ended(struct shk_record record, enum shk_code code)
{
  record.outcome.code = code;
  snprintf(record.outcome.reason, sizeof record.outcome.reason, "for a reason");
  return record;
}

/* The sizes on the known solution: Q = 4, P = 2. Decides, and gives the record back. */
static struct shk_singular_result decide_against(struct shk_record record,
                                                 const struct shk_group_reference *reference)
{
  const struct shk_record *const records[] = {&record};
  int cells[] = {7};
  double steps[] = {0.1};
  const struct shk_family family = {.cell = &record.cell,
                                    .problem = record.cell.problem,
                                    .suffix = (char *)"",
                                    .count = 1,
                                    .cells = cells,
                                    .records = (const struct shk_record **)records,
                                    .steps = steps,
                                    .time_scale = 1,
                                    .until = 4,
                                    .size_q = 4,
                                    .size_p = 2,
                                    .reference = reference};
  struct shk_singular_result decided;
  shk_singular_decide(&decided, &family, 0, &limits);
  shk_outcome_clear(&record.outcome);
  return decided;
}

static struct shk_group_reference known; /* whole, and good */

static struct shk_singular_result decide(struct shk_record record)
{
  return decide_against(record, &known);
}

static bool is(enum shk_singular_outcome expected, struct shk_singular_result decided)
{
  if (decided.outcome != expected)
    tap_diag("%s: %s", shk_singulars[decided.outcome].word, decided.reason);
  return decided.outcome == expected;
}

static void test_states(void)
{
  tap_ok(is(SHK_OUTCOME_RIGHT, decide(make(SAMPLES, 9, 0, 0, 0))), "right to the end");
  tap_ok(is(SHK_OUTCOME_RIGHT, decide(make(SAMPLES, 1, 0.039, 0.019, 0))),
         "right within the threshold, relative to the size of the solution");
  tap_ok(is(SHK_OUTCOME_WRONG, decide(make(SAMPLES, 2, 0.041, 0, 0))),
         "\"ok\" with wrong positions is silently wrong");
  tap_ok(is(SHK_OUTCOME_WRONG, decide(make(SAMPLES, 2, 0, 0.021, 0))), "and with wrong momenta");
  tap_ok(is(SHK_OUTCOME_OTHER_BRANCH, decide(make(SAMPLES, 2, 0.5, 0, 0.2))),
         "wrong with another branch function: on the other branch");
  tap_ok(is(SHK_OUTCOME_WRONG, decide(make(SAMPLES, 2, 0.5, 0, 0.05))),
         "wrong on the right branch is no jump");
  tap_ok(is(SHK_OUTCOME_RIGHT, decide(make(SAMPLES, 3, 1e-4, 0, 1))),
         "a branch function at the crossing condemns no state that is right");
  const struct shk_singular_result late = decide(make(SAMPLES, 3, 0.5, 0, 0.2));
  tap_ok(late.since == 3 && fabs(late.error - 0.125) < 1e-12 && fabs(late.branch - 0.2) < 1e-12,
         "since when, by how much, and how far from the branch");
}

static void test_failures(void)
{
  tap_ok(is(SHK_OUTCOME_NOT_CONVERGED, decide(ended(make(2, 9, 0, 0, 0), SHK_NOT_CONVERGED))),
         "right until an iteration did not converge");
  tap_ok(is(SHK_OUTCOME_STOPPED, decide(ended(make(2, 9, 0, 0, 0), SHK_SINGULAR))),
         "right until it stopped");
  const struct shk_singular_result stopped = decide(ended(make(2, 9, 0, 0, 0), SHK_SINGULAR));
  tap_ok(strstr(stopped.reason, "for a reason") && strstr(stopped.reason, "t = 2"),
         "where, and the reason as it was given");
  tap_ok(is(SHK_OUTCOME_WRONG, decide(ended(make(3, 2, 0.5, 0, 0), SHK_SINGULAR))),
         "wrong before it stopped is wrong");
  tap_ok(is(SHK_OUTCOME_OTHER_BRANCH, decide(ended(make(3, 2, 0.5, 0, 0.2), SHK_SINGULAR))),
         "and so is the other branch");
  tap_ok(is(SHK_OUTCOME_BLEW_UP, decide(ended(make(2, 9, 0, 0, 0), SHK_NOT_FINITE))),
         "a NaN is a blow-up");
  tap_ok(is(SHK_OUTCOME_BLEW_UP, decide(make(SAMPLES, 4, 41, 0, 5))),
         "and so is growth, branch or no");
  struct shk_record hot = make(SAMPLES, 9, 0, 0, 0);
  hot.outcome.scalars[1].value = 81; /* max(|H(0)|, QP/τ) = 8 */
  tap_ok(is(SHK_OUTCOME_BLEW_UP, decide(hot)), "and energy between the samples");
  tap_ok(is(SHK_OUTCOME_REFUSED, decide(ended(make(0, 9, 0, 0, 0), SHK_REFUSED))), "refused");
  struct shk_record crashed = make(2, 9, 0, 0, 0);
  crashed.end = SHK_END_CRASHED;
  tap_ok(is(SHK_OUTCOME_UNDECIDED, decide(crashed)), "a crash is no answer");
}

static void test_references(void)
{
  struct shk_group_reference none = {.why = "nobody knows"};
  tap_ok(is(SHK_OUTCOME_UNDECIDED, decide_against(make(SAMPLES, 9, 0, 0, 0), &none)),
         "without a known solution nothing is decided");
  struct shk_group_reference poor = known;
  poor.error[SHK_REFERENCE_P] = 2e-4;
  tap_ok(is(SHK_OUTCOME_UNDECIDED, decide_against(make(SAMPLES, 9, 0, 0, 0), &poor)),
         "nor with one that is off by more than a hundredth of the threshold");
  poor.error[SHK_REFERENCE_P] = NAN;
  tap_ok(is(SHK_OUTCOME_UNDECIDED, decide_against(make(SAMPLES, 9, 0, 0, 0), &poor)),
         "nor with one whose error is not known");

  /* A solution that ends at t = 2: both runs of the reference stop there. */
  struct shk_record end = ended(make(2, 9, 0, 0, 0), SHK_SINGULAR);
  struct shk_record check = ended(make(2, 9, 0, 0, 0), SHK_NOT_CONVERGED);
  struct shk_group_reference impasse = {.partial = &end, .partial_check = &check};
  for (int b = 0; b < SHK_REFERENCE_BLOCKS; b++)
    impasse.error[b] = NAN;
  tap_ok(is(SHK_OUTCOME_WRONG, decide_against(make(SAMPLES, 9, 0, 0, 0), &impasse)),
         "going on where the solution ends is wrong, whatever the residuals");
  tap_ok(
      is(SHK_OUTCOME_STOPPED, decide_against(ended(make(2, 9, 0, 0, 0), SHK_SINGULAR), &impasse)),
      "stopping there is right");
  check.outcome.reached = 3.5;
  tap_ok(is(SHK_OUTCOME_UNDECIDED, decide_against(make(SAMPLES, 9, 0, 0, 0), &impasse)),
         "a reference whose runs stop apart shows no end");
  impasse.partial_check = NULL;
  tap_ok(is(SHK_OUTCOME_UNDECIDED, decide_against(make(SAMPLES, 9, 0, 0, 0), &impasse)),
         "nor does one of two");
  shk_outcome_clear(&end.outcome);
  shk_outcome_clear(&check.outcome);
}

int main(void)
{
  struct shk_record whole = make(SAMPLES, 9, 0, 0, 0);
  known.record = &whole;
  test_states();
  test_failures();
  test_references();
  shk_outcome_clear(&whole.outcome);
  return tap_done();
}
