/*
 * Reads those keys of a run that modify its problems and integrators, that is, sweeps of options,
 * excluded pairs, and members. A sweep sets an option in every specification that has the option.
 * Exclusions are checked against the resulting specifications. Members are copies of a problem that
 * share a cell and differ in the value of one option.
 *
 * A value may contain one range A..B, which represents the integers from A to B: 1..32,
 * 100..131deg, 200..231e-2, random(seed=1..32).
 */
#include "harness/study/study_runs.h"

#include "engine/names.h"
#include "foundation/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Maximum number of specifications that sweeps can generate from one problem, or from all
 * integrators of a run. */
enum { most_specifications = 10000 };

/* ---- values ---- */

/* Finds the range A..B in a string and stores its length. A and B are integers with at most nine
 * digits. Digits that follow a sign or a decimal point are not accepted as A. Returns NULL if there
 * is no range. */
static const char *find_range(size_t *length, long *from, long *to, const char *text)
{
  int read = 0;
  const char *at = strstr(text, "..");
  while (at && at > text && isdigit((unsigned char)at[-1]))
    at--;
  if (!at || !isdigit((unsigned char)*at) || (at > text && strchr(".+-", at[-1])) ||
      sscanf(at, "%9ld..%9ld%n", from, to, &read) != 2)
    return NULL;
  *length = (size_t)read;
  return at;
}

static bool read_value(const struct shk_yaml *yaml, struct fy_node *item, void *list)
{
  struct shk_index *const values = list;
  char *const text = shk_yaml_text(yaml, item, "a value of the option");
  size_t length = 0;
  long from = 0, to = 0;
  bool ok = text != NULL;
  const char *const range = ok ? find_range(&length, &from, &to, text) : NULL;
  if (range && strstr(range + length, ".."))
    ok = shk_yaml_fail(yaml, item, "found two ranges in \"%s\", expected one at most", text);
  else if (range && (from > to || to - from >= SHK_MOST_MEMBERS))
    ok = shk_yaml_fail(yaml, item,
                       "found the range %.*s, expected an ascending range of at most %d numbers",
                       (int)length, range, SHK_MOST_MEMBERS);
  for (long k = from; ok && k <= to; k++) {
    char *const value =
        range ? shk_print_text("%.*s%ld%s", (int)(range - text), text, k, range + length)
              : shk_copy_text(text);
    const int known = values->count;
    ok = shk_index_text(values, value) == known ||
         shk_yaml_fail(yaml, item, "the value %s is given twice", value);
    free(value);
  }
  free(text);
  return ok;
}

/* ---- sweeps ---- */

struct sweep {
  const struct shk_yaml *yaml;
  struct fy_node *node; /* the option */
  const char *option;
  struct shk_index values;
  bool used;
};

/* Adds one copy of a specification per value, with the option set to that value. Adds the
 * specification unchanged if it does not have this option. */
static bool sweep_text(struct sweep *sweep, struct shk_index *all, const char *spec, bool problem)
{
  bool ok = true;
  if (!shk_option_of(sweep->yaml->user, spec, problem, sweep->option)) {
    shk_index_text(all, spec);
    return true;
  }
  sweep->used = true;
  for (int i = 0; ok && i < sweep->values.count; i++) {
    char *const text = shk_with_option(sweep->yaml, sweep->node, spec, sweep->option,
                                       sweep->values.texts[i], problem);
    ok = text != NULL;
    if (ok)
      shk_index_text(all, text);
    free(text);
  }
  return ok &&
         (all->count <= most_specifications ||
          shk_yaml_fail(sweep->yaml, sweep->node, "the sweep generates more than %d specifications",
                        most_specifications));
}

static bool sweep_integrators(struct sweep *sweep, struct shk_index *integrators)
{
  struct shk_index all = {0};
  bool ok = true;
  for (int i = 0; ok && i < integrators->count; i++)
    ok = sweep_text(sweep, &all, integrators->texts[i], false);
  shk_index_clear(integrators);
  *integrators = all;
  return ok;
}

static bool sweep_problems(struct sweep *sweep, struct shk_study_run *run)
{
  struct shk_cell *const old = run->problems;
  const int count = run->problem_count;
  bool ok = true;
  run->problems = NULL;
  run->problem_count = 0;
  shk_index_clear(&run->starts);
  for (int i = 0; i < count; i++) {
    struct shk_index all = {0};
    ok = ok && sweep_text(sweep, &all, old[i].problem, true);
    for (int k = 0; ok && k < all.count; k++) {
      struct shk_cell start, swept = old[i];
      swept.problem = all.texts[k];
      shk_cell_copy(&start, &swept);
      shk_add_start(run, &start);
    }
    shk_index_clear(&all);
    shk_cell_clear(&old[i]);
  }
  free(old);
  return ok;
}

static bool read_sweep(const struct shk_yaml *yaml, const char *key, struct fy_node *key_node,
                       struct fy_node *value, void *into)
{
  struct shk_study_run *const run = into;
  struct sweep sweep = {.yaml = yaml, .node = key_node, .option = key};
  const bool ok = shk_yaml_sequence(yaml, value, "a list of values of the option", false,
                                    read_value, &sweep.values) &&
                  sweep_problems(&sweep, run) && sweep_integrators(&sweep, &run->integrators);
  shk_index_clear(&sweep.values);
  return ok && (sweep.used ||
                shk_yaml_fail(
                    yaml, key_node,
                    "neither a problem nor an integrator of this run has the option \"%s\"", key));
}

