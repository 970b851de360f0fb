/* Defines the function table of an engine in one precision. */
#include "engine/bind.h"
#include "engine/cells/cells.h"
#include "engine/cells/contract.h"
#include "engine/engine.h"
#include "engine/registry.h"
#include "engine/surface/handle_parts.h"
#include "foundation/memory.h"
#include "measures/block.h"

#include <stdlib.h>
#include <string.h>

static bool block_compare(struct shk_block_errors *c, const struct shk_vector *a,
                          const struct shk_vector *b)
{
  real worst = 0, largest = 0, worst_pure = 0, worst_mixed = 0;
  if (a->count != b->count)
    return false;
  for (c->count = 0; c->count < a->count; c->count++) {
    real x = shk_vector_at(a, c->count), y = shk_vector_at(b, c->count);
    if (isnan(x) && isnan(y)) /* entries that are NaN in both vectors are ignored */
      x = y = 0;
    if (!real_isfinite(x) || !real_isfinite(y))
      return false;
    const real error = real_fabs(x - y), size = real_fabs(y);
    worst = real_max(worst, error);
    largest = real_max(largest, size);
    if (size > 0)
      worst_pure = real_max(worst_pure, error / size);
    worst_mixed = real_max(worst_mixed, error / (1 + size));
    if (c->count >= c->room)
      continue;
    c->differences[c->count] = (double)(x - y);
    if (c->left) {
      c->left[c->count] = (double)x;
      c->right[c->count] = (double)y;
    }
  }
  c->difference = (double)worst;
  c->size = (double)largest;
  c->pure = (double)worst_pure;
  c->mixed = (double)worst_mixed;
  return true;
}

static bool read_vector(struct shk_vector *vector, const char *text)
{
  int most = 1;
  for (const char *at = text; *at; at++)
    most += *at == ' ';
  real *const values = shk_allocate((size_t)most, sizeof *values);
  int count = 0;
  while (*text && count < most && shk_block_next(&values[count], &text, " "))
    count++;
  *vector = *text ? (struct shk_vector){0} : shk_vector_of(values, count);
  free(values);
  return *text == '\0';
}

static char *text_of_vector(const struct shk_vector *vector)
{
  char *const text = shk_block_text(vector->values, vector->count);
  if (!text)
    shk_out_of_memory();
  return text;
}

static void run_any(const struct shk_context *context, struct shk_outcome *outcome,
                    const struct shk_cell *cell)
{
  if (cell->member_count > 0)
    shk_ensemble_cell(context, outcome, cell);
  else if (strcmp(cell->kind, "run") == 0 || strcmp(cell->kind, "regularity") == 0)
    shk_run_cell(context, outcome, cell, true);
  else if (!shk_time_cell(context, outcome, cell) && !shk_contract_cell(context, outcome, cell))
    shk_structure_cell(context, outcome, cell);
}

const struct shk_engine SHK_ENGINE = {
    .precision = REAL_NAME,
    .bits = SHK_PRECISION,
    .digits = REAL_DIGITS,
    .epsilon = (double)REAL_EPSILON,
    .item = shk_registry_item,
    .load_plugin = shk_registry_load,
    .claims = shk_bind_claims,
    .inspect = shk_inspect_problem,
    .diagnose = shk_diagnose_problem,
    .audit_problem = shk_audit_problem,
    .multiplier = shk_multiplier_at,
    .bodies = shk_cell_bodies,
    .file = shk_file_of_problem,
    .run = run_any,
    .structure_asks = shk_asks_of_structure,
    .compare = block_compare,
    .read = read_vector,
    .text = text_of_vector,
    .held = &shk_handle_functions,
};
