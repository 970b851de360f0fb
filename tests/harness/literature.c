/*
 * References as files and their comparison with published digits: what is read, what is refused
 * with its place, how digits are counted, and who is believed.
 */
#include "foundation/memory.h"
#include "harness/analysis/published.h"
#include "harness/references/reference.h"
#include "tests/kit/context.h"
#include "tests/kit/record_array.h"
#include "tests/kit/tap.h"
#include "tests/kit/vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/shakedown-literature-XXXXXX";

static char *path_of(const char *name)
{
  return shk_print_text("%s/%s", folder, name);
}

static void write_file(const char *name, const char *text)
{
  char *path = path_of(name);
  FILE *file = fopen(path, "w");
  if (!file || fputs(text, file) == EOF || fclose(file) != 0)
    tap_diag("%s cannot be written", path);
  free(path);
}

static void remove_file(const char *name)
{
  char *path = path_of(name);
  unlink(path);
  free(path);
}

/* ---- digits ---- */

static int digits(const char *a, const char *b)
{
  struct shk_vector x = vector_of(a), y = vector_of(b);
  const int common = shk_common_digits(&x, &y, 1);
  shk_vector_clear(&x);
  shk_vector_clear(&y);
  return common;
}

static void test_digits(void)
{
  tap_is_int(digits("1.23456789", "1.23456789"), SHK_REFERENCE_MOST_DIGITS,
             "equal numbers: all digits");
  tap_is_int(digits("1.00000000003", "1"), 10, "3e-11 apart at 1 are 10 digits");
  tap_is_int(digits("-1", "1"), 0, "a wrong sign: none");
  tap_is_int(digits("1.0000000000000000000000000003", "1"), 27, "beyond double precision");
  tap_is_int(digits("1e-40", "0"), SHK_REFERENCE_MOST_DIGITS,
             "round-off of a zero beside numbers of size 1: all");
  tap_is_int(digits("1e-20", "0"), 0, "but not more than that");
  tap_is_int(digits("nonsense", "1"), 0, "what is no number: none");
}

/* ---- files of references ---- */

static const char good[] = "problem: \"pendulum(angle=0.7)\"\n"
                           "method: \"reference, quad, tolerance 1e-28\"\n"
                           "checks:\n"
                           "  - {method: \"ida, double\", q: 11, p: 10, lambda: 9}\n"
                           "values:\n"
                           "  - {t: 1.5, component: q1, value: 0.25, digits: 26}\n"
                           "  - {t: 1.5, component: lambda1, value: -1e-3, digits: 24}\n";

static char *printed(const struct shk_reference *reference)
{
  char *text = NULL;
  size_t length;
  FILE *file = open_memstream(&text, &length);
  shk_reference_print(file, reference);
  fclose(file);
  return text;
}

static void test_round_trip(void)
{
  struct shk_reference first, second;
  struct shk_message error = {.text = ""};
  char *path = path_of("pendulum.yaml");
  write_file("pendulum.yaml", good);
  tap_ok(shk_reference_read(&first, path, &error), "a reference is read (%s)", error.text);
  tap_is_text(first.problem, "pendulum(angle=0.7)", "its problem");
  tap_is_int(first.row_count, 2, "its values");
  tap_is_text(first.rows[1].component, "lambda1", "a component");
  tap_is_int(first.rows[1].digits, 24, "its digits");
  tap_is_int(first.checks[0].digits[SHK_GROUP_MULTIPLIERS], 9, "digits of a check");
  char *text = printed(&first);
  write_file("pendulum.yaml", text);
  tap_ok(shk_reference_read(&second, path, &error), "what is printed is read (%s)", error.text);
  char *again = printed(&second);
  tap_is_text(again, text, "and printed the same");
  free(text);
  free(again);
  shk_reference_clear(&first);
  shk_reference_clear(&second);

  tap_ok(shk_reference_find(&first, folder, "pendulum(angle=0.7)", &error), "it is found");
  shk_reference_clear(&first);
  tap_ok(!shk_reference_find(&first, folder, "pendulum", &error) && error.text[0] == '\0',
         "for no other parameters");
  tap_ok(!shk_reference_find(&first, folder, "pend", &error) && error.text[0] == '\0',
         "and for no other problem");
  free(path);
}

