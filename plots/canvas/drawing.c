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
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const shk_drawn_precisions[] = {"double", "quad", "single", NULL};

/* ---- methods, groups and cells ---- */

int shk_drawing_method(const struct shk_drawing *drawing, const char *integrator)
{
  for (int i = 0; i < drawing->method_count; i++)
    if (strcmp(drawing->methods[i], integrator) == 0)
      return i;
  return -1;
}

static void add_method(struct shk_drawing *drawing, const char *integrator)
{
  if (shk_drawing_method(drawing, integrator) < 0)
    *SHK_APPEND(drawing->methods, drawing->method_count) = integrator;
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

/* True if the figure is to show these cells. */
static bool is_selected(const struct shk_study_figure *asked, const char *problem,
                        const char *until, const char *integrator, const char *precision)
{
  return !asked || (shk_selects(asked->problems, asked->problem_count, problem) &&
                    (!asked->until || strcmp(asked->until, until) == 0) &&
                    shk_selects(asked->integrators, asked->integrator_count, integrator) &&
                    (!asked->precision || strcmp(asked->precision, precision) == 0));
}

static struct shk_drawn_group describe(const struct shk_drawing *drawing,
                                       const struct shk_cell *cell)
{
  const struct shk_problem_info *info = shk_find_problem(drawing->plan->context, cell->problem);
  const bool si = info && info->units && strncmp(info->units, "SI", 2) == 0;
  const bool from = (cell->q || cell->p) && cell->member_count == 0;
  char *const problem =
      from ? shk_print_text("%s from q = %s, p = %s", cell->problem, cell->q ? cell->q : "its own",
                            cell->p ? cell->p : "its own")
           : shk_cell_problem(cell);
  const size_t length = strlen(cell->problem);
  char *const name = shk_study_shown(drawing->study, cell->problem);
  const bool begins = strncmp(problem, cell->problem, length) == 0;
  char *const shown = begins ? shk_print_text("%s%s", name, problem + length) : NULL;
  free(name);
  return (struct shk_drawn_group){.problem = problem,
                                  .shown = shown ? shown : shk_copy_text(problem),
                                  .until = cell->until,
                                  .unit = si ? " (s)" : "",
                                  .energy_unit = si ? " (J)" : ""};
}

/* Names of files depend on all groups, selected or not. */
static void gather_cells(struct shk_drawing *drawing)
{
  for (int i = 0; i < drawing->plan->count; i++) {
    const struct shk_planned *planned = &drawing->plan->cells[i];
    const struct shk_cell *cell = &planned->cell;
    if (planned->group < 0 || planned->role != SHK_ROLE_MEASURED)
      continue;
    while (drawing->group_count <= planned->group)
      *SHK_APPEND(drawing->groups, drawing->group_count) = (struct shk_drawn_group){0};
    struct shk_drawn_group *group = &drawing->groups[planned->group];
    if (!group->problem)
      *group = describe(drawing, cell);
    const char *const step = drawing->asked ? drawing->asked->step : NULL;
    if (!is_selected(drawing->asked, cell->problem, cell->until, cell->integrator,
                     cell->precision) ||
        (step && (!cell->step || strcmp(cell->step, step) != 0)))
      continue;
    if (!group->used)
      group->begin = drawing->cell_count;
    group->used = true;
    group->end = drawing->cell_count + 1;
    *SHK_APPEND(drawing->cells, drawing->cell_count) =
        (struct shk_drawn_cell){i, planned->group, shk_drawing_method(drawing, cell->integrator),
                                cell, drawing->records[i]};
  }
}

/* ---- names of files ---- */

static char *bare_name(const char *problem)
{
  char *const name = shk_print_text("%.*s", (int)strcspn(problem, "( "), problem);
  char *const slug = shk_slug(name);
  free(name);
  return slug;
}

/* Reserves a name; returns false if it is in use. */
static bool take(struct shk_index *taken, const char *slug)
{
  const int before = taken->count;
  return shk_index_text(taken, slug) == before;
}

static void name_group(struct shk_index *taken, struct shk_drawn_group *group)
{
  char *const stem = group->slug;
  if (take(taken, stem))
    return;
  char *const longer = shk_print_text("%s until %s", stem, group->until);
  group->slug = shk_slug(longer);
  for (int number = 2; !take(taken, group->slug); number++) {
    free(group->slug);
    group->slug = shk_print_text("%s-%d", stem, number);
  }
  free(longer);
  free(stem);
}

static void name_groups(struct shk_drawing *drawing)
{
  struct shk_index problems = {0}, bare = {0}, taken = {0};
  int *const uses = shk_allocate((size_t)drawing->group_count + 1, sizeof *uses);
  for (int g = 0; g < drawing->group_count; g++) {
    struct shk_drawn_group *const group = &drawing->groups[g];
    if (!group->problem)
      continue;
    const int before = problems.count;
    group->slug = bare_name(group->problem);
    const int name = shk_index_text(&bare, group->slug);
    uses[name] += shk_index_text(&problems, group->problem) == before;
  }
  for (int g = 0; g < drawing->group_count; g++) {
    struct shk_drawn_group *const group = &drawing->groups[g];
    if (!group->problem)
      continue;
    if (uses[shk_index_find(&bare, group->slug)] > 1) {
      free(group->slug);
      group->slug = shk_slug(group->problem);
    }
    name_group(&taken, group);
  }
  shk_index_clear(&problems);
  shk_index_clear(&bare);
  shk_index_clear(&taken);
  free(uses);
}

void shk_drawing_gather(struct shk_drawing *drawing)
{
  gather_methods(drawing);
  gather_cells(drawing);
  name_groups(drawing);
}

void shk_drawing_clear(struct shk_drawing *drawing)
{
  for (int i = 0; i < drawing->group_count; i++) {
    free(drawing->groups[i].problem);
    free(drawing->groups[i].shown);
    free(drawing->groups[i].slug);
  }
  shk_free_texts(drawing->shown, drawing->method_count);
  free(drawing->styles);
  free(drawing->groups);
  free(drawing->cells);
  free(drawing->methods);
  drawing->shown = NULL;
  drawing->styles = NULL;
  drawing->groups = NULL;
  drawing->cells = NULL;
  drawing->methods = NULL;
  drawing->group_count = drawing->cell_count = drawing->method_count = 0;
}

/* ---- selections of them ---- */

bool shk_same_problem(const char *a, const char *b)
{
  const size_t length = strcspn(a, "( ");
  return strcspn(b, "( ") == length && strncmp(a, b, length) == 0;
}

bool shk_drawing_is_first(const struct shk_drawing *drawing, int group)
{
  for (int g = 0; g < group; g++)
    if (drawing->groups[g].used &&
        shk_same_problem(drawing->groups[g].problem, drawing->groups[group].problem))
      return false;
  return true;
}

const char *shk_cell_step(const struct shk_cell *cell, const char *none)
{
  return cell->tolerance ? cell->tolerance : cell->step ? cell->step : none;
}

const struct shk_drawn_cell *shk_drawing_next(const struct shk_drawing *drawing, int *at, int group,
                                              bool of_name, const char *kind, const char *precision)
{
  const struct shk_drawn_group *const its = &drawing->groups[group];
  if (!of_name && *at < its->begin)
    *at = its->begin;
  for (const int end = of_name ? drawing->cell_count : its->end; *at < end;) {
    const struct shk_drawn_cell *const found = &drawing->cells[(*at)++];
    if ((found->group == group ||
         (of_name && drawing->groups[found->group].used &&
          shk_same_problem(drawing->groups[found->group].problem, its->problem))) &&
        strcmp(found->cell->kind, kind) == 0 && strcmp(found->cell->precision, precision) == 0)
      return found;
  }
  return NULL;
}

const struct shk_curve *shk_drawing_curve(const struct shk_drawing *drawing, int group,
                                          enum shk_block_id block, const char *precision,
                                          int method)
{
  for (int i = 0; i < drawing->analysis->curve_count; i++) {
    const struct shk_curve *const curve = &drawing->analysis->curves[i];
    if (curve->group != group || curve->block != block ||
        strcmp(curve->precision, precision) != 0 ||
        strcmp(curve->integrator, drawing->methods[method]) != 0 ||
        !is_selected(drawing->asked, curve->problem, drawing->groups[group].until,
                     curve->integrator, curve->precision))
      continue;
    for (int j = 0; j < curve->count; j++)
      if (curve->points[j].error > 0 && isfinite(curve->points[j].error))
        return curve;
  }
  return NULL;
}

/* ---- charts ---- */

/* Begins a chart named `kind[-part]`; title: taken over. */
static void begin_chart(const struct shk_drawing *drawing, struct shk_chart *chart,
                        const char *part, char *title)
{
  const bool named = drawing->asked && drawing->asked->name;
  const char *const stem = named ? drawing->asked->name : drawing->kind;
  shk_chart_begin(chart, shk_print_text("%s%s%s", stem, *part ? "-" : "", part), drawing->template);
  chart->title = title;
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
  begin_chart(
      drawing, chart, part ? part : "",
      shk_print_text("%s of %s", drawing->kind, drawing->study->name ? drawing->study->name : ""));
}

void shk_drawing_chart_of_part(const struct shk_drawing *drawing, struct shk_chart *chart,
                               const char *what, const char *text)
{
  char *const part = shk_slug(text);
  begin_chart(drawing, chart, part, shk_print_text("%s of %s", what, text));
  shk_chart_head(chart, "%s", text);
  free(part);
}

void shk_drawing_chart(const struct shk_drawing *drawing, struct shk_chart *chart, int group,
                       const char *block, const char *precision)
{
  const struct shk_drawn_group *its = &drawing->groups[group];
  const struct shk_phrase of = shk_phrase(block ? " of %s" : "%.0s", block ? block : ""),
                          in = shk_phrase(precision ? ", %s" : "%.0s", precision ? precision : "");
  char *const part = shk_print_text("%s%s%s%s%s", its->slug, block ? "-" : "", block ? block : "",
                                    precision ? "-" : "", precision ? precision : "");
  begin_chart(drawing, chart, part,
              shk_print_text("%s%s of %s%s", drawing->kind, of.text, its->problem, in.text));
  shk_chart_say(chart, "problem", its->problem);
  shk_chart_head(chart, "%s%s", its->shown, in.text);
  free(part);
}

void shk_drawing_add(const struct shk_drawing *drawing, struct shk_chart *chart, int method,
                     const char *label)
{
  shk_chart_method(chart, method, drawing->styles[method]);
  shk_chart_legend(chart, chart->method_count, drawing->shown[method], label);
}

void shk_chart_quantity(struct shk_chart *chart, const char *name, enum shk_quantity_id quantity,
                        enum shk_block_id block, const char *unit)
{
  const struct shk_quantity *const entry = &shk_quantities[quantity];
  const struct shk_block_entry *const its = block != SHK_BLOCKS ? &shk_blocks[block] : NULL;
  char plain[160], latex[160];
  shk_quantity_words(plain, sizeof plain - 8, entry->figure, its ? its->figure : NULL);
  shk_quantity_words(latex, sizeof latex - 8, entry->latex, its ? its->latex : NULL);
  shk_chart_words(chart, name, strncat(plain, unit, 7), strncat(latex, unit, 7));
}

bool shk_drawing_draw(struct shk_drawing *drawing, struct shk_chart *chart)
{
  if (!shk_chart_finish(chart, &drawing->place, drawing->error))
    return false;
  drawing->drawn++;
  return true;
}
