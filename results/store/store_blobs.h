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
 * table. Numbers change their order of bytes in shk_blobs_visit and shk_blob_add, and nowhere else.
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

/* Calls the visitor with each blob of an outcome in turn, until it returns false; so does this. */
bool shk_blobs_visit(const struct shk_outcome *outcome,
                     bool (*visitor)(void *user, const struct shk_blob *blob), void *user);
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

#endif
