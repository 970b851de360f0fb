/*
 * Opens, checks and closes a store. See store.h.
 */
#include "foundation/memory.h"
#include "results/store/statements.h"
#include "results/store/store_private.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUSY_MILLISECONDS = 5000 };
#define CANNOT_OPEN                                                                                \
  "%s: cannot be opened: %s; check the permissions of the file and of its folder (a store left "   \
  "by an interrupted run needs a writable folder)"

const char *shk_store_name(const struct shk_store *store)
{
  return store->path ? store->path : "store in memory";
}

/* Returns the cause of a failed read or write. SQLite 3.46 reports the system error for a short
 * write; SQLite 3.40 does not. */
static const char *cause_of(int fault)
{
  struct rlimit limit;
  if (fault == EFBIG ||
      (fault == 0 && getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY))
    return "the limit on the file size (ulimit -f) has been reached";
  return fault == 0 ? "the system reports no cause" : strerror(fault);
}

/* Message formats. Their arguments are the name of the store, SQLite's message, and the cause. */
static const struct {
  int code;
  const char *format;
} failures[] = {
    {SQLITE_NOTADB, "%s: is not a store, because it is not an SQLite file"},
    {SQLITE_CORRUPT, "%s: is damaged: %s; restore a copy, or run the study into a new store"},
    {SQLITE_CONSTRAINT, "%s: is damaged: %s; restore a copy, or run the study into a new store"},
    {SQLITE_FULL, "%s: the disk is full; everything recorded so far is kept"},
    {SQLITE_IOERR, "%s: %s: %s; everything recorded so far is kept"},
    {SQLITE_CANTOPEN, CANNOT_OPEN},
    {SQLITE_READONLY, CANNOT_OPEN},
    {0, "%s: %s"}};

bool shk_store_failed(struct shk_store *store, struct shk_message *error)
{
  const int fault = sqlite3_system_errno(store->database);
  int code = sqlite3_errcode(store->database) & 0xFF, i = 0;
  store->full = store->full || code == SQLITE_FULL || code == SQLITE_IOERR;
  if (code == SQLITE_IOERR && (fault == ENOSPC || fault == EDQUOT))
    code = SQLITE_FULL;
  while (failures[i].code != 0 && failures[i].code != code)
    i++;
  return shk_message_set(error, failures[i].format, shk_store_name(store),
                         sqlite3_errmsg(store->database), cause_of(fault));
}

static void finalize_all(struct shk_store *store)
{
  sqlite3_stmt *statement;
  while (store->database && (statement = sqlite3_next_stmt(store->database, NULL)) != NULL)
    sqlite3_finalize(statement);
}

/* ---- the lock ---- */

/* Locks the store. Because the owner of the lock removes the lock file, the function must check
 * that the locked file is still the one at this path. The lock belongs to the descriptor (it is an
 * OFD lock), so it is not affected when SQLite calls open and close. */
static bool take_lock(struct shk_store *store, struct shk_message *error)
{
  store->lock_path = shk_print_text("%s-lock", store->path);
  for (;;) {
    store->lock = open(store->lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (store->lock < 0)
      return shk_message_set(error, "%s: cannot be written: %s: %s", store->path, store->lock_path,
                             strerror(errno));
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(store->lock, F_OFD_SETLK, &lock)) {
      const bool taken = errno == EAGAIN || errno == EACCES;
      shk_message_set(
          error, taken ? "%s: is being written by another run%s" : "%s: cannot be locked: %s",
          store->path,
          taken ? "; wait for it to end, or choose another store with -o" : strerror(errno));
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

/* ---- the file ---- */

/* Configures the connection before the file is read, so that nothing in the file can execute code
 * or call functions. */
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

static bool open_database(struct shk_store *store, enum shk_store_mode mode,
                          struct shk_message *error)
{
  struct stat file;
  const bool exists = store->path && stat(store->path, &file) == 0;
  if (exists && !S_ISREG(file.st_mode))
    return shk_message_set(error, "%s: not a regular file; expected a store", store->path);
  if (store->path && !exists && mode == SHK_STORE_READ)
    return shk_message_set(error, "%s: %s", store->path, strerror(errno));
  /* At the beginning and the end of a run, the store is changed without a write-ahead log. A run
   * that is killed at such a moment leaves a journal behind. A reader with write permission rolls
   * the journal back; SQLite ensures that no process is writing. A reader does not change the file
   * in any other way. */
  const char *const name = store->path ? store->path : ":memory:";
  const int flags = SQLITE_OPEN_READWRITE | (mode == SHK_STORE_WRITE ? SQLITE_OPEN_CREATE : 0);
  if (sqlite3_open_v2(name, &store->database, flags, NULL) != SQLITE_OK)
    return shk_store_failed(store, error);
  if (mode == SHK_STORE_WRITE && sqlite3_db_readonly(store->database, "main") == 1)
    return shk_message_set(error, "%s: is read-only", store->path);
  int off;
  if (!be_careful(store, error) ||
      (mode == SHK_STORE_READ &&
       (!shk_store_execute(store, "PRAGMA query_only=ON", error) ||
        sqlite3_db_config(store->database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, &off))))
    return false;
  /* The number of pages is queried from SQLite, which first rolls back the changes of a run that
   * was killed while creating the file. The size of such a file does not reveal that it is
   * empty. */
  long pages = 0;
  if (!shk_store_number(store, error, &pages, "PRAGMA page_count", ""))
    return false;
  if (pages == 0 && mode == SHK_STORE_WRITE && !shk_schema_make(store, error))
    return false;
  if (store->path && !shk_schema_check(store, error))
    return false;
  return mode == SHK_STORE_READ ||
         shk_store_execute(
             store, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16000",
             error);
}

static void release_store_open(struct shk_store *store)
{
  finalize_all(store);
  sqlite3_close(store->database);
  release_lock(store);
  free(store->lock_path);
  free(store->path);
  free(store);
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
  release_store_open(store);
  return NULL;
}

bool shk_store_close(struct shk_store *store, struct shk_message *error)
{
  if (!store)
    return true;
  bool ok = true;
  const bool told = store->full;
  finalize_all(store);
  if (store->path && store->lock >= 0 && !store->lost) {
    /* If another process is reading the file, the file stays in WAL mode, and the next writer
     * converts it back. */
    ok = shk_store_execute(store, "PRAGMA wal_checkpoint(TRUNCATE)", error);
    sqlite3_busy_timeout(store->database, 0);
    const int code = sqlite3_exec(store->database, "PRAGMA journal_mode=DELETE", NULL, NULL, NULL);
    if (ok && code != SQLITE_OK && code != SQLITE_BUSY && code != SQLITE_LOCKED)
      ok = shk_store_failed(store, error);
  }
  release_store_open(store);
  return ok || told;
}
