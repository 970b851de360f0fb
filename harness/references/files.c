/*
 * References, and published solutions, as files: see reference.h and literature.h. A reference is
 *
 *     problem: SPECIFICATION
 *     method: the computation; against others
 *     checks:
 *       - {method: "…", q: 23, p: 23, lambda: 22}
 *     values:
 *       - {t: 7.1, component: q1, value: 0.81998…, digits: 26}
 *
 * One problem in each file, whose name begins with the problem's.
 */
#include "harness/references/literature.h"
#include "harness/references/reference.h"

#include "foundation/files/file.h"
#include "foundation/files/yaml.h"
#include "foundation/memory.h"
#include "foundation/number.h"
#include "harness/study/study_numbers.h"
#include "harness/study/study_runs.h"
#include "results/export/export.h"

#include <stdlib.h>
#include <string.h>

/* Reads a file, whose contents are named `what` in messages, by its keys. */
static bool read_file(const char *path, const char *what, const struct shk_context *context,
                      const struct shk_yaml_key *keys, int count, void *into,
                      struct shk_message *error)
{
  struct shk_yaml yaml;
  size_t length;
  char *const text = shk_read_file(path, SHK_YAML_LARGEST, what, &length, error);
  if (!text)
    return false;
  bool ok = shk_yaml_open(&yaml, path, text, length, error);
  yaml.user = context;
  ok = ok && shk_yaml_mapping(&yaml, shk_yaml_root(&yaml), NULL, what, keys, count, into);
  shk_yaml_close(&yaml);
  free(text);
  return ok;
}

static bool read_number(const struct shk_yaml *yaml, struct fy_node *value, void *text)
{
  if (!shk_yaml_into_text(yaml, value, text))
    return false;
  const char *const number = *(char **)text;
  return shk_number_length(number) == strlen(number) ||
         shk_yaml_fail_kind(yaml, value, yaml->key->expected);
}

/* ---- references ---- */

void shk_reference_print(FILE *file, const struct shk_reference *reference)
{
  fputs(
      "# A reference solution: `shakedown reference PROBLEM` prints it, --recompute --write FILE\n"
      "# made it. digits: how many are agreed, relative to the largest component of the group.\n"
      "# checks: what independent formulations say.\n"
      "# The force of the constraints is -G^T lambda.\nproblem: ",
      file);
  shk_print_json(file, reference->problem);
  fputs("\nmethod: ", file);
  shk_print_json(file, reference->method);
  if (reference->check_count > 0)
    fputs("\nchecks:", file);
  for (int i = 0; i < reference->check_count; i++) {
    const struct shk_reference_check *check = &reference->checks[i];
    fputs("\n  - {method: ", file);
    shk_print_json(file, check->method);
    for (int k = 0; k < SHK_REFERENCE_GROUPS; k++)
      fprintf(file, ", %s: %d", shk_reference_letters[k], check->digits[k]);
    fputc('}', file);
  }
  fputs("\nvalues:\n", file);
  for (int i = 0; i < reference->row_count; i++) {
    const struct shk_reference_row *row = &reference->rows[i];
    fprintf(file, "  - {t: %s, component: %s, value: %s, digits: %d}\n", row->time, row->component,
            row->value, row->digits);
  }
}

#define DIGITS_ASKED "a number of digits from 0 to 34", .most = SHK_REFERENCE_MOST_DIGITS

static bool read_check(const struct shk_yaml *yaml, struct fy_node *item, void *into)
{
#define DIGITS(name, group)                                                                        \
  SHK_YAML_FIELD(name, true, struct shk_reference_check, digits[group], shk_read_whole,            \
                 DIGITS_ASKED)
  static const struct shk_yaml_key keys[] = {
      SHK_YAML_FIELD("method", true, struct shk_reference_check, method, shk_yaml_into_text,
                     "a method"),
      DIGITS("q", SHK_GROUP_COORDINATES), DIGITS("p", SHK_GROUP_MOMENTA),
      DIGITS("lambda", SHK_GROUP_MULTIPLIERS)};
#undef DIGITS
  struct shk_reference *const reference = into;
  struct shk_reference_check *const check = SHK_APPEND(reference->checks, reference->check_count);
  *check = (struct shk_reference_check){.method = NULL};
  return shk_yaml_mapping(yaml, item, NULL, "a check {method, q, p, lambda}", SHK_YAML_KEYS(keys),
                          check);
}

static bool read_row(const struct shk_yaml *yaml, struct fy_node *item, void *into)
{
#define FIELD(name, field, read, ...)                                                              \
  SHK_YAML_FIELD(name, true, struct shk_reference_row, field, read, __VA_ARGS__)
  static const struct shk_yaml_key keys[] = {
      FIELD("t", time, read_number, "a number"),
      FIELD("component", component, shk_yaml_into_text, "a component such as q1"),
      FIELD("value", value, read_number, "a number"),
      FIELD("digits", digits, shk_read_whole, DIGITS_ASKED)};
#undef FIELD
  struct shk_reference *const reference = into;
  struct shk_reference_row *const row = SHK_APPEND(reference->rows, reference->row_count);
  *row = (struct shk_reference_row){.time = NULL};
  return shk_yaml_mapping(yaml, item, NULL, "a value {t, component, value, digits}",
                          SHK_YAML_KEYS(keys), row);
}

