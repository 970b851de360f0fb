/*
 * Running gnuplot, and writing the files that it reads. gnuplot is started directly, with no shell
 * between, in the folder of the figure; it reads no settings of the user, so that the same data
 * give the same figure.
 */
#include "foundation/memory.h"
#include "plots/canvas/figure.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

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

/* Reads all that is said, keeping what fits; blank lines are dropped. */
static void listen_to(int from, char *said, size_t size)
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
      const bool blank = chunk[i] == '\n' && (length == 0 || said[length - 1] == '\n');
      if (!blank && length + 1 < size)
        said[length++] = chunk[i];
    }
  }
  while (length > 0 && (said[length - 1] == '\n' || said[length - 1] == ' '))
    length--;
  said[length] = '\0';
}

/* Starts it with both outputs into the pipe; 0 or an error number. */
static int start(pid_t *child, const char *directory, const char *script, const char *type, int out)
{
  char setting[32];
  snprintf(setting, sizeof setting, "type='%s'", type);
  char *arguments[] = {(char *)"gnuplot", (char *)"-d",   (char *)"-e",
                       setting,           (char *)script, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDERR_FILENO);
  int failed = posix_spawn_file_actions_addchdir_np(&actions, directory);
  /* The commands ignore some signals; gnuplot must not inherit that. */
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  sigaddset(&defaults, SIGINT);
  sigaddset(&defaults, SIGTERM);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  if (!failed)
    failed = posix_spawnp(child, "gnuplot", &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

bool shk_run_gnuplot(const char *directory, const char *script, const char *type,
                     struct shk_message *error)
{
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) {
    shk_message_set(error, "cannot make a pipe to gnuplot: %s", strerror(errno));
    return false;
  }
  pid_t child = 0;
  const int failed = start(&child, directory, script, type, ends[1]);
  close(ends[1]);
  if (failed) {
    close(ends[0]);
    if (failed == ENOENT)
      shk_message_set(error, "figures are drawn by gnuplot, which is not installed (Debian package "
                             "gnuplot-nox)");
    else
      shk_message_set(error, "cannot start gnuplot: %s", strerror(failed));
    return false;
  }
  char said[700];
  listen_to(ends[0], said, sizeof said);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      break;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return true;
  if (WIFSIGNALED(status))
    shk_message_set(error, "gnuplot was ended by signal %d while it drew %s/%s", WTERMSIG(status),
                    directory, script);
  else
    shk_message_set(error, "gnuplot could not draw %s/%s as %s: %s", directory, script, type,
                    said[0] ? said : "it gave no reason");
  return false;
}
