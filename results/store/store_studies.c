/*
 * Studies and provenance of a store. See store.h.
 */
#include "foundation/memory.h"
#include "results/store/store_private.h"
#include <stdlib.h>

static void bind(sqlite3_stmt *statement, int at, const char *text)
{
  sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
}

static bool finish(struct shk_store *store, sqlite3_stmt *statement, struct shk_message *error)
{
  const bool good = sqlite3_step(statement) == SQLITE_DONE;
  if (!good)
    shk_store_failed(store, error);
  sqlite3_finalize(statement);
  return good;
}

bool shk_store_add_study(struct shk_store *store, const char *name, const char *path,
                         const char *text, struct shk_message *error)
{
  sqlite3_stmt *statement = shk_store_prepare(
      store,
      "INSERT INTO study(name, path, text, date) VALUES(?,?,?,?) ON CONFLICT(name) DO UPDATE SET "
      "path=excluded.path, text=excluded.text, date=excluded.date",
      error);
  if (!statement)
    return false;
  char *date = shk_date_now();
  bind(statement, 1, name);
  bind(statement, 2, path ? path : "");
  bind(statement, 3, text);
  bind(statement, 4, date);
  const bool good = finish(store, statement, error);
  free(date);
  return good;
}

bool shk_store_studies(struct shk_store *store, struct shk_stored_study **studies, int *count,
                       struct shk_message *error)
{
  *studies = NULL;
  *count = 0;
  sqlite3_stmt *statement =
      shk_store_prepare(store, "SELECT name, path, text, date FROM study ORDER BY id", error);
  if (!statement)
    return false;
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    *studies = shk_grow(*studies, (size_t)*count, sizeof **studies);
    (*studies)[(*count)++] = (struct shk_stored_study){
        .name = shk_copy_text(shk_store_column(statement, 0)),
        .path = shk_copy_text(shk_store_column(statement, 1)),
        .text = shk_copy_text(shk_store_column(statement, 2)),
        .date = shk_copy_text(shk_store_column(statement, 3)),
    };
  }
  sqlite3_finalize(statement);
  if (code == SQLITE_DONE)
    return true;
  shk_stored_studies_free(*studies, *count);
  *studies = NULL;
  *count = 0;
  return shk_store_failed(store, error);
}

void shk_stored_studies_free(struct shk_stored_study *studies, int count)
{
  for (int i = 0; i < count; i++) {
    free(studies[i].name);
    free(studies[i].path);
    free(studies[i].text);
    free(studies[i].date);
  }
  free(studies);
}

/* The columns of the table, in its order. */
static void provenance_texts(const char *texts[11], const struct shk_provenance *provenance)
{
  texts[0] = provenance->version;
  texts[1] = provenance->revision;
  texts[2] = provenance->source;
  texts[3] = provenance->compiler;
  texts[4] = provenance->flags;
  texts[5] = provenance->processor;
  texts[6] = provenance->system;
  texts[7] = provenance->libraries;
  texts[8] = provenance->plugins;
  texts[9] = provenance->date;
  texts[10] = provenance->study_text;
}

long shk_store_add_provenance(struct shk_store *store, const struct shk_provenance *provenance,
                              struct shk_message *error)
{
  sqlite3_stmt *statement = shk_store_prepare(
      store,
      "INSERT INTO provenance(version, revision, source, compiler, flags, processor, system, "
      "libraries, plugins, date, study) VALUES(?,?,?,?,?,?,?,?,?,?,?)",
      error);
  if (!statement)
    return 0;
  const char *texts[11];
  provenance_texts(texts, provenance);
  for (int i = 0; i < 11; i++)
    bind(statement, i + 1, texts[i]);
  return finish(store, statement, error) ? (long)sqlite3_last_insert_rowid(store->database) : 0;
}

bool shk_store_provenance(struct shk_store *store, struct shk_provenance *provenance, long row,
                          struct shk_message *error)
{
  *provenance = (struct shk_provenance){0};
  sqlite3_stmt *statement = shk_store_prepare(
      store,
      "SELECT version, revision, source, compiler, flags, processor, system, libraries, plugins, "
      "date, study FROM provenance WHERE id=?",
      error);
  if (!statement)
    return false;
  sqlite3_bind_int64(statement, 1, row);
  const int code = sqlite3_step(statement);
  if (code == SQLITE_ROW) {
    char **const to[] = {&provenance->version,  &provenance->revision,  &provenance->source,
                         &provenance->compiler, &provenance->flags,     &provenance->processor,
                         &provenance->system,   &provenance->libraries, &provenance->plugins,
                         &provenance->date,     &provenance->study_text};
    for (int i = 0; i < 11; i++)
      *to[i] = shk_copy_text((const char *)sqlite3_column_text(statement, i));
  } else if (code == SQLITE_DONE) {
    shk_message_set(error, "there is no provenance %ld", row);
  } else {
    shk_store_failed(store, error);
  }
  sqlite3_finalize(statement);
  return code == SQLITE_ROW;
}
