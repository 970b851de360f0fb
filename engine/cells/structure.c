/* Runs the cells that measure structure. See cells.h. */
#include "engine/cells/cells.h"
#include "foundation/memory.h"
#include "foundation/message.h"

#include "engine/bind.h"
#include "engine/registry.h"
#include "foundation/specifications/spec.h"
#include "measures/structure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool has_option(const struct shk_option *options, const char *name)
{
  for (; options && options->name; options++)
    if (strcmp(options->name, name) == 0)
      return true;
  return false;
}

char *shk_changed_spec(const char *text, const char *name, const struct shk_option *among,
                       const struct shk_option *without, const char *added)
{
  struct shk_message error;
  struct shk_spec *const spec = shk_spec_parse(text, &error);
  if (!spec)
    return NULL;
  const int given = spec->count;
  spec->count = 0;
  for (int i = 0; i < given; i++) {
    const struct shk_spec_item item = spec->items[i];
    if (item.option &&
        (has_option(without, item.option) || (among && !has_option(among, item.option))))
      continue;
    spec->items[i] = spec->items[spec->count];
    spec->items[spec->count++] = item;
  }
  char *const written = shk_spec_text(spec), *const options = written + strlen(spec->name);
  name = name ? name : spec->name;
  char *const whole = !added            ? shk_print_text("%s%s", name, options)
                      : *options == '(' ? shk_print_text("%s(%s,%s", name, added, options + 1)
                                        : shk_print_text("%s(%s)", name, added);
  free(written);
  spec->count = given;
  shk_spec_free(spec);
  return whole;
}

/* Changes *other, which is a copy of the cell, into the cell for the other map that a measure
 * requires. Sets *text to the changed string in this cell, which the caller must free. */
static struct shk_status make_other(struct shk_cell *other, char **text,
                                    const struct shk_structure_asks *asks,
                                    const struct shk_bound *bound)
{
  const char *const partner = bound->integrator->info.partner;
  if (asks->partner && !partner)
    return shk_refused(
        "the integrator names no partner that differs from it only along the fibres");
  if (asks->partner) { /* keeps only those of the integrator's options that the partner also has */
    const struct shk_item item =
        shk_registry_item(bound->context, SHK_OPTION_INTEGRATOR, &(int){0}, partner);
    other->integrator = *text =
        shk_changed_spec(other->integrator, partner, item.options, NULL, NULL);
  } else if (asks->others) { /* by Newton's method */
    static const struct shk_option solver[] = {{.name = "solver"}, {0}};
    other->integrator = *text = shk_changed_spec(other->integrator, NULL, NULL, solver, NULL);
  } else if (asks->transform) {
    /* the other cell is bound at the problem's own start; the measure sets the state afterwards */
    other->problem = *text = shk_print_text("transformed(%s,%s)", other->problem, asks->transform);
    other->q = other->p = NULL;
  } else {
    /* The reference integrator is used, because an exact solution is known for only one initial
     * state. */
    other->integrator = *text = shk_copy_text("reference");
    other->step = NULL;
    other->tolerance = (char *)(REAL_EPSILON < R(1e-20) ? "1e-29" : "1e-14");
  }
  return *text ? shk_ok() : shk_no_memory();
}

/* Measures a cell using the map of another cell as well. If the other cell cannot be bound, the
 * outcome contains the reason. */
static struct shk_status measure_with_other(const struct shk_structure *structure,
                                            struct shk_outcome *outcome,
                                            const struct shk_bound *bound,
                                            const struct shk_cell *cell)
{
  struct shk_cell other = *cell;
  struct shk_bound partner = {0};
  char *text = NULL;
  struct shk_status status = make_other(&other, &text, &structure->asks, bound);
  if (status.code == SHK_OK && shk_bind_outcome(bound->context, &partner, outcome, &other)) {
    const struct shk_map map = shk_bind_map(bound, bound->step),
                         others = shk_bind_map(&partner, partner.step);
    status = shk_structure_measure(outcome, structure, cell->kind, &map, &others);
  }
  shk_unbind(&partner);
  free(text);
  return status;
}

