/* The records of a plan's cells in a store. See plan_records.h. */
#include "harness/plan/plan_records.h"
#include "foundation/memory.h"
#include <stdlib.h>

/* Returns a list of the plan's cells, which the caller frees. */
static const struct shk_cell **cells_of(const struct shk_plan *plan)
{
  const struct shk_cell **const cells =
      shk_allocate((size_t)plan->count + 1, sizeof(struct shk_cell *));
  for (int i = 0; i < plan->count; i++)
    cells[i] = &plan->cells[i].cell;
  return cells;
}

struct shk_records *shk_plan_open_records(struct shk_store *store, const struct shk_plan *plan,
                                          bool stay, struct shk_message *error)
{
  const struct shk_cell **const cells = cells_of(plan);
  struct shk_records *const records =
      shk_stored_records_open(store, cells, plan->count, stay, error);
  free(cells);
  return records;
}

bool shk_plan_read_records(struct shk_store *store, struct shk_record ***records,
                           const struct shk_plan *plan, struct shk_message *error)
{
  const struct shk_cell **const cells = cells_of(plan);
  const bool ok = shk_store_records(store, records, cells, plan->count, error);
  free(cells);
  return ok;
}
