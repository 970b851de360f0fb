/* Choices in study files: names, the budget, the kind and order of methods, conditions, random
 * systems, and the steps, horizons and times that follow the problem. */
#include "foundation/memory.h"
#include "harness/plan/plan.h"
#include "harness/study/study.h"
#include "tests/kit/context.h"
#include "tests/kit/scratch_file.h"

#include <unistd.h>

static char path[] = "/tmp/shakedown-choices-XXXXXX";

static struct shk_study *read_with(const char *text, const struct shk_study_settings *settings,
                                   struct shk_message *error)
{
  FILE *const file = fopen(path, "wb");
  if (!file || fputs(text, file) < 0 || fclose(file) != 0)
    tap_diag("cannot write %s", path);
  return shk_study_read(&test_context, path, settings, error);
}

/* "problems / integrators / precisions / measures" of each run, a line each. */
static char *told(const struct shk_study *study)
{
  char *text = shk_copy_text("");
  for (int r = 0; r < study->run_count; r++) {
    const struct shk_study_run *const run = &study->runs[r];
    for (int i = 0; i < run->problem_count; i++)
      shk_append_text(&text, "%s ", run->problems[i].problem);
    shk_append_text(&text, "/");
    for (int i = 0; i < run->integrators.count; i++)
      shk_append_text(&text, " %s", run->integrators.texts[i]);
    shk_append_text(&text, " /");
    for (int i = 0; i < run->precisions.count; i++)
      shk_append_text(&text, " %s", run->precisions.texts[i]);
    shk_append_text(&text, " / %s\n", run->measures.texts[0]);
  }
  return text;
}

/* The runs of a text that begins with `runs:` or other keys of a study. */
static void expect_runs(const char *body, const struct shk_study_settings *settings,
                        const char *want, const char *name)
{
  struct shk_message error = {.text = ""};
  TEXT text = shk_print_text("study: s\n%s", body);
  struct shk_study *const study = read_with(text, settings, &error);
  TEXT got = study ? told(study) : shk_copy_text(error.text);
  tap_is_text(got, want, "%s", name);
  shk_study_free(study);
}

static void expect_fault(const char *body, const char *part)
{
  struct shk_message error = {.text = ""};
  TEXT text = shk_print_text("study: s\n%s", body);
  struct shk_study *const study = read_with(text, NULL, &error);
  if (!tap_ok(!study && strstr(error.text, part), "%s", part))
    tap_diag("got: %s", study ? "a study" : error.text);
  shk_study_free(study);
}

static void test_names(void)
{
  const char *const method[] = {"shake"};
  const struct shk_study_name names[] = {{"method", 1, method}};
  const struct shk_study_settings settings = {SHK_BUDGET_DEFAULT, 1, 1, names};
  expect_runs(
      "names: {small: [pendulum, neumann], what: [energy]}\n"
      "runs:\n  - {problems: [$small, pendulum(angle=1.0)], integrators: [$method, rattle], "
      "measures: $what}\n",
      &settings, "pendulum neumann pendulum(angle=1) / shake rattle / double / energy\n",
      "a name stands for its list, $method for what a command sets");
  expect_runs("runs:\n  - {problems: [$problems, pendulum], integrators: [rattle]}\n", NULL,
              "pendulum / rattle / double / error\n", "what no command sets is empty");
  expect_runs("names: {a: {problems: [pendulum], precision: [quad], measures: [energy]},\n"
              "        b: {like: $a, measures: [order], integrators: [rattle]}}\n"
              "runs:\n  - {like: $b, precision: [double]}\n",
              NULL, "pendulum / rattle / double / order\n",
              "a run is like another but for its keys");
  expect_fault("runs:\n  - {problems: [$nothing], integrators: [rattle]}\n",
               "$nothing is neither defined under `names` nor set by a command");
  expect_fault("names: {a: [$a]}\nruns:\n  - {problems: [$a], integrators: [rattle]}\n",
               "nested names");
  expect_fault("names: {a: $a}\nruns:\n  - {problems: $a, integrators: [rattle]}\n",
               "nested names and choices");
  expect_fault("names: {a: {like: $a}}\nruns:\n  - {like: $a}\n", "nested `like`");
  expect_fault("names: {a: {integrators: [rattle]}}\nruns:\n  - {like: $a}\n",
               "\"problems\" is missing");
}

