/* The plan: what cells a study expands to, in what order, at what times, with which references, and
 * what is said of steps and times that do not fit. */
#include "harness/plan/plan.h"
#include "engine/names.h"
#include "foundation/memory.h"
#include "harness/study/decimal.h"
#include "results/record/cell_text.h"
#include "tests/kit/context.h"
#include "tests/kit/scratch_file.h"

#include <unistd.h>

static char path[] = "/tmp/shakedown-plan-XXXXXX";
static struct shk_study *study; /* of the plan that was made last */

/* The plan of a study of one or more runs. */
static struct shk_plan *plan_of(const char *runs, struct shk_message *error)
{
  shk_study_free(study);
  FILE *const file = fopen(path, "w");
  fprintf(file, "study: s\nruns:\n%s", runs);
  fclose(file);
  error->text[0] = '\0';
  study = shk_study_read(&test_context, path, NULL, error);
  return study ? shk_plan_make(study, error) : NULL;
}

static struct shk_plan *good_plan(const char *runs, const char *name)
{
  struct shk_message error;
  struct shk_plan *const plan = plan_of(runs, &error);
  if (!tap_ok(plan != NULL, "%s is planned", name))
    tap_diag("%s", error.text);
  return plan;
}

static void expect_fault(const char *runs, int line, const char *part)
{
  struct shk_message error;
  struct shk_plan *const plan = plan_of(runs, &error);
  TEXT where = shk_print_text("%s:%d: ", path, line);
  if (!tap_ok(!plan && strncmp(error.text, where, strlen(where)) == 0 && strstr(error.text, part),
              "refused: %s", part))
    tap_diag("got: %s", plan ? "a plan" : error.text);
  shk_plan_free(plan);
}

/* "integrator precision step-or-tolerance" */
static void is_cell(const struct shk_plan *plan, int index, const char *want)
{
  if (!tap_ok(index < plan->count, "there is a cell %d", index))
    return;
  const struct shk_cell *const cell = &plan->cells[index].cell;
  TEXT got = shk_print_text("%s %s %s", cell->integrator, cell->precision,
                            cell->step        ? cell->step
                            : cell->tolerance ? cell->tolerance
                                              : "-");
  tap_is_text(got, want, "cell %d", index);
}

static void test_order_of_cells(void)
{
  struct shk_plan *const plan = good_plan("  - problems: [pendulum, sprung-pendulum]\n"
                                          "    integrators: [rattle, ida]\n"
                                          "    steps: [0.1, 0.05]\n"
                                          "    tolerances: [1e-3, 1e-6]\n"
                                          "    until: 2\n"
                                          "    precision: [double, quad]\n",
                                          "a study of two problems");
  if (!plan)
    return;
  static const char *const want[] = {
      "exact quad -",         "rattle double 0.1", "rattle double 0.05", "rattle quad 0.1",
      "rattle quad 0.05",     "ida double 0.001",  "ida double 1e-6",    "reference quad 1e-26",
      "reference quad 1e-28", "rattle double 0.1", "rattle double 0.05", "rattle quad 0.1",
      "rattle quad 0.05",     "ida double 0.001",  "ida double 1e-6"};
  const int count = sizeof want / sizeof want[0];
  tap_is_int(plan->count, count, "number of cells");
  for (int i = 0; i < count; i++)
    is_cell(plan, i, want[i]);
  tap_is_int(plan->group_count, 2, "one group a problem");
  tap_is_int(plan->left_out, 2, "ida in quad is left out, and counted");
  tap_ok(plan->cells[0].role == SHK_ROLE_REFERENCE && plan->cells[1].role == SHK_ROLE_MEASURED &&
             plan->cells[7].role == SHK_ROLE_REFERENCE_CHECK &&
             plan->cells[8].role == SHK_ROLE_REFERENCE,
         "roles");
  tap_ok(plan->cells[6].group == 0 && plan->cells[7].group == 1, "groups");
  tap_is_near(plan->cells[1].seconds, 0, 0, "by default a limit by the first steps");
  tap_is_near(shk_plan_first_seconds(&plan->cells[1].cell), 30, 0, "... and one for these");
  TEXT text = shk_cell_text(&plan->cells[2].cell);
  tap_is_text(text,
              "run problem=pendulum integrator=rattle precision=double step=0.05 until=2 "
              "times=0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1,1.1,1.2,1.3,1.4,1.5,1.6,1.7,1.8,1.9,2",
              "the text of a cell; times are the multiples of the largest step");
  shk_plan_free(plan);
}

