/*
 * The large parts of a record as rows of the table blobs: numbers as little-endian bytes.
 *
 * By kind and name:
 *
 * - state, name of a block: one row per sample, from sample `first` on, with the vector's numbers
 *   in the cell's precision
 * - series, name of the series: 4 rows: ends of the intervals, minimum, mean, maximum
 * - history: one row, the residuals of the failed solve
 * - members: one row of bytes (record_bytes.h), the members of an ensemble
 *
 * A block that is missing at intermediate samples or changes its length has several rows in the
 * table. Byte order is converted in shk_blobs_visit and shk_blob_add only.
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

/* Calls the visitor with each blob of an outcome until it returns false, and returns its last
 * result. */
bool shk_blobs_visit(const struct shk_outcome *outcome,
                     bool (*visitor)(void *user, const struct shk_blob *blob), void *user);
/* The part of a record that a blob belongs to. SHK_PART_CORE is always read. */
enum { SHK_PART_CORE = 4 };
unsigned shk_blob_part(const char *kind);
/* Adds a blob to an outcome that has its samples, and converts its data to this machine's byte
 * order. False if the blob does not fit the outcome. */
bool shk_blob_add(struct shk_outcome *outcome, struct shk_blob *blob);

/* Returns the sample times of an outcome, separated by commas, which the caller frees; and adds
 * samples without blocks at such times. */
char *shk_sample_times(const struct shk_outcome *outcome);
void shk_sample_times_add(struct shk_outcome *outcome, const char *times);

#endif
