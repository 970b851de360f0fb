/* Packed states and series of stores: after a byte that says which of the two, what is deflated. */
#include "foundation/memory.h"
#include "results/pack/pack.h"
#include "tests/fuzz/fuzz.h"
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
  if (size == 0)
    return 0;
  uLongf room = compressBound(size);
  unsigned char *const blob = shk_allocate(4 + room, 1);
  for (int i = 0; i < 4; i++)
    blob[i] = (unsigned char)((size - 1) >> 8 * i);
  if (compress(blob + 4, &room, bytes + 1, size - 1) != Z_OK)
    abort();
  struct shk_outcome outcome = {0};
  char *const text = bytes[0] & 1 ? shk_unpack_text(blob, 4 + room) : NULL;
  enum { MOST_DIGITS = 60 }; /* of an integer of 192 bits, its sign and point */
  const bool whole = !text || strlen(text) <= MOST_DIGITS * size;
  if (!(bytes[0] & 1) && shk_unpack_series(&outcome, blob, 4 + room) && size > 1 &&
      outcome.series_count == 0)
    abort();
  shk_outcome_clear(&outcome);
  free(text);
  free(blob);
  return whole ? 0 : (abort(), 0);
}
