/*
 * Records into a store. See store.h.
 */
#include "foundation/memory.h"
#include "results/store/schema.h"
#include "results/store/statements.h"
#include "results/store/store.h"
#include "results/store/store_blobs.h"
#include "results/store/store_findings.h"
#include <stdlib.h>
#include <string.h>

/* ---- records ---- */

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
#define SQL_REAL shk_sql_real
#define SQL_COUNT shk_sql_integer

static bool insert_cell(struct shk_store *store, const struct shk_record *record, const char *text,
                        const char *times, int64_t hash, struct shk_message *error)
{
  const struct shk_outcome *const outcome = &record->outcome;
  const struct shk_cell *const cell = &record->cell;
  const struct shk_sql_value values[] = {shk_sql_text(record->key),
                                         shk_sql_text(text),
                                         shk_sql_integer(shk_store_text_hash(text)),
                                         shk_sql_text(cell->problem),
                                         shk_sql_text(cell->integrator),
                                         shk_sql_text(cell->precision),
                                         shk_sql_text(cell->step),
                                         shk_sql_text(cell->tolerance),
                                         shk_sql_text(cell->until),
                                         shk_sql_text(shk_record_status(record)),
                                         shk_sql_text(outcome->reason),
                                         shk_sql_integer(record->end),
                                         shk_sql_integer(record->end_detail),
                                         shk_sql_text(times),
                                         shk_sql_text(record->output),
                                         shk_sql_integer(record->output_dropped),
                                         shk_sql_real(record->seconds),
                                         shk_sql_real(record->limit_seconds),
                                         shk_sql_real(record->limit_megabytes),
                                         shk_sql_text(record->date),
                                         shk_sql_integer(hash),
#define OUTCOME_FIELD(type, name, ...) SQL_##type(outcome->name),
#include "foundation/specifications/outcome.def"
#undef OUTCOME_FIELD
                                         record->provenance ? shk_sql_integer(record->provenance)
                                                            : shk_sql_text(NULL),
                                         {.kind = SHK_SQL_END}};
  return shk_store_run(store, insert_into_cells, values, error);
}

static bool insert_scalars(struct shk_store *store, const struct shk_outcome *outcome, int64_t cell,
                           struct shk_message *error)
{
  bool ok = true;
  for (int i = 0; ok && i < outcome->scalar_count; i++)
    ok = shk_store_run(store, "INSERT INTO scalars VALUES(?,?,?,?)",
                       SHK_SQL(shk_sql_integer(cell), shk_sql_integer(i),
                               shk_sql_text(outcome->scalars[i].name),
                               shk_sql_real(outcome->scalars[i].value)),
                       error);
  return ok;
}

static bool insert_blob(struct shk_store *store, const struct shk_blob *blob, int64_t cell,
                        struct shk_message *error)
{
  return shk_store_run(
      store,
      "INSERT INTO blobs(cell, kind, name, first, rows, columns, bits, hash, data) "
      "VALUES(?,?,?,?,?,?,?,?,?)",
      SHK_SQL(shk_sql_integer(cell), shk_sql_text(blob->kind), shk_sql_text(blob->name),
              shk_sql_integer(blob->first), shk_sql_integer(blob->rows),
              shk_sql_integer(blob->columns), shk_sql_integer(blob->bits),
              shk_sql_integer(blob->hash), shk_sql_bytes(blob->data, blob->size)),
      error);
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
  struct shk_stream digest = shk_digest_begin(&dated, text, times);
  for (int i = 0; i < blobs.count; i++)
    shk_digest_blob(&digest, &blobs.all[i]);
  /* The scalars and blobs of a record go with it. */
  bool ok = shk_store_run(store, "DELETE FROM cells WHERE key=?",
                          SHK_SQL(shk_sql_text(record->key)), error) &&
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
  if (!shk_store_execute(store, "BEGIN IMMEDIATE", error))
    return false;
  const bool ok =
      shk_store_forget_findings(store, error) && shk_store_insert(store, record, text, error);
  return shk_store_end(store, ok, error);
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
  shk_store_number(store, &count, "SELECT count(*) FROM cells", NULL, &error);
  return count;
}
