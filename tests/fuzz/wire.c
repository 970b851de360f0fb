/* Cells, outcomes and records as JSON, as workers send them and stores keep them: what is read is
 * written as a line that reads to the same line. */
#include "results/record/wire.h"
#include "tests/fuzz/fuzz.h"

static void same(char *once, char *twice)
{
  if (strcmp(once, twice) != 0)
    abort();
  free(once);
  free(twice);
}

static void cell(const json_t *json)
{
  struct shk_message error = {""};
  struct shk_cell first, second;
  if (!shk_wire_read_cell(&first, json, &error)) {
    if (error.text[0] == '\0')
      abort();
    return;
  }
  json_t *written = shk_wire_cell(&first);
  if (!shk_wire_read_cell(&second, written, &error))
    abort();
  same(shk_wire_line(written), shk_wire_line(shk_wire_cell(&second)));
  shk_cell_clear(&first);
  shk_cell_clear(&second);
}

static void record(const json_t *json)
{
  struct shk_message error = {""};
  struct shk_record first, second;
  if (!shk_wire_read_record(&first, json, &error)) {
    if (error.text[0] == '\0')
      abort();
    return;
  }
  json_t *written = shk_wire_record(&first);
  if (!shk_wire_read_record(&second, written, &error))
    abort();
  same(shk_wire_line(written), shk_wire_line(shk_wire_record(&second)));
  shk_record_clear(&first);
  shk_record_clear(&second);
}

static void outcome(const json_t *json)
{
  struct shk_message error = {""};
  struct shk_outcome first, second;
  if (!shk_wire_read_outcome(&first, json, &error)) {
    if (error.text[0] == '\0')
      abort();
    return;
  }
  json_t *written = shk_wire_whole_outcome(&first);
  if (!shk_wire_read_outcome(&second, written, &error))
    abort();
  same(shk_wire_line(written), shk_wire_line(shk_wire_whole_outcome(&second)));
  shk_outcome_clear(&first);
  shk_outcome_clear(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
  json_t *json = json_loadb((const char *)bytes, size, 0, NULL);
  if (json) {
    cell(json);
    outcome(json);
    record(json);
    cell(json_object_get(json, "cell"));
    record(json_object_get(json, "record"));
  }
  json_decref(json);
  return 0;
}
