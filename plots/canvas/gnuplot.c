/*
 * Runs gnuplot and writes the files that it reads. gnuplot is started directly, without a shell, in
 * the figure folder. The user's gnuplot settings are ignored, so that the same data always produce
 * the same figure.
 */
#include "foundation/files/file.h"
#include "foundation/memory.h"
#include "foundation/processes/subprocess.h"
#include "plots/canvas/chart.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

bool shk_make_directory(const char *path, struct shk_message *error)
{
  struct stat status;
  char *const part = shk_copy_text(path);
  for (char *at = part; *at; at++)
    if (*at == '/' && at > part) {
      *at = '\0';
      mkdir(part, 0777);
      *at = '/';
    }
  const bool ok = mkdir(part, 0777) == 0 ||
                  (errno == EEXIST && stat(part, &status) == 0 && S_ISDIR(status.st_mode));
  if (!ok)
    shk_message_set(error, "cannot create the folder \"%s\": %s", path,
                    errno == EEXIST ? "a file with this name already exists" : strerror(errno));
  free(part);
  return ok;
}

bool shk_write_text(const char *directory, const char *name, const char *ending, const char *text,
                    struct shk_message *error)
{
  char *const path = shk_print_text("%s/%s%s", directory, name, ending);
  FILE *const file = fopen(path, "wb");
  bool ok = file != NULL && fputs(text, file) >= 0;
  if (file)
    ok = fclose(file) == 0 && ok;
  if (!ok)
    shk_message_set(error, "cannot write %s: %s", path, strerror(errno));
  free(path);
  return ok;
}

/* Runs gnuplot to completion. Returns its output, which the caller frees, or NULL with errno set if
 * gnuplot cannot be started. */
static char *run_gnuplot(const char *directory, char *script, char *setting, int *status)
{
  enum { MOST = 1 << 20 };
  struct shk_pipe pipe;
  struct shk_message unused;
  size_t length;
  if (!shk_pipe_open(&pipe, &unused))
    return NULL;
  char *words[] = {(char *)"gnuplot", (char *)"-d", (char *)"-e", setting, script, NULL};
  const struct shk_child settings = {
      .in = SHK_NOTHING, .out = pipe.write_end, .error = pipe.write_end, .folder = directory};
  const pid_t child = shk_child_start(&settings, words[0], words);
  const int fault = errno;
  shk_close(&pipe.write_end);
  FILE *const from = fdopen(pipe.read_end, "r");
  char *const output = child > 0 ? shk_read_stream(from, MOST, &length) : NULL;
  fclose(from);
  if (child > 0)
    *status = shk_child_wait(child);
  errno = fault;
  return child > 0 && !output ? shk_copy_text("it wrote too much") : output;
}

/* Replaces the title of an SVG file with the name of the figure, and adds a style that inverts the
 * colours on dark pages. */
static bool finish_svg(const char *directory, const char *name, struct shk_message *error)
{
  static const char mark[] = "<title>Gnuplot</title>\n";
  size_t length;
  char *const path = shk_print_text("%s/%s.svg", directory, name),
              *const drawn = shk_read_file(path, 1 << 28, "figure", &length, error),
              *const place = drawn ? strstr(drawn, mark) : NULL;
  bool ok = drawn != NULL;
  if (place) {
    char *const text = shk_print_text(
        "%.*s<title>%s</title>\n<style>@media screen and (prefers-color-scheme: dark) "
        "{ svg:root { filter: invert(.93) hue-rotate(180deg) brightness(1.5) } }</style>\n%s",
        (int)(place - drawn), drawn, name, place + sizeof mark - 1);
    ok = shk_write_text(directory, name, ".svg", text, error);
    free(text);
  }
  free(drawn);
  free(path);
  return ok;
}

bool shk_run_gnuplot(const char *directory, const char *name, const char *type,
                     struct shk_message *error)
{
  int status = 0;
  char *const script = shk_print_text("%s.gp", name), *const setting =
                                                          shk_print_text("type='%s'", type);
  char *const output = run_gnuplot(directory, script, setting, &status);
  const bool ok = output && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!output)
    shk_message_set(error,
                    "cannot start gnuplot, which draws figures (Debian package "
                    "gnuplot-nox): %s",
                    strerror(errno));
  else if (!ok)
    shk_message_set(error, "gnuplot could not draw %s/%s as %s: %s", directory, script, type,
                    WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
                                        : output + strspn(output, "\n "));
  free(output);
  free(setting);
  free(script);
  return ok && (strcmp(type, "svg") != 0 || finish_svg(directory, name, error));
}
