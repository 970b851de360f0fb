/*
 * What a record has most of, as blobs of a store: states, which are text, and the numbers of its
 * series. Nothing is rounded. A blob is four bytes with the size of what is in it, and that, deflated
 * by zlib; integers have the low byte first.
 *
 *   text     A byte 0 and the text; or a byte 1 and the text's rest and columns of numbers (columns.h).
 *            Before version 5 of the schema the text alone, which begins with neither.
 *   series   One after the other: its name and a byte 0, the number of intervals in four bytes, and
 *            four parts. The bits of doubles, those of negative ones below 2^63 inverted, order as
 *            integers: t, minimum, mean and maximum become t, minimum, mean - minimum, maximum -
 *            mean, modulo 2^64. What changes smoothly is small where differences of neighbours are
 *            taken, up to five times: of each part a byte with how often, and the integers, of
 *            each its lowest byte, then of each the next …, their sign in the lowest bit.
 *
 * scripts/dump_records.py reads both.
 */
#ifndef RESULTS_PACK_PACK_H
#define RESULTS_PACK_PACK_H

#include "foundation/specifications/cell.h"
#include <stddef.h>

/* All return memory that the caller frees; of what is unpacked NULL, or false, if it is no such
 * blob: it may come from a stranger. */
void *shk_pack_text(const char *text, size_t *size);
char *shk_unpack_text(const void *blob, size_t size);

/* The series of an outcome; NULL, and no bytes, of one without. */
void *shk_pack_series(const struct shk_outcome *outcome, size_t *size);
bool shk_unpack_series(struct shk_outcome *outcome, const void *blob, size_t size);

/* Whether it inflates to what it says: what that is, unpacking shows. */
bool shk_is_packed(const void *blob, size_t size);

#endif