static void test_budget(void)
{
  static const char body[] = "runs:\n  - {problems: [pendulum], integrators: [rattle],\n"
                             "     measures: {brief: [energy], thorough: [energy, order]},\n"
                             "     precision: {default: [quad], thorough: [double]}}\n"
                             "  - {problems: [neumann], integrators: [rattle], budget: thorough}\n";
  struct shk_study_settings settings = {.budget = SHK_BUDGET_BRIEF, .seed = 1};
  expect_runs(body, &settings, "pendulum / rattle / quad / energy\n",
              "a brief budget takes the least value that there is");
  settings.budget = SHK_BUDGET_THOROUGH;
  expect_runs(body, &settings,
              "pendulum / rattle / double / energy\nneumann / rattle / double / error\n",
              "a thorough one the largest, and all runs");
  expect_runs(body, NULL, "pendulum / rattle / quad / energy\n", "the default is between them");
  expect_fault("budget: huge\nruns:\n  - {problems: [pendulum], integrators: [rattle]}\n",
               "found \"huge\", expected brief, default or thorough");
}

static void test_methods(void)
{
  expect_runs("runs:\n  - {problems: [pendulum], integrators: [rattle, ida, projection],\n"
              "     precision: [finest], measures: {fixed: [order], adaptive: [error]}}\n",
              NULL,
              "pendulum / rattle / quad / order\npendulum / ida / double / error\n"
              "pendulum / projection / quad / order\n",
              "values by the kind of method, and the finest precision that it has");
  expect_runs("runs:\n  - {problems: [pendulum], measures: [order],\n"
              "     integrators: [symplectic-euler-rattle, rattle, projection],\n"
              "     precision: {order 0: [single], order 2: [double], order 4: [quad]}}\n",
              NULL,
              "pendulum / symplectic-euler-rattle / single / order\n"
              "pendulum / rattle / double / order\npendulum / projection / quad / order\n",
              "values by the order that is claimed");
  expect_fault("runs:\n  - {problems: [pendulum], integrators: [rattle], precision: [finest],\n"
               "     sweep: {linear: [lu, cholesky]}}\n",
               "a sweep cannot be combined with values chosen by the method");
}

static void expect_where(const char *where, const char *want)
{
  char *const body =
      shk_print_text("runs:\n  - {problems: [pendulum], measures: [order], where: %s,\n"
                     "     integrators: [symplectic-euler-rattle, rattle, projection, ida]}\n",
                     where);
  TEXT line = shk_print_text("pendulum / %s / double / order\n", want);
  expect_runs(body, NULL, line, where);
  free(body);
}

static void test_where(void)
{
  expect_where("{order: 2 to 2}", "rattle");
  expect_where("{order: 2 to 9, adaptive: no}", "rattle projection");
  expect_where("{adaptive: yes}", "ida");
  expect_where("{quad: yes}", "symplectic-euler-rattle rattle projection");
  expect_where("{claims: [symplectic, order of q]}", "symplectic-euler-rattle rattle");
  expect_where("{supports: forces, order: 0 to 3}", "symplectic-euler-rattle rattle ida");
  expect_where("{plugin: no, plugin-solver: no, order: 4 to 4}", "projection");
  expect_where("{program: no, order: 2 to 2}", "rattle");
  expect_where("{takes-none-of: [jay]}", "symplectic-euler-rattle rattle projection");
  expect_fault("runs:\n  - {problems: [pendulum], integrators: [rattle], where: {adaptive: yes}}\n",
               "no run is left");
  expect_fault("runs:\n  - {problems: [pendulum], integrators: [rattle], where: {program: yes}}\n",
               "no run is left");
  expect_fault("runs:\n  - {problems: [pendulum], integrators: [rattle], where: {order: two}}\n",
               "found \"two\", expected orders, as in 1 to 2");
  expect_fault(
      "runs:\n  - {problems: [pendulum], integrators: [rattle], where: {claims: [fast]}}\n",
      "unknown claim \"fast\"");
}

