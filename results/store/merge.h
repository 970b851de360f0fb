/*
 * Merges stores: joins parts of a study that were run separately, and compares records of the same
 * cell.
 */
#ifndef RESULTS_STORE_MERGE_H
#define RESULTS_STORE_MERGE_H

#include "results/store/store.h"

/* Two records with the same key but different values, and their first difference. */
struct shk_difference {
  const char *cell;     /* text of the cell */
  const char *quantity; /* such as "status", the name of a scalar or series, or "q at 1.5" */
  const char *ours, *theirs;
  bool conflict; /* true if both come from equal environments, so their bits must be equal */
};

typedef void shk_difference_reader(void *user, const struct shk_difference *difference);

/* Counts that every merge increases. */
struct shk_merged {
  long added; /* records that were new to the store */
  /* finished records in both stores with equal values, except for measured seconds */
  long same;
  long finished; /* finished records that replaced unfinished ones */
  long kept;     /* unfinished records for which the store already has a record, which is kept */
  /* records with different values from another environment; the store's record is kept */
  long elsewhere;
  /* records with different values from an equal environment; the store's record is kept */
  long conflicts;
  int studies; /* studies with a different text; the store's text is kept */
};

/* Copies the records (by key, with their provenance) and studies (by name) that `store` lacks from
 * another store, which must be a file. Copies either all of them or none. Calls `tell`, unless it
 * is NULL, for every record with different values. Environments are compared by version, revision,
 * sources, compiler, flags, processor, system and libraries. On failure, returns false and sets the
 * reason. */
bool shk_store_merge(struct shk_store *store, struct shk_store *from, struct shk_merged *merged,
                     shk_difference_reader *tell, void *user, struct shk_message *error);

#endif
