/* A folder for temporary files. See scratch.h. */
#include "foundation/files/scratch.h"

#include "foundation/memory.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEEPEST = 100 };

char *shk_scratch_make(void)
{
  const char *const folder = getenv("TMPDIR");
  char *const path =
      shk_print_text("%s/shakedown-XXXXXX", folder && *folder != '\0' ? folder : "/tmp");
  if (mkdtemp(path))
    return path;
  free(path);
  return NULL;
}

static int open_folder(int parent, const char *name)
{
  return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Takes ownership of the descriptor. */
static void empty(int folder, int depth)
{
  DIR *const entries = folder >= 0 ? fdopendir(folder) : NULL;
  if (!entries && folder >= 0)
    close(folder);
  for (struct dirent *one; entries && (one = readdir(entries));) {
    if (strcmp(one->d_name, ".") == 0 || strcmp(one->d_name, "..") == 0 ||
        unlinkat(folder, one->d_name, 0) == 0)
      continue;
    if (depth < DEEPEST)
      empty(open_folder(folder, one->d_name), depth + 1);
    unlinkat(folder, one->d_name, AT_REMOVEDIR);
  }
  if (entries)
    closedir(entries);
}

void shk_scratch_empty(const char *path)
{
  if (path)
    empty(open_folder(AT_FDCWD, path), 0);
}

void shk_scratch_remove(const char *path)
{
  shk_scratch_empty(path);
  if (path)
    rmdir(path);
}
