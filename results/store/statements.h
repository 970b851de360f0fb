/*
 * Statements of a store: each is prepared once and kept until the store closes. A statement is in
 * use from shk_store_ask until its last row was read or it was reset, and one text is in use once.
 */
#ifndef RESULTS_STORE_STATEMENTS_H
#define RESULTS_STORE_STATEMENTS_H

#include "foundation/message.h"
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shk_store;

/* A value for a parameter. It is not copied: it has to last while the statement is in use. */
struct shk_sql_value {
  enum { SHK_SQL_END, SHK_SQL_TEXT, SHK_SQL_BYTES, SHK_SQL_INTEGER, SHK_SQL_REAL } kind;
  const void *bytes;
  size_t size;
  int64_t integer;
  double real;
};

/* The values of a statement, in the order of its parameters. */
#define SHK_SQL(...) ((const struct shk_sql_value[]){__VA_ARGS__, {.kind = SHK_SQL_END}})

/* NULL is an SQL NULL. */
static inline struct shk_sql_value shk_sql_text(const char *text)
{
  return (struct shk_sql_value){.kind = SHK_SQL_TEXT, .bytes = text};
}

static inline struct shk_sql_value shk_sql_bytes(const void *bytes, size_t size)
{
  return (struct shk_sql_value){.kind = SHK_SQL_BYTES, .bytes = bytes, .size = size};
}

static inline struct shk_sql_value shk_sql_integer(int64_t integer)
{
  return (struct shk_sql_value){.kind = SHK_SQL_INTEGER, .integer = integer};
}

/* NaN is an SQL NULL. */
static inline struct shk_sql_value shk_sql_real(double real)
{
  return (struct shk_sql_value){.kind = SHK_SQL_REAL, .real = real};
}

/* A statement with these values, to be read by shk_store_next; NULL with the reason. `values` NULL:
 * it has no parameters. */
sqlite3_stmt *shk_store_ask(struct shk_store *store, const char *sql,
                            const struct shk_sql_value *values, struct shk_message *error);
/* Goes to the next row. False at the end, which resets the statement; *ok is false with the reason
 * if it ended by a failure, or if the statement is NULL. */
bool shk_store_next(struct shk_store *store, sqlite3_stmt *statement, bool *ok,
                    struct shk_message *error);
/* Runs a statement that returns no rows. */
bool shk_store_run(struct shk_store *store, const char *sql, const struct shk_sql_value *values,
                   struct shk_message *error);
/* Reads the number that a statement returns. */
bool shk_store_number(struct shk_store *store, long *value, const char *sql,
                      const struct shk_sql_value *values, struct shk_message *error);

/* Runs several statements without parameters. */
bool shk_store_execute(struct shk_store *store, const char *sql, struct shk_message *error);
/* Commits a transaction where all is well so far, and takes it back where anything fails. */
bool shk_store_end(struct shk_store *store, bool ok, struct shk_message *error);

/* The text of a column, never NULL; a copy of it, NULL for an SQL NULL; its number, then NaN. */
const char *shk_store_column(sqlite3_stmt *statement, int column);
char *shk_store_copy(sqlite3_stmt *statement, int column);
double shk_store_real(sqlite3_stmt *statement, int column);

#endif