/* Times are measured at the finest step or tolerance, wherever it stands. */
static void test_times_of_steps(void)
{
  struct shk_plan *const plan =
      good_plan("  - problems: [pendulum]\n    integrators: [rattle, ida]\n"
                "    steps: [0.1, 0.025, 0.05]\n    until: 1\n"
                "    tolerances: [1e-6, 1e-3]\n    measures: [time]\n",
                "a study of times");
  if (plan && tap_is_int(plan->count, 2, "a cell for each method, and no reference")) {
    is_cell(plan, 0, "rattle double 0.025");
    is_cell(plan, 1, "ida double 1e-6");
    tap_is_text(plan->cells[0].cell.kind, "time", "... of its own kind");
  }
  shk_plan_free(plan);
}

static void test_references(void)
{
  struct shk_plan *plan = good_plan("  - problems: [pendulum]\n    integrators: [rattle]\n"
                                    "    steps: [0.1]\n    until: 1\n    measures: [energy]\n",
                                    "a study without errors");
  if (plan)
    tap_is_int(plan->count, 1, "no references where no error is measured");
  shk_plan_free(plan);
  plan = good_plan("  - problems: [{problem: pendulum, q: [0.6, -0.8], p: [0, 0]}]\n"
                   "    integrators: [rattle]\n    steps: [0.1]\n    until: 1\n"
                   "    limits: {seconds: 5}\n",
                   "an explicit start");
  if (plan) {
    is_cell(plan, 1, "reference quad 1e-28");
    tap_is_text(plan->cells[1].cell.q, "0.6,-0.8", "the reference starts where its group does");
    tap_is_near(plan->cells[1].seconds, 0, 0, "a short limit does not cost the reference");
    tap_is_near(shk_plan_first_seconds(&plan->cells[1].cell), 600, 0,
                "... which chooses its steps, and has ten minutes for the first");
    tap_is_near(plan->cells[2].seconds, 5, 0, "the stated limit");
  }
  shk_plan_free(plan);
  /* Errors are asked for in the second run only: the reference still stands first. */
  plan = good_plan("  - problems: [pendulum]\n    integrators: [rattle]\n"
                   "    steps: [0.1]\n    until: 1\n    measures: [energy]\n"
                   "  - problems: [pendulum]\n    integrators: [rattle, shake]\n"
                   "    steps: [0.1]\n    until: 1\n    measures: [error]\n",
                   "two runs of one group");
  if (plan) {
    tap_is_int(plan->count, 3, "a cell of both runs is planned once");
    tap_is_int(plan->group_count, 1, "both runs share the group");
    is_cell(plan, 0, "exact quad -");
    tap_is_int(plan->cells[1].run, 0, "the cell belongs to the first run");
    tap_is_int(plan->cells[2].run, 1, "the other to the second");
    tap_ok(plan->cells[1].measures == (1ul << SHK_MEASURE_ENERGY | 1ul << SHK_MEASURE_ERROR) &&
               plan->cells[1].named == plan->cells[1].measures,
           "and has the measures of both");
  }
  shk_plan_free(plan);
  plan = good_plan("  - problems: [pendulum, double-pendulum]\n    integrators: [rattle, shake]\n"
                   "    steps: [0.1]\n    until: 1\n"
                   "    exclude: [double-pendulum with rattle, shake]\n",
                   "exclusions");
  if (plan) {
    tap_is_int(plan->count, 2, "excluded pairs have no cells, and no references");
    tap_is_int(plan->excluded, 3, "excluded pairs are counted");
  }
  shk_plan_free(plan);
}

/* Every sample time is an exact multiple of every step, ascending, and the last is the horizon. */
/* Whether a number beside a text is what the text says; NaN where there is none. */
static bool says(const char *text, double value)
{
  return text ? strtod(text, NULL) == value : isnan(value);
}

