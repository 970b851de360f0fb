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

struct names {
  const struct shk_yaml *yaml;
  bool precisions; /* the names are precisions, some of which a build may lack */
  bool finest;     /* one of them is "finest": a duplicate is no error */
  const char *what;
  const char *const *known; /* ended by NULL */
  char ***list;
  int *count;
};

/* Replaces an old name by the new one, and "finest" by the finest precision of the run's
 * methods. */
static char *replace(struct names *names, char *text)
{
  struct shk_study_choices *const choices = names->yaml->choices;
  if (shk_current_name(text) != text) {
    char *const current = shk_copy_text(shk_current_name(text));
    free(text);
    return current;
  }
  if (!names->precisions || strcmp(text, "finest") != 0)
    return text;
  names->finest = choices->by_method = true;
  free(text);
  return shk_copy_text(choices->class.in_quad ? "quad" : "double");
}

static bool read_name(void *context, struct fy_node *item)
{
  struct names *const names = context;
  int known = 0;
  while (names->known[known])
    known++;
  char *text = shk_yaml_text(names->yaml, item, names->what);
  if (!text)
    return false;
  text = replace(names, text);
  const bool again = shk_in_list(*names->list, *names->count, text);
  bool ok =
      shk_in_list((char *const *)names->known, known, text) ||
      shk_yaml_fail_name(names->yaml, item, names->what, names->known, sizeof *names->known, known);
  struct shk_message reason;
  if (ok && names->precisions && !shk_engine_named(text, &reason))
    ok = shk_yaml_fail(names->yaml, item, "%s", reason.text);
  if (ok && again && !names->finest)
    ok = shk_yaml_fail(names->yaml, item, "%s \"%s\" is given twice", names->what, text);
  if (ok && !again)
    shk_add_text(names->list, names->count, text);
  else
    free(text);
  return ok;
}

bool shk_read_known(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                    const char *what, const char *const *known, struct shk_texts *list)
{
  struct names names = {
      .yaml = yaml, .what = what, .known = known, .list = &list->all, .count = &list->count};
  return shk_yaml_sequence(yaml, value, expected, true, read_name, &names);
}

static bool read_precisions(const struct shk_yaml *yaml, struct fy_node *value,
                            const char *expected, void *into)
{
  struct shk_study_run *const run = into;
  struct names names = {
      yaml, true, false, "precision", shk_precision_names, &run->precisions, &run->precision_count};
  return shk_yaml_sequence(yaml, value, expected, true, read_name, &names);
}

static bool read_measures(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                          void *into)
{
  struct shk_study_run *const run = into;
  struct names names = {
      yaml, false, false, "measure", shk_measure_names, &run->measures, &run->measure_count};
  return shk_yaml_sequence(yaml, value, expected, true, read_name, &names);
}

/* ---- words ---- */

static bool is_word(struct fy_node *value, const char *word)
{
  char *const text = shk_yaml_scalar(value);
  const bool is = text && strcmp(text, word) == 0;
  free(text);
  return is;
}

bool shk_read_yes_or_no(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                        void *yes)
{
  char *const text = shk_yaml_text(yaml, value, expected);
  if (!text)
    return false;
  *(bool *)yes = strcmp(text, "yes") == 0;
  const bool ok =
      *(bool *)yes || strcmp(text, "no") == 0 || shk_yaml_fail_kind(yaml, value, expected);
  free(text);
  return ok;
}

/* ---- problems and integrators ---- */

/* Reads the canonical form of a specification. */
static bool read_specification(const struct shk_yaml *yaml, struct fy_node *value,
                               const char *expected, bool problem, char **canonical)
{
  struct shk_message reason = {.text = ""};
  char *text = shk_yaml_text(yaml, value, expected);
  if (!text)
    return false;
  if (problem)
    text = shk_with_seeds(yaml->choices, text);
  *canonical = problem ? shk_canonical_problem(yaml->user, text, &reason)
                       : shk_canonical_integrator(yaml->user, text, &reason);
  free(text);
  return *canonical || shk_yaml_fail(yaml, value, "%s", reason.text);
}

static bool read_start_problem(const struct shk_yaml *yaml, struct fy_node *value,
                               const char *expected, void *canonical)
{
  return read_specification(yaml, value, expected, true, canonical);
}

struct reader {
  const struct shk_yaml *yaml;
  struct shk_study_run *run;
};

/* Adds a start, which the run then owns. */
static bool add_start(const struct reader *reader, struct fy_node *item, struct shk_start *start)
{
  const struct shk_study_choices *const choices = reader->yaml->choices;
  if (shk_add_start(reader->run, start))
    return true;
  if (choices->in_name == 0)
    shk_yaml_fail(reader->yaml, item, "problem %s is given twice", start->problem);
  shk_start_free(start);
  return choices->in_name > 0; /* several names may stand for the same problem */
}

