/* Finding the option that a study sweeps. See swept.h. */
#include "plots/kinds/kit/swept.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/specifications/spec.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_OPTIONS = 64 };

/* The specification of a group whose cells start at the problem's own start; else NULL. */
static const char *specification(const struct shk_drawing *drawing, int group)
{
  const struct shk_drawn_group *its = &drawing->groups[group];
  if (!its->used)
    return NULL;
  const struct shk_cell *cell = &drawing->plan->cells[its->cells[0]].cell;
  return cell->q || cell->p ? NULL : cell->problem;
}

/* The value of an option as written, or its default; a nested one as its whole text. */
static char *value_of(const struct shk_spec *spec, const struct shk_option *option)
{
  for (int i = 0; i < spec->count; i++)
    if (spec->items[i].option && strcmp(spec->items[i].option, option->name) == 0)
      return spec->items[i].text ? shk_copy_text(spec->items[i].text)
                                 : shk_spec_text(spec->items[i].nested);
  return option->fallback ? shk_copy_text(option->fallback) : shk_copy_text("");
}

static bool is_number(const struct shk_option *option)
{
  return option->kind == SHK_OPTION_REAL || option->kind == SHK_OPTION_ANGLE ||
         option->kind == SHK_OPTION_INTEGER;
}

/* Marks the options in which two specifications differ. Returns false if one cannot be read or has
 * items without a name, whose options are not known here. */
static bool compare(bool *differs, const char *a, const char *b, const struct shk_option *options)
{
  struct shk_message unused;
  struct shk_spec *const first = shk_spec_parse(a, &unused), *const second =
                                                                 shk_spec_parse(b, &unused);
  bool ok = first && second;
  for (int i = 0; ok && i < first->count; i++)
    ok = first->items[i].option != NULL;
  for (int i = 0; ok && i < second->count; i++)
    ok = second->items[i].option != NULL;
  for (int o = 0; ok && o < MOST_OPTIONS && options[o].name; o++) {
    char *const x = value_of(first, &options[o]), *const y = value_of(second, &options[o]);
    differs[o] = differs[o] || strcmp(x, y) != 0;
    free(x);
    free(y);
  }
  shk_spec_free(first);
  shk_spec_free(second);
  return ok;
}

/* The option in which the groups of this problem differ; NULL unless it is a single number. */
static const struct shk_option *swept_option(const struct shk_drawing *drawing, int group)
{
  const char *const mine = specification(drawing, group);
  const struct shk_problem_info *const info =
      mine ? shk_find_problem(drawing->plan->context, mine) : NULL;
  bool differs[MOST_OPTIONS] = {false};
  int count = 0;
  if (!info || !info->options)
    return NULL;
  for (int g = 0; g < drawing->group_count; g++) {
    const char *const other = specification(drawing, g);
    if (!other || !shk_same_problem(mine, other))
      continue;
    count++;
    if (!compare(differs, mine, other, info->options))
      return NULL;
  }
  const struct shk_option *found = NULL;
  for (int o = 0; o < MOST_OPTIONS && info->options[o].name; o++)
    if (differs[o]) {
      if (found || !is_number(&info->options[o]))
        return NULL;
      found = &info->options[o];
    }
  return count >= 3 ? found : NULL;
}

bool shk_is_swept(const struct shk_drawing *drawing, int group)
{
  return swept_option(drawing, group) != NULL;
}

static void insert(struct shk_parameter_sweep *swept, struct shk_swept_value value)
{
  swept->values = shk_grow(swept->values, (size_t)swept->count, sizeof *swept->values);
  int at = swept->count++;
  for (; at > 0 && swept->values[at - 1].value > value.value; at--)
    swept->values[at] = swept->values[at - 1];
  swept->values[at] = value;
}

bool shk_swept_gather(struct shk_parameter_sweep *swept, const struct shk_drawing *drawing,
                      int first)
{
  const struct shk_option *const option = swept_option(drawing, first);
  if (!option)
    return false;
  const char *const mine = specification(drawing, first);
  for (int g = 0; g < first; g++) {
    const char *const other = specification(drawing, g);
    if (other && shk_same_problem(mine, other))
      return false;
  }
  *swept =
      (struct shk_parameter_sweep){.problem = shk_print_text("%.*s", (int)strcspn(mine, "("), mine),
                                   .option = shk_copy_text(option->name)};
  for (int g = first; g < drawing->group_count; g++) {
    const char *const other = specification(drawing, g);
    struct shk_message unused;
    struct shk_spec *const spec =
        other && shk_same_problem(mine, other) ? shk_spec_parse(other, &unused) : NULL;
    if (!spec)
      continue;
    char *const text = value_of(spec, option);
    insert(swept, (struct shk_swept_value){.group = g, .value = strtod(text, NULL), .text = text});
    shk_spec_free(spec);
  }
  return true;
}

void shk_swept_clear(struct shk_parameter_sweep *swept)
{
  for (int i = 0; i < swept->count; i++)
    free(swept->values[i].text);
  free(swept->values);
  free(swept->option);
  free(swept->problem);
}
