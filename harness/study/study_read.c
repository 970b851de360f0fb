/*
 * Study files: the file itself and its outermost keys (study, purpose, runs, figures). The runs are
 * read in study_runs.c.
 */
#include "harness/study/study.h"

#include "foundation/files/file.h"
#include "foundation/memory.h"
#include "harness/study/study_runs.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { longest_name = 64 };

struct reader {
  struct shk_yaml yaml;
  struct fy_node *figures; /* read when the runs are; NULL if there are none */
  struct shk_study *study;
};

static bool read_name(void *context, struct fy_node *value)
{
  const struct reader *const reader = context;
  static const char expected[] =
      "a name of at most 64 letters, digits, '-', '_' and '.', beginning with a letter or digit "
      "(results are stored in NAME.db)";
  char *const name = shk_yaml_text(&reader->yaml, value, expected);
  if (!name)
    return false;
  bool ok = strlen(name) <= longest_name && isalnum((unsigned char)name[0]);
  for (const char *at = name; *at; at++)
    ok = ok && (isalnum((unsigned char)*at) || strchr("-_.", *at));
  if (!ok)
    shk_yaml_fail_kind(&reader->yaml, value, expected);
  reader->study->name = name;
  return ok;
}

static bool read_purpose(void *context, struct fy_node *value)
{
  const struct reader *const reader = context;
  reader->study->purpose = shk_yaml_text(&reader->yaml, value, "a sentence");
  return reader->study->purpose != NULL;
}

static bool read_runs(void *context, struct fy_node *value)
{
  const struct reader *const reader = context;
  return shk_read_runs(&reader->yaml, value, reader->study);
}

static bool keep_figures(void *context, struct fy_node *value)
{
  struct reader *const reader = context;
  reader->figures = value;
  return true;
}

struct shk_study *shk_study_parse(const char *text, size_t length, const char *path,
                                  struct shk_message *error)
{
  static const struct shk_yaml_key keys[] = {{"study", true, read_name},
                                             {"purpose", false, read_purpose},
                                             {"runs", true, read_runs},
                                             {"figures", false, keep_figures}};
  if (length > SHK_YAML_LARGEST) {
    shk_message_set(error, "%s: larger than 1 MiB, which no study is", path);
    return NULL;
  }
  struct shk_study *const study = shk_allocate(1, sizeof *study);
  study->text = shk_allocate(length + 1, 1);
  memcpy(study->text, text, length);
  study->path = shk_copy_text(path);
  struct reader reader = {.study = study};
  const bool ok = shk_yaml_open(&reader.yaml, study->path, study->text, length, error) &&
                  shk_yaml_mapping(&reader.yaml, shk_yaml_root(&reader.yaml),
                                   "the keys study, purpose, runs and figures", keys,
                                   sizeof keys / sizeof keys[0], &reader) &&
                  (!reader.figures || shk_read_figures(&reader.yaml, reader.figures, study));
  shk_yaml_close(&reader.yaml);
  if (ok)
    return study;
  shk_study_free(study);
  return NULL;
}

struct shk_study *shk_study_read(const char *path, struct shk_message *error)
{
  size_t length;
  char *const text = shk_read_file(path, SHK_YAML_LARGEST, "study", &length, error);
  if (!text)
    return NULL;
  struct shk_study *const study = shk_study_parse(text, length, path, error);
  free(text);
  return study;
}

static void free_list(char **list, int count)
{
  for (int i = 0; i < count; i++)
    free(list[i]);
  free(list);
}

void shk_study_free(struct shk_study *study)
{
  if (!study)
    return;
  for (int i = 0; i < study->run_count; i++) {
    struct shk_study_run *const run = &study->runs[i];
    for (int k = 0; k < run->problem_count; k++)
      shk_start_free(&run->problems[k]);
    free(run->problems);
    shk_index_clear(&run->starts);
    free_list(run->integrators, run->integrator_count);
    free_list(run->steps, run->step_count);
    free_list(run->tolerances, run->tolerance_count);
    free_list(run->times, run->time_count);
    free_list(run->precisions, run->precision_count);
    free_list(run->measures, run->measure_count);
    free_list(run->excludes, run->exclude_count);
    free(run->until);
    free(run->until_scales);
  }
  free(study->runs);
  for (int i = 0; i < study->figure_count; i++)
    shk_figure_free(&study->figures[i]);
  free(study->figures);
  free(study->name);
  free(study->purpose);
  free(study->path);
  free(study->text);
  free(study);
}