static void test_random(void)
{
  static const char body[] =
      "runs:\n  - {problems: ['random-system(size=small,seed=$seed3)', one of: [pendulum, "
      "neumann]],\n"
      "     integrators: [rattle], measures: [order], draws: {brief: 1, thorough: 2}}\n";
  struct shk_study_settings settings = {.budget = SHK_BUDGET_DEFAULT, .seed = 5};
  expect_runs(body, NULL, "random-system(seed=99,size=small) neumann / rattle / double / order\n",
              "the first seed");
  settings.budget = SHK_BUDGET_THOROUGH;
  expect_runs(body, &settings,
              "random-system(seed=483,size=small) neumann / rattle / double / order\n"
              "random-system(seed=499,size=small) pendulum / rattle / double / order\n",
              "another seed draws other systems, and so does each repetition");
  expect_runs(
      "seed: 2\nruns:\n  - {problems: ['random-system(seed=$seed0)'], integrators: [rattle],\n"
      "     measures: [order]}\n",
      NULL, "random-system(seed=192) / rattle / double / order\n", "the seed of the file itself");
  expect_fault("runs:\n  - {problems: ['random-system(seed=$seed16)'], integrators: [rattle]}\n",
               "$seed16");
  expect_fault("seed: 0\nruns:\n  - {problems: [pendulum], integrators: [rattle]}\n",
               "expected a whole number from 1");
  expect_fault("runs:\n  - {problems: [pendulum], integrators: [rattle], draws: 7}\n",
               "found 7 draws, expected at most 6");
}

/* The cells of a run on a pendulum, as "step: times until". */
static void expect_cells(const char *keys, const char *want)
{
  struct shk_message error = {.text = ""};
  TEXT text = shk_print_text(
      "study: s\nruns:\n  - {problems: [pendulum], integrators: [rattle], measures: [energy],\n"
      "     %s}\n",
      keys);
  struct shk_study *const study = read_with(text, NULL, &error);
  struct shk_plan *const plan = study ? shk_plan_make(study, &error) : NULL;
  char *got = shk_copy_text(plan ? "" : error.text);
  for (int i = 0; plan && i < plan->count; i++)
    shk_append_text(&got, "%s%s: %d until %s", i > 0 ? ", " : "", plan->cells[i].cell.step,
                    plan->cells[i].cell.time_count, plan->cells[i].cell.until);
  tap_ok(strstr(got, want) != NULL, "%s", keys);
  if (!strstr(got, want))
    tap_diag("got: %s", got);
  free(got);
  shk_plan_free(plan);
  shk_study_free(study);
}

static void test_schedules(void)
{
  expect_cells("until: {scales: 4}, times: {even: 2}, steps: {largest: until/16, parts: [1, 5]}",
               "0.25: 2 until 4, 0.05: 2 until 4");
  expect_cells("until: 2, times: [2], steps: {largest: 0.5, parts: [1, 2]}",
               "0.5: 1 until 2, 0.25: 1 until 2");
  expect_cells("until: {scales: 1234567, digits: 2}, times: {even: 1}, steps: {largest: until, "
               "parts: [8]}",
               "1.5e5: 1 until 1.2e6");
  expect_cells("until: {scales: 1e6, within-natural: yes, digits: 1}, times: {even: 1}, steps: "
               "{largest: until, parts: [1]}",
               "10: 1 until 10");
  expect_cells("until: 1, times: {even: 3}, steps: [0.1]", "not a decimal of 30 digits");
  expect_cells("until: 1, times: {even: 4}, steps: [0.1]", "0.25 is not a whole number of steps");
  expect_cells("until: 1, steps: {largest: until, parts: [3]}", "not a decimal of 30 digits");
  expect_cells("until: 1, steps: {largest: until/x, parts: [2]}", "found \"until/x\"");
}

static void test_refused(void)
{
  struct shk_message error = {.text = ""};
  static const char *const words[] = {"no", "yes"};
  for (int left = 0; left < 2; left++) {
    TEXT text = shk_print_text("study: s\nruns:\n  - {problems: [jay, pendulum], "
                               "integrators: [rattle], supported-only: %s,\n"
                               "     measures: [energy], until: 1, steps: [0.1]}\n",
                               words[left]);
    struct shk_study *const study = read_with(text, NULL, &error);
    struct shk_plan *const plan = study ? shk_plan_make(study, &error) : NULL;
    tap_is_int(plan ? plan->count : -1, 2 - left, "supported only: %s", words[left]);
    shk_plan_free(plan);
    shk_study_free(study);
  }
}

int main(void)
{
  const int file = mkstemp(path);
  if (file < 0)
    return 1;
  close(file);
  test_names();
  test_budget();
  test_methods();
  test_where();
  test_random();
  test_schedules();
  test_refused();
  unlink(path);
  return tap_done();
}
