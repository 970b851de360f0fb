/*
 * Records into a store. See store.h.
 */
#include "foundation/memory.h"
#include "results/store/schema.h"
#include "results/store/store.h"
#include "results/store/store_blobs.h"
#include "results/store/store_findings.h"
#include <stdlib.h>
#include <string.h>

/* Parameters are bound in the order of the statement; a NULL text is an SQL NULL. */
static void bind_text(sqlite3_stmt *statement, int *at, const char *text)
{
  sqlite3_bind_text(statement, ++*at, text, -1, SQLITE_STATIC);
}

static void bind_integer(sqlite3_stmt *statement, int *at, int64_t value)
{
  sqlite3_bind_int64(statement, ++*at, value);
}

static void bind_real(sqlite3_stmt *statement, int *at, double value)
{
  sqlite3_bind_double(statement, ++*at, value);
}

/* ---- records ---- */

static bool remove_record(struct shk_store *store, const char *key, struct shk_message *error)
{
  sqlite3_stmt *statement = shk_store_kept(store, "DELETE FROM cells WHERE key=?", error);
  if (!statement)
    return false;
  sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
  return shk_store_run(store, statement, error); /* its scalars and blobs go with it */
}

static const char insert_into_cells[] =
    "INSERT INTO cells(key, cell, cell_hash, problem, integrator, precision, step, tolerance, "
    "until, "
    "status, reason, ending, detail, times, output, dropped, seconds, limit_seconds, "
    "limit_megabytes, date, hash"
#define OUTCOME_FIELD(type, name, ...) ", " #name
#include "foundation/specifications/outcome.def"
#undef OUTCOME_FIELD
    ", provenance) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?"
#define OUTCOME_FIELD(type, name, ...) ",?"
#include "foundation/specifications/outcome.def"
#undef OUTCOME_FIELD
    ",?)";
#define BIND_REAL bind_real
#define BIND_COUNT bind_integer

static bool insert_cell(struct shk_store *store, const struct shk_record *record, const char *text,
                        const char *times, int64_t hash, struct shk_message *error)
{
  const struct shk_outcome *const outcome = &record->outcome;
  sqlite3_stmt *statement = shk_store_kept(store, insert_into_cells, error);
  if (!statement)
    return false;
  int at = 0;
  bind_text(statement, &at, record->key);
  bind_text(statement, &at, text);
  bind_integer(statement, &at, shk_store_text_hash(text));
  bind_text(statement, &at, record->cell.problem);
  bind_text(statement, &at, record->cell.integrator);
  bind_text(statement, &at, record->cell.precision);
  bind_text(statement, &at, record->cell.step);
  bind_text(statement, &at, record->cell.tolerance);
  bind_text(statement, &at, record->cell.until);
  bind_text(statement, &at, shk_record_status(record));
  bind_text(statement, &at, outcome->reason);
  bind_integer(statement, &at, record->end);
  bind_integer(statement, &at, record->end_detail);
  bind_text(statement, &at, times);
  bind_text(statement, &at, record->output);
  bind_integer(statement, &at, record->output_dropped);
  bind_real(statement, &at, record->seconds);
  bind_real(statement, &at, record->limit_seconds);
  bind_real(statement, &at, record->limit_megabytes);
  bind_text(statement, &at, record->date);
  bind_integer(statement, &at, hash);
#define OUTCOME_FIELD(type, name, ...) BIND_##type(statement, &at, outcome->name);
#include "foundation/specifications/outcome.def"
#undef OUTCOME_FIELD
  if (record->provenance) /* unbound is NULL */
    bind_integer(statement, &at, record->provenance);
  return shk_store_run(store, statement, error);
}

static bool insert_scalars(struct shk_store *store, const struct shk_outcome *outcome, int64_t cell,
                           struct shk_message *error)
{
  bool ok = true;
  for (int i = 0; ok && i < outcome->scalar_count; i++) {
    sqlite3_stmt *statement = shk_store_kept(store, "INSERT INTO scalars VALUES(?,?,?,?)", error);
    int at = 0;
    if (!statement)
      return false;
    bind_integer(statement, &at, cell);
    bind_integer(statement, &at, i);
    bind_text(statement, &at, outcome->scalars[i].name);
    bind_real(statement, &at, outcome->scalars[i].value); /* a NaN is a NULL */
    ok = shk_store_run(store, statement, error);
  }
  return ok;
}

static bool insert_blob(struct shk_store *store, const struct shk_blob *blob, int64_t cell,
                        struct shk_message *error)
{
  sqlite3_stmt *statement =
      shk_store_kept(store,
                     "INSERT INTO blobs(cell, kind, name, first, rows, columns, bits, hash, data) "
                     "VALUES(?,?,?,?,?,?,?,?,?)",
                     error);
  int at = 0;
  if (!statement)
    return false;
  bind_integer(statement, &at, cell);
  bind_text(statement, &at, blob->kind);
  bind_text(statement, &at, blob->name);
  bind_integer(statement, &at, blob->first);
  bind_integer(statement, &at, blob->rows);
  bind_integer(statement, &at, blob->columns);
  bind_integer(statement, &at, blob->bits);
  bind_integer(statement, &at, blob->hash);
  sqlite3_bind_blob64(statement, ++at, blob->data, blob->size, SQLITE_STATIC);
  return shk_store_run(store, statement, error);
}

bool shk_store_insert(struct shk_store *store, const struct shk_record *record, const char *text,
                      struct shk_message *error)
{
  char *const now = record->date ? NULL : shk_date_now();
  struct shk_record dated = *record; /* what it points to stays the caller's */
  if (now)
    dated.date = now;
  char *const times = shk_sample_times(&record->outcome);
  struct shk_blobs blobs = shk_blobs_of(&record->outcome);
  struct shk_digest digest = shk_digest_begin(&dated, text, times);
  for (int i = 0; i < blobs.count; i++)
    shk_digest_blob(&digest, &blobs.all[i]);
  bool ok = remove_record(store, record->key, error) &&
            insert_cell(store, &dated, text, times, shk_digest_end(&digest), error);
  const int64_t cell = sqlite3_last_insert_rowid(store->database);
  ok = ok && insert_scalars(store, &record->outcome, cell, error);
  for (int i = 0; ok && i < blobs.count; i++)
    ok = insert_blob(store, &blobs.all[i], cell, error);
  shk_blobs_clear(&blobs);
  free(times);
  free(now);
  return ok;
}

bool shk_store_put(struct shk_store *store, const struct shk_record *record, const char *text,
                   struct shk_message *error)
{
  sqlite3_stmt *begin = shk_store_kept(store, "BEGIN IMMEDIATE", error);
  sqlite3_stmt *commit = shk_store_kept(store, "COMMIT", error);
  if (!begin || !commit || !shk_store_run(store, begin, error))
    return false;
  if (shk_store_forget_findings(store, error) && shk_store_insert(store, record, text, error) &&
      shk_store_run(store, commit, error))
    return true;
  sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
  return false;
}

bool shk_store_begin_reading(struct shk_store *store, struct shk_message *error)
{
  return shk_store_execute(store, "BEGIN", error);
}

void shk_store_end_reading(struct shk_store *store)
{
  sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL); /* nothing was written */
}

long shk_store_record_count(struct shk_store *store)
{
  struct shk_message error;
  long count = 0;
  shk_store_number(store, &count, "SELECT count(*) FROM cells", &error);
  return count;
}
