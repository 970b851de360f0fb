/* Cells that measure structure. See structure.h. */
#include "engine/cells/structure.h"
#include "foundation/message.h"

#include "engine/bind.h"
#include "measures/structure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(struct shk_outcome *outcome, struct shk_status status)
{
  outcome->code = status.code;
  shk_status_text(outcome->reason, sizeof outcome->reason, status);
}

static bool bind_cell(const struct shk_context *context, struct shk_bound *bound,
                      struct shk_outcome *outcome, const struct shk_cell *cell)
{
  struct shk_message error = {.text = ""};
  outcome->code = shk_bind_cell(context, bound, cell, &error);
  if (outcome->code == SHK_OK)
    return true;
  shk_text_fit(outcome->reason, sizeof outcome->reason, error.text);
  return false;
}

static struct shk_map map_of(const struct shk_bound *bound)
{
  return (struct shk_map){.instance = &bound->instance,
                          .manifold = bound->manifold,
                          .integrator = bound->integrator,
                          .method = bound->method,
                          .start = &bound->start,
                          .step = bound->step};
}

/* Measures with the partner, which takes the options that the integrator was given. */
static struct shk_status measure_with_partner(const struct shk_structure *structure,
                                              struct shk_outcome *outcome,
                                              const struct shk_bound *bound,
                                              const struct shk_cell *cell)
{
  const char *const partner = bound->integrator->info.partner;
  if (partner == NULL)
    return shk_failure(SHK_REFUSED,
                       "the integrator names no partner that differs from it along "
                       "the fibres only",
                       0, 0);
  const char *const options = cell->integrator + strlen(bound->integrator->info.name);
  const size_t size = strlen(partner) + strlen(options) + 1;
  char *const text = malloc(size);
  if (text == NULL)
    return shk_failure(SHK_NO_MEMORY, "no memory for the partner", 0, 0);
  snprintf(text, size, "%s%s", partner, options);
  struct shk_cell other = *cell;
  other.integrator = text;
  struct shk_bound its = {0};
  struct shk_status status = shk_ok();
  if (bind_cell(bound->context, &its, outcome, &other)) {
    const struct shk_map map = map_of(bound), partners = map_of(&its);
    status = structure->measure(outcome, &map, &partners);
  } /* else the outcome says why */
  shk_unbind(&its);
  free(text);
  return status;
}

static const struct {
  const char *kind;
  const struct shk_structure *structure;
} structures[] = {
#define STRUCTURE(id, word, name, ...) {name, &SHK_STRUCTURE(word)},
#include "measures/structure.def"
#undef STRUCTURE
};

/* NULL: there is none of that kind. */
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
  return structure != NULL ? &structure->asks : NULL;
}

static struct shk_status measure(struct shk_outcome *outcome, const struct shk_bound *bound,
                                 const struct shk_cell *cell)
{
  const struct shk_integrator_info *info = &bound->integrator->info;
  const struct shk_structure *const structure = structure_of(cell->kind);
  if (info->adaptive)
    return shk_failure(SHK_REFUSED,
                       "driven by a tolerance: there is no map of one step to be measured", 0, 0);
  if (info->exact)
    return shk_failure(SHK_REFUSED, "the exact solution from one start is no map", 0, 0);
  if (bound->step == 0)
    return shk_failure(SHK_BAD_INPUT, "a step is needed, and one that is not zero", 0, 0);
  if (structure == NULL)
    return shk_failure(SHK_BAD_INPUT, "there is no measurement of that kind", 0, 0);
  if (structure->asks.partner)
    return measure_with_partner(structure, outcome, bound, cell);
  const struct shk_map map = map_of(bound);
  return structure->measure(outcome, &map, NULL);
}

void shk_structure_cell(const struct shk_context *context, struct shk_outcome *outcome,
                        const struct shk_cell *cell)
{
  struct shk_bound bound = {0};
  *outcome = (struct shk_outcome){.reached = NAN};
  if (bind_cell(context, &bound, outcome, cell)) {
    outcome->n = bound.start.n;
    outcome->m = bound.start.m;
    const struct shk_status status = measure(outcome, &bound, cell);
    if (status.code != SHK_OK) {
      fail(outcome, status);
      if (bound.method != NULL && (status.code == SHK_NOT_CONVERGED || status.code == SHK_SINGULAR))
        outcome->history_count =
            shk_last_residuals(&bound.evaluator, outcome->history,
                               sizeof outcome->history / sizeof outcome->history[0]);
    }
  }
  shk_unbind(&bound);
}
