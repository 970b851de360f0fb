/*
 * Runs of a study: each names problems, integrators and the way to run every pair of them. Sweeps
 * and exclusions refer to the other keys and are read last, in study_pairs.c.
 */
#include "harness/study/study_runs.h"
#include "harness/study/study_choices.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/number.h"
#include "foundation/specifications/precision.h"
#include "harness/study/study_numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* A list of names that is read. The precision "finest" may be a duplicate. */
struct names {
  const char *what, *const *known;
  bool finest;
  char ***list;
  int *count;
};

/* Reads a name, an old one too; "finest" is the finest precision of the run's methods. */
static bool read_name(const struct shk_yaml *yaml, struct fy_node *item, void *into)
{
  struct names *const its = into;
  struct shk_study_choices *const choices = yaml->choices;
  struct shk_message reason;
  char *const text = shk_yaml_text(yaml, item, its->what);
  if (!text)
    return false;
  const bool precision = its->known == shk_precision_names,
             finest = precision && strcmp(text, "finest") == 0;
  const char *const name = !finest                  ? shk_current_name(text)
                           : choices->class.in_quad ? "quad"
                                                    : "double";
  const bool again = shk_in_list(*its->list, *its->count, name);
  choices->by_method = choices->by_method || finest;
  its->finest = its->finest || finest;
  bool ok =
      shk_word_number(its->known, name) >= 0 || shk_fail_word(yaml, item, its->what, its->known);
  if (ok && precision && !shk_engine_named(name, &reason))
    ok = shk_yaml_fail(yaml, item, "%s", reason.text);
  if (ok && again && !its->finest)
    ok = shk_yaml_fail(yaml, item, "%s \"%s\" is given twice", its->what, name);
  if (ok && !again)
    shk_add_text(its->list, its->count, shk_copy_text(name));
  free(text);
  return ok;
}

bool shk_read_known(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                    const char *what, const char *const *known, char ***list, int *count)
{
  struct names names = {what, known, false, list, count};
  return shk_yaml_sequence(yaml, value, expected, true, read_name, &names);
}

static bool read_precisions(const struct shk_yaml *yaml, struct fy_node *value,
                            const char *expected, void *into)
{
  struct shk_study_run *const run = into;
  return shk_read_known(yaml, value, expected, "precision", shk_precision_names, &run->precisions,
                        &run->precision_count);
}

static bool read_measures(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                          void *into)
{
  struct shk_study_run *const run = into;
  return shk_read_known(yaml, value, expected, "measure", shk_measure_names, &run->measures,
                        &run->measure_count);
}

/* ---- problems and integrators ---- */

/* Reads the canonical form of a problem. */
static bool read_specification(const struct shk_yaml *yaml, struct fy_node *value,
                               const char *expected, void *canonical)
{
  char *text = shk_yaml_text(yaml, value, expected);
  if (!text)
    return false;
  text = shk_with_seeds(yaml->choices, text);
  *(char **)canonical = shk_read_canonical(yaml, value, text, true);
  free(text);
  return *(char **)canonical;
}

/* Adds a start, which the run then owns. Several names may stand for the same problem. */
static bool add_start(const struct shk_yaml *yaml, struct fy_node *item, struct shk_study_run *run,
                      struct shk_start start)
{
  const struct shk_study_choices *const choices = yaml->choices;
  const bool ok = shk_add_start(run, &start);
  if (!ok && choices->in_name == 0)
    shk_yaml_fail(yaml, item, "problem %s is given twice", start.problem);
  if (!ok)
    shk_start_free(&start);
  return ok || choices->in_name > 0;
}

static bool add_named_problem(const struct shk_yaml *yaml, struct fy_node *item, const char *text,
                              void *run)
{
  char *const problem = shk_read_canonical(yaml, item, text, true);
  return problem && add_start(yaml, item, run, (struct shk_start){.problem = problem});
}

/* Reads the one of a list of specifications that the seed chooses. */
static bool read_one_of(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                        void *canonical)
{
  const int count = shk_yaml_items(yaml, value, "a list of problems", false);
  return count > 0 &&
         read_specification(yaml, shk_yaml_item(value, shk_drawn_choice(yaml->choices, count)),
                            expected, canonical);
}

