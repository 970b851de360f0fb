/*
 * Reads study files and their top-level keys. Runs are read in study_classes.c and study_runs.c,
 * figures in study_figures.c, their style in study_style.c, and bands in study_bands.c.
 */
#include "foundation/files/file.h"
#include "foundation/memory.h"
#include "harness/study/study_runs.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { longest_name = 64 };

struct reading {
  struct shk_study study;
  struct shk_study_choices choices;
  const struct shk_study_settings *settings; /* settings from a command; NULL if there are none */
  /* `kick` is the seed for kicking all starts that problems themselves provide; 0 means that no
   * start is kicked */
  int seed, kick;
};

bool shk_is_study_name(const char *text)
{
  bool ok = strlen(text) <= longest_name && isalnum((unsigned char)text[0]);
  for (const char *at = text; *at; at++)
    ok = ok && (isalnum((unsigned char)*at) || strchr("-_.", *at));
  return ok;
}

static bool read_name(const struct shk_yaml *yaml, struct fy_node *value, void *name)
{
  return shk_yaml_into_text(yaml, value, name) &&
         (shk_is_study_name(*(char **)name) ||
          shk_yaml_fail_kind(yaml, value, yaml->key->expected));
}

/* Reads the runs. The file's settings must already have been read. */
static bool read_runs(const struct shk_yaml *yaml, struct fy_node *value, void *context)
{
  struct reading *const reading = context;
  reading->choices.settings.seed = reading->seed;
  if (reading->settings)
    reading->choices.settings = *reading->settings;
  return shk_read_runs(yaml, value, &reading->study);
}

#define FIELD(name, must, field, reader, ...)                                                      \
  SHK_YAML_FIELD(name, must, struct reading, field, reader, __VA_ARGS__)
static const struct shk_yaml_key keys[] = {
    FIELD("study", true, study.name, read_name,
          "a name of at most 64 letters, digits, '-', '_' and '.', beginning with a "
          "letter or digit (results are stored in NAME.db)"),
    FIELD("purpose", false, study.purpose, shk_yaml_into_text, "a text"),
    FIELD("seed", false, seed, shk_read_whole, "a whole number from 1 to 999999999", .least = 1,
          .most = 999999999),
    FIELD("kick", false, kick, shk_read_whole, SHK_KICK_KEY),
    SHK_BUDGET_KEY(offsetof(struct reading, choices.settings.budget)),
    {.name = "names"},
    {.name = "runs", .required = true, .read = read_runs},
    FIELD("bands", false, study, shk_read_bands, NULL),
    FIELD("figures", false, study, shk_read_figures, NULL),
    FIELD("labels", false, study, shk_read_labels, NULL),
    FIELD("style", false, study, shk_read_styles, NULL),
    FIELD("range", false, study, shk_read_ranges, NULL),
    FIELD("font", false, study.serif, shk_read_font, NULL)};

static bool read_all(struct shk_yaml *yaml, struct reading *reading)
{
  struct fy_node *const root = shk_yaml_root(yaml);
  reading->choices = (struct shk_study_choices){.study = &reading->study,
                                                .names = shk_yaml_value(root, "names"),
                                                .settings = {.budget = SHK_BUDGET_DEFAULT}};
  yaml->user = &reading->study.context;
  yaml->choices = &reading->choices;
  yaml->choose = shk_choose_value;
  return shk_yaml_mapping(yaml, root, NULL, "the keys study and runs", SHK_YAML_KEYS(keys),
                          reading);
}

/* Adds a kick to every start that is provided by the problem itself. */
static void kick_all(struct shk_study *study, int seed)
{
  for (int r = 0; r < study->run_count; r++)
    for (int i = 0; i < study->runs[r].problem_count; i++) {
      struct shk_cell *const start = &study->runs[r].problems[i];
      if (shk_has_own_start(start))
        start->kick = shk_print_text("%d", seed);
    }
}

/* Takes ownership of `folder`, in which the problems' files are looked up. If `folder` is NULL, the
 * context's folder is used. */
