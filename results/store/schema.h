/*
 * The schema of a store: the tables and indices of this program's version. A store of another
 * version is refused.
 */
#ifndef RESULTS_STORE_SCHEMA_H
#define RESULTS_STORE_SCHEMA_H

#include "results/store/store_private.h"

/* Makes the objects in a file without any. */
bool shk_schema_make(struct shk_store *store, struct shk_message *error);
/* False with the reason unless the store has this version and exactly its objects: what is opened
 * may come from a stranger. */
bool shk_schema_check(struct shk_store *store, struct shk_message *error);

#endif
