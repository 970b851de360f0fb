/*
 * Cells and records as JSON, for the line protocol of workers and for the store.
 *
 * Every real is a string that reads back to the same bits ("%.17g", "nan", "inf", "-inf"); options,
 * steps, times and states stay the text they are. A series is {"name", "intervals"}: all times,
 * minima, means and maxima, 16 hexadecimal digits of the bits of each; {"name", "steps"}, where these
 * three are the same: times and values; {"name", "values"}, at the times of the series before; or {"name",
 * "time", "minimum", "mean", "maximum"}, arrays of reals. Absent members stand for NULL. What is read is
 * checked member by member: it may come from a stranger.
 */
#ifndef RESULTS_RECORD_WIRE_H
#define RESULTS_RECORD_WIRE_H

#include "foundation/message.h"
#include "results/record/record.h"
#include <jansson.h>

/* A real as text; size at least 32. */
void shk_wire_format_real(char *buffer, unsigned long size, double value);
/* False if the text is anything else. */
bool shk_wire_parse_real(double *value, const char *text);

/* The same as a JSON string. */
json_t *shk_wire_real(double value);
bool shk_wire_read_real(double *value, const json_t *json);

/* A JSON string of any bytes: what is not UTF-8, and NUL, becomes \xNN. */
json_t *shk_wire_text(const char *bytes, unsigned long length);

/* jansson returns NULL only if allocation fails; this passes on what is not NULL. */
json_t *shk_wire_had(json_t *json);
/* Take `owned` over; the member's name may hold any bytes. */
void shk_wire_set(json_t *object, const char *member, json_t *owned);
void shk_wire_append(json_t *array, json_t *owned);

/* Members of an object: sets one, or reads one; reading fails with the name of the member. Absent
 * texts read as NULL. */
void shk_wire_set_text(json_t *object, const char *member, const char *text); /* NULL: left out */
void shk_wire_set_real(json_t *object, const char *member, double value);
bool shk_wire_get_text(char **owned, const json_t *object, const char *member,
                       struct shk_message *error);
bool shk_wire_get_real(double *value, const json_t *object, const char *member,
                       struct shk_message *error);
bool shk_wire_get_integer(long *value, const json_t *object, const char *member, long least,
                          long most, struct shk_message *error);

json_t *shk_wire_cell(const struct shk_cell *cell);
bool shk_wire_read_cell(struct shk_cell *cell, const json_t *json, struct shk_message *error);

/* With these parts of it (record.h); the store keeps them apart. */
json_t *shk_wire_outcome(const struct shk_outcome *outcome, unsigned parts);
/* With the parts that are there. */
bool shk_wire_read_outcome(struct shk_outcome *outcome, const json_t *json,
                           struct shk_message *error);
/* The states alone, an array; reading adds them to the outcome. */
json_t *shk_wire_states(const struct shk_outcome *outcome);
bool shk_wire_read_states(struct shk_outcome *outcome, const json_t *array,
                          struct shk_message *error);

/* All but the cell, the key and the provenance, which a worker does not know. */
json_t *shk_wire_record(const struct shk_record *record);
/* The same with an outcome that is already JSON, which is taken over. */
json_t *shk_wire_record_around(const struct shk_record *record, json_t *owned);
bool shk_wire_read_record(struct shk_record *record, const json_t *json, struct shk_message *error);
/* A worker's answer to a cell, {"record": …} as a line; of {"error": …} the message is that. */
bool shk_wire_read_answer(struct shk_record *record, const char *line, struct shk_message *error);

/* One line that ends in a newline; takes the JSON over. The caller frees it. */
char *shk_wire_line(json_t *owned);

#endif
