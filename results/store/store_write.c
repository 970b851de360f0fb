/*
 * Records into a store. See store.h.
 */
#include "foundation/memory.h"
#include "results/pack/pack.h"
#include "results/record/cell_text.h"
#include "results/record/states.h"
#include "results/record/wire.h"
#include "results/store/store.h"
#include "results/store/store_findings.h"
#include "results/store/store_private.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parameters are bound in the order of the statement; a NULL text is an SQL NULL. */
static void bind_text(sqlite3_stmt *statement, int *at, const char *text)
{
  sqlite3_bind_text(statement, ++*at, text, -1, SQLITE_STATIC);
}

static void bind_integer(sqlite3_stmt *statement, int *at, long value)
{
  sqlite3_bind_int64(statement, ++*at, value);
}

static void bind_real(sqlite3_stmt *statement, int *at, double value)
{
  sqlite3_bind_double(statement, ++*at, value);
}

/* ---- records ---- */

/* What came packed, or what is packed now, which SQLite frees; NULL is an SQL NULL. */
static void bind_packed(sqlite3_stmt *statement, int *at, const struct shk_packed *packed,
                        void *(*pack)(const struct shk_outcome *outcome, size_t *size),
                        const struct shk_outcome *outcome)
{
  size_t size = packed->size;
  void *const own = packed->bytes ? NULL : pack(outcome, &size);
  sqlite3_bind_blob64(statement, ++*at, own ? own : packed->bytes, size,
                      own ? free : SQLITE_STATIC);
}

static bool remove_record(struct shk_store *store, const char *key, struct shk_message *error)
{
  sqlite3_stmt *statement = shk_store_kept(store, "DELETE FROM record WHERE key=?", error);
  if (!statement)
    return false;
  sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
  return shk_store_run(store, statement, error);
}

static bool insert_record(struct shk_store *store, const struct shk_record *record,
                          const char *text, struct shk_message *error)
{
  sqlite3_stmt *statement = shk_store_kept(
      store,
      "INSERT INTO record(key, cell, problem, integrator, precision, step, tolerance, until, "
      "status, reason, ending, detail, output, dropped, seconds, limit_seconds, limit_megabytes, "
      "date, provenance, request, outcome, states, series) "
      "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
      error);
  if (!statement)
    return false;
  char reason[256];
  shk_record_reason(reason, sizeof reason, record);
  char *date = shk_date_now();
  char *request = shk_wire_line(shk_wire_cell(&record->cell));
  char *outcome = shk_wire_line(shk_wire_outcome(&record->outcome));
  int at = 0;
  bind_text(statement, &at, record->key);
  bind_text(statement, &at, text);
  bind_text(statement, &at, record->cell.problem);
  bind_text(statement, &at, record->cell.integrator);
  bind_text(statement, &at, record->cell.precision);
  bind_text(statement, &at, record->cell.step);
  bind_text(statement, &at, record->cell.tolerance);
  bind_text(statement, &at, record->cell.until);
  bind_text(statement, &at, shk_record_status(record));
  bind_text(statement, &at, reason);
  bind_integer(statement, &at, record->end);
  bind_integer(statement, &at, record->end_detail);
  bind_text(statement, &at, record->output);
  bind_integer(statement, &at, record->output_dropped);
  bind_real(statement, &at, record->seconds);
  bind_real(statement, &at, record->limit_seconds);
  bind_real(statement, &at, record->limit_megabytes);
  bind_text(statement, &at, date);
  if (record->provenance)
    bind_integer(statement, &at, record->provenance);
  else
    ++at; /* unbound is NULL */
  bind_text(statement, &at, request);
  bind_text(statement, &at, outcome);
  bind_packed(statement, &at, &record->states, shk_pack_states, &record->outcome);
  bind_packed(statement, &at, &record->series, shk_pack_series, &record->outcome);
  const bool ok = shk_store_run(store, statement, error);
  free(date);
  free(request);
  free(outcome);
  return ok;
}

bool shk_store_put(struct shk_store *store, const struct shk_record *record, const char *text,
                   struct shk_message *error)
{
  sqlite3_stmt *begin = shk_store_kept(store, "BEGIN IMMEDIATE", error);
  sqlite3_stmt *commit = shk_store_kept(store, "COMMIT", error);
  if (!begin || !commit || !shk_store_run(store, begin, error))
    return false;
  const bool ok = shk_store_forget_findings(store, error) &&
                  remove_record(store, record->key, error) &&
                  insert_record(store, record, text, error);
  if (ok && shk_store_run(store, commit, error))
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

bool shk_store_look(struct shk_store *store, struct shk_stored *stored, const char *key,
                    const char *text, struct shk_message *error)
{
  *stored = (struct shk_stored){0};
  sqlite3_stmt *statement = shk_store_kept(
      store, "SELECT cell, ending, limit_seconds, limit_megabytes FROM record WHERE key=?", error);
  if (!statement)
    return false;
  sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
  const int code = sqlite3_step(statement);
  bool ok = code == SQLITE_DONE;
  if (code == SQLITE_ROW) {
    ok = strcmp(shk_store_column(statement, 0), text) == 0;
    if (ok)
      *stored = (struct shk_stored){
          .found = true,
          .end = (enum shk_end)sqlite3_column_int(statement, 1),
          .limit_seconds = sqlite3_column_double(statement, 2),
          .limit_megabytes = sqlite3_column_double(statement, 3),
      };
    else
      shk_message_set(error,
                      "%s: two different cells have the key %s: run the study into a new "
                      "store, and please report it",
                      store->path ? store->path : "store", key);
  } else if (!ok) {
    shk_store_failed(store, error);
  }
  sqlite3_reset(statement);
  return ok;
}

long shk_store_record_count(struct shk_store *store)
{
  struct shk_message error;
  sqlite3_stmt *statement = shk_store_prepare(store, "SELECT count(*) FROM record", &error);
  long count = 0;
  if (statement && sqlite3_step(statement) == SQLITE_ROW)
    count = (long)sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  return count;
}
