/* Writes files atomically. See atomic_file.h. */
#include "cli/shared/output/atomic_file.h"

#include "cli/shared/output/terminal.h"
#include "foundation/memory.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool shk_write_file(const char *path, void (*print)(FILE *file, const void *what), const void *what)
{
  struct stat found;
  if (!path) {
    print(stdout, what);
    return true;
  }
  /* Files that are not regular, such as a pipe or /dev/stdout, cannot be replaced and can only be
   * written to. */
  const bool replace = stat(path, &found) != 0 || S_ISREG(found.st_mode);
  char *beside =
      replace ? shk_print_text("%s.part-%ld", path, (long)getpid()) : shk_copy_text(path);
  FILE *const file = fopen(beside, replace ? "wxe" : "we");
  bool ok = file != NULL;
  if (ok) {
    errno = 0;
    print(file, what);
    ok = ferror(file) == 0;
    ok = fclose(file) == 0 && ok;
    ok = ok && (!replace || rename(beside, path) == 0);
  }
  if (!ok)
    shk_complain("%s: %s", path, errno != 0 ? strerror(errno) : "cannot be written");
  if (!ok && replace && file)
    unlink(beside);
  free(beside);
  return ok;
}
