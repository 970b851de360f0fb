/*
 * The store is a single SQLite file that contains records, the studies for which they were
 * computed, and their provenance.
 *
 *   studies     name, path and text; the study is planned again from the text, and the path is not
 *               opened
 *   provenance  version, sources, compiler, flags, processor, system, libraries, plug-ins, date
 *   cells       key, cell (as a string), status, reason, … and a digest of the whole record
 *   scalars     the numbers in a record, by name
 *   blobs       the states and series of a record (results/record/record_bytes.h)
 *   findings    results of the latest analysis of a study (store_findings.h)
 *   said        cached descriptors of those problems and integrators of a study that come from
 *               plug-ins, refer to files or run programs (harness/run/replies.h)
 */
#ifndef RESULTS_STORE_STORE_H
#define RESULTS_STORE_STORE_H

#include "foundation/message.h"
#include "results/record/provenance.h"
#include "results/record/record.h"

struct shk_store;

enum shk_store_mode {
  SHK_STORE_READ, /* opens an existing file, even while another process is writing to it */
  SHK_STORE_WRITE /* creates the file if it does not exist; only one writer is allowed at a time */
};

/*
 * While a store is being written, it is in WAL mode, so that no finished record is lost if a run is
 * killed. Closing the store converts it back to a single plain file. A lock file next to it,
 * NAME-lock, exists only during writing and excludes a second writer. A store with a different
 * schema version (schema.sql) is rejected. A damaged record is rejected when read, and the next run
 * recomputes it. Stores are untrusted input: only files with Shakedown's application ID and exactly
 * its schema are read, and nothing in them is executed.
 */

/* Opens a store. If `path` is NULL, the store is in memory. On failure, returns NULL and sets the
 * reason, which includes the path. */
struct shk_store *shk_store_open(const char *path, enum shk_store_mode mode,
                                 struct shk_message *error);
/* Closes a store, even if an error occurs. Returns false and sets the reason if the last changes
 * could not be written, unless a failed write has already been reported. Accepts NULL. */
bool shk_store_close(struct shk_store *store, struct shk_message *error);

/* Returns true if the path still refers to the open file, or if the store is in memory. */
bool shk_store_in_place(struct shk_store *store);
/* Rescues the contents of a store whose path no longer refers to the open file. Writes them to the
 * path again, or next to it if a new file exists there, and reports this in `what`. Close the store
 * afterwards. */
void shk_store_rescue(struct shk_store *store, struct shk_message *what);

/* ---- studies ---- */

/* Adds a study, replacing any study with the same name. The contents of the old study remain in the
 * provenance of its records. */
bool shk_store_add_study(struct shk_store *store, const char *name, const char *path,
                         const char *text, struct shk_message *error);

struct shk_stored_study {
  char *name, *path, *text;
};
/* Returns all studies, in the order in which they were first added. The caller frees them. On
 * failure, returns false and sets the reason. */
bool shk_store_studies(struct shk_store *store, struct shk_stored_study **studies, int *count,
                       struct shk_message *error);
void shk_stored_studies_free(struct shk_stored_study *studies, int count);

/* A cached descriptor consists of a request about something outside the program to which a study
 * refers, and the reply to it. Both are serialized as in harness/run/requests.h. */
struct shk_stored_answer {
  char *question, *reply;
  size_t size;
};
/* Stores the cached descriptors of a study, replacing any earlier ones. On failure, returns false
 * and sets the reason. */
bool shk_store_put_answers(struct shk_store *store, const char *study,
                           const struct shk_stored_answer *answers, int count,
                           struct shk_message *error);
/* Calls the reader for each cached descriptor of a study until the reader returns false. The reader
 * takes ownership of the replies. On failure, returns false and sets the reason. */
typedef bool shk_answer_reader(void *user, const char *question, char *reply, size_t size,
                               struct shk_message *error);
bool shk_store_answers(struct shk_store *store, const char *study, shk_answer_reader *reader,
                       void *user, struct shk_message *error);

/* ---- provenance ---- */

