/* Names and specifications. See names.h. */
#include "engine/names.h"

#include "foundation/nearest.h"
#include "foundation/specifications/program.h"
#include "foundation/specifications/spec.h"

#include <stdlib.h>
#include <string.h>

const struct shk_structure_asks *shk_find_structure(const char *kind)
{
  return shk_engine_f64.structure_asks(kind);
}

const struct shk_problem_info *shk_problem_at(const struct shk_context *context, int index)
{
  const int own = shk_engine_f64.problem_count(context);
  if (index < own)
    return shk_engine_f64.problem(context, index);
  return context->remote != NULL && index - own < context->remote->problem_count
             ? &context->remote->problems[index - own]
             : NULL;
}

const struct shk_integrator_info *shk_integrator_at(const struct shk_context *context, int index)
{
  const int own = shk_engine_f64.integrator_count(context);
  if (index < own)
    return shk_engine_f64.integrator(context, index);
  return context->remote != NULL && index - own < context->remote->integrator_count
             ? &context->remote->integrators[index - own]
             : NULL;
}

/* Whether a specification begins with this name: `name` or `name(…`. */
static bool names(const char *spec, const char *name)
{
  const size_t length = strlen(name);
  return strncmp(spec, name, length) == 0 && (spec[length] == '\0' || spec[length] == '(');
}

const struct shk_problem_info *shk_find_problem(const struct shk_context *context, const char *spec)
{
  const struct shk_problem_info *info;
  for (int i = 0; (info = shk_problem_at(context, i)) != NULL; i++)
    if (names(spec, info->name))
      return info;
  return NULL;
}

const struct shk_integrator_info *shk_find_integrator(const struct shk_context *context,
                                                      const char *spec)
{
  const struct shk_integrator_info *info;
  for (int i = 0; (info = shk_integrator_at(context, i)) != NULL; i++)
    if (names(spec, info->name))
      return info;
  return NULL;
}

static void unknown(struct shk_message *error, const char *kind, const char *name,
                    const char *const *known, int count)
{
  char near[256];
  shk_nearest(near, sizeof near, name, known, count);
  if (near[0] != '\0')
    shk_message_set(error, "there is no %s named '%s'; did you mean %s?", kind, name, near);
  else
    shk_message_set(error, "there is no %s named '%s'; `shakedown list %ss` shows all", kind, name,
                    kind);
}

enum { NAMES = 1024 };

static void unknown_integrator(const struct shk_context *context, struct shk_message *error,
                               const char *name)
{
  const struct shk_integrator_info *info;
  const char *known[NAMES];
  int count = 0;
  for (; count < NAMES && (info = shk_integrator_at(context, count)) != NULL; count++)
    known[count] = info->name;
  unknown(error, "integrator", name, known, count);
}

static void unknown_problem(const struct shk_context *context, struct shk_message *error,
                            const char *name)
{
  const struct shk_problem_info *info;
  const char *known[NAMES];
  int count = 0;
  for (; count < NAMES && (info = shk_problem_at(context, count)) != NULL; count++)
    known[count] = info->name;
  unknown(error, "problem", name, known, count);
}

/* The options of the integrators and problems that options name. */
static bool find_part(const void *user, struct shk_part *part, enum shk_option_kind kind,
                      const char *name, struct shk_message *error)
{
  const struct shk_context *context = user;
  if (kind == SHK_OPTION_PROBLEM) {
    const struct shk_problem_info *problem = shk_find_problem(context, name);
    if (problem)
      part->options = problem->options;
    else
      unknown_problem(context, error, name);
    return problem != NULL;
  }
  const struct shk_integrator_info *info = shk_find_integrator(context, name);
  if (info)
    part->options = info->options;
  else
    unknown_integrator(context, error, name);
  return info != NULL;
}

/* Canonical text of a parsed specification, which is freed. */
static char *canonical(const struct shk_context *context, struct shk_spec *spec, const char *name,
                       const struct shk_option *options, struct shk_message *error)
{
  char *text = NULL;
  const struct shk_scope scope = {find_part, context, context->access};
  struct shk_values *values = shk_values_bind_in(&scope, spec, options, error);
  if (values)
    text = shk_values_canonical(name, values);
  shk_values_free(values);
  shk_spec_free(spec);
  return text;
}

