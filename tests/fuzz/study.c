/* Study files: read or refused with a place and a reason. */
#include "harness/study/study.h"
#include "tests/fuzz/fuzz.h"
#include "tests/kit/context.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
  struct shk_message error = {""};
  char *text = fuzz_text(bytes, size);
  struct shk_study *study = shk_study_parse(&test_context, text, size, "fuzz.yaml", &error);
  if (!study && strncmp(error.text, "fuzz.yaml", 9) != 0)
    abort();
  if (study && (!study->name || study->run_count < 1))
    abort();
  shk_study_free(study);
  free(text);
  return 0;
}
