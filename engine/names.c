/* Handles names and specifications. See names.h. */
#include "engine/names.h"

#include "foundation/nearest.h"
#include "foundation/specifications/spec.h"
#include "mechanics/solvers/kit/solvers.h"
#include <shakedown/solve.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool shk_is_name(const char *name)
{
  const size_t length = strlen(name);
  if (length == 0 || length > 48 || !islower((unsigned char)name[0]) || name[length - 1] == '-' ||
      strstr(name, "--") != NULL)
    return false;
  return strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
}

/* Returns true if a specification has this name, that is, if it is `name` or begins with
 * `name(`. */
static bool spec_names(const char *spec, const char *name)
{
  const size_t length = strlen(name);
  return strncmp(spec, name, length) == 0 && (spec[length] == '\0' || spec[length] == '(');
}

/* ---- items ---- */

/* Returns the index-th item of this kind that the context's provider offers. */
static struct shk_item remote_at(const struct shk_context *context, enum shk_option_kind kind,
                                 int index)
{
  const struct shk_remote_provider *const remote = context->remote;
  for (int i = 0; remote && i < remote->count; i++)
    if (remote->offers[i].kind == kind && index-- == 0)
      return remote->offers[i].item;
  return (struct shk_item){NULL};
}

struct shk_item shk_engine_item(const struct shk_context *context, enum shk_option_kind kind,
                                int index)
{
  const struct shk_item own = shk_engine_f64.item(context, kind, &index, NULL);
  return own.name ? own : remote_at(context, kind, index);
}

struct shk_item shk_find_item(const struct shk_context *context, enum shk_option_kind kind,
                              const char *spec)
{
  struct shk_item item;
  int index = 0;
  while ((item = shk_engine_item(context, kind, index)).name && !spec_names(spec, item.name))
    index++;
  return item;
}

const struct shk_problem_info *shk_problem_at(const struct shk_context *context, int index)
{
  return shk_engine_item(context, SHK_OPTION_PROBLEM, index).info;
}

const struct shk_integrator_info *shk_integrator_at(const struct shk_context *context, int index)
{
  return shk_engine_item(context, SHK_OPTION_INTEGRATOR, index).info;
}

const struct shk_problem_info *shk_find_problem(const struct shk_context *context, const char *spec)
{
  return shk_find_item(context, SHK_OPTION_PROBLEM, spec).info;
}

const struct shk_integrator_info *shk_find_integrator(const struct shk_context *context,
                                                      const char *spec)
{
  return shk_find_item(context, SHK_OPTION_INTEGRATOR, spec).info;
}

void shk_unknown_name(const struct shk_context *context, struct shk_message *error,
                      enum shk_option_kind kind, const char *name)
{
  enum { NAMES = 1024 };
  const char *const what = kind == SHK_OPTION_PROBLEM ? "problem" : "integrator";
  const char *known[NAMES];
  char near[256];
  int count = 0;
  while (count < NAMES && (known[count] = shk_engine_item(context, kind, count).name) != NULL)
    count++;
  shk_nearest(near, sizeof near, name, known, sizeof *known, count);
  /* If a study uses a method from a plug-in that is not loaded, the name looks like a typo. */
  const bool alone =
      (!context->remote || context->remote->count == 0) && context->loaded_count == 0;
  if (near[0] != '\0')
    shk_message_set(error, "there is no %s named '%s'; did you mean %s?%s", what, name, near,
                    alone ? " If a plug-in provides it, use --plugin FILE" : "");
  else
    shk_message_set(error, "there is no %s named '%s'; `shakedown list %ss` shows all%s", what,
                    name, what, alone ? "; if a plug-in provides it, use --plugin FILE" : "");
}

/* Finds the options of an integrator, a problem or a plug-in's solver. If a solver is unknown, no
 * message is set. */
static bool find_part(const void *user, struct shk_option_part *part, enum shk_option_kind kind,
                      const char *name, struct shk_message *error)
{
  const struct shk_item item = shk_find_item(user, kind, name);
  part->options = item.options;
  if (!item.name && kind != SHK_OPTION_CHOICE)
    shk_unknown_name(user, error, kind, name);
  return item.name != NULL;
}

static char *canonical_spec(const struct shk_context *context, enum shk_option_kind kind,
                            const char *text, struct shk_message *error)
{
  const struct shk_scope scope = {find_part, context, context->access};
  struct shk_spec *const spec = shk_spec_parse(text, error);
  const struct shk_item item =
      spec ? shk_find_item(context, kind, spec->name) : (struct shk_item){NULL};
  if (spec && !item.name)
    shk_unknown_name(context, error, kind, spec->name);
  struct shk_values *const values =
      item.name ? shk_values_bind(&scope, spec, item.options, error) : NULL;
  char *const whole = values ? shk_values_canonical(item.name, values) : NULL;
  shk_values_free(values);
  shk_spec_free(spec);
  return whole;
}

char *shk_canonical_problem(const struct shk_context *context, const char *text,
                            struct shk_message *error)
{
  return canonical_spec(context, SHK_OPTION_PROBLEM, text, error);
}

static bool is_known_program(const struct shk_context *context, const char *integrator)
{
  const struct shk_remote_provider *const remote = context->remote;
  return remote && remote->knows_program && remote->knows_program(remote->user, integrator);
}

