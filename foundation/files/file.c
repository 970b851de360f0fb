#include "foundation/files/file.h"

#include "foundation/memory.h"

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fault_of(FILE *file)
{
  return !ferror(file) ? 0 : errno != 0 ? errno : EIO;
}

char *shk_read_stream(FILE *file, size_t most, size_t *length)
{
  size_t size = 0, room = 65536, got;
  char *text = shk_allocate(room, 1);
  errno = 0;
  while (size <= most && (got = fread(text + size, 1, room - size - 1, file)) > 0) {
    size += got;
    if (size == room - 1)
      text = shk_reallocate(text, room *= 2, 1);
  }
  const int fault = size > most ? EFBIG : fault_of(file);
  if (fault) {
    free(text);
    errno = fault;
    return NULL;
  }
  text[size] = '\0';
  *length = size;
  return shk_reallocate(text, size + 1, 1);
}

char *shk_read_file(const char *path, size_t most, const char *what, size_t *length,
                    struct shk_message *error)
{
  FILE *const file = fopen(path, "rb");
  char *const text = file ? shk_read_stream(file, most, length) : NULL;
  if (file && !text && errno == EFBIG)
    shk_message_set(error, "%s: larger than %zu MiB, which no %s is", path, most >> 20, what);
  else if (!text)
    shk_message_set(error, "%s: %s", path, strerror(errno));
  if (file)
    fclose(file);
  return text;
}

bool shk_hash_file(char hash[SHK_HASH_SIZE], const char *path, struct shk_message *error)
{
  size_t length;
  char *const bytes = shk_read_file(path, SIZE_MAX, "file", &length, error);
  if (bytes)
    shk_hash_bytes(hash, bytes, length);
  free(bytes);
  return bytes;
}

bool shk_copy_file(const char *from, const char *to, struct shk_message *error)
{
  size_t length = 0;
  char *const bytes = shk_read_file(from, SIZE_MAX, "file", &length, error);
  FILE *const out = bytes ? fopen(to, "wb") : NULL;
  bool ok = out && fwrite(bytes, 1, length, out) == length;
  ok = (!out || fclose(out) == 0) && ok;
  if (bytes && !ok)
    shk_message_set(error, "%s: %s", to, strerror(errno));
  free(bytes);
  return ok;
}

char **shk_files_ending(const char *folder, const char *ending, int *count)
{
  struct dirent **entries = NULL;
  const int found = scandir(folder, &entries, NULL, alphasort);
  char **const names = shk_allocate(found > 0 ? (size_t)found : 0, sizeof *names);
  const size_t tail = strlen(ending);
  *count = 0;
  for (int i = 0; i < found; i++) {
    const char *const name = entries[i]->d_name;
    const size_t length = strlen(name);
    if (length > tail && shk_ends_with(name, ending))
      names[(*count)++] = shk_print_text("%.*s", (int)(length - tail), name);
    free(entries[i]);
  }
  free(entries);
  return names;
}