bool shk_read_sweeps(const struct shk_yaml *yaml, struct fy_node *node, void *run)
{
  return shk_yaml_pairs(yaml, node, "a mapping of options to values: {linear: [lu, cholesky]}",
                        read_sweep, run) &&
         (!shk_choices(yaml)->by_method ||
          shk_yaml_fail(yaml, node, "a sweep cannot be combined with values chosen by the method"));
}

/* ---- members ---- */

/* Creates a problem's members, which are copies of the problem with the option set to each of the
 * values. */
static bool add_members(struct sweep *sweep, struct shk_cell *start)
{
  struct shk_index all = {0};
  char *const base = shk_without_option(start->problem, sweep->option);
  sweep->used = false;
  bool ok = sweep_text(sweep, &all, base, true);
  if (ok && !sweep->used)
    ok =
        shk_yaml_fail(sweep->yaml, sweep->node,
                      "%.*s has no option \"%s\", and every problem of a run with members needs it",
                      (int)strcspn(base, "("), base, sweep->option);
  else if (ok && all.count < sweep->values.count)
    ok = shk_yaml_fail(sweep->yaml, sweep->node, "a member of %s is given twice", start->problem);
  start->member_count = all.count;
  start->members = shk_allocate((size_t)all.count, sizeof *start->members);
  for (int i = 0; i < all.count; i++)
    start->members[i] = shk_copy_text(all.texts[i]);
  shk_index_clear(&all);
  free(base);
  return ok;
}

/* Checks the number of members. Also checks that the run requests only measures of runs, because
 * members are not supported by other types of cells or by analyses of a single trajectory. */
static bool check_members(const struct sweep *sweep, const struct shk_study_run *run)
{
  const int count = sweep->values.count;
  if (run->problem_count > 0 && run->problems[0].member_count > 0)
    return shk_yaml_fail(
        sweep->yaml, sweep->node,
        "found a second option, expected only one: members are the values of a single option");
  for (int i = 0; i < run->measures.count; i++)
    if (shk_measures[shk_measure_named(run->measures.texts[i])].in != SHK_IN_RUNS)
      return shk_yaml_fail(sweep->yaml, sweep->node,
                           "the measure \"%s\" is for single starts, not for members: list the "
                           "starts as problems in a separate run",
                           run->measures.texts[i]);
  if (run->singular.asked)
    return shk_yaml_fail(sweep->yaml, sweep->node,
                         "the key \"outcomes\" is for single starts, not for members");
  return (count >= 2 && count <= SHK_MOST_MEMBERS) ||
         shk_yaml_fail(sweep->yaml, sweep->node, "found %d member%s, expected 2 to %d", count,
                       count == 1 ? "" : "s", SHK_MOST_MEMBERS);
}

static bool read_members(const struct shk_yaml *yaml, const char *key, struct fy_node *key_node,
                         struct fy_node *value, void *into)
{
  struct shk_study_run *const run = into;
  struct sweep sweep = {.yaml = yaml, .node = key_node, .option = key};
  bool ok = shk_yaml_sequence(yaml, value, "a list of values of the option, or 1..32", true,
                              read_value, &sweep.values) &&
            check_members(&sweep, run);
  for (int i = 0; ok && i < run->problem_count; i++)
    ok = add_members(&sweep, &run->problems[i]);
  shk_index_clear(&sweep.values);
  return ok;
}

bool shk_read_members(const struct shk_yaml *yaml, struct fy_node *node, void *run)
{
  return shk_yaml_pairs(yaml, node, "one option with its values: {seed: 1..32}", read_members, run);
}

/* ---- exclusions ---- */

bool shk_run_excludes(const struct shk_study_run *run, const char *problem, const char *integrator)
{
  for (int i = 0; i < run->exclude_count; i++) {
    const struct shk_exclusion *const exclusion = &run->excludes[i];
    if ((!exclusion->problem || shk_is_meant(exclusion->problem, problem)) &&
        (!exclusion->integrator || shk_is_meant(exclusion->integrator, integrator)))
      return true;
  }
  return false;
}

bool shk_read_exclusion(const struct shk_yaml *yaml, struct fy_node *item, void *into)
{
  static const char with[] = " with ";
  struct shk_study_run *const run = into;
  struct shk_exclusion *const exclusion = SHK_APPEND(run->excludes, run->exclude_count);
  char *const text =
      shk_yaml_text(yaml, item, "an integrator, a problem, or `PROBLEM with INTEGRATOR`");
  *exclusion = (struct shk_exclusion){NULL, NULL};
  if (!text)
    return false;
  char *const between = strstr(text, with);
  const char *const second = between ? between + strlen(with) : text;
  if (between)
    *between = '\0';
  const bool problem = between || shk_find_problem(yaml->user, text);
  bool ok = !problem || (exclusion->problem = shk_read_pattern(yaml, item, text, true, run, 1));
  if (ok && (between || !problem))
    ok = (exclusion->integrator = shk_read_pattern(yaml, item, second, false, run, 1));
  free(text);
  return ok;
}
