/*
 * Cells as JSON, for the requests to workers. Options, steps and times are the texts that they are;
 * absent members stand for NULL. What is read is checked member by member.
 */
#ifndef RESULTS_RECORD_WIRE_H
#define RESULTS_RECORD_WIRE_H

#include "results/record/record.h"
#include "results/record/wire_text.h"

json_t *shk_wire_cell(const struct shk_cell *cell);
bool shk_wire_read_cell(struct shk_cell *cell, const json_t *json, struct shk_message *error);

#endif
