/*
 * The store: one SQLite file that holds records, the studies they were made for, and where they
 * come from.
 *
 *   studies     name, path, text: what to plan again; nothing is looked for at the path
 *   provenance  version, sources, compiler, flags, processor, system, libraries, plug-ins, date
 *   cells       key, cell (its text), status, reason, … and a digest of all that a record has
 *   scalars     its numbers by name
 *   blobs       its states and series (store_blobs.h)
 *   findings    what the last analysis of a study found (store_findings.h)
 *   said        of a study: what was answered of its problems and integrators that are a plug-in's,
 *               name files or run programs (harness/run/said.h)
 *
 * While it is written the file is in WAL mode, so that any kill leaves every finished record in it;
 * closing makes it one plain file again. A second writer is refused by a lock file next to it,
 * NAME-lock, which exists only while someone writes. A store of another version is refused
 * (schema.sql). A record that is not as it was written is read by nobody, and made anew by a run.
 * What is opened may come from a stranger: only a file with our application id and exactly our
 * schema is read, and nothing in it is executed.
 */
#ifndef RESULTS_STORE_STORE_H
#define RESULTS_STORE_STORE_H

#include "foundation/message.h"
#include "results/record/provenance.h"
#include "results/record/record.h"

struct shk_store;

enum shk_store_mode {
  SHK_STORE_READ, /* an existing file, also while someone else writes it */
  SHK_STORE_WRITE /* made if there is none; one writer at a time */
};

/* NULL with the reason, which names the path. A NULL path gives a store in memory. */
struct shk_store *shk_store_open(const char *path, enum shk_store_mode mode,
                                 struct shk_message *error);
/* False if the last of it could not be written to the file, and nothing before failed for that
 * reason; it is closed in any case. */
bool shk_store_close(struct shk_store *store, struct shk_message *error);

/* Whether the path still leads to the file that is open. */
bool shk_store_in_place(struct shk_store *store);
/* Where it does not, writes all that was put into the store there anew, or beside whatever is there
 * now, and says so. The store can only be closed after it. */
void shk_store_rescue(struct shk_store *store, struct shk_message *what);

/* ---- studies ---- */

/* Adds a study; one of the same name is replaced (the text of the old one stays in the provenance
 * of its records). */
bool shk_store_add_study(struct shk_store *store, const char *name, const char *path,
                         const char *text, struct shk_message *error);

struct shk_stored_study {
  char *name, *path, *text, *date;
};
/* All of them, in the order in which they were added first; the caller frees them. False with the
 * reason. */
bool shk_store_studies(struct shk_store *store, struct shk_stored_study **studies, int *count,
                       struct shk_message *error);
void shk_stored_studies_free(struct shk_stored_study *studies, int count);

/* A question about what the study names outside the program, and the reply that was given, bytes as
 * harness/run/requests.h has them. */
struct shk_stored_answer {
  char *question, *reply;
  size_t size;
};
/* Keeps these for a study that the store has, in place of all before. False with the reason. */
bool shk_store_put_answers(struct shk_store *store, const char *study,
                           const struct shk_stored_answer *answers, int count,
                           struct shk_message *error);
/* The caller frees them. False with the reason. */
bool shk_store_answers(struct shk_store *store, struct shk_stored_answer **answers, int *count,
                       const char *study, struct shk_message *error);
void shk_stored_answers_free(struct shk_stored_answer *answers, int count);

/* ---- provenance ---- */

/* Returns the row's number for records; 0 with the reason. */
long shk_store_add_provenance(struct shk_store *store, const struct shk_provenance *provenance,
                              struct shk_message *error);
/* False if there is no such row or it cannot be read. */
bool shk_store_provenance(struct shk_store *store, struct shk_provenance *provenance, long row,
                          struct shk_message *error);

/* ---- records ---- */

/* Keeps the record, in place of one with the same key. `text` is its cell's (cell_text.h). */
bool shk_store_put(struct shk_store *store, const struct shk_record *record, const char *text,
                   struct shk_message *error);

/* Between these the store is read as one state, which makes many look-ups cheap; nothing may be
 * written. False with the reason. */
bool shk_store_begin_reading(struct shk_store *store, struct shk_message *error);
void shk_store_end_reading(struct shk_store *store);

/* What is known of the record under a key without reading all of it. */
struct shk_stored {
  bool found;
  enum shk_end end;
  double limit_seconds, limit_megabytes;
};
/* False with the reason; also if another cell has the same key. */
bool shk_store_look(struct shk_store *store, struct shk_stored *stored, const char *key,
                    const char *text, struct shk_message *error);

/* Whether all records are as they were written. False with the row of one that is not. */
bool shk_store_verify(struct shk_store *store, struct shk_message *error);
/* Removes those that are not, and counts them. False with the reason if that fails. */
bool shk_store_remove_damaged(struct shk_store *store, int *count, struct shk_message *error);

/* The record of a cell: under `key`, or, if key is NULL, the newest of that cell whatever sources
 * it was made from. *record is NULL if there is none; the caller clears and frees it. False with
 * the reason. */
bool shk_store_find(struct shk_store *store, struct shk_record **record, const char *key,
                    const char *text, struct shk_message *error);

long shk_store_record_count(struct shk_store *store);

/* ---- records of a list of cells ----
 *
 * They are read as they are taken (results/record/record.h), so that a study may be larger than
 * the memory. They are the newest of these cells, and the store is read as one state from the
 * opening to the closing; nothing may be written between. */

/* With `stay` a record that was taken once is held to the end, without its parts once it was put
 * back; otherwise nothing is held that is not taken. NULL with the reason. The list is
 * taken over; the store and the cells must outlive the records. */
struct shk_records *shk_stored_records_open(struct shk_store *store, const struct shk_cell **owned,
                                            int count, bool stay, struct shk_message *error);

/* All of them in the order of the cells, NULL where there is none: of records that stay. They are
 * taken to the end with these parts; without any they gain parts while they are taken. */
const struct shk_record *const *shk_stored_records_all(struct shk_records *records, unsigned parts);

/* Whether all that was taken could be read; otherwise the first reason. What could not be read was
 * given as NULL, and what was concluded from it means nothing. */
bool shk_stored_records_good(const struct shk_records *records, struct shk_message *error);
void shk_stored_records_close(struct shk_records *records);

#endif
