/*
 * Reads records, either one record with all its parts (store.h) or the records of a list of cells
 * on demand. The hash of a record is computed over all its rows as they are read.
 */
#include "results/store/store.h"

#include "foundation/memory.h"
#include "results/record/cell_text.h"
#include "results/record/record_bytes.h"
#include "results/store/statements.h"
#include "results/store/store_private.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* ---- parts of a record ---- */

struct reading {
  struct shk_store *store;
  struct shk_record *record;
  int64_t row;
};

static bool damaged(const struct reading *r, const char *what, struct shk_message *error)
{
  return shk_message_set(error,
                         "%s: row %ld of its cells is damaged, %s (%s, %s): run the study again "
                         "with this store to compute that cell again",
                         shk_store_name(r->store), (long)r->row, what,
                         r->record->cell.problem ? r->record->cell.problem : "?",
                         r->record->cell.integrator ? r->record->cell.integrator : "?");
}

static const char select_record[] =
    "SELECT key, cell, problem, integrator, precision, step, tolerance, until, status, reason, "
    "ending, detail, times, output, dropped, seconds, limit_seconds, limit_megabytes, date, hash, "
    "provenance, cell_hash, ifnull(provenance, 0) NOT IN (SELECT id FROM provenance)"
#define OUTCOME_FIELD(type, name, ...) ", " #name
#include "foundation/specifications/outcome.def"
#undef OUTCOME_FIELD
    " FROM cells WHERE id=?";
#define TYPE_REAL "r"
#define TYPE_COUNT "i"

/* Sets the outcome's code according to a status word, or to SHK_STOPPED if the record is
 * unfinished. Returns false if the word is unknown. */
static bool read_status(struct shk_record *record, const char *status)
{
  record->outcome.code = SHK_STOPPED;
  for (int i = 0; i < SHK_CODE_COUNT && record->end == SHK_END_FINISHED; i++)
    if (strcmp(status, shk_code_name((enum shk_code)i)) == 0)
      record->outcome.code = (enum shk_code)i;
  return strcmp(status, shk_record_status(record)) == 0;
}

/* Reads and checks the columns of select_record. If `states` is true, adds samples without
 * blocks. */
static bool read_columns(struct reading *r, sqlite3_stmt *statement, int64_t *hash, bool states,
                         struct shk_message *error)
{
  struct shk_record *const record = r->record;
  struct shk_outcome *const outcome = &record->outcome;
  struct shk_cell *const cell = &record->cell;
  const char *text, *status, *times, *date;
  int64_t text_hash, rootless;
  int ending;
#define OUTCOME_FIELD(type, name, ...) TYPE_##type
  static const char types[] = "scttttttcsiictlrrrcxxxx"
#include "foundation/specifications/outcome.def"
      ;
#undef OUTCOME_FIELD
#define OUTCOME_FIELD(type, name, ...) , &outcome->name
  shk_store_row(r->store, statement, types, record->key, sizeof record->key, &text, &cell->problem,
                &cell->integrator, &cell->precision, &cell->step, &cell->tolerance, &cell->until,
                &status, outcome->reason, sizeof outcome->reason, &ending, &record->end_detail,
                &times, &record->output, &record->output_dropped, &record->seconds,
                &record->limit_seconds, &record->limit_megabytes, &date, hash, &record->provenance,
                &text_hash, &rootless
#include "foundation/specifications/outcome.def"
  );
#undef OUTCOME_FIELD
  if (states)
    shk_sample_times_add(outcome, times);
  if (text_hash != shk_store_text_hash(text))
    return damaged(r, "the hash of its text", error);
  if (rootless)
    return damaged(r, "its provenance", error);
  if (ending < 0 || ending >= SHK_ENDS)
    return damaged(r, "an unknown ending", error);
  record->end = (enum shk_end)ending;
  if (!read_status(record, status))
    return damaged(r, "an unknown status", error);
  return !record->output || strlen(record->output) <= SHK_OUTPUT_TEXT_LIMIT ||
         damaged(r, "more output than any cell can have", error);
}