/* Adds a provenance entry and returns its row number, for use in records. On failure, returns 0 and
 * sets the reason. */
long shk_store_add_provenance(struct shk_store *store, const struct shk_provenance *provenance,
                              struct shk_message *error);
/* Reads a provenance entry. Returns false and sets the reason if the row is missing or cannot be
 * read. */
bool shk_store_provenance(struct shk_store *store, struct shk_provenance *provenance, long row,
                          struct shk_message *error);

/* ---- records ---- */

/* These functions store several records in a single transaction, because transactions are slow.
 * First begin a transaction, which deletes all findings. Then insert records, each of which
 * replaces any record with the same key. Finally, end the transaction. It is rolled back if `ok` is
 * false or if it cannot be committed. */
bool shk_store_begin(struct shk_store *store, struct shk_message *error);
bool shk_store_insert(struct shk_store *store, const struct shk_record *record,
                      struct shk_message *error);
bool shk_store_end(struct shk_store *store, bool ok, struct shk_message *error);

/* Begins a read transaction, which makes a large number of look-ups faster. Do not write within
 * this transaction, and end it with `ok` set to false. On failure, returns false and sets the
 * reason. */
bool shk_store_begin_reading(struct shk_store *store, struct shk_message *error);

/* Specifies which unfinished cells are run again: those that stopped at a limit lower than the
 * limits given here or, if `again` is true, all of them. If `seconds` is 0, the new limit is
 * determined from the first steps, and all cells that stopped at an explicit time limit are run
 * again. */
struct shk_raised {
  bool again;
  double seconds, megabytes;
};
/* Sets *stands to whether the cell has a record and does not have to be run. On failure, returns
 * false and sets the reason. */
bool shk_store_look(struct shk_store *store, bool *stands, const char *key, const char *text,
                    const struct shk_raised *raised, struct shk_message *error);

/* Checks all records. If one is damaged, returns false and sets the reason, which names the
 * record. */
bool shk_store_verify(struct shk_store *store, struct shk_message *error);
/* Counts the damaged records and, if `removes` is true, removes them. `error` describes the last
 * damaged record. If SQLite fails, returns false and sets the reason. */
bool shk_store_count_damaged(struct shk_store *store, int *count, bool removes,
                             struct shk_message *error);

/* Reads the record of a cell, given as a string, with all its parts. This is the record with `key`
 * or, if `key` is NULL, the newest record. Sets *record to NULL if there is none; the caller frees
 * it with shk_record_free. If the record is damaged or cannot be read, returns false and sets the
 * reason. */
bool shk_store_find(struct shk_store *store, struct shk_record **record, const char *key,
                    const char *text, struct shk_message *error);

long shk_store_record_count(struct shk_store *store);

/* ---- records of a list of cells ----
 *
 * The newest record of each cell is read only when it is acquired with `take`
 * (results/record/record.h), so that a study can be larger than memory. All records are read in one
 * transaction, which lasts from opening to closing. Nothing may be written within this
 * transaction. */

/* Opens the records of `count` cells. Each cell is the first member of an array element of `size`
 * bytes. The store and the cells must outlive the records. If `stay` is true, a record remains in
 * memory after its first use, but without its parts once it has been released. Otherwise, only
 * records currently in use are kept in memory. On failure, returns NULL and sets the reason. */
struct shk_records *shk_stored_records_open(struct shk_store *store, const void *cells, size_t size,
                                            int count, bool stay, struct shk_message *error);

/* Returns all records in the order of the cells, with NULL for missing records. The records must
 * have been opened with `stay`. If `parts` is not 0, the records remain in use, with these parts,
 * until they are closed. If `parts` is 0, the parts of a record are read when it is acquired. */
const struct shk_record *const *shk_stored_records_all(struct shk_records *records, unsigned parts);

/* Returns false and sets the reason if any record could not be read when it was acquired; the
 * reason is that of the first failure. Such records were returned as NULL, and any conclusions
 * drawn from them are invalid. */
bool shk_stored_records_good(const struct shk_records *records, struct shk_message *error);
void shk_stored_records_close(struct shk_records *records);

#endif
