/*
 * The data of a study that all kinds of figure need: its methods and their styles, its groups of
 * cells and their names, and the beginning and end of a figure.
 *
 * Files are named after the problem alone if all groups of cells with a problem of that name have
 * the same specification, otherwise after the specification. If even these coincide, the horizon
 * or, in the end, a number is appended.
 */
#include "plots/canvas/drawing.h"
#include "plots/canvas/styles.h"

#include "engine/names.h"
#include "foundation/index.h"
#include "foundation/memory.h"
#include "results/record/cell_text.h"
#include <stdlib.h>
#include <string.h>

const char *const shk_drawn_precisions[] = {"double", "quad", "single", NULL};

bool shk_same_problem(const char *a, const char *b)
{
  const size_t length = strcspn(a, "( ");
  return strcspn(b, "( ") == length && strncmp(a, b, length) == 0;
}

const char *shk_cell_step(const struct shk_cell *cell, const char *none)
{
  return cell->tolerance ? cell->tolerance : cell->step ? cell->step : none;
}

static void add_method(struct shk_drawing *drawing, const char *integrator)
{
  if (shk_drawing_method(drawing, integrator) >= 0)
    return;
  drawing->methods =
      shk_grow(drawing->methods, (size_t)drawing->method_count, sizeof *drawing->methods);
  drawing->methods[drawing->method_count++] = integrator;
}

int shk_drawing_method(const struct shk_drawing *drawing, const char *integrator)
{
  for (int i = 0; i < drawing->method_count; i++)
    if (strcmp(drawing->methods[i], integrator) == 0)
      return i;
  return -1;
}

static void gather_methods(struct shk_drawing *drawing)
{
  for (int r = 0; r < drawing->study->run_count; r++)
    for (int i = 0; i < drawing->study->runs[r].integrator_count; i++)
      add_method(drawing, drawing->study->runs[r].integrators[i]);
  for (int i = 0; i < drawing->plan->count; i++)
    if (drawing->plan->cells[i].role == SHK_ROLE_MEASURED)
      add_method(drawing, drawing->plan->cells[i].cell.integrator);
  drawing->shown = shk_allocate((size_t)drawing->method_count + 1, sizeof *drawing->shown);
  drawing->styles = shk_allocate((size_t)drawing->method_count + 1, sizeof *drawing->styles);
  for (int m = 0; m < drawing->method_count; m++)
    drawing->shown[m] = shk_study_shown(drawing->study, drawing->methods[m]);
  shk_choose_styles(drawing->styles, drawing->methods, drawing->method_count);
}

/* The problem and its start, under the study's name for it. */
static char *shown_problem(const struct shk_drawing *drawing, const char *problem,
                           const char *specification)
{
  const size_t length = strlen(specification);
  if (strncmp(problem, specification, length) != 0)
    return shk_copy_text(problem);
  char *const name = shk_study_shown(drawing->study, specification), *const all = shk_print_text(
                                                                         "%s%s", name,
                                                                         problem + length);
  free(name);
  return all;
}

/* True if the figure is to show these cells. */
static bool is_selected(const struct shk_study_figure *asked, const char *problem,
                        const char *until, const char *integrator, const char *precision)
{
  return !asked || (shk_selects(asked->problems, asked->problem_count, problem) &&
                    (!asked->until || strcmp(asked->until, until) == 0) &&
                    shk_selects(asked->integrators, asked->integrator_count, integrator) &&
                    (!asked->precision || strcmp(asked->precision, precision) == 0));
}

