/* Finds the option that varies in a study. See swept.h. */
#include "plots/kinds/kit/swept.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/specifications/spec.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST = 3 }; /* minimum number of values in a sweep */

/* Finds the next group, starting from *at, whose problem has the given name and uses its own start.
 * Returns that group's problem specification and advances *at past the group. Returns NULL after
 * the last such group. */
static const char *next_like(const struct shk_drawing *drawing, int *at, const char *problem)
{
  for (int g; (g = shk_drawing_next_group(drawing, at, problem)) >= 0;) {
    const struct shk_cell *const cell = drawing->cells[drawing->groups[g].begin].cell;
    if (shk_has_own_start(cell))
      return cell->problem;
  }
  return NULL;
}

/* Returns the value of an option, as written in the specification, or else its default. The caller
 * frees the string. */
static char *value_of(const char *specification, const struct shk_option *option)
{
  struct shk_message unused;
  struct shk_spec *const spec = shk_spec_parse(specification, &unused);
  const char *value = option->fallback;
  for (int i = 0; spec && i < spec->count; i++)
    if (spec->items[i].text && shk_same_text(spec->items[i].option, option->name))
      value = spec->items[i].text;
  char *const copy = shk_copy_text(value ? value : "");
  shk_spec_free(spec);
  return copy;
}

/* Returns true if the groups of a problem differ in the given option and in nothing else. */
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

static bool is_number(const struct shk_option *option)
{
  return option->kind == SHK_OPTION_REAL || option->kind == SHK_OPTION_ANGLE ||
         option->kind == SHK_OPTION_INTEGER;
}

/* Returns the option in which the groups of a problem differ. Returns NULL unless there is exactly
 * one such option and its value is a number. */
static const struct shk_option *swept_option(const struct shk_drawing *drawing, const char *mine)
{
  const struct shk_problem_info *const info = shk_find_problem(drawing->from->plan->context, mine);
  for (const struct shk_option *o = info ? info->options : NULL; o && o->name; o++)
    if (is_number(o) && differ_by_option(drawing, mine, o->name))
      return o;
  return NULL;
}

static int by_value(const void *a, const void *b)
{
  const struct shk_swept_value *const v = a, *const w = b;
  if (v->value != w->value && !(isnan(v->value) && isnan(w->value)))
    return isnan(v->value) ? 1 : isnan(w->value) ? -1 : v->value > w->value ? 1 : -1;
  return v->group != w->group ? v->group - w->group : v->method - w->method;
}

