/* The schema of a store. See store_private.h. */
#include "results/store/statements.h"
#include "results/store/store_private.h"
#include <string.h>

/* The application id "Shak" and the schema version, which are stored in the file header. */
#define APPLICATION_ID 1399349611
#define VERSION 12
#define QUOTED(number) #number
#define PRAGMA(name, number) "PRAGMA " #name "=" QUOTED(number) ";"

static const char head[] =
    "BEGIN IMMEDIATE;" PRAGMA(application_id, APPLICATION_ID) PRAGMA(user_version, VERSION);
/* The schema in the form in which SQLite stores it, with "; " appended to each object. */
static const char objects[] =
#define SQL_REAL "ANY, "
#define SQL_COUNT "INTEGER NOT NULL, "
#define OUTCOME_FIELD(type, name, ...) #name " " SQL_##type
#include "schema_sql.h"
#undef OUTCOME_FIELD
    ;

static bool check_version(struct shk_store *store, struct shk_message *error)
{
  long application = 0, version = 0;
  if (!shk_store_number(store, error, &application, "PRAGMA application_id", "") ||
      !shk_store_number(store, error, &version, "PRAGMA user_version", ""))
    return false;
  if (application != APPLICATION_ID)
    return shk_message_set(error, "%s: is not a store but an SQLite file of another application",
                           store->path);
  return version == VERSION ||
         shk_message_set(error,
                         "%s: has schema version %ld, but this program reads version %d; run its "
                         "study again with `shakedown run STUDY -o NEW.db`",
                         store->path, version, VERSION);
}

static bool is_known(const char *sql)
{
  const char *const at = strncmp(sql, "CREATE ", 7) == 0 ? strstr(objects, sql) : NULL;
  return at && at[strlen(sql)] == ';';
}

bool shk_schema_check(struct shk_store *store, struct shk_message *error)
{
  if (!check_version(store, error))
    return false;
  sqlite3_stmt *const statement =
      shk_store_ask(store, error, "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL", "");
  size_t known = 0;
  bool ok = true;
  while (ok && shk_store_next(store, statement, &ok, error)) {
    const char *name, *sql;
    shk_store_row(store, statement, "cc", &name, &sql);
    ok = is_known(sql) ||
         shk_message_set(
             error, "%s: found an unknown object \"%.64s\"; run the study again with -o NEW.db",
             store->path, name);
    known += strlen(sql) + 2;
  }
  sqlite3_reset(statement);
  return ok && (known >= strlen(objects) ||
                shk_message_set(error, "%s: is not a complete store, because tables are missing",
                                store->path));
}

bool shk_schema_make(struct shk_store *store, struct shk_message *error)
{
  return shk_store_execute(store, head, error) && shk_store_execute(store, objects, error) &&
         shk_store_execute(store, "COMMIT", error);
}
