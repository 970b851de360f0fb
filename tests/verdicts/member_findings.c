/*
 * What is said of cells with members: an ensemble says of its worst member what a study of that
 * start alone says of it, with means, extremes and a spread; a member that fails fails the cell.
 */
#include "engine/engine.h"
#include "foundation/memory.h"
#include "harness/analysis/analysis.h"
#include "harness/plan/plan.h"
#include "tests/kit/context.h"
#include "tests/kit/record_array.h"
#include "tests/kit/tap.h"

/* Runs every cell of a study here and analyses the records. */
static struct shk_analysis *analyse(const char *run_text, struct shk_study **study,
                                    struct shk_plan **plan, struct shk_record ***records)
{
  struct shk_message error = {""};
  TEXT text = shk_print_text("study: s\nruns:\n  - integrators: [rattle]\n%s", run_text);
  *study = shk_study_parse(&test_context, text, strlen(text), "s.yaml", &error);
  *plan = *study ? shk_plan_make(*study, &error) : NULL;
  if (!*plan) {
    tap_ok(false, "the study is planned: %s", error.text);
    exit(tap_done());
  }
  *records = shk_allocate((size_t)(*plan)->count, sizeof **records);
  for (int i = 0; i < (*plan)->count; i++) {
    struct shk_record *const record = (*records)[i] = shk_allocate(1, sizeof *record);
    record->end = SHK_END_FINISHED;
    shk_cell_copy(&record->cell, &(*plan)->cells[i].cell);
    shk_engine_named(record->cell.precision, &error)
        ->run(&test_context, &record->outcome, &record->cell);
  }
  struct record_array array;
  array = record_array_of((const struct shk_record *const *)*records);
  return shk_analyse(*study, *plan, &array.records, NULL);
}

static void discard(struct shk_analysis *analysis, struct shk_study *study, struct shk_plan *plan,
                    struct shk_record **records)
{
  for (int i = 0; i < plan->count; i++) {
    shk_record_clear(records[i]);
    free(records[i]);
  }
  free(records);
  shk_analysis_free(analysis);
  shk_plan_free(plan);
  shk_study_free(study);
}

static const struct shk_finding *find(const struct shk_analysis *analysis, const char *problem,
                                      const char *quantity)
{
  for (int i = 0; i < analysis->finding_count; i++)
    if (strcmp(analysis->findings[i].quantity, quantity) == 0 &&
        strcmp(analysis->findings[i].problem, problem) == 0)
      return &analysis->findings[i];
  tap_diag("there is no %s of %s", quantity, problem);
  exit(tap_done());
}

static const char *const quantities[] = {"error of q", "error of p at T", "energy max",
                                         "hidden max"};

