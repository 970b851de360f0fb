/* The rest of a record's message, whose head says that it is whole: what is read is written to bytes that
 * read to the same ones. */
#include "foundation/memory.h"
#include "results/record/record_bytes.h"
#include "tests/fuzz/fuzz.h"
#include <xxhash.h>

enum { HEAD = 24 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
  struct shk_record record = {0}, again;
  struct shk_message error;
  size_t head;
  unsigned char *const empty = shk_record_bytes(&record, &head);
  unsigned char *const message = shk_allocate(HEAD + size, 1);
  const uint64_t words[] = {size, XXH3_64bits(size > 0 ? bytes : message, size)};
  memcpy(message, empty, 8);
  for (int i = 0; i < 16; i++)
    message[8 + i] = (unsigned char)(words[i / 8] >> 8 * (i % 8));
  if (size > 0)
    memcpy(message + HEAD, bytes, size);
  if (shk_record_read(&record, message, HEAD + size, &error)) {
    size_t once, twice;
    unsigned char *const first = shk_record_bytes(&record, &once);
    if (!shk_record_read(&again, first, once, &error))
      abort();
    unsigned char *const second = shk_record_bytes(&again, &twice);
    if (once != twice || memcmp(first, second, once) != 0)
      abort();
    free(first);
    free(second);
    shk_record_clear(&again);
    shk_record_clear(&record);
  }
  free(message);
  free(empty);
  return 0;
}