static bool read_scalars(struct reading *r, struct shk_message *error)
{
  sqlite3_stmt *const statement =
      shk_store_ask(r->store, error,
                    "SELECT name, value FROM scalars WHERE cell=? ORDER BY position", "x", r->row);
  bool ok;
  while (shk_store_next(r->store, statement, &ok, error)) {
    const char *name;
    double value;
    shk_store_row(r->store, statement, "cr", &name, &value);
    shk_outcome_add_scalar(&r->record->outcome, name, value);
  }
  return ok;
}

/* Reads the data of a blob and, if `adds` is true, adds the blob to the record. */
static bool read_data(struct reading *r, struct shk_blob *blob, int64_t id, bool adds,
                      struct shk_message *error)
{
  sqlite3_stmt *const statement =
      shk_store_ask(r->store, error, "SELECT data FROM blobs WHERE id=?", "x", id);
  bool ok;
  if (shk_store_next(r->store, statement, &ok, error)) {
    shk_store_row(r->store, statement, "b", &blob->data, &blob->size);
    ok = ((int64_t)XXH3_64bits(blob->data, blob->size) == blob->hash &&
          (!adds || shk_blob_add(&r->record->outcome, blob))) ||
         damaged(r, blob->name[0] ? blob->name : blob->kind, error);
    free(blob->data);
  }
  sqlite3_reset(statement);
  return ok;
}

/* Reads the blobs of the given parts. If `checks` is true, compares the data of all other parts
 * with their hashes. */
static bool read_blobs(struct reading *r, unsigned parts, bool checks, struct shk_message *error)
{
  sqlite3_stmt *const statement =
      shk_store_ask(r->store, error,
                    "SELECT id, kind, name, first, rows, columns, bits, hash FROM blobs "
                    "WHERE cell=? ORDER BY id",
                    "x", r->row);
  bool ok = true;
  while (ok && shk_store_next(r->store, statement, &ok, error)) {
    struct shk_blob blob = {0};
    int64_t id;
    shk_store_row(r->store, statement, "xcciiiil", &id, &blob.kind, &blob.name, &blob.first,
                  &blob.rows, &blob.columns, &blob.bits, &blob.hash);
    const bool wanted = parts & shk_blob_part(blob.kind);
    if (wanted || checks)
      ok = read_data(r, &blob, id, wanted, error);
  }
  sqlite3_reset(statement);
  return ok;
}

/* Reads a record with the given parts and checks it. The data of other parts are checked only if
 * `checks` is true. */
static bool read_record(struct reading *r, unsigned parts, bool checks, struct shk_message *error)
{
  struct shk_stream digest = {0};
  int64_t hash = 0;
  r->store->digest = &digest;
  sqlite3_stmt *const statement = shk_store_ask(r->store, error, select_record, "x", r->row);
  bool ok;
  if (shk_store_next(r->store, statement, &ok, error))
    ok = read_columns(r, statement, &hash, parts & SHK_PART_STATES, error) &&
         read_scalars(r, error) && read_blobs(r, parts | SHK_PART_CORE, checks, error);
  sqlite3_reset(statement);
  r->store->digest = NULL;
  ok = ok &&
       ((int64_t)XXH3_64bits(digest.bytes, digest.at) == hash || damaged(r, "its numbers", error));
  free(digest.bytes);
  return ok;
}

/* ---- one record ---- */

/* Reads a cell's record with the given parts, from the row with the given key or, if the key is
 * NULL, from the newest row. Sets *record to NULL if there is none. On failure, returns false and
 * sets the reason. */
static bool read_row(struct shk_store *store, struct shk_record **record, int64_t *row,
                     const char *key, const char *text, unsigned parts, struct shk_message *error)
{
  *row = 0;
  *record = NULL;
  if (!shk_store_number(store, error, row,
                        "SELECT id FROM cells WHERE cell_hash=?1 AND cell=?2 AND "
                        "(?3 IS NULL OR key=?3) ORDER BY id DESC LIMIT 1",
                        "ltt", shk_store_text_hash(text), text, key))
    return false;
  if (*row == 0)
    return true;
  struct reading r = {.store = store, .record = shk_allocate(1, sizeof **record), .row = *row};
  if (read_record(&r, parts, false, error)) {
    *record = r.record;
    return true;
  }
  shk_record_free(r.record);
  return false;
}

