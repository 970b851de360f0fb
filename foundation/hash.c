/* Computes hashes as strings. See hash.h. */
#include "foundation/hash.h"
#include <inttypes.h>
#include <stdio.h>

void shk_hash_bytes(char hash[SHK_HASH_SIZE], const void *bytes, size_t count)
{
  const XXH128_hash_t value = XXH3_128bits(bytes, count);
  snprintf(hash, SHK_HASH_SIZE, "%016" PRIx64 "%016" PRIx64, value.high64, value.low64);
}
