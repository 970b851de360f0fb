/*
 * Opening, checking and closing a store. See store.h.
 */
#include "foundation/memory.h"
#include "results/store/store_private.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { APPLICATION_ID = 0x5368616b /* "Shak" */, SCHEMA_VERSION = 2, BUSY_MILLISECONDS = 5000 };

/* The columns of version 1; later ones follow them. */
#define RECORD_OF_1                                                                                \
  "CREATE TABLE record(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, "                         \
  "cell TEXT NOT NULL, problem TEXT NOT NULL, integrator TEXT NOT NULL, "                          \
  "precision TEXT NOT NULL, step TEXT, tolerance TEXT, until TEXT NOT NULL, "                      \
  "status TEXT NOT NULL, reason TEXT NOT NULL, ending INTEGER NOT NULL, "                          \
  "detail INTEGER NOT NULL, output TEXT, dropped INTEGER NOT NULL, "                               \
  "seconds REAL NOT NULL, limit_seconds REAL NOT NULL, "                                           \
  "limit_megabytes REAL NOT NULL, date TEXT NOT NULL, "                                            \
  "provenance INTEGER REFERENCES provenance(id), request TEXT NOT NULL, "                          \
  "outcome TEXT NOT NULL"

/* Exactly the objects of its version, and no others, are in a store. */
static const struct {
  int first, last; /* the versions that have it */
  const char *name, *sql;
} schema[] = {
    {1, 2, "study",
     "CREATE TABLE study(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, "
     "path TEXT NOT NULL, text TEXT NOT NULL, date TEXT NOT NULL) STRICT"},
    {1, 2, "provenance",
     "CREATE TABLE provenance(id INTEGER PRIMARY KEY, version TEXT NOT NULL, "
     "revision TEXT NOT NULL, source TEXT NOT NULL, compiler TEXT NOT NULL, "
     "flags TEXT NOT NULL, processor TEXT NOT NULL, system TEXT NOT NULL, "
     "libraries TEXT NOT NULL, plugins TEXT NOT NULL, date TEXT NOT NULL, "
     "study TEXT) STRICT"},
    {1, 1, "record", RECORD_OF_1 ") STRICT"},
    {2, 2, "record", RECORD_OF_1 ", states TEXT) STRICT"},
    {1, 2, "record_by_cell", "CREATE INDEX record_by_cell ON record(cell)"},
    {1, 2, "series",
     "CREATE TABLE series(record INTEGER NOT NULL REFERENCES record(id) ON DELETE "
     "CASCADE, position INTEGER NOT NULL, name TEXT NOT NULL, intervals BLOB NOT NULL, "
     "PRIMARY KEY(record, position)) STRICT, WITHOUT ROWID"},
    {2, 2, "analysis",
     "CREATE TABLE analysis(study TEXT PRIMARY KEY NOT NULL, basis TEXT NOT NULL, "
     "date TEXT NOT NULL) STRICT"},
    {2, 2, "finding",
     "CREATE TABLE finding(study TEXT NOT NULL REFERENCES analysis(study) ON DELETE CASCADE, "
     "position INTEGER NOT NULL, problem TEXT NOT NULL, integrator TEXT NOT NULL, "
     "precision TEXT NOT NULL, quantity TEXT NOT NULL, value REAL, word TEXT, "
     "uncertainty REAL, floor REAL, adaptive INTEGER NOT NULL, chaotic INTEGER NOT NULL, "
     "expected TEXT, verdict INTEGER NOT NULL, reason TEXT, "
     "PRIMARY KEY(study, position)) STRICT, WITHOUT ROWID"},
};
enum { OBJECTS = sizeof schema / sizeof schema[0] };

static const char *store_name(const struct shk_store *store)
{
  return store->path ? store->path : "store in memory";
}

