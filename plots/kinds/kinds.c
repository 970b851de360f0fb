/*
 * Draws all figures of a study. For each kind that the study names, the problems and parts form a
 * grid of panels. Each precision has its own figure.
 */
#include "plots/kinds/kinds.h"
#include "plots/canvas/shown_runs.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const shk_plot_types[] = {"pdf", "svg", "png", "tex", NULL};

static const struct {
  const struct shk_figure_kind *kind; /* NULL ends the list */
  const char *template;
} kinds[] = {
#define SHK_FIGURE_KIND(name, word, parts) {&shk_figure_kind_##name, #name},
#include "harness/study/figure_kinds.def"
#undef SHK_FIGURE_KIND
    {NULL, NULL}};

/* A request for figures. `drawn` is the number of figures drawn, and `wanted` the number that would
 * be drawn without the limit `most`. */
struct request {
  struct shk_plotted *plotted;
  const struct shk_plot_request *from;
  const struct shk_study_figure *figure; /* NULL if the study requests no figures */
  int most, drawn, wanted;
  struct shk_message *error;
};

void shk_plotted_clear(struct shk_plotted *plotted)
{
  shk_list_clear(&plotted->notes);
}

static void add_plotted_note(struct shk_plotted *plotted, char *note)
{
  shk_list_text_once(&plotted->notes, note);
  free(note);
}

/* ---- what a figure leaves out ---- */

/* Marks the methods that appear in the panels from index `first` on. `drawn` is indexed by
 * method. */
static void mark_drawn(bool *drawn, const struct shk_chart *chart, int first)
{
  for (int k = first; k < chart->panel_count; k++)
    for (int i = 0; i < chart->panels[k].method_count; i++)
      drawn[chart->methods[chart->panels[k].methods[i].method].number] = true;
}

/* Returns the reason why a method that has cells in the group does not appear in its panels. Sets
 * *everywhere to whether the reason applies to every problem. */
static struct shk_phrase reason_of(const struct shk_drawing *drawing, int group, int method,
                                   const char *precision, bool *everywhere)
{
  bool finished = false, own_steps = true, any = false;
  const char *status = "not run";
  for (int i = 0; i < drawing->cell_count; i++) {
    const struct shk_drawn_cell *const cell = &drawing->cells[i];
    if (cell->group != group || cell->method != method || strcmp(cell->cell->kind, "run") != 0 ||
        !(drawing->entry->of_group || strcmp(cell->cell->precision, precision) == 0))
      continue;
    any = true;
    own_steps = own_steps && (cell->cell->tolerance || !cell->cell->step);
    finished = finished || (cell->record && shk_record_finished(cell->record));
    status = cell->record ? shk_record_status(cell->record) : status;
  }
  *everywhere = any && finished && own_steps && strcmp(drawing->kind, "order") == 0;
  return !any          ? shk_phrase("%s", "")
         : !finished   ? shk_phrase("none of its runs finished (%s)", status)
         : *everywhere ? shk_phrase("it chooses its own steps; a work-precision figure shows it "
                                    "against the tolerance")
                       : shk_phrase("its records contain no data for this figure");
}

/* Reports methods of the group that appear in no panel, and cells without a point, both in the
 * caption and in the terminal output. */
static void note_left_out(const struct request *request, const struct shk_drawing *drawing,
                          struct shk_chart *chart, const bool *in_panels, int group,
                          const char *precision)
{
  const char *const shown = drawing->groups[group].shown;
  for (int m = 0; m < drawing->methods.count && !drawing->whole; m++) {
    const bool drawn = in_panels[m];
    bool everywhere = false;
    struct shk_phrase reason =
        drawn ? shk_phrase("%s", "") : reason_of(drawing, group, m, precision, &everywhere);
    for (int i = 0; i < drawing->missed_count && !drawn && !reason.text[0]; i++)
      if (drawing->missed[i].group == group && drawing->missed[i].method == m &&
          strcmp(drawing->missed[i].cell->precision, precision) == 0)
        reason = shk_phrase("it has no run with the step %s", drawing->asked->step);
    if (reason.text[0] && drawing->entry->each_problem) {
      shk_chart_note(chart, "%s is not drawn in %s%s%s: %s", drawing->shown[m], drawing->kind,
                     everywhere ? "" : " on ", everywhere ? "" : shown, reason.text);
      add_plotted_note(request->plotted, shk_print_text("%s of %s leaves out %s: %s", drawing->kind,
                                                        shown, drawing->shown[m], reason.text));
    }
    char *steps = NULL;
    for (int i = 0; i < drawing->cell_count && drawn && drawing->entry->by_step; i++) {
      const struct shk_drawn_cell *const cell = &drawing->cells[i];
      if (cell->group == group && cell->method == m && strcmp(cell->cell->kind, "run") == 0 &&
          (drawing->entry->of_group || strcmp(cell->cell->precision, precision) == 0) &&
          !(cell->record && shk_record_finished(cell->record)))
        shk_append_text(&steps, "%s%s", steps ? ", " : "",
                        shk_phrase_rounded(strtod(shk_cell_step(cell->cell, "0"), NULL), 4).text);
    }
    if (steps) {
      shk_chart_note(chart, "%s did not finish on %s with the steps %s", drawing->shown[m], shown,
                     steps);
      add_plotted_note(
          request->plotted,
          shk_print_text("%s of %s leaves out %s with the steps %s: these runs did not finish",
                         drawing->kind, shown, drawing->shown[m], steps));
    }
    free(steps);
  }
}