static struct shk_study *parse_in(char *folder, const struct shk_context *context, const char *text,
                                  size_t length, const char *path,
                                  const struct shk_study_settings *settings,
                                  struct shk_message *error)
{
  if (length > SHK_YAML_LARGEST) {
    shk_message_set(error, "%s: larger than 1 MiB, the limit of a study file", path);
    free(folder);
    return NULL;
  }
  struct reading reading = {.study = {.text = shk_allocate(length + 1, 1),
                                      .path = shk_copy_text(path),
                                      .folder = folder,
                                      .context = *context},
                            .settings = settings,
                            .seed = 1};
  memcpy(reading.study.text, text, length);
  if (folder)
    reading.study.context.access.folder = folder;
  struct shk_yaml yaml;
  const bool ok = shk_yaml_open(&yaml, reading.study.path, reading.study.text, length, error) &&
                  read_all(&yaml, &reading);
  shk_yaml_close(&yaml);
  struct shk_study *const study = shk_allocate(1, sizeof *study);
  *study = reading.study;
  if (ok && reading.kick > 0)
    kick_all(study, reading.kick);
  if (ok)
    return study;
  shk_study_free(study);
  return NULL;
}

struct shk_study *shk_study_parse(const struct shk_context *context, const char *text,
                                  size_t length, const char *path, struct shk_message *error)
{
  return parse_in(NULL, context, text, length, path, NULL, error);
}

struct shk_study *shk_study_read(const struct shk_context *context, const char *path,
                                 const struct shk_study_settings *settings,
                                 struct shk_message *error)
{
  size_t length;
  char *const text = shk_read_file(path, SHK_YAML_LARGEST, "study", &length, error);
  if (!text)
    return NULL;
  char *const folder = settings ? NULL : shk_folder_of(path);
  struct shk_study *const study = parse_in(folder, context, text, length, path, settings, error);
  free(text);
  return study;
}

struct shk_study *shk_study_read_kicked(const struct shk_context *context, const char *path,
                                        long seed, struct shk_message *error)
{
  size_t length;
  char *const text = shk_read_file(path, SHK_YAML_LARGEST, "study", &length, error);
  if (!text)
    return NULL;
  char *const kicked =
      shk_print_text("%s%skick: %ld\n", text, shk_ends_with(text, "\n") ? "" : "\n", seed);
  struct shk_message plain = {.text = ""};
  struct shk_study *study =
      parse_in(shk_folder_of(path), context, kicked, strlen(kicked), path, NULL, error);
  if (!study) {
    struct shk_study *const without =
        parse_in(shk_folder_of(path), context, text, length, path, NULL, &plain);
    if (without)
      shk_message_set(error,
                      "--kick adds the line `kick: %ld` to the study, which is not valid there: %s",
                      seed, error->text);
    shk_study_free(without);
  }
  free(kicked);
  free(text);
  return study;
}

void shk_run_clear(struct shk_study_run *run)
{
  for (int i = 0; i < run->problem_count; i++)
    shk_cell_clear(&run->problems[i]);
  free(run->problems);
  shk_index_clear(&run->starts);
  shk_index_clear(&run->integrators);
  shk_numbers_clear(&run->steps);
  shk_numbers_clear(&run->parts.parts);
  shk_numbers_clear(&run->tolerances);
  shk_numbers_clear(&run->times);
  shk_index_clear(&run->precisions);
  shk_index_clear(&run->measures);
  for (int i = 0; i < run->exclude_count; i++) {
    free(run->excludes[i].problem);
    free(run->excludes[i].integrator);
  }
  free(run->excludes);
}

void shk_study_free(struct shk_study *study)
{
  if (!study)
    return;
  for (int i = 0; i < study->run_count; i++)
    shk_run_clear(&study->runs[i]);
  free(study->runs);
  for (int i = 0; i < study->figure_count; i++)
    shk_figure_clear(&study->figures[i]);
  free(study->figures);
  for (int i = 0; i < study->band_count; i++) {
    free(study->bands[i].of);
    free(study->bands[i].within);
    free(study->bands[i].because);
  }
  free(study->bands);
  shk_study_style_clear(study);
  free(study->name);
  free(study->purpose);
  free(study->path);
  free(study->folder);
  free(study->text);
  free(study);
}
