/*
 * What a record has most of, as rows of the table blobs: numbers as little-endian bytes.
 *
 * By kind and name:
 *
 * - state, of a block: a row for each sample, from the `first` on, of the vector's numbers, in the
 *   cell's precision
 * - series, its name: 4 rows, the ends of the intervals, least, mean and largest values
 * - history: a row of residuals of the solve that failed
 * - members: a row of bytes (record_bytes.h), the members of an ensemble
 *
 * A block that is missing at samples between others, or changes its length, has several rows of the
 * table. Numbers change their order of bytes in shk_blobs_of and shk_blob_add, and nowhere else.
 */
#ifndef RESULTS_STORE_STORE_BLOBS_H
#define RESULTS_STORE_STORE_BLOBS_H

#include "results/record/record.h"
#include "results/record/stream.h"
#include "results/store/store_private.h"
#include <stdint.h>
#include <xxhash.h>

struct shk_blob {
  const char *kind, *name;
  int first, rows, columns, bits;
  int64_t hash; /* XXH3 of the data */
  char *data;
  size_t size;
};

struct shk_blobs {
  int count;
  struct shk_blob *all;
};

/* Those of an outcome, which must outlive them. */
struct shk_blobs shk_blobs_of(const struct shk_outcome *outcome);
void shk_blobs_clear(struct shk_blobs *blobs);
/* The part of a record that a blob belongs to; SHK_PART_CORE without which none is read. */
enum { SHK_PART_CORE = 4 };
unsigned shk_blob_part(const char *kind);
/* Adds a blob, whose data then are in this machine's order of bytes, to an outcome that has its
 * samples. False if it is none of it. */
bool shk_blob_add(struct shk_outcome *outcome, struct shk_blob *blob);

/* The times of an outcome's samples, separated by commas; the caller frees it. And samples without
 * blocks at these times. */
char *shk_sample_times(const struct shk_outcome *outcome);
void shk_sample_times_add(struct shk_outcome *outcome, const char *times);

/* The digest of a record: of its columns, then of each blob in turn. */
struct shk_stream shk_digest_begin(const struct shk_record *record, const char *text,
                                   const char *times);
/* Adds a text with its end; NULL is empty. */
void shk_digest_text(struct shk_stream *digest, const char *text);
void shk_digest_blob(struct shk_stream *digest, const struct shk_blob *blob);
int64_t shk_digest_end(struct shk_stream *digest);

#endif
