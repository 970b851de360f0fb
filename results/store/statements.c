/* Statements of a store. See statements.h. */
#include "results/store/statements.h"
#include "foundation/memory.h"
#include "results/store/store_private.h"
#include <math.h>
#include <string.h>

/* Returns the statement of this text, reset and with nothing bound; NULL if there cannot be one. */
static sqlite3_stmt *kept(struct shk_store *store, const char *sql)
{
  int i = 0;
  while (i < SHK_KEPT_STATEMENTS - 1 && store->kept[i].sql && strcmp(store->kept[i].sql, sql) != 0)
    i++;
  if (store->kept[i].sql && strcmp(store->kept[i].sql, sql) == 0) {
    sqlite3_reset(store->kept[i].statement);
    sqlite3_clear_bindings(store->kept[i].statement);
    return store->kept[i].statement;
  }
  /* If all places are taken, the last one is used again. */
  sqlite3_finalize(store->kept[i].statement);
  store->kept[i].statement = NULL;
  store->kept[i].sql = NULL;
  if (sqlite3_prepare_v2(store->database, sql, -1, &store->kept[i].statement, NULL) == SQLITE_OK)
    store->kept[i].sql = sql;
  return store->kept[i].statement;
}

static int bind(sqlite3_stmt *statement, int at, const struct shk_sql_value *value)
{
  switch (value->kind) {
  case SHK_SQL_TEXT:
    return sqlite3_bind_text(statement, at, value->bytes, -1, SQLITE_STATIC);
  case SHK_SQL_BYTES:
    return sqlite3_bind_blob64(statement, at, value->bytes, value->size, SQLITE_STATIC);
  case SHK_SQL_INTEGER:
    return sqlite3_bind_int64(statement, at, value->integer);
  case SHK_SQL_REAL:
    return sqlite3_bind_double(statement, at, value->real);
  case SHK_SQL_END:
    break;
  }
  return SQLITE_OK;
}

sqlite3_stmt *shk_store_ask(struct shk_store *store, const char *sql,
                            const struct shk_sql_value *values, struct shk_message *error)
{
  sqlite3_stmt *const statement = kept(store, sql);
  bool ok = statement;
  for (int i = 0; ok && values && values[i].kind != SHK_SQL_END; i++)
    ok = bind(statement, i + 1, &values[i]) == SQLITE_OK;
  if (!ok)
    shk_store_failed(store, error);
  return ok ? statement : NULL;
}

bool shk_store_next(struct shk_store *store, sqlite3_stmt *statement, bool *ok,
                    struct shk_message *error)
{
  const int code = statement ? sqlite3_step(statement) : SQLITE_MISUSE;
  *ok = code == SQLITE_ROW || code == SQLITE_DONE;
  if (statement && !*ok)
    shk_store_failed(store, error);
  if (code != SQLITE_ROW)
    sqlite3_reset(statement);
  return code == SQLITE_ROW;
}

bool shk_store_run(struct shk_store *store, const char *sql, const struct shk_sql_value *values,
                   struct shk_message *error)
{
  bool ok;
  shk_store_next(store, shk_store_ask(store, sql, values, error), &ok, error);
  return ok;
}

bool shk_store_number(struct shk_store *store, long *value, const char *sql,
                      const struct shk_sql_value *values, struct shk_message *error)
{
  bool ok;
  sqlite3_stmt *const statement = shk_store_ask(store, sql, values, error);
  if (shk_store_next(store, statement, &ok, error))
    *value = (long)sqlite3_column_int64(statement, 0);
  sqlite3_reset(statement);
  return ok;
}

bool shk_store_execute(struct shk_store *store, const char *sql, struct shk_message *error)
{
  return sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK ||
         shk_store_failed(store, error);
}

bool shk_store_end(struct shk_store *store, bool ok, struct shk_message *error)
{
  ok = ok && shk_store_execute(store, "COMMIT", error);
  if (!ok)
    sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
  return ok;
}

const char *shk_store_column(sqlite3_stmt *statement, int column)
{
  const unsigned char *text = sqlite3_column_text(statement, column);
  return text ? (const char *)text : "";
}

char *shk_store_copy(sqlite3_stmt *statement, int column)
{
  return shk_copy_text((const char *)sqlite3_column_text(statement, column));
}

double shk_store_real(sqlite3_stmt *statement, int column)
{
  return sqlite3_column_type(statement, column) == SQLITE_NULL
             ? NAN
             : sqlite3_column_double(statement, column);
}