bool shk_store_find(struct shk_store *store, struct shk_record **record, const char *key,
                    const char *text, struct shk_message *error)
{
  int64_t row;
  return read_row(store, record, &row, key, text, SHK_PART_ALL, error);
}

bool shk_store_look(struct shk_store *store, bool *stands, const char *key, const char *text,
                    const struct shk_raised *raised, struct shk_message *error)
{
  int64_t count = 0;
  const bool ok =
      shk_store_number(store, error, &count,
                       "SELECT count(*) FROM cells WHERE key=? AND cell=? AND (ending=? OR NOT "
                       "(? OR (ending=? AND (limit_seconds<? OR (?=0 AND detail=0))) OR "
                       "(ending=? AND limit_megabytes<?)))",
                       "ttifirrir", key, text, SHK_END_FINISHED, raised->again, SHK_END_TIMED_OUT,
                       raised->seconds, raised->seconds, SHK_END_OUT_OF_MEMORY, raised->megabytes);
  *stands = count > 0;
  return ok;
}

/* ---- all records ---- */

/* Removes rows that do not belong to any record or study. Otherwise, a new record could be given
 * the row number of a record that was deleted by hand, and would then inherit its remaining
 * rows. */
static bool remove_orphans(struct shk_store *store, struct shk_message *error)
{
  return shk_store_execute(store,
                           "DELETE FROM scalars WHERE cell NOT IN (SELECT id FROM cells);"
                           "DELETE FROM blobs WHERE cell NOT IN (SELECT id FROM cells);"
                           "DELETE FROM findings WHERE study NOT IN (SELECT name FROM studies);"
                           "DELETE FROM said WHERE study NOT IN (SELECT name FROM studies)",
                           error);
}

bool shk_store_count_damaged(struct shk_store *store, int *count, bool removes,
                             struct shk_message *error)
{
  sqlite3_stmt *const statement = shk_store_ask(store, error, "SELECT id FROM cells", "");
  bool ok = true;
  *count = 0;
  while (ok && shk_store_next(store, statement, &ok, error)) {
    struct shk_record record = {0};
    struct reading r = {.store = store, .record = &record};
    shk_store_row(store, statement, "l", &r.row);
    if (!read_record(&r, 0, true, error)) {
      ++*count;
      ok = !removes || shk_store_run(store, error, "DELETE FROM cells WHERE id=?", "l", r.row);
    }
    shk_record_clear(&record);
  }
  sqlite3_reset(statement);
  return ok && (!removes || remove_orphans(store, error));
}

bool shk_store_verify(struct shk_store *store, struct shk_message *error)
{
  int damaged;
  return shk_store_count_damaged(store, &damaged, false, error) && damaged == 0;
}

/* ---- the records of a list of cells, read on demand ---- */

struct slot {
  int64_t row;         /* 0 if none */
  int taken;           /* number of times that the record has been acquired but not yet released */
  unsigned char parts; /* the parts of the record that are in memory */
  /* true once the store has been searched, which sets `row` and the record in `held` */
  bool looked;
};

struct shk_stored_records {
  struct shk_records records; /* must be the first member */
  struct shk_store *store;
  int count;
  const char *cells; /* array of elements of `size` bytes */
  size_t size;
  struct slot *slots;
  struct shk_record **held; /* records in memory, in the order of the cells */
  struct shk_message fault; /* the first failure, or an empty string if there was none */
};

/* Frees the record of a cell, but not the cell within the record, which belongs to the caller. */
static void let_go(struct shk_stored_records *stored, int cell)
{
  if (stored->held[cell])
    stored->held[cell]->cell = (struct shk_cell){0};
  shk_record_free(stored->held[cell]);
  stored->held[cell] = NULL;
  stored->slots[cell] = (struct slot){0};
}

/* Reads the newest record of a cell, without its parts, into `held`. Stores NULL if there is none.
 * On failure, returns false and sets the reason. */
