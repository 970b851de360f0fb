/*
 * Studies and provenance of a store. See store.h.
 */
#include "foundation/memory.h"
#include "results/store/statements.h"
#include "results/store/store_private.h"
#include <stdlib.h>
#include <string.h>

bool shk_store_add_study(struct shk_store *store, const char *name, const char *path,
                         const char *text, struct shk_message *error)
{
  char *const date = shk_date_now();
  const bool ok = shk_store_run(
      store,
      "INSERT INTO studies(name, path, text, date) VALUES(?,?,?,?) ON CONFLICT(name) DO UPDATE SET "
      "path=excluded.path, text=excluded.text, date=excluded.date",
      SHK_SQL(shk_sql_text(name), shk_sql_text(path ? path : ""), shk_sql_text(text),
              shk_sql_text(date)),
      error);
  free(date);
  return ok;
}

bool shk_store_studies(struct shk_store *store, struct shk_stored_study **studies, int *count,
                       struct shk_message *error)
{
  *studies = NULL;
  *count = 0;
  sqlite3_stmt *const statement =
      shk_store_ask(store, "SELECT name, path, text, date FROM studies ORDER BY id", NULL, error);
  bool ok;
  while (shk_store_next(store, statement, &ok, error)) {
    *studies = shk_grow(*studies, (size_t)*count, sizeof **studies);
    (*studies)[(*count)++] = (struct shk_stored_study){
        .name = shk_copy_text(shk_store_column(statement, 0)),
        .path = shk_copy_text(shk_store_column(statement, 1)),
        .text = shk_copy_text(shk_store_column(statement, 2)),
        .date = shk_copy_text(shk_store_column(statement, 3)),
    };
  }
  if (ok)
    return true;
  shk_stored_studies_free(*studies, *count);
  *studies = NULL;
  *count = 0;
  return false;
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
  bool ok =
      shk_store_run(store, "DELETE FROM said WHERE study=?", SHK_SQL(shk_sql_text(study)), error);
  for (int i = 0; ok && i < count; i++)
    ok = shk_store_run(store, "INSERT INTO said VALUES(?,?,?)",
                       SHK_SQL(shk_sql_text(study), shk_sql_text(answers[i].question),
                               shk_sql_bytes(answers[i].reply, answers[i].size)),
                       error);
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
  sqlite3_stmt *const statement = shk_store_ask(
      store, "SELECT question, reply FROM said WHERE study=?", SHK_SQL(shk_sql_text(study)), error);
  bool ok;
  while (shk_store_next(store, statement, &ok, error)) {
    *answers = shk_grow(*answers, (size_t)*count, sizeof **answers);
    struct shk_stored_answer *const answer = &(*answers)[(*count)++];
    const void *const reply = sqlite3_column_blob(statement, 1);
    answer->question = shk_copy_text(shk_store_column(statement, 0));
    answer->size = reply ? (size_t)sqlite3_column_bytes(statement, 1) : 0;
    answer->reply = shk_allocate(answer->size + 1, 1);
    memcpy(answer->reply, reply ? reply : "", answer->size);
  }
  if (ok)
    return true;
  shk_stored_answers_free(*answers, *count);
  *answers = NULL;
  *count = 0;
  return false;
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
  struct shk_provenance texts = *provenance;
  struct shk_sql_value values[SHK_PROVENANCE_TEXTS + 1] = {{.kind = SHK_SQL_END}};
  for (int i = 0; i < SHK_PROVENANCE_TEXTS; i++)
    values[i] = shk_sql_text(*shk_provenance_text(&texts, i));
  return shk_store_run(store, insert_provenance, values, error)
             ? (long)sqlite3_last_insert_rowid(store->database)
             : 0;
}

bool shk_store_provenance(struct shk_store *store, struct shk_provenance *provenance, long row,
                          struct shk_message *error)
{
  *provenance = (struct shk_provenance){0};
  sqlite3_stmt *const statement =
      shk_store_ask(store, select_provenance, SHK_SQL(shk_sql_integer(row)), error);
  bool ok;
  const bool found = shk_store_next(store, statement, &ok, error);
  for (int i = 0; found && i < SHK_PROVENANCE_TEXTS; i++)
    *shk_provenance_text(provenance, i) = shk_store_copy(statement, i + 1);
  if (ok && !found)
    shk_message_set(error, "there is no provenance %ld", row);
  sqlite3_reset(statement);
  return found;
}
