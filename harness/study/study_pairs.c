/*
 * Keys of a run about its problems and integrators: options swept over values, and excluded pairs.
 * A swept option is set in every specification that has it; exclusions are checked against the
 * result.
 */
#include "harness/study/study_runs.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "harness/study/study.h"

#include <stdlib.h>
#include <string.h>

/* More specifications than this in one run are an error: the limit of a study is 10⁶ cells. */
enum { most_specifications = 10000 };

struct sweep {
  char *option;
  struct fy_node *node;
  int count;
  char **values;
  bool used;
};

struct reader {
  const struct shk_yaml *yaml;
  struct shk_study_run *run;
  int sweep_count;
  struct sweep *sweeps;
};

/* ---- sweeps ---- */

static bool read_sweep_value(void *context, struct fy_node *item)
{
  const struct reader *const reader = context;
  struct sweep *const sweep = &reader->sweeps[reader->sweep_count - 1];
  char *const text = shk_yaml_text(reader->yaml, item, "a value of the option");
  if (!text)
    return false;
  shk_add_text(&sweep->values, &sweep->count, text);
  return true;
}

static bool read_sweep(void *context, const char *key, struct fy_node *key_node,
                       struct fy_node *value)
{
  struct reader *const reader = context;
  reader->sweeps = shk_grow(reader->sweeps, (size_t)reader->sweep_count, sizeof *reader->sweeps);
  reader->sweeps[reader->sweep_count++] =
      (struct sweep){.option = shk_copy_text(key), .node = key_node};
  return shk_yaml_sequence(reader->yaml, value, "a list of values of the option", false,
                           read_sweep_value, reader);
}

bool shk_has_option(const struct shk_option *options, const char *name)
{
  for (; options && options->name; options++)
    if (strcmp(options->name, name) == 0)
      return true;
  return false;
}

char *shk_with_option(const struct shk_context *context, const char *spec, const char *option,
                      const char *value, bool problem, struct shk_message *reason)
{
  const size_t length = strlen(spec);
  const bool has_items = spec[length - 1] == ')';
  char *const text = has_items ? shk_print_text("%.*s,%s=%s)", (int)length - 1, spec, option, value)
                               : shk_print_text("%s(%s=%s)", spec, option, value);
  char *const canonical = problem ? shk_canonical_problem(context, text, reason)
                                  : shk_canonical_integrator(context, text, reason);
  free(text);
  return canonical;
}

/* Returns the specification with the option set; NULL with the message set. */
static char *with_option(const struct reader *reader, const struct sweep *sweep, const char *spec,
                         const char *value, bool problem)
{
  struct shk_message reason = {.text = ""};
  char *const canonical =
      shk_with_option(reader->yaml->user, spec, sweep->option, value, problem, &reason);
  if (!canonical)
    shk_yaml_fail(reader->yaml, sweep->node, "sweep of %s over %s: %s", sweep->option, spec,
                  reason.text);
  return canonical;
}

static bool sweep_integrators(const struct reader *reader, struct sweep *sweep)
{
  struct shk_study_run *const run = reader->run;
  char **const old = run->integrators;
  const int old_count = run->integrator_count;
  run->integrators = NULL;
  run->integrator_count = 0;
  bool ok = true;
  for (int i = 0; i < old_count; i++) {
    const struct shk_integrator_info *const info = shk_find_integrator(reader->yaml->user, old[i]);
    const bool swept = info && shk_has_option(info->options, sweep->option);
    sweep->used |= swept;
    for (int k = 0; ok && k < (swept ? sweep->count : 1); k++) {
      char *const spec = swept ? with_option(reader, sweep, old[i], sweep->values[k], false)
                               : shk_copy_text(old[i]);
      ok = spec != NULL && run->integrator_count < most_specifications;
      if (ok && !shk_in_list(run->integrators, run->integrator_count, spec))
        shk_add_text(&run->integrators, &run->integrator_count, spec);
      else
        free(spec);
    }
    free(old[i]);
  }
  free(old);
  return ok;
}

static bool sweep_problems(const struct reader *reader, struct sweep *sweep)
{
  struct shk_study_run *const run = reader->run;
  struct shk_start *const old = run->problems;
  const int old_count = run->problem_count;
  run->problems = NULL;
  run->problem_count = 0;
  shk_index_clear(&run->starts);
  bool ok = true;
  for (int i = 0; i < old_count; i++) {
    const struct shk_problem_info *const info =
        shk_find_problem(reader->yaml->user, old[i].problem);
    const bool swept = info && shk_has_option(info->options, sweep->option);
    sweep->used |= swept;
    for (int k = 0; ok && k < (swept ? sweep->count : 1); k++) {
      struct shk_start start = {
          .problem = swept ? with_option(reader, sweep, old[i].problem, sweep->values[k], true)
                           : shk_copy_text(old[i].problem),
          .q = shk_copy_text(old[i].q),
          .p = shk_copy_text(old[i].p),
          .project = old[i].project};
      ok = start.problem != NULL && run->problem_count < most_specifications;
      if (!ok || !shk_add_start(run, &start))
        shk_start_free(&start);
    }
    shk_start_free(&old[i]);
  }
  free(old);
  return ok;
}

