/*
 * Reads and writes reference files, which have this form:
 *
 *     problem: SPECIFICATION
 *     method: the computation; against others
 *     checks:
 *       - {method: "…", q: 23, p: 23, lambda: 22}
 *     values:
 *       - {t: 7.1, component: q1, value: 0.81998…, digits: 26}
 *
 * Each file is for a single problem, and its name begins with the problem's name.
 */
#include "harness/references/reference.h"

#include "foundation/files/file.h"
#include "foundation/memory.h"
#include "foundation/number.h"
#include "harness/study/study_numbers.h"
#include "results/export/export.h"

#include <stdlib.h>
#include <string.h>

static bool read_number(const struct shk_yaml *yaml, struct fy_node *value, void *text)
{
  if (!shk_yaml_into_text(yaml, value, text))
    return false;
  const char *const number = *(char **)text;
  return shk_number_length(number) == strlen(number) ||
         shk_yaml_fail_kind(yaml, value, yaml->key->expected);
}

void shk_reference_print(FILE *file, const struct shk_reference *reference)
{
  fputs(
      "# A reference solution: `shakedown reference PROBLEM` prints it; --recompute --write FILE\n"
      "# wrote it. digits: the number on which runs agree, relative to the largest component of "
      "the group.\n"
      "# checks: the results of independent formulations.\n"
      "# The constraint force is -G^T lambda.\n"
      "problem: ",
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
  size_t length;
  char *const text = shk_read_file(path, SHK_YAML_LARGEST, "reference", &length, error);
  if (!text)
    return false;
  struct shk_yaml yaml;
  const bool ok =
      shk_yaml_open(&yaml, path, text, length, error) &&
      shk_yaml_mapping(&yaml, shk_yaml_root(&yaml), NULL,
                       "a mapping with problem, method and values", SHK_YAML_KEYS(keys), reference);
  shk_yaml_close(&yaml);
  free(text);
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
    /* both pendulum.yaml and pendulum-a01.yaml can contain references for the problem pendulum */
    if (strncmp(files[i], problem, name) != 0 || !strchr("-", files[i][name]))
      continue; /* strchr can also match the terminating NUL */
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