/* The ensemble says of its worst member what a study of that start alone says of it. */
static void members_are_analysed(void)
{
  static const char common[] = "    steps: {largest: 0.05, halvings: 3}\n    until: 2\n"
                               "    times: [0.7, 1.3, 2]\n"
                               "    measures: [error, order, energy, constraint]\n";
  static const char ensemble[] = "double-pendulum over 3 members";
  static const char *const starts[] = {"double-pendulum(angle1=1)", "double-pendulum(angle1=1.5)",
                                       "double-pendulum(angle1=2)"};
  struct shk_study *study[2];
  struct shk_plan *plan[2];
  struct shk_record **records[2];
  struct shk_analysis *analysis[2];
  char *text = shk_print_text(
      "    problems: [double-pendulum]\n    members: {angle1: [1, 1.5, 2]}\n%s", common);
  analysis[0] = analyse(text, &study[0], &plan[0], &records[0]);
  free(text);
  text = shk_print_text("    problems: [double-pendulum]\n    sweep: {angle1: [1, 1.5, 2]}\n%s",
                        common);
  analysis[1] = analyse(text, &study[1], &plan[1], &records[1]);
  free(text);
  tap_ok(plan[0]->count == 6 && plan[1]->count == 18 && plan[0]->cells[0].cell.member_count == 3 &&
             plan[0]->cells[0].role != SHK_ROLE_MEASURED,
         "three members are one cell, and so are those of their reference");
  for (size_t k = 0; k < sizeof quantities / sizeof quantities[0]; k++) {
    double values[3], worst = 0;
    int at = 0;
    for (int i = 0; i < 3; i++) {
      values[i] = find(analysis[1], starts[i], quantities[k])->value;
      if (values[i] > worst) {
        worst = values[i];
        at = i;
      }
    }
    tap_ok(find(analysis[0], ensemble, quantities[k])->value == worst && worst > 0,
           "%s over members is the largest of the same starts alone, %.3g", quantities[k], worst);
    if (strstr(quantities[k], "at T") || strcmp(quantities[k], "hidden max") == 0)
      continue; /* no members told; the worst of all steps, not of the finest */
    char *name = shk_print_text("%s, worst member", quantities[k]);
    char *want = shk_print_text("%d: %s", at + 1, starts[at]);
    tap_is_text(find(analysis[0], ensemble, name)->word, want, "%s is named", name);
    free(name);
    free(want);
    name = shk_print_text("%s, mean of members", quantities[k]);
    const double mean = (values[0] + values[1] + values[2]) / 3;
    tap_is_near(find(analysis[0], ensemble, name)->value, mean, 1e-12 * mean, "%s", name);
    free(name);
  }
  double orders[3], most = 0;
  for (int i = 0; i < 3; i++) {
    orders[i] = find(analysis[1], starts[i], "order of q")->value;
    most = fmax(most, orders[i]);
  }
  const struct shk_finding *const order = find(analysis[0], ensemble, "order of q");
  const struct shk_finding *const mean = find(analysis[0], ensemble, "order of q, mean of members");
  tap_is_near(mean->value, (orders[0] + orders[1] + orders[2]) / 3, 1e-12,
              "the mean order is that of the starts alone");
  tap_ok(find(analysis[0], ensemble, "order of q, largest of members")->value == most,
         "and so is the largest");
  tap_ok(order->verdict == SHK_VERDICT_HELD && order->uncertainty >= mean->uncertainty,
         "the order of the worst errors has no smaller half-width than the mean: %.3g ± %.2g",
         order->value, order->uncertainty);
  discard(analysis[0], study[0], plan[0], records[0]);
  discard(analysis[1], study[1], plan[1], records[1]);
}

/* Two members say little of their spread, so that it rules the half-width. */
static void the_spread_is_an_uncertainty(void)
{
  struct shk_study *study;
  struct shk_plan *plan;
  struct shk_record **records;
  struct shk_analysis *const analysis =
      analyse("    problems: [double-pendulum]\n    steps: {largest: 0.05, halvings: 3}\n"
              "    until: 2\n    measures: [order]\n    members: {angle1: [1, 2]}\n",
              &study, &plan, &records);
  const char *const problem = "double-pendulum over 2 members";
  const double least = find(analysis, problem, "order of q, least of members")->value;
  const double largest = find(analysis, problem, "order of q, largest of members")->value;
  /* Student's t of one degree of freedom at 0.975 is 12.706; of two values s = |a - b|/√2. */
  tap_ok(find(analysis, problem, "order of q")->uncertainty >=
             12.7062047 * (largest - least) / 2 - 1e-6,
         "an order is no more certain than the spread of its members allows");
  tap_ok(plan->cells[0].cell.time_count <= 18, "states are kept at few times: %d",
         plan->cells[0].cell.time_count);
  discard(analysis, study, plan, records);
}

/* A member that fails is told; nothing is averaged over those that are left. */
static void a_failed_member_fails_the_cell(void)
{
  struct shk_study *study;
  struct shk_plan *plan;
  struct shk_record **records;
  struct shk_analysis *const analysis =
      analyse("    problems: [pendulum]\n    steps: [0.1]\n    until: 1\n    measures: [energy]\n"
              "    members: {rate: [1, 1e9]}\n",
              &study, &plan, &records);
  const struct shk_finding *const status = find(analysis, "pendulum over 2 members", "status");
  bool told = false;
  for (int i = 0; i < analysis->finding_count; i++)
    told = told || strncmp(analysis->findings[i].quantity, "energy max", 10) == 0;
  tap_ok(status->verdict == SHK_VERDICT_FAILED &&
             strstr(status->reason, "1 of 2 members failed; member 2") && !told &&
             shk_analysis_exit_code(analysis) == 3,
         "a member that failed: %s", status->reason);
  discard(analysis, study, plan, records);
}

int main(void)
{
  members_are_analysed();
  the_spread_is_an_uncertainty();
  a_failed_member_fails_the_cell();
  return tap_done();
}