bool shk_sweep_gather(struct shk_sweep *sweep, const struct shk_drawing *drawing, int group)
{
  int at = group;
  const char *const mine = next_like(drawing, &at, drawing->groups[group].problem), *other;
  const struct shk_option *const option =
      mine && at == group + 1 ? swept_option(drawing, mine) : NULL;
  *sweep = (struct shk_sweep){.first = group, .option = option ? option->name : NULL};
  for (at = 0; option && (other = next_like(drawing, &at, mine));) {
    char *const text = value_of(other, option);
    *SHK_APPEND(sweep->values, sweep->count) = (struct shk_swept_value){
        .group = at - 1, .method = -1, .value = strtod(text, NULL), .text = text};
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

/* Sets the description of a step, which is a string returned by shk_cell_step. `option` is placed
 * before it. The first sweep of a figure also determines the file name. */
static void set_words(struct shk_drawing *drawing, struct shk_sweep *sweep, const char *option,
                      const char *step)
{
  sweep->words = strcmp(step, "own") == 0 ? shk_phrase("%ssteps of its own", option)
                                          : shk_phrase("%sstep %s", option, step);
  if (!drawing->suffix.text[0])
    drawing->suffix = sweep->words;
}

/* ---- methods ---- */

/* Returns the method's option with this name, or NULL if it does not exist or is not a number. */
static const struct shk_option *number_of(const struct shk_drawing *drawing, int method,
                                          const char *name)
{
  const struct shk_option *const option =
      shk_option_of(drawing->from->plan->context, drawing->methods.texts[method], false, name);
  return option && is_number(option) ? option : NULL;
}

/* Returns a copy of the method's specification with the option removed. If `tied`, other numerical
 * options with the same value are set to the name of the removed option, as in
 * "baumgarte(beta=alpha)". The caller frees the string. */
static char *base_of(const struct shk_drawing *drawing, int method, const struct shk_option *option,
                     bool tied)
{
  const char *const spec = drawing->methods.texts[method];
  const struct shk_integrator_info *const info =
      shk_find_integrator(drawing->from->plan->context, spec);
  char *base = shk_without_option(spec, option->name), *const mine = value_of(spec, option);
  for (const struct shk_option *o = tied ? info->options : NULL; o && o->name; o++) {
    char *const value = is_number(o) && o != option ? value_of(spec, o) : NULL;
    if (value && strtod(value, NULL) == strtod(mine, NULL)) {
      char *const rest = shk_without_option(base, o->name);
      const bool bare = !strchr(rest, '(');
      free(base);
      base = shk_print_text("%.*s%s%s=%s)", (int)strlen(rest) - !bare, rest, bare ? "(" : ",",
                            o->name, option->name);
      free(rest);
    }
    free(value);
  }
  free(mine);
  return base;
}

/* For each method in `here`, stores its base if the method belongs to a set of at least three
 * methods that differ only in this option. The methods in `left`, which belong to no other sweep,
 * can also differ in options that have the same value as this one. Stores NULL for all other
 * methods. */
static void find_bases(const struct shk_drawing *drawing, const bool *here, const bool *left,
                       const char *name, char **bases)
{
  const int methods = drawing->methods.count;
  int *const like = shk_allocate((size_t)methods + 1, sizeof *like);
  for (int tied = 0; tied < 2; tied++) {
    for (int m = 0; m < methods; m++) {
      const struct shk_option *const option =
          (tied ? left : here)[m] && !bases[m] ? number_of(drawing, m, name) : NULL;
      /* the method has a base from the first pass, or cannot have one */
      like[m] = option ? 0 : FEWEST;
      if (option)
        bases[m] = base_of(drawing, m, option, tied);
    }
    for (int m = 0; m < methods; m++)
      for (int k = 0; k < methods && like[m] < FEWEST; k++)
        like[m] += bases[k] && strcmp(bases[k], bases[m]) == 0;
    for (int m = 0; m < methods; m++)
      if (like[m] < FEWEST) {
        free(bases[m]);
        bases[m] = NULL;
      }
  }
  free(like);
}

/* Adds the values of a group's methods. Methods with a base have a value. Methods that belong to no
 * sweep (`left`) are added without a value. */
static void add_methods(struct shk_sweep *sweep, const struct shk_drawing *drawing, int group,
                        char **bases, const bool *left)
{
  sweep->name_count = drawing->methods.count;
  sweep->names = shk_allocate((size_t)drawing->methods.count + 1, sizeof *sweep->names);
  for (int m = 0; m < drawing->methods.count; m++) {
    int first = m;
    for (int k = m - 1; k >= 0 && bases[m]; k--)
      first = bases[k] && strcmp(bases[k], bases[m]) == 0 ? k : first;
    struct shk_swept_value value = {group, m, first, NAN, NULL};
    if (bases[m]) {
      value.text = value_of(drawing->methods.texts[m], number_of(drawing, m, sweep->option));
      value.value = strtod(value.text, NULL);
    }
    if (bases[m] || left[m])
      *SHK_APPEND(sweep->values, sweep->count) = value;
    sweep->names[m] =
        shk_study_shown(drawing->from->study, bases[m] ? bases[m] : drawing->methods.texts[m]);
  }
  for (int i = 0; i < drawing->cell_count; i++)
    if (drawing->cells[i].group == group && bases[drawing->cells[i].method])
      shk_index_text(&sweep->steps, shk_cell_step(drawing->cells[i].cell, "own"));
  qsort(sweep->values, (size_t)sweep->count, sizeof *sweep->values, by_value);
}

/* The sweeps among the methods of a group: the option that each sweep varies, and the bases of its
 * methods. */
struct sweeps {
  int count;
  struct bases {
    const char *option;
    char **of;
  } * all;
  bool *left; /* true for methods that have cells in the group but belong to no sweep */
};

static void find_sweeps(struct sweeps *sweeps, const struct shk_drawing *drawing, int group)
{
  const size_t methods = (size_t)drawing->methods.count + 1;
  bool *const here = shk_allocate(methods, sizeof *here);
  struct shk_index seen = {0};
  *sweeps = (struct sweeps){.left = shk_allocate(methods, sizeof *here)};
  for (int i = 0; i < drawing->cell_count; i++)
    if (drawing->cells[i].group == group && strcmp(drawing->cells[i].cell->kind, "run") == 0)
      here[drawing->cells[i].method] = sweeps->left[drawing->cells[i].method] = true;
  for (int m = 0; m < drawing->methods.count; m++) {
    const struct shk_integrator_info *const info =
        here[m] ? shk_find_integrator(drawing->from->plan->context, drawing->methods.texts[m])
                : NULL;
    for (const struct shk_option *o = info ? info->options : NULL; o && o->name; o++) {
      const int before = seen.count;
      if (!is_number(o) || shk_index_text(&seen, o->name) < before)
        continue;
      struct bases *const bases = SHK_APPEND(sweeps->all, sweeps->count);
      *bases = (struct bases){o->name, shk_allocate(methods, sizeof *bases->of)};
      find_bases(drawing, here, sweeps->left, o->name, bases->of);
      for (int k = 0; k < drawing->methods.count; k++)
        sweeps->left[k] = sweeps->left[k] && !bases->of[k];
    }
  }
  shk_index_clear(&seen);
  free(here);
}

bool shk_sweep_methods(struct shk_sweep *sweep, struct shk_drawing *drawing, int group,
                       const char **step)
{
  struct sweeps sweeps;
  bool found = false;
  int options = 0, variants = 0;
  find_sweeps(&sweeps, drawing, group);
  for (int i = 0; i < sweeps.count; i++) {
    struct shk_sweep each = {.option = sweeps.all[i].option, .first = group};
    add_methods(&each, drawing, group, sweeps.all[i].of, sweeps.left);
    const int number = drawing->variant - variants;
    options += each.steps.count > 0;
    variants += each.steps.count;
    if (number >= 0 && number < each.steps.count) {
      *sweep = each;
      *step = each.steps.texts[number];
      found = true;
    } else {
      shk_sweep_clear(&each);
    }
    shk_free_texts(sweeps.all[i].of, drawing->methods.count);
  }
  if (found)
    set_words(drawing, sweep, options > 1 ? shk_phrase("%s, ", sweep->option).text : "", *step);
  drawing->variants = variants > drawing->variants ? variants : drawing->variants;
  free(sweeps.all);
  free(sweeps.left);
  return found;
}

const char *shk_sweep_vary(struct shk_drawing *drawing, struct shk_sweep *sweep)
{
  const char *const step = sweep->steps.texts[drawing->variant];
  drawing->variants = sweep->steps.count;
  drawing->whole = true;
  set_words(drawing, sweep, "", step);
  return step;
}

void shk_sweep_clear(struct shk_sweep *sweep)
{
  for (int i = 0; i < sweep->count; i++)
    free(sweep->values[i].text);
  free(sweep->values);
  shk_free_texts(sweep->names, sweep->name_count);
  shk_index_clear(&sweep->steps);
}
