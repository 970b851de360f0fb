/* Reads the specifications of problems and integrators in a study, including patterns and options.
 * See study_runs.h. */
#include "harness/study/study_runs.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/specifications/spec.h"

#include <stdlib.h>
#include <string.h>

/* ---- starts ---- */

bool shk_add_start(struct shk_study_run *run, struct shk_cell *start)
{
  const int known = run->starts.count;
  shk_index_number(&run->starts, "%s\n%s\n%s\n%s\n%d", start->problem, start->q ? start->q : "none",
                   start->p ? start->p : "none", start->kick ? start->kick : "none",
                   start->project);
  const bool is_new = run->starts.count > known;
  if (is_new)
    *SHK_APPEND(run->problems, run->problem_count) = *start;
  else
    shk_cell_clear(start);
  return is_new;
}

/* ---- words ---- */

bool shk_read_known(const struct shk_yaml *yaml, struct fy_node *item, void *list)
{
  struct shk_index *const all = list;
  const int before = all->count;
  char *const name = shk_yaml_text(yaml, item, yaml->key->what);
  bool ok = name && shk_known_word(yaml, item, name) >= 0;
  if (ok && shk_index_text(all, name) < before &&
      /* `finest` can resolve to a precision that is also listed by name */
      !shk_choices(yaml)->by_method)
    ok = shk_yaml_fail(yaml, item, "%s \"%s\" is given twice", yaml->key->what, name);
  free(name);
  return ok;
}

/* ---- specifications ---- */

char *shk_read_canonical(const struct shk_yaml *yaml, const struct fy_node *node, const char *text,
                         bool problem)
{
  struct shk_message reason = {.text = ""};
  char *const canonical = problem ? shk_canonical_problem(yaml->user, text, &reason)
                                  : shk_canonical_integrator(yaml->user, text, &reason);
  if (!canonical)
    shk_yaml_fail(yaml, node, "%s", reason.text);
  return canonical;
}

const struct shk_option *shk_option_of(const struct shk_context *context, const char *spec,
                                       bool problem, const char *name)
{
  const enum shk_option_kind kind = problem ? SHK_OPTION_PROBLEM : SHK_OPTION_INTEGRATOR;
  const struct shk_option *option = shk_find_item(context, kind, spec).options;
  while (option && option->name && !shk_same_text(option->name, name))
    option++;
  return option && option->name ? option : NULL;
}

char *shk_with_option(const struct shk_yaml *yaml, const struct fy_node *node, const char *spec,
                      const char *option, const char *value, bool problem)
{
  const size_t length = strlen(spec);
  const bool has_items = spec[length - 1] == ')';
  char *const text = has_items ? shk_print_text("%.*s,%s=%s)", (int)length - 1, spec, option, value)
                               : shk_print_text("%s(%s=%s)", spec, option, value);
  char *const canonical = shk_read_canonical(yaml, node, text, problem);
  free(text);
  return canonical;
}

char *shk_without_option(const char *problem, const char *option)
{
  struct shk_message none;
  struct shk_spec *const spec = shk_spec_parse(problem, &none);
  if (!spec)
    return shk_copy_text(problem);
  const int all = spec->count;
  int kept = 0;
  for (int i = 0; i < all; i++)
    if (!shk_same_text(spec->items[i].option, option)) {
      const struct shk_spec_item item = spec->items[kept];
      spec->items[kept++] = spec->items[i];
      spec->items[i] = item;
    }
  spec->count = kept;
  char *const text = shk_spec_text(spec);
  spec->count = all;
  shk_spec_free(spec);
  return text;
}

/* ---- patterns ---- */

/* A pattern with this suffix, as in "NAME(*)", matches every specification with that name. */
static const char all_of[] = "(*)";

bool shk_is_meant(const char *pattern, const char *specification)
{
  const size_t length = strcspn(pattern, "(");
  return strcmp(pattern + length, all_of) == 0
             ? strcspn(specification, "(") == length && strncmp(pattern, specification, length) == 0
             : strcmp(pattern, specification) == 0;
}

static bool run_has_name(const struct shk_study_run *run, const char *pattern, bool problem)
{
  for (int i = 0; i < (problem ? run->problem_count : run->integrators.count); i++)
    if (shk_is_meant(pattern, problem ? run->problems[i].problem : run->integrators.texts[i]))
      return true;
  return false;
}

char *shk_read_pattern(const struct shk_yaml *yaml, const struct fy_node *node, const char *text,
                       bool problem, const struct shk_study_run *runs, int count)
{
  const bool known =
      shk_is_known(yaml->user, problem ? SHK_OPTION_PROBLEM : SHK_OPTION_INTEGRATOR, text);
  char *const pattern = known && !strchr(text, '(') ? shk_print_text("%s%s", text, all_of)
                                                    : shk_read_canonical(yaml, node, text, problem);
  for (int r = 0; pattern && r < count; r++)
    if (run_has_name(&runs[r], pattern, problem))
      return pattern;
  if (pattern)
    shk_yaml_fail(yaml, node, "%s no %s \"%s\"", count > 1 ? "the runs have" : "the run has",
                  problem ? "problem" : "integrator", text);
  free(pattern);
  return NULL;
}

bool shk_selects(const struct shk_index *list, const char *specification)
{
  for (int i = 0; i < list->count; i++)
    if (shk_is_meant(list->texts[i], specification))
      return true;
  return list->count == 0;
}