/* ---- grids ---- */

/* Adds the study's lines to the panels from index `first` on. On failure, sets the message and
 * returns false. */
static bool add_lines(const struct shk_drawing *drawing, struct shk_chart *chart, int first)
{
  const struct shk_study_figure *const asked = drawing->asked;
  for (int k = first; asked && k < chart->panel_count; k++)
    for (int i = 0; i < asked->line_count; i++) {
      struct shk_panel *const panel = &chart->panels[k];
      const struct shk_study_line *const line = &asked->lines[i];
      const char *const scale = shk_panel_setting(panel, "scale");
      if ((panel->x.log && line->x <= 0) || (panel->y.log && line->y <= 0))
        return shk_message_set(drawing->error,
                               "lines: %s: found %g, expected a number above zero: the axis is "
                               "logarithmic",
                               drawing->kind, isnan(line->x) ? line->y : line->x);
      shk_panel_line(panel, line->x, line->y * (scale ? strtod(scale, NULL) : 1),
                     line->label ? line->label : "");
    }
  return true;
}

/* Adds the panels for a group and a part, or a blank panel if there are none, and marks the methods
 * drawn in them. On failure, sets the message and returns false. */
static bool add_cell(struct shk_drawing *drawing, struct shk_chart *chart, int group,
                     const char *precision, const char *part, bool *drawn)
{
  const int before = chart->panel_count;
  if (!drawing->entry->draw(drawing, chart, group, precision, part))
    return false;
  mark_drawn(drawn, chart, before);
  if (!add_lines(drawing, chart, before))
    return false;
  if (chart->panel_count == before)
    shk_chart_blank(chart);
  return true;
}

/* Removes every row (or column) that contains only blank panels, considering the panels from index
 * `first` on. */
static void remove_blank_lines(struct shk_chart *chart, int first, int across, bool rows)
{
  const int count = chart->panel_count - first, down = (count + across - 1) / across;
  int kept = 0, removed = 0;
  bool *const blank = shk_allocate((size_t)(rows ? down : across) + 1, sizeof *blank);
  for (int line = 0; line < (rows ? down : across); line++) {
    blank[line] = true;
    for (int i = 0; i < count; i++)
      if ((rows ? i / across : i % across) == line && chart->panels[first + i].template)
        blank[line] = false;
    removed += blank[line];
  }
  for (int i = 0; i < count; i++) {
    if (blank[rows ? i / across : i % across])
      free(chart->panels[first + i].problem); /* a blank panel owns no other memory */
    else
      chart->panels[first + kept++] = chart->panels[first + i];
  }
  chart->panel_count = first + kept;
  chart->per_row = rows ? across : across - removed > 0 ? across - removed : 1;
  free(blank);
}

static int kind_named(const char *word)
{
  int kind = 0;
  while (strcmp(shk_figure_names[kind], word) != 0)
    kind++;
  return kind;
}

/* Returns the parts or problems that a figure names, depending on `what`, or NULL if it names
 * none. */
static const struct shk_varied *varied_of(const struct shk_study_figure *figure, int what)
{
  return !figure                            ? NULL
         : (int)figure->across.what == what ? &figure->across
         : (int)figure->down.what == what   ? &figure->down
                                            : NULL;
}

