/* Study files: what is read, and what is said of every kind of fault, with its place; the exact
 * decimals that steps are made of. */
#include "harness/study/study.h"
#include "foundation/memory.h"
#include "harness/study/decimal.h"
#include "tests/kit/context.h"
#include "tests/kit/scratch_file.h"

#include <limits.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[] = "/tmp/shakedown-study-XXXXXX";

static void write_file(const char *text, size_t length)
{
  FILE *const file = fopen(path, "wb");
  if (!file || fwrite(text, 1, length, file) != length || fclose(file) != 0)
    tap_diag("cannot write %s", path);
}

static struct shk_study *read_text(const char *text, struct shk_message *error)
{
  write_file(text, strlen(text));
  return shk_study_read(&test_context, path, NULL, error);
}

/* "a b c" */
static char *joined(char *const *list, int count)
{
  char *text = shk_copy_text("");
  for (int i = 0; i < count; i++) {
    char *const longer = shk_print_text("%s%s%s", text, i ? " " : "", list[i]);
    free(text);
    text = longer;
  }
  return text;
}

static void is_decimal(bool ok, struct shk_decimal x, const char *want, const char *name)
{
  TEXT got = ok ? shk_decimal_text(x) : shk_copy_text("none");
  tap_is_text(got, want, "%s", name);
}

static void is_list(char *const *list, int count, const char *want, const char *name)
{
  TEXT got = joined(list, count);
  tap_is_text(got, want, "%s", name);
}

static void test_whole_study(void)
{
  static const char text[] =
      "study: all-of-it\n"
      "purpose: everything a study may say\n"
      "runs:\n"
      "  - problems:\n"
      "      - pendulum(rate=1.10,angle=0.7)\n"
      "      - double-pendulum\n"
      "      - {problem: pendulum, q: [0.8, 0], p: [0, 6e-1], project: yes}\n"
      "    integrators: [rattle, shake, ida, rattle(linear=lu)]\n"
      "    steps: {largest: 0.1, halvings: 8}\n"
      "    tolerances: {largest: 1e-3, smallest: 1e-6, factor: 10}\n"
      "    until: 10.70\n"
      "    times: [10.7, 1, 2.50]\n"
      "    precision: [double, quad]\n"
      "    measures: [error, energy]\n"
      "    exclude: [ida, pendulum with shake]\n"
      "    limits: {seconds: 60, memory: 2GiB}\n"
      "  - problems: [pendulum]\n"
      "    integrators: [rattle]\n"
      "figures: [order, energy]\n";
  struct shk_message error = {.text = ""};
  struct shk_study *const study = read_text(text, &error);
  if (!tap_ok(study != NULL, "a study with every key is read")) {
    tap_diag("%s", error.text);
    return;
  }
  tap_is_text(study->name, "all-of-it", "name");
  tap_is_text(study->purpose, "everything a study may say", "purpose");
  tap_is_text(study->text, text, "the file's own text is kept");
  tap_is_int(study->figure_count, 2, "two figures");
  tap_is_text(study->figures[0].kind, "order", "the first");
  tap_is_text(study->figures[1].kind, "energy", "the second");
  tap_is_int(study->run_count, 2, "two runs");
  const struct shk_study_run *const run = &study->runs[0];
  tap_is_int(run->line, 4, "line of the run");
  tap_is_int(run->problem_count, 3, "three problems");
  tap_is_text(run->problems[0].problem, "pendulum(angle=0.7,rate=1.1)", "a problem is canonical");
  tap_is_text(run->problems[1].q, NULL, "a problem without an explicit start");
  tap_is_text(run->problems[2].q, "0.8,0", "explicit q");
  tap_is_text(run->problems[2].p, "0,0.6", "explicit p");
  tap_ok(run->problems[2].project && !run->problems[0].project, "project is read");
  is_list(run->integrators.texts, run->integrators.count, "rattle shake ida rattle(linear=lu)",
          "integrators in a flow list");
  is_list(run->steps.texts, run->steps.count,
          "0.1 0.05 0.025 0.0125 0.00625 0.003125 0.0015625 0.00078125 0.000390625",
          "halvings are exact");
  is_list(run->tolerances.texts, run->tolerances.count, "0.001 1e-4 1e-5 1e-6",
          "tolerances by a factor");
  is_decimal(true, run->until, "10.7", "until");
  is_list(run->times.texts, run->times.count, "1 2.5 10.7", "times are sorted");
  is_list(run->precisions.texts, run->precisions.count, "double quad", "precisions");
  is_list(run->measures.texts, run->measures.count, "error energy", "measures");
  tap_is_near(run->seconds, 60, 0, "limit of seconds");
  tap_is_near(run->megabytes, 2048, 0, "limit of memory in MiB");
  tap_ok(shk_run_excludes(run, "double-pendulum", "ida"), "an integrator is excluded everywhere");
  tap_ok(shk_run_excludes(run, "pendulum(angle=0.7,rate=1.1)", "shake"),
         "a bare name excludes every variant");
  tap_ok(!shk_run_excludes(run, "double-pendulum", "shake"), "not with another problem");
  tap_ok(!shk_run_excludes(run, "double-pendulum", "rattle"), "not another integrator");
  const struct shk_study_run *const plain = &study->runs[1];
  tap_ok(plain->step_kind == SHK_STEPS_NATURAL && plain->until.coefficient == 0 &&
             plain->times.count == 0,
         "steps, horizon and times are natural by default");
  is_list(plain->precisions.texts, plain->precisions.count, "double", "precision by default");
  tap_ok(shk_run_measures(plain, SHK_MEASURE_ORDER) && shk_run_measures(plain, SHK_MEASURE_WORK),
         "all measures by default");
  shk_study_free(study);
}

