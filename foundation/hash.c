/* Hashes as text. See hash.h. */
#include "foundation/hash.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void shk_hash_print(char hash[SHK_HASH_SIZE], XXH128_hash_t value)
{
  snprintf(hash, SHK_HASH_SIZE, "%016" PRIx64 "%016" PRIx64, value.high64, value.low64);
}

void shk_hash_bytes(char hash[SHK_HASH_SIZE], const void *bytes, size_t count)
{
  shk_hash_print(hash, XXH3_128bits(bytes, count));
}

bool shk_hash_file(char hash[SHK_HASH_SIZE], const char *path, struct shk_message *error)
{
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  XXH3_state_t *state = file < 0 ? NULL : XXH3_createState();
  ssize_t count = -1;
  if (state) {
    char buffer[65536];
    XXH3_128bits_reset(state);
    while ((count = read(file, buffer, sizeof buffer)) > 0)
      XXH3_128bits_update(state, buffer, (size_t)count);
  }
  if (count < 0)
    shk_message_set(error, "%s: cannot be read: %s", path, strerror(errno));
  else
    shk_hash_print(hash, XXH3_128bits_digest(state));
  XXH3_freeState(state);
  if (file >= 0)
    close(file);
  return count == 0;
}
