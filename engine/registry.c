/* The problems and integrators of one precision. */
#include "engine/registry.h"

#include "engine/renamed.h"
#include "foundation/memory.h"

#include <shakedown/solve.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define SHK_LISTED(name) extern const struct shk_provision shk_provision_##name;
#include "integrators/list.h"
#include "problems/list.h"
#undef SHK_LISTED

#define SHK_LISTED(name) &shk_provision_##name,
static const struct shk_provision *const built_in[] = {
#include "integrators/list.h"
#include "problems/list.h"
};
#undef SHK_LISTED

#define BUILT_IN ((int)(sizeof built_in / sizeof built_in[0]))

static const struct shk_provision *provision(const struct shk_context *context, int index)
{
  if (index < BUILT_IN)
    return built_in[index];
  for (int i = 0, own = BUILT_IN; i < context->loaded_count; i++)
    if (context->loaded[i].precision == SHK_PRECISION && own++ == index)
      return context->loaded[i].provision;
  return NULL;
}

/* Finds the item of an index (-1: none) or a name (NULL: none) among all items of a kind, `list` of
 * each provision. *count: the items up to there. */
#define ITEMS(type, list)                                                                          \
  static const struct type *in_##list(const struct shk_context *context, int index,                \
                                      const char *name, int *count)                                \
  {                                                                                                \
    const struct shk_provision *from;                                                              \
    *count = 0;                                                                                    \
    for (int i = 0; (from = provision(context, i)) != NULL; i++)                                   \
      for (int k = 0; from->list && from->list[k]; k++)                                            \
        if ((*count)++ == index || (name && strcmp(from->list[k]->info.name, name) == 0))          \
          return from->list[k];                                                                    \
    return NULL;                                                                                   \
  }
ITEMS(shk_problem, problems)
ITEMS(shk_integrator, integrators)
ITEMS(shk_rod_solver, solvers)
#undef ITEMS

int shk_registry_problem_count(const struct shk_context *context)
{
  int count;
  in_problems(context, -1, NULL, &count);
  return count;
}

int shk_registry_integrator_count(const struct shk_context *context)
{
  int count;
  in_integrators(context, -1, NULL, &count);
  return count;
}

const struct shk_problem *shk_registry_problem(const struct shk_context *context, int index)
{
  return in_problems(context, index, NULL, &(int){0});
}

const struct shk_integrator *shk_registry_integrator(const struct shk_context *context, int index)
{
  return in_integrators(context, index, NULL, &(int){0});
}

const struct shk_rod_solver *shk_registry_solver(const struct shk_context *context, int index)
{
  return in_solvers(context, index, NULL, &(int){0});
}

const struct shk_problem *shk_registry_find_problem(const struct shk_context *context,
                                                    const char *name)
{
  const char *const now = shk_renamed(name);
  return in_problems(context, -1, now ? now : name, &(int){0});
}

const struct shk_integrator *shk_registry_find_integrator(const struct shk_context *context,
                                                          const char *name)
{
  const char *const now = shk_renamed(name);
  return in_integrators(context, -1, now ? now : name, &(int){0});
}

const struct shk_rod_solver *shk_registry_find_solver(const struct shk_context *context,
                                                      const char *name)
{
  return in_solvers(context, -1, name, &(int){0});
}

static bool sizes_agree(const char *path, const struct shk_provision *p, struct shk_message *error)
{
  const struct {
    const char *what;
    size_t theirs, ours;
  } fields[] = {
      {"ABI version", (size_t)p->abi_version, SHK_ABI_VERSION},
      {"precision", (size_t)p->precision, SHK_PRECISION},
      {"size of a real", p->real_size, sizeof(real)},
      {"size of struct shk_option", p->option_size, sizeof(struct shk_option)},
      {"size of struct shk_claims", p->claims_size, sizeof(struct shk_claims)},
      {"size of struct shk_system", p->system_size, sizeof(struct shk_system)},
      {"size of struct shk_instance", p->instance_size, sizeof(struct shk_instance)},
      {"size of struct shk_integrator", p->integrator_size, sizeof(struct shk_integrator)},
      {"size of struct shk_problem", p->problem_size, sizeof(struct shk_problem)},
      {"size of struct shk_provision", p->struct_size, sizeof *p}};
  if (p->abi_version >= 1 && p->abi_version <= 3)
    return shk_message_set(error,
                           "%s: the plug-in is of version %d of the interface: in version 4 a "
                           "state has the method's own memory, and what copies or makes states "
                           "of a run takes shk_state_copy and shk_state_init_like: build it again",
                           path, p->abi_version);
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
    if (fields[i].theirs != fields[i].ours) {
      shk_message_set(error, "%s: the plug-in's %s is %zu, this program's is %zu: build it again",
                      path, fields[i].what, fields[i].theirs, fields[i].ours);
      return false;
    }
  return true;
}