static void test_sweeps(void)
{
  struct shk_message error = {.text = ""};
  struct shk_study *study =
      read_text("study: s\n"
                "runs:\n"
                "  - problems: [double-pendulum, pendulum]\n"
                "    integrators: [rattle, ida]\n"
                "    sweep: {angle: [89..90deg, 0.5], linear: [lu, cholesky]}\n",
                &error);
  if (!tap_ok(study != NULL, "a study with sweeps is read")) {
    tap_diag("%s", error.text);
    return;
  }
  const struct shk_study_run *const run = &study->runs[0];
  tap_is_int(run->problem_count, 4, "only the problem with the option is swept");
  tap_is_text(run->problems[1].problem, "pendulum(angle=89deg)", "a value may be a range");
  tap_is_text(run->problems[2].problem, "pendulum", "a swept value may be the default");
  tap_is_text(run->problems[3].problem, "pendulum(angle=0.5)", "the swept option is set");
  is_list(run->integrators.texts, run->integrators.count,
          "rattle(linear=lu) rattle(linear=cholesky) ida", "a sweep over an integrator's option");
  shk_study_free(study);
}

static const char head[] = "study: s\nruns:\n  - problems: [pendulum]\n    integrators: [rattle]\n";

static void expect_fault(const char *text, const char *place, const char *part)
{
  struct shk_message error = {.text = ""};
  struct shk_study *const study = read_text(text, &error);
  TEXT where = shk_print_text("%s:%s: ", path, place);
  const bool ok =
      !study && strncmp(error.text, where, strlen(where)) == 0 && strstr(error.text, part);
  if (!tap_ok(ok, "%s: %s", place, part))
    tap_diag("got: %s", study ? "a study" : error.text);
  shk_study_free(study);
}

/* A fault in a line after the head, which is line 5. */
static void expect_line_fault(const char *line, const char *place, const char *part)
{
  TEXT text = shk_print_text("%s    %s\n", head, line);
  expect_fault(text, place, part);
}

