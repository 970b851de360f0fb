/*
 * A store whose file goes while it is written: moved away, removed, or replaced. The connection
 * still has the file, and its log, until it is closed: all that was written is copied from there.
 * The log that is left under the old name would make a new file of that name unreadable, and goes
 * first.
 */
#include "foundation/memory.h"
#include "results/store/store_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

bool shk_store_in_place(struct shk_store *store)
{
  struct stat named;
  return !store->path || (stat(store->path, &named) == 0 && named.st_ino == store->file.inode &&
                          named.st_dev == store->file.device);
}

void shk_store_watch(struct shk_store *store)
{
  struct stat named;
  if (!store->path || stat(store->path, &named) != 0)
    return;
  store->file.inode = named.st_ino;
  store->file.device = named.st_dev;
}

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

void shk_store_rescue(struct shk_store *store, struct shk_message *what)
{
  store->lost = true;
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
