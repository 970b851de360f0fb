/*
 * Keys of cells. See key.h.
 */
#include "harness/key.h"
#include "foundation/memory.h"
#include "source_hash.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

/* Raised when the meaning of a cell changes though neither its text nor the numerics do. */
static const char key_version[] = "shakedown key 1";

void shk_keys_add(struct shk_keys *keys, const char *name, const char *hash)
{
  keys->names = shk_grow(keys->names, (size_t)keys->count, sizeof *keys->names);
  struct shk_key_name *added = &keys->names[keys->count++];
  added->name = shk_copy_text(name);
  snprintf(added->hash, sizeof added->hash, "%s", hash);
}

void shk_keys_clear(struct shk_keys *keys)
{
  for (int i = 0; i < keys->count; i++)
    free(keys->names[i].name);
  free(keys->names);
  *keys = (struct shk_keys){0};
}

const char *shk_source_hash(void)
{
  return SHK_SOURCE_HASH;
}

static void hexadecimal(char text[SHK_KEY_SIZE], XXH128_hash_t hash)
{
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, hash);
  for (int i = 0; i < 16; i++)
    snprintf(text + 2 * i, 3, "%02x", canonical.digest[i]);
}

bool shk_hash_file(char hash[SHK_KEY_SIZE], const char *path, struct shk_message *error)
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
    hexadecimal(hash, XXH3_128bits_digest(state));
  XXH3_freeState(state);
  if (file >= 0)
    close(file);
  return count == 0;
}

/* Whether the specification has the name as a word of its own, wherever it is nested. */
static bool names(const char *spec, const char *name)
{
  const size_t length = strlen(name);
  for (const char *at = spec; at && (at = strstr(at, name)); at++) {
    const unsigned char before = at == spec ? ' ' : (unsigned char)at[-1];
    const unsigned char after = (unsigned char)at[length];
    if (!isalnum(before) && before != '-' && !isalnum(after) && after != '-')
      return true;
  }
  return false;
}

void shk_key_make(char key[SHK_KEY_SIZE], const struct shk_keys *keys, const struct shk_cell *cell,
                  const char *text)
{
  char *all = shk_print_text("%s\n%s\nsources %s\n", key_version, text, SHK_SOURCE_HASH);
  for (int i = 0; keys && i < keys->count; i++) {
    const struct shk_key_name *one = &keys->names[i];
    if (names(cell->problem, one->name) || names(cell->integrator, one->name)) {
      char *longer = shk_print_text("%splug-in %s %s\n", all, one->name, one->hash);
      free(all);
      all = longer;
    }
  }
  hexadecimal(key, XXH3_128bits(all, strlen(all)));
  free(all);
}