static void test_figures(void)
{
  struct shk_message error = {.text = ""};
  struct shk_study *const study = read_text(
      "study: s\n"
      "figures:\n"
      "  - {kind: phase, name: a-1, axes: [q3, p12], width: 12.5, legend: ends, step: "
      "0.10, precision: quad}\n"
      "  - {kind: energy, problems: [pendulum], integrators: [rattle(flow=verlet), shake]}\n"
      "  - {kind: order, across: problems, down: [q, lambda-mean]}\n"
      "  - {name: both, per-row: 2, panels: [{kind: work-precision, against: time}, phase]}\n"
      "style:\n"
      "  rattle: {colour: vermilion, hollow: yes}\n"
      "  rattle(linear=svd): {colour: \"#00ff7f\", mark: diamond, on-top: yes}\n"
      "range: {order: {y: [1e-14, 1]}, energy: {x: [0, 7]}}\n"
      "font: serif\n"
      "runs:\n"
      "  - problems: [\"pendulum(angle=1)\", pendulum]\n"
      "    integrators: [rattle, \"rattle(linear=svd)\", shake, \"shake(linear=svd)\"]\n",
      &error);
  if (!tap_ok(study != NULL, "figures are read after the runs, wherever they stand")) {
    tap_diag("%s", error.text);
    return;
  }
  const struct shk_study_figure *figure = &study->figures[0];
  tap_ok(strcmp(figure->kind, "phase") == 0 && strcmp(figure->name, "a-1") == 0 &&
             strcmp(figure->axes[0], "q3") == 0 && strcmp(figure->axes[1], "p12") == 0 &&
             figure->width == 12.5 && figure->legend == SHK_LEGEND_AT_ENDS &&
             strcmp(figure->step, "0.1") == 0 && strcmp(figure->precision, "quad") == 0,
         "kind, name, axes, width, legend, step and precision of a figure");
  tap_ok(shk_selects(&figure->problems, "chain"), "what selects nothing selects everything");
  figure = &study->figures[1];
  tap_ok(shk_selects(&figure->problems, "pendulum") &&
             shk_selects(&figure->problems, "pendulum(angle=1)") &&
             !shk_selects(&figure->problems, "pendulums"),
         "a bare name stands for all of that name");
  tap_ok(shk_selects(&figure->integrators, "rattle") &&
             !shk_selects(&figure->integrators, "rattle(linear=svd)") &&
             shk_selects(&figure->integrators, "shake(linear=svd)"),
         "a specification for itself, a default that is written out too");
  figure = &study->figures[2];
  tap_ok(figure->across.what == SHK_VARIES_PROBLEMS && figure->across.of.count == 0 &&
             figure->down.what == SHK_VARIES_PARTS && figure->down.of.count == 2 &&
             strcmp(figure->down.of.texts[1], "lambda-mean") == 0,
         "a grid of all problems and two blocks");
  figure = &study->figures[3];
  tap_ok(figure->panel_count == 2 && figure->per_row == 2 &&
             strcmp(figure->panels[0].across.of.texts[0], "time") == 0 &&
             strcmp(figure->panels[1].kind, "phase") == 0,
         "panels of two kinds");
  const struct shk_study_style bare = shk_study_look(study, "rattle"),
                               svd = shk_study_look(study, "rattle(linear=svd)"),
                               none = shk_study_look(study, "shake");
  tap_ok(strcmp(bare.colour, "vermilion") == 0 && bare.hollow == 1 && bare.on_top < 0 && !bare.mark,
         "a style gives what it says and nothing else");
  tap_ok(strcmp(svd.colour, "#00ff7f") == 0 && svd.hollow == 1 && svd.on_top == 1 &&
             strcmp(svd.mark, "diamond") == 0 && !svd.line,
         "a specification's style is over that of its bare name");
  tap_ok(!none.colour && none.hollow < 0, "another method has none");
  tap_ok(study->range_count == 2 && study->ranges[0].y[0] == 1e-14 &&
             isnan(study->ranges[0].x[0]) && study->ranges[1].x[1] == 7 && study->serif,
         "ranges of axes, and the font");
  shk_study_free(study);
}

