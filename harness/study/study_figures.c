/*
 * Figures of a study: the name of a kind, or a mapping with contents and settings; and labels of
 * methods and problems. Selections are checked against the runs, which must have been read.
 */
#include "harness/study/study_runs.h"

#include "foundation/memory.h"

#include <stdlib.h>
#include <string.h>

const char *const shk_figure_names[] = {
#define SHK_FIGURE_KIND(name, word) word,
#include "harness/study/figure_kinds.def"
#undef SHK_FIGURE_KIND
    NULL};

static bool read_name(const struct shk_yaml *yaml, struct fy_node *value, void *name)
{
  if (!shk_yaml_into_text(yaml, value, name))
    return false;
  const char *const text = *(char **)name;
  const size_t length = strlen(text);
  return (length <= 40 && strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == length) ||
         shk_yaml_fail_kind(yaml, value, yaml->key->expected);
}

/* True for t, and for a block of states followed by a number from 1 on. */
static bool is_axis(const char *text)
{
  const size_t letters = strcspn(text, "123456789"), digits = strspn(text + letters, "0123456789");
  char block[16];
  if (strcmp(text, "t") == 0)
    return true;
  snprintf(block, sizeof block, "%.*s", (int)(letters < sizeof block ? letters : 0), text);
  return digits > 0 && digits <= 6 && text[letters + digits] == '\0' &&
         shk_block_named(block) < SHK_BLOCK_ENERGY;
}

static bool read_axes(const struct shk_yaml *yaml, struct fy_node *value, void *into)
{
  const char *const expected = yaml->key->expected;
  char **const axes = into;
  const int count = shk_yaml_items(yaml, value, expected, false);
  bool ok = count > 0;
  for (int i = 0; i < count && ok; i++) {
    struct fy_node *const item = shk_yaml_item(value, i);
    char *const text = shk_yaml_text(yaml, item, expected);
    ok = text && ((i < 2 && is_axis(text)) || shk_yaml_fail_kind(yaml, item, expected));
    if (ok)
      axes[i] = text;
    else
      free(text);
  }
  return ok && (count == 2 || shk_yaml_fail(yaml, value,
                                            "found one coordinate, expected two, such "
                                            "as [q1, p1]"));
}

/* ---- selections ---- */

/* Reads an item of the key `problems` or `integrators`. */
static bool read_selected(const struct shk_yaml *yaml, struct fy_node *item, void *list)
{
  const struct shk_study *const study = shk_choices(yaml)->study;
  const bool problem = strcmp(yaml->key->name, "problems") == 0;
  char *const text = shk_yaml_text(yaml, item, "a specification");
  char *const pattern =
      text ? shk_read_pattern(yaml, item, text, problem, study->runs, study->run_count) : NULL;
  const bool ok = pattern != NULL;
  if (ok)
    shk_index_text(list, pattern);
  free(text);
  free(pattern);
  return ok;
}

/* ---- figures ---- */

/* True if an earlier figure has the same file name. */
static bool is_taken(const struct shk_study *study, const struct shk_study_figure *figure)
{
  for (const struct shk_study_figure *at = study->figures; at < figure; at++)
    if (shk_same_text(at->name ? at->name : at->kind, figure->name ? figure->name : figure->kind))
      return true;
  return false;
}

static const char *const columns[] = {"single", "double", NULL};
static const char *const places[] = {"below", "caption", NULL};

#define FIELD(name, field, reader, ...)                                                            \
  SHK_YAML_FIELD(name, false, struct shk_study_figure, field, reader, __VA_ARGS__)
