/*
 * Stores and reads the studies and the provenance in a store. See store.h.
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
      store, error,
      "INSERT INTO studies(name, path, text, date) VALUES(?,?,?,?) ON CONFLICT(name) DO UPDATE SET "
      "path=excluded.path, text=excluded.text, date=excluded.date",
      "tttt", name, path ? path : "", text, date);
  free(date);
  return ok;
}

bool shk_store_studies(struct shk_store *store, struct shk_stored_study **studies, int *count,
                       struct shk_message *error)
{
  sqlite3_stmt *const statement =
      shk_store_ask(store, error, "SELECT name, path, text FROM studies ORDER BY id", "");
  bool ok;
  *studies = NULL;
  *count = 0;
  while (shk_store_next(store, statement, &ok, error)) {
    struct shk_stored_study kept_study;
    shk_store_row(store, statement, "ttt", &kept_study.name, &kept_study.path, &kept_study.text);
    *SHK_APPEND(*studies, *count) = kept_study;
  }
  return ok;
}

void shk_stored_studies_free(struct shk_stored_study *studies, int count)
{
  for (int i = 0; i < count; i++) {
    free(studies[i].name);
    free(studies[i].path);
    free(studies[i].text);
  }
  free(studies);
}

/* ---- cached descriptors ---- */

bool shk_store_put_answers(struct shk_store *store, const char *study,
                           const struct shk_stored_answer *answers, int count,
                           struct shk_message *error)
{
  if (!shk_store_execute(store, "BEGIN IMMEDIATE", error))
    return false;
  bool ok = shk_store_run(store, error, "DELETE FROM said WHERE study=?", "t", study);
  for (int i = 0; ok && i < count; i++)
    ok = shk_store_run(store, error, "INSERT INTO said VALUES(?,?,?)", "ttb", study,
                       answers[i].question, answers[i].reply, answers[i].size);
  return shk_store_end(store, ok, error);
}

bool shk_store_answers(struct shk_store *store, const char *study, shk_answer_reader *reader,
                       void *user, struct shk_message *error)
{
  sqlite3_stmt *const statement =
      shk_store_ask(store, error, "SELECT question, reply FROM said WHERE study=?", "t", study);
  const char *question;
  char *reply;
  size_t size;
  bool ok = true;
  while (ok && shk_store_next(store, statement, &ok, error)) {
    shk_store_row(store, statement, "cb", &question, &reply, &size);
    ok = reader(user, question, reply, size, error);
  }
  sqlite3_reset(statement);
  return ok;
}

/* ---- provenance ---- */

#define PROVENANCE(member, column, environment) ", " column
static const char select_provenance[] = "SELECT id"
#include "results/record/provenance.def"
                                        " FROM provenance WHERE id=?";
#undef PROVENANCE
#define PROVENANCE(member, column, environment) ",?"
static const char insert_provenance[] = "INSERT INTO provenance VALUES(NULL"
#include "results/record/provenance.def"
                                        ")";
#undef PROVENANCE

#define PROVENANCE(member, column, environment) "t"
static const char types[] = "l"
#include "results/record/provenance.def"
    ;
#undef PROVENANCE

long shk_store_add_provenance(struct shk_store *store, const struct shk_provenance *provenance,
                              struct shk_message *error)
{
#define PROVENANCE(member, column, environment) , provenance->member
  return shk_store_run(store, error, insert_provenance, types + 1
#include "results/record/provenance.def"
                       )
             ? (long)sqlite3_last_insert_rowid(store->database)
             : 0;
#undef PROVENANCE
}

bool shk_store_provenance(struct shk_store *store, struct shk_provenance *provenance, long row,
                          struct shk_message *error)
{
  *provenance = (struct shk_provenance){0};
  sqlite3_stmt *const statement = shk_store_ask(store, error, select_provenance, "l", row);
  bool ok;
  const bool found = shk_store_next(store, statement, &ok, error);
#define PROVENANCE(member, column, environment) , &provenance->member
  if (found)
    shk_store_row(store, statement, types, &row
#include "results/record/provenance.def"
    );
#undef PROVENANCE
  if (ok && !found)
    shk_message_set(error, "there is no provenance %ld", row);
  sqlite3_reset(statement);
  return found;
}
