/* Names and specifications. See names.h. */
#include "engine/names.h"

#include "engine/renamed.h"
#include "foundation/nearest.h"
#include "foundation/specifications/program.h"
#include "foundation/specifications/spec.h"
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

const struct shk_structure_asks *shk_find_structure(const char *kind)
{
  return shk_engine_f64.structure_asks(kind);
}

/* True if a specification begins with this name: `name` or `name(…`. */
static bool names(const char *spec, const char *name)
{
  const size_t length = strlen(name);
  return strncmp(spec, name, length) == 0 && (spec[length] == '\0' || spec[length] == '(');
}

/* The items of this process, followed by the provider's. */
#define ITEMS(word)                                                                                \
  const struct shk_##word##_info *shk_##word##_at(const struct shk_context *context, int index)    \
  {                                                                                                \
    const struct shk_remote_provider *const remote = context->remote;                              \
    const int own = shk_engine_f64.word##_count(context);                                          \
    if (index < own)                                                                               \
      return shk_engine_f64.word(context, index);                                                  \
    return remote && index - own < remote->word##_count ? &remote->word##s[index - own] : NULL;    \
  }                                                                                                \
  const struct shk_##word##_info *shk_find_##word(const struct shk_context *context,               \
                                                  const char *spec)                                \
  {                                                                                                \
    const struct shk_##word##_info *info;                                                          \
    for (int i = 0; (info = shk_##word##_at(context, i)) != NULL; i++)                             \
      if (names(spec, info->name))                                                                 \
        return info;                                                                               \
    const char *const now = shk_renamed(spec);                                                     \
    return now ? shk_find_##word(context, now) : NULL;                                             \
  }
ITEMS(problem)
ITEMS(integrator)
#undef ITEMS

const struct shk_integrator_info *shk_solver_at(const struct shk_context *context, int index)
{
  if (!context->remote)
    return shk_engine_f64.solver(context, index);
  return index < context->remote->solver_count ? &context->remote->solvers[index] : NULL;
}

/* A problem (SHK_OPTION_PROBLEM) or an integrator. */
struct entry {
  const char *name; /* NULL: there is none */
  const struct shk_option *options;
};

/* The one of this index or, if index < 0, the one that a specification names first. */
static struct entry entry_of(const struct shk_context *context, enum shk_option_kind kind,
                             int index, const char *spec)
{
  if (kind == SHK_OPTION_PROBLEM) {
    const struct shk_problem_info *const info =
        index < 0 ? shk_find_problem(context, spec) : shk_problem_at(context, index);
    return info ? (struct entry){info->name, info->options} : (struct entry){NULL};
  }
  const struct shk_integrator_info *const info =
      index < 0 ? shk_find_integrator(context, spec) : shk_integrator_at(context, index);
  return info ? (struct entry){info->name, info->options} : (struct entry){NULL};
}

static void unknown(const struct shk_context *context, struct shk_message *error,
                    enum shk_option_kind kind, const char *name)
{
  enum { NAMES = 1024 };
  const char *const what = kind == SHK_OPTION_PROBLEM ? "problem" : "integrator";
  const char *known[NAMES];
  char near[256];
  int count = 0;
  while (count < NAMES && (known[count] = entry_of(context, kind, count, NULL).name) != NULL)
    count++;
  shk_nearest(near, sizeof near, name, known, sizeof *known, count);
  if (near[0] != '\0')
    shk_message_set(error, "there is no %s named '%s'; did you mean %s?", what, name, near);
  else
    shk_message_set(error, "there is no %s named '%s'; `shakedown list %ss` shows all", what, name,
                    what);
}

/* Finds the problem or integrator that a specification names first. If there is none, the name is
 * NULL and `error` has a message. */
static struct entry find(const struct shk_context *context, enum shk_option_kind kind,
                         const char *spec, struct shk_message *error)
{
  const struct entry entry = entry_of(context, kind, -1, spec);
  if (!entry.name)
    unknown(context, error, kind, spec);
  return entry;
}

static const struct shk_integrator_info *find_solver(const struct shk_context *context,
                                                     const char *name)
{
  const struct shk_integrator_info *solver;
  for (int i = 0; (solver = shk_solver_at(context, i)) != NULL; i++)
    if (strcmp(solver->name, name) == 0)
      return solver;
  return NULL;
}

/* Finds the options of an integrator, problem or solver that is the value of an option. */
static bool find_part(const void *user, struct shk_option_part *part, enum shk_option_kind kind,
                      const char *name, struct shk_message *error)
{
  if (kind == SHK_OPTION_CHOICE) {
    const struct shk_integrator_info *const solver = find_solver(user, name);
    part->options = solver ? solver->options : NULL;
    return solver != NULL;
  }
  const struct entry entry = find(user, kind, name, error);
  if (entry.name)
    part->options = entry.options;
  return entry.name != NULL;
}

static char *canonical(const struct shk_context *context, enum shk_option_kind kind,
                       const char *text, struct shk_message *error)
{
  const struct shk_scope scope = {find_part, context, context->access};
  struct shk_spec *const spec = shk_spec_parse(text, error);
  const struct entry entry = spec ? find(context, kind, spec->name, error) : (struct entry){NULL};
  struct shk_values *const values =
      entry.name ? shk_values_bind(&scope, spec, entry.options, error) : NULL;
  char *const whole = values ? shk_values_canonical(entry.name, values) : NULL;
  shk_values_free(values);
  shk_spec_free(spec);
  return whole;
}

char *shk_canonical_problem(const struct shk_context *context, const char *text,
                            struct shk_message *error)
{
  return canonical(context, SHK_OPTION_PROBLEM, text, error);
}

static bool is_known_program(const struct shk_context *context, const char *integrator)
{
  const struct shk_remote_provider *const remote = context->remote;
  return remote && remote->knows_program && remote->knows_program(remote->user, integrator);
}

char *shk_canonical_integrator(const struct shk_context *context, const char *text,
                               struct shk_message *error)
{
  char *const whole = canonical(context, SHK_OPTION_INTEGRATOR, text, error);
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
      return true; /* strchr finds the terminator too */
  return false;
}

bool shk_is_solver(const struct shk_context *context, const char *name)
{
  return shk_is_built_in_solver(name) || find_solver(context, name);
}

bool shk_has_plugin_solver(const struct shk_context *context, const char *spec)
{
  const struct shk_integrator_info *solver;
  for (int i = 0; (solver = shk_solver_at(context, i)) != NULL; i++)
    if (shk_mentions(spec, solver->name))
      return true;
  return false;
}

/* True if a problem is, or contains, one of a plug-in that this process has not loaded, or one that
 * is read from a file: paths are in quotes. */
bool shk_is_remote_problem(const struct shk_context *context, const char *spec)
{
  if (context->remote && strchr(spec, '"'))
    return true;
  for (int i = 0; context->remote && i < context->remote->problem_count; i++)
    if (shk_mentions(spec, context->remote->problems[i].name))
      return true;
  return false;
}

/* The same for an integrator. The cell server also runs programs to get their claims. */
bool shk_is_remote_integrator(const struct shk_context *context, const char *spec)
{
  if (context->remote && shk_spec_programs(spec, NULL, NULL) > 0)
    return true;
  for (int i = 0; context->remote && i < context->remote->integrator_count; i++)
    if (shk_mentions(spec, context->remote->integrators[i].name))
      return true;
  return context->remote && shk_has_plugin_solver(context, spec);
}

bool shk_ask(const struct shk_context *context, const struct shk_query *query, void *answer,
             struct shk_message *error)
{
  const bool is_remote = query->kind == SHK_ASK_CLAIMS
                             ? shk_is_remote_integrator(context, query->text)
                             : shk_is_remote_problem(context, query->text);
  if (is_remote)
    return context->remote->answer(context->remote->user, context, query, answer, error);
  const struct shk_engine *const engine = shk_engine_named(query->precision, error);
  if (!engine)
    return false;
  if (query->kind == SHK_ASK_CLAIMS)
    return engine->claims(context, answer, query->text, error);
  if (query->kind == SHK_ASK_INSPECTION)
    return engine->inspect(context, answer, query->text, error);
  return engine->bodies(context, answer, query->text, query->count, query->times, query->n,
                        query->q, error);
}

bool shk_claims_of(const struct shk_context *context, struct shk_claims *claims,
                   const char *precision, const char *integrator, struct shk_message *error)
{
  const struct shk_query query = {SHK_ASK_CLAIMS, integrator, precision, 0, 0, NULL, NULL};
  return shk_ask(context, &query, claims, error);
}

bool shk_inspect(const struct shk_context *context, struct shk_inspection *inspection,
                 const char *precision, const char *problem, struct shk_message *error)
{
  const struct shk_query query = {SHK_ASK_INSPECTION, problem, precision, 0, 0, NULL, NULL};
  return shk_ask(context, &query, inspection, error);
}

bool shk_bodies_of(const struct shk_context *context, struct shk_bodies *bodies,
                   const char *problem, int count, const double *times, int n, const double *q,
                   struct shk_message *error)
{
  const struct shk_query query = {SHK_ASK_BODIES, problem, "double", count, n, times, q};
  *bodies = (struct shk_bodies){0};
  return shk_ask(context, &query, bodies, error) && bodies->count == count;
}

bool shk_refuses(const struct shk_context *context, const struct shk_cell *cell)
{
  return shk_is_remote_integrator(context, cell->integrator) && context->remote->refuses &&
         context->remote->refuses(context->remote->user, context, cell);
}
