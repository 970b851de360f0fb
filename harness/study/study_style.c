/*
 * Reads the appearance of figures: labels, the colours, marks and lines for methods, axis ranges,
 * and the font. These keys can also be stored in a separate file, so that several studies can share
 * the same appearance.
 */
#include "harness/study/study_runs.h"

#include "engine/names.h"
#include "foundation/files/file.h"
#include "foundation/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const shk_colour_words[] = {"blue",   "vermilion", "green", "black", "purple",
                                        "orange", "sky-blue",  "grey",  NULL};
const char *const shk_mark_words[] = {"circle",  "square",   "triangle", "down-triangle",
                                      "diamond", "pentagon", "none",     NULL};
const char *const shk_line_words[] = {"solid",       "dashed",      "dotted",
                                      "dash-dotted", "long-dashed", NULL};

/* Interprets a key. Returns a bare name unchanged; otherwise, returns the canonical specification
 * of a method or, if `problems` is true, of a method or problem. The runs must contain the
 * specification unless several studies share the file. The caller frees the string. On failure,
 * sets the message and returns NULL. */
static char *read_meant(const struct shk_yaml *yaml, struct fy_node *node, const char *key,
                        bool problems)
{
  const struct shk_study *const study = shk_choices(yaml)->study;
  const bool several = shk_choices(yaml)->several_studies;
  char *of = NULL;
  for (int problem = 0; problem <= problems && !of; problem++)
    if (several && (problem ? (const void *)shk_find_problem(yaml->user, key)
                            : shk_find_integrator(yaml->user, key)))
      of = shk_read_canonical(yaml, node, key, problem);
    else if (!several)
      of = shk_read_pattern(yaml, node, key, problem, study->runs, study->run_count);
  if (!of)
    shk_yaml_fail(yaml, node, "%s no %sintegrator \"%s\"", several ? "there is" : "the runs have",
                  problems ? "problem or " : "", key);
  else if (!strchr(key, '('))
    of[strcspn(of, "(")] = '\0';
  return of;
}

/* ---- labels ---- */

