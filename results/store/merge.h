/*
 * Joining stores: parts of a study that were run separately are put together, and records of the
 * same cell are compared.
 */
#ifndef RESULTS_STORE_MERGE_H
#define RESULTS_STORE_MERGE_H

#include "results/store/store.h"

/* Two records of one key that say different things, and the first thing that differs. */
struct shk_difference {
  const char *cell;     /* its text */
  const char *quantity; /* "status", a scalar's or series' name, "q at 1.5", … */
  const char *ours, *theirs;
  bool conflict; /* both were made in equal environments, where bits must be equal */
};

typedef void shk_difference_reader(void *user, const struct shk_difference *difference);

struct shk_merged {
  long added;     /* records that the store did not have */
  long same;      /* that it had, with the same values, but for seconds */
  long finished;  /* that finished, and took the place of the store's, which had not */
  long kept;      /* that did not finish: the store's own stay */
  long elsewhere; /* with other values, but from another environment: the store's own stay */
  long conflicts; /* with other values from an equal environment: the store's own stay */
  int studies;    /* whose text is another in the store: the store's own stay */
};

/* Copies into `store` what `from` has and it lacks: records by key, with their provenance, and
 * studies by name; all or nothing. Environments are equal when version, revision, numeric sources,
 * compiler, flags, processor, system and libraries are; a record without provenance has an
 * environment of its own. `tell` is called for every difference. False with the reason. */
bool shk_store_merge(struct shk_store *store, struct shk_store *from, struct shk_merged *merged,
                     shk_difference_reader *tell, void *user, struct shk_message *error);

#endif
