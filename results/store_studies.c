/*
 * Studies and provenance of a store, and merging stores. See store.h.
 */
#include "foundation/memory.h"
#include "results/store_private.h"
#include <stdlib.h>
#include <string.h>

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

/* ---- merging ---- */

/* A merge under way. Rows are copied column by column as they are, but for their numbers. */
struct copy {
  struct shk_store *to, *from;
  long *mapped; /* old provenance row -> new row, 0 if not copied yet */
  long mapped_count;
  long added;
};

static bool bind_row(sqlite3_stmt *insert, sqlite3_stmt *row, int columns)
{
  for (int i = 0; i < columns; i++)
    if (sqlite3_bind_value(insert, i + 1, sqlite3_column_value(row, i)) != SQLITE_OK)
      return false;
  return true;
}

static bool map_provenance(struct copy *copy, long *row, struct shk_message *error)
{
  if (*row <= 0)
    return true;
  if (*row >= copy->mapped_count) {
    /* Rows are numbered from 1 without gaps in a store of ours; a stranger's number is not a size
     * to trust. */
    if (*row > 1000000) {
      shk_message_set(error, "%s: provenance row %ld is out of range",
                      copy->from->path ? copy->from->path : "store", *row);
      return false;
    }
    copy->mapped = shk_reallocate(copy->mapped, (size_t)*row + 1, sizeof *copy->mapped);
    memset(copy->mapped + copy->mapped_count, 0,
           (size_t)(*row + 1 - copy->mapped_count) * sizeof *copy->mapped);
    copy->mapped_count = *row + 1;
  }
  if (!copy->mapped[*row]) {
    struct shk_provenance provenance;
    if (!shk_store_provenance(copy->from, &provenance, *row, error))
      return false;
    copy->mapped[*row] = shk_store_add_provenance(copy->to, &provenance, error);
    shk_provenance_clear(&provenance);
  }
  *row = copy->mapped[*row];
  return *row > 0;
}

static bool copy_series(struct copy *copy, long old_row, long new_row, struct shk_message *error)
{
  sqlite3_stmt *select = shk_store_prepare(
      copy->from, "SELECT record, position, name, intervals FROM series WHERE record=?", error);
  sqlite3_stmt *insert = shk_store_prepare(
      copy->to, "INSERT INTO series(record, position, name, intervals) VALUES(?,?,?,?)", error);
  bool good = select && insert;
  if (good)
    sqlite3_bind_int64(select, 1, old_row);
  int code = SQLITE_DONE;
  while (good && (code = sqlite3_step(select)) == SQLITE_ROW) {
    good = bind_row(insert, select, 4) && sqlite3_bind_int64(insert, 1, new_row) == SQLITE_OK &&
           sqlite3_step(insert) == SQLITE_DONE;
    if (!good)
      shk_store_failed(copy->to, error);
    sqlite3_reset(insert);
  }
  if (good && code != SQLITE_DONE)
    good = shk_store_failed(copy->from, error);
  sqlite3_finalize(select);
  sqlite3_finalize(insert);
  return good;
}

#define RECORD_COLUMNS                                                                             \
  "key, cell, problem, integrator, precision, step, tolerance, until, status, reason, ending, "    \
  "detail, output, dropped, seconds, limit_seconds, limit_megabytes, date, provenance, request, "  \
  "outcome"
enum { RECORD_COLUMN_COUNT = 21, PROVENANCE_COLUMN = 18 };

static bool copy_record(struct copy *copy, sqlite3_stmt *select, sqlite3_stmt *insert,
                        struct shk_message *error)
{
  struct shk_stored stored;
  if (!shk_store_look(copy->to, &stored, shk_store_column(select, 0), shk_store_column(select, 1),
                      error))
    return false;
  if (stored.found)
    return true;
  long provenance = (long)sqlite3_column_int64(select, PROVENANCE_COLUMN);
  if (!map_provenance(copy, &provenance, error))
    return false;
  bool good = bind_row(insert, select, RECORD_COLUMN_COUNT);
  if (good && provenance > 0)
    good = sqlite3_bind_int64(insert, PROVENANCE_COLUMN + 1, provenance) == SQLITE_OK;
  good = good && sqlite3_step(insert) == SQLITE_DONE;
  if (!good)
    shk_store_failed(copy->to, error);
  sqlite3_reset(insert);
  if (!good)
    return false;
  copy->added++;
  return copy_series(copy, (long)sqlite3_column_int64(select, RECORD_COLUMN_COUNT),
                     (long)sqlite3_last_insert_rowid(copy->to->database), error);
}

static bool copy_all(struct copy *copy, struct shk_message *error)
{
  sqlite3_stmt *select =
      shk_store_prepare(copy->from, "SELECT " RECORD_COLUMNS ", id FROM record ORDER BY id", error);
  sqlite3_stmt *insert = shk_store_prepare(copy->to,
                                           "INSERT INTO record(" RECORD_COLUMNS
                                           ") VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) "
                                           "ON CONFLICT(key) DO NOTHING",
                                           error);
  bool good = select && insert;
  int code = SQLITE_DONE;
  while (good && (code = sqlite3_step(select)) == SQLITE_ROW)
    good = copy_record(copy, select, insert, error);
  if (good && code != SQLITE_DONE)
    good = shk_store_failed(copy->from, error);
  sqlite3_finalize(select);
  sqlite3_finalize(insert);
  if (!good)
    return false;

  struct shk_stored_study *studies;
  int count;
  if (!shk_store_studies(copy->from, &studies, &count, error))
    return false;
  sqlite3_stmt *study = shk_store_prepare(copy->to,
                                          "INSERT INTO study(name, path, text, date) "
                                          "VALUES(?,?,?,?) ON CONFLICT(name) DO NOTHING",
                                          error);
  good = study;
  for (int i = 0; good && i < count; i++) {
    bind(study, 1, studies[i].name);
    bind(study, 2, studies[i].path);
    bind(study, 3, studies[i].text);
    bind(study, 4, studies[i].date);
    good = sqlite3_step(study) == SQLITE_DONE || shk_store_failed(copy->to, error);
    sqlite3_reset(study);
  }
  sqlite3_finalize(study);
  shk_stored_studies_free(studies, count);
  return good;
}

bool shk_store_merge(struct shk_store *store, struct shk_store *from, long *added,
                     struct shk_message *error)
{
  struct copy copy = {.to = store, .from = from};
  *added = 0;
  if (!shk_store_execute(store, "BEGIN IMMEDIATE", error))
    return false;
  const bool good = copy_all(&copy, error) && shk_store_execute(store, "COMMIT", error);
  free(copy.mapped);
  if (good)
    *added = copy.added;
  else
    sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
  return good;
}
