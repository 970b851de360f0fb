/* Specifications that a study names: lists of them, patterns, options. See study_runs.h. */
#include "harness/study/study_choices.h"
#include "harness/study/study_numbers.h"
#include "harness/study/study_runs.h"

#include "engine/names.h"
#include "foundation/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- starts ---- */

void shk_start_free(struct shk_start *start)
{
  free(start->problem);
  free(start->q);
  free(start->p);
  for (int i = 0; i < start->member_count; i++)
    shk_member_clear(&start->members[i]);
  free(start->members);
}

bool shk_add_start(struct shk_study_run *run, struct shk_start *start)
{
  const int known = run->starts.count;
  shk_index_number(&run->starts, "%s\n%s\n%s\n%d", start->problem, start->q ? start->q : "none",
                   start->p ? start->p : "none", start->project);
  if (run->starts.count == known)
    return false;
  *SHK_APPEND(run->problems, run->problem_count) = *start;
  return true;
}

/* ---- words ---- */

bool shk_read_known(const struct shk_yaml *yaml, struct fy_node *item, void *list)
{
  const struct shk_study_choices *const choices = yaml->choices;
  struct shk_index *const all = list;
  const int before = all->count;
  char *const text = shk_yaml_text(yaml, item, yaml->key->what);
  const char *const name = text ? shk_current_name(text) : NULL;
  bool ok = name && shk_known_word(yaml, item, name) >= 0;
  if (ok && shk_index_text(all, name) < before && !choices->by_method) /* it may be the finest */
    ok = shk_yaml_fail(yaml, item, "%s \"%s\" is given twice", yaml->key->what, name);
  free(text);
  return ok;
}

/* ---- specifications ---- */

static char *canonical_of(const struct shk_yaml *yaml, const char *text, bool problem,
                          struct shk_message *reason)
{
  return problem ? shk_canonical_problem(yaml->user, text, reason)
                 : shk_canonical_integrator(yaml->user, text, reason);
}

char *shk_read_canonical(const struct shk_yaml *yaml, const struct fy_node *node, const char *text,
                         bool problem)
{
  struct shk_message reason = {.text = ""};
  char *const canonical = canonical_of(yaml, text, problem, &reason);
  if (!canonical)
    shk_yaml_fail(yaml, node, "%s", reason.text);
  return canonical;
}

bool shk_has_option(const struct shk_context *context, const char *spec, bool problem,
                    const char *name)
{
  const struct shk_problem_info *const system = problem ? shk_find_problem(context, spec) : NULL;
  const struct shk_integrator_info *const method =
      problem ? NULL : shk_find_integrator(context, spec);
  const struct shk_option *options = system ? system->options : method ? method->options : NULL;
  for (; options && options->name; options++)
    if (strcmp(options->name, name) == 0)
      return true;
  return false;
}

char *shk_with_option(const struct shk_yaml *yaml, const struct fy_node *node, const char *what,
                      const char *spec, const char *option, const char *value, bool problem)
{
  struct shk_message reason = {.text = ""};
  const size_t length = strlen(spec);
  const bool has_items = spec[length - 1] == ')';
  char *const text = has_items ? shk_print_text("%.*s,%s=%s)", (int)length - 1, spec, option, value)
                               : shk_print_text("%s(%s=%s)", spec, option, value);
  char *const canonical = canonical_of(yaml, text, problem, &reason);
  free(text);
  if (!canonical)
    shk_yaml_fail(yaml, node, "%s %s over %s: %s", what, option, spec, reason.text);
  return canonical;
}

/* ---- patterns ---- */

/* "NAME(*)", which is not a specification, matches all of that name. */
static const char all_of[] = "(*)";

char *shk_read_pattern(const struct shk_yaml *yaml, const struct fy_node *node, const char *text,
                       bool problem)
{
  const bool known = problem ? shk_find_problem(yaml->user, text) != NULL
                             : shk_find_integrator(yaml->user, text) != NULL;
  return known && !strchr(text, '(') ? shk_print_text("%s%s", text, all_of)
                                     : shk_read_canonical(yaml, node, text, problem);
}

bool shk_is_meant(const char *pattern, const char *specification)
{
  const size_t length = strcspn(pattern, "(");
  return strcmp(pattern + length, all_of) == 0
             ? strcspn(specification, "(") == length && strncmp(pattern, specification, length) == 0
             : strcmp(pattern, specification) == 0;
}

bool shk_selects(const struct shk_index *list, const char *specification)
{
  for (int i = 0; i < list->count; i++)
    if (shk_is_meant(list->texts[i], specification))
      return true;
  return list->count == 0;
}