static bool add_named_problem(void *context, struct fy_node *item, const char *text)
{
  const struct reader *const reader = context;
  struct shk_message reason = {.text = ""};
  struct shk_start start = {.problem = shk_canonical_problem(reader->yaml->user, text, &reason)};
  return start.problem ? add_start(reader, item, &start)
                       : shk_yaml_fail(reader->yaml, item, "%s", reason.text);
}

/* Reads a list of specifications, and returns the one that the seed chooses. */
static bool read_one_of(const struct shk_yaml *yaml, struct fy_node *value, char **canonical)
{
  static const char expected[] = "a list of problems";
  const int count = shk_yaml_count(value);
  if (count == 0)
    return shk_yaml_fail_kind(yaml, value, expected);
  struct fy_node *const chosen = shk_yaml_item(value, shk_drawn_choice(yaml->choices, count));
  return read_specification(yaml, chosen, expected, true, canonical);
}

static bool read_problem(void *context, struct fy_node *item)
{
  static const char problem[] = "a problem such as pendulum(angle=0.7)";
  static const char numbers[] = "a list of numbers";
  static const struct shk_yaml_key keys[] = {
      SHK_YAML_FIELD("problem", true, struct shk_start, problem, read_start_problem, problem),
      SHK_YAML_FIELD("q", true, struct shk_start, q, shk_read_vector, numbers),
      SHK_YAML_FIELD("p", true, struct shk_start, p, shk_read_vector, numbers),
      SHK_YAML_FIELD("project", false, struct shk_start, project, shk_read_yes_or_no, "yes or no")};
  const struct reader *const reader = context;
  struct fy_node *const drawn = shk_yaml_value(item, "one of");
  struct shk_start start = {0};
  bool ok;
  if (shk_is_choice(item))
    return shk_read_name(reader->yaml, item, add_named_problem, read_problem, context);
  if (drawn)
    ok = read_one_of(reader->yaml, drawn, &start.problem);
  else if (shk_yaml_is_mapping(item))
    ok = shk_yaml_mapping(reader->yaml, item, "a problem", keys, sizeof keys / sizeof keys[0],
                          &start);
  else
    ok = read_start_problem(reader->yaml, item, problem, &start.problem);
  if (ok)
    return add_start(reader, item, &start);
  shk_start_free(&start);
  return false;
}

/* Adds all problems that need no parameters and are small enough for every method, including those
 * of plug-ins. */
static void add_all_problems(const struct shk_context *context, struct shk_study_run *run)
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
}

static void add_all_integrators(const struct shk_context *context, struct shk_study_run *run)
{
  struct shk_message unused;
  const struct shk_integrator_info *info;
  for (int i = 0; (info = shk_integrator_at(context, i)) != NULL; i++) {
    char *const integrator = shk_canonical_integrator(context, info->name, &unused);
    if (integrator)
      shk_add_text(&run->integrators, &run->integrator_count, integrator);
  }
}

bool shk_read_problems(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                       void *run)
{
  struct reader reader = {yaml, run};
  if (!is_word(value, "all"))
    return shk_yaml_sequence(yaml, value, expected, false, read_problem, &reader);
  add_all_problems(yaml->user, run);
  return true;
}

static bool add_named_integrator(void *context, struct fy_node *item, const char *text)
{
  struct shk_study_run *const run = ((const struct reader *)context)->run;
  (void)item;
  if (!shk_in_list(run->integrators, run->integrator_count, text))
    shk_add_text(&run->integrators, &run->integrator_count, shk_copy_text(text));
  return true;
}

static bool read_integrator(void *context, struct fy_node *item)
{
  const struct reader *const reader = context;
  struct shk_study_run *const run = reader->run;
  char *integrator = NULL;
  if (shk_is_choice(item))
    return shk_read_name(reader->yaml, item, add_named_integrator, read_integrator, context);
  if (!read_specification(reader->yaml, item, "an integrator such as rattle(linear=lu)", false,
                          &integrator))
    return false;
  if (shk_in_list(run->integrators, run->integrator_count, integrator)) {
    shk_yaml_fail(reader->yaml, item, "integrator %s is given twice", integrator);
    free(integrator);
    return false;
  }
  shk_add_text(&run->integrators, &run->integrator_count, integrator);
  return true;
}

static bool read_integrators(const struct shk_yaml *yaml, struct fy_node *value,
                             const char *expected, void *run)
{
  struct reader reader = {yaml, run};
  if (!is_word(value, "all"))
    return shk_yaml_sequence(yaml, value, expected, false, read_integrator, &reader);
  add_all_integrators(yaml->user, run);
  return true;
}

