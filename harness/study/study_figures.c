/*
 * Figures of a study: the name of a kind, or a mapping with contents and settings; and labels of
 * methods and problems. Selections are checked against the runs, which must have been read.
 */
#include "harness/study/study_runs.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/number.h"
#include "foundation/specifications/precision.h"

#include <stdlib.h>
#include <string.h>

const char *const shk_figure_names[] = {
#define SHK_FIGURE_KIND(name, word, axes) word,
#include "harness/study/figure_kinds.def"
#undef SHK_FIGURE_KIND
    NULL};

static const bool has_axes[] = {
#define SHK_FIGURE_KIND(name, word, axes) axes,
#include "harness/study/figure_kinds.def"
#undef SHK_FIGURE_KIND
};

enum { KINDS = sizeof has_axes / sizeof *has_axes };

/* Returns the index of a kind in the list, or KINDS. */
static int find_kind(const char *text)
{
  int i = 0;
  while (i < KINDS && strcmp(shk_figure_names[i], text) != 0)
    i++;
  return i;
}

static bool read_kind(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                      void *kind)
{
  return shk_yaml_into_text(yaml, value, expected, kind) &&
         (find_kind(*(char **)kind) < KINDS ||
          shk_yaml_fail_name(yaml, value, "figure", shk_figure_names, sizeof *shk_figure_names,
                             KINDS));
}

