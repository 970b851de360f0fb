/*
 * Merges stores that contain separately run parts of a study, and compares records of the same
 * cell.
 */
#ifndef RESULTS_STORE_MERGE_H
#define RESULTS_STORE_MERGE_H

#include "results/store/store.h"

/* The first difference between two records with the same key but different values. */
struct shk_difference {
  const char *cell; /* the cell as a string */
  /* the quantity that differs, such as "status", the name of a scalar or series, or "q at 1.5" */
  const char *quantity;
  const char *ours, *theirs;
  /* true if both records come from equal environments, so that their bits must be equal */
  bool conflict;
};

typedef void shk_difference_reader(void *user, const struct shk_difference *difference);

/* The counters that every merge increases. */
struct shk_merged {
  long added; /* number of records that were new to the store */
  /* number of finished records whose values, apart from measured times, are equal in both stores */
  long same;
  long finished; /* number of finished records that replaced unfinished ones */
  /* number of unfinished records that were skipped because the store already has a record */
  long kept;
  /* number of records from another environment whose values differ; the store keeps its own
   * record */
  long elsewhere;
  /* number of records with different values from an equal environment; the store keeps its own
   * record */
  long conflicts;
  int studies; /* number of studies with different contents; the store keeps its own version */
};

/* Copies records and studies that `store` lacks from another store, which must be a file. Records
 * are identified by key and copied with their provenance; studies are identified by name. Either
 * all of them or none of them are copied. If `tell` is not NULL, it is called for every record with
 * different values. Two environments are equal if their version, revision, sources, compiler,
 * flags, processor, system and libraries are equal. On failure, returns false and sets the
 * reason. */
bool shk_store_merge(struct shk_store *store, struct shk_store *from, struct shk_merged *merged,
                     shk_difference_reader *tell, void *user, struct shk_message *error);

#endif
