/* Finding the option that a study sweeps. See swept.h. */
#include "plots/kinds/kit/swept.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/specifications/spec.h"
#include <stdlib.h>
#include <string.h>

/* The specification of a group that is like this problem and has its own start; else NULL. */
static const char *specification(const struct shk_drawing *drawing, int group, const char *like)
{
  const struct shk_drawn_group *its = &drawing->groups[group];
  const struct shk_cell *const cell = its->used ? drawing->cells[its->begin].cell : NULL;
  return cell && !cell->q && !cell->p && (!like || shk_same_problem(cell->problem, like))
             ? cell->problem
             : NULL;
}

/* The value of an option as written, or its default; a nested one as its whole text. NULL if the
 * specification has items without a name, whose options are not known here. */
static char *value_of(const char *problem, const struct shk_option *option)
{
  struct shk_message unused;
  struct shk_spec *const spec = shk_spec_parse(problem, &unused);
  char *value = shk_copy_text(option->fallback ? option->fallback : "");
  for (int i = 0; spec && value && i < spec->count; i++) {
    const struct shk_spec_item *const item = &spec->items[i];
    if (item->option && strcmp(item->option, option->name) != 0)
      continue;
    free(value);
    value = !item->option ? NULL
            : item->text  ? shk_copy_text(item->text)
                          : shk_spec_text(item->nested);
  }
  shk_spec_free(spec);
  return value;
}

/* Counts the groups in which an option has another value than in `mine`; -1 if one is unknown. */
static int differing(const struct shk_drawing *drawing, const char *mine,
                     const struct shk_option *option)
{
  int count = 0;
  char *const value = value_of(mine, option);
  for (int g = 0; value && count >= 0 && g < drawing->group_count; g++) {
    const char *const other = specification(drawing, g, mine);
    char *const its = other ? value_of(other, option) : NULL;
    count = !other ? count : !its ? -1 : count + (strcmp(its, value) != 0);
    free(its);
  }
  free(value);
  return value ? count : -1;
}

/* The option in which the groups of this problem differ; NULL unless it is a single number. */
static const struct shk_option *swept_option(const struct shk_drawing *drawing, const char *mine)
{
  const struct shk_problem_info *const info =
      mine ? shk_find_problem(drawing->plan->context, mine) : NULL;
  const struct shk_option *found = NULL;
  for (const struct shk_option *o = info ? info->options : NULL; o && o->name; o++) {
    const int count = differing(drawing, mine, o);
    if (count < 0 ||
        (count > 0 && (found || (o->kind != SHK_OPTION_REAL && o->kind != SHK_OPTION_ANGLE &&
                                 o->kind != SHK_OPTION_INTEGER))))
      return NULL;
    found = count > 0 ? o : found;
  }
  return found;
}

static int by_value(const void *a, const void *b)
{
  const struct shk_swept_value *const v = a, *const w = b;
  return v->value != w->value ? (v->value > w->value) - (v->value < w->value) : v->group - w->group;
}

static void add_steps(struct shk_sweep *sweep, const struct shk_drawing *drawing, int group)
{
  for (int i = 0; i < drawing->cell_count; i++) {
    const char *const step = shk_cell_step(drawing->cells[i].cell, "own");
    bool known = drawing->cells[i].group != group;
    for (int k = 0; k < sweep->step_count && !known; k++)
      known = strcmp(sweep->steps[k], step) == 0;
    if (!known)
      *SHK_APPEND(sweep->steps, sweep->step_count) = step;
  }
}

bool shk_sweep_gather(struct shk_sweep *sweep, const struct shk_drawing *drawing, int group)
{
  enum { FEWEST = 3 };
  const char *const mine = specification(drawing, group, NULL);
  const struct shk_option *const option = swept_option(drawing, mine);
  *sweep = (struct shk_sweep){.first = group};
  for (int g = 0; option && g < drawing->group_count; g++) {
    const char *const other = specification(drawing, g, mine);
    if (!other)
      continue;
    char *const text = value_of(other, option);
    *SHK_APPEND(sweep->values, sweep->count) =
        (struct shk_swept_value){g, strtod(text, NULL), text};
    sweep->first = g < sweep->first ? g : sweep->first;
    add_steps(sweep, drawing, g);
  }
  if (sweep->count < FEWEST) {
    shk_sweep_clear(sweep);
    return false;
  }
  sweep->problem = shk_print_text("%.*s", (int)strcspn(mine, "("), mine);
  sweep->option = shk_copy_text(option->name);
  qsort(sweep->values, (size_t)sweep->count, sizeof *sweep->values, by_value);
  return true;
}

void shk_sweep_chart(const struct shk_drawing *drawing, struct shk_chart *chart, const char *what,
                     const struct shk_sweep *sweep, const char *precision, const char *step)
{
  char *const text = shk_print_text("%s, %s, %s %s", sweep->problem, precision,
                                    strcmp(step, "own") == 0 ? "steps of its" : "step", step);
  shk_drawing_chart_of_part(drawing, chart, what, text);
  free(text);
}

void shk_sweep_clear(struct shk_sweep *sweep)
{
  for (int i = 0; i < sweep->count; i++)
    free(sweep->values[i].text);
  free(sweep->values);
  free(sweep->steps);
  free(sweep->option);
  free(sweep->problem);
}