/* Lists the parts that a figure names. If it names none, lists all parts of its kind, or only the
 * first one if the figure has several problems and its kind sets `first_part`. */
static void list_parts(struct shk_index *parts, const struct shk_drawing *drawing, bool problems)
{
  const struct shk_varied *const named = varied_of(drawing->asked, SHK_VARIES_PARTS);
  for (int i = 0; named && i < named->of.count; i++)
    shk_index_text(parts, named->of.texts[i]);
  char *const words = shk_copy_text(named ? "" : shk_figure_parts[kind_named(drawing->kind)]),
              *rest = words;
  for (char *word; (word = strsep(&rest, " "));)
    if (*word && !(problems && drawing->entry->first_part && parts->count > 0))
      shk_index_text(parts, word);
  free(words);
}

static int count_drawn(const struct shk_chart *chart, int first)
{
  int count = 0;
  for (int k = first; k < chart->panel_count; k++)
    count += chart->panels[k].template != NULL;
  return count;
}

/* Returns true if the records contain data for at least one panel of this part. */
static bool has_data(struct shk_drawing *drawing, int group, const char *precision,
                     const char *part)
{
  struct shk_chart scratch;
  shk_chart_begin(&scratch, NULL);
  const bool has =
      drawing->entry->draw(drawing, &scratch, group, precision, part) && scratch.panel_count > 0;
  shk_chart_clear(&scratch);
  return has;
}

/* Adds a grid of panels for these groups to a chart. The rows are problems and the columns are
 * parts, or vice versa. A kind without parts can have several panels per group; each group then has
 * its own row. */
static bool add_grid(const struct request *request, struct shk_drawing *drawing,
                     struct shk_chart *chart, const int *groups, int count, const char *precision)
{
  const struct shk_study_figure *const asked = drawing->asked;
  const int first = chart->panel_count;
  struct shk_index parts = {0};
  list_parts(&parts, drawing, count > 1);
  const bool named = varied_of(asked, SHK_VARIES_PARTS) != NULL,
             problems_down = asked && asked->down.what == SHK_VARIES_PROBLEMS,
             parts_down = asked && asked->down.what == SHK_VARIES_PARTS;
  const bool rows_of_parts = parts_down || (!problems_down && count > 1) ||
                             (!named && count == 1 && drawing->entry->stacked);
  const int part_count = parts.count > 0 ? parts.count : 1,
            rows = rows_of_parts ? part_count : count, columns = rows_of_parts ? count : part_count;
  drawing->several_parts = parts.count > 1;
  const int most = named || count > 1 ? 0 : drawing->entry->most_parts;
  const size_t methods = (size_t)drawing->methods.count;
  bool *const drawn = shk_allocate((size_t)count * methods + 1, sizeof *drawn), ok = true;
  char *beyond = NULL;
  for (int r = 0; r < rows && ok; r++)
    for (int c = 0; c < columns && ok; c++) {
      const char *const part = parts.count > 0 ? parts.texts[rows_of_parts ? r : c] : NULL;
      if (most == 0 || count_drawn(chart, first) < most)
        ok = add_cell(drawing, chart, groups[rows_of_parts ? c : r], precision, part,
                      drawn + methods * (size_t)(rows_of_parts ? c : r));
      else if (has_data(drawing, groups[0], precision, part))
        shk_append_text(&beyond, "%s%s", beyond ? ", " : "", part);
    }
  if (beyond)
    shk_chart_note(chart, "Not drawn: %s (to draw them, name them under `across`)", beyond);
  free(beyond);
  for (int g = 0; g < count && ok && count_drawn(chart, first) > 0; g++)
    note_left_out(request, drawing, chart, drawn + methods * (size_t)g, groups[g], precision);
  free(drawn);
  const int added = chart->panel_count - first;
  for (int i = 0; (named || count > 1) && added == rows * columns && i < added; i++)
    if (!chart->panels[first + i].template && count_drawn(chart, first) > 0) {
      const int r = i / columns, c = i % columns;
      const char *const shown = drawing->groups[groups[rows_of_parts ? c : r]].shown,
                        *const part = parts.count > 0 ? parts.texts[rows_of_parts ? r : c] : "";
      shk_chart_note(chart, "%s has no data for %s %s", shown, drawing->kind, part);
      add_plotted_note(request->plotted,
                       shk_print_text("%s %s leaves out %s: no data", drawing->kind, part, shown));
    }
  if (parts.count == 0 && added > count)
    chart->per_row = drawing->entry->stacked ? 1 : added / count > 3 ? 3 : added / count;
  else if (ok && added > 0) {
    remove_blank_lines(chart, first, columns, true);
    remove_blank_lines(chart, first, columns, false);
  }
  shk_index_clear(&parts);
  return ok;
}

