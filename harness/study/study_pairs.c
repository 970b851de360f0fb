/*
 * Keys of a run about its problems and integrators: options swept over values, and excluded pairs.
 * A swept option is set in every specification that has it; exclusions are checked against the
 * result.
 */
#include "harness/study/study_runs.h"

#include "engine/names.h"
#include "foundation/memory.h"

#include <stdlib.h>
#include <string.h>

/* More specifications than this in one run are an error: the limit of a study is 10⁶ cells. */
enum { most_specifications = 10000 };

/* ---- sweeps ---- */

struct sweep {
  const struct shk_yaml *yaml;
  struct shk_study_run *run;
  const char *option;
  struct fy_node *node, *values; /* the option and the list of its values */
  int count;
  bool used;
};

/* Adds copies of a start with the option at each value; the start itself if it lacks the option. */
static bool sweep_start(struct sweep *sweep, struct shk_study_run *run,
                        const struct shk_start *start, bool problem)
{
  const bool swept = shk_has_option(sweep->yaml->user, start->problem, problem, sweep->option);
  bool ok = true;
  sweep->used |= swept;
  for (int i = 0; ok && i < (swept ? sweep->count : 1); i++) {
    char *const value = shk_yaml_scalar(shk_yaml_item(sweep->values, i));
    struct shk_start its = {.problem = swept ? shk_with_option(sweep->yaml, sweep->node, "sweep of",
                                                               start->problem, sweep->option, value,
                                                               problem)
                                             : shk_copy_text(start->problem),
                            .q = shk_copy_text(start->q),
                            .p = shk_copy_text(start->p),
                            .project = start->project};
    ok = its.problem &&
         (run->problem_count < most_specifications ||
          shk_yaml_fail(sweep->yaml, sweep->node, "the sweep makes more than %d specifications",
                        most_specifications));
    if (!ok || !shk_add_start(run, &its))
      shk_start_free(&its);
    free(value);
  }
  return ok;
}

/* Sweeps the problems of a run, which may stand for integrators. */
static bool sweep_starts(struct sweep *sweep, struct shk_study_run *run, bool problem)
{
  struct shk_start *const old = run->problems;
  const int count = run->problem_count;
  bool ok = true;
  run->problems = NULL;
  run->problem_count = 0;
  shk_index_clear(&run->starts);
  for (int i = 0; i < count; i++) {
    ok = ok && sweep_start(sweep, run, &old[i], problem);
    shk_start_free(&old[i]);
  }
  free(old);
  return ok;
}

static bool sweep_integrators(struct sweep *sweep)
{
  struct shk_study_run *const run = sweep->run;
  struct shk_study_run as_problems = {.problem_count = 0};
  for (int i = 0; i < run->integrator_count; i++)
    shk_add_start(&as_problems, &(struct shk_start){.problem = run->integrators[i]});
  run->integrator_count = 0;
  const bool ok = sweep_starts(sweep, &as_problems, false);
  for (int i = 0; i < as_problems.problem_count; i++)
    shk_add_text(&run->integrators, &run->integrator_count,
                 shk_copy_text(as_problems.problems[i].problem));
  shk_run_clear(&as_problems);
  return ok;
}

static bool read_sweep(const struct shk_yaml *yaml, const char *key, struct fy_node *key_node,
                       struct fy_node *value, void *context)
{
  struct sweep *const sweep = context;
  *sweep =
      (struct sweep){.yaml = yaml,
                     .run = sweep->run,
                     .option = key,
                     .node = key_node,
                     .values = value,
                     .count = shk_yaml_items(yaml, value, "a list of values of the option", false)};
  bool ok = sweep->count > 0;
  for (int i = 0; ok && i < sweep->count; i++) {
    char *const text = shk_yaml_text(yaml, shk_yaml_item(value, i), "a value of the option");
    ok = text != NULL;
    free(text);
  }
  return ok && sweep_starts(sweep, sweep->run, true) && sweep_integrators(sweep) &&
         (sweep->used || shk_yaml_fail(yaml, key_node,
                                       "no problem and no integrator of this run has the option "
                                       "\"%s\"",
                                       key));
}

bool shk_read_sweeps(const struct shk_yaml *yaml, struct fy_node *node, struct shk_study_run *run)
{
  struct sweep sweep = {.yaml = yaml, .run = run};
  return shk_yaml_pairs(yaml, node, "a mapping of options to values: {linear: [lu, cholesky]}",
                        read_sweep, &sweep);
}

/* ---- exclusions ---- */

static bool is_excluded(const struct shk_exclusion *exclusion, const char *problem,
                        const char *integrator)
{
  return (!exclusion->problem || shk_is_meant(exclusion->problem, problem)) &&
         (!exclusion->integrator || shk_is_meant(exclusion->integrator, integrator));
}

bool shk_run_excludes(const struct shk_study_run *run, const char *problem, const char *integrator)
{
  for (int i = 0; i < run->exclude_count; i++)
    if (is_excluded(&run->excludes[i], problem, integrator))
      return true;
  return false;
}

static bool matches_some(const struct shk_study_run *run, const struct shk_exclusion *exclusion)
{
  for (int i = 0; i < run->problem_count; i++)
    for (int k = 0; k < run->integrator_count; k++)
      if (is_excluded(exclusion, run->problems[i].problem, run->integrators[k]))
        return true;
  return false;
}

static bool read_exclusion(const struct shk_yaml *yaml, struct fy_node *item, void *into)
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
  const bool problem = between || shk_find_problem(yaml->user, text),
             integrator = between || !problem;
  if (between)
    *between = '\0';
  if (problem)
    its->problem = shk_read_pattern(yaml, item, text, true);
  if (integrator && (its->problem || !problem))
    its->integrator = shk_read_pattern(yaml, item, between ? between + strlen(with) : text, false);
  if (between)
    *between = ' ';
  const bool ok = (its->problem || !problem) && (its->integrator || !integrator) &&
                  (matches_some(run, its) ||
                   shk_yaml_fail(yaml, item, "this run has no problem or integrator \"%s\"", text));
  free(text);
  return ok;
}

bool shk_read_excludes(const struct shk_yaml *yaml, struct fy_node *node, struct shk_study_run *run)
{
  return shk_yaml_sequence(yaml, node,
                           "a list of integrators, problems or `PROBLEM with INTEGRATOR`", false,
                           read_exclusion, run);
}
