/*
 * Reads the keys of a run: its problems, its integrators, and the settings for running every pair
 * of them. Conditions, sweeps, exclusions and members refer to these keys, so they are read last
 * (study_where.c, study_pairs.c).
 */
#include "harness/study/study_runs.h"

#include "engine/names.h"
#include "foundation/memory.h"

#include <stdlib.h>

static const char a_problem[] = "a problem such as pendulum(angle=0.7)";

/* ---- precisions, problems and integrators ---- */

/* Reads the name of a precision. "finest" means the finest precision that the current class of
 * methods supports, either quad or double. */
static bool read_precision(const struct shk_yaml *yaml, struct fy_node *item, void *list)
{
  struct shk_index *const all = list;
  struct shk_message reason;
  if (shk_is_word(item, "finest")) {
    shk_choices(yaml)->by_method = true;
    shk_index_text(all, shk_choices(yaml)->class.in_quad ? "quad" : "double");
    return true;
  }
  return shk_read_known(yaml, item, list) &&
         (shk_engine_named(all->texts[all->count - 1], &reason) ||
          shk_yaml_fail(yaml, item, "%s", reason.text));
}

/* Reads a problem's specification, replaces each $seedN by a seed, and converts the result to
 * canonical form. */
static bool read_specification(const struct shk_yaml *yaml, struct fy_node *value, void *canonical)
{
  char *text = shk_yaml_text(yaml, value, a_problem);
  if (!text)
    return false;
  text = shk_with_seeds(yaml->choices, text);
  *(char **)canonical = shk_read_canonical(yaml, value, text, true);
  free(text);
  return *(char **)canonical;
}

/* Adds a start to the run, which takes ownership of it. Duplicates are an error, except within a
 * $name. */
static bool add_start(const struct shk_yaml *yaml, struct fy_node *item, struct shk_study_run *run,
                      struct shk_cell start)
{
  return shk_add_start(run, &start) || shk_choices(yaml)->in_name > 0 ||
         shk_yaml_fail(yaml, item, "this problem is given twice");
}

static bool add_named_problem(const struct shk_yaml *yaml, struct fy_node *item, const char *text,
                              void *run)
{
  char *const problem = shk_read_canonical(yaml, item, text, true);
  return problem && add_start(yaml, item, run, (struct shk_cell){.problem = problem});
}

/* Reads a list of specifications and selects one of them according to the seed and the
 * repetition. */
static bool read_one_of(const struct shk_yaml *yaml, struct fy_node *value, void *canonical)
{
  const int count = shk_yaml_items(yaml, value, "a list of problems", false);
  const struct shk_study_choices *const choices = shk_choices(yaml);
  const int one = count > 0 ? (int)((choices->settings.seed + choices->draw) % count) : 0;
  return count > 0 && read_specification(yaml, shk_yaml_item(value, one), canonical);
}

/* Reads the seed for a kick and stores it as a string. */
static bool read_kick(const struct shk_yaml *yaml, struct fy_node *value, void *text)
{
  int seed = 0;
  const bool ok = shk_read_whole(yaml, value, &seed);
  if (ok)
    *(char **)text = shk_print_text("%d", seed);
  return ok;
}

/* Returns true if a problem given as a mapping specifies its start by q and p, by a kick, or by
 * both. */
static bool has_start(const struct shk_yaml *yaml, struct fy_node *item,
                      const struct shk_cell *start)
{
  return (!start->q == !start->p && !shk_has_own_start(start) && (start->q || !start->project)) ||
         shk_yaml_fail(yaml, item,
                       "found a problem without a start, expected q and p (and project), or kick");
}

static bool read_problem(const struct shk_yaml *yaml, struct fy_node *item, void *run)
{
  static const char numbers[] = "a list of numbers";
  static const struct shk_yaml_key keys[] = {
      SHK_YAML_FIELD("problem", true, struct shk_cell, problem, read_specification, a_problem),
      SHK_YAML_FIELD("q", false, struct shk_cell, q, shk_read_vector, numbers),
      SHK_YAML_FIELD("p", false, struct shk_cell, p, shk_read_vector, numbers),
      SHK_YAML_FIELD("project", false, struct shk_cell, project, shk_read_yes_or_no, "yes or no"),
      SHK_YAML_FIELD("kick", false, struct shk_cell, kick, read_kick, SHK_KICK_KEY)};
  struct fy_node *const drawn = shk_yaml_value(item, "one of");
  struct shk_cell start = {0};
  if (shk_is_choice(item))
    return shk_read_named(yaml, item, add_named_problem, read_problem, run);
  if (drawn ? read_one_of(yaml, drawn, &start.problem)
      : shk_yaml_is_mapping(item)
          ? shk_yaml_mapping(yaml, item, NULL, "a problem", SHK_YAML_KEYS(keys), &start) &&
                has_start(yaml, item, &start)
          : read_specification(yaml, item, &start.problem))
    return add_start(yaml, item, run, start);
  shk_cell_clear(&start);
  return false;
}

