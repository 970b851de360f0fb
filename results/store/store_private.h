/* Declarations shared by the files that implement the store. */
#ifndef RESULTS_STORE_STORE_PRIVATE_H
#define RESULTS_STORE_STORE_PRIVATE_H

#include "results/record/stream.h"
#include "results/store/store.h"
#include <sqlite3.h>
#include <stdint.h>

struct shk_store {
  sqlite3 *database;
  char *path;
  int lock; /* descriptor of the lock file, or -1 if there is none */
  char *lock_path;
  /* true if the path no longer refers to the file and the store was rescued */
  bool lost;
  /* true once a write failure caused by a full disk or an I/O error has been reported */
  bool full;
  /* digest of the values being written or read (statements.h), or NULL */
  struct shk_stream *digest;
};

/* Returns the path, or a name for a store in memory. */
const char *shk_store_name(const struct shk_store *store);
/* Sets a message that describes SQLite's latest failure, and returns false. */
bool shk_store_failed(struct shk_store *store, struct shk_message *error);

/* Creates the objects of the schema (schema.sql) in an empty file. */
bool shk_schema_make(struct shk_store *store, struct shk_message *error);
/* Checks that the store has the schema version of this program and contains exactly these objects,
 * because stores are untrusted input. On failure, returns false and sets the reason. */
bool shk_schema_check(struct shk_store *store, struct shk_message *error);

/* Returns the hash of a cell's string, which is used to find rows. */
int64_t shk_store_text_hash(const char *text);

#endif