bool shk_store_failed(const struct shk_store *store, struct shk_message *error)
{
  const int code = sqlite3_errcode(store->database);
  const int fault = sqlite3_system_errno(store->database);
  const char *name = store_name(store);
  const bool full = (code & 0xFF) == SQLITE_IOERR && (fault == ENOSPC || fault == EDQUOT);
  switch (full ? SQLITE_FULL : code & 0xFF) {
  case SQLITE_NOTADB:
    shk_message_set(error, "%s: is not a store: not an SQLite file", name);
    break;
  case SQLITE_CORRUPT:
    shk_message_set(error, "%s: is damaged: %s; restore a copy, or run the study into a new store",
                    name, sqlite3_errmsg(store->database));
    break;
  case SQLITE_FULL:
    shk_message_set(error, "%s: the disk is full; everything recorded so far stays", name);
    break;
  case SQLITE_IOERR: {
    /* SQLite forgets the system's word for a write that was cut short. */
    struct rlimit limit;
    const bool limited =
        fault == 0 && getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    shk_message_set(error, "%s: %s: %s; everything recorded so far stays", name,
                    sqlite3_errmsg(store->database),
                    limited      ? "the limit on the size of files (ulimit -f) is reached"
                    : fault == 0 ? "the system does not say why"
                                 : strerror(fault));
    break;
  }
  case SQLITE_CANTOPEN:
  case SQLITE_READONLY:
    shk_message_set(error,
                    "%s: cannot be opened: %s; check its permissions and its folder's (a store "
                    "left by an interrupted run needs a folder that can be written)",
                    name, sqlite3_errmsg(store->database));
    break;
  default:
    shk_message_set(error, "%s: %s", name, sqlite3_errmsg(store->database));
  }
  return false;
}

sqlite3_stmt *shk_store_prepare(struct shk_store *store, const char *sql, struct shk_message *error)
{
  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL) != SQLITE_OK) {
    shk_store_failed(store, error);
    return NULL;
  }
  return statement;
}

sqlite3_stmt *shk_store_kept(struct shk_store *store, const char *sql, struct shk_message *error)
{
  int i = 0;
  while (i < SHK_KEPT_STATEMENTS - 1 && store->kept[i].sql && strcmp(store->kept[i].sql, sql) != 0)
    i++;
  if (store->kept[i].sql && strcmp(store->kept[i].sql, sql) == 0) {
    sqlite3_reset(store->kept[i].statement);
    sqlite3_clear_bindings(store->kept[i].statement);
    return store->kept[i].statement;
  }
  /* With all places taken the last one changes hands. */
  sqlite3_finalize(store->kept[i].statement);
  store->kept[i].sql = NULL;
  store->kept[i].statement = shk_store_prepare(store, sql, error);
  if (store->kept[i].statement)
    store->kept[i].sql = sql;
  return store->kept[i].statement;
}

bool shk_store_run(struct shk_store *store, sqlite3_stmt *statement, struct shk_message *error)
{
  const bool good = sqlite3_step(statement) == SQLITE_DONE;
  if (!good)
    shk_store_failed(store, error);
  sqlite3_reset(statement);
  return good;
}

static void finalize_kept(struct shk_store *store)
{
  for (int i = 0; i < SHK_KEPT_STATEMENTS; i++) {
    sqlite3_finalize(store->kept[i].statement);
    store->kept[i].statement = NULL;
    store->kept[i].sql = NULL;
  }
}

bool shk_store_execute(struct shk_store *store, const char *sql, struct shk_message *error)
{
  if (sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK)
    return true;
  return shk_store_failed(store, error);
}

const char *shk_store_column(sqlite3_stmt *statement, int column)
{
  const unsigned char *text = sqlite3_column_text(statement, column);
  return text ? (const char *)text : "";
}

/* ---- the lock ---- */

/* The lock file is removed by whoever holds it; so after locking it must still be the one that the
 * name leads to. Its lock is the descriptor's own: SQLite's open and close calls do not touch it.
 */
static bool take_lock(struct shk_store *store, struct shk_message *error)
{
  store->lock_path = shk_print_text("%s-lock", store->path);
  for (;;) {
    store->lock = open(store->lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (store->lock < 0) {
      shk_message_set(error, "%s: cannot be written: %s: %s", store->path, store->lock_path,
                      strerror(errno));
      return false;
    }
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(store->lock, F_OFD_SETLK, &lock)) {
      const bool taken = errno == EAGAIN || errno == EACCES;
      shk_message_set(
          error, taken ? "%s: is being written by another run%s" : "%s: cannot be locked: %s",
          store->path, taken ? "; wait for it, or choose another store by -o" : strerror(errno));
      close(store->lock);
      store->lock = -1;
      return false;
    }
    struct stat held, named;
    if (fstat(store->lock, &held) == 0 && stat(store->lock_path, &named) == 0 &&
        held.st_ino == named.st_ino && held.st_dev == named.st_dev)
      return true;
    close(store->lock);
  }
}

static void release_lock(struct shk_store *store)
{
  if (store->lock >= 0) {
    unlink(store->lock_path);
    close(store->lock);
    store->lock = -1;
  }
}

