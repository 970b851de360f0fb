/*
 * Reads the figures of a study. Each figure is given as the name of a kind, or as a mapping that
 * contains its contents and settings. Selections are checked against the runs, which must already
 * have been read. Labels and styles are read in study_style.c.
 */
#include "harness/study/study_runs.h"

#include "engine/names.h"
#include "foundation/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const shk_figure_names[] = {
#define SHK_FIGURE_KIND(name, word, parts) word,
#include "harness/study/figure_kinds.def"
#undef SHK_FIGURE_KIND
    NULL};
const char *const shk_figure_parts[] = {
#define SHK_FIGURE_KIND(name, word, parts) parts,
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

/* Returns true for "t" and for the name of a state block followed by a number of 1 or more. */
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

static bool read_number(const struct shk_yaml *yaml, struct fy_node *value, void *into)
{
  char *text = NULL;
  const bool ok = shk_read_number_text(yaml, value, &text);
  *(double *)into = ok ? strtod(text, NULL) : (double)NAN;
  free(text);
  return ok;
}

/* ---- lines ---- */

static const struct shk_yaml_key line_keys[] = {
    SHK_YAML_FIELD("x", false, struct shk_study_line, x, read_number, "a number"),
    SHK_YAML_FIELD("y", false, struct shk_study_line, y, read_number, "a number"),
    SHK_YAML_FIELD("label", false, struct shk_study_line, label, shk_yaml_into_text, "a string")};

/* Reads a line that the study adds to the figure, such as {y: 0.5, label: limit}. */
static bool read_line(const struct shk_yaml *yaml, struct fy_node *item, void *into)
{
  static const char expected[] = "a line at a constant x or y, such as {y: 0.5, label: limit}";
  struct shk_study_figure *const figure = into;
  struct shk_study_line *const line = SHK_APPEND(figure->lines, figure->line_count);
  *line = (struct shk_study_line){NAN, NAN, NULL};
  return shk_yaml_mapping(yaml, item, NULL, expected, SHK_YAML_KEYS(line_keys), line) &&
         (isnan(line->x) != isnan(line->y) ||
          shk_yaml_fail(yaml, item, "found %s, expected %s",
                        isnan(line->x) ? "neither x nor y" : "both x and y", expected));
}

/* ---- selections ---- */

/* Reads an item for the key `problems`, `problem` or `integrators`. */
static bool read_selected(const struct shk_yaml *yaml, struct fy_node *item, void *list)
{
  const struct shk_study *const study = shk_choices(yaml)->study;
  const bool problem = strncmp(yaml->key->name, "problem", 7) == 0;
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

/* ---- grids ---- */

static bool has_word(const char *words, const char *word)
{
  const size_t length = strlen(word);
  for (const char *at = words; (at = strstr(at, word)); at += length)
    if ((at == words || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' '))
      return true;
  return false;
}

static const char *parts_of(const char *kind)
{
  return kind ? shk_figure_parts[shk_word_number(shk_figure_names, kind)] : "";
}

/* Reads an item for `across` or `down`, which is a part of the figure kind, the word `problems`, or
 * a problem that appears in the runs. */
static bool read_varied_item(const struct shk_yaml *yaml, struct fy_node *item, const char *kind,
                             struct shk_varied *varied)
{
  const struct shk_study *const study = shk_choices(yaml)->study;
  const char *const parts = parts_of(kind);
  char *const text = shk_yaml_text(yaml, item, yaml->key->expected);
  const bool part = text && has_word(parts, text), all = text && strcmp(text, "problems") == 0,
             problem = text && !part && !all && shk_find_problem(yaml->user, text);
  char *const entry = problem
                          ? shk_read_pattern(yaml, item, text, true, study->runs, study->run_count)
                      : part || all ? shk_copy_text(text)
                                    : NULL;
  const int what = part ? SHK_VARIES_PARTS : SHK_VARIES_PROBLEMS;
  bool ok = entry != NULL;
  if (text && !ok && !problem)
    shk_yaml_fail(yaml, item, "found \"%s\", expected `problems`, problems of the runs%s%s%s%s",
                  text, *parts ? ", or parts of " : "", *parts ? kind : "", *parts ? ": " : "",
                  parts);
  if (ok && varied->what != SHK_VARIES_NOTHING && (int)varied->what != what)
    ok = shk_yaml_fail(
        yaml, item,
        "found both problems and parts of %s in one list, expected only problems or only parts",
        kind);
  varied->what = what;
  if (ok && !all)
    shk_index_text(&varied->of, entry);
  free(entry);
  free(text);
  return ok;
}

static bool read_varied(const struct shk_yaml *yaml, struct fy_node *value,
                        struct shk_varied *varied, const char *kind)
{
  const int count = shk_yaml_items(yaml, value, yaml->key->expected, true);
  int i = 0;
  while (i < count && read_varied_item(yaml, shk_yaml_item(value, i), kind, varied))
    i++;
  return count > 0 && i == count;
}

static bool read_across(const struct shk_yaml *yaml, struct fy_node *value, void *into)
{
  struct shk_study_figure *const figure = into;
  return read_varied(yaml, value, &figure->across, figure->kind);
}

static bool read_down(const struct shk_yaml *yaml, struct fy_node *value, void *into)
{
  struct shk_study_figure *const figure = into;
  return read_varied(yaml, value, &figure->down, figure->kind) &&
         (figure->down.what != figure->across.what ||
          shk_yaml_fail(yaml, value,
                        "found %s both across and down, expected them in only one of the two",
                        figure->down.what == SHK_VARIES_PARTS ? "parts" : "problems"));
}

/* Reads the key `against`, which names the part of a work-precision figure. */
static bool read_against(const struct shk_yaml *yaml, struct fy_node *value, void *into)
{
  struct shk_study_figure *const figure = into;
  char *const text = shk_yaml_text(yaml, value, yaml->key->expected);
  const bool ok =
      text && shk_known_word(yaml, value, text) >= 0 &&
      ((figure->kind && strcmp(figure->kind, "work-precision") == 0 &&
        figure->across.what == SHK_VARIES_NOTHING) ||
       shk_yaml_fail(
           yaml, value,
           "found `against`, expected it only in a work-precision figure without `across`"));
  if (ok)
    read_varied(yaml, value, &figure->across, figure->kind);
  free(text);
  return ok;
}

static bool read_width(const struct shk_yaml *yaml, struct fy_node *value, void *width)
{
  return read_number(yaml, value, width) && ((*(double *)width >= 4 && *(double *)width <= 40) ||
                                             shk_yaml_fail_kind(yaml, value, yaml->key->expected));
}

/* Reads the name of a quantity of a single run. Names used by `show` and names used in records are
 * both accepted. */
static bool read_quantity(const struct shk_yaml *yaml, struct fy_node *item, void *list)
{
  char *const text = shk_yaml_text(yaml, item, yaml->key->expected);
  struct shk_named_quantity named = text ? shk_named_finding(text) : (struct shk_named_quantity){0};
  if (text && named.id == SHK_QUANTITIES)
    named = shk_named_scalar(text);
  const bool ok = text && ((named.id != SHK_QUANTITIES && named.entry->scalar) ||
                           named.id == SHK_QUANTITY_ERROR ||
                           shk_yaml_fail_kind(yaml, item, yaml->key->expected));
  if (ok)
    shk_index_text(list, text);
  free(text);
  return ok;
}

/* Uses the quantities as the parts of the figure. They are arranged in a column, or in a row if the
 * column is already used for problems. */
static bool place_quantities(const struct shk_yaml *yaml, struct fy_node *item,
                             struct shk_study_figure *figure)
{
  struct shk_varied *const varied =
      figure->down.what == SHK_VARIES_PROBLEMS ? &figure->across : &figure->down;
  if (figure->quantities.count == 0)
    return true;
  const char *const kind = figure->kind ? figure->kind : "`panels`";
  const bool invariants = strcmp(kind, "invariants") == 0,
             increments = strcmp(kind, "increments") == 0;
  if (!invariants && !increments && strcmp(kind, "parameter") != 0)
    return shk_yaml_fail(yaml, item,
                         "found `quantity` in a figure of the kind %s, expected it only in "
                         "parameter, invariants or increments",
                         kind);
  for (int i = 0; (invariants || increments) && i < figure->quantities.count; i++) {
    const char *const name = figure->quantities.texts[i];
    if (strncmp(name, "invariant ", 10) != 0 && !(increments && strcmp(name, "energy max") == 0))
      return shk_yaml_fail(yaml, item,
                           "found the quantity \"%s\" for %s, expected %s\"invariant NAME max\"",
                           name, kind, increments ? "\"energy max\" or " : "");
  }
  *varied = (struct shk_varied){SHK_VARIES_PARTS, figure->quantities};
  figure->quantities = (struct shk_index){0};
  return true;
}

/* ---- figures ---- */

/* Returns true if an earlier figure of the study has the same file name. */
static bool is_taken(const struct shk_study *study, const struct shk_study_figure *figure)
{
  for (const struct shk_study_figure *at = study->figures; at < figure; at++)
    if (shk_same_text(at->name ? at->name : at->kind, figure->name ? figure->name : figure->kind))
      return true;
  return false;
}

static const char *const places[] = {"nearest", "inside",  "below", "right",
                                     "ends",    "caption", NULL};
static const char *const costs[] = {"time", "evaluations", NULL};
static const char *const scales[] = {"natural", "linear", "logarithmic", NULL};
static shk_yaml_reader read_panel;

#define FIELD(name, field, reader, ...)                                                            \
  SHK_YAML_FIELD(name, false, struct shk_study_figure, field, reader, __VA_ARGS__)
#define KIND                                                                                       \
  SHK_YAML_FIELD("kind", false, struct shk_study_figure, kind, shk_read_name, "a kind of figure",  \
                 .words = shk_figure_names, .what = "figure")
#define SELECTION                                                                                  \
  FIELD("problems", problems, shk_yaml_into_list, "a list of problems", .item = read_selected,     \
        .or_one = true),                                                                           \
      FIELD("problem", problems, shk_yaml_into_list, "a problem", .item = read_selected,           \
            .or_one = true),                                                                       \
      FIELD("integrators", integrators, shk_yaml_into_list, "a list of integrators",               \
            .item = read_selected, .or_one = true),                                                \
      FIELD("precision", precision, shk_read_name, SHK_PRECISION_WORDS,                            \
            .words = shk_precision_names, .what = "precision"),                                    \
      FIELD("step", step, shk_read_number_text, "one of the study's steps"),                       \
      FIELD("until", until, shk_read_number_text, "one of the study's horizons"),                  \
      FIELD("axes", axes, read_axes, "two coordinates, such as [q1, p1] or [t, q1]"),              \
      FIELD("scale", scale, shk_read_word, "linear or logarithmic", .words = scales,               \
            .what = "scale"),                                                                      \
      FIELD("time", time, shk_read_word, "linear or logarithmic", .words = scales,                 \
            .what = "scale"),                                                                      \
      {.name = "across", .read = read_across, .expected = GRID},                                   \
      {.name = "down", .read = read_down, .expected = GRID},                                       \
      FIELD("quantity", quantities, shk_yaml_into_list,                                            \
            "a quantity of a run, such as \"error of q\", \"constraint max\" or work-iterations",  \
            .item = read_quantity, .or_one = true),                                                \
      {.name = "lines",                                                                            \
       .read = shk_yaml_into_list,                                                                 \
       .expected = "a list of lines, such as [{y: 0.5, label: limit}]",                            \
       .item = read_line},                                                                         \
  {                                                                                                \
    .name = "against", .read = read_against, .expected = "time or evaluations", .words = costs     \
  }
#define GRID "`problems`, or a list of problems or of parts of the kind"
static const struct shk_yaml_key panel_keys[] = {KIND, SELECTION};
static const struct shk_yaml_key figure_keys[] = {
    KIND,
    SELECTION,
    FIELD("name", name, read_name, "a name of at most 40 characters from a-z, 0-9 and '-'"),
    FIELD("caption", caption, shk_yaml_into_text, "a string, with which the caption begins"),
    FIELD("notes", notes, shk_yaml_into_text,
          "a string, which is printed with the figure in a report"),
    FIELD("width", width, read_width, "a width in cm, from 4 to 40"),
    FIELD("legend", legend, shk_read_word, "inside, below, right, ends or caption", .words = places,
          .what = "position of the legend"),
    FIELD("per-row", per_row, shk_read_whole, "a number of panels from 1 to 12", .least = 1,
          .most = 12),
    {.name = "panels",
     .read = shk_yaml_into_list,
     .expected = "a list of panels",
     .item = read_panel}};

/* Returns true if no axis scale is given, or if the figure is of one of the given kinds. */
static bool check_scale(const struct shk_yaml *yaml, struct fy_node *item,
                        const struct shk_study_figure *figure, const char *key,
                        enum shk_scale scale, const char *kinds)
{
  return scale == SHK_SCALE_NATURAL || (figure->kind && has_word(kinds, figure->kind)) ||
         shk_yaml_fail(yaml, item, "found `%s` in a figure of the kind %s, expected it only in: %s",
                       key, figure->kind ? figure->kind : "`panels`", kinds);
}

/* Reads a figure or a panel, which is given as the name of a kind or as a mapping with the given
 * keys. */
static bool read_one(const struct shk_yaml *yaml, struct fy_node *item,
                     const struct shk_yaml_key *keys, int count, struct shk_study_figure *figure)
{
  if (!(shk_yaml_is_mapping(item)
            ? shk_yaml_mapping(yaml, item, NULL, "a kind of figure, or a mapping", keys, count,
                               figure)
            : shk_yaml_read(yaml, item, keys, figure)))
    return false;
  if (!figure->kind && figure->panel_count == 0)
    return shk_yaml_fail(yaml, item, "the key \"kind\" is missing");
  if (figure->kind && figure->panel_count > 0)
    return shk_yaml_fail(yaml, item, "found `kind` and `panels`, expected the kind in each panel");
  if (figure->axes[0] && strcmp(figure->kind, "phase") != 0 &&
      strcmp(figure->kind, "trajectory") != 0)
    return shk_yaml_fail(
        yaml, item,
        "found `axes` in a figure of the kind %s, expected axes only in phase or trajectory",
        figure->kind);
  if (figure->kind && strcmp(figure->kind, "profile") == 0 &&
      (figure->across.what == SHK_VARIES_PROBLEMS || figure->down.what == SHK_VARIES_PROBLEMS))
    return shk_yaml_fail(
        yaml, item,
        "found problems across or down a profile, which always covers all its problems");
  return check_scale(yaml, item, figure, "scale", figure->scale,
                     "energy invariants increments step-size single-constraints") &&
         check_scale(yaml, item, figure, "time", figure->time,
                     "energy invariants increments step-size constraint single-constraints "
                     "regularity") &&
         place_quantities(yaml, item, figure);
}

static bool read_panel(const struct shk_yaml *yaml, struct fy_node *item, void *into)
{
  struct shk_study_figure *const figure = into;
  struct shk_study_figure *const panel = SHK_APPEND(figure->panels, figure->panel_count);
  *panel = (struct shk_study_figure){.kind = NULL};
  return read_one(yaml, item, SHK_YAML_KEYS(panel_keys), panel);
}

/* Checks that a figure with panels has a name and leaves all selections to its panels. */
static bool check_panels(const struct shk_yaml *yaml, struct fy_node *item,
                         const struct shk_study_figure *figure)
{
  const bool selects = figure->problems.count > 0 || figure->integrators.count > 0 ||
                       figure->precision || figure->step || figure->until || figure->axes[0] ||
                       figure->across.what != SHK_VARIES_NOTHING ||
                       figure->down.what != SHK_VARIES_NOTHING || figure->line_count > 0;
  if (figure->panel_count > 0 && selects)
    return shk_yaml_fail(yaml, item,
                         "found a selection next to `panels`, expected it in each panel");
  return figure->panel_count == 0 || figure->name ||
         shk_yaml_fail(yaml, item, "the key \"name\" is missing: a figure with panels needs one");
}

static bool read_figure(const struct shk_yaml *yaml, struct fy_node *item, void *into)
{
  struct shk_study *const study = into;
  struct shk_study_figure *const figure = SHK_APPEND(study->figures, study->figure_count);
  *figure = (struct shk_study_figure){.kind = NULL};
  if (!read_one(yaml, item, SHK_YAML_KEYS(figure_keys), figure) ||
      !check_panels(yaml, item, figure))
    return false;
  return !is_taken(study, figure) ||
         shk_yaml_fail(yaml, item, "there are two figures \"%s\": give one of them a name",
                       figure->kind ? figure->kind : figure->name);
}

bool shk_read_figures(const struct shk_yaml *yaml, struct fy_node *node, void *study)
{
  return shk_yaml_sequence(yaml, node, "a list of figures", true, read_figure, study);
}

void shk_figure_clear(struct shk_study_figure *figure)
{
  for (int i = 0; i < figure->panel_count; i++)
    shk_figure_clear(&figure->panels[i]);
  for (int i = 0; i < figure->line_count; i++)
    free(figure->lines[i].label);
  free(figure->lines);
  free(figure->panels);
  free(figure->name);
  free(figure->caption);
  free(figure->notes);
  free(figure->step);
  free(figure->until);
  free(figure->axes[0]);
  free(figure->axes[1]);
  shk_index_clear(&figure->problems);
  shk_index_clear(&figure->integrators);
  shk_index_clear(&figure->quantities);
  shk_index_clear(&figure->across.of);
  shk_index_clear(&figure->down.of);
}
