/*
 * Records out of a store: one with all its parts (store.h), or those of a list of cells as they are
 * needed (stored_records.h).
 */
#include "results/store/stored_records.h"

#include "foundation/memory.h"
#include "results/pack/pack.h"
#include "results/record/cell_text.h"
#include "results/record/states.h"
#include "results/record/wire.h"
#include "results/store/store_private.h"

#include <stdlib.h>
#include <string.h>

/* ---- parts of a record ---- */

/* A column of JSON; NULL with the reason, which names it. */
static json_t *parse(const char *column, const char *text, struct shk_message *error)
{
  json_error_t fault;
  json_t *const json = json_loads(text, 0, &fault);
  if (!json)
    shk_message_set(error, "%s: %s", column, fault.text);
  return json;
}

/* Adds the states of a column, which may have none. */
static bool parse_states(struct shk_outcome *outcome, sqlite3_stmt *statement, int column,
                         struct shk_message *error)
{
  const void *const blob = sqlite3_column_blob(statement, column);
  return !blob ||
         shk_unpack_states(outcome, blob, (size_t)sqlite3_column_bytes(statement, column), error);
}

/* The same of series. */
static bool parse_series(struct shk_outcome *outcome, sqlite3_stmt *statement, int column,
                         struct shk_message *error)
{
  const void *const blob = sqlite3_column_blob(statement, column);
  const size_t size = (size_t)sqlite3_column_bytes(statement, column);
  if (!blob || shk_unpack_series(outcome, blob, size))
    return true;
  shk_message_set(error, "its series are damaged");
  return false;
}

static bool parse_outcome(struct shk_outcome *outcome, const char *text, struct shk_message *error)
{
  json_t *const json = parse("outcome", text, error);
  const bool ok = json && shk_wire_read_outcome(outcome, json, error);
  json_decref(json);
  return ok;
}

static bool parse_request(struct shk_cell *cell, const char *text, struct shk_message *error)
{
  json_t *const json = parse("request", text, error);
  const bool ok = json && shk_wire_read_cell(cell, json, error);
  json_decref(json);
  if (ok)
    shk_cell_read_numbers(cell);
  return ok;
}

#define PLAIN_COLUMNS                                                                              \
  "id, key, ending, detail, output, dropped, seconds, limit_seconds, limit_megabytes, provenance"
enum { PLAIN_COLUMN_COUNT = 10 };

/* A stranger's store may say that a cell printed more than any can. */
static void read_output(struct shk_record *record, sqlite3_stmt *statement, int column)
{
  const char *const text = (const char *)sqlite3_column_text(statement, column);
  size_t length = text ? strlen(text) : 0;
  if (length > SHK_OUTPUT_TEXT_LIMIT) {
    size_t kept = SHK_OUTPUT_TEXT_LIMIT;
    while (kept > 0 && ((unsigned char)text[kept] & 0xC0) == 0x80)
      kept--; /* not within a character */
    record->output_dropped += (long)(length - kept);
    length = kept;
  }
  record->output = text ? shk_print_text("%.*s", (int)length, text) : NULL;
}

/* Reads these columns; everything is checked: the file may come from a stranger. */
static bool read_plain(struct shk_record *record, sqlite3_stmt *statement,
                       struct shk_message *error)
{
  const int ending = sqlite3_column_int(statement, 2);
  if (ending < SHK_END_FINISHED || ending > SHK_END_EXITED) {
    shk_message_set(error, "unknown ending %d", ending);
    return false;
  }
  strncpy(record->key, shk_store_column(statement, 1), sizeof record->key - 1);
  record->end = (enum shk_end)ending;
  record->end_detail = sqlite3_column_int(statement, 3);
  record->output_dropped = (long)sqlite3_column_int64(statement, 5);
  read_output(record, statement, 4);
  record->seconds = sqlite3_column_double(statement, 6);
  record->limit_seconds = sqlite3_column_double(statement, 7);
  record->limit_megabytes = sqlite3_column_double(statement, 8);
  record->provenance = (long)sqlite3_column_int64(statement, 9);
  return true;
}

static void say_unreadable(struct shk_message *error, const struct shk_store *store,
                           const char *key, const struct shk_message *fault)
{
  shk_message_set(error, "%s: record %s does not read: %s", shk_store_name(store), key,
                  fault->text);
}

/* ---- one record ---- */

