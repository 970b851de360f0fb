/*
 * Converts records to and from serialized form. A cell's process sends its record to the scheduler
 * as a message. The large parts of a record are blobs, which are rows of the table `blobs` in a
 * store.
 *
 * The message (frame.h) begins with an error string. If this string is not NULL, there are no other
 * fields. Otherwise, the other fields follow in the order of pass_record, which both writes and
 * reads them: integers and doubles in eight bytes each, strings preceded by their length, and the
 * blobs.
 */
#ifndef RESULTS_RECORD_RECORD_BYTES_H
#define RESULTS_RECORD_RECORD_BYTES_H

#include "foundation/message.h"
#include "results/record/record.h"
#include <stdint.h>

/* Returns a message with the whole record, except for the cell, key and provenance, which the
 * scheduler already knows. The caller frees the message. */
void *shk_record_bytes(const struct shk_record *record, size_t *size);
/* Reads a message of exactly the given size. On failure, returns false, leaves the record empty,
 * and sets the reason, which may be the sender's error string. */
bool shk_record_read(struct shk_record *record, const void *bytes, size_t size,
                     struct shk_message *error);

/*
 * A large part of a record. The data are numbers, stored as little-endian bytes. The kinds are:
 *
 *   state    named after a block; contains one row per sample, from sample `first` on, in the
 *            cell's precision
 *   ends     a single row, which contains the ends of the intervals of the series that follow, or
 *            only the first and the last end if there are at least three intervals and all ends but
 *            the last are multiples of the first
 *   series   named after a series; contains three rows with the minimum, mean and maximum in each
 *            interval, or one row if these are equal. The numbers have 32 bits if single precision
 *            represents all of them exactly
 *   history  a single row, which contains the residuals of the failed solve
 *   members  a single row of bytes, which contains the members of an ensemble with their own blobs
 *
 * A block that is missing at intermediate samples or changes its length has several blobs. Only
 * shk_blobs_visit and shk_blob_add convert the byte order.
 */
struct shk_blob {
  const char *kind, *name;
  int first, rows, columns, bits; /* bits per number, which is 8 for bytes */
  int64_t hash;                   /* XXH3 hash of the data, for blobs in a store */
  char *data;
  size_t size;
};

/* Calls the visitor for each blob of an outcome until the visitor returns false. Returns the
 * visitor's last result. */
bool shk_blobs_visit(const struct shk_outcome *outcome,
                     bool (*visitor)(void *user, struct shk_blob *blob), void *user);
/* Returns the part of a record to which blobs of the given kind belong. SHK_PART_CORE is always
 * read. */
enum { SHK_PART_CORE = 4 };
unsigned shk_blob_part(const char *kind);
/* Adds a blob to an outcome, which must already contain its samples, and converts the blob's data
 * to this machine's byte order. Returns false if the blob does not match the outcome. */
bool shk_blob_add(struct shk_outcome *outcome, struct shk_blob *blob);

/* shk_sample_times returns the sample times of an outcome as a comma-separated string, which the
 * caller frees. shk_sample_times_add adds samples without blocks at the times in such a string. */
char *shk_sample_times(const struct shk_outcome *outcome);
void shk_sample_times_add(struct shk_outcome *outcome, const char *times);

#endif
