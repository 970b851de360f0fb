/* Baseline files: what is read prints as a file that reads to the same file. */
#include "harness/check/baseline.h"
#include "tests/fuzz/fuzz.h"

static char *print(const struct shk_baseline *baseline, size_t *size)
{
  char *text = NULL;
  FILE *file = open_memstream(&text, size);
  if (!file)
    abort();
  shk_baseline_print(file, baseline);
  fclose(file);
  return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
  struct shk_message error = {""};
  struct shk_baseline first, second;
  char *text = fuzz_text(bytes, size);
  if (shk_baseline_parse(&first, text, size, "fuzz.txt", &error)) {
    size_t length, again;
    char *once = print(&first, &length);
    if (!shk_baseline_parse(&second, once, length, "fuzz.txt", &error))
      abort();
    char *twice = print(&second, &again);
    if (strcmp(once, twice) != 0)
      abort();
    free(once);
    free(twice);
    shk_baseline_clear(&first);
    shk_baseline_clear(&second);
  } else if (strncmp(error.text, "fuzz.txt", 8) != 0) {
    abort();
  }
  free(text);
  return 0;
}
