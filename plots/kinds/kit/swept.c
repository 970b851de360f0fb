/* Finding the option that a study sweeps. See swept.h. */
#include "plots/kinds/kit/swept.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/specifications/spec.h"
#include <stdlib.h>
#include <string.h>

/* Returns the specification of the next group from *at on with a problem of this name and the
 * problem's own start, and moves *at past it; NULL after the last. */
static const char *next_like(const struct shk_drawing *drawing, int *at, const char *problem)
{
  for (int g; (g = shk_drawing_next_group(drawing, at, problem)) >= 0;) {
    const struct shk_cell *const cell = drawing->cells[drawing->groups[g].begin].cell;
    if (!cell->q && !cell->p)
      return cell->problem;
  }
  return NULL;
}

/* Returns the value of an option as written, or its default; the caller frees it. */
static char *value_of(const char *problem, const struct shk_option *option)
{
  struct shk_message unused;
  struct shk_spec *const spec = shk_spec_parse(problem, &unused);
  const char *value = option->fallback;
  for (int i = 0; spec && i < spec->count; i++)
    if (spec->items[i].text && shk_same_text(spec->items[i].option, option->name))
      value = spec->items[i].text;
  char *const copy = shk_copy_text(value ? value : "");
  shk_spec_free(spec);
  return copy;
}

/* True if the groups of this problem differ in this option alone. */
static bool differ_by_option(const struct shk_drawing *drawing, const char *mine,
                             const char *option)
{
  char *const base = shk_without_option(mine, option);
  const char *other;
  bool alone = true, differs = false;
  for (int at = 0; alone && (other = next_like(drawing, &at, mine));) {
    char *const stripped = shk_without_option(other, option);
    alone = strcmp(stripped, base) == 0;
    differs = differs || strcmp(other, mine) != 0;
    free(stripped);
  }
  free(base);
  return alone && differs;
}

/* Returns the option in which groups of this problem differ; NULL unless it is a single number. */
static const struct shk_option *swept_option(const struct shk_drawing *drawing, const char *mine)
{
  const struct shk_problem_info *const info = shk_find_problem(drawing->from->plan->context, mine);
  for (const struct shk_option *o = info ? info->options : NULL; o && o->name; o++)
    if ((o->kind == SHK_OPTION_REAL || o->kind == SHK_OPTION_ANGLE ||
         o->kind == SHK_OPTION_INTEGER) &&
        differ_by_option(drawing, mine, o->name))
      return o;
  return NULL;
}

static int by_value(const void *a, const void *b)
{
  const struct shk_swept_value *const v = a, *const w = b;
  return v->value != w->value ? (v->value > w->value) - (v->value < w->value) : v->group - w->group;
}

bool shk_sweep_gather(struct shk_sweep *sweep, const struct shk_drawing *drawing, int group)
{
  enum { FEWEST = 3 };
  int at = group;
  const char *const mine = next_like(drawing, &at, drawing->groups[group].problem), *other;
  const struct shk_option *const option =
      mine && at == group + 1 ? swept_option(drawing, mine) : NULL;
  *sweep = (struct shk_sweep){.first = group, .option = option ? option->name : NULL};
  for (at = 0; option && (other = next_like(drawing, &at, mine));) {
    char *const text = value_of(other, option);
    *SHK_APPEND(sweep->values, sweep->count) =
        (struct shk_swept_value){at - 1, strtod(text, NULL), text};
    for (int i = 0; i < drawing->cell_count; i++)
      if (drawing->cells[i].group == at - 1)
        shk_index_text(&sweep->steps, shk_cell_step(drawing->cells[i].cell, "own"));
  }
  if (sweep->count < FEWEST) {
    shk_sweep_clear(sweep);
    return false;
  }
  sweep->first = sweep->values[0].group;
  qsort(sweep->values, (size_t)sweep->count, sizeof *sweep->values, by_value);
  return true;
}

void shk_sweep_vary(struct shk_drawing *drawing, const struct shk_sweep *sweep)
{
  const char *const step = sweep->steps.texts[drawing->variant];
  drawing->variants = sweep->steps.count;
  drawing->whole = true;
  drawing->suffix =
      strcmp(step, "own") == 0 ? shk_phrase("steps of its own") : shk_phrase("step %s", step);
}

void shk_sweep_clear(struct shk_sweep *sweep)
{
  for (int i = 0; i < sweep->count; i++)
    free(sweep->values[i].text);
  free(sweep->values);
  shk_index_clear(&sweep->steps);
}
