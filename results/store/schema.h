/*
 * The schema of a store: the tables and indices of each version that a release had, and the steps
 * from one version to the next. A new version is a number, the objects that it has, and a step.
 *
 * A store of an older version is brought to this program's when it is opened: itself if it is
 * written, all or nothing; a temporary copy if it is only read. So all that reads and writes tables
 * knows one version.
 */
#ifndef RESULTS_STORE_SCHEMA_H
#define RESULTS_STORE_SCHEMA_H

#include "results/store/store_private.h"

struct shk_schema_object {
  int first, last; /* the versions that have it */
  const char *name, *sql;
};

struct shk_schema {
  int oldest, version; /* the oldest that is read, and the one that is written */
  int object_count;
  const struct shk_schema_object *objects;
  const char *const *steps; /* SQL from version oldest + i to the next */
};

/* This program's. */
extern const struct shk_schema shk_store_schema;

/* shk_store_open with another schema. */
struct shk_store *shk_store_open_as(const char *path, enum shk_store_mode mode,
                                    const struct shk_schema *schema, struct shk_message *error);

/* A number that a statement returns. */
bool shk_store_number(struct shk_store *store, long *value, const char *sql,
                      struct shk_message *error);

/* Makes the objects in a file without any. */
bool shk_schema_make(struct shk_store *store, struct shk_message *error);
/* Fills in the version of the store. False with the reason unless it has exactly the objects of
 * that version: what is opened may come from a stranger. */
bool shk_schema_check(struct shk_store *store, struct shk_message *error);
/* Takes the steps to the version that is written. */
bool shk_schema_migrate(struct shk_store *store, struct shk_message *error);

#endif
