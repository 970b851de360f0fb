/*
 * The store: a single SQLite file with records, the studies for which they were made, and their
 * provenance.
 *
 *   studies     name, path, text: used to plan the study again; the path is not read
 *   provenance  version, sources, compiler, flags, processor, system, libraries, plug-ins, date
 *   cells       key, cell (its text), status, reason, … and a digest of the whole record
 *   scalars     the numbers of a record by name
 *   blobs       the states and series of a record (results/record/record_bytes.h)
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
  SHK_STORE_READ, /* an existing file, even while another process is writing to it */
  SHK_STORE_WRITE /* created if missing; allows only one writer at a time */
};

/*
 * While a store is being written, it is in WAL mode, so that no finished record is lost if a run is
 * killed. Closing turns the store into a single plain file again. A lock file next to it,
 * NAME-lock, exists only during writing and excludes a second writer. A store with another version
 * is refused (schema.sql). A damaged record is refused when it is read, and a run computes it
 * again. Stores are untrusted input: only a file with our application id and exactly our schema is
 * read, and nothing in it is executed.
 */

/* Opens a store. A NULL path opens a store in memory. On failure, returns NULL and sets the reason,
 * which names the path. */
struct shk_store *shk_store_open(const char *path, enum shk_store_mode mode,
                                 struct shk_message *error);
/* Closes a store in any case. Returns false and sets the reason if the last changes could not be
 * written, unless a failed write has already been reported. Accepts NULL. */
bool shk_store_close(struct shk_store *store, struct shk_message *error);

/* Returns true if the path still leads to the open file, or if the store is in memory. */
bool shk_store_in_place(struct shk_store *store);
/* Use this if the path no longer leads to the open file. Writes the contents of the store to the
 * path again, or next to it if there is a new file, and reports this in `what`. Close the store
 * afterwards. */
void shk_store_rescue(struct shk_store *store, struct shk_message *what);

/* ---- studies ---- */

/* Adds a study, replacing one with the same name. The old text stays in the provenance of its
 * records. */
bool shk_store_add_study(struct shk_store *store, const char *name, const char *path,
                         const char *text, struct shk_message *error);

struct shk_stored_study {
  char *name, *path, *text;
};
/* Returns all studies in the order in which they were first added. The caller frees them. On
 * failure returns false and sets the reason. */
bool shk_store_studies(struct shk_store *store, struct shk_stored_study **studies, int *count,
                       struct shk_message *error);
void shk_stored_studies_free(struct shk_stored_study *studies, int count);

/* A cached descriptor: a request about something outside the program that the study names, and the
 * reply, both as bytes in the form of harness/run/requests.h. */
struct shk_stored_answer {
  char *question, *reply;
  size_t size;
};
/* Stores the cached descriptors of a study, replacing earlier ones. On failure, returns false and
 * sets the reason. */
bool shk_store_put_answers(struct shk_store *store, const char *study,
                           const struct shk_stored_answer *answers, int count,
                           struct shk_message *error);
/* Passes the cached descriptors of a study to the reader, which then owns the replies, until the
 * reader returns false. On failure, returns false and sets the reason. */
typedef bool shk_answer_reader(void *user, const char *question, char *reply, size_t size,
                               struct shk_message *error);
bool shk_store_answers(struct shk_store *store, const char *study, shk_answer_reader *reader,
                       void *user, struct shk_message *error);

/* ---- provenance ---- */

/* Adds a provenance and returns its row number for use in records. On failure, returns 0 and sets
 * the reason. */
long shk_store_add_provenance(struct shk_store *store, const struct shk_provenance *provenance,
                              struct shk_message *error);
/* Reads a provenance. Returns false and sets the reason if the row is missing or cannot be read. */
bool shk_store_provenance(struct shk_store *store, struct shk_provenance *provenance, long row,
                          struct shk_message *error);

/* ---- records ---- */

/* These functions store several records in one transaction, because each transaction is slow. Begin
 * the transaction, which deletes all findings; insert each record, replacing any with the same key;
 * and end the transaction. It is rolled back if `ok` is false or if it cannot be committed. */
bool shk_store_begin(struct shk_store *store, struct shk_message *error);
bool shk_store_insert(struct shk_store *store, const struct shk_record *record,
                      struct shk_message *error);
bool shk_store_end(struct shk_store *store, bool ok, struct shk_message *error);

/* Begins a read transaction, which speeds up many look-ups. Do not write within it, and end it with
 * `ok` false. On failure, returns false and sets the reason. */
bool shk_store_begin_reading(struct shk_store *store, struct shk_message *error);

/* Specifies which unfinished cells are run again: those that stopped at a limit below these limits
 * or, with `again`, all of them. If `seconds` is 0, the limit is determined from the first steps,
 * and cells that stopped at an explicit limit are run again. */
struct shk_raised {
  bool again;
  double seconds, megabytes;
};
/* Sets *stands to true if the cell has a record and need not be run. On failure, returns false and
 * sets the reason. */
bool shk_store_look(struct shk_store *store, bool *stands, const char *key, const char *text,
                    const struct shk_raised *raised, struct shk_message *error);

/* Checks all records. Returns false and sets the reason, which names the record, if one is
 * damaged. */
bool shk_store_verify(struct shk_store *store, struct shk_message *error);
/* Counts the damaged records and, with `removes`, removes them. `error` describes the last one.
 * Returns false and sets the reason if SQLite fails. */
bool shk_store_count_damaged(struct shk_store *store, int *count, bool removes,
                             struct shk_message *error);

/* Reads the record of a cell, given by its text, with all parts. It is the record with `key` or, if
 * `key` is NULL, the newest record. *record is NULL if there is none; the caller frees it with
 * shk_record_free. Returns false and sets the reason if the record is damaged or cannot be read. */
bool shk_store_find(struct shk_store *store, struct shk_record **record, const char *key,
                    const char *text, struct shk_message *error);

long shk_store_record_count(struct shk_store *store);

/* ---- records of a list of cells ----
 *
 * The newest records of these cells are read only when they are taken (results/record/record.h), so
 * that a study can be larger than the memory. They are read in one transaction that lasts from
 * opening to closing. Nothing may be written within it. */

/* Opens the records of `count` cells, each of which is the first member of an element of `size`
 * bytes. The store and the cells must outlive the records. With `stay`, a record that was once
 * taken stays in memory, although without its parts after it is put back. Otherwise, only records
 * that are currently taken are in memory. On failure, returns NULL and sets the reason. */
struct shk_records *shk_stored_records_open(struct shk_store *store, const void *cells, size_t size,
                                            int count, bool stay, struct shk_message *error);

/* Returns all records in the order of the cells, with NULL for missing records. Requires `stay`.
 * With `parts`, the records stay taken until the end. If `parts` is 0, taking a record reads its
 * parts. */
const struct shk_record *const *shk_stored_records_all(struct shk_records *records, unsigned parts);

/* Returns false, with the first reason, if a record could not be read when it was taken. Such
 * records were returned as NULL, and conclusions drawn from them are invalid. */
bool shk_stored_records_good(const struct shk_records *records, struct shk_message *error);
void shk_stored_records_close(struct shk_records *records);

#endif
