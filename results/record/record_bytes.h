/*
 * A record as bytes: what travels from the process of a cell to its server and on to the scheduler.
 *
 * a message (frame.h) whose fields are, in the order of one function for both directions, a text if
 * there is no record and why (then it is all), integers and the bits of doubles in eight bytes,
 * texts and arrays after their length, vectors as the bytes of their precision.
 */
#ifndef RESULTS_RECORD_RECORD_BYTES_H
#define RESULTS_RECORD_RECORD_BYTES_H

#include "foundation/message.h"
#include "results/record/record.h"

/* A message with all but the cell, the key, the date and the provenance, which a server does not
 * know. The caller frees it. */
void *shk_record_bytes(const struct shk_record *record, size_t *size);
/* Reads one, of exactly that size. False with the reason, which may be that of the sender, and an
 * empty record. */
bool shk_record_read(struct shk_record *record, const void *bytes, size_t size,
                     struct shk_message *error);
/* The members of an outcome, with all that they have, and back. */
void *shk_members_bytes(const struct shk_outcome *outcome, size_t *size);
bool shk_members_read(struct shk_outcome *outcome, const void *bytes, size_t size);

#endif
