/* Detection of specifications that run programs. See program.h. */
#include "foundation/specifications/program.h"

#include "foundation/specifications/spec.h"
#include <string.h>

static const char *const runners[] = {"external", "engine", "program"};

static int walk(const struct shk_spec *spec, void (*visit)(void *user, const char *command),
                void *user)
{
  bool runs = false;
  for (size_t i = 0; i < sizeof runners / sizeof *runners; i++)
    runs = runs || strcmp(spec->name, runners[i]) == 0;
  int count = runs;
  for (int i = 0; i < spec->count; i++) {
    const struct shk_spec_item *item = &spec->items[i];
    if (runs && visit && (!item->option || strcmp(item->option, "command") == 0))
      visit(user, item->kind == SHK_SPEC_NESTED ? item->nested->name : item->text);
    if (item->kind == SHK_SPEC_NESTED)
      count += walk(item->nested, visit, user);
  }
  return count;
}

int shk_spec_programs(const char *text, void (*visit)(void *user, const char *command), void *user)
{
  struct shk_message error;
  /* Avoids parsing in the common case. */
  bool may = false;
  for (size_t i = 0; i < sizeof runners / sizeof *runners; i++)
    may = may || strstr(text, runners[i]);
  struct shk_spec *spec = may ? shk_spec_parse(text, &error) : NULL;
  const int count = spec ? walk(spec, visit, user) : 0;
  shk_spec_free(spec);
  return count;
}

bool shk_programs_permit(const struct shk_access *access, const char *spec,
                         struct shk_message *error)
{
  if (access->programs || shk_spec_programs(spec, NULL, NULL) == 0)
    return true;
  shk_message_set(error, "%s runs a program: give --allow-external if you trust it", spec);
  return false;
}
