/* The records of a plan's cells in a store. */
#ifndef HARNESS_PLAN_PLAN_RECORDS_H
#define HARNESS_PLAN_PLAN_RECORDS_H

#include "harness/plan/plan.h"
#include "results/store/store.h"

/* Opens the records as shk_stored_records_open does; store and plan must outlive them. */
struct shk_records *shk_plan_open_records(struct shk_store *store, const struct shk_plan *plan,
                                          bool stay, struct shk_message *error);

#endif