static void check_times(const struct shk_plan *plan, const char *name)
{
  bool numbers = true, fit = true, ascending = true, end = true;
  for (int i = 0; i < plan->count; i++) {
    const struct shk_cell *const cell = &plan->cells[i].cell;
    struct shk_decimal time, step, before = {.coefficient = 0};
    for (int k = 0; k < cell->time_count; k++) {
      long long count;
      shk_decimal_read(&time, cell->times[k]);
      ascending = ascending && shk_decimal_compare(before, time) < 0;
      before = time;
      numbers = numbers && says(cell->times[k], cell->numbers.times[k]);
      if (cell->step)
        fit = fit && shk_decimal_read(&step, cell->step) &&
              shk_decimal_is_multiple(&count, time, step) && count == cell->step_counts[k];
    }
    numbers = numbers && says(cell->step, cell->numbers.step) &&
              says(cell->tolerance, cell->numbers.tolerance) &&
              says(cell->until, cell->numbers.until);
    end = end && strcmp(cell->times[cell->time_count - 1], cell->until) == 0;
  }
  tap_ok(numbers, "%s: numbers stand beside their texts", name);
  tap_ok(fit, "%s: times are whole numbers of steps, which the cell has", name);
  tap_ok(ascending, "%s: times ascend", name);
  tap_ok(end, "%s: the last time is the horizon", name);
}

static void test_times(void)
{
  struct shk_plan *plan = good_plan("  - problems: [pendulum]\n    integrators: [rattle]\n"
                                    "    steps: [0.04, 0.1]\n    until: 1e5\n",
                                    "a long run");
  if (plan) {
    const struct shk_cell *const cell = &plan->cells[1].cell;
    check_times(plan, "long run");
    tap_is_int(cell->time_count, 201, "200 even times and a generic one");
    tap_is_text(cell->times[0], "500", "the first even time");
    tap_is_text(cell->times[124], "62000", "even times go on");
    tap_is_text(cell->times[123], "61803.4", "a generic time near 0.618 of the horizon");
  }
  shk_plan_free(plan);
  plan = good_plan("  - problems: [pendulum]\n    integrators: [rattle]\n"
                   "    steps: [0.1]\n    until: 20.2\n",
                   "202 intervals");
  if (plan)
    tap_is_int(plan->cells[1].cell.time_count, 202, "all of 202 times are taken");
  shk_plan_free(plan);
  plan = good_plan("  - problems: [pendulum]\n    integrators: [rattle]\n"
                   "    steps: [0.1]\n    until: 20.3\n",
                   "203 intervals");
  if (plan) {
    check_times(plan, "203 intervals");
    tap_is_int(plan->cells[1].cell.time_count, 103, "every second of 203, a generic one, the end");
  }
  shk_plan_free(plan);
  plan = good_plan("  - problems: [pendulum]\n    integrators: [rattle]\n"
                   "    steps: [0.1, 0.05]\n    until: 2\n    times: [0.7, 1.3]\n",
                   "explicit times");
  if (plan) {
    tap_is_int(plan->cells[1].cell.time_count, 3, "explicit times and the horizon");
    tap_is_text(plan->cells[1].cell.times[1], "1.3", "an explicit time");
  }
  shk_plan_free(plan);
  plan = good_plan("  - problems: [pendulum]\n    integrators: [ida]\n    until: 2\n",
                   "adaptive integrators only");
  if (plan) {
    tap_is_int(plan->count, 5, "four tolerances by default, and the exact solution");
    is_cell(plan, 4, "ida double 1e-10");
    tap_is_int(plan->cells[1].cell.time_count, 200, "200 even times without steps");
    tap_is_text(plan->cells[1].cell.times[0], "0.01", "the first of them");
  }
  shk_plan_free(plan);
}

/* Returns the number of sample times of RATTLE's cell on this problem, with such figures. */
static int time_count(const char *problem, const char *until, const char *figures)
{
  char run[256];
  int count = 0;
  snprintf(run, sizeof run,
           "  - problems: [pendulum, spherical-pendulum]\n    integrators: [rattle]\n"
           "    steps: [0.01]\n    until: %s\n%s",
           until, figures);
  struct shk_plan *const plan = good_plan(run, figures);
  for (int i = 0; plan && i < plan->count; i++)
    if (strcmp(plan->cells[i].cell.problem, problem) == 0)
      count = plan->cells[i].cell.time_count;
  shk_plan_free(plan);
  return count;
}