void shk_small_problems(struct shk_index *list, const struct shk_context *context,
                        bool only_of_plugins, int most)
{
  struct shk_message unused;
  const struct shk_problem_info *info;
  for (int i = 0; (info = shk_problem_at(context, i)) != NULL; i++) {
    struct shk_inspection is;
    char *const spec = shk_canonical_problem(context, info->name, &unused);
    if (spec && (!only_of_plugins || shk_is_remote_problem(context, spec)) &&
        shk_inspect(context, &is, "double", spec, &unused) && is.n <= most)
      shk_index_text(list, spec);
    free(spec);
  }
}

/* Adds all problems that are small enough for all methods. */
static bool add_all_problems(const struct shk_context *context, struct shk_study_run *run)
{
  enum { MOST_COORDINATES = 1000 };
  struct shk_index all = {0};
  shk_small_problems(&all, context, false, MOST_COORDINATES);
  for (int i = 0; i < all.count; i++)
    shk_add_start(run, &(struct shk_cell){.problem = shk_copy_text(all.texts[i])});
  shk_index_clear(&all);
  return true;
}

/* Adds an integrator. Duplicates are an error, except within a $name. */
static bool add_integrator(const struct shk_yaml *yaml, struct fy_node *item, const char *text,
                           void *list)
{
  struct shk_index *const all = list;
  const int known = all->count;
  return shk_index_text(all, text) == known || shk_choices(yaml)->in_name > 0 ||
         shk_yaml_fail(yaml, item, "integrator %s is given twice", text);
}

static bool read_integrator(const struct shk_yaml *yaml, struct fy_node *item, void *list)
{
  if (shk_is_choice(item))
    return shk_read_named(yaml, item, add_integrator, read_integrator, list);
  char *const text = shk_yaml_text(yaml, item, "an integrator such as rattle(linear=lu)");
  char *const integrator = text ? shk_read_canonical(yaml, item, text, false) : NULL;
  const bool ok = integrator && add_integrator(yaml, item, integrator, list);
  free(text);
  free(integrator);
  return ok;
}

bool shk_read_problems(const struct shk_yaml *yaml, struct fy_node *value, void *run)
{
  return shk_is_word(value, "all")
             ? add_all_problems(yaml->user, run)
             : shk_yaml_sequence(yaml, value, "a list of problems", false, read_problem, run);
}

bool shk_read_integrators(const struct shk_yaml *yaml, struct fy_node *value, void *list)
{
  return shk_is_word(value, "all") ? shk_each_method(yaml, value, true, add_integrator, list)
                                   : shk_yaml_sequence(yaml, value, "a list of integrators", false,
                                                       read_integrator, list);
}

/* ---- steps, horizon, times ---- */

static bool read_steps(const struct shk_yaml *yaml, struct fy_node *value, void *into)
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
    return shk_read_parts(yaml, value, &run->parts);
  }
  run->step_kind = SHK_STEPS_LIST;
  return shk_read_progression(yaml, value, 2, &run->steps);
}

static bool read_tolerances(const struct shk_yaml *yaml, struct fy_node *value, void *into)
{
  return shk_read_progression(yaml, value, 10, into);
}

#define FIELD(name, field, reader, ...)                                                            \
  SHK_YAML_FIELD(name, false, struct shk_study_run, field, reader, __VA_ARGS__)
#define HERE(key, reader, ...)                                                                     \
  {                                                                                                \
    .name = key, .read = reader, .expected = __VA_ARGS__                                           \
  }

static bool read_until(const struct shk_yaml *yaml, struct fy_node *value, void *into)
{
  static const char number[] = "a number of time scales above zero";
  static const struct shk_yaml_key keys[] = {
      SHK_YAML_FIELD("scales", true, struct shk_study_run, until_scales, shk_read_positive, number),
      FIELD("within-natural", within_natural, shk_read_yes_or_no, "yes or no"),
      FIELD("digits", until_digits, shk_read_whole, "a number of digits, at most 6", .least = 1,
            .most = 6)};
  struct shk_study_run *const run = into;
  run->until_line = shk_yaml_line(value);
  if (shk_yaml_is_mapping(value))
    return shk_yaml_mapping(yaml, value, NULL, yaml->key->expected, SHK_YAML_KEYS(keys), run);
  if (shk_is_form(&run->until_scales, value, "", " time scales"))
    return run->until_scales.coefficient != 0 || shk_yaml_fail_kind(yaml, value, number);
  return shk_is_word(value, "natural") || shk_read_positive(yaml, value, &run->until);
}

static bool read_times(const struct shk_yaml *yaml, struct fy_node *value, void *into)
{
  struct shk_study_run *const run = into;
  static const struct shk_yaml_key keys[] = {
      SHK_YAML_FIELD("even", true, struct shk_study_run, even_times, shk_read_whole,
                     "a whole number from 1 to 1000", .least = 1, .most = 1000)};
  run->times_line = shk_yaml_line(value);
  if (shk_yaml_is_mapping(value))
    return shk_yaml_mapping(yaml, value, NULL, yaml->key->expected, SHK_YAML_KEYS(keys), run);
  return shk_is_word(value, "default") || shk_read_times(yaml, value, &run->times);
}