static void test_structure_faults(void)
{
  expect_fault("", "1:1", "found nothing");
  expect_fault("# only a comment\n", "1:1", "found nothing");
  expect_fault("just a word\n", "1:1", "found no mapping, expected the keys");
  expect_fault("secret: s\nruns: []\n", "1:1", "found a different first key, expected the keys");
  expect_fault("- a\n- b\n", "1:1", "found a list, expected the keys");
  expect_fault("study: s\nruns: [\n", "3:1", "not YAML");
  expect_fault("study: s\nstudy: t\n", "2:1", "duplicate key");
  expect_fault("study: s\n", "1:1", "the key \"runs\" is missing");
  expect_fault("study: s\nrnus: []\n", "2:1", "unknown key \"rnus\": did you mean runs?");
  expect_fault("study: a/b\nruns: []\n", "1:8", "found \"a/b\", expected a name");
  expect_fault("study:\nruns: []\n", "1:1", "found nothing, expected a name");
  expect_fault("study: s\nruns: []\n", "2:7", "found an empty list");
  expect_fault("study: s\nruns: {a: b}\n", "2:7", "found a mapping (key: value), expected a list");
  expect_fault("study: s\npurpose: &here x\nruns: []\n", "2:16", "anchors are not allowed");
  expect_fault("study: s\npurpose: *there\nruns: []\n", "2:10", "aliases are not allowed");
  expect_fault("study: !!str s\n", "1:14", "tags are not allowed");
  expect_fault("study: \"a\\eb\"\n", "1:8", "control character (0x1b)");
  expect_fault("study: s\n# caf\xe9\nruns: []\n", "2:6", "not UTF-8");
  expect_fault("study: \xc0\xaf\n", "1:8", "not UTF-8");
  expect_fault("study: s\n# \xe2\x82", "2:3", "not UTF-8");
  expect_fault("? {a: b}\n: c\n", "1:3", "expected the name of a key");
  TEXT good = shk_print_text("%sfigures: [ordr]\n", head);
  expect_fault(good, "5:11", "unknown figure \"ordr\": did you mean order?");
  static const char *const faults[][3] = {
      {"figures: [{name: x}]\n", "5:11", "the key \"kind\" is missing"},
      {"figures: [energy, energy]\n", "5:19", "two figures \"energy\": give one of them a name"},
      {"figures: [energy, {kind: energy, name: a}, {kind: phase, name: a}]\n", "5:44",
       "two figures"},
      {"figures: [{kind: order, axes: [q1, q2]}]\n", "5:11", "expected axes only in phase"},
      {"figures: [{kind: phase, axes: [q1]}]\n", "5:31", "found one coordinate, expected two"},
      {"figures: [{kind: phase, axes: [q0, p1]}]\n", "5:32", "found \"q0\", expected two"},
      {"figures: [{kind: phase, axes: [q1, p1, p2]}]\n", "5:40", "expected two coordinates"},
      {"figures: [{kind: order, width: wide}]\n", "5:32", "found \"wide\", expected a width in cm"},
      {"figures: [{kind: order, width: 100}]\n", "5:32", "found \"100\", expected a width in cm"},
      {"figures: [{kind: order, columns: single}]\n", "5:25", "unknown key \"columns\""},
      {"figures: [{kind: order, legend: above}]\n", "5:33",
       "unknown position of the legend \"above\""},
      {"figures: [{kind: order, across: [q, r]}]\n", "5:37",
       "found \"r\", expected `problems`, problems of the runs, or parts of order: q p lambda"},
      {"figures: [{kind: energy, across: [q]}]\n", "5:35",
       "found \"q\", expected `problems`, problems of the runs"},
      {"figures: [{kind: order, across: [dimer]}]\n", "5:34", "has no problem \"dimer\""},
      {"figures: [{kind: order, across: [q, problems]}]\n", "5:37", "in one list"},
      {"figures: [{kind: order, across: [q], down: [p]}]\n", "5:44", "both across and down"},
      {"figures: [{kind: energy, quantity: energy max}]\n", "5:11",
       "expected it only in parameter, invariants or increments"},
      {"figures: [{kind: invariants, quantity: energy max}]\n", "5:11",
       "expected \"invariant NAME max\""},
      {"figures: [{kind: increments, quantity: constraint max}]\n", "5:11",
       "found the quantity \"constraint max\" for increments, expected \"energy max\" or"},
      {"figures: [{name: a, quantity: energy max, panels: [order]}]\n", "5:11",
       "found `quantity` in a figure of the kind `panels`"},
      {"figures: [{kind: constraint, scale: linear}]\n", "5:11",
       "found `scale` in a figure of the kind constraint, expected it only in: energy invariants"},
      {"figures: [{kind: energy, time: log}]\n", "5:32", "unknown scale \"log\""},
      {"figures: [{kind: order, time: logarithmic}]\n", "5:11",
       "found `time` in a figure of the kind order, expected it only in: energy invariants"},
      {"figures: [{name: a, time: linear, panels: [energy]}]\n", "5:11",
       "found `time` in a figure of the kind `panels`"},
      {"figures: [{kind: profile, across: problems}]\n", "5:11",
       "found problems across or down a profile"},
      {"figures: [{kind: single-constraints, down: [g17]}]\n", "5:45",
       "found \"g17\", expected `problems`, problems of the runs, or parts of single-constraints: "
       "g1"},
      {"figures: [{kind: parameter, quantity: order of q}]\n", "5:39",
       "found \"order of q\", expected a quantity of a run"},
      {"figures: [{kind: order, against: time}]\n", "5:34", "expected it only in a work-precision"},
      {"figures: [{kind: order, per-row: 0}]\n", "5:34", "from 1 to 12"},
      {"figures: [{panels: [order]}]\n", "5:11", "the key \"name\" is missing"},
      {"figures: [{name: a, panels: [ordr]}]\n", "5:30", "unknown figure \"ordr\""},
      {"figures: [{name: a, kind: order, panels: [order]}]\n", "5:11", "found `kind` and `panels`"},
      {"figures: [{name: a, step: 0.1, panels: [order]}]\n", "5:11",
       "a selection next to `panels`"},
      {"style: {shake: {colour: red}}\n", "5:9", "no integrator \"shake\""},
      {"style: {pendulum: {colour: blue}}\n", "5:9", "no integrator \"pendulum\""},
      {"style: {rattle: {colour: rad}}\n", "5:26", "unknown colour \"rad\""},
      {"style: {rattle: {colour: \"#12345\"}}\n", "5:26", "unknown colour \"#12345\""},
      {"style: {rattle: {mark: star}}\n", "5:24", "unknown mark \"star\""},
      {"style: {rattle: {line: wavy}}\n", "5:24", "unknown line \"wavy\""},
      {"style: {rattle: {hollow: maybe}}\n", "5:26", "yes or no"},
      {"style: {rattle: {color: blue}}\n", "5:18", "unknown key \"color\": did you mean colour?"},
      {"range: {ordr: {x: [1, 2]}}\n", "5:9", "unknown figure \"ordr\""},
      {"range: {order: {x: [2, 1]}}\n", "5:20", "the smaller one first"},
      {"range: {order: {z: [1, 2]}}\n", "5:17", "unknown key \"z\""},
      {"font: gothic\n", "5:7", "sans or serif"},
      {"figures: [{kind: order, precision: half}]\n", "5:36", "unknown precision \"half\""},
      {"figures: [{kind: order, step: fine}]\n", "5:31",
       "found \"fine\", expected one of the study's steps"},
      {"figures: [{kind: order, name: ../a}]\n", "5:31", "found \"../a\", expected a name"},
      {"figures: [{kind: order, problems: [dimer]}]\n", "5:36", "has no problem \"dimer\""},
      {"figures: [{kind: order, integrators: [shke]}]\n", "5:39", "shke"}};
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
    TEXT text = shk_print_text("%s%s", head, faults[i][0]);
    expect_fault(text, faults[i][1], faults[i][2]);
  }
  struct shk_message error = {.text = ""};
  TEXT two = shk_print_text("%s---\nstudy: t\n", head);
  tap_ok(!read_text(two, &error) && strstr(error.text, "second document"),
         "a second document is refused");
  tap_ok(!shk_study_read(&test_context, "/nonexistent/study.yaml", NULL, &error) &&
             strcmp(error.text, "/nonexistent/study.yaml: No such file or directory") == 0,
         "a file that does not exist");
  tap_ok(!shk_study_read(&test_context, "/tmp", NULL, &error) && strstr(error.text, "directory"),
         "a folder is no study");
  const size_t large = (1 << 20) + 1;
  TEXT padding = shk_allocate(large + 1, 1);
  memset(padding, '#', large);
  write_file(padding, large);
  tap_ok(!shk_study_read(&test_context, path, NULL, &error) &&
             strstr(error.text, "larger than 1 MiB"),
         "more than 1 MiB is refused");
}

