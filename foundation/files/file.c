/* Handles whole files, and files that are named in specifications. See file.h. */
#include "foundation/files/file.h"

#include "foundation/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
  const int fault = size > most ? EFBIG : !ferror(file) ? 0 : errno != 0 ? errno : EIO;
  if (fault) {
    free(text);
    errno = fault;
    return NULL;
  }
  text[size] = '\0';
  *length = size;
  return shk_reallocate(text, size + 1, 1);
}

/* Like shk_read_file, but reads and closes an open file. If `file` is NULL, errno contains the
 * reason. */
static char *read_open(FILE *file, const char *path, size_t most, const char *what, size_t *length,
                       struct shk_message *error)
{
  char *const text = file ? shk_read_stream(file, most, length) : NULL;
  if (file && !text && errno == EFBIG)
    shk_message_set(error, "%s: is larger than %zu MiB, the limit for a %s", path, most >> 20,
                    what);
  else if (!text)
    shk_message_set(error, "%s: %s", path, strerror(errno));
  if (file)
    fclose(file);
  return text;
}

char *shk_read_file(const char *path, size_t most, const char *what, size_t *length,
                    struct shk_message *error)
{
  return read_open(fopen(path, "rb"), path, most, what, length, error);
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

/* ---- files that specifications name ---- */

char *shk_folder_of(const char *file)
{
  const char *const slash = strrchr(file, '/');
  if (slash == file)
    return shk_copy_text("/");
  return shk_print_text("%.*s", slash ? (int)(slash - file) : 0, file);
}

bool shk_folder_permits(const char *path, struct shk_message *error)
{
  bool ok = *path != '\0' && *path != '/';
  for (const char *at = path; ok && at; at = strchr(at, '/')) {
    at += *at == '/';
    ok = !(at[0] == '.' && at[1] == '.' && (at[2] == '/' || at[2] == '\0'));
  }
  return ok || shk_message_set(
                   error,
                   "\"%s\": expected a path below the study's folder (or, without a study, below "
                   "the working directory) that contains no .. and does not begin with /",
                   path);
}

/* Opens a regular file if it is located in the folder once all links have been resolved. Otherwise,
 * returns NULL and sets the reason. */
static FILE *open_inside(const char *folder, const char *path, struct shk_message *error)
{
  const bool here = !folder || *folder == '\0';
  char *const joined = here ? shk_copy_text(path) : shk_print_text("%s/%s", folder, path);
  char *const top = realpath(here ? "." : folder, NULL);
  char *const place = realpath(joined, NULL);
  const size_t length = top ? strlen(top) : 0;
  struct stat status;
  int file = -1;
  if (top && place &&
      (strncmp(place, top, length) != 0 || (place[length] != '/' && top[length - 1] != '/')))
    shk_message_set(error, "%s: a link leads outside the folder %s", joined, top);
  else if (!top || !place ||
           (file = open(place, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW)) < 0)
    shk_message_set(error, "%s: %s", joined, strerror(errno));
  else if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    shk_message_set(error, "%s: not a regular file", path);
    close(file);
    file = -1;
  }
  free(joined);
  free(top);
  free(place);
  FILE *const stream = file < 0 ? NULL : fdopen(file, "rb");
  if (file >= 0 && !stream)
    shk_out_of_memory();
  return stream;
}

char *shk_folder_read(const char *folder, size_t *length, const char *path, size_t limit,
                      struct shk_message *error)
{
  if (!shk_folder_permits(path, error))
    return NULL;
  if (folder && strcmp(folder, SHK_NO_FOLDER) == 0) {
    shk_message_set(error,
                    "\"%s\" is named by a store and is therefore not opened; to open it, give its "
                    "folder with --files",
                    path);
    return NULL;
  }
  FILE *const file = open_inside(folder, path, error);
  return file ? read_open(file, path, limit, "file of a study", length, error) : NULL;
}
