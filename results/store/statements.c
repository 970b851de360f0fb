/* Statements of a store. See statements.h. */
#include "results/store/statements.h"
#include "foundation/memory.h"
#include "results/store/store_private.h"
#include <math.h>
#include <stdarg.h>
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

static int bind(sqlite3_stmt *statement, int at, char type, va_list *values)
{
  const void *bytes;
  switch (type) {
  case 't':
    return sqlite3_bind_text(statement, at, va_arg(*values, const char *), -1, SQLITE_STATIC);
  case 'b':
    bytes = va_arg(*values, const void *);
    return sqlite3_bind_blob64(statement, at, bytes, va_arg(*values, size_t), SQLITE_STATIC);
  case 'r':
    return sqlite3_bind_double(statement, at, va_arg(*values, double));
  case 'l':
    return sqlite3_bind_int64(statement, at, va_arg(*values, int64_t));
  default:
    return sqlite3_bind_int(statement, at, va_arg(*values, int));
  }
}

static sqlite3_stmt *ask(struct shk_store *store, struct shk_message *error, const char *sql,
                         const char *types, va_list *values)
{
  sqlite3_stmt *const statement = kept(store, sql);
  bool ok = statement;
  for (int i = 0; ok && types[i] != '\0'; i++)
    ok = bind(statement, i + 1, types[i], values) == SQLITE_OK;
  if (!ok)
    shk_store_failed(store, error);
  return ok ? statement : NULL;
}

sqlite3_stmt *shk_store_ask(struct shk_store *store, struct shk_message *error, const char *sql,
                            const char *types, ...)
{
  va_list values;
  va_start(values, types);
  sqlite3_stmt *const statement = ask(store, error, sql, types, &values);
  va_end(values);
  return statement;
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

bool shk_store_run(struct shk_store *store, struct shk_message *error, const char *sql,
                   const char *types, ...)
{
  bool ok;
  va_list values;
  va_start(values, types);
  shk_store_next(store, ask(store, error, sql, types, &values), &ok, error);
  va_end(values);
  return ok;
}

bool shk_store_number(struct shk_store *store, struct shk_message *error, int64_t *value,
                      const char *sql, const char *types, ...)
{
  bool ok;
  va_list values;
  va_start(values, types);
  sqlite3_stmt *const statement = ask(store, error, sql, types, &values);
  va_end(values);
  if (shk_store_next(store, statement, &ok, error))
    shk_store_row(statement, "l", value);
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

/* A column to where the arguments of its letter say. */
static void read_column(sqlite3_stmt *statement, int at, char type, va_list *to)
{
  /* Of a number SQLite would make a text, and forget the number. */
  const void *const bytes = type == 'b'           ? sqlite3_column_blob(statement, at)
                            : strchr("tcs", type) ? sqlite3_column_text(statement, at)
                                                  : NULL;
  const char *const text = bytes ? bytes : "";
  char *buffer;
  size_t size;
  switch (type) {
  case 't':
    *va_arg(*to, char **) = shk_copy_text(bytes);
    break;
  case 'c':
    *va_arg(*to, const char **) = text;
    break;
  case 's':
    buffer = va_arg(*to, char *);
    shk_text_fit(buffer, va_arg(*to, size_t), text);
    break;
  case 'b':
    size = (size_t)sqlite3_column_bytes(statement, at);
    buffer = shk_allocate(size + 1, 1);
    *va_arg(*to, char **) = memcpy(buffer, text, size);
    *va_arg(*to, size_t *) = size;
    break;
  case 'f':
    *va_arg(*to, bool *) = sqlite3_column_int(statement, at) != 0;
    break;
  case 'i':
    *va_arg(*to, int *) = sqlite3_column_int(statement, at);
    break;
  case 'l':
    *va_arg(*to, int64_t *) = sqlite3_column_int64(statement, at);
    break;
  default:
    *va_arg(*to, double *) = sqlite3_column_type(statement, at) == SQLITE_NULL
                                 ? NAN
                                 : sqlite3_column_double(statement, at);
  }
}

void shk_store_row(sqlite3_stmt *statement, const char *types, ...)
{
  va_list to;
  va_start(to, types);
  for (int i = 0; types[i] != '\0'; i++)
    read_column(statement, i, types[i], &to);
  va_end(to);
}