static void gather_groups(struct shk_drawing *drawing)
{
  for (int i = 0; i < drawing->plan->count; i++) {
    const struct shk_planned *planned = &drawing->plan->cells[i];
    if (planned->group < 0 || planned->role != SHK_ROLE_MEASURED)
      continue;
    while (drawing->group_count <= planned->group) {
      drawing->groups =
          shk_grow(drawing->groups, (size_t)drawing->group_count, sizeof *drawing->groups);
      drawing->groups[drawing->group_count++] = (struct shk_drawn_group){0};
    }
    struct shk_drawn_group *group = &drawing->groups[planned->group];
    const struct shk_cell *cell = &planned->cell;
    if (is_selected(drawing->asked, cell->problem, cell->until, cell->integrator,
                    cell->precision)) {
      group->cells = shk_grow(group->cells, (size_t)group->cell_count, sizeof *group->cells);
      group->cells[group->cell_count++] = i;
      group->used = true;
    }
    if (group->problem) /* names depend on all groups, selected or not */
      continue;
    group->until = cell->until;
    const struct shk_problem_info *info = shk_find_problem(drawing->plan->context, cell->problem);
    const bool si = info && info->units && strncmp(info->units, "SI", 2) == 0;
    const bool from = (cell->q || cell->p) && cell->member_count == 0;
    group->problem =
        from ? shk_print_text("%s from q = %s, p = %s", cell->problem,
                              cell->q ? cell->q : "its own", cell->p ? cell->p : "its own")
             : shk_cell_problem(cell);
    group->shown = shown_problem(drawing, group->problem, cell->problem);
    group->unit = si ? " (s)" : "";
    group->energy_unit = si ? " (J)" : "";
  }
  for (int i = 0; i < drawing->analysis->curve_count; i++) {
    const struct shk_curve *curve = &drawing->analysis->curves[i];
    if (curve->group < 0 || curve->group >= drawing->group_count)
      continue;
    struct shk_drawn_group *group = &drawing->groups[curve->group];
    if (group->cell_count == 0 ||
        !is_selected(drawing->asked, drawing->plan->cells[group->cells[0]].cell.problem,
                     group->until, curve->integrator, curve->precision))
      continue;
    group->curves = shk_grow(group->curves, (size_t)group->curve_count, sizeof *group->curves);
    group->curves[group->curve_count++] = curve;
  }
}

static char *problem_name(const char *problem)
{
  char *const name = shk_copy_text(problem);
  name[strcspn(name, "( ")] = '\0';
  char *const slug = shk_slug(name);
  free(name);
  return slug;
}

/* State of the naming of files. `bare` has the problems' bare names, each with the first problem of
 * that name, and whether there is another. `taken` has the names in use, each with the number for
 * the next one that is equal. */
struct naming {
  struct shk_index bare, taken;
  const char **first;
  bool *shared;
  int *next;
};

static void add_bare_name(struct naming *naming, const char *problem)
{
  char *const name = problem_name(problem);
  const int before = naming->bare.count, at = shk_index_text(&naming->bare, name);
  free(name);
  if (at == before) {
    naming->first = shk_grow(naming->first, (size_t)at, sizeof *naming->first);
    naming->shared = shk_grow(naming->shared, (size_t)at, sizeof *naming->shared);
    naming->first[at] = problem;
    naming->shared[at] = false;
  } else if (strcmp(naming->first[at], problem) != 0) {
    naming->shared[at] = true;
  }
}

/* Reserves the name; returns false if it is in use. */
static bool take(struct naming *naming, const char *slug)
{
  const int before = naming->taken.count;
  if (shk_index_text(&naming->taken, slug) < before)
    return false;
  naming->next = shk_grow(naming->next, (size_t)before, sizeof *naming->next);
  naming->next[before] = 2;
  return true;
}

static void name_group(struct naming *naming, struct shk_drawn_group *group)
{
  group->slug = problem_name(group->problem);
  if (naming->shared[shk_index_find(&naming->bare, group->slug)]) {
    free(group->slug);
    group->slug = shk_slug(group->problem);
  }
  if (take(naming, group->slug))
    return;
  char *const stem = group->slug;
  const int place = shk_index_find(&naming->taken, stem);
  char *const longer = shk_print_text("%s until %s", stem, group->until);
  group->slug = shk_slug(longer);
  while (!take(naming, group->slug)) {
    free(group->slug);
    group->slug = shk_print_text("%s-%d", stem, naming->next[place]++);
  }
  free(longer);
  free(stem);
}

static void name_groups(struct shk_drawing *drawing)
{
  struct naming naming = {.next = NULL};
  for (int i = 0; i < drawing->group_count; i++)
    if (drawing->groups[i].problem)
      add_bare_name(&naming, drawing->groups[i].problem);
  for (int i = 0; i < drawing->group_count; i++)
    if (drawing->groups[i].problem)
      name_group(&naming, &drawing->groups[i]);
  shk_index_clear(&naming.bare);
  shk_index_clear(&naming.taken);
  free(naming.first);
  free(naming.shared);
  free(naming.next);
}

/* The beginning of file names. */
static const char *stem_of(const struct shk_drawing *drawing)
{
  return drawing->asked && drawing->asked->name ? drawing->asked->name : drawing->kind;
}

static void begin_chart(const struct shk_drawing *drawing, struct shk_chart *chart, char *name)
{
  shk_chart_begin(chart, name, drawing->template);
  chart->legend = drawing->asked ? drawing->asked->key : SHK_KEY_BELOW;
  shk_drawing_width(drawing, chart, SHK_COLUMN_WIDTH);
  shk_chart_say(chart, "study", drawing->study->name ? drawing->study->name : "");
}

