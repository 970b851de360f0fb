/* Which specifications run programs. See program.h. */
#include "foundation/specifications/program.h"

#include "foundation/specifications/spec.h"
#include <string.h>

static int walk(const struct shk_spec *spec, void (*visit)(void *user, const char *command),
                void *user)
{
  const bool runs = strcmp(spec->name, "external") == 0 || strcmp(spec->name, "engine") == 0;
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
  /* Most specifications need not be parsed. */
  const bool may = strstr(text, "external") || strstr(text, "engine");
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
