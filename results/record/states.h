/* The states of an outcome, at its sample times, as text and packed. */
#ifndef RESULTS_RECORD_STATES_H
#define RESULTS_RECORD_STATES_H

#include "foundation/message.h"
#include "foundation/specifications/cell.h"
#include <jansson.h>

/* An array: [{"time": "1", "blocks": {"q": "…", …}}, …]. Reading adds them to the outcome. */
json_t *shk_wire_states(const struct shk_outcome *outcome);
bool shk_wire_read_states(struct shk_outcome *outcome, const json_t *array,
                          struct shk_message *error);

/* That as a blob (pack.h), which the caller frees; NULL of an outcome without states. */
void *shk_pack_states(const struct shk_outcome *outcome, size_t *size);
bool shk_unpack_states(struct shk_outcome *outcome, const void *blob, size_t size,
                       struct shk_message *error);

#endif
