/* Published states from files. See literature.h. */
#include "harness/references/literature.h"

#include "engine/names.h"
#include "foundation/files/file.h"
#include "foundation/files/yaml.h"
#include "foundation/memory.h"
#include "foundation/number.h"
#include "harness/study/study_numbers.h"

#include <stdlib.h>
#include <string.h>

const char *const shk_published_groups[SHK_PUBLISHED_GROUPS] = {"positions", "velocities",
                                                                "multipliers", "energy"};

static bool read_number(const struct shk_yaml *yaml, struct fy_node *item, void *into)
{
  static const char expected[] = "a number as printed, or skip";
  struct shk_printed_numbers *const numbers = into;
  char **const place = SHK_APPEND(numbers->texts, numbers->count);
  *place = shk_yaml_text(yaml, item, expected);
  if (!*place)
    return false;
  const bool skip = strcmp(*place, "skip") == 0;
  const bool ok = skip || shk_number_length(*place) == strlen(*place) ||
                  shk_yaml_fail_kind(yaml, item, expected);
  if (skip) {
    free(*place);
    *place = NULL;
  }
  return ok;
}

/* Reads a problem's canonical specification, in the context that is the YAML's user. */
static bool read_problem(const struct shk_yaml *yaml, struct fy_node *value, void *field)
{
  char **problem = field, *text = shk_yaml_text(yaml, value, yaml->key->expected);
  struct shk_message reason = {.text = ""};
  if (!text)
    return false;
  free(*problem);
  *problem = shk_canonical_problem(yaml->user, text, &reason);
  free(text);
  return *problem || shk_yaml_fail(yaml, value, "%s", reason.text);
}

static bool read_set(const struct shk_context *context, struct shk_literature *set,
                     const char *path, struct shk_message *error)
{
#define NUMBERS(name, field)                                                                       \
  SHK_YAML_FIELD(name, false, struct shk_literature, field, shk_yaml_into_list,                    \
                 "a list of numbers as printed", .item = read_number, .or_one = true)
  static const struct shk_yaml_key keys[] = {
      SHK_YAML_FIELD("source", true, struct shk_literature, source, shk_yaml_into_text,
                     "where it was printed"),
      SHK_YAML_FIELD("problem", true, struct shk_literature, problem, read_problem, "a problem"),
      SHK_YAML_FIELD("time", true, struct shk_literature, time, shk_read_number_text, "a time"),
      NUMBERS("positions", groups[SHK_PUBLISHED_POSITIONS]),
      NUMBERS("velocities", groups[SHK_PUBLISHED_VELOCITIES]),
      NUMBERS("multipliers", groups[SHK_PUBLISHED_MULTIPLIERS]),
      NUMBERS("multiplier-factors", factors),
      NUMBERS("energy", groups[SHK_PUBLISHED_ENERGY])};
#undef NUMBERS
  size_t length;
  char *text = shk_read_file(path, SHK_YAML_LARGEST, "published state", &length, error);
  if (!text)
    return false;
  struct shk_yaml yaml;
  bool ok = shk_yaml_open(&yaml, path, text, length, error);
  yaml.user = context;
  ok = ok && shk_yaml_mapping(&yaml, shk_yaml_root(&yaml), NULL, "source, problem, time and values",
                              SHK_YAML_KEYS(keys), set);
  const int multipliers = set->groups[SHK_PUBLISHED_MULTIPLIERS].count;
  if (ok && set->factors.count > 0 && set->factors.count != multipliers)
    ok = shk_yaml_fail(&yaml, shk_yaml_root(&yaml), "found %d multiplier-factors, expected %d",
                       set->factors.count, multipliers);
  for (int i = 0; ok && i < set->factors.count; i++)
    if (!set->factors.texts[i])
      ok = shk_yaml_fail(&yaml, shk_yaml_root(&yaml),
                         "found skip among the factors, expected numbers");
  shk_yaml_close(&yaml);
  free(text);
  return ok;
}

bool shk_literature_read(const struct shk_context *context, struct shk_literature **list,
                         int *count, const char *folder, struct shk_message *error)
{
  int files;
  char **names = shk_files_ending(folder, ".yaml", &files);
  bool ok = true;
  *list = NULL;
  *count = 0;
  for (int i = 0; ok && i < files; i++) {
    char *const path = shk_print_text("%s/%s.yaml", folder, names[i]);
    struct shk_literature *const set = SHK_APPEND(*list, *count);
    *set = (struct shk_literature){.name = shk_copy_text(names[i])};
    ok = read_set(context, set, path, error);
    free(path);
  }
  shk_free_texts(names, files);
  return ok;
}

void shk_literature_free(struct shk_literature *list, int count)
{
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < SHK_PUBLISHED_GROUPS; k++)
      shk_free_texts(list[i].groups[k].texts, list[i].groups[k].count);
    shk_free_texts(list[i].factors.texts, list[i].factors.count);
    free(list[i].name);
    free(list[i].source);
    free(list[i].problem);
    free(list[i].time);
  }
  free(list);
}
