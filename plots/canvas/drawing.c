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

static void gather_methods(struct shk_drawing *drawing)
{
  const struct shk_plan *const plan = drawing->from->plan;
  for (int i = 0; i < plan->count; i++)
    if (plan->cells[i].role == SHK_ROLE_MEASURED)
      shk_index_text(&drawing->methods, plan->cells[i].cell.integrator);
  const size_t count = (size_t)drawing->methods.count;
  drawing->shown = shk_allocate(count + 1, sizeof *drawing->shown);
  drawing->styles = shk_allocate(count + 1, sizeof *drawing->styles);
  for (size_t m = 0; m < count; m++)
    drawing->shown[m] = shk_study_shown(drawing->from->study, drawing->methods.texts[m]);
  shk_choose_styles(drawing->styles, (const char *const *)drawing->methods.texts, (int)count);
}

/* True if the requested figure shows such cells; NULL shows all. */
static bool is_selected(const struct shk_study_figure *asked, const char *problem,
                        const char *until, const char *integrator, const char *precision)
{
  return !asked || (shk_selects(&asked->problems, problem) &&
                    (!asked->until || strcmp(asked->until, until) == 0) &&
                    shk_selects(&asked->integrators, integrator) &&
                    (!asked->precision || strcmp(asked->precision, precision) == 0));
}

static struct shk_drawn_group describe_drawing(const struct shk_drawing *drawing,
                                               const struct shk_cell *cell)
{
  const struct shk_problem_info *info =
      shk_find_problem(drawing->from->plan->context, cell->problem);
  const bool si = info && info->units && strncmp(info->units, "SI", 2) == 0;
  char *const problem = shk_cell_problem(cell);
  char *const name = shk_study_shown(drawing->from->study, cell->problem);
  char *const shown = shk_print_text("%s%s", name, problem + strlen(cell->problem));
  free(name);
  return (struct shk_drawn_group){
      .problem = problem, .shown = shown, .until = cell->until, .unit = si ? " (s)" : ""};
}

/* Gathers all groups, since names of files depend on them, and the selected cells. */
static void gather_cells(struct shk_drawing *drawing)
{
  for (int i = 0; i < drawing->from->plan->count; i++) {
    const struct shk_planned *planned = &drawing->from->plan->cells[i];
    const struct shk_cell *cell = &planned->cell;
    if (planned->group < 0 || planned->role != SHK_ROLE_MEASURED)
      continue;
    while (drawing->group_count <= planned->group)
      *SHK_APPEND(drawing->groups, drawing->group_count) = (struct shk_drawn_group){0};
    struct shk_drawn_group *group = &drawing->groups[planned->group];
    if (!group->problem)
      *group = describe_drawing(drawing, cell);
    const char *const step = drawing->asked ? drawing->asked->step : NULL;
    if (!is_selected(drawing->asked, cell->problem, cell->until, cell->integrator,
                     cell->precision) ||
        (step && (!cell->step || strcmp(cell->step, step) != 0)))
      continue;
    if (!group->used)
      group->begin = drawing->cell_count;
    group->used = true;
    group->end = drawing->cell_count + 1;
    *SHK_APPEND(drawing->cells, drawing->cell_count) = (struct shk_drawn_cell){
        i, planned->group, shk_index_find(&drawing->methods, cell->integrator), cell,
        drawing->from->records[i]};
  }
}

/* ---- names of files ---- */

/* Reserves a name for a group: this one or, if it is in use, a longer one. */
static void name_group(struct shk_index *taken, struct shk_drawn_group *group, const char *wish)
{
  char *const longer = shk_print_text("%s until %s", wish, group->until);
  group->slug = shk_slug(wish);
  for (int number = 1, before = taken->count; shk_index_text(taken, group->slug) != before;
       number++) {
    char *const slug = shk_slug(number == 1 ? longer : wish);
    free(group->slug);
    group->slug = number == 1 ? shk_copy_text(slug) : shk_print_text("%s-%d", slug, number);
    free(slug);
  }
  free(longer);
}

static void name_groups(struct shk_drawing *drawing)
{
  struct shk_index problems = {0}, names = {0}, taken = {0};
  int *const uses = shk_allocate((size_t)drawing->group_count + 1, sizeof *uses);
  for (int pass = 0; pass < 2; pass++)
    for (int g = 0; g < drawing->group_count; g++) {
      struct shk_drawn_group *const group = &drawing->groups[g];
      if (!group->problem)
        continue;
      char *const bare = shk_print_text("%.*s", (int)strcspn(group->problem, "( "), group->problem);
      const int name = shk_index_text(&names, bare), before = problems.count;
      if (pass == 0)
        uses[name] += shk_index_text(&problems, group->problem) == before;
      else
        name_group(&taken, group, uses[name] > 1 ? group->problem : bare);
      free(bare);
    }
  shk_index_clear(&problems);
  shk_index_clear(&names);
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
  shk_free_texts(drawing->shown, drawing->methods.count);
  free(drawing->styles);
  free(drawing->groups);
  free(drawing->cells);
  shk_index_clear(&drawing->methods);
}

