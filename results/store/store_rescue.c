/*
 * A store whose file goes, or is written over, while it is written. The connection still has the file, and its log, until
 * it is closed: all that was written is copied from there. The log that is left under the old name
 * would make a new file of that name unreadable, and goes first.
 */
#include "foundation/memory.h"
#include "results/store/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what becomes of the file ---- */

/* The first bytes of the file as they are on the disk, through the connection: a descriptor of our
 * own, when closed, would take its locks along. What is missing is zero. */
static void read_head(struct shk_store *store, unsigned char *head)
{
  sqlite3_file *file = NULL;
  memset(head, 0, SHK_HEAD_BYTES);
  sqlite3_file_control(store->database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (file && file->pMethods)
    file->pMethods->xRead(file, head, SHK_HEAD_BYTES, 0);
}

static void note_head(struct shk_store *store)
{
  struct shk_message ignored;
  read_head(store, store->file.head);
  shk_store_number(store, &store->file.others, "PRAGMA data_version", &ignored);
}

/* The file itself is written when the log is brought into it, and at no other time. */
static bool is_overwritten(struct shk_store *store)
{
  unsigned char head[SHK_HEAD_BYTES];
  struct shk_message ignored;
  long others = store->file.others;
  read_head(store, head);
  if (memcmp(head, store->file.head, sizeof head) == 0)
    return false;
  /* Someone may work on it by SQLite, which is no harm. */
  shk_store_number(store, &others, "PRAGMA data_version", &ignored);
  const bool by_others = others != store->file.others;
  if (by_others)
    note_head(store);
  return !by_others;
}

static bool leads_here(const struct shk_store *store)
{
  struct stat named;
  return stat(store->path, &named) == 0 && named.st_ino == store->file.inode &&
         named.st_dev == store->file.device;
}

bool shk_store_in_place(struct shk_store *store)
{
  return !store->path || (leads_here(store) && !is_overwritten(store));
}

/* As SQLite does by itself, but not into what somebody else has put there. */
static int log_grew(void *user, sqlite3 *database, const char *name, int pages)
{
  enum { MOST_PAGES = 1000 };
  struct shk_store *const store = user;
  if (pages >= MOST_PAGES && shk_store_in_place(store)) {
    sqlite3_wal_checkpoint_v2(database, name, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    note_head(store);
  }
  return SQLITE_OK;
}

void shk_store_watch(struct shk_store *store)
{
  struct stat named;
  if (!store->path || stat(store->path, &named) != 0)
    return;
  store->file.inode = named.st_ino;
  store->file.device = named.st_dev;
  note_head(store);
  if (store->lock >= 0)
    sqlite3_wal_hook(store->database, log_grew, store);
}

/* ---- what can be saved ---- */

/* All of the store as a plain file of that name. */
static bool copy_to(struct shk_store *store, const char *path)
{
  sqlite3 *to = NULL;
  sqlite3_backup *const backup = sqlite3_open(path, &to) == SQLITE_OK
                                     ? sqlite3_backup_init(to, "main", store->database, "main")
                                     : NULL;
  bool ok = backup && sqlite3_backup_step(backup, -1) == SQLITE_DONE;
  sqlite3_backup_finish(backup);
  ok = ok && sqlite3_exec(to, "PRAGMA journal_mode=DELETE", NULL, NULL, NULL) == SQLITE_OK;
  return sqlite3_close(to) == SQLITE_OK && ok;
}

static void remove_log(const struct shk_store *store)
{
  static const char *const ends[] = {"-wal", "-shm"};
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
    char *const name = shk_print_text("%s%s", store->path, ends[i]);
    unlink(name);
    free(name);
  }
}

/* What was in the file is gone, and the log alone makes no store. Nothing more is written to what has
 * the name now. */
static void give_up(struct shk_store *store, struct shk_message *what)
{
  sqlite3_db_config(store->database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  remove_log(store);
  shk_message_set(
      what,
      "%s: was overwritten while it was written: what it had is lost, and what is there "
      "now is left alone",
      store->path);
}

void shk_store_rescue(struct shk_store *store, struct shk_message *what)
{
  store->lost = true;
  if (leads_here(store)) {
    give_up(store, what);
    return;
  }
  char *const aside = shk_print_text("%s-rescued-%ld", store->path, (long)getpid());
  const long count = shk_store_record_count(store);
  const char *const plural = count == 1 ? "" : "s";
  const bool taken = access(store->path, F_OK) == 0;
  const bool copied = copy_to(store, aside);
  if (copied && !taken)
    remove_log(store);
  if (copied && !taken && rename(aside, store->path) == 0)
    shk_message_set(what,
                    "%s: was removed or moved while it was written: what it had, %ld "
                    "record%s, is written there anew, and the same command goes on",
                    store->path, count, plural);
  else if (copied)
    shk_message_set(what,
                    "%s: was replaced by another file while it was written: what it had, %ld "
                    "record%s, is in %s",
                    store->path, count, plural, aside);
  else
    shk_message_set(what,
                    "%s: was removed or moved while it was written, and nothing can be written "
                    "there anew: if its folder was moved, what it had, %ld record%s, is in it",
                    store->path, count, plural);
  if (!copied)
    unlink(aside);
  free(aside);
}