static bool read_problem(const struct shk_yaml *yaml, struct fy_node *item, void *run)
{
  static const char problem[] = "a problem such as pendulum(angle=0.7)";
  static const char numbers[] = "a list of numbers";
  static const struct shk_yaml_key keys[] = {
      SHK_YAML_FIELD("problem", true, struct shk_start, problem, read_specification, problem),
      SHK_YAML_FIELD("q", true, struct shk_start, q, shk_read_vector, numbers),
      SHK_YAML_FIELD("p", true, struct shk_start, p, shk_read_vector, numbers),
      SHK_YAML_FIELD("project", false, struct shk_start, project, shk_read_yes_or_no, "yes or no")};
  struct fy_node *const drawn = shk_yaml_value(item, "one of");
  struct shk_start start = {0};
  if (shk_is_choice(item))
    return shk_read_name(yaml, item, add_named_problem, read_problem, run);
  if (drawn ? read_one_of(yaml, drawn, problem, &start.problem)
      : shk_yaml_is_mapping(item)
          ? shk_yaml_mapping(yaml, item, "a problem", keys, sizeof keys / sizeof keys[0], &start)
          : read_specification(yaml, item, problem, &start.problem))
    return add_start(yaml, item, run, start);
  shk_start_free(&start);
  return false;
}

/* Adds all problems that need no parameters and are small enough for every method, including those
 * of plug-ins. */
static bool add_all_problems(const struct shk_context *context, struct shk_study_run *run)
{
  enum { MOST_COORDINATES = 1000 };
  struct shk_message unused;
  const struct shk_problem_info *info;
  for (int i = 0; (info = shk_problem_at(context, i)) != NULL; i++) {
    struct shk_inspection inspection;
    struct shk_start start = {.problem = shk_canonical_problem(context, info->name, &unused)};
    if (!start.problem)
      continue;
    if (!shk_inspect(context, &inspection, "double", start.problem, &unused) ||
        inspection.n > MOST_COORDINATES || !shk_add_start(run, &start))
      shk_start_free(&start);
  }
  return true;
}

/* Adds an integrator. Several names may stand for the same one. */
static bool add_integrator(const struct shk_yaml *yaml, struct fy_node *item, const char *text,
                           void *into)
{
  const struct shk_study_choices *const choices = yaml->choices;
  struct shk_study_run *const run = into;
  if (shk_in_list(run->integrators, run->integrator_count, text))
    return choices->in_name > 0 || shk_yaml_fail(yaml, item, "integrator %s is given twice", text);
  shk_add_text(&run->integrators, &run->integrator_count, shk_copy_text(text));
  return true;
}

static bool read_integrator(const struct shk_yaml *yaml, struct fy_node *item, void *run)
{
  if (shk_is_choice(item))
    return shk_read_name(yaml, item, add_integrator, read_integrator, run);
  char *const text = shk_yaml_text(yaml, item, "an integrator such as rattle(linear=lu)");
  char *const integrator = text ? shk_read_canonical(yaml, item, text, false) : NULL;
  const bool ok = integrator && add_integrator(yaml, item, integrator, run);
  free(text);
  free(integrator);
  return ok;
}

bool shk_read_problems(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                       void *run)
{
  return shk_is_word(value, "all")
             ? add_all_problems(yaml->user, run)
             : shk_yaml_sequence(yaml, value, expected, false, read_problem, run);
}

bool shk_read_integrators(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                          void *run)
{
  return shk_is_word(value, "all")
             ? shk_each_method(yaml, value, true, add_integrator, run)
             : shk_yaml_sequence(yaml, value, expected, false, read_integrator, run);
}

/* ---- steps, horizon, times ---- */