static void test_run_faults(void)
{
  expect_fault("study: s\nruns:\n  - problems: [pendulum]\n", "3:5", "\"integrators\" is missing");
  expect_fault("study: s\nruns:\n  - problems: pendulum\n    integrators: [rattle]\n", "3:15",
               "found \"pendulum\", expected a list of problems");
  expect_fault("study: s\nruns:\n  - problems: [pendulm]\n    integrators: [rattle]\n", "3:16",
               "did you mean pendulum?");
  expect_fault("study: s\nruns:\n  - problems:\n      - pendulum(anglle=1)\n"
               "    integrators: [rattle]\n",
               "4:9", "did you mean angle?");
  expect_fault("study: s\nruns:\n  - problems: [pendulum(angle=1,rate=2)]\n"
               "    integrators: [rattle]\n",
               "3:16", "a parenthesis is not closed. In a YAML list");
  expect_fault("study: s\nruns:\n  - problems: [pendulum, pendulum(angle=90deg)]\n"
               "    integrators: [rattle]\n",
               "3:26", "this problem is given twice");
  expect_fault("study: s\nruns:\n  - problems: [pendulum]\n    integrators: [rattle, rattle]\n",
               "4:27", "integrator rattle is given twice");
  expect_fault("study: s\nruns:\n  - problems: [pendulum]\n    integrators:\n      - rattle: x\n",
               "5:9", "found a mapping (key: value), expected an integrator");
  expect_fault("study: s\nruns:\n  - problems: [{problem: pendulum, q: [1, 0]}]\n"
               "    integrators: [rattle]\n",
               "3:16", "found a problem without a start, expected q and p (and project), or kick");
  expect_fault("study: s\nruns:\n  - problems: [{problem: pendulum, q: [1, x], p: [0, 0]}]\n"
               "    integrators: [rattle]\n",
               "3:43", "found \"x\", expected a number");
  expect_line_fault("measures:", "5:5", "found nothing, expected a list of measures");
  expect_line_fault("times: [1, ~, 2]", "5:16", "found \"~\", expected a number");
  expect_line_fault("step: natural", "5:5", "did you mean steps?");
  expect_line_fault("steps: fine", "5:12", "found \"fine\", expected natural, a list");
  expect_line_fault("steps: [0.1, 0]", "5:18", "expected a number above zero");
  expect_line_fault("steps: [0.1, -0.1]", "5:18", "expected a number above zero");
  expect_line_fault("steps: [0.1, 1e-1]", "5:12", "0.1 is given twice");
  expect_line_fault("steps: {largest: 0.1}", "5:12", "`largest` with either `halvings`");
  expect_line_fault("steps: {largest: 0.1, halvings: 2, smallest: 0.01}", "5:12",
                    "`largest` with either `halvings`");
  expect_line_fault("steps: {largest: 0.1, halvings: 2.5}", "5:37", "expected a whole number");
  expect_line_fault("steps: {largest: 0.1, halvings: 50}", "5:12",
                    "/2 is not a decimal number of 30 digits: choose at most 43 numbers");
  expect_line_fault("steps: {largest: 0.1, smallest: 0.001, factor: 3}", "5:12", "0.1/3 is no");
  expect_line_fault("steps: {largest: 0.1, smallest: 0.001, factor: 1}", "5:52",
                    "expected a number above one");
  expect_line_fault("steps: {largest: 0.1, smallest: 1}", "5:12", "`smallest` is above");
  expect_line_fault("until: later", "5:12", "expected natural or a number");
  expect_line_fault("until: -1", "5:12", "expected a number above zero");
  expect_line_fault("precision: [double, octuple]", "5:25", "unknown precision \"octuple\"");
  expect_line_fault("precision: [quad, quad]", "5:23", "precision \"quad\" is given twice");
  expect_line_fault("measures: [errors]", "5:16", "did you mean error?");
  expect_line_fault("measures: [constraint-work]", "5:16",
                    "\"constraint-work\" is part of the measure balance");
  expect_line_fault("sweep: {angle: 3}", "5:20", "expected a list of values");
  expect_line_fault("sweep: {angle: [1, 1..2]}", "5:24", "the value 1 is given twice");
  expect_line_fault("sweep: {stiffness: [1, 2]}", "5:13", "neither a problem nor an integrator");
  expect_line_fault("sweep: {angle: [1, big]}", "5:13", "angle is \"big\", expected an angle");
  expect_line_fault("exclude: [shake]", "5:15", "the run has no integrator \"shake\"");
  expect_line_fault("exclude: [double-pendulum with rattle]", "5:15",
                    "has no problem \"double-pendulum\"");
  expect_line_fault("exclude: [pendulum with ratle]", "5:15", "did you mean rattle?");
  expect_line_fault("outcomes: {error: 1e-3, growth: 20}", "5:15", "branch");
  expect_line_fault("outcomes: {error: 0, branch: 1, growth: 20}", "5:23", "above zero");
  expect_line_fault("limits: {memory: 2}", "5:22", "such as 512MiB");
  expect_line_fault("limits: {seconds: soon}", "5:23", "expected a number of seconds");
}