static const struct shk_yaml_key figure_keys[] = {
    SHK_YAML_FIELD("kind", true, struct shk_study_figure, kind, shk_read_name, "a kind of figure",
                   .words = shk_figure_names, .what = "figure"),
    FIELD("name", name, read_name, "a name of at most 40 of a-z, 0-9 and '-'"),
    FIELD("problems", problems, shk_yaml_into_list, "a list of problems", .item = read_selected,
          .or_one = true),
    FIELD("integrators", integrators, shk_yaml_into_list, "a list of integrators",
          .item = read_selected, .or_one = true),
    FIELD("precision", precision, shk_read_name, SHK_PRECISION_WORDS, .words = shk_precision_names,
          .what = "precision"),
    FIELD("step", step, shk_read_number_text, "a step of the study"),
    FIELD("until", until, shk_read_number_text, "a horizon of the study"),
    FIELD("axes", axes, read_axes, "two coordinates, such as [q1, p1] or [t, q1]"),
    FIELD("columns", columns, shk_read_word, "single or double", .words = columns, .what = "width"),
    FIELD("key", key, shk_read_word, "below or caption", .words = places,
          .what = "place of the key")};

static bool read_figure(const struct shk_yaml *yaml, struct fy_node *item, void *into)
{
  struct shk_study *const study = into;
  struct shk_study_figure *const figure = SHK_APPEND(study->figures, study->figure_count);
  *figure = (struct shk_study_figure){.columns = SHK_COLUMNS_DEFAULT};
  if (!(shk_yaml_is_mapping(item)
            ? shk_yaml_mapping(yaml, item, NULL, "a kind of figure, or a mapping",
                               SHK_YAML_KEYS(figure_keys), figure)
            : shk_yaml_read(yaml, item, figure_keys, figure)))
    return false;
  if (figure->axes[0] && strcmp(figure->kind, "phase") != 0 &&
      strcmp(figure->kind, "trajectory") != 0)
    return shk_yaml_fail(
        yaml, item, "found `axes` of %s, expected axes of phase or trajectory only", figure->kind);
  return !is_taken(study, figure) ||
         shk_yaml_fail(yaml, item, "figure \"%s\" is given twice: give one a name", figure->kind);
}

bool shk_read_figures(const struct shk_yaml *yaml, struct fy_node *node, void *study)
{
  return shk_yaml_sequence(yaml, node, "a list of figures", true, read_figure, study);
}

/* ---- labels ---- */

static bool read_label(const struct shk_yaml *yaml, const char *key, struct fy_node *key_node,
                       struct fy_node *value, void *context)
{
  enum { LONGEST = 80 };
  static const char expected[] = "a label of at most 80 bytes";
  struct shk_study *const study = context;
  char *of = NULL;
  for (int problem = 0; problem < 2 && !of; problem++)
    of = shk_read_pattern(yaml, key_node, key, problem, study->runs, study->run_count);
  if (!of)
    return shk_yaml_fail(yaml, key_node, "the runs have no problem or integrator \"%s\"", key);
  if (!strchr(key, '(')) /* a bare name stays one */
    of[strcspn(of, "(")] = '\0';
  struct shk_study_label *const label = SHK_APPEND(study->labels, study->label_count);
  *label = (struct shk_study_label){of, shk_yaml_text(yaml, value, expected)};
  return label->text &&
         (strlen(label->text) <= LONGEST || shk_yaml_fail_kind(yaml, value, expected));
}

bool shk_read_labels(const struct shk_yaml *yaml, struct fy_node *node, void *study)
{
  return shk_yaml_pairs(yaml, node, "labels of problems and integrators, NAME: TEXT", read_label,
                        study);
}

char *shk_study_shown(const struct shk_study *study, const char *specification)
{
  const size_t length = strcspn(specification, "(");
  const char *bare = NULL;
  for (int i = 0; i < study->label_count; i++) {
    const struct shk_study_label *const label = &study->labels[i];
    if (strcmp(label->of, specification) == 0)
      return shk_copy_text(label->text);
    if (strlen(label->of) == length && strncmp(label->of, specification, length) == 0)
      bare = label->text;
  }
  return bare ? shk_print_text("%s%s", bare, specification + length) : shk_copy_text(specification);
}

void shk_figure_clear(struct shk_study_figure *figure)
{
  free(figure->name);
  free(figure->step);
  free(figure->until);
  free(figure->axes[0]);
  free(figure->axes[1]);
  shk_index_clear(&figure->problems);
  shk_index_clear(&figure->integrators);
}
