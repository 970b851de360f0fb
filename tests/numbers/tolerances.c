/*
 * What is owed by methods that a tolerance drives, from made-up records: errors that fall with it, errors
 * that do not, on all problems or on few, and errors that are below it.
 */
#include "tests/kit/made_records.h"
#include "tests/kit/record_array.h"
#include "tests/kit/tap.h"

enum { PROBLEMS = 3, TOLERANCES = 3 };

static const char *const problems[PROBLEMS] = {"pendulum", "neumann", "spherical-pendulum"};

/* The verdicts on the problems, with these errors at 1e-4, 1e-6 and 1e-8 on each. */
static void certify(enum shk_verdict *verdicts, const double errors[PROBLEMS][TOLERANCES])
{
  static const char *const tolerances[] = {"1e-4", "1e-6", "1e-8"};
  for (int k = 0; k < PROBLEMS; k++) {
    add_references(k, problems[k], 1e-25);
    for (int i = 0; i < TOLERANCES; i++) {
      struct shk_record *record =
          add(SHK_ROLE_MEASURED, k, problems[k], "ida", "double", NULL, "5");
      fill(record, 2 * errors[k][i], 0, 0, 0); /* relative to the amplitude, 2 */
      struct shk_cell *const cell = &cells[plan.count - 1].cell;
      cell->tolerance = shk_copy_text(tolerances[i]);
      read_numbers(cell);
    }
    verdicts[k] = SHK_VERDICT_NONE;
  }
  struct record_array array = record_array_of(records);
  struct shk_analysis *analysis = shk_analyse(NULL, &plan, &array.records, &source);
  for (int i = 0; i < analysis->finding_count; i++)
    for (int k = 0; k < PROBLEMS; k++)
      if (analysis->findings[i].named.id == SHK_QUANTITY_TOLERANCE_POWER &&
          strcmp(analysis->findings[i].problem, problems[k]) == 0)
        verdicts[k] = analysis->findings[i].verdict;
  shk_analysis_free(analysis);
  forget();
}

static void expect(const char *what, enum shk_verdict first, enum shk_verdict others,
                   const double errors[PROBLEMS][TOLERANCES])
{
  enum shk_verdict verdicts[PROBLEMS];
  certify(verdicts, errors);
  tap_is_text(shk_verdict_word(verdicts[0]), shk_verdict_word(first), "%s", what);
  for (int k = 1; k < PROBLEMS; k++)
    tap_is_text(shk_verdict_word(verdicts[k]), shk_verdict_word(others), "... on %s", problems[k]);
}

#define EACH(a, b, c)                                                                              \
  {                                                                                                \
    {a, b, c}, {a, b, c},                                                                          \
    {                                                                                              \
      a, b, c                                                                                      \
    }                                                                                              \
  }

int main(void)
{
  static const double follow[][TOLERANCES] = EACH(3e-3, 2e-4, 3e-5);
  static const double exact[][TOLERANCES] = EACH(1e-9, 2e-9, 1e-9);
  static const double outputs[][TOLERANCES] = EACH(1e-7, 5e-8, 2e-8);
  static const double deaf[][TOLERANCES] = EACH(1e-5, 1e-5, 1e-5);
  static const double stagnate[][TOLERANCES] = EACH(1e-3, 1e-5, 1e-5);
  static const double slow[][TOLERANCES] = EACH(1e-3, 3e-4, 5e-5);
  static const double few[][TOLERANCES] = {
      {1e-5, 1e-5, 1e-5}, {1e-3, 1e-5, 1e-7}, {1e-3, 1e-5, 1e-7}};
  expect("the square root of the tolerance", SHK_VERDICT_HELD, SHK_VERDICT_HELD, follow);
  expect("below the tolerance", SHK_VERDICT_HELD, SHK_VERDICT_HELD, exact);
  expect("where outputs limit the steps", SHK_VERDICT_HELD, SHK_VERDICT_HELD, outputs);
  expect("whatever the tolerance", SHK_VERDICT_FALSIFIED, SHK_VERDICT_FALSIFIED, deaf);
  expect("not beyond some", SHK_VERDICT_FALSIFIED, SHK_VERDICT_FALSIFIED, stagnate);
  expect("slowly", SHK_VERDICT_UNDECIDED, SHK_VERDICT_UNDECIDED, slow);
  expect("whatever the tolerance on one problem", SHK_VERDICT_UNDECIDED, SHK_VERDICT_HELD, few);
  return tap_done();
}
