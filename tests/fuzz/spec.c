/* Specifications of integrators and problems: what is read prints as a text that reads to the same
 * text; a refusal has a reason. */
#include "foundation/specifications/spec.h"
#include "engine/names.h"
#include "tests/fuzz/fuzz.h"
#include "tests/kit/context.h"

/* A canonical text is its own canonical text. */
static void canonical(char *(*make)(const struct shk_context *, const char *, struct shk_message *),
                      const char *text)
{
  struct shk_message error = {""};
  char *once = make(&test_context, text, &error);
  if (!once) {
    if (error.text[0] == '\0')
      abort();
    return;
  }
  char *twice = make(&test_context, once, &error);
  if (!twice || strcmp(once, twice) != 0)
    abort();
  free(once);
  free(twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
  struct shk_message error = {""};
  char *text = fuzz_text(bytes, size);
  struct shk_spec *spec = shk_spec_parse(text, &error);
  if (spec) {
    char *once = shk_spec_text(spec);
    struct shk_spec *again = shk_spec_parse(once, &error);
    char *twice = again ? shk_spec_text(again) : NULL;
    if (!twice || strcmp(once, twice) != 0)
      abort();
    free(once);
    free(twice);
    shk_spec_free(again);
    shk_spec_free(spec);
  } else if (error.text[0] == '\0') {
    abort();
  }
  canonical(shk_canonical_integrator, text);
  canonical(shk_canonical_problem, text);
  free(text);
  return 0;
}