/* Measures a cell using the maps with 1, 2, … iterations. */
static struct shk_status measure_with_counts(const struct shk_structure *structure,
                                             struct shk_outcome *outcome,
                                             const struct shk_bound *bound,
                                             const struct shk_cell *cell)
{
  static const struct shk_option own[] = {{.name = "iterations"}, {.name = "criterion"}, {0}};
  struct shk_bound *const all = shk_allocate(SHK_ITERATES, sizeof *all);
  struct shk_map maps[SHK_ITERATES];
  bool ok = true;
  for (int k = 0; ok && k < SHK_ITERATES; k++) {
    char *const added = shk_print_text("criterion=count,iterations=%d", k + 1);
    struct shk_cell other = *cell;
    other.integrator = shk_changed_spec(cell->integrator, NULL, NULL, own, added);
    ok = other.integrator && shk_bind_outcome(bound->context, &all[k], outcome, &other);
    if (ok)
      maps[k] = shk_bind_map(&all[k], all[k].step);
    free(other.integrator);
    free(added);
  }
  const struct shk_map map = shk_bind_map(bound, bound->step);
  const struct shk_status status =
      ok ? shk_structure_measure(outcome, structure, cell->kind, &map, maps) : shk_ok();
  for (int k = 0; k < SHK_ITERATES; k++)
    shk_unbind(&all[k]);
  free(all);
  return status;
}

static const struct {
  const char *kind;
  const struct shk_structure *structure;
} structures[] = {
#define STRUCTURE(id, word, name, ...) {name, &shk_structure_##word},
#include "measures/structure.def"
#undef STRUCTURE
};

/* Returns the structure measure for a kind of cell, or NULL if there is none. */
static const struct shk_structure *structure_of(const char *kind)
{
  for (size_t i = 0; i < sizeof structures / sizeof structures[0]; i++)
    if (strcmp(structures[i].kind, kind) == 0)
      return structures[i].structure;
  return NULL;
}

const struct shk_structure_asks *shk_asks_of_structure(const char *kind)
{
  const struct shk_structure *const structure = structure_of(kind);
  return structure ? &structure->asks : NULL;
}

static struct shk_status measure_structure(struct shk_outcome *outcome,
                                           const struct shk_bound *bound,
                                           const struct shk_cell *cell)
{
  const struct shk_integrator_info *info = &bound->integrator->info;
  const struct shk_structure *const structure = structure_of(cell->kind);
  if (info->adaptive)
    return shk_refused("driven by a tolerance: there is no one-step map to measure");
  if (info->exact)
    return shk_refused(
        "the exact solution is known from only one start, so it does not define a map");
  if (bound->step == 0)
    return shk_failure(SHK_BAD_INPUT, "a nonzero step is needed", 0, 0);
  if (!structure)
    return shk_failure(SHK_BAD_INPUT, "there is no such kind of measurement", 0, 0);
  const struct shk_structure_asks *const asks = &structure->asks;
  if (asks->others && !has_option(info->options, "solver"))
    return shk_refused("the integrator has no option `solver`");
  if (asks->others && asks->others != SHK_WITH_NEWTON)
    return measure_with_counts(structure, outcome, bound, cell);
  if (asks->partner || asks->others || asks->transform || asks->reference)
    return measure_with_other(structure, outcome, bound, cell);
  const struct shk_map map = shk_bind_map(bound, bound->step);
  return shk_structure_measure(outcome, structure, cell->kind, &map, NULL);
}

void shk_structure_cell(const struct shk_context *context, struct shk_outcome *outcome,
                        const struct shk_cell *cell)
{
  struct shk_bound bound = {0};
  *outcome = (struct shk_outcome){.reached = NAN};
  if (shk_bind_outcome(context, &bound, outcome, cell)) {
    const struct shk_status status = measure_structure(outcome, &bound, cell);
    if (status.code != SHK_OK)
      shk_bind_report(&bound, outcome, status);
  }
  shk_unbind(&bound);
}
