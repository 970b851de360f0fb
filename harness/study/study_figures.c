/*
 * The figures that a study asks for: the name of a kind, or a mapping that says of what and how.
 * Selections are checked against the runs, which must have been read.
 */
#include "harness/study/study_runs.h"

#include "engine/engine.h"
#include "foundation/memory.h"
#include "foundation/number.h"

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

struct reader {
  const struct shk_yaml *yaml;
  struct shk_study *study;
  struct shk_study_figure *figure; /* the one being read */
  struct fy_node *problems, *integrators;
};

/* The place of a kind in the list; KINDS if there is none of that name. */
static int find_kind(const char *text)
{
  int i = 0;
  while (i < KINDS && strcmp(shk_figure_names[i], text) != 0)
    i++;
  return i;
}

static bool read_kind(void *context, struct fy_node *value)
{
  const struct reader *const reader = context;
  reader->figure->kind = shk_yaml_text(reader->yaml, value, "a kind of figure");
  return reader->figure->kind &&
         (find_kind(reader->figure->kind) < KINDS ||
          shk_yaml_fail_name(reader->yaml, value, "figure", shk_figure_names, KINDS));
}

static bool read_name(void *context, struct fy_node *value)
{
  static const char expected[] = "a name of at most 40 of a-z, 0-9 and '-'";
  const struct reader *const reader = context;
  char *const name = shk_yaml_text(reader->yaml, value, expected);
  reader->figure->name = name;
  if (!name)
    return false;
  const size_t length = strlen(name);
  if (length > 40 || strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != length)
    return shk_yaml_fail_kind(reader->yaml, value, expected);
  return true;
}

static bool keep_problems(void *context, struct fy_node *value)
{
  struct reader *const reader = context;
  reader->problems = value;
  return true;
}

static bool keep_integrators(void *context, struct fy_node *value)
{
  struct reader *const reader = context;
  reader->integrators = value;
  return true;
}

static bool read_precision(void *context, struct fy_node *value)
{
  static const char *const names[] = {"double", "quad"};
  const struct reader *const reader = context;
  reader->figure->precision = shk_yaml_text(reader->yaml, value, "double or quad");
  if (!reader->figure->precision)
    return false;
  return strcmp(reader->figure->precision, names[0]) == 0 ||
         strcmp(reader->figure->precision, names[1]) == 0 ||
         shk_yaml_fail_name(reader->yaml, value, "precision", names, 2);
}

static bool read_step(void *context, struct fy_node *value)
{
  const struct reader *const reader = context;
  char *const text = shk_yaml_text(reader->yaml, value, "a step of the study");
  if (!text)
    return false;
  reader->figure->step = shk_number_canonical(text, false);
  free(text);
  return reader->figure->step != NULL ||
         shk_yaml_fail_kind(reader->yaml, value, "a step of the study");
}

static bool read_columns(void *context, struct fy_node *value)
{
  static const char *const names[] = {"single", "double"};
  const struct reader *const reader = context;
  char *const text = shk_yaml_text(reader->yaml, value, "single or double");
  if (!text)
    return false;
  const bool one = strcmp(text, names[0]) == 0, two = strcmp(text, names[1]) == 0;
  reader->figure->columns = one ? SHK_COLUMNS_SINGLE : SHK_COLUMNS_DOUBLE;
  free(text);
  return one || two || shk_yaml_fail_name(reader->yaml, value, "width", names, 2);
}

/* q or p and a number from 1 on. */
static bool is_axis(const char *text)
{
  return (text[0] == 'q' || text[0] == 'p') && text[1] >= '1' && text[1] <= '9' &&
         strlen(text) <= 7 && strspn(text + 1, "0123456789") == strlen(text + 1);
}

static bool read_axis(void *context, struct fy_node *item)
{
  static const char expected[] = "two coordinates, such as [q1, p1]";
  const struct reader *const reader = context;
  char *const text = shk_yaml_text(reader->yaml, item, expected);
  if (!text)
    return false;
  char **const axes = reader->figure->axes;
  if (!is_axis(text) || axes[1]) {
    free(text);
    return shk_yaml_fail_kind(reader->yaml, item, expected);
  }
  axes[axes[0] ? 1 : 0] = text;
  return true;
}

