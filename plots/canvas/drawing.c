/*
 * Study data used by all kinds of figures: the methods and their styles, and the groups of cells
 * and their names. This file also begins and ends each figure.
 *
 * A file is named after the problem, provided that all groups of cells for that problem have the
 * same specification. Otherwise, it is named after the specification. If two specifications
 * coincide as well, the horizon or, as a last resort, a number is appended.
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

/* Returns a count × count table of the numbers of groups in which two methods both have cells. The
 * caller frees it. */
static int *company_of_methods(const struct shk_drawing *drawing)
{
  const struct shk_plan *const plan = drawing->from->plan;
  const size_t count = (size_t)drawing->methods.count;
  int *const company = shk_allocate(count * count + 1, sizeof *company);
  bool *in = NULL;
  int groups = 0;
  for (int i = 0; i < plan->count; i++)
    groups = plan->cells[i].group >= groups ? plan->cells[i].group + 1 : groups;
  in = shk_allocate((size_t)groups * count + 1, sizeof *in);
  for (int i = 0; i < plan->count; i++)
    if (plan->cells[i].role == SHK_ROLE_MEASURED && plan->cells[i].group >= 0)
      in[(size_t)plan->cells[i].group * count +
         (size_t)shk_index_find(&drawing->methods, plan->cells[i].cell.integrator)] = true;
  for (size_t g = 0; g < (size_t)groups; g++)
    for (size_t a = 0; a < count; a++)
      for (size_t b = 0; in[g * count + a] && b < count; b++)
        company[a * count + b] += in[g * count + b];
  free(in);
  return company;
}

void shk_drawing_looks(const struct shk_drawing *drawing, struct shk_look *looks,
                       const struct shk_index *names, const int *company)
{
  shk_choose_looks(looks, (const char *const *)names->texts, names->count, company);
  for (int m = 0; m < names->count; m++) {
    const struct shk_study_style asked = shk_study_look(drawing->from->study, names->texts[m]);
    struct shk_look *const look = &looks[m];
    if (asked.colour)
      snprintf(look->colour, sizeof look->colour, "%s", asked.colour);
    look->mark = asked.mark ? asked.mark : look->mark;
    look->line = asked.line ? asked.line : look->line;
    look->own_line = asked.line;
    look->hollow = asked.hollow > 0;
    look->on_top = asked.on_top > 0;
  }
}

static void gather_methods(struct shk_drawing *drawing)
{
  const struct shk_plan *const plan = drawing->from->plan;
  for (int i = 0; i < plan->count; i++)
    if (plan->cells[i].role == SHK_ROLE_MEASURED)
      shk_index_text(&drawing->methods, plan->cells[i].cell.integrator);
  const size_t count = (size_t)drawing->methods.count;
  int *const company = company_of_methods(drawing);
  drawing->shown = shk_allocate(count + 1, sizeof *drawing->shown);
  drawing->looks = shk_allocate(count + 1, sizeof *drawing->looks);
  shk_drawing_looks(drawing, drawing->looks, &drawing->methods, company);
  free(company);
  for (size_t m = 0; m < count; m++)
    drawing->shown[m] = shk_study_shown(drawing->from->study, drawing->methods.texts[m]);
}

/* Returns true if the requested figure includes cells with these properties. If `asked` is NULL,
 * all cells are included. */
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
      .problem = problem, .shown = shown, .until = cell->until, .si = si};
}

/* Collects the selected cells. It collects all groups, selected or not, because file names depend
 * on them. */
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
    if (!is_selected(drawing->asked, cell->problem, cell->until, cell->integrator, cell->precision))
      continue;
    const struct shk_drawn_cell found = {i, planned->group,
                                         shk_index_find(&drawing->methods, cell->integrator), cell,
                                         drawing->from->records[i]};
    if (step && (!cell->step || strcmp(cell->step, step) != 0)) {
      *SHK_APPEND(drawing->missed, drawing->missed_count) = found;
      continue;
    }
    if (!group->selected)
      group->begin = drawing->cell_count;
    group->selected = group->used = true;
    group->end = drawing->cell_count + 1;
    *SHK_APPEND(drawing->cells, drawing->cell_count) = found;
  }
}

/* ---- file names ---- */

/* Reserves a file name for a group. If the preferred name is already in use, a longer one is
 * chosen. */
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
  free(drawing->looks);
  free(drawing->missed);
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

/* ---- panels ---- */

/* Adds the options of a specification to the caption, and the defaults of its options of this kind,
 * except zeros and tolerances. `swept` is an option that is left out, or NULL. */