/* Checks an item of a plug-in. `what`: its type, with an article. `lack`: the missing field, other
 * than name and summary; NULL: none. */
static bool is_whole(const char *path, const char *what, const char *name, const char *summary,
                     const char *lack, bool known, struct shk_message *error)
{
  const char *const missing = !name ? "a name" : !summary ? "a summary" : lack;
  if (missing)
    shk_message_set(error, "%s: %s %s lacks %s", path, strchr(what, ' ') + 1,
                    name ? name : "(unnamed)", missing);
  else if (known)
    shk_message_set(error, "%s: there is already %s named %s", path, what, name);
  return !missing && !known;
}

static bool are_whole(const struct shk_context *context, const char *path,
                      const struct shk_provision *found, struct shk_message *error)
{
  bool ok = true;
  for (int k = 0; ok && found->integrators && found->integrators[k]; k++) {
    const struct shk_integrator *const one = found->integrators[k];
    const char *const name = one->info.name;
    ok = is_whole(path, "an integrator", name, one->info.summary,
                  one->method_size == 0 ? "SHK_METHOD"
                  : !one->step          ? "step"
                                        : NULL,
                  name && shk_registry_find_integrator(context, name), error);
  }
  for (int k = 0; ok && found->problems && found->problems[k]; k++) {
    const struct shk_problem *const one = found->problems[k];
    const char *const name = one->info.name;
    ok = is_whole(path, "a problem", name, one->info.summary, one->set_up ? NULL : "set_up",
                  name && shk_registry_find_problem(context, name), error);
  }
  for (int k = 0; ok && found->solvers && found->solvers[k]; k++) {
    const struct shk_rod_solver *const one = found->solvers[k];
    const bool reads = one->struct_size == sizeof *one;
    const char *const name = reads ? one->info.name : "(of another size)";
    ok = is_whole(path, "a solver", name, reads ? one->info.summary : "",
                  !reads       ? "struct_size"
                  : one->solve ? NULL
                               : "solve",
                  name && (shk_is_built_in_solver(name) || shk_registry_find_solver(context, name)),
                  error);
  }
  return ok;
}

/* The loader adds all precisions in one call, which is made for double. */
static bool load_foreign(struct shk_context *context, const char *path, struct shk_message *error)
{
  const struct shk_foreign_loader *loader = context->foreign;
  if (loader)
    return SHK_PRECISION != 64 || loader->load(loader->user, context, path, error);
  shk_message_set(
      error,
      "%s: plug-ins in Python take part in studies and certificates only (docs/guides/python.md)",
      path);
  return false;
}

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

bool shk_registry_load(struct shk_context *context, const char *path, struct shk_message *error)
{
  if (context->loaded_count == SHK_MOST_LOADED) {
    shk_message_set(error, "%s: more than %d plug-ins", path, SHK_MOST_LOADED / SHK_PRECISIONS);
    return false;
  }
  if (shk_ends_with(path, SHK_FOREIGN_ENDING))
    return load_foreign(context, path, error);
  /* Without a slash dlopen would search the system's folders. */
  char *const place = realpath(path, NULL);
  void *const object = place ? dlopen(place, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!object)
    shk_message_set(error, "%s: %s", path,
                    place ? dlerror() : "no such plug-in, or it cannot be read");
  free(place);
  const struct shk_provision *const found = object ? dlsym(object, TEXT(shk_plugin)) : NULL;
  const bool lacks_single = object && !found && SHK_PRECISION == 32; /* which is optional */
  if (object && !found && !lacks_single)
    shk_message_set(error, "%s: offers nothing in this precision (no symbol %s)", path,
                    TEXT(shk_plugin));
  for (int i = 0; i < context->loaded_count; i++)
    if (found && context->loaded[i].provision == found)
      return true; /* loaded before */
  if (!found || !sizes_agree(path, found, error) || !are_whole(context, path, found, error)) {
    if (object)
      dlclose(object);
    return lacks_single;
  }
  context->loaded[context->loaded_count++] = (struct shk_loaded){SHK_PRECISION, found};
  return true;
}