/* ---- the schema ---- */

static bool read_number(struct shk_store *store, long *value, const char *sql,
                        struct shk_message *error)
{
  sqlite3_stmt *statement = shk_store_prepare(store, sql, error);
  bool good = false;
  if (statement) {
    good = sqlite3_step(statement) == SQLITE_ROW;
    if (good)
      *value = (long)sqlite3_column_int64(statement, 0);
    else
      shk_store_failed(store, error);
  }
  sqlite3_finalize(statement);
  return good;
}

static bool is_of(int object, int version)
{
  return schema[object].first <= version && version <= schema[object].last;
}

static bool check_schema(struct shk_store *store, struct shk_message *error)
{
  long application = 0, version = 0;
  if (!read_number(store, &application, "PRAGMA application_id", error) ||
      !read_number(store, &version, "PRAGMA user_version", error))
    return false;
  if (application != APPLICATION_ID) {
    shk_message_set(error, "%s: is not a store: an SQLite file of another application",
                    store->path);
    return false;
  }
  if (version < 1 || version > SCHEMA_VERSION) {
    shk_message_set(error, "%s: has schema version %ld, and this program reads versions 1 to %d%s",
                    store->path, version, SCHEMA_VERSION,
                    version > SCHEMA_VERSION ? ": it was written by a newer one" : "");
    return false;
  }
  store->version = (int)version;
  sqlite3_stmt *statement =
      shk_store_prepare(store, "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL", error);
  if (!statement)
    return false;
  int known = 0, expected = 0, code;
  bool good = true;
  for (int i = 0; i < OBJECTS; i++)
    expected += is_of(i, store->version);
  while (good && (code = sqlite3_step(statement)) == SQLITE_ROW) {
    const char *name = shk_store_column(statement, 0), *sql = shk_store_column(statement, 1);
    good = false;
    for (int i = 0; !good && i < OBJECTS; i++)
      good = is_of(i, store->version) && strcmp(name, schema[i].name) == 0 &&
             strcmp(sql, schema[i].sql) == 0;
    known += good;
    if (!good)
      shk_message_set(error, "%s: is not read: its schema has a strange object \"%.64s\"",
                      store->path, name);
  }
  if (good && code != SQLITE_DONE)
    good = shk_store_failed(store, error);
  sqlite3_finalize(statement);
  if (good && known != expected) {
    shk_message_set(error, "%s: is not a whole store: tables are missing", store->path);
    good = false;
  }
  return good;
}

static bool make_schema(struct shk_store *store, struct shk_message *error)
{
  char pragmas[96];
  snprintf(pragmas, sizeof pragmas, "PRAGMA application_id=%d; PRAGMA user_version=%d",
           APPLICATION_ID, SCHEMA_VERSION);
  if (!shk_store_execute(store, "BEGIN IMMEDIATE", error) ||
      !shk_store_execute(store, pragmas, error))
    return false;
  for (int i = 0; i < OBJECTS; i++)
    if (is_of(i, SCHEMA_VERSION) && !shk_store_execute(store, schema[i].sql, error))
      return false;
  store->version = SCHEMA_VERSION;
  return shk_store_execute(store, "COMMIT", error);
}

/* ---- from one version to the next ---- */

/* All or nothing: a kill on the way leaves the old version. */
static bool migrate(struct shk_store *store, struct shk_message *error)
{
  char pragma[48];
  snprintf(pragma, sizeof pragma, "PRAGMA user_version=%d", SCHEMA_VERSION);
  bool good =
      shk_store_execute(store, "BEGIN IMMEDIATE", error) &&
      shk_store_execute(store,
                        "ALTER TABLE record ADD COLUMN states TEXT;"
                        "UPDATE record SET states=" SHK_STATES_SQL_1 ", outcome=" SHK_OUTCOME_SQL_1,
                        error);
  for (int i = 0; good && i < OBJECTS; i++)
    if (!is_of(i, 1) && strcmp(schema[i].name, "record") != 0)
      good = shk_store_execute(store, schema[i].sql, error);
  good =
      good && shk_store_execute(store, pragma, error) && shk_store_execute(store, "COMMIT", error);
  if (good)
    return check_schema(store, error); /* as if it were a stranger's */
  sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
  return false;
}