/* ---- steps, horizon, times ---- */

/* Reads the number before these words; returns false for any other value. */
static bool number_before(struct shk_decimal *number, struct fy_node *value, const char *words)
{
  char *const text = shk_yaml_scalar(value);
  const size_t length = text ? shk_number_length(text) : 0;
  bool is = length > 0 && text[length] == ' ' && strcmp(text + length + 1, words) == 0;
  if (is) {
    text[length] = '\0';
    is = shk_decimal_read(number, text);
  }
  free(text);
  return is;
}

/* True if the value is natural/N; *divisor is 0 unless N is a power of two up to 1024. */
static bool read_natural_part(struct fy_node *value, int *divisor)
{
  static const char prefix[] = "natural/";
  char *const text = shk_yaml_scalar(value);
  const bool is = text && strncmp(text, prefix, sizeof prefix - 1) == 0;
  *divisor = 0;
  for (int n = 2; is && n <= 1024; n *= 2) {
    char digits[12];
    snprintf(digits, sizeof digits, "%d", n);
    if (strcmp(text + sizeof prefix - 1, digits) == 0)
      *divisor = n;
  }
  free(text);
  return is;
}

static bool read_steps(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                       void *into)
{
  struct shk_study_run *const run = into;
  run->steps_line = shk_yaml_line(value);
  if (is_word(value, "natural"))
    return true;
  if (read_natural_part(value, &run->natural_divisor))
    return run->natural_divisor > 0 ||
           shk_yaml_fail_kind(yaml, value, "natural/2, natural/4, … or natural/1024");
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
  struct shk_study_run *const run = into;
  return shk_read_progression(yaml, value, expected, 10, &run->tolerances);
}

/* Reads {scales: 4, within-natural: yes, digits: 2}. */
static bool read_scales(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                        struct shk_study_run *run)
{
  static const struct shk_yaml_key keys[] = {
      SHK_YAML_FIELD("scales", true, struct shk_study_run, until_scales, shk_read_positive,
                     "a number of time scales above zero"),
      SHK_YAML_FIELD("within-natural", false, struct shk_study_run, within_natural,
                     shk_read_yes_or_no, "yes or no"),
      SHK_YAML_FIELD("digits", false, struct shk_study_run, until_digits, shk_read_count,
                     "a number of digits")};
  return shk_yaml_mapping(yaml, value, expected, keys, sizeof keys / sizeof keys[0], run);
}

static bool read_until(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                       void *into)
{
  struct shk_study_run *const run = into;
  run->until_line = shk_yaml_line(value);
  if (shk_yaml_is_mapping(value))
    return read_scales(yaml, value, expected, run);
  if (number_before(&run->until_scales, value, "time scales"))
    return (run->until_scales.coefficient != 0 && !run->until_scales.negative) ||
           shk_yaml_fail_kind(yaml, value, "a number of time scales above zero");
  return is_word(value, "natural") || shk_read_positive(yaml, value, expected, &run->until);
}

static bool read_times(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                       void *into)
{
  struct shk_study_run *const run = into;
  static const struct shk_yaml_key keys[] = {SHK_YAML_FIELD("even", true, struct shk_study_run,
                                                            even_times, shk_read_count,
                                                            "a whole number from 1 to 1000")};
  run->times_line = shk_yaml_line(value);
  if (is_word(value, "default"))
    return true;
  if (shk_yaml_is_mapping(value))
    return shk_yaml_mapping(yaml, value, expected, keys, 1, run);
  return shk_read_times(yaml, value, expected, &run->times);
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
  if (run->steps_line == 0)
    run->steps_line = run->line;
  if (run->until_line == 0)
    run->until_line = run->line;
  if (run->times_line == 0)
    run->times_line = run->line;
}

/* A run, and keys that are read after its others; NULL if absent. */
struct run_reading {
  struct shk_study_run run;
  struct fy_node *sweep, *exclude, *where, *members, *lanes; /* lanes: the old name of members */
  struct fy_node *early;                                     /* keys that are read before the run */
};

#define RUN_KEY(name, must, reader, expected)                                                      \
  SHK_YAML_FIELD(name, must, struct run_reading, run, reader, expected)
