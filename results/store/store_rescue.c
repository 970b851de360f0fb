/*
 * Rescues a store whose file is moved, removed or replaced while it is being written. The file and
 * its log stay open until the connection is closed, and all data are copied from these open files.
 * Because a log left under the old name would make a new file with that name unreadable, the log is
 * removed first.
 */
#include "foundation/memory.h"
#include "results/store/statements.h"
#include "results/store/store_private.h"

#include <stdlib.h>
#include <unistd.h>

bool shk_store_in_place(struct shk_store *store)
{
  int moved = 0;
  sqlite3_file_control(store->database, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return !moved;
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

static bool copy_to(struct shk_store *store, const char *path, struct shk_message *error)
{
  const bool ok = shk_store_run(store, error, "VACUUM INTO ?", "t", path);
  if (!ok)
    unlink(path);
  return ok;
}

void shk_store_rescue(struct shk_store *store, struct shk_message *what)
{
  store->lost = true;
  char *const aside = shk_print_text("%s-rescued-%ld", store->path, (long)getpid());
  char *place = NULL;
  const long count = shk_store_record_count(store);
  const bool taken = access(store->path, F_OK) == 0;
  if (!taken)
    remove_log(store);
  if (!taken && copy_to(store, store->path, what))
    place = shk_copy_text("written there again; the same command continues the run");
  else if (copy_to(store, aside, what))
    place = shk_print_text("in %s", aside);
  else
    place = shk_copy_text("kept only if its folder was moved, because no copy could be written");
  shk_message_set(what, "%s: was %s while it was being written: its contents, %ld record%s, are %s",
                  store->path, taken ? "replaced by another file" : "removed or moved", count,
                  count == 1 ? "" : "s", place);
  free(place);
  free(aside);
}