bool shk_reference_read(struct shk_reference *reference, const char *path,
                        struct shk_message *error)
{
#define LIST(key, must, reader)                                                                    \
  {                                                                                                \
    .name = key, .required = must, .read = shk_yaml_into_list, .expected = "a list of " key,       \
    .item = reader                                                                                 \
  }
  static const struct shk_yaml_key keys[] = {
      SHK_YAML_FIELD("problem", true, struct shk_reference, problem, shk_yaml_into_text,
                     "a problem"),
      SHK_YAML_FIELD("method", true, struct shk_reference, method, shk_yaml_into_text, "a method"),
      LIST("checks", false, read_check), LIST("values", true, read_row)};
#undef LIST
  *reference = (struct shk_reference){0};
  const bool ok = read_file(path, "reference", NULL, SHK_YAML_KEYS(keys), reference, error);
  if (!ok)
    shk_reference_clear(reference);
  return ok;
}

bool shk_reference_find(struct shk_reference *reference, const char *folder, const char *problem,
                        struct shk_message *error)
{
  int count;
  char **files = shk_files_ending(folder, ".yaml", &count);
  const size_t name = strcspn(problem, "(");
  bool found = false;
  error->text[0] = '\0';
  for (int i = 0; i < count && !found && error->text[0] == '\0'; i++) {
    /* pendulum.yaml and pendulum-a01.yaml are both for pendulum. */
    if (strncmp(files[i], problem, name) != 0 || !strchr("-", files[i][name]))
      continue; /* strchr finds the terminator too */
    char *const path = shk_print_text("%s/%s.yaml", folder, files[i]);
    found = shk_reference_read(reference, path, error);
    free(path);
    if (found && strcmp(reference->problem, problem) != 0) {
      shk_reference_clear(reference);
      found = false;
    }
  }
  shk_free_texts(files, count);
  return found;
}

/* ---- published solutions ---- */

const char *const shk_published_groups[SHK_PUBLISHED_GROUPS] = {"positions", "velocities",
                                                                "multipliers", "energy"};

static bool read_factor(const struct shk_yaml *yaml, struct fy_node *item, void *into)
{
  struct shk_printed_numbers *const numbers = into;
  return read_number(yaml, item, SHK_APPEND(numbers->texts, numbers->count));
}

static bool read_printed(const struct shk_yaml *yaml, struct fy_node *item, void *into)
{
  struct shk_printed_numbers *const numbers = into;
  if (!shk_is_word(item, "skip"))
    return read_factor(yaml, item, into);
  *SHK_APPEND(numbers->texts, numbers->count) = NULL;
  return true;
}

static bool read_problem(const struct shk_yaml *yaml, struct fy_node *value, void *problem)
{
  char *const text = shk_yaml_text(yaml, value, yaml->key->expected);
  *(char **)problem = text ? shk_read_canonical(yaml, value, text, true) : NULL;
  free(text);
  return *(char **)problem;
}

static bool read_set(const struct shk_context *context, struct shk_literature *set,
                     const char *path, struct shk_message *error)
{
#define NUMBERS(name, field, reader, expected)                                                     \
  SHK_YAML_FIELD(name, false, struct shk_literature, field, shk_yaml_into_list, expected,          \
                 .item = reader, .or_one = true)
#define PRINTED(name, group)                                                                       \
  NUMBERS(name, groups[group], read_printed, "a number as printed, or skip")
  static const struct shk_yaml_key keys[] = {
      SHK_YAML_FIELD("source", true, struct shk_literature, source, shk_yaml_into_text,
                     "where it was printed"),
      SHK_YAML_FIELD("problem", true, struct shk_literature, problem, read_problem, "a problem"),
      SHK_YAML_FIELD("time", true, struct shk_literature, time, shk_read_number_text, "a time"),
      PRINTED("positions", SHK_PUBLISHED_POSITIONS),
      PRINTED("velocities", SHK_PUBLISHED_VELOCITIES),
      PRINTED("multipliers", SHK_PUBLISHED_MULTIPLIERS),
      PRINTED("energy", SHK_PUBLISHED_ENERGY),
      NUMBERS("multiplier-factors", factors, read_factor, "a number")};
#undef PRINTED
#undef NUMBERS
  const int *const multipliers = &set->groups[SHK_PUBLISHED_MULTIPLIERS].count;
  return read_file(path, "published state", context, SHK_YAML_KEYS(keys), set, error) &&
         (set->factors.count == 0 || set->factors.count == *multipliers ||
          shk_message_set(error, "%s: found %d multiplier-factors, expected %d", path,
                          set->factors.count, *multipliers));
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
