/*
 * Cells and records as JSON, for the line protocol of workers and for the store.
 *
 * Every real is a string that reads back to the same bits ("%.17g", "nan", "inf", "-inf"); options,
 * steps, times and states stay the text they are. What a record has most of, its states and its series, is
 * packed as the store has it (pack.h), a text of two hexadecimal digits for each byte, so that it is packed
 * once and by the cell's process. In lanes states are arrays, and a series is {"name", "intervals"}: all times,
 * minima, means and maxima, 16 hexadecimal digits of the bits of each; or {"name", "time", "minimum",
 * "mean", "maximum"}, arrays of reals. Absent members stand for NULL. What is read is checked member by
 * member: it may come from a stranger.
 */
#ifndef RESULTS_RECORD_WIRE_H
#define RESULTS_RECORD_WIRE_H

#include "results/record/record.h"
#include "results/record/wire_text.h"

json_t *shk_wire_cell(const struct shk_cell *cell);
bool shk_wire_read_cell(struct shk_cell *cell, const json_t *json, struct shk_message *error);

/* Without its states and series, which the store keeps apart; members have theirs. And with both, packed. */
json_t *shk_wire_outcome(const struct shk_outcome *outcome);
json_t *shk_wire_whole_outcome(const struct shk_outcome *outcome);
/* With the parts that are there. */
bool shk_wire_read_outcome(struct shk_outcome *outcome, const json_t *json,
                           struct shk_message *error);
/* All but the cell, the key and the provenance, which a worker does not know. */
json_t *shk_wire_record(const struct shk_record *record);
/* The same with an outcome that is already JSON, which is taken over. */
json_t *shk_wire_record_around(const struct shk_record *record, json_t *owned);
/* What came packed stays so, in `states` and `series` of the record; read as an outcome it is unpacked. */
bool shk_wire_read_record(struct shk_record *record, const json_t *json, struct shk_message *error);
/* A worker's answer to a cell, {"record": …} as a line; of {"error": …} the message is that. */
bool shk_wire_read_answer(struct shk_record *record, const char *line, struct shk_message *error);

#endif
