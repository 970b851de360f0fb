/* See states.h. */
#include "results/record/states.h"

#include "foundation/memory.h"
#include "results/pack/pack.h"
#include "results/record/wire_text.h"

#include <stdlib.h>

json_t *shk_wire_states(const struct shk_outcome *outcome)
{
  json_t *samples = shk_wire_had(json_array());
  for (int i = 0; i < outcome->sample_count; i++) {
    json_t *sample = shk_wire_had(json_object()), *blocks = shk_wire_had(json_object());
    shk_wire_set_text(sample, "time", outcome->samples[i].time);
    for (int j = 0; j < outcome->samples[i].block_count; j++)
      shk_wire_set_text(blocks, outcome->samples[i].blocks[j].name,
                        outcome->samples[i].blocks[j].text);
    shk_wire_set(sample, "blocks", blocks);
    shk_wire_append(samples, sample);
  }
  return samples;
}

bool shk_wire_read_states(struct shk_outcome *outcome, const json_t *array,
                          struct shk_message *error)
{
  json_t *one;
  size_t index;
  json_array_foreach(array, index, one)
  {
    const char *time = json_string_value(json_object_get(one, "time"));
    json_t *blocks = json_object_get(one, "blocks"), *block;
    if (!time || !json_is_object(blocks)) {
      shk_message_set(error, "member \"samples\": expected objects with time and blocks");
      return false;
    }
    struct shk_sample *sample = shk_outcome_add_sample(outcome, time, strtod(time, NULL));
    const char *name;
    json_object_foreach(blocks, name, block)
    {
      if (!json_is_string(block)) {
        shk_message_set(error, "block \"%s\": expected a string", name);
        return false;
      }
      shk_sample_add_block(sample, name, shk_copy_text(json_string_value(block)));
    }
  }
  return true;
}

void *shk_pack_states(const struct shk_outcome *outcome, size_t *size)
{
  *size = 0;
  if (outcome->sample_count == 0)
    return NULL;
  char *const text = shk_wire_line(shk_wire_states(outcome));
  void *const blob = shk_pack_text(text, size);
  free(text);
  return blob;
}

bool shk_unpack_states(struct shk_outcome *outcome, const void *blob, size_t size,
                       struct shk_message *error)
{
  char *const text = shk_unpack_text(blob, size);
  json_error_t fault = {.text = "its states are damaged"};
  json_t *const json = text ? json_loads(text, 0, &fault) : NULL;
  if (!json)
    shk_message_set(error, text ? "states: %s" : "%s", fault.text);
  const bool ok = json && shk_wire_read_states(outcome, json, error);
  json_decref(json);
  free(text);
  return ok;
}
