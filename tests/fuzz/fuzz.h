/* What a reader under test offers to whoever feeds it: libFuzzer, or replay.c. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Reads the bytes; always returns 0. What must not happen ends the process by abort(). */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* The bytes as a text of their own. */
static inline char *fuzz_text(const uint8_t *bytes, size_t size)
{
  char *text = malloc(size + 1);
  if (!text)
    abort();
  if (size)
    memcpy(text, bytes, size);
  text[size] = '\0';
  return text;
}

#ifdef SHK_LIBFUZZER
/* libfyaml 0.7 keeps 2 KiB of a scalar with many escapes: fy_atom_format_text does not finish its
 * iterator. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
  return "leak:fy_atom_format_text\n";
}
#endif

#endif
