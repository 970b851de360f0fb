/* Cells as JSON, as workers are sent them: what is read is written as a line that reads to the same
 * line. */
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

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
  json_t *json = json_loadb((const char *)bytes, size, 0, NULL);
  if (json) {
    cell(json);
    cell(json_object_get(json, "cell"));
  }
  json_decref(json);
  return 0;
}