static bool read_steps(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                       void *into)
{
  struct shk_study_run *const run = into;
  struct shk_decimal divisor;
  run->steps_line = shk_yaml_line(value);
  if (shk_is_word(value, "natural"))
    return true;
  if (shk_is_form(&divisor, value, "natural/", "")) {
    for (int n = 2; n <= 1024; n *= 2)
      if (shk_decimal_compare(divisor, shk_decimal_from_integer(n)) == 0)
        run->natural_divisor = n;
    return run->natural_divisor > 0 ||
           shk_yaml_fail_kind(yaml, value, "natural/2, natural/4, … or natural/1024");
  }
  if (shk_yaml_value(value, "parts")) {
    run->step_kind = SHK_STEPS_PARTS;
    return shk_read_parts(yaml, value, expected, &run->parts);
  }
  run->step_kind = SHK_STEPS_LIST;
  return shk_read_progression(yaml, value, expected, 2, &run->steps);
}

static bool read_tolerances(const struct shk_yaml *yaml, struct fy_node *value,
                            const char *expected, void *into)
{
  return shk_read_progression(yaml, value, expected, 10, into);
}

static bool read_until(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                       void *into)
{
  static const char number[] = "a number of time scales above zero";
  static const struct shk_yaml_key keys[] = {
      SHK_YAML_FIELD("scales", true, struct shk_study_run, until_scales, shk_read_positive, number),
      SHK_YAML_FIELD("within-natural", false, struct shk_study_run, within_natural,
                     shk_read_yes_or_no, "yes or no"),
      SHK_YAML_FIELD("digits", false, struct shk_study_run, until_digits, shk_read_count,
                     "a number of digits")};
  struct shk_study_run *const run = into;
  run->until_line = shk_yaml_line(value);
  if (shk_yaml_is_mapping(value))
    return shk_yaml_mapping(yaml, value, expected, keys, sizeof keys / sizeof keys[0], run);
  if (shk_is_form(&run->until_scales, value, "", " time scales"))
    return run->until_scales.coefficient != 0 || shk_yaml_fail_kind(yaml, value, number);
  return shk_is_word(value, "natural") || shk_read_positive(yaml, value, expected, &run->until);
}

static bool read_times(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                       void *into)
{
  struct shk_study_run *const run = into;
  static const struct shk_yaml_key keys[] = {SHK_YAML_FIELD("even", true, struct shk_study_run,
                                                            even_times, shk_read_count,
                                                            "a whole number from 1 to 1000")};
  run->times_line = shk_yaml_line(value);
  if (shk_yaml_is_mapping(value))
    return shk_yaml_mapping(yaml, value, expected, keys, 1, run);
  return shk_is_word(value, "default") || shk_read_times(yaml, value, expected, &run->times);
}

/* ---- the run ---- */

static void fill_defaults(struct shk_study_run *run)
{
  if (run->precision_count == 0)
    shk_add_text(&run->precisions, &run->precision_count, shk_copy_text("double"));
  run->measures_named = run->measure_count > 0;
  if (!run->measures_named)
    for (int i = 0; i < SHK_MEASURES; i++) /* other measures only if they are named */
      if (shk_measures[i].in == SHK_IN_RUNS)
        shk_add_text(&run->measures, &run->measure_count, shk_copy_text(shk_measures[i].name));
  int *const lines[] = {&run->steps_line, &run->until_line, &run->times_line};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
    if (*lines[i] == 0)
      *lines[i] = run->line;
}

/* A run, and keys that are read after its others; NULL if absent. */
struct run_reading {
  struct shk_study_run run;
  struct fy_node *sweep, *exclude, *where, *members, *lanes; /* lanes: the old name of members */
  struct fy_node *early;                                     /* keys that are read before the run */
};

#define FIELD(name, field, reader, expected)                                                       \
  SHK_YAML_FIELD(name, false, struct run_reading, field, reader, expected)