static bool apply_sweeps(const struct reader *reader)
{
  for (int i = 0; i < reader->sweep_count; i++) {
    struct sweep *const sweep = &reader->sweeps[i];
    reader->yaml->error->text[0] = '\0';
    if (!sweep_problems(reader, sweep) || !sweep_integrators(reader, sweep)) {
      if (!reader->yaml->error->text[0])
        shk_yaml_fail(reader->yaml, sweep->node, "the sweep makes more than %d specifications",
                      most_specifications);
      return false;
    }
    if (!sweep->used)
      return shk_yaml_fail(reader->yaml, sweep->node,
                           "no problem and no integrator of this run has the option \"%s\"",
                           sweep->option);
  }
  return true;
}

bool shk_read_sweeps(const struct shk_yaml *yaml, struct fy_node *node, struct shk_study_run *run)
{
  struct reader reader = {.yaml = yaml, .run = run};
  const bool ok =
      shk_yaml_pairs(yaml, node, "a mapping of options to values: {linear: [lu, cholesky]}",
                     read_sweep, &reader) &&
      apply_sweeps(&reader);
  for (int i = 0; i < reader.sweep_count; i++) {
    struct sweep *const sweep = &reader.sweeps[i];
    shk_free_texts(sweep->values, sweep->count);
    free(sweep->option);
  }
  free(reader.sweeps);
  return ok;
}

/* ---- exclusions ---- */

static const char with[] = " with ";

/* Finds " with " outside quotes; NULL if there is none. */
static const char *find_with(const char *text)
{
  bool quoted = false;
  for (; *text; text++) {
    if (*text == '"')
      quoted = !quoted;
    else if (quoted && *text == '\\' && text[1])
      text++;
    else if (!quoted && strncmp(text, with, sizeof with - 1) == 0)
      return text;
  }
  return NULL;
}

/* True if an exclusion names a specification: itself, or any with its bare name. */
static bool is_meant(const char *pattern, size_t length, const char *spec)
{
  if (strncmp(pattern, spec, length) != 0)
    return false;
  return spec[length] == '\0' || (spec[length] == '(' && !memchr(pattern, '(', length));
}

static bool is_excluded(const char *exclusion, const char *problem, const char *integrator)
{
  const char *const between = find_with(exclusion);
  if (!between)
    return is_meant(exclusion, strlen(exclusion), integrator) ||
           is_meant(exclusion, strlen(exclusion), problem);
  const char *const second = between + sizeof with - 1;
  return is_meant(exclusion, (size_t)(between - exclusion), problem) &&
         is_meant(second, strlen(second), integrator);
}

bool shk_run_excludes(const struct shk_study_run *run, const char *problem, const char *integrator)
{
  for (int i = 0; i < run->exclude_count; i++)
    if (is_excluded(run->excludes[i], problem, integrator))
      return true;
  return false;
}

/* Returns one side of an exclusion in canonical form; a bare known name is unchanged. */
static char *read_pattern(const struct reader *reader, struct fy_node *node, const char *text,
                          bool problem)
{
  struct shk_message reason = {.text = ""};
  while (*text == ' ')
    text++;
  size_t length = strlen(text);
  while (length > 0 && text[length - 1] == ' ')
    length--;
  char *const trimmed = shk_print_text("%.*s", (int)length, text);
  if (!strchr(trimmed, '(') && (problem ? shk_find_problem(reader->yaml->user, trimmed) != NULL
                                        : shk_find_integrator(reader->yaml->user, trimmed) != NULL))
    return trimmed;
  char *const canonical = problem ? shk_canonical_problem(reader->yaml->user, trimmed, &reason)
                                  : shk_canonical_integrator(reader->yaml->user, trimmed, &reason);
  free(trimmed);
  if (!canonical)
    shk_yaml_fail(reader->yaml, node, "%s", reason.text);
  return canonical;
}

static bool matches_some(const struct shk_study_run *run, const char *exclusion)
{
  for (int i = 0; i < run->problem_count; i++)
    for (int k = 0; k < run->integrator_count; k++)
      if (is_excluded(exclusion, run->problems[i].problem, run->integrators[k]))
        return true;
  return false;
}

static bool read_exclusion(void *context, struct fy_node *item)
{
  const struct reader *const reader = context;
  char *const text =
      shk_yaml_text(reader->yaml, item, "an integrator, a problem, or `PROBLEM with INTEGRATOR`");
  if (!text)
    return false;
  const char *const between = find_with(text);
  char *result = NULL;
  if (between) {
    char *const left = shk_print_text("%.*s", (int)(between - text), text);
    char *const problem = read_pattern(reader, item, left, true);
    char *const integrator =
        problem ? read_pattern(reader, item, between + sizeof with - 1, false) : NULL;
    if (integrator)
      result = shk_print_text("%s%s%s", problem, with, integrator);
    free(left);
    free(problem);
    free(integrator);
  } else {
    result = read_pattern(reader, item, text, shk_find_problem(reader->yaml->user, text) != NULL);
  }
  free(text);
  if (!result)
    return false;
  const bool used =
      matches_some(reader->run, result) ||
      shk_yaml_fail(reader->yaml, item, "this run has no problem or integrator \"%s\"", result);
  shk_add_text(&reader->run->excludes, &reader->run->exclude_count, result);
  return used;
}

bool shk_read_excludes(const struct shk_yaml *yaml, struct fy_node *node, struct shk_study_run *run)
{
  struct reader reader = {.yaml = yaml, .run = run};
  return shk_yaml_sequence(yaml, node,
                           "a list of integrators, problems or `PROBLEM with INTEGRATOR`", false,
                           read_exclusion, &reader);
}