static bool read_name(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                      void *name)
{
  if (!shk_yaml_into_text(yaml, value, expected, name))
    return false;
  const char *const text = *(char **)name;
  const size_t length = strlen(text);
  if (length > 40 || strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") != length)
    return shk_yaml_fail_kind(yaml, value, expected);
  return true;
}

static bool read_precision(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                           void *precision)
{
  return shk_yaml_into_text(yaml, value, expected, precision) &&
         (shk_precision_named(*(char **)precision) ||
          shk_yaml_fail_name(yaml, value, "precision", shk_precision_names,
                             sizeof *shk_precision_names, SHK_PRECISIONS));
}

static bool read_step(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                      void *step)
{
  char *const text = shk_yaml_text(yaml, value, expected);
  if (!text)
    return false;
  char *const number = shk_number_canonical(text, false);
  free(text);
  *(char **)step = number;
  return number || shk_yaml_fail_kind(yaml, value, expected);
}

static bool read_columns(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                         void *columns)
{
  static const char *const names[] = {"single", "double"};
  char *const text = shk_yaml_text(yaml, value, expected);
  if (!text)
    return false;
  const bool one = strcmp(text, names[0]) == 0, two = strcmp(text, names[1]) == 0;
  *(enum shk_columns *)columns = one ? SHK_COLUMNS_SINGLE : SHK_COLUMNS_DOUBLE;
  free(text);
  return one || two || shk_yaml_fail_name(yaml, value, "width", names, sizeof *names, 2);
}

static bool read_key(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                     void *key)
{
  static const char *const names[] = {"below", "inside", "caption"};
  char *const text = shk_yaml_text(yaml, value, expected);
  int place = 0;
  while (text && place < 3 && strcmp(text, names[place]) != 0)
    place++;
  *(enum shk_key_place *)key = (enum shk_key_place)(place % 3);
  free(text);
  return text && (place < 3 ||
                  shk_yaml_fail_name(yaml, value, "place of the key", names, sizeof *names, 3));
}

/* True for t, and for q or p followed by a number from 1 on. */
static bool is_axis(const char *text)
{
  if (strcmp(text, "t") == 0)
    return true;
  return (text[0] == 'q' || text[0] == 'p') && text[1] >= '1' && text[1] <= '9' &&
         strlen(text) <= 7 && strspn(text + 1, "0123456789") == strlen(text + 1);
}

static const char two_axes[] = "two coordinates, such as [q1, p1] or [t, q1]";

struct axes_reader {
  const struct shk_yaml *yaml;
  char **axes;
};

static bool read_axis(void *context, struct fy_node *item)
{
  const struct axes_reader *const reader = context;
  char *const text = shk_yaml_text(reader->yaml, item, two_axes);
  if (!text)
    return false;
  if (!is_axis(text) || reader->axes[1]) {
    free(text);
    return shk_yaml_fail_kind(reader->yaml, item, two_axes);
  }
  reader->axes[reader->axes[0] ? 1 : 0] = text;
  return true;
}

static bool read_axes(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                      void *axes)
{
  struct axes_reader reader = {yaml, axes};
  return shk_yaml_sequence(yaml, value, expected, false, read_axis, &reader) &&
         (reader.axes[1] ||
          shk_yaml_fail(yaml, value, "found one coordinate, expected two, such as [q1, p1]"));
}

/* ---- selections ---- */

/* "NAME(*)", which is not a specification, matches all of that name. */
static const char all_of[] = "(*)";

static bool is_meant(const char *selection, const char *specification)
{
  const size_t length = strcspn(selection, "(");
  return strcmp(selection + length, all_of) == 0
             ? strcspn(specification, "(") == length &&
                   strncmp(selection, specification, length) == 0
             : strcmp(selection, specification) == 0;
}

bool shk_selects(char *const *list, int count, const char *specification)
{
  for (int i = 0; i < count; i++)
    if (is_meant(list[i], specification))
      return true;
  return count == 0;
}

static bool occurs(const struct shk_study *study, const char *text, bool problem)
{
  char *one[] = {(char *)text};
  for (int r = 0; r < study->run_count; r++) {
    const struct shk_study_run *const run = &study->runs[r];
    for (int i = 0; i < (problem ? run->problem_count : run->integrator_count); i++)
      if (shk_selects(one, 1, problem ? run->problems[i].problem : run->integrators[i]))
        return true;
  }
  return false;
}

/* True if a specification is just a known name. */
static bool is_bare(const struct shk_context *context, const char *text, bool problem)
{
  return !strchr(text, '(') && (problem ? shk_find_problem(context, text) != NULL
                                        : shk_find_integrator(context, text) != NULL);
}

struct selection_reader {
  const struct shk_yaml *yaml;
  const struct shk_study *study;
  struct shk_study_figure *figure;
};

static bool add_selected(const struct selection_reader *reader, struct fy_node *item, bool problem)
{
  struct shk_message reason = {.text = ""};
  char *const text = shk_yaml_text(reader->yaml, item, "a specification");
  if (!text)
    return false;
  char *canonical = problem ? shk_canonical_problem(reader->yaml->user, text, &reason)
                            : shk_canonical_integrator(reader->yaml->user, text, &reason);
  /* A bare name matches all of that name, even if options are required. */
  if (is_bare(reader->yaml->user, text, problem)) {
    free(canonical);
    canonical = shk_print_text("%s%s", text, all_of);
  }
  bool ok = canonical || shk_yaml_fail(reader->yaml, item, "%s", reason.text);
  if (ok && !occurs(reader->study, canonical, problem))
    ok = shk_yaml_fail(reader->yaml, item, "no run of the study has the %s %s",
                       problem ? "problem" : "integrator", text);
  free(text);
  struct shk_study_figure *const figure = reader->figure;
  if (canonical && problem)
    shk_add_text(&figure->problems, &figure->problem_count, canonical);
  else if (canonical)
    shk_add_text(&figure->integrators, &figure->integrator_count, canonical);
  return ok;
}

static bool add_problem(void *context, struct fy_node *item)
{
  return add_selected(context, item, true);
}

static bool add_integrator(void *context, struct fy_node *item)
{
  return add_selected(context, item, false);
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

/* A figure, and its selections, which are read after its other keys; NULL: none. */
struct figure_reading {
  struct shk_study_figure figure;
  struct fy_node *problems, *integrators;
};

static const struct shk_yaml_key figure_keys[] = {
    SHK_YAML_FIELD("kind", true, struct figure_reading, figure.kind, read_kind, "a kind of figure"),
    SHK_YAML_FIELD("name", false, struct figure_reading, figure.name, read_name,
                   "a name of at most 40 of a-z, 0-9 and '-'"),
    SHK_YAML_FIELD("problems", false, struct figure_reading, problems, shk_yaml_into_node, NULL),
    SHK_YAML_FIELD("integrators", false, struct figure_reading, integrators, shk_yaml_into_node,
                   NULL),
    SHK_YAML_FIELD("precision", false, struct figure_reading, figure.precision, read_precision,
                   SHK_PRECISION_WORDS),
    SHK_YAML_FIELD("step", false, struct figure_reading, figure.step, read_step,
                   "a step of the study"),
    SHK_YAML_FIELD("until", false, struct figure_reading, figure.until, read_step,
                   "a horizon of the study"),
    SHK_YAML_FIELD("axes", false, struct figure_reading, figure.axes, read_axes, two_axes),
    SHK_YAML_FIELD("columns", false, struct figure_reading, figure.columns, read_columns,
                   "single or double"),
    SHK_YAML_FIELD("key", false, struct figure_reading, figure.key, read_key,
                   "below, inside or caption")};

struct figures_reader {
  const struct shk_yaml *yaml;
  struct shk_study *study;
};

static bool read_figure(void *context, struct fy_node *item)
{
  const struct figures_reader *const reader = context;
  const struct shk_yaml *const yaml = reader->yaml;
  struct shk_study *const study = reader->study;
  struct figure_reading its = {.figure.columns = SHK_COLUMNS_DEFAULT};
  const bool ok = shk_yaml_is_mapping(item)
                      ? shk_yaml_mapping(yaml, item, "a kind of figure, or a mapping", figure_keys,
                                         sizeof figure_keys / sizeof figure_keys[0], &its)
                      : read_kind(yaml, item, figure_keys[0].expected, &its.figure.kind);
  /* The study owns the figure, even if only a part of it was read, and frees it. */
  study->figures = shk_grow(study->figures, (size_t)study->figure_count, sizeof *study->figures);
  struct shk_study_figure *const figure = &study->figures[study->figure_count++];
  *figure = its.figure;
  struct selection_reader selection = {yaml, study, figure};
  if (!ok ||
      (its.problems && !shk_yaml_sequence(yaml, its.problems, "a list of problems", true,
                                          add_problem, &selection)) ||
      (its.integrators && !shk_yaml_sequence(yaml, its.integrators, "a list of integrators", true,
                                             add_integrator, &selection)))
    return false;
  if (figure->axes[0] && !has_axes[find_kind(figure->kind)])
    return shk_yaml_fail(yaml, item, "found axes of %s, expected axes of phase or trajectory only",
                         figure->kind);
  return !is_taken(study, figure) ||
         shk_yaml_fail(yaml, item, "figure \"%s\" is given twice: give one a name", figure->kind);
}

bool shk_read_figures(const struct shk_yaml *yaml, struct fy_node *node, struct shk_study *study)
{
  struct figures_reader reader = {yaml, study};
  return shk_yaml_sequence(yaml, node, "a list of figures", true, read_figure, &reader);
}

/* ---- labels ---- */

struct label_reader {
  const struct shk_yaml *yaml;
  struct shk_study *study;
};

/* Returns the meaning of a label's key in canonical form, or a bare name unchanged; NULL: not a
 * problem, or integrator, of the study. */
static char *meant_by(const struct label_reader *reader, const char *key, bool problem)
{
  struct shk_message unused;
  const struct shk_context *const context = reader->yaml->user;
  const bool bare = is_bare(context, key, problem);
  char *const its = bare      ? shk_copy_text(key)
                    : problem ? shk_canonical_problem(context, key, &unused)
                              : shk_canonical_integrator(context, key, &unused);
  char *const selection = bare ? shk_print_text("%s%s", key, all_of) : NULL;
  const bool there = its && occurs(reader->study, selection ? selection : its, problem);
  free(selection);
  if (there)
    return its;
  free(its);
  return NULL;
}

static bool read_label(void *context, const char *key, struct fy_node *key_node,
                       struct fy_node *value)
{
  enum { LONGEST = 80 };
  static const char expected[] = "what figures call it, in at most 80 characters";
  const struct label_reader *const reader = context;
  struct shk_study *const study = reader->study;
  char *const method = meant_by(reader, key, false);
  char *const of = method ? method : meant_by(reader, key, true);
  if (!of)
    return shk_yaml_fail(reader->yaml, key_node,
                         "no run of the study has a problem or integrator %s", key);
  study->labels = shk_grow(study->labels, (size_t)study->label_count, sizeof *study->labels);
  struct shk_study_label *const label = &study->labels[study->label_count++];
  *label = (struct shk_study_label){of, shk_yaml_text(reader->yaml, value, expected)};
  return label->text &&
         (strlen(label->text) <= LONGEST || shk_yaml_fail_kind(reader->yaml, value, expected));
}

bool shk_read_labels(const struct shk_yaml *yaml, struct fy_node *node, struct shk_study *study)
{
  struct label_reader reader = {yaml, study};
  return shk_yaml_pairs(yaml, node, "labels of problems and integrators, NAME: TEXT", read_label,
                        &reader);
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

void shk_figure_free(struct shk_study_figure *figure)
{
  for (int i = 0; i < figure->problem_count; i++)
    free(figure->problems[i]);
  for (int i = 0; i < figure->integrator_count; i++)
    free(figure->integrators[i]);
  free(figure->problems);
  free(figure->integrators);
  free(figure->kind);
  free(figure->name);
  free(figure->precision);
  free(figure->step);
  free(figure->until);
  free(figure->axes[0]);
  free(figure->axes[1]);
}
