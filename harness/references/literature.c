/* Published states from files. See literature.h. */
#include "harness/references/literature.h"

#include "engine/names.h"
#include "foundation/files/file.h"
#include "foundation/files/yaml.h"
#include "foundation/memory.h"
#include "foundation/number.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

const char *const shk_published_groups[SHK_PUBLISHED_GROUPS] = {"positions", "velocities",
                                                                "multipliers", "energy"};

struct reader {
  const struct shk_context *context;
  const struct shk_yaml *yaml;
  struct shk_literature *set;
  char ***list; /* that a sequence is read into, and its length */
  int *count;
};

static bool read_number(void *context, struct fy_node *item)
{
  const struct reader *reader = context;
  static const char expected[] = "a number as printed, or skip";
  char *text = shk_yaml_text(reader->yaml, item, expected);
  if (text == NULL)
    return false;
  *reader->list = shk_grow(*reader->list, (size_t)*reader->count, sizeof **reader->list);
  char **place = &(*reader->list)[(*reader->count)++];
  *place = NULL;
  const bool skip = strcmp(text, "skip") == 0;
  const bool good = skip || shk_number_length(text) == strlen(text) ||
                    shk_yaml_fail_kind(reader->yaml, item, expected);
  if (good && !skip)
    *place = text;
  else
    free(text);
  return good;
}

static bool read_list(struct reader *reader, struct fy_node *value, char ***list, int *count)
{
  reader->list = list;
  reader->count = count;
  if (*count > 0)
    return shk_yaml_fail(reader->yaml, value, "found the same key twice");
  return shk_yaml_sequence(reader->yaml, value, "a list of numbers as printed", true, read_number,
                           reader);
}

static bool read_group(struct reader *reader, struct fy_node *value, enum shk_published_group group)
{
  return read_list(reader, value, &reader->set->values[group], &reader->set->counts[group]);
}

static bool read_positions(void *context, struct fy_node *value)
{
  return read_group(context, value, SHK_PUBLISHED_POSITIONS);
}
static bool read_velocities(void *context, struct fy_node *value)
{
  return read_group(context, value, SHK_PUBLISHED_VELOCITIES);
}
static bool read_multipliers(void *context, struct fy_node *value)
{
  return read_group(context, value, SHK_PUBLISHED_MULTIPLIERS);
}
static bool read_energy(void *context, struct fy_node *value)
{
  return read_group(context, value, SHK_PUBLISHED_ENERGY);
}
static bool read_factors(void *context, struct fy_node *value)
{
  struct reader *reader = context;
  return read_list(reader, value, &reader->set->factors, &reader->set->factor_count);
}

static bool read_source(void *context, struct fy_node *value)
{
  struct reader *reader = context;
  free(reader->set->source);
  reader->set->source = shk_yaml_text(reader->yaml, value, "where it was printed");
  return reader->set->source != NULL;
}

static bool read_problem(void *context, struct fy_node *value)
{
  struct reader *reader = context;
  struct shk_message reason = {.text = ""};
  char *text = shk_yaml_text(reader->yaml, value, "a problem");
  if (text == NULL)
    return false;
  free(reader->set->problem);
  reader->set->problem = shk_canonical_problem(reader->context, text, &reason);
  free(text);
  return reader->set->problem != NULL || shk_yaml_fail(reader->yaml, value, "%s", reason.text);
}

static bool read_time(void *context, struct fy_node *value)
{
  struct reader *reader = context;
  char *text = shk_yaml_text(reader->yaml, value, "a time");
  if (text == NULL)
    return false;
  free(reader->set->time);
  reader->set->time = shk_number_canonical(text, false);
  free(text);
  return reader->set->time != NULL || shk_yaml_fail_kind(reader->yaml, value, "a time");
}

static bool read_set(const struct shk_context *context, struct shk_literature *set,
                     const char *path, struct shk_message *error)
{
  static const struct shk_yaml_key keys[] = {{"source", true, read_source},
                                             {"problem", true, read_problem},
                                             {"time", true, read_time},
                                             {"positions", false, read_positions},
                                             {"velocities", false, read_velocities},
                                             {"multipliers", false, read_multipliers},
                                             {"multiplier-factors", false, read_factors},
                                             {"energy", false, read_energy}};
  size_t length;
  char *text = shk_read_file(path, SHK_YAML_LARGEST, "published state", &length, error);
  if (text == NULL)
    return false;
  struct shk_yaml yaml;
  struct reader reader = {.context = context, .yaml = &yaml, .set = set};
  bool good = shk_yaml_open(&yaml, path, text, length, error) &&
              shk_yaml_mapping(&yaml, shk_yaml_root(&yaml), "source, problem, time and values",
                               keys, sizeof keys / sizeof keys[0], &reader);
  const int multipliers = set->counts[SHK_PUBLISHED_MULTIPLIERS];
  if (good && set->factor_count > 0 && set->factor_count != multipliers)
    good = shk_yaml_fail(&yaml, shk_yaml_root(&yaml), "found %d factors for %d multipliers",
                         set->factor_count, multipliers);
  for (int i = 0; good && i < set->factor_count; i++)
    if (set->factors[i] == NULL)
      good = shk_yaml_fail(&yaml, shk_yaml_root(&yaml), "found skip among the factors");
  shk_yaml_close(&yaml);
  free(text);
  return good;
}

static int is_literature(const struct dirent *entry)
{
  const char *dot = strrchr(entry->d_name, '.');
  return dot != NULL && dot != entry->d_name && strcmp(dot, ".yaml") == 0;
}

bool shk_literature_read(const struct shk_context *context, struct shk_literature **list,
                         int *count, const char *folder, struct shk_message *error)
{
  struct dirent **entries = NULL;
  const int files = scandir(folder, &entries, is_literature, alphasort);
  bool good = true;
  *list = NULL;
  *count = 0;
  for (int i = 0; i < files; i++) {
    const char *file = entries[i]->d_name;
    if (good) {
      char *path = shk_print_text("%s/%s", folder, file);
      *list = shk_grow(*list, (size_t)*count, sizeof **list);
      struct shk_literature *set = &(*list)[(*count)++];
      *set = (struct shk_literature){.name = shk_print_text("%.*s", (int)(strlen(file) - 5), file)};
      good = read_set(context, set, path, error);
      free(path);
    }
    free(entries[i]);
  }
  free(entries);
  return good;
}

static void free_texts(char **texts, int count)
{
  for (int i = 0; i < count; i++)
    free(texts[i]);
  free(texts);
}

void shk_literature_free(struct shk_literature *list, int count)
{
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < SHK_PUBLISHED_GROUPS; k++)
      free_texts(list[i].values[k], list[i].counts[k]);
    free_texts(list[i].factors, list[i].factor_count);
    free(list[i].name);
    free(list[i].source);
    free(list[i].problem);
    free(list[i].time);
  }
  free(list);
}