static void expect_fault(const char *from, const char *to, const char *place, const char *what)
{
  struct shk_reference reference;
  struct shk_message error = {.text = ""};
  const char *at = strstr(good, from);
  char *text = shk_print_text("%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
  char *path = path_of("bad.yaml");
  write_file("bad.yaml", text);
  tap_ok(!shk_reference_read(&reference, path, &error) && strstr(error.text, place) &&
             strstr(error.text, what),
         "%s: %s at %s", to, what, place);
  tap_diag("%s", error.text);
  remove_file("bad.yaml");
  free(text);
  free(path);
}

static void test_faults(void)
{
  expect_fault("digits: 26", "digits: 99", "bad.yaml:6:", "from 0 to 34");
  expect_fault("value: 0.25", "value: nearly", "bad.yaml:6:", "a number");
  expect_fault("component", "component-of", "bad.yaml:6:", "did you mean");
  expect_fault("q: 11, ", "", "bad.yaml:4:", "\"q\" is missing");
  expect_fault("method: \"ref", "methods: \"ref", "bad.yaml:2:", "did you mean");
}

/* ---- published digits ---- */

/* A pendulum's made-up state; its records agree with it to what is added. */
static const char q[] = "0.8 -0.6", p[] = "0.6 0.8", lambda[] = "1.234567890123456789";

static struct shk_record made_record(const char *integrator, const char *at_q, const char *at_p,
                                     const char *at_lambda)
{
  struct shk_record record = {.end = SHK_END_FINISHED};
  record.cell = (struct shk_cell){.kind = shk_copy_text("run"),
                                  .problem = shk_copy_text("pendulum"),
                                  .integrator = shk_copy_text(integrator),
                                  .precision = shk_copy_text("quad"),
                                  .until = shk_copy_text("3"),
                                  .time_count = 1};
  record.cell.times = shk_grow(NULL, 0, sizeof *record.cell.times);
  record.cell.times[0] = shk_copy_text("3");
  struct shk_sample *sample = shk_outcome_add_sample(&record.outcome, "3", 3);
  shk_sample_add_block(sample, "q", vector_of(at_q));
  shk_sample_add_block(sample, "p", vector_of(at_p));
  shk_sample_add_block(sample, "lambda-state", vector_of(at_lambda));
  return record;
}

/* What the coarser of the two independent runs finds; NULL: the same. */
static const char *coarse_q;

/* The comparison of that state with a published one, independent runs finding `witness_q`. */
static bool compare(struct shk_analysis **analysis, const char *literature, const char *other_q,
                    const char *witness_q, struct shk_message *error)
{
  enum { CELLS = 4 };
  static const enum shk_role roles[CELLS] = {SHK_ROLE_REFERENCE_CHECK, SHK_ROLE_REFERENCE,
                                             SHK_ROLE_MEASURED, SHK_ROLE_MEASURED};
  struct shk_record records[CELLS] = {
      made_record("reference", other_q, p, lambda), made_record("reference", q, p, lambda),
      made_record("radau5", coarse_q ? coarse_q : witness_q, p, lambda),
      made_record("radau5", witness_q, p, lambda)};
  struct shk_planned cells[CELLS];
  const struct shk_record *list[CELLS];
  for (int i = 0; i < CELLS; i++) {
    cells[i] = (struct shk_planned){.cell = records[i].cell, .role = roles[i]};
    list[i] = &records[i];
  }
  const struct shk_plan plan = {
      .context = &test_context, .count = CELLS, .group_count = 1, .cells = cells};
  write_file("literature.yaml", literature);
  struct record_array array;
  array = record_array_of(list);
  *analysis = shk_analysis_of_findings(NULL, 0);
  const bool good_files = shk_published_report(*analysis, folder, &plan, &array.records, error);
  remove_file("literature.yaml");
  for (int i = 0; i < CELLS; i++)
    shk_record_clear(&records[i]);
  return good_files;
}

#define HEAD "source: made up\nproblem: pendulum\ntime: 3\n"

static void expect_digits(const char *name, const char *literature, const char *other_q,
                          const char *witness_q, int printed_digits, int agreed, int wrong,
                          enum shk_verdict verdict)
{
  struct shk_analysis *analysis;
  struct shk_message error = {.text = ""};
  int found[2] = {-1, -1};
  const bool compared = compare(&analysis, literature, other_q, witness_q, &error);
  if (tap_ok(compared && analysis->finding_count > 0, "%s: compared (%s)", name, error.text)) {
    const struct shk_finding *const finding = &analysis->findings[0];
    sscanf(finding->expected, "%d printed, %d of them wrong", &found[0], &found[1]);
    tap_is_int(found[0], printed_digits, "%s: digits printed", name);
    tap_is_int((long long)finding->value, agreed, "%s: agreed", name);
    tap_is_int(found[1], wrong, "%s: wrong", name);
    tap_is_text(shk_verdict_word(finding->verdict), shk_verdict_word(verdict), "%s: the verdict",
                name);
    tap_diag("%s", finding->reason);
  }
  shk_analysis_free(analysis);
}

static void test_published(void)
{
  static const char sure[] = "0.8000000000000000000000000001 -0.6";
  static const char unsure[] = "0.8 -0.6001";
  expect_digits("right", HEAD "positions: [0.80000000, -6.0000000e-1]\n", sure, q, 8, 8, 0,
                SHK_VERDICT_HELD);
  expect_digits("a unit of the last place", HEAD "positions: [0.80000001, -0.60000000]\n", sure, q,
                8, 8, 0, SHK_VERDICT_HELD);
  expect_digits("wrong", HEAD "positions: [0.80000000, -0.60012345]\n", sure, q, 8, 3, 5,
                SHK_VERDICT_HELD);
  expect_digits("wrong, and nobody tells", HEAD "positions: [0.80000000, -0.60012345]\n", sure,
                "0.8 -0.6000617", 8, 3, 5, SHK_VERDICT_UNDECIDED);
  expect_digits("ours is wrong", HEAD "positions: [0.80000000, -0.60012345]\n", sure,
                "0.8 -0.600123", 8, 3, 5, SHK_VERDICT_FALSIFIED);
  coarse_q = "0.8 -0.6002";
  expect_digits("a run that is not accurate itself is not heard",
                HEAD "positions: [0.80000000, -0.60012345]\n", sure, "0.8 -0.600123", 8, 3, 5,
                SHK_VERDICT_UNDECIDED);
  coarse_q = NULL;
  expect_digits("ours is not certain", HEAD "positions: [0.80000000, -0.60012345]\n", unsure, q, 8,
                3, 0, SHK_VERDICT_HELD);
  expect_digits("skipped", HEAD "positions: [0.80000000, skip]\n", sure, q, 8, 8, 0,
                SHK_VERDICT_HELD);
  expect_digits("wrong at all digits", HEAD "positions: [3.1, -0.6]\n", sure, q, 2, 0, 2,
                SHK_VERDICT_HELD);
  expect_digits("velocities are momenta over masses", HEAD "velocities: [0.600, 0.801]\n", sure, q,
                3, 3, 0, SHK_VERDICT_HELD);
  expect_digits("a factor of the multipliers",
                HEAD "multipliers: [-2.46913578]\nmultiplier-factors: [-0.5]\n", sure, q, 9, 9, 0,
                SHK_VERDICT_HELD);
  expect_digits("without it they are wrong", HEAD "multipliers: [-2.46913578]\n", sure, q, 9, 0, 9,
                SHK_VERDICT_HELD);
}

static void expect_refusal(const char *literature, const char *what)
{
  struct shk_analysis *analysis;
  struct shk_message error = {.text = ""};
  tap_ok(!compare(&analysis, literature, q, q, &error) && strstr(error.text, what), "refused: %s",
         what);
  tap_diag("%s", error.text);
  shk_analysis_free(analysis);
}

static void test_refusals(void)
{
  expect_refusal(HEAD "positions: [0.8]\n", "found 1 positions, expected 2");
  expect_refusal(HEAD "positions: [0.8, about]\n", "literature.yaml:4:");
  expect_refusal(HEAD "speeds: [0.8, 1]\n", "literature.yaml:4:");
  expect_refusal("problem: pendulum\ntime: 3\n", "\"source\" is missing");
  expect_refusal("source: me\nproblem: pendulun\ntime: 3\n", "did you mean pendulum");
  expect_refusal(HEAD "multipliers: [1]\nmultiplier-factors: [1, 2]\n", "found 2 multiplier-factors, expected 1");
  expect_refusal(HEAD "positions: [0.1234567890123456789012345678901, 1]\n", "at most");
}

int main(void)
{
  if (!mkdtemp(folder)) {
    tap_ok(false, "a folder to write to");
    return tap_done();
  }
  test_digits();
  test_round_trip();
  remove_file("pendulum.yaml");
  test_faults();
  test_published();
  test_refusals();
  rmdir(folder);
  return tap_done();
}
