/* What the files of the store share. */
#ifndef RESULTS_STORE_STORE_PRIVATE_H
#define RESULTS_STORE_STORE_PRIVATE_H

#include "results/record/stream.h"
#include "results/store/store.h"
#include <sqlite3.h>
#include <stdint.h>
#include <sys/types.h>

enum { SHK_KEPT_STATEMENTS = 48 };

struct shk_store {
  sqlite3 *database;
  char *path;
  int lock; /* descriptor of the lock file, -1 without */
  char *lock_path;
  struct {
    ino_t inode;
    dev_t device;
  } file;                    /* that is written */
  bool lost;                 /* the path leads to it no longer */
  bool full;                 /* a write to the disk has failed, which was told */
  struct shk_stream *digest; /* of what is written or read; NULL: none is made (statements.h) */
  struct {
    const char *sql;
    sqlite3_stmt *statement;
  } kept[SHK_KEPT_STATEMENTS]; /* filled from the front */
};

/* The path, or what stands for it. */
const char *shk_store_name(const struct shk_store *store);
/* Puts "PATH: what SQLite says" into the message; false always. */
bool shk_store_failed(struct shk_store *store, struct shk_message *error);

/* The schema, of this program's version (schema.sql). */
/* Makes the objects in a file without any. */
bool shk_schema_make(struct shk_store *store, struct shk_message *error);
/* False with the reason unless the store has this version and exactly its objects: what is opened
 * may come from a stranger. */
bool shk_schema_check(struct shk_store *store, struct shk_message *error);

/* Notes which file it is that the path leads to (store_rescue.c). */
void shk_store_watch(struct shk_store *store);

/* What rows of a cell's text are looked up by. */
int64_t shk_store_text_hash(const char *text);
/* Puts a record in place of one with the same key, within a transaction. */
bool shk_store_insert(struct shk_store *store, const struct shk_record *record, const char *text,
                      struct shk_message *error);

#endif