/* Reads the name of a measure. If the name of one of its quantities is given instead, rejects it
 * with a message that names the measure. */
static bool read_measure(const struct shk_yaml *yaml, struct fy_node *item, void *list)
{
  char *const name = shk_yaml_text(yaml, item, yaml->key->what);
  const bool known = name && shk_measure_named(name) != SHK_MEASURES;
  const char *const measure = name && !known ? shk_measure_of(name) : NULL;
  const bool ok =
      measure
          ? shk_yaml_fail(yaml, item, "\"%s\" is part of the measure %s; expected measures: [%s]",
                          name, measure, measure)
          : name && shk_read_known(yaml, item, list);
  free(name);
  return ok;
}

/* ---- the run ---- */

static void fill_defaults(struct shk_study_run *run)
{
  if (run->precisions.count == 0)
    shk_index_text(&run->precisions, "double");
  run->measures_named = run->measures.count > 0;
  for (int i = 0; !run->measures_named && i < SHK_MEASURES; i++)
    /* other measures are computed only if the study names them */
    if (shk_measures[i].in == SHK_IN_RUNS)
      shk_index_text(&run->measures, shk_measures[i].name);
}

/* The keys of a run, in the order in which they are read. Conditions, sweeps, exclusions and
 * members come last, because they refer to the run's problems and integrators. Keys that have no
 * reader are read before the run itself. */
static const struct shk_yaml_key keys[] = {
    {.name = "problems", .required = true, .read = shk_read_problems},
    SHK_YAML_FIELD("integrators", true, struct shk_study_run, integrators, shk_read_integrators,
                   NULL),
    HERE("steps", read_steps,
         "natural, a list of steps, natural/8, {largest: 0.1, halvings: 8}, {largest: 0.1, "
         "smallest: 0.001, factor: 10} or {largest: until/16, parts: [1, 2, 5]}"),
    FIELD("tolerances", tolerances, read_tolerances,
          "a list of tolerances or {largest: 1e-3, smallest: 1e-12, factor: 10}"),
    HERE("until", read_until, "natural or a number above zero (or `4 time scales`)"),
    HERE("times", read_times, "a list of numbers above zero"),
    FIELD("supported-only", supported_only, shk_read_yes_or_no, "yes or no"),
    FIELD("precision", precisions, shk_yaml_into_list, "a list of precisions", .or_one = true,
          .item = read_precision, .words = shk_precision_names, .what = "precision"),
    FIELD("measures", measures, shk_yaml_into_list, "a list of measures", .or_one = true,
          .item = read_measure, .words = shk_measure_names, .what = "measure"),
    HERE("limits", shk_read_limits, "a mapping of limits: {seconds: 60, memory: 2GiB}"),
    FIELD("outcomes", singular, shk_read_singular_limits,
          "thresholds: {error: 1e-3, branch: 0.1, growth: 10}"),
    HERE("where", shk_read_where, NULL),
    HERE("sweep", shk_read_sweeps, NULL),
    HERE("exclude", shk_yaml_into_list,
         "a list of integrators, problems or `PROBLEM with INTEGRATOR`",
         .item = shk_read_exclusion),
    HERE("members", shk_read_members, NULL),
    {.name = "like"},
    {.name = "budget"},
    {.name = "draws"}};

/* Reads the keys of a run. Missing keys are inherited from the run that the `like` key names. */
static bool read_keys(const struct shk_yaml *yaml, struct fy_node *item, struct shk_study_run *run)
{
  enum { MOST_LIKE = 4 };
  struct fy_node *likes[MOST_LIKE + 1] = {NULL}, *last = item, *like;
  for (int i = 0; (like = shk_yaml_value(last, "like")) != NULL; i++) {
    if (i == MOST_LIKE)
      return shk_yaml_fail(yaml, last, "found more than %d nested `like`", MOST_LIKE);
    if (!(last = likes[i] = shk_choose_value(yaml, like)))
      return false;
  }
  run->is_like = likes[0] != NULL;
  return shk_yaml_mapping(yaml, item, likes, "a mapping with problems and integrators",
                          SHK_YAML_KEYS(keys), run);
}

bool shk_read_run(const struct shk_yaml *yaml, struct fy_node *item, struct shk_study *study)
{
  struct shk_study_run *const run = SHK_APPEND(study->runs, study->run_count);
  *run = (struct shk_study_run){.line = shk_yaml_line(item)};
  const bool ok = read_keys(yaml, item, run);
  fill_defaults(run);
  return ok;
}

unsigned long shk_measures_of_run(const struct shk_study_run *run)
{
  unsigned long measures = 0;
  for (int i = 0; i < SHK_MEASURES; i++)
    measures |= shk_run_measures(run, (enum shk_measure_id)i) ? 1ul << i : 0;
  return measures;
}

bool shk_run_measures(const struct shk_study_run *run, enum shk_measure_id measure)
{
  return shk_index_find(&run->measures, shk_measures[measure].name) >= 0;
}
