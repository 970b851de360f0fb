/* Cells as text, as workers are sent them: what is read is written as a text that reads to the same. */
#include "results/record/cell_text.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
  struct shk_message error = {""};
  struct shk_cell first, second;
  char *const text = fuzz_text(bytes, size);
  if (shk_cell_read(&first, text, &error)) {
    char *const once = shk_cell_text(&first);
    if (!shk_cell_read(&second, once, &error))
      abort();
    char *const twice = shk_cell_text(&second);
    if (strcmp(once, twice) != 0)
      abort();
    free(once);
    free(twice);
    shk_cell_clear(&first);
    shk_cell_clear(&second);
  } else if (error.text[0] == '\0') {
    abort();
  }
  free(text);
  return 0;
}