void shk_drawing_width(const struct shk_drawing *drawing, struct shk_chart *chart, double width)
{
  const enum shk_columns asked = drawing->asked ? drawing->asked->columns : SHK_COLUMNS_DEFAULT;
  chart->width = asked == SHK_COLUMNS_SINGLE   ? SHK_COLUMN_WIDTH
                 : asked == SHK_COLUMNS_DOUBLE ? SHK_PAGE_WIDTH
                                               : width;
}

void shk_drawing_chart_of_study(const struct shk_drawing *drawing, struct shk_chart *chart,
                                const char *part)
{
  begin_chart(drawing, chart,
              shk_print_text("%s%s%s", stem_of(drawing), part ? "-" : "", part ? part : ""));
  chart->title =
      shk_print_text("%s of %s", drawing->kind, drawing->study->name ? drawing->study->name : "");
}

void shk_drawing_chart_of_part(const struct shk_drawing *drawing, struct shk_chart *chart,
                               const char *what, const char *text)
{
  char *const part = shk_slug(text);
  shk_drawing_chart_of_study(drawing, chart, part);
  free(chart->title);
  chart->title = shk_print_text("%s of %s", what, text);
  shk_chart_head(chart, "", text);
  free(part);
}

void shk_drawing_chart(const struct shk_drawing *drawing, struct shk_chart *chart, int group,
                       const char *block, const char *precision)
{
  const struct shk_drawn_group *its = &drawing->groups[group];
  begin_chart(drawing, chart,
              shk_print_text("%s-%s%s%s%s%s", stem_of(drawing), its->slug, block ? "-" : "",
                             block ? block : "", precision ? "-" : "", precision ? precision : ""));
  chart->title =
      shk_print_text("%s%s%s of %s%s%s", drawing->kind, block ? " of " : "", block ? block : "",
                     its->problem, precision ? ", " : "", precision ? precision : "");
  shk_chart_say(chart, "problem", its->problem);
  if (precision)
    shk_chart_say(chart, "precision", precision);
  shk_chart_head(chart, "", its->shown);
  if (precision)
    shk_chart_head(chart, ", ", precision);
}

bool shk_drawing_draw(struct shk_drawing *drawing, struct shk_chart *chart)
{
  if (!shk_chart_finish(chart, &drawing->place, drawing->error))
    return false;
  drawing->drawn++;
  return true;
}

struct shk_label shk_quantity_label(enum shk_quantity_id quantity, enum shk_block_id block)
{
  const struct shk_quantity *const entry = &shk_quantities[quantity];
  const struct shk_block_entry *const its = block != SHK_BLOCKS ? &shk_blocks[block] : NULL;
  struct shk_label label;
  shk_quantity_words(label.plain, sizeof label.plain, entry->figure, its ? its->figure : NULL);
  shk_quantity_words(label.latex, sizeof label.latex, entry->latex, its ? its->latex : NULL);
  return label;
}

struct shk_label shk_error_label(enum shk_block_id block, const char *energy_unit)
{
  if (block != SHK_BLOCK_ENERGY)
    return shk_quantity_label(SHK_QUANTITY_ERROR, block);
  struct shk_label label = shk_quantity_label(SHK_QUANTITY_ENERGY_MAX, SHK_BLOCKS);
  strncat(label.plain, energy_unit, sizeof label.plain - strlen(label.plain) - 1);
  strncat(label.latex, energy_unit, sizeof label.latex - strlen(label.latex) - 1);
  return label;
}

void shk_drawing_gather(struct shk_drawing *drawing)
{
  gather_methods(drawing);
  gather_groups(drawing);
  name_groups(drawing);
}

void shk_drawing_clear(struct shk_drawing *drawing)
{
  for (int i = 0; i < drawing->group_count; i++) {
    free(drawing->groups[i].problem);
    free(drawing->groups[i].shown);
    free(drawing->groups[i].slug);
    free(drawing->groups[i].cells);
    free(drawing->groups[i].curves);
  }
  shk_free_texts(drawing->shown, drawing->method_count);
  free(drawing->styles);
  free(drawing->groups);
  free(drawing->methods);
  drawing->shown = NULL;
  drawing->styles = NULL;
  drawing->groups = NULL;
  drawing->methods = NULL;
  drawing->group_count = drawing->method_count = 0;
}