static void test_factor_that_ends_inside(void)
{
  struct shk_message error = {.text = ""};
  char *const text =
      shk_print_text("%s    steps: {largest: 0.3, smallest: 0.1, factor: 3}\n", head);
  struct shk_study *const study = read_text(text, &error);
  if (tap_ok(study != NULL, "what comes after the smallest step need not be a decimal"))
    is_list(study->runs[0].steps.texts, study->runs[0].steps.count, "0.3 0.1",
            "0.3 and 0.1 by factor 3");
  else
    tap_diag("%s", error.text);
  shk_study_free(study);
  free(text);
}

/* ---- decimals ---- */

static struct shk_decimal decimal(const char *text)
{
  struct shk_decimal x = {.coefficient = 0};
  if (!shk_decimal_read(&x, text))
    tap_ok(false, "%s is a decimal", text);
  return x;
}

/* To a double as the C library reads the text, and from one as it prints it. */
static void test_doubles(void)
{
  static const char *const texts[] = {"-10.7",
                                      "0",
                                      "9007199254740993",
                                      "9007199254740992.99999999999999",
                                      "9007199254740993.00000000000001",
                                      "123456789012345678901234567891",
                                      "0.123456789012345678901234567891",
                                      "1e-28",
                                      "1.5e37",
                                      "1e22",
                                      "0.30000000000000001665"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    tap_ok(shk_decimal_approximate(decimal(texts[i])) == strtod(texts[i], NULL), "%s to double",
           texts[i]);
  tap_is_near(shk_decimal_approximate(decimal("1e-300")) * 1e300, 1, 1e-14, "1e-300 to double");
  tap_is_near(shk_decimal_approximate(decimal("1e300")) / 1e300, 1, 1e-14, "1e300 to double");
  tap_ok(shk_decimal_approximate(decimal("1e-9999")) == 0, "1e-9999 to double");

  /* Ties, and what only looks like one. */
  static const double values[] = {10.65, 999.5, -2.675, 1e21, 9.995, 6.2831853071795864, 0.1 + 0.2};
  struct shk_decimal x;
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
    for (int digits = 1; digits <= 6; digits++) {
      char printed[64];
      snprintf(printed, sizeof printed, "%.*g", digits, values[i]);
      tap_ok(shk_decimal_round(&x, values[i], digits) &&
                 shk_decimal_compare(x, decimal(printed)) == 0,
             "%.17g to %d digits is %s", values[i], digits, printed);
    }
  tap_ok(!shk_decimal_round(&x, 0, 3) && !shk_decimal_round(&x, INFINITY, 3) &&
             !shk_decimal_round(&x, NAN, 3) && !shk_decimal_round(&x, 1e-26, 3) &&
             !shk_decimal_round(&x, 1, 7),
         "what is not rounded");
}

static void test_decimals(void)
{
  static const char longest[] = "123456789012345678901234567891";
  struct shk_decimal x;
  long long k = 0;
  is_decimal(shk_decimal_read(&x, longest), x, longest, "30 digits");
  tap_ok(!shk_decimal_read(&x, "1234567890123456789012345678911"), "not 31");
  is_decimal(shk_decimal_read(&x, "0.00100000000000000000000000000000000000000000"), x, "0.001",
             "zeros are no digits");
  is_decimal(shk_decimal_read(&x, "-0.0"), x, "0", "zero has no sign");
  tap_ok(!shk_decimal_read(&x, "1e10000") && !shk_decimal_read(&x, "1x"), "what is no decimal");
  is_decimal(true, shk_decimal_from_integer(LLONG_MIN), "-9223372036854775808", "from an integer");
  test_doubles();

  tap_ok(shk_decimal_compare(decimal("0.1"), decimal("1e-1")) == 0, "0.1 = 1e-1");
  tap_ok(shk_decimal_compare(decimal("1e30"), decimal("999999999999999999999999999999")) > 0,
         "1e30 > 30 nines");
  tap_ok(shk_decimal_compare(decimal("-2"), decimal("-1")) < 0, "-2 < -1");
  tap_ok(shk_decimal_compare(decimal("-1"), decimal("1e-9000")) < 0, "-1 < 1e-9000");
  tap_ok(shk_decimal_compare(decimal("0"), decimal("1e-9")) < 0, "0 < 1e-9");

  tap_ok(shk_decimal_is_multiple(&k, decimal("10.7"), decimal("0.1")) && k == 107,
         "10.7 = 107*0.1");
  tap_ok(shk_decimal_is_multiple(&k, decimal("1e5"), decimal("0.01")) && k == 10000000,
         "1e5 = 1e7*0.01");
  tap_ok(shk_decimal_is_multiple(&k, decimal("-3e5"), decimal("0.6")) && k == -500000,
         "-3e5 = -5e5*0.6");
  tap_ok(!shk_decimal_is_multiple(&k, decimal("10.7"), decimal("0.3")), "10.7 is none of 0.3");
  tap_ok(!shk_decimal_is_multiple(&k, decimal("0.1"), decimal("10")), "0.1 is none of 10");
  tap_ok(!shk_decimal_is_multiple(&k, decimal("1e30"), decimal("1")), "too many");
  tap_ok(!shk_decimal_is_multiple(&k, decimal("1"), decimal("0")), "nothing is a multiple of 0");
  tap_ok(shk_decimal_is_multiple(&k, decimal("0"), decimal("3")) && k == 0, "0 = 0*3");

  is_decimal(shk_decimal_divide(&x, decimal("10.7"), decimal("640")), x, "0.01671875", "10.7/640");
  is_decimal(shk_decimal_divide(&x, decimal("-3"), decimal("1.5")), x, "-2", "-3/1.5");
  is_decimal(shk_decimal_divide(&x, decimal("1"), decimal("3")), x, "none", "1/3");
  is_decimal(shk_decimal_divide(&x, decimal("1"), decimal("0")), x, "none", "1/0");
  is_decimal(shk_decimal_part(&x, decimal("0.1"), 2), x, "0.05", "0.1/2");
  is_decimal(shk_decimal_part(&x, decimal("300000000000000000000000000001"), 2), x, "none",
             "half of 30 digits may have 31");
  is_decimal(shk_decimal_multiply(&x, decimal("0.05"), 214), x, "10.7", "214*0.05");
  is_decimal(shk_decimal_multiply(&x, decimal(longest), 11), x, "none", "31 digits of a product");
  is_decimal(shk_decimal_common_multiple(&x, decimal("0.1"), decimal("0.04")), x, "0.2",
             "0.1 and 0.04");
  is_decimal(shk_decimal_common_multiple(&x, decimal("1e20"), decimal("1e-20")), x, "none",
             "1e20 and 1e-20 are too far apart");
  is_decimal(shk_decimal_common_multiple(&x, decimal("1"), decimal("1e-9")), x, "1", "1 and 1e-9");
}

int main(void)
{
  if (!make_scratch_file(path))
    return tap_done();
  test_whole_study();
  test_sweeps();
  test_figures();
  test_structure_faults();
  test_run_faults();
  test_factor_that_ends_inside();
  test_decimals();
  unlink(path);
  return tap_done();
}
