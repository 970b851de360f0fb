/*
 * A record as bytes: the message that the process of a cell sends to its server, and the server to
 * the scheduler.
 *
 * The message (frame.h) begins with an error text; if it is not NULL, no other fields follow. The
 * other fields are in the order given by one function for both directions: integers and doubles in
 * eight bytes, texts and arrays preceded by their length, vectors as bytes in their precision.
 */
#ifndef RESULTS_RECORD_RECORD_BYTES_H
#define RESULTS_RECORD_RECORD_BYTES_H

#include "foundation/message.h"
#include "results/record/record.h"

/* Returns a message with the whole record except the cell, key, date and provenance, which a server
 * does not know. The caller frees it. */
void *shk_record_bytes(const struct shk_record *record, size_t *size);
/* Reads a message of exactly this size. False with the reason, which may be the error text of the
 * sender, and an empty record. */
bool shk_record_read(struct shk_record *record, const void *bytes, size_t size,
                     struct shk_message *error);
/* Convert the members of an outcome, with all their parts, to bytes and back. */
void *shk_members_bytes(const struct shk_outcome *outcome, size_t *size);
bool shk_members_read(struct shk_outcome *outcome, const void *bytes, size_t size);

#endif