static bool read_axes(void *context, struct fy_node *value)
{
  const struct reader *const reader = context;
  return shk_yaml_sequence(reader->yaml, value, "two coordinates, such as [q1, p1]", false,
                           read_axis, context) &&
         (reader->figure->axes[1] ||
          shk_yaml_fail(reader->yaml, value,
                        "found one coordinate, expected two, such as [q1, p1]"));
}

/* ---- selections ---- */

/* All of a name are written as that name with these behind it, which no specification has. */
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

static bool add_selected(struct reader *reader, struct fy_node *item, bool problem)
{
  struct shk_message reason = {.text = ""};
  char *const text = shk_yaml_text(reader->yaml, item, "a specification");
  if (!text)
    return false;
  char *canonical =
      problem ? shk_canonical_problem(text, &reason) : shk_canonical_integrator(text, &reason);
  /* A bare name stands for all of that name, whose options may be required. */
  const bool bare = !strchr(text, '(') &&
                    (problem ? shk_find_problem(text) != NULL : shk_find_integrator(text) != NULL);
  if (bare) {
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

static bool same_text(const char *a, const char *b)
{
  return a && b ? strcmp(a, b) == 0 : a == b;
}

/* A figure that would be drawn over this one. */
static bool is_taken(const struct shk_study *study, const struct shk_study_figure *figure)
{
  for (const struct shk_study_figure *at = study->figures; at < figure; at++)
    if (same_text(at->name ? at->name : at->kind, figure->name ? figure->name : figure->kind))
      return true;
  return false;
}

/* Says which kinds have axes that a study may choose. */
static bool fail_axes(const struct reader *reader, struct fy_node *item, const char *kind)
{
  char *list = shk_copy_text("");
  for (int i = 0; i < KINDS; i++) {
    char *const before = list;
    if (has_axes[i]) {
      list = shk_print_text("%s%s%s", before, before[0] ? " and " : "", shk_figure_names[i]);
      free(before);
    }
  }
  shk_yaml_fail(reader->yaml, item, "axes are chosen of %s, not of %s", list, kind);
  free(list);
  return false;
}

static bool read_figure(void *context, struct fy_node *item)
{
  static const struct shk_yaml_key keys[] = {{"kind", true, read_kind},
                                             {"name", false, read_name},
                                             {"problems", false, keep_problems},
                                             {"integrators", false, keep_integrators},
                                             {"precision", false, read_precision},
                                             {"step", false, read_step},
                                             {"axes", false, read_axes},
                                             {"columns", false, read_columns}};
  struct reader *const reader = context;
  struct shk_study *const study = reader->study;
  study->figures = shk_grow(study->figures, (size_t)study->figure_count, sizeof *study->figures);
  reader->figure = &study->figures[study->figure_count++];
  *reader->figure = (struct shk_study_figure){.columns = SHK_COLUMNS_DEFAULT};
  reader->problems = reader->integrators = NULL;
  if (!shk_yaml_is_mapping(item)) {
    if (!read_kind(reader, item))
      return false;
  } else if (!shk_yaml_mapping(reader->yaml, item, "a kind of figure, or a mapping", keys,
                               sizeof keys / sizeof keys[0], reader)) {
    return false;
  }
  if (reader->problems && !shk_yaml_sequence(reader->yaml, reader->problems, "a list of problems",
                                             true, add_problem, reader))
    return false;
  if (reader->integrators &&
      !shk_yaml_sequence(reader->yaml, reader->integrators, "a list of integrators", true,
                         add_integrator, reader))
    return false;
  const char *const kind = reader->figure->kind;
  if (reader->figure->axes[0] && !has_axes[find_kind(kind)])
    return fail_axes(reader, item, kind);
  return !is_taken(study, reader->figure) ||
         shk_yaml_fail(reader->yaml, item, "figure \"%s\" is given twice: give one a name", kind);
}

bool shk_read_figures(const struct shk_yaml *yaml, struct fy_node *node, struct shk_study *study)
{
  struct reader reader = {.yaml = yaml, .study = study};
  return shk_yaml_sequence(yaml, node, "a list of figures", true, read_figure, &reader);
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
  free(figure->axes[0]);
  free(figure->axes[1]);
}
