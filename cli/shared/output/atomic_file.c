/* Files that are written whole. See atomic_file.h. */
#include "cli/shared/output/atomic_file.h"

#include "cli/shared/output/terminal.h"
#include "foundation/memory.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* True for a regular file. Others (a pipe, /dev/stdout) cannot be replaced, only written to. */
static bool is_replaceable(const char *path)
{
  struct stat found;
  return stat(path, &found) != 0 || S_ISREG(found.st_mode);
}

bool shk_write_file(const char *path, void (*print)(FILE *file, const void *what), const void *what)
{
  if (!path) {
    print(stdout, what);
    return true;
  }
  const bool replace = is_replaceable(path);
  char *beside =
      replace ? shk_print_text("%s.part-%ld", path, (long)getpid()) : shk_copy_text(path);
  const int flags = replace ? O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC : O_WRONLY | O_CLOEXEC;
  const int descriptor = open(beside, flags, 0666);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
  bool ok = file != NULL;
  if (ok) {
    errno = 0;
    print(file, what);
    ok = ferror(file) == 0;
    ok = fclose(file) == 0 && ok;
    ok = ok && (!replace || rename(beside, path) == 0);
  } else if (descriptor >= 0) {
    close(descriptor);
  }
  if (!ok)
    shk_complain("%s: %s", path, errno != 0 ? strerror(errno) : "cannot be written");
  if (!ok && replace && descriptor >= 0)
    unlink(beside);
  free(beside);
  return ok;
}