static const struct shk_yaml_key run_keys[] = {
    RUN_KEY("problems", true, shk_read_problems, "a list of problems"),
    RUN_KEY("integrators", true, read_integrators, "a list of integrators"),
    RUN_KEY("steps", false, read_steps,
            "natural, a list of steps, natural/8, {largest: 0.1, halvings: 8}, {largest: 0.1, "
            "smallest: 0.001, factor: 10} or {largest: until/16, parts: [1, 2, 5]}"),
    RUN_KEY("tolerances", false, read_tolerances,
            "a list of tolerances or {largest: 1e-3, smallest: 1e-12, factor: 10}"),
    RUN_KEY("until", false, read_until, "natural or a number above zero (or `4 time scales`)"),
    RUN_KEY("times", false, read_times, "a list of numbers above zero"),
    SHK_YAML_FIELD("supported-only", false, struct run_reading, run.supported_only,
                   shk_read_yes_or_no, "yes or no"),
    RUN_KEY("precision", false, read_precisions, "a list of precisions"),
    RUN_KEY("measures", false, read_measures, "a list of measures"),
    SHK_YAML_FIELD("sweep", false, struct run_reading, sweep, shk_yaml_into_node, NULL),
    SHK_YAML_FIELD("where", false, struct run_reading, where, shk_yaml_into_node, NULL),
    SHK_YAML_FIELD("like", false, struct run_reading, early, shk_yaml_into_node, NULL),
    SHK_YAML_FIELD("budget", false, struct run_reading, early, shk_yaml_into_node, NULL),
    SHK_YAML_FIELD("draws", false, struct run_reading, early, shk_yaml_into_node, NULL),
    SHK_YAML_FIELD("exclude", false, struct run_reading, exclude, shk_yaml_into_node, NULL),
    RUN_KEY("limits", false, shk_read_limits, "a mapping of limits: {seconds: 60, memory: 2GiB}"),
    SHK_YAML_FIELD("outcomes", false, struct run_reading, run.singular, shk_read_singular_limits,
                   "thresholds: {error: 1e-3, branch: 0.1, growth: 10}"),
    SHK_YAML_FIELD("members", false, struct run_reading, members, shk_yaml_into_node, NULL),
    SHK_YAML_FIELD("lanes", false, struct run_reading, lanes, shk_yaml_into_node, NULL)};

static bool ignore(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                   void *into)
{
  (void)yaml, (void)value, (void)expected, (void)into;
  return true;
}

/* Reads the keys of a run, and further keys from the runs that it is `like`. */
static bool read_keys(const struct shk_yaml *yaml, struct fy_node *item, struct run_reading *its)
{
  enum { KEYS = sizeof run_keys / sizeof run_keys[0], MOST = 4 };
  static const char expected[] = "a mapping with problems and integrators";
  struct fy_node *levels[MOST + 2] = {item};
  bool given[KEYS] = {false};
  int count = 1;
  for (struct fy_node *like; (like = shk_yaml_value(levels[count - 1], "like")) != NULL;) {
    if (count > MOST)
      return shk_yaml_fail(yaml, item, "found more than %d nested `like`", MOST);
    if (!(levels[count++] = shk_choose_value(yaml, like)))
      return false;
  }
  while (count-- > 0) {
    struct shk_yaml_key keys[KEYS];
    for (int i = 0; i < KEYS; i++) {
      keys[i] = run_keys[i];
      keys[i].required = keys[i].required && count == 0 && !given[i];
      for (int k = 0; k < count; k++)
        if (shk_yaml_value(levels[k], keys[i].name))
          keys[i].into = ignore;
      given[i] = given[i] || shk_yaml_value(levels[count], keys[i].name);
    }
    if (!shk_yaml_mapping(yaml, levels[count], expected, keys, KEYS, its))
      return false;
  }
  return true;
}

bool shk_read_run(const struct shk_yaml *yaml, struct fy_node *item, struct shk_study *study)
{
  struct run_reading its = {.run.line = shk_yaml_line(item)};
  const bool ok = read_keys(yaml, item, &its);
  study->runs = shk_grow(study->runs, (size_t)study->run_count, sizeof *study->runs);
  struct shk_study_run *const run = &study->runs[study->run_count++];
  *run = its.run;
  run->is_like = shk_yaml_value(item, "like") != NULL;
  if (!ok || (its.where && !shk_read_where(yaml, its.where, run)) ||
      (its.sweep && !shk_read_sweeps(yaml, its.sweep, run)) ||
      (its.exclude && !shk_read_excludes(yaml, its.exclude, run)))
    return false;
  const struct shk_study_choices *const choices = yaml->choices;
  if (its.sweep && choices->by_method)
    return shk_yaml_fail(yaml, its.sweep, "a sweep does not go with values chosen by the method");
  fill_defaults(run);
  if (its.members && its.lanes)
    return shk_yaml_fail(yaml, its.lanes, "found lanes, the old name of members, beside members");
  if (its.lanes)
    its.members = its.lanes;
  return !its.members || shk_read_members(yaml, its.members, run);
}

bool shk_run_measures(const struct shk_study_run *run, enum shk_measure_id measure)
{
  return shk_in_list(run->measures, run->measure_count, shk_measures[measure].name);
}