static bool read_first(struct shk_stored_records *stored, int cell, struct shk_message *error)
{
  const struct shk_cell *const entry = (const void *)(stored->cells + (size_t)cell * stored->size);
  struct shk_record **const record = &stored->held[cell];
  char *const text = shk_cell_text(entry);
  struct slot *const slot = &stored->slots[cell];
  *slot = (struct slot){.looked = true};
  const bool ok = read_row(stored->store, record, &slot->row, NULL, text, 0, error);
  free(text);
  if (*record) {
    shk_cell_clear(&(*record)->cell);
    (*record)->cell = *entry;
  }
  return ok;
}

static bool read_parts(struct shk_stored_records *stored, int cell, unsigned parts,
                       struct shk_message *error)
{
  struct reading r = {
      .store = stored->store, .record = stored->held[cell], .row = stored->slots[cell].row};
  sqlite3_stmt *const statement =
      shk_store_ask(r.store, error, "SELECT times FROM cells WHERE id=?", "l", r.row);
  bool ok;
  if (shk_store_next(r.store, statement, &ok, error) && parts & SHK_PART_STATES) {
    const char *times;
    shk_store_row(r.store, statement, "c", &times);
    shk_sample_times_add(&r.record->outcome, times);
  }
  sqlite3_reset(statement);
  return ok && read_blobs(&r, parts, false, error);
}

static const struct shk_record *take_store_read(struct shk_records *records, int cell,
                                                unsigned parts)
{
  struct shk_stored_records *const stored = (struct shk_stored_records *)records;
  struct slot *const slot = &stored->slots[cell];
  bool ok = !stored->fault.text[0] && (slot->looked || read_first(stored, cell, &stored->fault));
  struct shk_record *const record = stored->held[cell];
  if (ok && record) {
    const unsigned missing = parts & ~(unsigned)slot->parts;
    if (missing)
      ok = read_parts(stored, cell, missing, &stored->fault);
    slot->parts |= (unsigned char)missing;
  }
  slot->taken++;
  return ok ? record : NULL;
}

static void put_back(struct shk_records *records, int cell)
{
  struct shk_stored_records *const stored = (struct shk_stored_records *)records;
  struct slot *const slot = &stored->slots[cell];
  if (--slot->taken > 0)
    return;
  if (!records->stay) {
    let_go(stored, cell);
  } else if (stored->held[cell]) {
    shk_outcome_drop_samples(&stored->held[cell]->outcome);
    shk_outcome_drop_series(&stored->held[cell]->outcome);
    slot->parts = 0;
  }
}

struct shk_records *shk_stored_records_open(struct shk_store *store, const void *cells, size_t size,
                                            int count, bool stay, struct shk_message *error)
{
  if (!shk_store_begin_reading(store, error))
    return NULL;
  struct shk_stored_records *stored = shk_allocate(1, sizeof *stored);
  *stored =
      (struct shk_stored_records){{take_store_read, put_back, stay}, store, count, cells, size};
  stored->slots = shk_allocate((size_t)count, sizeof *stored->slots);
  stored->held = shk_allocate((size_t)count, sizeof *stored->held);
  return &stored->records;
}

const struct shk_record *const *shk_stored_records_all(struct shk_records *records, unsigned parts)
{
  struct shk_stored_records *const stored = (struct shk_stored_records *)records;
  for (int i = 0; i < stored->count; i++) {
    take_store_read(records, i, parts);
    if (parts == 0)
      put_back(records, i);
  }
  return (const struct shk_record *const *)stored->held;
}

bool shk_stored_records_good(const struct shk_records *records, struct shk_message *error)
{
  const struct shk_stored_records *const stored = (const struct shk_stored_records *)records;
  if (stored->fault.text[0])
    *error = stored->fault;
  return !stored->fault.text[0];
}

void shk_stored_records_close(struct shk_records *records)
{
  struct shk_stored_records *const stored = (struct shk_stored_records *)records;
  if (!stored)
    return;
  for (int i = 0; i < stored->count; i++)
    let_go(stored, i);
  shk_store_end(stored->store, false, NULL);
  free(stored->slots);
  free(stored->held);
  free(stored);
}
