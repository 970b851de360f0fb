/* The rest of a record's message, whose head says that it is whole: what is read is written to bytes that
 * read to the same ones. */
#include "results/record/frame.h"
#include "results/record/record_bytes.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
  struct shk_record record = {0}, again;
  struct shk_message error;
  struct shk_stream message = shk_frame_begin();
  char *no_error = NULL;
  shk_pass_text(&message, &no_error);
  shk_pass_bytes(&message, (void *)bytes, size);
  const size_t length = shk_frame_end(&message);
  if (shk_record_read(&record, message.bytes, length, &error)) {
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
  free(message.bytes);
  return 0;
}
