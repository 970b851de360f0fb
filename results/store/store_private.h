/* Declarations shared by the files of the store. */
#ifndef RESULTS_STORE_STORE_PRIVATE_H
#define RESULTS_STORE_STORE_PRIVATE_H

#include "results/record/stream.h"
#include "results/store/store.h"
#include <sqlite3.h>
#include <stdint.h>

struct shk_store {
  sqlite3 *database;
  char *path;
  int lock; /* descriptor of the lock file; -1: none */
  char *lock_path;
  bool lost;                 /* the path no longer leads to the file; the store was rescued */
  bool full;                 /* a write failed: disk full or an I/O error; it is reported */
  struct shk_stream *digest; /* digest of values written or read; NULL: none (statements.h) */
};

/* Returns the path, or a name for a store in memory. */
const char *shk_store_name(const struct shk_store *store);
/* Sets a message for the last failure of SQLite, and returns false. */
bool shk_store_failed(struct shk_store *store, struct shk_message *error);

/* Creates the objects of the schema (schema.sql) in an empty file. */
bool shk_schema_make(struct shk_store *store, struct shk_message *error);
/* Checks that the store has this program's version and exactly these objects: stores are untrusted
 * input. False with the reason. */
bool shk_schema_check(struct shk_store *store, struct shk_message *error);

/* Returns the hash by which rows are found from the text of a cell. */
int64_t shk_store_text_hash(const char *text);

#endif
