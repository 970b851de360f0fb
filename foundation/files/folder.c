/* Files that specifications name. See folder.h. */
#include "foundation/files/folder.h"

#include "foundation/files/file.h"
#include "foundation/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
  if (!ok)
    shk_message_set(error,
                    "\"%s\": expected a path below the folder of the study (without "
                    "one, below the working directory), without .. and not beginning with /",
                    path);
  return ok;
}

/* Opens the file if, with all links resolved, it is in the folder. -1 with the reason. */
static int open_inside(const char *folder, const char *path, struct shk_message *error)
{
  const bool here = !folder || *folder == '\0';
  char *const joined = here ? shk_copy_text(path) : shk_print_text("%s/%s", folder, path);
  char *const top = realpath(here ? "." : folder, NULL);
  char *const place = realpath(joined, NULL);
  const int fault = errno;
  const size_t length = top ? strlen(top) : 0;
  int file = -1;
  if (!top || !place) {
    shk_message_set(error, "%s: %s", joined, strerror(fault));
  } else if (strncmp(place, top, length) != 0 || (place[length] != '/' && top[length - 1] != '/')) {
    shk_message_set(error, "%s: a link leads out of the folder %s", joined, top);
  } else {
    file = open(place, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
    if (file < 0)
      shk_message_set(error, "%s: %s", joined, strerror(errno));
  }
  free(joined);
  free(top);
  free(place);
  return file;
}

char *shk_folder_read(const char *folder, size_t *length, const char *path, size_t limit,
                      struct shk_message *error)
{
  if (!shk_folder_permits(path, error))
    return NULL;
  if (folder && strcmp(folder, SHK_NO_FOLDER) == 0) {
    shk_message_set(
        error, "\"%s\" is named by a store and is not opened: give its folder by --files", path);
    return NULL;
  }
  const int file = open_inside(folder, path, error);
  if (file < 0)
    return NULL;
  struct stat status;
  FILE *const stream = fdopen(file, "rb");
  if (!stream)
    shk_out_of_memory();
  const bool regular = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  char *const text = regular ? shk_read_stream(stream, limit, length) : NULL;
  if (regular && !text && errno == EFBIG)
    shk_message_set(error, "%s: larger than %zu bytes", path, limit);
  else if (!text)
    shk_message_set(error, "%s: %s", path, regular ? strerror(errno) : "not a regular file");
  fclose(stream);
  return text;
}