bool shk_store_find(struct shk_store *store, struct shk_record **record, const char *key,
                    const char *text, struct shk_message *error)
{
  *record = NULL;
  sqlite3_stmt *statement =
      shk_store_kept(store,
                     "SELECT " PLAIN_COLUMNS ", request, outcome, states, series FROM record "
                     "WHERE cell=?1 AND (?2 IS NULL OR key=?2) ORDER BY id DESC LIMIT 1",
                     error);
  if (!statement)
    return false;
  sqlite3_bind_text(statement, 1, text, -1, SQLITE_STATIC);
  sqlite3_bind_text(statement, 2, key, -1, SQLITE_STATIC);
  const int code = sqlite3_step(statement);
  bool ok = code == SQLITE_DONE;
  if (code == SQLITE_ROW) {
    struct shk_message fault;
    struct shk_record *found = shk_allocate(1, sizeof *found);
    ok = read_plain(found, statement, &fault) &&
         parse_request(&found->cell, shk_store_column(statement, PLAIN_COLUMN_COUNT), &fault) &&
         parse_outcome(&found->outcome, shk_store_column(statement, PLAIN_COLUMN_COUNT + 1),
                       &fault) &&
         parse_states(&found->outcome, statement, PLAIN_COLUMN_COUNT + 2, &fault) &&
         parse_series(&found->outcome, statement, PLAIN_COLUMN_COUNT + 3, &fault);
    if (!ok)
      say_unreadable(error, store, shk_store_column(statement, 1), &fault);
    if (ok) {
      *record = found;
    } else {
      shk_record_clear(found);
      free(found);
    }
  } else if (!ok) {
    shk_store_failed(store, error);
  }
  sqlite3_reset(statement);
  return ok;
}

bool shk_store_records(struct shk_store *store, struct shk_record ***records,
                       const struct shk_cell *const *cells, int count, struct shk_message *error)
{
  *records = NULL;
  if (!shk_store_begin_reading(store, error))
    return false;
  *records = shk_allocate((size_t)count, sizeof **records);
  bool ok = true;
  for (int i = 0; ok && i < count; i++) {
    char *text = shk_cell_text(cells[i]);
    ok = shk_store_find(store, &(*records)[i], NULL, text, error);
    free(text);
  }
  shk_store_end_reading(store);
  if (!ok) {
    shk_records_free(*records, count);
    *records = NULL;
  }
  return ok;
}

void shk_records_free(struct shk_record **records, int count)
{
  for (int i = 0; records && i < count; i++) {
    if (records[i])
      shk_record_clear(records[i]);
    free(records[i]);
  }
  free(records);
}

/* ---- the records of a list of cells, as they are needed ---- */

struct slot {
  long row;
  int taken;
  unsigned char parts;
  bool looked; /* the row is known, or that there is none */
};

struct shk_stored_records {
  struct shk_records records; /* the first member */
  struct shk_store *store;
  int count;
  const struct shk_cell **cells;
  struct slot *slots;
  struct shk_record **held; /* by cell */
  bool failed;
  struct shk_message fault;
};

/* Frees what `read_first` made: its cell is the caller's. */
static void let_go(struct shk_stored_records *stored, int cell)
{
  struct shk_record *record = stored->held[cell];
  if (!record)
    return;
  record->cell = (struct shk_cell){0};
  shk_record_clear(record);
  free(record);
  stored->held[cell] = NULL;
  stored->slots[cell] = (struct slot){0};
}

/* The newest record of the cell without its parts; NULL if there is none. */
static bool read_first(struct shk_stored_records *stored, int cell, struct shk_message *error)
{
  struct shk_store *const store = stored->store;
  struct slot *const slot = &stored->slots[cell];
  sqlite3_stmt *statement = shk_store_kept(
      store, "SELECT " PLAIN_COLUMNS ", outcome FROM record WHERE cell=?1 ORDER BY id DESC LIMIT 1",
      error);
  if (!statement)
    return false;
  char *text = shk_cell_text(stored->cells[cell]);
  sqlite3_bind_text(statement, 1, text, -1, SQLITE_STATIC);
  const int code = sqlite3_step(statement);
  bool ok = code == SQLITE_DONE;
  *slot = (struct slot){.looked = true};
  if (code == SQLITE_ROW) {
    struct shk_message fault;
    struct shk_record *found = shk_allocate(1, sizeof *found);
    ok = read_plain(found, statement, &fault) &&
         parse_outcome(&found->outcome, shk_store_column(statement, PLAIN_COLUMN_COUNT), &fault);
    if (!ok)
      say_unreadable(error, store, shk_store_column(statement, 1), &fault);
    /* Only what the other columns hold, whatever a stranger has put into the outcome. */
    shk_outcome_drop_samples(&found->outcome);
    shk_outcome_drop_series(&found->outcome);
    found->cell = *stored->cells[cell];
    stored->held[cell] = found;
    slot->row = (long)sqlite3_column_int64(statement, 0);
    if (!ok)
      let_go(stored, cell);
  } else if (!ok) {
    shk_store_failed(store, error);
  }
  sqlite3_reset(statement);
  free(text);
  return ok;
}