/* ---- figures ---- */

/* Begins a chart with the settings of the request. */
static void begin_chart(struct shk_chart *chart, const struct request *request)
{
  const struct shk_study_figure *const figure = request->figure;
  shk_chart_begin(chart, NULL);
  chart->serif = request->from->study->serif;
  chart->legend = figure ? (enum shk_legend_place)figure->legend : SHK_LEGEND_NEAREST;
}

/* Sets the width and the number of panels per row. If the study does not set the width, it is 8.6
 * cm, or 17.8 cm for three or more panels side by side. */
static void set_width(struct shk_chart *chart, const struct shk_study_figure *figure)
{
  const int asked = figure ? figure->per_row : 0;
  const double width = figure ? figure->width : 0;
  if (asked > 0)
    chart->per_row = asked;
  while (asked == 0 && width > 0 && chart->per_row > 2 && width / chart->per_row < 2.8)
    chart->per_row = (chart->per_row + 1) / 2;
  const int across = chart->per_row < chart->panel_count ? chart->per_row : chart->panel_count;
  chart->width = width > 0             ? width
                 : chart->needed > 8.6 ? fmin(chart->needed, 17.8)
                 : across > 2          ? 17.8
                                       : 8.6;
}

/* Draws a chart and frees it. The chart is not drawn if all its panels are blank or if the request
 * has reached its maximum number of figures. */
static bool end_chart(struct request *request, struct shk_chart *chart, char *name)
{
  chart->name = name;
  set_width(chart, request->figure);
  if (request->figure && request->figure->caption) {
    const char *const text = request->figure->caption;
    size_t length = strlen(text);
    while (length > 0 && strchr(".\n ", text[length - 1]))
      length--;
    free(chart->head);
    chart->head = shk_print_text("%.*s", (int)length, text);
  }
  bool any = false, ok = true;
  for (int k = 0; k < chart->panel_count; k++)
    any = any || chart->panels[k].template;
  request->wanted += any;
  if (any && request->from->files.directory &&
      (request->most == 0 || request->drawn < request->most)) {
    ok = shk_chart_finish(chart, &request->from->files, request->error);
    request->drawn += ok;
  } else {
    shk_chart_clear(chart);
  }
  return ok;
}

/* Adds the kind of figure and its problems to the first sentence of the caption, unless they are
 * already there. */
static void add_head(struct shk_chart *chart, const struct shk_drawing *drawing, int first,
                     const char *precision)
{
  struct shk_index problems = {0};
  char *head =
      shk_print_text("%s: ", drawing->title.text[0] ? drawing->title.text : drawing->entry->title);
  for (int k = first; k < chart->panel_count; k++) {
    const int before = problems.count;
    if (chart->panels[k].template && shk_index_text(&problems, chart->panels[k].problem) == before)
      shk_append_text(&head, "%s%s", before > 0 ? ", " : "", chart->panels[k].problem);
  }
  if (!drawing->entry->of_group)
    shk_append_text(&head, ", in %s precision", precision);
  if (!chart->head || !strstr(chart->head, head))
    shk_chart_head(chart, "%s%s", chart->head ? "; " : "", head);
  free(head);
  shk_index_clear(&problems);
}

/* Returns the base name of a figure's files. It starts with the study's name for the figure, or
 * else its kind. The problem is appended if there is only one, followed by the part if the figure
 * names exactly one, and by the precision. */
static char *name_of(const struct shk_drawing *drawing, int group, const char *precision)
{
  const struct shk_study_figure *const asked = drawing->asked;
  const struct shk_varied *const parts = varied_of(asked, SHK_VARIES_PARTS);
  char *name = shk_copy_text(asked && asked->name ? asked->name : drawing->kind);
  if (group >= 0) {
    const struct shk_drawn_group *const drawn = &drawing->groups[group];
    char *const bare = shk_print_text("%.*s", (int)strcspn(drawn->problem, "( "), drawn->problem),
                *const slug = shk_slug(drawing->whole ? bare : drawn->slug);
    shk_append_text(&name, "-%s", slug);
    free(slug);
    free(bare);
  }
  if (parts && parts->of.count == 1) {
    char *const part = shk_slug(parts->of.texts[0]);
    shk_append_text(&name, "-%s", part);
    free(part);
  }
  if (!drawing->entry->of_group)
    shk_append_text(&name, "-%s", precision);
  if (drawing->suffix.text[0]) {
    char *const suffix = shk_slug(drawing->suffix.text);
    shk_append_text(&name, "-%s", suffix);
    free(suffix);
  }
  return name;
}