static bool read_label(const struct shk_yaml *yaml, const char *key, struct fy_node *key_node,
                       struct fy_node *value, void *context)
{
  enum { LONGEST = 80 };
  static const char expected[] = "a label of at most 80 bytes";
  struct shk_study *const study = context;
  char *const of = read_meant(yaml, key_node, key, true);
  if (!of)
    return false;
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

/* Returns true if `of` equals the specification or, if `bare` is true, the specification's bare
 * name. */
static bool is_name_of(const char *of, const char *specification, bool bare)
{
  const size_t length = strcspn(specification, "(");
  return bare ? strlen(of) == length && strncmp(of, specification, length) == 0
              : strcmp(of, specification) == 0;
}

char *shk_study_shown(const struct shk_study *study, const char *specification)
{
  for (int bare = 0; bare < 2; bare++)
    for (int i = study->label_count - 1; i >= 0; i--)
      if (is_name_of(study->labels[i].of, specification, bare))
        return shk_print_text("%s%s", study->labels[i].text,
                              bare ? specification + strcspn(specification, "(") : "");
  return shk_copy_text(specification);
}

/* ---- styles ---- */

static bool read_colour(const struct shk_yaml *yaml, struct fy_node *value, void *colour)
{
  if (!shk_yaml_into_text(yaml, value, colour))
    return false;
  const char *const text = *(char **)colour;
  return (text[0] == '#' && strlen(text) == 7 && strspn(text + 1, "0123456789abcdefABCDEF") == 6) ||
         shk_known_word(yaml, value, text) >= 0;
}

static const char *const answers[] = {"no", "yes", NULL};
#define FIELD(name, field, reader, ...)                                                            \
  SHK_YAML_FIELD(name, false, struct shk_study_style, field, reader, __VA_ARGS__)
static const struct shk_yaml_key style_keys[] = {
    FIELD("colour", colour, read_colour, "a colour, such as blue or \"#0072b2\"",
          .words = shk_colour_words, .what = "colour"),
    FIELD("mark", mark, shk_read_name, "a mark", .words = shk_mark_words, .what = "mark"),
    FIELD("line", line, shk_read_name, "a line", .words = shk_line_words, .what = "line"),
    FIELD("hollow", hollow, shk_read_word, "yes or no", .words = answers),
    FIELD("on-top", on_top, shk_read_word, "yes or no", .words = answers)};
#undef FIELD

static bool read_style(const struct shk_yaml *yaml, const char *key, struct fy_node *key_node,
                       struct fy_node *value, void *context)
{
  struct shk_study *const study = context;
  char *const of = read_meant(yaml, key_node, key, false);
  if (!of)
    return false;
  struct shk_study_style *const style = SHK_APPEND(study->styles, study->style_count);
  *style = (struct shk_study_style){.of = of, .hollow = -1, .on_top = -1};
  return shk_yaml_mapping(yaml, value, NULL, "a style, such as {colour: blue, mark: square}",
                          SHK_YAML_KEYS(style_keys), style);
}

bool shk_read_styles(const struct shk_yaml *yaml, struct fy_node *node, void *study)
{
  return shk_yaml_pairs(yaml, node, "styles of integrators, NAME: {colour: …}", read_style, study);
}

struct shk_study_style shk_study_look(const struct shk_study *study, const char *integrator)
{
  struct shk_study_style look = {.hollow = -1, .on_top = -1};
  for (int bare = 1; bare >= 0; bare--)
    for (int i = 0; i < study->style_count; i++) {
      const struct shk_study_style *const style = &study->styles[i];
      if (!is_name_of(style->of, integrator, bare))
        continue;
      look.colour = style->colour ? style->colour : look.colour;
      look.mark = style->mark ? style->mark : look.mark;
      look.line = style->line ? style->line : look.line;
      look.hollow = style->hollow >= 0 ? style->hollow : look.hollow;
      look.on_top = style->on_top >= 0 ? style->on_top : look.on_top;
    }
  return look;
}

/* ---- ranges ---- */

/* Reads two numbers, which must be in increasing order, into an array. */
static bool read_ends(const struct shk_yaml *yaml, struct fy_node *value, void *into)
{
  double *const ends = into;
  const int count = shk_yaml_items(yaml, value, yaml->key->expected, false);
  for (int i = 0; i < 2 && count == 2; i++) {
    char *text = NULL;
    if (!shk_read_number_text(yaml, shk_yaml_item(value, i), &text))
      return false;
    ends[i] = strtod(text, NULL);
    free(text);
  }
  return count > 0 && ((count == 2 && ends[0] < ends[1]) ||
                       shk_yaml_fail(yaml, value, "expected %s", yaml->key->expected));
}

#define ENDS "two numbers, the smaller one first"
static const struct shk_yaml_key range_keys[] = {
    SHK_YAML_FIELD("x", false, struct shk_study_range, x, read_ends, ENDS),
    SHK_YAML_FIELD("y", false, struct shk_study_range, y, read_ends, ENDS)};

static bool read_range(const struct shk_yaml *yaml, const char *key, struct fy_node *key_node,
                       struct fy_node *value, void *context)
{
  static const struct shk_yaml_key kind = {.words = shk_figure_names, .what = "figure"};
  struct shk_study *const study = context;
  struct shk_yaml here = *yaml;
  here.key = &kind;
  const int number = shk_known_word(&here, key_node, key);
  if (number < 0)
    return false;
  struct shk_study_range *const range = SHK_APPEND(study->ranges, study->range_count);
  *range = (struct shk_study_range){shk_figure_names[number], {NAN, NAN}, {NAN, NAN}};
  return shk_yaml_mapping(yaml, value, NULL, "axis ranges, {x: [1e-3, 0.1], y: [1e-14, 1]}",
                          SHK_YAML_KEYS(range_keys), range);
}

bool shk_read_ranges(const struct shk_yaml *yaml, struct fy_node *node, void *study)
{
  return shk_yaml_pairs(yaml, node, "ranges of kinds of figures, KIND: {x: …, y: …}", read_range,
                        study);
}

/* ---- the font, and style files ---- */

bool shk_read_font(const struct shk_yaml *yaml, struct fy_node *value, void *serif)
{
  *(bool *)serif = shk_is_word(value, "serif");
  return *(bool *)serif || shk_is_word(value, "sans") ||
         shk_yaml_fail_kind(yaml, value, "sans or serif");
}

static const struct shk_yaml_key file_keys[] = {
    {.name = "style", .read = shk_read_styles},
    {.name = "range", .read = shk_read_ranges},
    {.name = "labels", .read = shk_read_labels},
    {.name = "font", .read = shk_read_font, .offset = offsetof(struct shk_study, serif)}};

bool shk_study_restyle(struct shk_study *study, const char *path, struct shk_message *error)
{
  size_t length;
  char *const text = shk_read_file(path, SHK_YAML_LARGEST, "style", &length, error);
  struct shk_study_choices choices = {.study = study, .several_studies = true};
  struct shk_yaml yaml;
  if (!text)
    return false;
  bool ok = shk_yaml_open(&yaml, path, text, length, error);
  yaml.user = &study->context;
  yaml.choices = &choices;
  ok = ok &&
       shk_yaml_mapping(&yaml, shk_yaml_root(&yaml), NULL, "the keys style, range, labels, font",
                        SHK_YAML_KEYS(file_keys), study);
  shk_yaml_close(&yaml);
  free(text);
  return ok;
}

void shk_study_style_clear(struct shk_study *study)
{
  for (int i = 0; i < study->label_count; i++) {
    free(study->labels[i].of);
    free(study->labels[i].text);
  }
  for (int i = 0; i < study->style_count; i++) {
    free(study->styles[i].of);
    free(study->styles[i].colour);
  }
  free(study->labels);
  free(study->styles);
  free(study->ranges);
}