/* Adds the parts of a column. */
typedef bool part_parser(struct shk_outcome *outcome, sqlite3_stmt *statement, int column,
                         struct shk_message *error);
static bool read_part(struct shk_stored_records *stored, int cell, const char *sql,
                      part_parser *parse_part)
{
  struct shk_record *const record = stored->held[cell];
  sqlite3_stmt *statement = shk_store_kept(stored->store, sql, &stored->fault);
  if (!statement)
    return false;
  sqlite3_bind_int64(statement, 1, stored->slots[cell].row);
  struct shk_message fault;
  bool ok = sqlite3_step(statement) == SQLITE_ROW;
  if (!ok) {
    shk_store_failed(stored->store, &stored->fault);
  } else {
    ok = parse_part(&record->outcome, statement, 0, &fault);
    if (!ok)
      say_unreadable(&stored->fault, stored->store, record->key, &fault);
  }
  sqlite3_reset(statement);
  return ok;
}

static const struct shk_record *take(struct shk_records *records, int cell, unsigned parts)
{
  struct shk_stored_records *const stored = (struct shk_stored_records *)records;
  struct slot *const slot = &stored->slots[cell];
  bool ok = !stored->failed && (slot->looked || read_first(stored, cell, &stored->fault));
  struct shk_record *const record = stored->held[cell];
  if (ok && record) {
    const unsigned missing = parts & ~(unsigned)slot->parts;
    if (missing & SHK_PART_STATES)
      ok = read_part(stored, cell, "SELECT states FROM record WHERE id=?", parse_states);
    if (ok && missing & SHK_PART_SERIES)
      ok = read_part(stored, cell, "SELECT series FROM record WHERE id=?", parse_series);
    slot->parts |= (unsigned char)missing;
  }
  slot->taken++;
  stored->failed = stored->failed || !ok;
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
    slot->looked = false;
  } else if (stored->held[cell]) {
    shk_outcome_drop_samples(&stored->held[cell]->outcome);
    shk_outcome_drop_series(&stored->held[cell]->outcome);
    slot->parts = 0;
  }
}

struct shk_records *shk_stored_records_open(struct shk_store *store,
                                            const struct shk_cell *const *cells, int count,
                                            bool stay, struct shk_message *error)
{
  if (!shk_store_begin_reading(store, error))
    return NULL;
  struct shk_stored_records *stored = shk_allocate(1, sizeof *stored);
  stored->records = (struct shk_records){.take = take, .put_back = put_back, .stay = stay};
  stored->store = store;
  stored->count = count;
  stored->cells = shk_allocate((size_t)count, sizeof(struct shk_cell *));
  for (int i = 0; i < count; i++)
    stored->cells[i] = cells[i];
  stored->slots = shk_allocate((size_t)count, sizeof *stored->slots);
  stored->held = shk_allocate((size_t)count, sizeof *stored->held);
  return &stored->records;
}

const struct shk_record *const *shk_stored_records_all(struct shk_records *records)
{
  struct shk_stored_records *const stored = (struct shk_stored_records *)records;
  for (int i = 0; i < stored->count; i++) {
    take(records, i, 0);
    put_back(records, i);
  }
  return (const struct shk_record *const *)stored->held;
}

bool shk_stored_records_good(const struct shk_records *records, struct shk_message *error)
{
  const struct shk_stored_records *const stored = (const struct shk_stored_records *)records;
  if (stored->failed)
    *error = stored->fault;
  return !stored->failed;
}

void shk_stored_records_close(struct shk_records *records)
{
  struct shk_stored_records *const stored = (struct shk_stored_records *)records;
  if (!stored)
    return;
  for (int i = 0; i < stored->count; i++)
    let_go(stored, i);
  shk_store_end_reading(stored->store);
  free(stored->cells);
  free(stored->slots);
  free(stored->held);
  free(stored);
}
