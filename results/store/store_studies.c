/*
 * Studies and provenance of a store. See store.h.
 */
#include "foundation/memory.h"
#include "results/store/store_private.h"
#include <stdlib.h>
#include <string.h>

static void bind(sqlite3_stmt *statement, int at, const char *text)
{
  sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
}

static bool finish(struct shk_store *store, sqlite3_stmt *statement, struct shk_message *error)
{
  const bool ok = sqlite3_step(statement) == SQLITE_DONE;
  if (!ok)
    shk_store_failed(store, error);
  sqlite3_finalize(statement);
  return ok;
}

bool shk_store_add_study(struct shk_store *store, const char *name, const char *path,
                         const char *text, struct shk_message *error)
{
  sqlite3_stmt *statement = shk_store_prepare(
      store,
      "INSERT INTO studies(name, path, text, date) VALUES(?,?,?,?) ON CONFLICT(name) DO UPDATE SET "
      "path=excluded.path, text=excluded.text, date=excluded.date",
      error);
  if (!statement)
    return false;
  char *date = shk_date_now();
  bind(statement, 1, name);
  bind(statement, 2, path ? path : "");
  bind(statement, 3, text);
  bind(statement, 4, date);
  const bool ok = finish(store, statement, error);
  free(date);
  return ok;
}

bool shk_store_studies(struct shk_store *store, struct shk_stored_study **studies, int *count,
                       struct shk_message *error)
{
  *studies = NULL;
  *count = 0;
  sqlite3_stmt *statement =
      shk_store_prepare(store, "SELECT name, path, text, date FROM studies ORDER BY id", error);
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

/* ---- answers ---- */

static bool put_answers(struct shk_store *store, const char *study,
                        const struct shk_stored_answer *answers, int count,
                        struct shk_message *error)
{
  sqlite3_stmt *statement = shk_store_kept(store, "DELETE FROM said WHERE study=?", error);
  if (!statement)
    return false;
  bind(statement, 1, study);
  bool ok = shk_store_run(store, statement, error);
  for (int i = 0; ok && i < count; i++) {
    statement = shk_store_kept(store, "INSERT INTO said VALUES(?,?,?)", error);
    if (!statement)
      return false;
    bind(statement, 1, study);
    bind(statement, 2, answers[i].question);
    sqlite3_bind_blob64(statement, 3, answers[i].reply, answers[i].size, SQLITE_STATIC);
    ok = shk_store_run(store, statement, error);
  }
  return ok;
}

bool shk_store_put_answers(struct shk_store *store, const char *study,
                           const struct shk_stored_answer *answers, int count,
                           struct shk_message *error)
{
  if (!shk_store_execute(store, "SAVEPOINT answers", error))
    return false;
  const bool ok = put_answers(store, study, answers, count, error);
  if (!ok)
    sqlite3_exec(store->database, "ROLLBACK TO answers", NULL, NULL, NULL);
  return shk_store_execute(store, "RELEASE answers", error) && ok;
}

bool shk_store_answers(struct shk_store *store, struct shk_stored_answer **answers, int *count,
                       const char *study, struct shk_message *error)
{
  *answers = NULL;
  *count = 0;
  sqlite3_stmt *statement =
      shk_store_prepare(store, "SELECT question, reply FROM said WHERE study=?", error);
  if (!statement)
    return false;
  bind(statement, 1, study);
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    *answers = shk_grow(*answers, (size_t)*count, sizeof **answers);
    struct shk_stored_answer *const answer = &(*answers)[(*count)++];
    const void *const reply = sqlite3_column_blob(statement, 1);
    answer->question = shk_copy_text(shk_store_column(statement, 0));
    answer->size = reply ? (size_t)sqlite3_column_bytes(statement, 1) : 0;
    answer->reply = shk_allocate(answer->size + 1, 1);
    memcpy(answer->reply, reply ? reply : "", answer->size);
  }
  sqlite3_finalize(statement);
  if (code == SQLITE_DONE)
    return true;
  shk_stored_answers_free(*answers, *count);
  *answers = NULL;
  *count = 0;
  return shk_store_failed(store, error);
}

void shk_stored_answers_free(struct shk_stored_answer *answers, int count)
{
  for (int i = 0; i < count; i++) {
    free(answers[i].question);
    free(answers[i].reply);
  }
  free(answers);
}

/* ---- provenance ---- */

#define PROVENANCE(member, column, environment) ", " column
static const char select_provenance[] = "SELECT id"
#include "results/record/provenance.def"
                                        " FROM provenance WHERE id=?";
static const char insert_provenance[] = "INSERT INTO provenance(id"
#include "results/record/provenance.def"
                                        ") VALUES(NULL"
#undef PROVENANCE
#define PROVENANCE(member, column, environment) ",?"
#include "results/record/provenance.def"
                                        ")";
#undef PROVENANCE

long shk_store_add_provenance(struct shk_store *store, const struct shk_provenance *provenance,
                              struct shk_message *error)
{
  sqlite3_stmt *statement = shk_store_prepare(store, insert_provenance, error);
  if (!statement)
    return 0;
  struct shk_provenance texts = *provenance;
  for (int i = 0; i < SHK_PROVENANCE_TEXTS; i++)
    bind(statement, i + 1, *shk_provenance_text(&texts, i));
  return finish(store, statement, error) ? (long)sqlite3_last_insert_rowid(store->database) : 0;
}

bool shk_store_provenance(struct shk_store *store, struct shk_provenance *provenance, long row,
                          struct shk_message *error)
{
  *provenance = (struct shk_provenance){0};
  sqlite3_stmt *statement = shk_store_prepare(store, select_provenance, error);
  if (!statement)
    return false;
  sqlite3_bind_int64(statement, 1, row);
  const int code = sqlite3_step(statement);
  if (code == SQLITE_ROW) {
    for (int i = 0; i < SHK_PROVENANCE_TEXTS; i++)
      *shk_provenance_text(provenance, i) =
          shk_copy_text((const char *)sqlite3_column_text(statement, i + 1));
  } else if (code == SQLITE_DONE) {
    shk_message_set(error, "there is no provenance %ld", row);
  } else {
    shk_store_failed(store, error);
  }
  sqlite3_finalize(statement);
  return code == SQLITE_ROW;
}