/* Draws the figures for these groups in one precision: one figure for each variant of the kind. */
static bool draw_groups(struct request *request, struct shk_drawing *drawing, const int *groups,
                        int count, bool all, const char *precision)
{
  bool ok = true;
  drawing->variants = 1;
  for (drawing->variant = 0; ok && drawing->variant < drawing->variants; drawing->variant++) {
    struct shk_chart chart;
    drawing->suffix = drawing->title = shk_phrase("%s", "");
    drawing->whole = false;
    begin_chart(&chart, request);
    ok = add_grid(request, drawing, &chart, groups, count, precision);
    if (ok)
      add_head(&chart, drawing, 0, precision);
    if (ok)
      ok = end_chart(request, &chart, name_of(drawing, all ? -1 : groups[0], precision));
    else
      shk_chart_clear(&chart);
    shk_drawing_put_back(drawing);
  }
  return ok;
}

/* Lists the groups that match the patterns in `varied`, in the order of the patterns. Returns the
 * number of groups. */
static int groups_of(const struct shk_drawing *drawing, const struct shk_varied *varied,
                     int *groups)
{
  int count = 0;
  const int patterns = varied->of.count;
  for (int i = 0; i < (patterns > 0 ? patterns : 1); i++) {
    const struct shk_index one = {.count = patterns > 0, .texts = varied->of.texts + i};
    for (int g = 0; g < drawing->group_count; g++) {
      bool known = !drawing->groups[g].used ||
                   !shk_selects(&one, drawing->cells[drawing->groups[g].begin].cell->problem);
      for (int k = 0; k < count; k++)
        known = known || groups[k] == g;
      if (!known)
        groups[count++] = g;
    }
  }
  return count;
}

/* Adds a note that lists the problems for which a requested kind of figure could not be drawn. If
 * `used`, these are the problems whose runs include the measure that the kind needs but contain no
 * data. Otherwise, they are the problems whose runs lack the measure. */
static void note_problems(struct request *request, const struct shk_drawing *drawing,
                          const bool *drawn, bool used)
{
  char *names = NULL;
  int count = 0;
  for (int g = 0; g < drawing->group_count && drawing->entry->each_problem; g++) {
    const struct shk_drawn_group *const group = &drawing->groups[g];
    bool missing = group->selected && group->used == used && !drawn[g];
    for (int k = 0; k < drawing->group_count; k++) {
      const struct shk_drawn_group *const other = &drawing->groups[k];
      if (other->selected && strcmp(other->shown, group->shown) == 0)
        missing = missing && !drawn[k] && (k >= g || other->used != used);
    }
    if (missing && ++count <= 5)
      shk_append_text(&names, "%s%s", names ? ", " : "", group->shown);
  }
  if (count > 0 && request->wanted > 0)
    add_plotted_note(request->plotted,
                     used ? shk_print_text("%s leaves out %s%s: no data", drawing->kind, names,
                                           count > 5 ? ", …" : "")
                          : shk_print_text("%s leaves out %s%s: no run measures %s there",
                                           drawing->kind, names, count > 5 ? ", …" : "",
                                           drawing->entry->measure));
  free(names);
}