char *shk_canonical_problem(const struct shk_context *context, const char *text,
                            struct shk_message *error)
{
  struct shk_spec *spec = shk_spec_parse(text, error);
  if (!spec)
    return NULL;
  const struct shk_problem_info *info = shk_find_problem(context, spec->name);
  if (info)
    return canonical(context, spec, info->name, info->options, error);
  unknown_problem(context, error, spec->name);
  shk_spec_free(spec);
  return NULL;
}

static bool is_known_program(const struct shk_context *context, const char *integrator)
{
  const struct shk_remote_provider *const remote = context->remote;
  return remote && remote->knows_program && remote->knows_program(remote->user, integrator);
}

char *shk_canonical_integrator(const struct shk_context *context, const char *text,
                               struct shk_message *error)
{
  struct shk_spec *spec = shk_spec_parse(text, error);
  if (!spec)
    return NULL;
  const struct shk_integrator_info *info = shk_find_integrator(context, spec->name);
  if (info) {
    char *whole = canonical(context, spec, info->name, info->options, error);
    if (!whole || is_known_program(context, whole) ||
        shk_programs_permit(&context->access, whole, error))
      return whole;
    free(whole);
    return NULL;
  }
  unknown_integrator(context, error, spec->name);
  shk_spec_free(spec);
  return NULL;
}

/* Whether a specification names something, or one of its options does. An option's value that
 * happens to have that name does no harm: the worker knows all that is built in. */
static bool mentions(const char *spec, const char *name)
{
  const size_t length = strlen(name);
  for (const char *at = strstr(spec, name); at; at = strstr(at + 1, name))
    if ((at == spec || strchr("(=,", at[-1]) != NULL) && strchr("(,)", at[length]))
      return true; /* strchr finds the terminator too */
  return false;
}

/* Whether a problem is, or contains, one of a plug-in that this process has not loaded, or one that
 * is read from a file: paths are in quotes. */
bool shk_is_remote_problem(const struct shk_context *context, const char *spec)
{
  if (context->remote && strchr(spec, '"'))
    return true;
  for (int i = 0; context->remote && i < context->remote->problem_count; i++)
    if (mentions(spec, context->remote->problems[i].name))
      return true;
  return false;
}

/* The same for an integrator. Asking a program for its claims is left to the worker, too. */
bool shk_is_remote_integrator(const struct shk_context *context, const char *spec)
{
  if (context->remote && shk_spec_programs(spec, NULL, NULL) > 0)
    return true;
  for (int i = 0; context->remote && i < context->remote->integrator_count; i++)
    if (mentions(spec, context->remote->integrators[i].name))
      return true;
  return false;
}

bool shk_claims_of(const struct shk_context *context, struct shk_claims *claims,
                   const char *precision, const char *integrator, struct shk_message *error)
{
  if (shk_is_remote_integrator(context, integrator))
    return context->remote->claims(context->remote->user, context, claims, precision, integrator,
                                   error);
  return shk_engine_named(precision)->claims(context, claims, integrator, error);
}

bool shk_inspect(const struct shk_context *context, struct shk_inspection *inspection,
                 const char *precision, const char *problem, struct shk_message *error)
{
  if (shk_is_remote_problem(context, problem))
    return context->remote->inspect(context->remote->user, context, inspection, precision, problem,
                                    error);
  return shk_engine_named(precision)->inspect(context, inspection, problem, error);
}

bool shk_scene_of(const struct shk_context *context, struct shk_scene *scene, const char *problem,
                  int count, const double *times, const char *const *q, struct shk_message *error)
{
  if (shk_is_remote_problem(context, problem))
    return context->remote->scene(context->remote->user, context, scene, problem, count, times, q,
                                  error);
  return shk_engine_f64.scene(context, scene, problem, count, times, q, error);
}
