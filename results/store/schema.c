/* The schema of a store. See schema.h. */
#include "results/store/schema.h"
#include "foundation/memory.h"
#include "results/pack/pack.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORD(packed)                                                                             \
  "CREATE TABLE record(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, "                         \
  "cell TEXT NOT NULL, problem TEXT NOT NULL, integrator TEXT NOT NULL, "                          \
  "precision TEXT NOT NULL, step TEXT, tolerance TEXT, until TEXT NOT NULL, "                      \
  "status TEXT NOT NULL, reason TEXT NOT NULL, ending INTEGER NOT NULL, "                          \
  "detail INTEGER NOT NULL, output TEXT, dropped INTEGER NOT NULL, "                               \
  "seconds REAL NOT NULL, limit_seconds REAL NOT NULL, "                                           \
  "limit_megabytes REAL NOT NULL, date TEXT NOT NULL, "                                            \
  "provenance INTEGER REFERENCES provenance(id), request TEXT NOT NULL, "                          \
  "outcome TEXT NOT NULL, " packed ") STRICT"

#define RECORD_BY_CELL "CREATE INDEX record_by_cell ON record(cell)"

#define ANSWER                                                                                     \
  "CREATE TABLE answer(study TEXT NOT NULL REFERENCES study(name) ON DELETE CASCADE, "             \
  "question TEXT NOT NULL, reply TEXT NOT NULL, PRIMARY KEY(study, question)) STRICT, "            \
  "WITHOUT ROWID"

enum { APPLICATION_ID = 0x5368616b /* "Shak" */ };

static const struct shk_schema_object objects[] = {
    {2, 5, "study",
     "CREATE TABLE study(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, "
     "path TEXT NOT NULL, text TEXT NOT NULL, date TEXT NOT NULL) STRICT"},
    {2, 5, "provenance",
     "CREATE TABLE provenance(id INTEGER PRIMARY KEY, version TEXT NOT NULL, "
     "revision TEXT NOT NULL, source TEXT NOT NULL, compiler TEXT NOT NULL, "
     "flags TEXT NOT NULL, processor TEXT NOT NULL, system TEXT NOT NULL, "
     "libraries TEXT NOT NULL, plugins TEXT NOT NULL, date TEXT NOT NULL, "
     "study TEXT) STRICT"},
    {2, 3, "record", RECORD("states TEXT")},
    {4, 5, "record", RECORD("states BLOB, series BLOB")},
    {2, 5, "record_by_cell", RECORD_BY_CELL},
    {2, 3, "series",
     "CREATE TABLE series(record INTEGER NOT NULL REFERENCES record(id) ON DELETE "
     "CASCADE, position INTEGER NOT NULL, name TEXT NOT NULL, intervals BLOB NOT NULL, "
     "PRIMARY KEY(record, position)) STRICT, WITHOUT ROWID"},
    {2, 5, "analysis",
     "CREATE TABLE analysis(study TEXT PRIMARY KEY NOT NULL, basis TEXT NOT NULL, "
     "date TEXT NOT NULL) STRICT"},
    {2, 5, "finding",
     "CREATE TABLE finding(study TEXT NOT NULL REFERENCES analysis(study) ON DELETE CASCADE, "
     "position INTEGER NOT NULL, problem TEXT NOT NULL, integrator TEXT NOT NULL, "
     "precision TEXT NOT NULL, quantity TEXT NOT NULL, value REAL, word TEXT, "
     "uncertainty REAL, floor REAL, adaptive INTEGER NOT NULL, chaotic INTEGER NOT NULL, "
     "expected TEXT, verdict INTEGER NOT NULL, reason TEXT, "
     "PRIMARY KEY(study, position)) STRICT, WITHOUT ROWID"},
    {3, 5, "answer", ANSWER},
};

/* States and series are packed: pack_text and pack_series are add_packers'. */
#define PACKED                                                                                     \
  "CREATE TEMP TABLE old AS SELECT *, (SELECT pack_series(name, intervals) FROM series "           \
  "WHERE record=record.id) FROM record;"                                                           \
  "DROP TABLE series; DROP TABLE record;" RECORD(                                                  \
      "states BLOB, series BLOB") ";" RECORD_BY_CELL                                               \
                                  ";UPDATE old SET states=pack_text(states); INSERT INTO record "  \
                                  "SELECT * FROM old; DROP TABLE old"

/* States of version 4 are texts that are deflated as they are, which are read as well. */
#define MAY_HAVE_COLUMNS "SELECT 1"

static const char *const steps[] = {ANSWER, PACKED, MAY_HAVE_COLUMNS};

/* Version 1 was never released. */
const struct shk_schema shk_store_schema = {.oldest = 2,
                                            .version = 5,
                                            .object_count = sizeof objects / sizeof objects[0],
                                            .objects = objects,
                                            .steps = steps};

bool shk_store_number(struct shk_store *store, long *value, const char *sql,
                      struct shk_message *error)
{
  sqlite3_stmt *statement = shk_store_prepare(store, sql, error);
  bool ok = false;
  if (statement) {
    ok = sqlite3_step(statement) == SQLITE_ROW;
    if (ok)
      *value = (long)sqlite3_column_int64(statement, 0);
    else
      shk_store_failed(store, error);
  }
  sqlite3_finalize(statement);
  return ok;
}

static bool is_of(const struct shk_schema_object *object, int version)
{
  return object->first <= version && version <= object->last;
}