/* Draws the requested figures of one kind. */
static bool draw_kind(struct request *request, struct shk_drawing *drawing)
{
  const struct shk_varied *const problems = varied_of(drawing->asked, SHK_VARIES_PROBLEMS);
  int *const groups = shk_allocate((size_t)drawing->group_count + 1, sizeof *groups);
  bool *const drawn = shk_allocate((size_t)drawing->group_count + 1, sizeof *drawn), ok = true;
  const struct shk_varied all = {.what = SHK_VARIES_PROBLEMS};
  const bool once = problems || drawing->entry->of_all;
  int count = once ? groups_of(drawing, problems ? problems : &all, groups) : drawing->group_count;
  if (drawing->entry->of_all && count > 0)
    count = 1;
  /* If `across` names problems, the others are not reported as missing. */
  for (int g = 0; g < drawing->group_count; g++)
    drawn[g] = problems && problems->of.count > 0;
  for (int g = 0; ok && g < (once ? count > 0 : count); g++) {
    groups[0] = once ? groups[0] : g;
    for (int i = 0; ok && drawing->groups[groups[0]].used && shk_drawn_precisions[i]; i++) {
      const int before = request->wanted;
      ok = draw_groups(request, drawing, groups, once ? count : 1, once, shk_drawn_precisions[i]);
      for (int k = 0; k < (once ? count : 1); k++)
        drawn[groups[k]] = drawn[groups[k]] || request->wanted > before;
      if (drawing->entry->of_group)
        break;
    }
  }
  for (int used = 0; used < 2 && request->figure; used++)
    note_problems(request, drawing, drawn, used);
  free(drawn);
  free(groups);
  return ok;
}

/* Prepares to draw the cells that a figure or panel selects, or all cells if `asked` is NULL. */
static void gather(struct shk_drawing *drawing, const struct request *request,
                   const struct shk_study_figure *asked)
{
  int used = 0;
  *drawing = (struct shk_drawing){.from = request->from, .error = request->error, .asked = asked};
  shk_drawing_gather(drawing);
  for (int g = 0; g < drawing->group_count; g++)
    if (drawing->groups[g].selected)
      drawing->groups[g].selected = used++ < SHK_MOST_DRAWN;
  if (used > SHK_MOST_DRAWN)
    request->plotted->left_out = used - SHK_MOST_DRAWN;
}

/* Returns true if a run of the group includes this measure. Runs that measure orders also provide
 * errors. */
static bool is_measured(const struct shk_drawing *drawing, int group, enum shk_measure_id measure)
{
  const unsigned long order = measure == SHK_MEASURE_ERROR ? 1ul << SHK_MEASURE_ORDER : 0;
  unsigned long measures = 0;
  for (int i = drawing->groups[group].begin; i < drawing->groups[group].end; i++)
    if (drawing->cells[i].group == group)
      measures |= drawing->from->plan->cells[drawing->cells[i].index].measures;
  return (measures & (1ul << measure | order)) != 0;
}

static void set_kind(struct shk_drawing *drawing, int i)
{
  drawing->entry = kinds[i].kind;
  drawing->kind = shk_figure_names[i];
  drawing->template = drawing->entry->template ? drawing->entry->template : kinds[i].template;
  const char *const measure = drawing->entry->measure;
  for (int g = 0; g < drawing->group_count; g++)
    drawing->groups[g].used = drawing->groups[g].selected &&
                              (!measure || is_measured(drawing, g, shk_measure_named(measure)));
}

/* Titles the panels from index `first` on with the name of their method if the study selects it for
 * them and nothing else is in the title. */
static void title_selected(struct shk_chart *chart, const struct shk_drawing *drawing, int first)
{
  for (int k = first; k < chart->panel_count && drawing->asked->integrators.count > 0; k++) {
    struct shk_panel *const panel = &chart->panels[k];
    if (panel->method_count != 1 || panel->part[0])
      continue;
    const char *const name = chart->methods[panel->methods[0].method].name;
    panel->part[0] = shk_enhanced_text(name);
    panel->part[1] = shk_latex_text(name);
  }
}

/* Draws a figure that combines several kinds. Each panel uses the first precision that has data. */
static bool draw_panels(struct request *request)
{
  const struct shk_study_figure *const figure = request->figure;
  struct shk_drawing *const drawings = shk_allocate((size_t)figure->panel_count, sizeof *drawings);
  struct shk_chart chart;
  bool ok = true;
  begin_chart(&chart, request);
  for (int i = 0; i < figure->panel_count && ok; i++) {
    struct shk_drawing *const drawing = &drawings[i];
    const int first = chart.panel_count;
    gather(drawing, request, &figure->panels[i]);
    set_kind(drawing, kind_named(figure->panels[i].kind));
    int *const groups = shk_allocate((size_t)drawing->group_count + 1, sizeof *groups);
    const struct shk_varied all = {.what = SHK_VARIES_PROBLEMS};
    const int count = groups_of(drawing, &all, groups);
    const char *used = NULL;
    for (int g = 0; g < count && ok; g++)
      for (int p = 0, before = chart.panel_count; shk_drawn_precisions[p] && ok; p++) {
        drawing->variants = 1;
        ok = add_grid(request, drawing, &chart, &groups[g], 1, shk_drawn_precisions[p]);
        if (chart.panel_count > before) {
          used = shk_drawn_precisions[p];
          break;
        }
      }
    title_selected(&chart, drawing, first);
    if (used)
      add_head(&chart, drawing, first, used);
    else if (ok)
      add_plotted_note(request->plotted, shk_print_text("%s has no panel `%s`: no data",
                                                        figure->name, drawing->kind));
    free(groups);
  }
  const int fitting = figure->width > 12 || (figure->width == 0 && chart.panel_count > 2) ? 3 : 2;
  chart.per_row = chart.panel_count < fitting ? chart.panel_count : fitting;
  chart.per_row = chart.per_row > 0 ? chart.per_row : 1;
  if (ok)
    ok = end_chart(request, &chart, shk_copy_text(figure->name));
  else
    shk_chart_clear(&chart);
  for (int i = 0; i < figure->panel_count; i++)
    if (drawings[i].from) {
      shk_drawing_put_back(&drawings[i]);
      shk_drawing_clear(&drawings[i]);
    }
  free(drawings);
  return ok;
}

