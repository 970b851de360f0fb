/*
 * Keys of a run about its problems and integrators: options swept over values, and excluded pairs.
 * A swept option is set in every specification that has it; exclusions are checked against the
 * result.
 */
#include "harness/study/study_choices.h"
#include "harness/study/study_runs.h"

#include "engine/names.h"
#include "foundation/memory.h"

#include <stdlib.h>
#include <string.h>

/* Limit of specifications that sweeps make from one problem, or from all integrators of a run. */
enum { most_specifications = 10000 };

/* ---- sweeps ---- */

struct sweep {
  const struct shk_yaml *yaml;
  struct fy_node *node; /* the option */
  const char *option;
  struct shk_index values;
  bool used;
};

/* Adds the specification with the option at each value, or as it is if it has no such option. */
static bool sweep_text(struct sweep *its, struct shk_index *all, const char *spec, bool problem)
{
  bool ok = true;
  if (!shk_option_of(its->yaml->user, spec, problem, its->option)) {
    shk_index_text(all, spec);
    return true;
  }
  its->used = true;
  for (int i = 0; ok && i < its->values.count; i++) {
    char *const text =
        shk_with_option(its->yaml, its->node, spec, its->option, its->values.texts[i], problem);
    ok = text != NULL;
    if (ok)
      shk_index_text(all, text);
    free(text);
  }
  return ok && (all->count <= most_specifications ||
                shk_yaml_fail(its->yaml, its->node, "the sweep makes more than %d specifications",
                              most_specifications));
}

static bool sweep_integrators(struct sweep *its, struct shk_index *integrators)
{
  struct shk_index all = {0};
  bool ok = true;
  for (int i = 0; ok && i < integrators->count; i++)
    ok = sweep_text(its, &all, integrators->texts[i], false);
  shk_index_clear(integrators);
  *integrators = all;
  return ok;
}

static bool sweep_problems(struct sweep *its, struct shk_study_run *run)
{
  struct shk_cell *const old = run->problems;
  const int count = run->problem_count;
  bool ok = true;
  run->problems = NULL;
  run->problem_count = 0;
  shk_index_clear(&run->starts);
  for (int i = 0; i < count; i++) {
    struct shk_index all = {0};
    ok = ok && sweep_text(its, &all, old[i].problem, true);
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
  struct sweep its = {.yaml = yaml, .node = key_node, .option = key};
  const bool ok = shk_yaml_sequence(yaml, value, "a list of values of the option", false,
                                    shk_read_value, &its.values) &&
                  sweep_problems(&its, run) && sweep_integrators(&its, &run->integrators);
  shk_index_clear(&its.values);
  return ok && (its.used || shk_yaml_fail(yaml, key_node,
                                          "no problem and no integrator of this run has the option "
                                          "\"%s\"",
                                          key));
}

bool shk_read_sweeps(const struct shk_yaml *yaml, struct fy_node *node, void *run)
{
  return shk_yaml_pairs(yaml, node, "a mapping of options to values: {linear: [lu, cholesky]}",
                        read_sweep, run) &&
         (!shk_choices(yaml)->by_method ||
          shk_yaml_fail(yaml, node, "a sweep does not go with values chosen by the method"));
}

/* ---- exclusions ---- */

bool shk_run_excludes(const struct shk_study_run *run, const char *problem, const char *integrator)
{
  for (int i = 0; i < run->exclude_count; i++) {
    const struct shk_exclusion *const its = &run->excludes[i];
    if ((!its->problem || shk_is_meant(its->problem, problem)) &&
        (!its->integrator || shk_is_meant(its->integrator, integrator)))
      return true;
  }
  return false;
}

bool shk_read_exclusion(const struct shk_yaml *yaml, struct fy_node *item, void *into)
{
  static const char with[] = " with ";
  struct shk_study_run *const run = into;
  struct shk_exclusion *const its = SHK_APPEND(run->excludes, run->exclude_count);
  char *const text =
      shk_yaml_text(yaml, item, "an integrator, a problem, or `PROBLEM with INTEGRATOR`");
  *its = (struct shk_exclusion){NULL, NULL};
  if (!text)
    return false;
  char *const between = strstr(text, with);
  const char *const second = between ? between + strlen(with) : text;
  if (between)
    *between = '\0';
  const bool problem = between || shk_find_problem(yaml->user, text);
  bool ok = !problem || (its->problem = shk_read_pattern(yaml, item, text, true, run, 1));
  if (ok && (between || !problem))
    ok = (its->integrator = shk_read_pattern(yaml, item, second, false, run, 1));
  free(text);
  return ok;
}