/* Before anything of the file is read: nothing in it may run code or call what we do not call. */
static bool be_careful(struct shk_store *store, struct shk_message *error)
{
  sqlite3 *database = store->database;
  int on;
  sqlite3_busy_timeout(database, BUSY_MILLISECONDS);
  if (sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, &on) != SQLITE_OK ||
      sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, &on) != SQLITE_OK ||
      sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, &on) != SQLITE_OK ||
      sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, &on) != SQLITE_OK)
    return shk_store_failed(store, error);
  return shk_store_execute(
      store, "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0; PRAGMA foreign_keys=ON", error);
}

static bool open_connection(struct shk_store *store, int flags, struct shk_message *error)
{
  const char *name = store->path ? store->path : ":memory:";
  return sqlite3_open_v2(name, &store->database, flags, NULL) == SQLITE_OK ||
         shk_store_failed(store, error);
}

/* A run that was killed while it changed the file without a write-ahead log, at its beginning or
 * its end, leaves a journal by which that is taken back. Whoever only reads may not, so that one
 * connection is made that may; SQLite sees to it that nobody is writing. */
static bool take_back(struct shk_store *store, struct shk_message *error)
{
  sqlite3_exec(store->database, "PRAGMA schema_version", NULL, NULL, NULL);
  if (sqlite3_extended_errcode(store->database) != SQLITE_READONLY_ROLLBACK)
    return true;
  sqlite3_close(store->database);
  store->database = NULL;
  if (open_connection(store, SQLITE_OPEN_READWRITE, error) && be_careful(store, error))
    sqlite3_exec(store->database, "PRAGMA schema_version", NULL, NULL, NULL);
  sqlite3_close(store->database);
  store->database = NULL;
  return open_connection(store, SQLITE_OPEN_READONLY, error);
}

static bool open_database(struct shk_store *store, enum shk_store_mode mode,
                          struct shk_message *error)
{
  struct stat file;
  if (store->path) {
    if (stat(store->path, &file) == 0) {
      if (!S_ISREG(file.st_mode)) {
        shk_message_set(error, "%s: is not a file", store->path);
        return false;
      }
    } else if (mode == SHK_STORE_READ) {
      shk_message_set(error, "%s: %s", store->path, strerror(errno));
      return false;
    }
  }
  const int flags =
      mode == SHK_STORE_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  if (!open_connection(store, flags, error) || (mode == SHK_STORE_READ && !take_back(store, error)))
    return false;
  if (mode == SHK_STORE_WRITE && sqlite3_db_readonly(store->database, "main") == 1) {
    shk_message_set(error, "%s: is read-only", store->path);
    return false;
  }
  if (!be_careful(store, error))
    return false;
  /* Asked of SQLite, for it takes back what a run did that was killed while it made the file: the
   * size alone does not tell such a file from one with something in it. */
  long pages = 0;
  if (!read_number(store, &pages, "PRAGMA page_count", error))
    return false;
  if (pages == 0 && mode == SHK_STORE_WRITE && !make_schema(store, error))
    return false;
  if (store->path && !check_schema(store, error))
    return false;
  if (mode == SHK_STORE_READ)
    return true;
  return shk_store_execute(store, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL", error) &&
         (store->version == SCHEMA_VERSION || migrate(store, error));
}

struct shk_store *shk_store_open(const char *path, enum shk_store_mode mode,
                                 struct shk_message *error)
{
  struct shk_store *store = shk_allocate(1, sizeof *store);
  store->lock = -1;
  store->path = shk_copy_text(path);
  if ((!path || mode == SHK_STORE_READ || take_lock(store, error)) &&
      open_database(store, mode, error))
    return store;
  finalize_kept(store);
  sqlite3_close(store->database);
  release_lock(store);
  free(store->lock_path);
  free(store->path);
  free(store);
  return NULL;
}

bool shk_store_close(struct shk_store *store, struct shk_message *error)
{
  if (!store)
    return true;
  bool good = true;
  finalize_kept(store);
  if (store->path && store->lock >= 0) {
    /* With a reader about it stays in WAL mode, which is no loss: the next writer tidies up. */
    good = shk_store_execute(store, "PRAGMA wal_checkpoint(TRUNCATE)", error);
    sqlite3_busy_timeout(store->database, 0);
    const int code = sqlite3_exec(store->database, "PRAGMA journal_mode=DELETE", NULL, NULL, NULL);
    if (good && code != SQLITE_OK && code != SQLITE_BUSY && code != SQLITE_LOCKED)
      good = shk_store_failed(store, error);
  }
  sqlite3_close(store->database);
  release_lock(store);
  free(store->lock_path);
  free(store->path);
  free(store);
  return good;
}