static bool check_version(struct shk_store *store, struct shk_message *error)
{
  const struct shk_schema *const schema = store->schema;
  long application = 0, version = 0;
  if (!shk_store_number(store, &application, "PRAGMA application_id", error) ||
      !shk_store_number(store, &version, "PRAGMA user_version", error))
    return false;
  if (application != APPLICATION_ID) {
    shk_message_set(error, "%s: is not a store: an SQLite file of another application",
                    store->path);
    return false;
  }
  if (version < schema->oldest || version > schema->version) {
    shk_message_set(
        error, "%s: has schema version %ld, and this program reads %s %d: %s", store->path, version,
        schema->oldest < schema->version ? "versions up to" : "version", schema->version,
        version > schema->version ? "it was written by a newer one"
                                  : "no release wrote that version");
    return false;
  }
  store->version = (int)version;
  return true;
}

/* The number of the version's objects; as many must be found. */
static int count_objects(const struct shk_schema *schema, int version)
{
  int count = 0;
  for (int i = 0; i < schema->object_count; i++)
    count += is_of(&schema->objects[i], version);
  return count;
}

static bool is_known(const struct shk_schema *schema, int version, const char *name,
                     const char *sql)
{
  for (int i = 0; i < schema->object_count; i++) {
    const struct shk_schema_object *const object = &schema->objects[i];
    if (is_of(object, version) && strcmp(name, object->name) == 0 && strcmp(sql, object->sql) == 0)
      return true;
  }
  return false;
}

bool shk_schema_check(struct shk_store *store, struct shk_message *error)
{
  if (!check_version(store, error))
    return false;
  sqlite3_stmt *statement =
      shk_store_prepare(store, "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL", error);
  if (!statement)
    return false;
  int known = 0, code;
  bool ok = true;
  while (ok && (code = sqlite3_step(statement)) == SQLITE_ROW) {
    const char *const name = shk_store_column(statement, 0);
    ok = is_known(store->schema, store->version, name, shk_store_column(statement, 1));
    known += ok;
    if (!ok)
      shk_message_set(error, "%s: is not read: its schema has a strange object \"%.64s\"",
                      store->path, name);
  }
  if (ok && code != SQLITE_DONE)
    ok = shk_store_failed(store, error);
  sqlite3_finalize(statement);
  if (ok && known != count_objects(store->schema, store->version)) {
    shk_message_set(error, "%s: is not a whole store: tables are missing", store->path);
    ok = false;
  }
  return ok;
}

static bool set_number(struct shk_store *store, const char *pragma, int value,
                       struct shk_message *error)
{
  char sql[64];
  snprintf(sql, sizeof sql, "PRAGMA %s=%d", pragma, value);
  return shk_store_execute(store, sql, error);
}

bool shk_schema_make(struct shk_store *store, struct shk_message *error)
{
  const struct shk_schema *const schema = store->schema;
  if (!shk_store_execute(store, "BEGIN IMMEDIATE", error) ||
      !set_number(store, "application_id", APPLICATION_ID, error) ||
      !set_number(store, "user_version", schema->version, error))
    return false;
  for (int i = 0; i < schema->object_count; i++)
    if (is_of(&schema->objects[i], schema->version) &&
        !shk_store_execute(store, schema->objects[i].sql, error))
      return false;
  store->version = schema->version;
  return shk_store_execute(store, "COMMIT", error);
}

static void pack_text(sqlite3_context *context, int count, sqlite3_value **values)
{
  (void)count;
  const char *const text = (const char *)sqlite3_value_text(values[0]);
  size_t size;
  if (text) {
    void *const blob = shk_pack_text(text, &size);
    sqlite3_result_blob64(context, blob, size, free);
  }
}

/* The series of a record, one after the other; versions before the fourth have doubles as they are. */
static void gather_series(sqlite3_context *context, int count, sqlite3_value **values)
{
  (void)count;
  struct shk_outcome *const outcome = sqlite3_aggregate_context(context, sizeof *outcome);
  const size_t intervals = (size_t)sqlite3_value_bytes(values[1]) / 4 / sizeof(double);
  if (!outcome) {
    sqlite3_result_error_nomem(context);
    return;
  }
  const struct shk_series *const series =
      shk_outcome_add_series(outcome, (const char *)sqlite3_value_text(values[0]), (int)intervals);
  if (intervals > 0)
    memcpy(series->time, sqlite3_value_blob(values[1]), 4 * intervals * sizeof(double));
}

static void pack_series(sqlite3_context *context)
{
  struct shk_outcome *const outcome = sqlite3_aggregate_context(context, 0);
  size_t size;
  if (outcome) {
    void *const blob = shk_pack_series(outcome, &size);
    sqlite3_result_blob64(context, blob, size, free);
    shk_outcome_drop_series(outcome);
  }
}

/* What steps call. */
static bool add_packers(struct shk_store *store, struct shk_message *error)
{
  const int flags = SQLITE_UTF8 | SQLITE_DIRECTONLY;
  return (sqlite3_create_function(store->database, "pack_text", 1, flags, NULL, pack_text, NULL,
                                  NULL) == SQLITE_OK &&
          sqlite3_create_function(store->database, "pack_series", 2, flags, NULL, NULL,
                                  gather_series, pack_series) == SQLITE_OK) ||
         shk_store_failed(store, error);
}

/* All or nothing: a kill on the way leaves the old version. */
bool shk_schema_migrate(struct shk_store *store, struct shk_message *error)
{
  const struct shk_schema *const schema = store->schema;
  bool ok = add_packers(store, error) && shk_store_execute(store, "BEGIN IMMEDIATE", error);
  for (int version = store->version; ok && version < schema->version; version++)
    ok = shk_store_execute(store, schema->steps[version - schema->oldest], error);
  ok = ok && set_number(store, "user_version", schema->version, error) &&
       shk_store_execute(store, "COMMIT", error);
  if (ok)
    return shk_schema_check(store, error); /* as if it were a stranger's */
  sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
  return false;
}
