/* Runs the SQL statements of a store. See statements.h. */
#include "results/store/statements.h"
#include "foundation/memory.h"
#include "results/store/store_private.h"
#include <math.h>
#include <stdarg.h>
#include <string.h>

/* Returns the prepared statement for an SQL string, reset and without bound values, or NULL on
 * failure. SQLite maintains the list of statements. */
static sqlite3_stmt *kept_statement(struct shk_store *store, const char *sql)
{
  sqlite3_stmt *statement = NULL;
  while ((statement = sqlite3_next_stmt(store->database, statement)) &&
         strcmp(sqlite3_sql(statement), sql) != 0)
    continue;
  if (statement) {
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
  } else {
    sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL);
  }
  return statement;
}

static void digest_text(struct shk_store *store, const char *text)
{
  if (store->digest)
    shk_pass_text(store->digest, (char *[]){(char *)(text ? text : "")});
}

static void digest_real(struct shk_store *store, double real)
{
  if (store->digest)
    shk_pass_real(store->digest, &real);
}

static void digest_integer(struct shk_store *store, int64_t integer)
{
  if (store->digest)
    shk_pass_numbers(store->digest, &integer, 1, 64);
}

static int bind(struct shk_store *store, sqlite3_stmt *statement, int at, char type,
                va_list *values)
{
  const void *bytes;
  int64_t integer;
  double real;
  switch (type) {
  case 't':
    bytes = va_arg(*values, const char *);
    digest_text(store, bytes);
    return sqlite3_bind_text(statement, at, bytes, -1, SQLITE_STATIC);
  case 'b':
    bytes = va_arg(*values, const void *);
    return sqlite3_bind_blob64(statement, at, bytes, va_arg(*values, size_t), SQLITE_STATIC);
  case 'r':
    real = va_arg(*values, double);
    digest_real(store, real);
    return sqlite3_bind_double(statement, at, real);
  case 'x':
    return sqlite3_bind_int64(statement, at, va_arg(*values, int64_t));
  default:
    integer = type == 'l' ? va_arg(*values, int64_t) : va_arg(*values, int);
    digest_integer(store, integer);
    return sqlite3_bind_int64(statement, at, integer);
  }
}

static sqlite3_stmt *ask_statements(struct shk_store *store, struct shk_message *error,
                                    const char *sql, const char *types, va_list *values)
{
  sqlite3_stmt *const statement = kept_statement(store, sql);
  bool ok = statement;
  for (int i = 0; ok && types[i] != '\0'; i++)
    ok = bind(store, statement, i + 1, types[i], values) == SQLITE_OK;
  if (!ok)
    shk_store_failed(store, error);
  return ok ? statement : NULL;
}

sqlite3_stmt *shk_store_ask(struct shk_store *store, struct shk_message *error, const char *sql,
                            const char *types, ...)
{
  va_list values;
  va_start(values, types);
  sqlite3_stmt *const statement = ask_statements(store, error, sql, types, &values);
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
  shk_store_next(store, ask_statements(store, error, sql, types, &values), &ok, error);
  va_end(values);
  return ok;
}

bool shk_store_number(struct shk_store *store, struct shk_message *error, int64_t *value,
                      const char *sql, const char *types, ...)
{
  bool ok;
  va_list values;
  va_start(values, types);
  sqlite3_stmt *const statement = ask_statements(store, error, sql, types, &values);
  va_end(values);
  if (shk_store_next(store, statement, &ok, error))
    shk_store_row(store, statement, "l", value);
  sqlite3_reset(statement);
  return ok;
}

bool shk_store_execute(struct shk_store *store, const char *sql, struct shk_message *error)
{
  return sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK ||
         shk_store_failed(store, error);
}

/* Stores a numeric column in a variable of the corresponding type. */
static void read_number(struct shk_store *store, sqlite3_stmt *statement, int at, char type,
                        va_list *to)
{
  const int64_t integer = sqlite3_column_int64(statement, at);
  if (type == 'r') {
    const bool is_null = sqlite3_column_type(statement, at) == SQLITE_NULL;
    const double real = is_null ? NAN : sqlite3_column_double(statement, at);
    digest_real(store, real);
    *va_arg(*to, double *) = real;
    return;
  }
  if (type != 'x')
    digest_integer(store, integer);
  if (type == 'f')
    *va_arg(*to, bool *) = integer != 0;
  else if (type == 'i')
    *va_arg(*to, int *) = (int)integer;
  else
    *va_arg(*to, int64_t *) = integer;
}

/* Stores a string or byte column in a variable of the corresponding type. */
static void read_bytes(struct shk_store *store, sqlite3_stmt *statement, int at, char type,
                       va_list *to)
{
  const void *const bytes =
      type == 'b' ? sqlite3_column_blob(statement, at) : sqlite3_column_text(statement, at);
  const char *const text = bytes ? bytes : "";
  const size_t size = (size_t)sqlite3_column_bytes(statement, at);
  char *buffer;
  if (type == 'b') {
    buffer = shk_allocate(size + 1, 1);
    *va_arg(*to, char **) = memcpy(buffer, text, size);
    *va_arg(*to, size_t *) = size;
    return;
  }
  digest_text(store, text);
  if (type == 't') {
    *va_arg(*to, char **) = shk_copy_text(bytes);
  } else if (type == 'c') {
    *va_arg(*to, const char **) = text;
  } else {
    buffer = va_arg(*to, char *);
    shk_text_fit(buffer, va_arg(*to, size_t), text);
  }
}

void shk_store_row(struct shk_store *store, sqlite3_stmt *statement, const char *types, ...)
{
  va_list to;
  va_start(to, types);
  for (int i = 0; types[i] != '\0'; i++)
    if (strchr("tcsb", types[i]))
      read_bytes(store, statement, i, types[i], &to);
    else
      read_number(store, statement, i, types[i], &to);
  va_end(to);
}