char *shk_canonical_integrator(const struct shk_context *context, const char *text,
                               struct shk_message *error)
{
  char *const whole = canonical_spec(context, SHK_OPTION_INTEGRATOR, text, error);
  if (!whole || is_known_program(context, whole) ||
      shk_programs_permit(&context->access, whole, error))
    return whole;
  free(whole);
  return NULL;
}

bool shk_mentions(const char *spec, const char *name)
{
  const size_t length = strlen(name);
  for (const char *at = strstr(spec, name); at; at = strstr(at + 1, name))
    if ((at == spec || strchr("(=,", at[-1]) != NULL) && strchr("(,)", at[length]))
      return true; /* strchr also finds the terminator */
  return false;
}

bool shk_is_known(const struct shk_context *context, enum shk_option_kind kind, const char *name)
{
  return (kind == SHK_OPTION_CHOICE && shk_is_built_in_solver(name)) ||
         shk_find_item(context, kind, name).name;
}

/* Returns true if a specification mentions an item from the context's provider. Solvers from a
 * plug-in in this process also count. */
static bool mentions_item(const struct shk_context *context, enum shk_option_kind kind,
                          const char *spec)
{
  struct shk_item item;
  for (int i = 0; true; i++) {
    item =
        kind == SHK_OPTION_CHOICE ? shk_engine_item(context, kind, i) : remote_at(context, kind, i);
    if (!item.name || shk_mentions(spec, item.name))
      return item.name != NULL;
  }
}

bool shk_has_plugin_solver(const struct shk_context *context, const char *spec)
{
  return mentions_item(context, SHK_OPTION_CHOICE, spec);
}

/* A quotation mark means that the string is a file path. */
bool shk_is_remote_problem(const struct shk_context *context, const char *spec)
{
  return context->remote &&
         (strchr(spec, '"') != NULL || mentions_item(context, SHK_OPTION_PROBLEM, spec));
}

/* the worker also runs programs to obtain their claims */
bool shk_is_remote_integrator(const struct shk_context *context, const char *spec)
{
  return context->remote && (shk_spec_programs(spec, NULL, NULL) > 0 ||
                             mentions_item(context, SHK_OPTION_INTEGRATOR, spec) ||
                             mentions_item(context, SHK_OPTION_CHOICE, spec));
}

bool shk_ask(const struct shk_context *context, const struct shk_query *query, void *answer,
             struct shk_message *error)
{
  const bool here = query->kind == SHK_ASK_DIAGNOSIS || query->kind == SHK_ASK_AUDIT;
  const bool is_remote = query->kind == SHK_ASK_CLAIMS
                             ? shk_is_remote_integrator(context, query->text)
                             : shk_is_remote_problem(context, query->text);
  if (is_remote && !here)
    return context->remote->answer(context->remote->user, context, query, answer, error);
  const struct shk_engine *const engine = shk_engine_named(query->precision, error);
  if (!engine)
    return false;
  if (query->kind == SHK_ASK_CLAIMS)
    return engine->claims(context, answer, query->text, error);
  if (query->kind == SHK_ASK_INSPECTION)
    return engine->inspect(context, answer, query->text, error);
  if (query->kind == SHK_ASK_AUDIT)
    return engine->audit_problem(context, answer, query->text, error);
  if (query->kind == SHK_ASK_DIAGNOSIS)
    return engine->diagnose(context, answer, query->text, query->start->q, query->start->p,
                            query->start->project, error);
  return engine->bodies(context, answer, query->text, query->count, query->times, query->n,
                        query->q, error);
}

bool shk_claims_of(const struct shk_context *context, struct shk_claims *claims,
                   const char *precision, const char *integrator, struct shk_message *error)
{
  const struct shk_query query = {
      .kind = SHK_ASK_CLAIMS, .text = integrator, .precision = precision};
  return shk_ask(context, &query, claims, error);
}

bool shk_inspect(const struct shk_context *context, struct shk_inspection *inspection,
                 const char *precision, const char *problem, struct shk_message *error)
{
  const struct shk_query query = {
      .kind = SHK_ASK_INSPECTION, .text = problem, .precision = precision};
  return shk_ask(context, &query, inspection, error);
}

bool shk_bodies_of(const struct shk_context *context, struct shk_bodies *bodies,
                   const char *problem, int count, const double *times, int n, const double *q,
                   struct shk_message *error)
{
  const struct shk_query query = {SHK_ASK_BODIES, problem, "double", count, n, times, q, NULL};
  *bodies = (struct shk_bodies){0};
  return shk_ask(context, &query, bodies, error) && bodies->count == count;
}

enum shk_code shk_code_of(const struct shk_context *context, const struct shk_cell *cell,
                          struct shk_message *reason)
{
  return shk_is_remote_integrator(context, cell->integrator)
             ? context->remote->code_of(context->remote->user, context, cell, reason)
             : SHK_OK;
}

const char *shk_solver_name(int solver)
{
  for (int i = 0; shk_solver_choices[i].name; i++)
    if (i == solver && i > 0) /* 0 is `auto`, which selects one of the other solvers */
      return shk_solver_choices[i].name;
  return NULL;
}
