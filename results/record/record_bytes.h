/*
 * A record as bytes: what travels from the process of a cell to its worker and on to the scheduler.
 *
 *   message   the mark f5 's' 'h' 'k'; the version in four bytes; in eight each the size of the
 *   rest and
 *             its XXH3; the rest
 *   rest      the fields in the order of one function for both directions (record_bytes.c):
 *   integers and
 *             the bits of doubles in eight bytes, texts and arrays after their length, vectors as
 *             the
 *             bytes of their precision
 *
 * All of it is little-endian. What is read is checked: it may come from a process that a plug-in
 * has corrupted, or from a stranger's store.
 */
#ifndef RESULTS_RECORD_RECORD_BYTES_H
#define RESULTS_RECORD_RECORD_BYTES_H

#include "foundation/message.h"
#include "results/record/record.h"

/* A message with all but the cell, the key, the date and the provenance, which a worker does not
 * know. The caller frees it. */
void *shk_record_bytes(const struct shk_record *record, size_t *size);
/* Reads one, of exactly that size. False with the reason, and an empty record. */
bool shk_record_read(struct shk_record *record, const void *bytes, size_t size,
                     struct shk_message *error);
/* How long the message is that begins here, as far as the first `count` bytes say: 0 if none
 * does. */
size_t shk_record_length(const void *bytes, size_t count);

/* The rest of such a message without states, series and members: what a store keeps as columns. The
 * caller frees it. */
void *shk_record_core(const struct shk_record *record, size_t *size);
/* The members of an outcome, with all that they have, and back. */
void *shk_members_bytes(const struct shk_outcome *outcome, size_t *size);
bool shk_members_read(struct shk_outcome *outcome, const void *bytes, size_t size);

/* Numbers of so many bits between this machine's bytes and little-endian ones: nothing, as a
 * rule. */
void shk_little_endian(void *values, size_t count, int bits);

#endif
