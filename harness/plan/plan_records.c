/* The records of a plan's cells in a store. See plan_records.h. */
#include "harness/plan/plan_records.h"
#include "foundation/memory.h"

struct shk_records *shk_plan_open_records(struct shk_store *store, const struct shk_plan *plan,
                                          bool stay, struct shk_message *error)
{
  const struct shk_cell **const cells =
      shk_allocate((size_t)plan->count + 1, sizeof(struct shk_cell *));
  for (int i = 0; i < plan->count; i++)
    cells[i] = &plan->cells[i].cell;
  return shk_stored_records_open(store, cells, plan->count, stay, error);
}