#define LATER(name, field) FIELD(name, field, shk_yaml_into_node, NULL)
static const struct shk_yaml_key run_keys[] = {
    SHK_YAML_FIELD("problems", true, struct run_reading, run, shk_read_problems,
                   "a list of problems"),
    SHK_YAML_FIELD("integrators", true, struct run_reading, run, shk_read_integrators,
                   "a list of integrators"),
    FIELD("steps", run, read_steps,
          "natural, a list of steps, natural/8, {largest: 0.1, halvings: 8}, {largest: 0.1, "
          "smallest: 0.001, factor: 10} or {largest: until/16, parts: [1, 2, 5]}"),
    FIELD("tolerances", run.tolerances, read_tolerances,
          "a list of tolerances or {largest: 1e-3, smallest: 1e-12, factor: 10}"),
    FIELD("until", run, read_until, "natural or a number above zero (or `4 time scales`)"),
    FIELD("times", run, read_times, "a list of numbers above zero"),
    FIELD("supported-only", run.supported_only, shk_read_yes_or_no, "yes or no"),
    FIELD("precision", run, read_precisions, "a list of precisions"),
    FIELD("measures", run, read_measures, "a list of measures"),
    FIELD("limits", run, shk_read_limits, "a mapping of limits: {seconds: 60, memory: 2GiB}"),
    FIELD("outcomes", run.singular, shk_read_singular_limits,
          "thresholds: {error: 1e-3, branch: 0.1, growth: 10}"),
    LATER("sweep", sweep),
    LATER("where", where),
    LATER("exclude", exclude),
    LATER("members", members),
    LATER("lanes", lanes),
    LATER("like", early),
    LATER("budget", early),
    LATER("draws", early)};

static bool ignore(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                   void *into)
{
  (void)yaml, (void)value, (void)expected, (void)into;
  return true;
}

enum { KEYS = sizeof run_keys / sizeof run_keys[0], MOST_LIKE = 4 };

/* Reads the keys of a run, and first those that it does not give of the run that it is `like`.
 * `given` has the keys of runs that are like this one. */
static bool read_keys(const struct shk_yaml *yaml, struct fy_node *item, int depth,
                      const bool *given, struct run_reading *its)
{
  struct fy_node *like = shk_yaml_value(item, "like");
  struct shk_yaml_key keys[KEYS];
  bool known[KEYS];
  if (like && depth == MOST_LIKE)
    return shk_yaml_fail(yaml, item, "found more than %d nested `like`", MOST_LIKE);
  for (int i = 0; i < KEYS; i++) {
    keys[i] = run_keys[i];
    keys[i].into = given[i] ? ignore : keys[i].into;
    keys[i].required = keys[i].required && !given[i] && !like;
    known[i] = given[i] || shk_yaml_value(item, keys[i].name);
  }
  return (!like || ((like = shk_choose_value(yaml, like)) != NULL &&
                    read_keys(yaml, like, depth + 1, known, its))) &&
         shk_yaml_mapping(yaml, item, "a mapping with problems and integrators", keys, KEYS, its);
}

bool shk_read_run(const struct shk_yaml *yaml, struct fy_node *item, struct shk_study *study)
{
  const struct shk_study_choices *const choices = yaml->choices;
  struct run_reading its = {.run.line = shk_yaml_line(item)};
  const bool ok = read_keys(yaml, item, 0, (bool[KEYS]){false}, &its);
  struct shk_study_run *const run = SHK_APPEND(study->runs, study->run_count);
  *run = its.run;
  run->is_like = shk_yaml_value(item, "like") != NULL;
  if (!ok || (its.where && !shk_read_where(yaml, its.where, run)) ||
      (its.sweep && !shk_read_sweeps(yaml, its.sweep, run)) ||
      (its.exclude && !shk_read_excludes(yaml, its.exclude, run)))
    return false;
  if (its.sweep && choices->by_method)
    return shk_yaml_fail(yaml, its.sweep, "a sweep does not go with values chosen by the method");
  fill_defaults(run);
  if (its.members && its.lanes)
    return shk_yaml_fail(yaml, its.lanes, "found lanes, the old name of members, beside members");
  struct fy_node *const members = its.lanes ? its.lanes : its.members;
  return !members || shk_read_members(yaml, members, run);
}

bool shk_run_measures(const struct shk_study_run *run, enum shk_measure_id measure)
{
  return shk_in_list(run->measures, run->measure_count, shk_measures[measure].name);
}
