/*
 * Changes records of a store in the program's own format, for tests of readers:
 *
 *     alter STORE number ROW NAME VALUE   a number of the record in that row
 *     alter STORE texts TEXT              reason and output of all records that did not end well
 *
 * Exit status 0 if anything was changed.
 */
#include "foundation/memory.h"
#include "results/record/cell_text.h"
#include "results/store/statements.h"
#include "results/store/store_private.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct found {
  long row;
  char *key, *cell;
};

static int list(struct shk_store *store, struct found **all, struct shk_message *error)
{
  sqlite3_stmt *const statement =
      shk_store_ask(store, error, "SELECT id, key, cell FROM cells ORDER BY id", "");
  int count = 0;
  bool ok;
  while (shk_store_next(store, statement, &ok, error)) {
    *all = shk_grow(*all, (size_t)count, sizeof **all);
    struct found *const one = &(*all)[count++];
    shk_store_row(store, statement, "ltt", &one->row, &one->key, &one->cell);
  }
  return count;
}

static bool change(struct shk_record *record, char **words)
{
  struct shk_outcome *const outcome = &record->outcome;
  if (strcmp(words[0], "texts") == 0) {
    outcome->code = SHK_STOPPED;
    shk_text_fit(outcome->reason, sizeof outcome->reason, words[1]);
    free(record->output);
    record->output = shk_copy_text(words[1]);
    return true;
  }
  for (int i = 0; i < outcome->scalar_count; i++)
    if (strcmp(outcome->scalars[i].name, words[2]) == 0) {
      outcome->scalars[i].value = strtod(words[3], NULL);
      return true;
    }
  return false;
}

/* A record that was read has no whole cell. */
static bool put(struct shk_store *store, struct shk_record *record, const char *cell,
                struct shk_message *error)
{
  shk_cell_clear(&record->cell);
  return shk_cell_read(&record->cell, cell, error) && shk_store_begin(store, error) &&
         shk_store_end(store, shk_store_insert(store, record, error), error);
}

int main(int argc, char **argv)
{
  struct shk_message error = {""};
  struct shk_store *const store =
      argc >= 4 ? shk_store_open(argv[1], SHK_STORE_WRITE, &error) : NULL;
  struct found *all = NULL;
  const int count = store ? list(store, &all, &error) : 0;
  int changed = 0;
  for (int i = 0; i < count; i++) {
    struct shk_record *record = NULL;
    const bool wanted = strcmp(argv[2], "texts") == 0 || (argc == 6 && all[i].row == atol(argv[3]));
    if (wanted && shk_store_find(store, &record, all[i].key, all[i].cell, &error) && record)
      changed += change(record, argv + 2) && put(store, record, all[i].cell, &error);
    if (record)
      shk_record_clear(record);
    free(record);
    free(all[i].key);
    free(all[i].cell);
  }
  free(all);
  if (store)
    shk_store_close(store, &error);
  if (error.text[0] != '\0')
    fprintf(stderr, "alter: %s\n", error.text);
  return changed > 0 ? 0 : 1;
}