static void tell_options(struct shk_chart *chart, const char *shown, const char *specification,
                         const struct shk_option *options, enum shk_option_kind kind,
                         const char *swept)
{
  char *const text =
      swept ? shk_without_option(specification, swept) : shk_copy_text(specification);
  char *told = NULL;
  const char *const open = strchr(text, '('), *const end = text + strlen(text);
  int depth = 0;
  if (open && end[-1] == ')') {
    shk_append_text(&told, "%s", "");
    for (const char *at = open + 1; at < end - 1; at++) {
      depth += (*at == '(') - (*at == ')');
      shk_append_text(&told,
                      depth == 0 && *at == '='   ? " = "
                      : depth == 0 && *at == ',' ? ", "
                                                 : "%c",
                      *at);
    }
  }
  for (int i = 0; options && options[i].name; i++) {
    const struct shk_option *const option = &options[i];
    char *const set = shk_print_text("%s=", option->name);
    if (option->kind == kind && option->fallback && strtod(option->fallback, NULL) != 0 &&
        strcmp(option->name, "tolerance") != 0 && !shk_same_text(option->name, swept) &&
        !strstr(text, set))
      shk_append_text(&told, "%s%s = %s", told && told[0] ? ", " : "", option->name,
                      option->fallback);
    free(set);
  }
  if (told)
    shk_chart_options(chart, shown, told);
  free(told);
  free(text);
}

struct shk_panel *shk_drawing_panel(const struct shk_drawing *drawing, struct shk_chart *chart,
                                    int group)
{
  const struct shk_drawn_group *const drawn = &drawing->groups[group];
  const struct shk_study *const study = drawing->from->study;
  char *const bare = shk_print_text("%.*s", (int)strcspn(drawn->shown, "("), drawn->shown);
  struct shk_panel *const panel = shk_chart_panel(chart, drawing->kind, drawing->template,
                                                  drawing->whole ? bare : drawn->shown);
  free(bare);
  for (int i = 0; i < study->range_count; i++) {
    const struct shk_study_range *const range = &study->ranges[i];
    if (strcmp(range->kind, drawing->kind) != 0)
      continue;
    if (isfinite(range->x[0]))
      panel->x = (struct shk_axis){.fixed = true, .from = range->x[0], .to = range->x[1]};
    if (isfinite(range->y[0]))
      panel->y = (struct shk_axis){.fixed = true, .from = range->y[0], .to = range->y[1]};
  }
  shk_chart_words(chart, "xlabel", "", "");
  shk_chart_words(chart, "ylabel", "", "");
  const struct shk_problem_info *const info =
      shk_find_problem(drawing->from->plan->context, drawn->problem);
  if (!drawing->whole)
    tell_options(chart, drawn->shown, drawn->problem, info ? info->options : NULL, SHK_OPTION_ANGLE,
                 NULL);
  return panel;
}

void shk_drawing_add(const struct shk_drawing *drawing, struct shk_chart *chart, int method,
                     const char *words)
{
  const char *const text = drawing->methods.texts[method];
  const struct shk_integrator_info *const info =
      shk_find_integrator(drawing->from->plan->context, text);
  tell_options(chart, drawing->shown[method], text, info ? info->options : NULL, SHK_OPTION_REAL,
               drawing->swept);
  shk_chart_method(chart, method, drawing->shown[method], &drawing->looks[method], words);
}

void shk_chart_quantity(struct shk_chart *chart, const char *name, enum shk_quantity_id quantity,
                        enum shk_block_id block, const char *parameter, const char *unit)
{
  const struct shk_quantity *const entry = &shk_quantities[quantity];
  const struct shk_block_entry *const block_entry = block != SHK_BLOCKS ? &shk_blocks[block] : NULL;
  char plain[160], latex[160];
  shk_quantity_words(plain, sizeof plain, entry->figure,
                     block_entry ? block_entry->figure : parameter);
  shk_quantity_words(latex, sizeof latex, entry->latex,
                     block_entry ? block_entry->latex : parameter);
  shk_chart_words(chart, name, shk_phrase("%s%s", plain, unit).text,
                  shk_phrase("%s%s", latex, unit).text);
}

void shk_chart_time(struct shk_chart *chart, const struct shk_drawn_group *group)
{
  shk_chart_words(chart, "xlabel", group->si ? "time {/:Italic t} (s)" : "time {/:Italic t}",
                  group->si ? "time $t$ (s)" : "time $t$");
}

void shk_chart_step(struct shk_chart *chart, const struct shk_drawn_group *group)
{
  shk_chart_words(chart, "xlabel", group->si ? "step {/:Italic h} (s)" : "step {/:Italic h}",
                  group->si ? "step $h$ (s)" : "step $h$");
}
