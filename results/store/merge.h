/*
 * Merging of stores: joins parts of a study that were run separately, and compares records of the
 * same cell.
 */
#ifndef RESULTS_STORE_MERGE_H
#define RESULTS_STORE_MERGE_H

#include "results/store/store.h"

/* Two records of one key with different values, and the first difference. */
struct shk_difference {
  const char *cell;     /* its text */
  const char *quantity; /* "status", a scalar's or series' name, "q at 1.5", … */
  const char *ours, *theirs;
  bool conflict; /* true: both come from equal environments, where bits must be equal */
};

typedef void shk_difference_reader(void *user, const struct shk_difference *difference);

/* Counts, to which every merge adds. */
struct shk_merged {
  long added;     /* records new to the store */
  long same;      /* finished records of both with equal values, apart from measured seconds */
  long finished;  /* finished records that replaced unfinished ones */
  long kept;      /* unfinished ones for which the store has a record, which is kept */
  long elsewhere; /* other values from another environment; the record of the store is kept */
  long conflicts; /* other values from an equal environment; the record of the store is kept */
  int studies;    /* studies with another text; the text in the store is kept */
};

/* Copies records (by key, with their provenance) and studies (by name) that `store` lacks, all or
 * none, from another store, which is a file. Calls `tell` (NULL: nothing) for every record with
 * other values. Environments are compared by version, revision, sources, compiler, flags,
 * processor, system and libraries. False with the reason. */
bool shk_store_merge(struct shk_store *store, struct shk_store *from, struct shk_merged *merged,
                     shk_difference_reader *tell, void *user, struct shk_message *error);

#endif
