/*
 * Lists of problems and integrators by features and claims, for tests that are compiled per
 * precision: new ones are tested without being named. A test has a table of those that it leaves
 * out, with reasons.
 */
#ifndef TESTS_KIT_REGISTERED_H
#define TESTS_KIT_REGISTERED_H

#include "engine/bind.h"
#include "engine/cells/cells.h"
#include "tests/kit/registry.h"
#include "tests/kit/tap.h"

struct left_out {
  const char *name, *why;
};

/* True if `spec` is a specification of the problem or integrator `name`. */
static inline bool is_of(const char *spec, const char *name)
{
  const size_t length = strlen(name);
  return strncmp(spec, name, length) == 0 && (spec[length] == '(' || spec[length] == '\0');
}

/* True if the table has the name. It ends with a name of NULL; NULL: nothing is left out. */
static inline bool is_left_out(const struct left_out *table, const char *name)
{
  for (; table && table->name; table++)
    if (strcmp(table->name, name) == 0)
      return true;
  return false;
}

/* Prints a point for each name of the table, failed if it is not registered. */
static inline void check_left_out(const struct left_out *table)
{
  for (; table->name; table++)
    tap_ok(problem_named(table->name) != NULL || integrator_named(table->name),
           "%s, left out (%s), is registered", table->name, table->why);
}

/* The next problem from *index on, at its defaults, whose system has no other features than these,
 * and that is not left out; NULL at the end. Problems that need an option are skipped. */
static inline const char *next_problem(int *index, unsigned features, const struct left_out *table,
                                       struct shk_inspection *inspection)
{
  const struct shk_problem *problem;
  while ((problem = nth_problem((*index)++)) != NULL) {
    struct shk_message error;
    const char *name = problem->info.name;
    if (!is_left_out(table, name) && shk_inspect_problem(&test_context, inspection, name, &error) &&
        (inspection->features & ~features) == 0)
      return name;
  }
  return NULL;
}

/* True if the problem binds at its start, its constraints are independent there, and no singular
 * configuration is known before its horizon. singular_problems.c has a table of the others. */
static inline bool is_regular(const char *problem)
{
  struct shk_bound bound;
  struct shk_message error;
  real crossing;
  const struct shk_instance *const instance = &bound.instance;
  const bool regular = shk_bind_problem(&test_context, &bound, problem, &error) == SHK_OK &&
                       shk_bind_point(&bound, NULL, NULL, false, &error) == SHK_OK &&
                       shk_bind_check_start(&bound, &error) == SHK_OK &&
                       bound.ranks.here == bound.start.m &&
                       (!instance->crossings ||
                        instance->crossings(instance->system.context, &crossing, 1,
                                            instance->initial_time + instance->horizon) == 0);
  shk_unbind(&bound);
  return regular;
}

/* The same, restricted to regular problems. */
static inline const char *next_regular(int *index, unsigned features, const struct left_out *table,
                                       struct shk_inspection *inspection)
{
  const char *name;
  while ((name = next_problem(index, features, table, inspection)) != NULL && !is_regular(name))
    ;
  return name;
}

/* The next integrator from *index on that works in this precision, needs no external program, and
 * is not left out, with its claims; NULL at the end. */
static inline const struct shk_integrator_info *
next_integrator(int *index, const struct left_out *table, struct shk_claims *claims)
{
  const struct shk_integrator *integrator;
  while ((integrator = nth_integrator((*index)++)) != NULL) {
    struct shk_message error;
    const struct shk_integrator_info *info = &integrator->info;
    if (!is_left_out(table, info->name) && (!info->double_only || SHK_PRECISION == 64) &&
        shk_bind_claims(&test_context, claims, info->name, &error))
      return info;
  }
  return NULL;
}

static inline unsigned supports_of(const char *integrator)
{
  const struct shk_integrator *found = integrator_named(integrator);
  return found ? found->info.supports : 0;
}

/* The choices of an integrator's option, ended by a name of NULL; NULL if there is no such
 * option. */
static inline const struct shk_choice *choices_of(const struct shk_integrator_info *info,
                                                  const char *option)
{
  for (const struct shk_option *o = info->options; o && o->name; o++)
    if (strcmp(o->name, option) == 0)
      return o->choices;
  return NULL;
}

/* True if one of the specifications is `name`, with this choice of the option if one is named, or
 * without the option if the choice is its default. */
static inline bool is_among(const char *const *specs, int count, const char *name,
                            const struct shk_option *option, const char *choice)
{
  char text[96];
  for (int i = 0; i < count; i++) {
    if (!is_of(specs[i], name))
      continue;
    if (!option)
      return true;
    snprintf(text, sizeof text, "%s=", option->name);
    const char *const at = strstr(specs[i], text);
    if (!at ? strcmp(choice, option->fallback) == 0
            : strncmp(at + strlen(text), choice, strlen(choice)) == 0 &&
                  strchr(",()", at[strlen(text) + strlen(choice)]))
      return true;
  }
  return false;
}

/* Prints a point for each choice, and for each choice of its own options, that is not left out; it
 * fails if no specification has the choice. */
static inline void check_choices(const struct shk_choice *choices, const char *const *specs,
                                 int count, const struct left_out *table)
{
  for (const struct left_out *out = table; out && out->name; out++) {
    const struct shk_choice *choice = choices;
    while (choice->name && strcmp(choice->name, out->name) != 0)
      choice++;
    tap_ok(choice->name != NULL, "%s, left out (%s), is a choice", out->name, out->why);
  }
  for (const struct shk_choice *choice = choices; choice->name; choice++) {
    if (is_left_out(table, choice->name))
      continue;
    tap_ok(is_among(specs, count, choice->name, NULL, NULL), "%s is tried", choice->name);
    for (const struct shk_option *o = choice->options; o && o->name; o++)
      for (const struct shk_choice *nested = o->choices; nested && nested->name; nested++)
        tap_ok(is_among(specs, count, choice->name, o, nested->name), "%s with %s=%s is tried",
               choice->name, o->name, nested->name);
  }
}

/* The next of rattle's choices of that option (`solver`, `linear`, `flow`) from *index on that is
 * not left out; NULL at the end. */
static inline const char *next_choice(int *index, const char *option, const struct left_out *table)
{
  const struct shk_choice *choices = choices_of(&integrator_named("rattle")->info, option);
  const char *name;
  while ((name = choices[(*index)++].name) != NULL)
    if (!is_left_out(table, name))
      return name;
  return NULL;
}

#endif
