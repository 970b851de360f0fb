/* Writes records into a store. See store.h. */
#include "foundation/memory.h"
#include "results/record/cell_text.h"
#include "results/record/record_bytes.h"
#include "results/store/statements.h"
#include "results/store/store.h"
#include "results/store/store_findings.h"
#include "results/store/store_private.h"
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

int64_t shk_store_text_hash(const char *text)
{
  return (int64_t)XXH3_64bits(text, strlen(text));
}

static const char insert_into_cells[] =
    "INSERT INTO cells(key, cell, problem, integrator, precision, step, tolerance, until, status, "
    "reason, ending, detail, times, output, dropped, seconds, limit_seconds, limit_megabytes, "
    "date, cell_hash, provenance, hash"
#define OUTCOME_FIELD(type, name, ...) ", " #name
#include "foundation/specifications/outcome.def"
#undef OUTCOME_FIELD
    ") VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,0"
#define OUTCOME_FIELD(type, name, ...) ",?"
#include "foundation/specifications/outcome.def"
#undef OUTCOME_FIELD
    ")";
#define TYPE_REAL "r"
#define TYPE_COUNT "i"

static bool insert_cell(struct shk_store *store, const struct shk_record *record, const char *text,
                        const char *times, const char *date, struct shk_message *error)
{
  const struct shk_outcome *const outcome = &record->outcome;
  const struct shk_cell *const cell = &record->cell;
#define OUTCOME_FIELD(type, name, ...) TYPE_##type
  static const char types[] = "ttttttttttiittlrrrtxx"
#include "foundation/specifications/outcome.def"
      ;
#undef OUTCOME_FIELD
#define OUTCOME_FIELD(type, name, ...) , outcome->name
  return shk_store_run(store, error, insert_into_cells, types, record->key, text, cell->problem,
                       cell->integrator, cell->precision, cell->step, cell->tolerance, cell->until,
                       shk_record_status(record), outcome->reason, (int)record->end,
                       record->end_detail, times, record->output, record->output_dropped,
                       record->seconds, record->limit_seconds, record->limit_megabytes, date,
                       shk_store_text_hash(text), record->provenance
#include "foundation/specifications/outcome.def"
  );
#undef OUTCOME_FIELD
}

static bool insert_scalars(struct shk_store *store, const struct shk_outcome *outcome, int64_t cell,
                           struct shk_message *error)
{
  bool ok = true;
  for (int i = 0; ok && i < outcome->scalar_count; i++)
    ok = shk_store_run(store, error, "INSERT INTO scalars VALUES(?,?,?,?)", "xxtr", cell,
                       (int64_t)i, outcome->scalars[i].name, outcome->scalars[i].value);
  return ok;
}

/* Arguments for insert_blob, which inserts the blobs of a cell's row. */
struct inserting {
  struct shk_store *store;
  int64_t cell;
  struct shk_message *error;
};

static bool insert_blob(void *user, struct shk_blob *blob)
{
  const struct inserting *const in = user;
  return shk_store_run(
      in->store, in->error,
      "INSERT INTO blobs(cell, kind, name, first, rows, columns, bits, hash, data) "
      "VALUES(?,?,?,?,?,?,?,?,?)",
      "xttiiiilb", in->cell, blob->kind, blob->name, blob->first, blob->rows, blob->columns,
      blob->bits, (int64_t)XXH3_64bits(blob->data, blob->size), blob->data, blob->size);
}

bool shk_store_insert(struct shk_store *store, const struct shk_record *record,
                      struct shk_message *error)
{
  char *const text = shk_cell_text(&record->cell);
  char *const date = shk_date_now(), *const times = shk_sample_times(&record->outcome);
  struct shk_stream digest = {0};
  /* Deleting a record's row also deletes its scalars and blobs. */
  bool ok = shk_store_run(store, error, "DELETE FROM cells WHERE key=?", "t", record->key);
  store->digest = &digest;
  ok = ok && insert_cell(store, record, text, times, date, error);
  struct inserting in = {store, sqlite3_last_insert_rowid(store->database), error};
  ok = ok && insert_scalars(store, &record->outcome, in.cell, error) &&
       shk_blobs_visit(&record->outcome, insert_blob, &in);
  store->digest = NULL;
  ok = ok && shk_store_run(store, error, "UPDATE cells SET hash=? WHERE id=?", "ll",
                           (int64_t)XXH3_64bits(digest.bytes, digest.at), in.cell);
  free(digest.bytes);
  free(text);
  free(times);
  free(date);
  return ok;
}

bool shk_store_begin(struct shk_store *store, struct shk_message *error)
{
  return shk_store_execute(store, "BEGIN IMMEDIATE", error) &&
         (shk_store_forget_findings(store, error) || shk_store_end(store, false, error));
}

bool shk_store_end(struct shk_store *store, bool ok, struct shk_message *error)
{
  ok = ok && shk_store_execute(store, "COMMIT", error);
  if (!ok)
    sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
  return ok;
}

bool shk_store_begin_reading(struct shk_store *store, struct shk_message *error)
{
  return shk_store_execute(store, "BEGIN", error);
}

long shk_store_record_count(struct shk_store *store)
{
  struct shk_message error;
  long count = 0;
  shk_store_number(store, &error, &count, "SELECT count(*) FROM cells", "");
  return count;
}