/* Draws the figures of a request. A request can name one kind or combine several kinds. If it names
 * none, all kinds are drawn except those that must be requested by name. */
static bool draw_request(struct request *request)
{
  const struct shk_study_figure *const figure = request->figure;
  struct shk_drawing drawing;
  bool ok = true;
  if (figure && !figure->kind)
    return draw_panels(request);
  gather(&drawing, request, figure);
  for (int i = 0; ok && kinds[i].kind; i++) {
    set_kind(&drawing, i);
    if (figure ? strcmp(drawing.kind, figure->kind) == 0 : !drawing.entry->only_by_name)
      ok = draw_kind(request, &drawing);
  }
  shk_drawing_put_back(&drawing);
  shk_drawing_clear(&drawing);
  return ok;
}

/* ---- studies ---- */

/* Returns the measure that this kind needs, or NULL if it needs none or if at least one run of the
 * study includes it. */
static const char *lacking_measure(const struct shk_study *study, const char *kind)
{
  const char *measure = kind ? kinds[kind_named(kind)].kind->measure : NULL;
  for (int i = 0; measure && i < study->run_count; i++)
    if (shk_run_measures(&study->runs[i], shk_measure_named(measure)))
      measure = NULL;
  return measure;
}

/* Returns true if a figure, or at least one of its panels, is of the kind "motion". */
static bool has_motion(const struct shk_study_figure *figure)
{
  bool has = figure->kind && strcmp(figure->kind, "motion") == 0;
  for (int i = 0; i < figure->panel_count; i++)
    has = has || has_motion(&figure->panels[i]);
  return has;
}

bool shk_plot_all(struct shk_plotted *plotted, const struct shk_plot_request *from,
                  struct shk_message *error)
{
  const struct shk_study *const study = from->study;
  *plotted = (struct shk_plotted){0};
  bool ok = !from->files.directory || shk_make_directory(from->files.directory, error);
  for (int i = 0; ok && i < (study->figure_count > 0 ? study->figure_count : 1); i++) {
    struct request request = {plotted,    from, study->figure_count > 0 ? &study->figures[i] : NULL,
                              from->most, 0,    0,
                              error};
    const char *const kind = request.figure ? request.figure->kind : NULL,
                      *const name =
                          request.figure && request.figure->name ? request.figure->name : kind;
    if (!from->files.directory && !(request.figure && has_motion(request.figure)))
      continue;
    ok = draw_request(&request);
    plotted->drawn += request.drawn;
    plotted->wanted += request.wanted;
    if (ok && request.wanted == 0 && request.figure && plotted->undrawn_count < SHK_MOST_OF_REQUEST)
      plotted->undrawn[plotted->undrawn_count++] =
          (struct shk_undrawn){name, lacking_measure(study, kind)};
    if (ok && request.wanted > request.drawn && from->files.directory)
      add_plotted_note(
          plotted,
          shk_print_text("%s makes %d figures, of which the first %d are drawn: use --all to draw "
                         "every one, or `across: problems` to put problems into one figure",
                         name ? name : "the study", request.wanted, request.drawn));
  }
  return ok;
}

bool shk_plots_motion(const struct shk_study *study)
{
  for (int i = 0; i < study->figure_count; i++)
    if (has_motion(&study->figures[i]))
      return true;
  return false;
}
