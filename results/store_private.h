/* What the files of the store share. */
#ifndef RESULTS_STORE_PRIVATE_H
#define RESULTS_STORE_PRIVATE_H

#include "results/store.h"
#include <sqlite3.h>

struct shk_store {
  sqlite3 *database;
  char *path;
  int lock; /* descriptor of the lock file, -1 without */
  char *lock_path;
};

/* Puts "PATH: what SQLite says" into the message; false always. */
bool shk_store_failed(const struct shk_store *store, struct shk_message *error);

/* A prepared statement; NULL with the reason. */
sqlite3_stmt *shk_store_prepare(struct shk_store *store, const char *sql,
                                struct shk_message *error);
/* Runs fixed text. */
bool shk_store_execute(struct shk_store *store, const char *sql, struct shk_message *error);

/* The text of a column, never NULL. */
const char *shk_store_column(sqlite3_stmt *statement, int column);

#endif
