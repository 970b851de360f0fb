/*
 * Running gnuplot, and writing the files that it reads. gnuplot is started directly, without a
 * shell, in the folder of the figure. It reads no settings of the user, so that the same data give
 * the same figure.
 */
#include "foundation/memory.h"
#include "foundation/processes/subprocess.h"
#include "plots/canvas/chart.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

bool shk_make_directory(const char *path, struct shk_message *error)
{
  char *const part = shk_copy_text(path);
  bool ok = *path != '\0';
  for (char *at = part; ok && *at;) {
    at += strspn(at, "/");
    at += strcspn(at, "/");
    const char kept = *at;
    *at = '\0';
    struct stat status;
    ok = mkdir(part, 0777) == 0 || (stat(part, &status) == 0 && S_ISDIR(status.st_mode));
    *at = kept;
  }
  if (!ok)
    shk_message_set(error, "cannot make the folder \"%s\": %s", path,
                    errno == EEXIST ? "a file is in the way" : strerror(errno));
  free(part);
  return ok;
}

bool shk_write_text(const char *directory, const char *name, const char *text, size_t size,
                    struct shk_message *error)
{
  char *const path = shk_print_text("%s/%s", directory, name);
  FILE *const file = fopen(path, "wb");
  bool ok = file != NULL && fwrite(text, 1, size, file) == size;
  if (file)
    ok = fclose(file) == 0 && ok;
  if (!ok)
    shk_message_set(error, "cannot write %s: %s", path, strerror(errno));
  free(path);
  return ok;
}

/* Reads all output and keeps the part that fits; blank lines are dropped. */
static void read_output(int from, char *output, size_t size)
{
  char chunk[1024];
  size_t length = 0;
  for (;;) {
    const ssize_t got = read(from, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      break;
    for (ssize_t i = 0; i < got; i++) {
      const bool blank = chunk[i] == '\n' && (length == 0 || output[length - 1] == '\n');
      if (!blank && length + 1 < size)
        output[length++] = chunk[i];
    }
  }
  while (length > 0 && (output[length - 1] == '\n' || output[length - 1] == ' '))
    length--;
  output[length] = '\0';
}

/* Starts gnuplot with both outputs into the pipe; -1 with errno set. */
static pid_t start(const char *directory, const char *script, const char *type, int out)
{
  char setting[32];
  snprintf(setting, sizeof setting, "type='%s'", type);
  char *words[] = {(char *)"gnuplot", (char *)"-d", (char *)"-e", setting, (char *)script, NULL};
  const struct shk_child child = {.in = SHK_NOTHING, .out = out, .error = out, .folder = directory};
  return shk_child_start(&child, words[0], words);
}

bool shk_run_gnuplot(const char *directory, const char *script, const char *type,
                     struct shk_message *error)
{
  struct shk_pipe pipe;
  if (!shk_pipe_open(&pipe, error))
    return false;
  const pid_t child = start(directory, script, type, pipe.write_end);
  const int fault = errno;
  shk_close(&pipe.write_end);
  if (child < 0) {
    shk_close(&pipe.read_end);
    if (fault == ENOENT)
      shk_message_set(error, "figures are drawn by gnuplot, which is not installed (Debian package "
                             "gnuplot-nox)");
    else
      shk_message_set(error, "cannot start gnuplot: %s", strerror(fault));
    return false;
  }
  char output[700];
  read_output(pipe.read_end, output, sizeof output);
  shk_close(&pipe.read_end);
  const int status = shk_child_wait(child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return true;
  if (WIFSIGNALED(status))
    shk_message_set(error, "gnuplot was ended by signal %d while it drew %s/%s", WTERMSIG(status),
                    directory, script);
  else
    shk_message_set(error, "gnuplot could not draw %s/%s as %s: %s", directory, script, type,
                    output[0] ? output : "it gave no reason");
  return false;
}
