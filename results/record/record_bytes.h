/*
 * A record as bytes. The process of a cell sends it to the scheduler as a message. Its large parts
 * are blobs, which are rows of the table `blobs` in a store.
 *
 * The message (frame.h) begins with an error text. If this text is not NULL, no other fields
 * follow. Otherwise the other fields follow in the order of pass_record, which both writes and
 * reads them: integers and doubles in eight bytes, texts preceded by their length, and the blobs.
 */
#ifndef RESULTS_RECORD_RECORD_BYTES_H
#define RESULTS_RECORD_RECORD_BYTES_H

#include "foundation/message.h"
#include "results/record/record.h"
#include <stdint.h>

/* Returns a message with the whole record except its cell, key and provenance, which the scheduler
 * knows already. The caller frees the message. */
void *shk_record_bytes(const struct shk_record *record, size_t *size);
/* Reads a message of exactly this size. On failure, returns false and an empty record, and sets the
 * reason, which may be the sender's error text. */
bool shk_record_read(struct shk_record *record, const void *bytes, size_t size,
                     struct shk_message *error);

/* A large part of a record. Its data are numbers as little-endian bytes. The kinds and names are:
 *
 * - state, name of a block: one row per sample, from sample `first` on, in the cell's precision -
 * ends: one row, the ends of the intervals of the series that follow. If there are at least three
 *   intervals and all but the last end at multiples of the first, only the first and the last end
 * - series, name of the series: 3 rows with the minimum, mean and maximum in each interval, or one
 * row
 *   if these are equal; in 32 bits if single precision represents all of them exactly
 * - history: one row, the residuals of the failed solve - members: one row of bytes, the members of
 * an ensemble with their own blobs
 *
 * A block that is missing at intermediate samples or changes its length has several blobs. Only
 * shk_blobs_visit and shk_blob_add convert the byte order. */
struct shk_blob {
  const char *kind, *name;
  int first, rows, columns, bits; /* bits of each number; 8 for bytes */
  int64_t hash;                   /* for blobs in a store, the XXH3 of the data */
  char *data;
  size_t size;
};

/* Calls the visitor with each blob of an outcome until the visitor returns false. Returns its last
 * result. */
bool shk_blobs_visit(const struct shk_outcome *outcome,
                     bool (*visitor)(void *user, struct shk_blob *blob), void *user);
/* Returns the part of a record to which blobs of a kind belong. SHK_PART_CORE is always read. */
enum { SHK_PART_CORE = 4 };
unsigned shk_blob_part(const char *kind);
/* Adds a blob to an outcome that has its samples, and converts its data to this machine's byte
 * order. Returns false if the blob does not fit the outcome. */
bool shk_blob_add(struct shk_outcome *outcome, struct shk_blob *blob);

/* shk_sample_times returns the sample times of an outcome as a text separated by commas, which the
 * caller frees. shk_sample_times_add adds samples without blocks at such times. */
char *shk_sample_times(const struct shk_outcome *outcome);
void shk_sample_times_add(struct shk_outcome *outcome, const char *times);

#endif
