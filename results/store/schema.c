/* The schema of a store. See schema.h. */
#include "results/store/schema.h"
#include "results/store/statements.h"
#include <stdio.h>
#include <string.h>

enum { APPLICATION_ID = 0x5368616b /* "Shak" */ };

/* Of fields of outcomes. A real is ANY, and NULL for NaN: a column of REALs would lose the sign of
 * a zero. */
#define SQL_REAL "ANY"
#define SQL_COUNT "INTEGER NOT NULL"

static const struct {
  const char *name, *sql;
} objects[] = {
    {"studies", "CREATE TABLE studies(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, "
                "path TEXT NOT NULL, text TEXT NOT NULL, date TEXT NOT NULL, "
                "basis TEXT, analysed TEXT) STRICT"},
    {"provenance", "CREATE TABLE provenance(id INTEGER PRIMARY KEY, version TEXT NOT NULL, "
                   "revision TEXT NOT NULL, source TEXT NOT NULL, compiler TEXT NOT NULL, "
                   "flags TEXT NOT NULL, processor TEXT NOT NULL, system TEXT NOT NULL, "
                   "libraries TEXT NOT NULL, plugins TEXT NOT NULL, date TEXT NOT NULL, "
                   "study TEXT) STRICT"},
    {"cells", "CREATE TABLE cells(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, "
              "cell TEXT NOT NULL, cell_hash INTEGER NOT NULL, problem TEXT NOT NULL, "
              "integrator TEXT NOT NULL, precision TEXT NOT NULL, step TEXT, tolerance TEXT, "
              "until TEXT NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL, "
              "ending INTEGER NOT NULL, detail INTEGER NOT NULL, "
#define OUTCOME_FIELD(type, name, ...) #name " " SQL_##type ", "
#include "foundation/specifications/outcome.def"
#undef OUTCOME_FIELD
              "times TEXT NOT NULL, output TEXT, dropped INTEGER NOT NULL, "
              "seconds REAL NOT NULL, limit_seconds REAL NOT NULL, "
              "limit_megabytes REAL NOT NULL, date TEXT NOT NULL, "
              "provenance INTEGER REFERENCES provenance(id), hash INTEGER NOT NULL) STRICT"},
    {"cells_by_text", "CREATE INDEX cells_by_text ON cells(cell_hash)"},
    {"scalars",
     "CREATE TABLE scalars(cell INTEGER NOT NULL REFERENCES cells(id) ON DELETE CASCADE, "
     "position INTEGER NOT NULL, name TEXT NOT NULL, value ANY, "
     "PRIMARY KEY(cell, position)) STRICT, WITHOUT ROWID"},
    {"blobs", "CREATE TABLE blobs(id INTEGER PRIMARY KEY, "
              "cell INTEGER NOT NULL REFERENCES cells(id) ON DELETE CASCADE, kind TEXT NOT NULL, "
              "name TEXT NOT NULL, first INTEGER NOT NULL, rows INTEGER NOT NULL, "
              "columns INTEGER NOT NULL, bits INTEGER NOT NULL, hash INTEGER NOT NULL, "
              "data BLOB NOT NULL) STRICT"},
    {"blobs_of_cell", "CREATE INDEX blobs_of_cell ON blobs(cell)"},
    {"findings",
     "CREATE TABLE findings(study TEXT NOT NULL REFERENCES studies(name) ON DELETE CASCADE, "
     "position INTEGER NOT NULL, problem TEXT NOT NULL, integrator TEXT NOT NULL, "
     "precision TEXT NOT NULL, quantity TEXT NOT NULL, value REAL, word TEXT, "
     "uncertainty REAL, floor REAL, adaptive INTEGER NOT NULL, chaotic INTEGER NOT NULL, "
     "expected TEXT, verdict INTEGER NOT NULL, reason TEXT, "
     "PRIMARY KEY(study, position)) STRICT, WITHOUT ROWID"},
    {"said", "CREATE TABLE said(study TEXT NOT NULL REFERENCES studies(name) ON DELETE CASCADE, "
             "question TEXT NOT NULL, reply BLOB NOT NULL, PRIMARY KEY(study, question)) STRICT, "
             "WITHOUT ROWID"},
};
enum { OBJECTS = sizeof objects / sizeof objects[0] };

static bool check_version(struct shk_store *store, struct shk_message *error)
{
  long application = 0, version = 0;
  if (!shk_store_number(store, &application, "PRAGMA application_id", NULL, error) ||
      !shk_store_number(store, &version, "PRAGMA user_version", NULL, error))
    return false;
  if (application != APPLICATION_ID)
    shk_message_set(error, "%s: is not a store: an SQLite file of another application",
                    store->path);
  else if (version != SHK_STORE_VERSION)
    shk_message_set(error,
                    "%s: has schema version %ld, and this program reads version %d: run its study "
                    "again, `shakedown run STUDY -o NEW.db`",
                    store->path, version, SHK_STORE_VERSION);
  return application == APPLICATION_ID && version == SHK_STORE_VERSION;
}

static bool is_known(const char *name, const char *sql)
{
  for (int i = 0; i < OBJECTS; i++)
    if (strcmp(name, objects[i].name) == 0)
      return strcmp(sql, objects[i].sql) == 0;
  return false;
}

bool shk_schema_check(struct shk_store *store, struct shk_message *error)
{
  if (!check_version(store, error))
    return false;
  sqlite3_stmt *const statement = shk_store_ask(
      store, "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL", NULL, error);
  int known = 0;
  bool ok = true;
  while (ok && shk_store_next(store, statement, &ok, error)) {
    const char *const name = shk_store_column(statement, 0);
    ok = is_known(name, shk_store_column(statement, 1));
    known += ok;
    if (!ok)
      shk_message_set(error, "%s: is not read: its schema has a strange object \"%.64s\"",
                      store->path, name);
  }
  sqlite3_reset(statement);
  if (ok && known != OBJECTS) {
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
  if (!shk_store_execute(store, "BEGIN IMMEDIATE", error) ||
      !set_number(store, "application_id", APPLICATION_ID, error) ||
      !set_number(store, "user_version", SHK_STORE_VERSION, error))
    return false;
  for (int i = 0; i < OBJECTS; i++)
    if (!shk_store_execute(store, objects[i].sql, error))
      return false;
  return shk_store_execute(store, "COMMIT", error);
}