static void test_paths(void)
{
  static const char drawn[] = "figures: [{kind: trajectory, problems: [spherical-pendulum]}]\n";
  tap_is_int(time_count("spherical-pendulum", "20", "figures: [energy]\n"), 201,
             "200 times and a generic one of a run of which no path is drawn");
  tap_is_int(time_count("spherical-pendulum", "20", drawn), 224,
             "up to 12 a time scale of one whose path is: every ninth of 2000 steps");
  tap_is_int(time_count("pendulum", "20", drawn), 201, "but not of the other problem");
  tap_is_int(time_count("pendulum", "20", "figures: [phase]\n"), 224, "of all problems by default");
  tap_is_int(time_count("pendulum", "4", "figures: [motion]\n"), 201, "200 of a short run");
  tap_is_int(time_count("pendulum", "2000", "figures: [motion]\n"), 2001, "2000 of a long one");
}

static void test_natural(void)
{
  struct shk_plan *plan = good_plan("  - problems: [sprung-pendulum, double-pendulum, chain]\n"
                                    "    integrators: [rattle]\n    measures: [energy]\n",
                                    "all natural");
  if (plan) {
    check_times(plan, "natural");
    tap_is_int(plan->count, 21, "seven steps for each of three problems");
    for (int i = 0; i < plan->count; i += 7) {
      const struct shk_cell *const cell = &plan->cells[i].cell;
      struct shk_inspection inspection;
      struct shk_message error;
      struct shk_decimal until, step, last;
      long long count = 0, finest = 0;
      shk_inspect(&test_context, &inspection, "double", cell->problem, &error);
      shk_decimal_read(&until, cell->until);
      shk_decimal_read(&step, cell->step);
      shk_decimal_read(&last, plan->cells[i + 6].cell.step);
      tap_is_near(shk_decimal_approximate(until), inspection.horizon, 0.005 * inspection.horizon,
                  "%s: the horizon", cell->problem);
      shk_decimal_is_multiple(&count, until, step);
      shk_decimal_is_multiple(&finest, until, last);
      const double wanted = 10 * inspection.horizon / inspection.time_scale;
      tap_ok((double)count > wanted / 1.3 && (double)count < wanted * 1.3,
             "%s: %lld steps, about 10 a time scale", cell->problem, count);
      tap_is_int(finest, 64 * count, "%s: halved six times", cell->problem);
      while (count % 2 == 0)
        count /= 2;
      while (count % 5 == 0)
        count /= 5;
      tap_is_int(count, 1, "%s: of the form 2^a 5^b", cell->problem);
    }
  }
  shk_plan_free(plan);
  plan = good_plan("  - problems: [sprung-pendulum]\n    integrators: [rattle]\n"
                   "    steps: [0.1, 0.025]\n    measures: [energy]\n",
                   "listed steps with a natural horizon");
  if (plan)
    check_times(plan, "listed steps");
  shk_plan_free(plan);
}

static void test_faults(void)
{
#define RUN "  - problems: [pendulum]\n    integrators: [rattle]\n"
  expect_fault(RUN "    steps: [0.11]\n    until: 10.7\n", 5,
               "the step 0.11 does not divide the horizon 10.7 of pendulum; the nearest that does "
               "is 0.107");
  expect_fault(RUN "    steps: [0.1, 0.03]\n    until: 10.7\n", 5, "the nearest that does is ");
  expect_fault(RUN "    until: 1\n    steps: [2]\n", 6, "the step 2 is longer than the horizon 1");
  expect_fault(RUN "    until: 1\n    steps: [0.1]\n    times: [0.25]\n", 7,
               "the sample time 0.25 is not a whole number of steps of length 0.1");
  expect_fault(RUN "    until: 1\n    steps: [0.1]\n    times: [1.1]\n", 7,
               "the sample time 1.1 is beyond the horizon");
  expect_fault(RUN "    steps: [1e6]\n", 5, "does not fit the natural horizon");
#undef RUN
}

int main(void)
{
  if (!make_scratch_file(path))
    return tap_done();
  test_order_of_cells();
  test_times();
  test_times_of_steps();
  test_references();
  test_times();
  test_paths();
  test_natural();
  test_faults();
  shk_study_free(study);
  unlink(path);
  return tap_done();
}
