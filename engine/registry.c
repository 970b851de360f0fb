/* Maintains the problems, integrators and solvers for one precision. See registry.h. */
#include "engine/registry.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "mechanics/solvers/kit/solvers.h"

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

static const struct shk_provision *provision_at(const struct shk_context *context, int index)
{
  if (index < BUILT_IN)
    return built_in[index];
  for (int i = 0, own = BUILT_IN; i < context->loaded_count; i++)
    if (context->loaded[i].precision == SHK_PRECISION && own++ == index)
      return context->loaded[i].provision;
  return NULL;
}

static struct shk_item item_of(const struct shk_provision *from, enum shk_option_kind kind, int k)
{
  struct shk_item item = {NULL};
  if (kind == SHK_OPTION_PROBLEM) {
    const struct shk_problem *const one = from->problems ? from->problems[k] : NULL;
    if (one)
      item = (struct shk_item){one->info.name, one->info.options, &one->info, one};
  } else if (kind == SHK_OPTION_INTEGRATOR) {
    const struct shk_integrator *const one = from->integrators ? from->integrators[k] : NULL;
    if (one)
      item = (struct shk_item){one->info.name, one->info.options, &one->info, one};
  } else {
    const struct shk_rod_solver *const one = from->solvers ? from->solvers[k] : NULL;
    if (one)
      item = (struct shk_item){one->info.name, one->info.options, &one->info, one};
  }
  return item;
}

struct shk_item shk_registry_item(const struct shk_context *context, enum shk_option_kind kind,
                                  int *index, const char *name)
{
  const struct shk_provision *from;
  struct shk_item item = {NULL};
  for (int i = 0; (from = provision_at(context, i)) != NULL; i++)
    for (int k = 0; (item = item_of(from, kind, k)).itself; k++)
      if (name ? strcmp(item.name, name) == 0 : (*index)-- == 0)
        return item;
  return item;
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
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
    if (fields[i].theirs != fields[i].ours)
      return shk_message_set(
          error, "%s: the plug-in's %s is %zu, but this program's is %zu: rebuild the plug-in",
          path, fields[i].what, fields[i].theirs, fields[i].ours);
  return true;
}

/* Returns the name of a part that is missing from a plug-in's item, or NULL if the item is
 * complete. */
static const char *lack_of(enum shk_option_kind kind, const void *item)
{
  if (kind == SHK_OPTION_PROBLEM) {
    const struct shk_problem *const one = item;
    return !one->info.summary ? "a summary" : !one->set_up ? "set_up" : NULL;
  }
  if (kind == SHK_OPTION_INTEGRATOR) {
    const struct shk_integrator *const one = item;
    return !one->info.summary      ? "a summary"
           : one->method_size == 0 ? "SHK_METHOD"
           : !one->step            ? "step"
                                   : NULL;
  }
  const struct shk_rod_solver *const one = item;
  return !one->info.summary ? "a summary" : !one->solve ? "solve" : NULL;
}

/* Checks that the items of a kind are complete and that their names are not yet in use. `word` is
 * the name of the kind, with an article. On failure, returns false and sets the reason. */
static bool are_whole(const struct shk_context *context, const char *path,
                      const struct shk_provision *found, enum shk_option_kind kind,
                      const char *word, struct shk_message *error)
{
  struct shk_item one;
  for (int k = 0; (one = item_of(found, kind, k)).itself; k++) {
    const bool is_sized =
        kind != SHK_OPTION_CHOICE || found->solvers[k]->struct_size == sizeof *found->solvers[k];
    const char *const name = !is_sized ? "(of another size)" : one.name ? one.name : "(unnamed)";
    const char *const lack = !is_sized   ? "struct_size"
                             : !one.name ? "a name"
                                         : lack_of(kind, one.itself);
    if (lack)
      return shk_message_set(error, "%s: %s %s lacks %s", path, strchr(word, ' ') + 1, name, lack);
    if (!shk_is_name(name))
      return shk_message_set(error,
                             "%s: the name of %s \"%s\" does not consist of " SHK_RULE_OF_NAMES,
                             path, word, name);
    if (shk_registry_item(context, kind, &(int){0}, name).name ||
        (kind == SHK_OPTION_CHOICE && shk_is_built_in_solver(name)))
      return shk_message_set(error, "%s: there is already %s named %s", path, word, name);
  }
  return true;
}

/* In a call for double precision, the loader adds all precisions at once. */
static bool load_foreign(struct shk_context *context, const char *path, struct shk_message *error)
{
  const struct shk_foreign_loader *loader = context->foreign;
  if (loader)
    return SHK_PRECISION != 64 || loader->load(loader->user, context, path, error);
  shk_message_set(error,
                  "%s: plug-ins in Python can only be used in studies and certificates "
                  "(docs/guides/in-python.md)",
                  path);
  return false;
}

/* Returns true if a plug-in does not have to provide this precision. Single is always optional, and
 * quad is optional if everything in the plug-in works only in double. */
static bool may_lack_precision(void *object)
{
  const struct shk_provision *const of = dlsym(object, "shk_plugin_f64");
  if (SHK_PRECISION == 32 || !of || of->abi_version != SHK_ABI_VERSION ||
      of->struct_size != sizeof *of)
    return SHK_PRECISION == 32;
  struct shk_item one;
  for (int k = 0; (one = item_of(of, SHK_OPTION_INTEGRATOR, k)).itself; k++)
    if (!((const struct shk_integrator_info *)one.info)->double_only)
      return false;
  for (int k = 0; (one = item_of(of, SHK_OPTION_CHOICE, k)).itself; k++)
    if (!((const struct shk_integrator_info *)one.info)->double_only)
      return false;
  return !of->problems;
}

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

bool shk_registry_load(struct shk_context *context, const char *path, struct shk_message *error)
{
  if (context->loaded_count == SHK_MOST_LOADED) {
    shk_message_set(error, "%s: not loaded, because the limit is %d plug-ins", path,
                    SHK_MOST_LOADED / SHK_PRECISIONS);
    return false;
  }
  if (shk_ends_with(path, SHK_FOREIGN_ENDING))
    return load_foreign(context, path, error);
  /* Without a slash in the path, dlopen would search the system directories. */
  char *const place = realpath(path, NULL);
  void *const object = place ? dlopen(place, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!object)
    shk_message_set(error, "%s: %s", path,
                    place ? dlerror() : "no such plug-in, or it cannot be read");
  free(place);
  const struct shk_provision *const found = object ? dlsym(object, TEXT(shk_plugin)) : NULL;
  const bool may_lack = object && !found && may_lack_precision(object);
  if (object && !found && !may_lack)
    shk_message_set(error,
                    "%s: provides nothing in " REAL_NAME " precision (no symbol %s); a plug-in may "
                    "leave out quad if all its integrators and solvers have .double_only = true",
                    path, TEXT(shk_plugin));
  for (int i = 0; i < context->loaded_count; i++)
    if (found && context->loaded[i].provision == found)
      return true; /* already loaded */
  if (!found || !sizes_agree(path, found, error) ||
      !are_whole(context, path, found, SHK_OPTION_INTEGRATOR, "an integrator", error) ||
      !are_whole(context, path, found, SHK_OPTION_PROBLEM, "a problem", error) ||
      !are_whole(context, path, found, SHK_OPTION_CHOICE, "a solver", error)) {
    if (object)
      dlclose(object);
    return may_lack;
  }
  context->loaded[context->loaded_count++] = (struct shk_loaded){SHK_PRECISION, found};
  return true;
}