/* ---- selections ---- */

bool shk_same_problem(const char *a, const char *b)
{
  const size_t length = strcspn(a, "( ");
  return strcspn(b, "( ") == length && strncmp(a, b, length) == 0;
}

int shk_drawing_next_group(const struct shk_drawing *drawing, int *at, const char *problem)
{
  for (; *at < drawing->group_count; (*at)++)
    if (drawing->groups[*at].used && shk_same_problem(drawing->groups[*at].problem, problem))
      return (*at)++;
  return -1;
}

bool shk_drawing_is_first(const struct shk_drawing *drawing, int group)
{
  int at = 0;
  return shk_drawing_next_group(drawing, &at, drawing->groups[group].problem) == group;
}

const char *shk_cell_step(const struct shk_cell *cell, const char *none)
{
  return cell->tolerance ? cell->tolerance : cell->step ? cell->step : none;
}

const struct shk_drawn_cell *shk_drawing_next(const struct shk_drawing *drawing, int *at, int group,
                                              const char *kind, const char *precision)
{
  const struct shk_drawn_group *const drawn = &drawing->groups[group];
  *at = *at < drawn->begin ? drawn->begin : *at;
  while (*at < drawn->end) {
    const struct shk_drawn_cell *const found = &drawing->cells[(*at)++];
    if (found->group == group && strcmp(found->cell->kind, kind) == 0 &&
        strcmp(found->cell->precision, precision) == 0)
      return found;
  }
  return NULL;
}

const struct shk_curve *shk_drawing_curve(const struct shk_drawing *drawing, int group,
                                          enum shk_block_id block, const char *precision,
                                          int method)
{
  for (int i = 0; i < drawing->from->analysis->curve_count; i++) {
    const struct shk_curve *const curve = &drawing->from->analysis->curves[i];
    if (curve->group != group || curve->block != block ||
        strcmp(curve->precision, precision) != 0 ||
        strcmp(curve->integrator, drawing->methods.texts[method]) != 0 ||
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

void shk_drawing_chart(const struct shk_drawing *drawing, struct shk_chart *chart, int group,
                       bool whole, const char *suffix)
{
  const struct shk_study_figure *const asked = drawing->asked;
  const struct shk_drawn_group *const drawn = &drawing->groups[group];
  const char *const stem = asked && asked->name ? asked->name : drawing->kind,
                    *const dash = *suffix ? "-" : "", *const comma = *suffix ? ", " : "";
  char *const bare = shk_print_text("%.*s", (int)strcspn(drawn->problem, "( "), drawn->problem),
              *const first = shk_slug(whole ? bare : drawn->slug), *const last = shk_slug(suffix),
              *const text = shk_print_text("%s%s%s", whole ? bare : drawn->shown, comma, suffix),
              *const safe = shk_data_text(text);
  shk_chart_begin(chart, shk_print_text("%s-%s%s%s", stem, first, dash, *dash ? last : ""),
                  drawing->template);
  chart->captioned = asked && asked->key == SHK_KEY_IN_CAPTION;
  fprintf(chart->data, "# %s of %s\n", drawing->kind, safe);
  shk_drawing_width(drawing, chart, 1);
  shk_chart_head(chart, "%s", text);
  shk_chart_words(chart, "unit", drawn->unit, drawn->unit);
  free(safe);
  free(text);
  free(last);
  free(first);
  free(bare);
}

void shk_drawing_width(const struct shk_drawing *drawing, struct shk_chart *chart, int across)
{
  /* cm: one of the two columns of a journal's page; two panels; the whole page */
  static const double widths[] = {8.6, 12.5, 17.8};
  const enum shk_columns asked = drawing->asked ? drawing->asked->columns : SHK_COLUMNS_DEFAULT;
  chart->width = widths[asked == SHK_COLUMNS_SINGLE                 ? 0
                        : asked == SHK_COLUMNS_DOUBLE || across > 2 ? 2
                                                                    : across - 1];
}

void shk_drawing_add(const struct shk_drawing *drawing, struct shk_chart *chart, int method,
                     const char *label)
{
  shk_chart_method(chart, method, drawing->styles[method]);
  shk_chart_legend(chart, chart->method_count, drawing->shown[method], label);
}

void shk_chart_quantity(struct shk_chart *chart, const char *name, enum shk_quantity_id quantity,
                        enum shk_block_id block)
{
  const struct shk_quantity *const entry = &shk_quantities[quantity];
  const struct shk_block_entry *const block_entry = block != SHK_BLOCKS ? &shk_blocks[block] : NULL;
  char plain[160], latex[160];
  shk_quantity_words(plain, sizeof plain, entry->figure, block_entry ? block_entry->figure : NULL);
  shk_quantity_words(latex, sizeof latex, entry->latex, block_entry ? block_entry->latex : NULL);
  shk_chart_words(chart, name, plain, latex);
}

bool shk_drawing_draw(struct shk_drawing *drawing, struct shk_chart *chart)
{
  const bool ok = shk_chart_finish(chart, &drawing->from->files, drawing->error);
  drawing->drawn += ok;
  return ok;
}
