/*
 * The store: one SQLite file with records, the studies for which they were made, and their
 * provenance.
 *
 *   studies     name, path, text: to plan the study again; the path is not read
 *   provenance  version, sources, compiler, flags, processor, system, libraries, plug-ins, date
 *   cells       key, cell (its text), status, reason, … and a digest of the whole record
 *   scalars     its numbers by name
 *   blobs       its states and series (results/record/record_bytes.h)
 *   findings    results of the last analysis of a study (store_findings.h)
 *   said        cached descriptors of a study's problems and integrators that come from plug-ins,
 *               name files or run programs (harness/run/replies.h)
 */
#ifndef RESULTS_STORE_STORE_H
#define RESULTS_STORE_STORE_H

#include "foundation/message.h"
#include "results/record/provenance.h"
#include "results/record/record.h"

struct shk_store;

enum shk_store_mode {
  SHK_STORE_READ, /* an existing file, even during writing by another process */
  SHK_STORE_WRITE /* created if missing; one writer at a time */
};

/*
 * A store that is being written is in WAL mode, so that a killed run keeps every finished record;
 * closing makes it one plain file again. A lock file beside it, NAME-lock, exists during writing
 * only and excludes a second writer. A store of another version is refused (schema.sql). A damaged
 * record is refused when read and computed anew by a run. Stores are untrusted input: only a file
 * with our application id and exactly our schema is read, and nothing in it is executed.
 */

/* Opens a store; a NULL path gives a store in memory. NULL with the reason, which names the
 * path. */
struct shk_store *shk_store_open(const char *path, enum shk_store_mode mode,
                                 struct shk_message *error);
/* Closes a store in any case. False with the reason if the last changes could not be written,
 * unless a failed write was reported before. Accepts NULL. */
bool shk_store_close(struct shk_store *store, struct shk_message *error);

/* True if the path still leads to the open file, or the store is in memory. */
bool shk_store_in_place(struct shk_store *store);
/* For a path that no longer leads there: writes the contents of the store to the path anew, or
 * beside a new file there, and reports this in `what`. The store must then be closed. */
void shk_store_rescue(struct shk_store *store, struct shk_message *what);

/* ---- studies ---- */

/* Adds a study in place of one with the same name. The old text stays in the provenance of its
 * records. */
bool shk_store_add_study(struct shk_store *store, const char *name, const char *path,
                         const char *text, struct shk_message *error);

struct shk_stored_study {
  char *name, *path, *text;
};
/* Returns all studies in the order of their first addition; the caller frees them. False with the
 * reason. */
bool shk_store_studies(struct shk_store *store, struct shk_stored_study **studies, int *count,
                       struct shk_message *error);
void shk_stored_studies_free(struct shk_stored_study *studies, int count);

/* A cached descriptor: the request for an object outside the program that the study names, and the
 * reply, as bytes of harness/run/requests.h. */
struct shk_stored_answer {
  char *question, *reply;
  size_t size;
};
/* Stores the cached descriptors of a study in place of earlier ones. False with the reason. */
bool shk_store_put_answers(struct shk_store *store, const char *study,
                           const struct shk_stored_answer *answers, int count,
                           struct shk_message *error);
/* Passes the cached descriptors of a study to the reader, which owns the replies, until it returns
 * false. False with the reason. */
typedef bool shk_answer_reader(void *user, const char *question, char *reply, size_t size,
                               struct shk_message *error);
bool shk_store_answers(struct shk_store *store, const char *study, shk_answer_reader *reader,
                       void *user, struct shk_message *error);

/* ---- provenance ---- */

/* Adds a provenance and returns its row, for records; 0 with the reason. */
long shk_store_add_provenance(struct shk_store *store, const struct shk_provenance *provenance,
                              struct shk_message *error);
/* Reads a provenance. False with the reason if the row is missing or cannot be read. */
bool shk_store_provenance(struct shk_store *store, struct shk_provenance *provenance, long row,
                          struct shk_message *error);

/* ---- records ---- */

/* These store records, several in one transaction, since each transaction is slow: begin it, which
 * deletes all findings; insert each record, in place of one with the same key; end it. It is rolled
 * back if `ok` is false or it cannot be committed. */
bool shk_store_begin(struct shk_store *store, struct shk_message *error);
bool shk_store_insert(struct shk_store *store, const struct shk_record *record,
                      struct shk_message *error);
bool shk_store_end(struct shk_store *store, bool ok, struct shk_message *error);

/* Begins a read transaction, which makes many look-ups fast. Nothing may be written within it; end
 * it with `ok` false. False with the reason. */
bool shk_store_begin_reading(struct shk_store *store, struct shk_message *error);

/* Unfinished records whose cells are to be run again: those that stopped at a limit below these,
 * or, with `again`, all. Seconds 0: by the first steps; then those that stopped at a stated limit. */
struct shk_raised {
  bool again;
  double seconds, megabytes;
};
/* Sets *stands to true if the cell has a record and need not be run. False with the reason. */
bool shk_store_look(struct shk_store *store, bool *stands, const char *key, const char *text,
                    const struct shk_raised *raised, struct shk_message *error);

/* Checks all records. False with the reason, which names a damaged one. */
bool shk_store_verify(struct shk_store *store, struct shk_message *error);
/* Counts damaged records and, with `removes`, removes them; `error` describes the last of them.
 * False with the reason if SQLite fails. */
bool shk_store_count_damaged(struct shk_store *store, int *count, bool removes,
                             struct shk_message *error);

/* Reads the record of a cell, given by its text, with all parts: the one under `key`, or the newest
 * if key is NULL. *record is NULL if there is none; the caller frees it by shk_record_free. False
 * with the reason if it is damaged or cannot be read. */
bool shk_store_find(struct shk_store *store, struct shk_record **record, const char *key,
                    const char *text, struct shk_message *error);

long shk_store_record_count(struct shk_store *store);

/* ---- records of a list of cells ----
 *
 * The newest records of these cells, read when they are taken (results/record/record.h), so that a
 * study may be larger than the memory. From opening to closing there is one read transaction:
 * nothing may be written within it. */

/* Opens the records of `count` cells, the first members of elements of `size` bytes. The store and
 * the cells must outlive them. With `stay` a record once taken stays in memory, without its parts
 * after it is put back; otherwise only taken records are in memory. NULL with the reason. */
struct shk_records *shk_stored_records_open(struct shk_store *store, const void *cells, size_t size,
                                            int count, bool stay, struct shk_message *error);

/* Returns all records in the order of the cells, NULL for a missing one; requires `stay`. With
 * `parts` they stay taken to the end; with parts 0, taking a record reads its parts. */
const struct shk_record *const *shk_stored_records_all(struct shk_records *records, unsigned parts);

/* False with the first reason if a record taken could not be read. Such records were returned as
 * NULL, and conclusions from them are invalid. */
bool shk_stored_records_good(const struct shk_records *records, struct shk_message *error);
void shk_stored_records_close(struct shk_records *records);

#endif
