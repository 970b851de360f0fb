/* Error messages and colours. See terminal.h. */
#include "cli/shared/output/terminal.h"

#include "foundation/memory.h"
#include "plots/canvas/chart.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

void shk_complain(const char *format, ...)
{
  char *text = NULL;
  va_list arguments;
  va_start(arguments, format);
  const int length = vasprintf(&text, format, arguments);
  va_end(arguments);
  fflush(stdout);
  fprintf(stderr, "%sshakedown:%s ", shk_colour(stderr, SHK_RED), shk_colour(stderr, SHK_PLAIN));
  /* Messages of several lines (a place in a file with its text below) keep their lines. */
  char *rest = length < 0 ? NULL : text;
  for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
    if (*line == '\0' && !rest)
      break;
    shk_print_plain(stderr, line);
    fputc('\n', stderr);
  }
  if (length < 0)
    fputs("out of memory for a message\n", stderr);
  else
    free(text);
}

const char *shk_colour(FILE *file, enum shk_colour colour)
{
  static const char *const codes[] = {"\033[0m", "\033[1m", "\033[31m", "\033[32m", "\033[33m"};
  const char *forbidden = getenv("NO_COLOR"), *term = getenv("TERM");
  if ((forbidden && *forbidden != '\0') || !term || strcmp(term, "dumb") == 0 ||
      !isatty(fileno(file)))
    return "";
  return codes[colour];
}

bool shk_output_folder(const char *option, const char *path)
{
  static const char *const endings[] = {".png", ".pdf", ".svg", ".tex", ".html"};
  struct shk_message error = {.text = ""};
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
    if (shk_ends_with(path, endings[i])) {
      shk_complain("%s: found the file name '%s', expected the name of a folder for several files",
                   option, path);
      return false;
    }
  const bool ok = shk_make_directory(path, &error) && access(path, W_OK) == 0;
  if (!ok)
    shk_complain("%s: %s: %s; name another folder", option, path,
                 *error.text != '\0' ? error.text : strerror(errno));
  return ok;
}

int shk_terminal_width(FILE *file, int otherwise)
{
  const char *const columns = getenv("COLUMNS");
  const long set = columns ? strtol(columns, NULL, 10) : 0;
  struct winsize size;
  if (set > 0 && set < 10000)
    return (int)set;
  if (isatty(fileno(file)) && ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  return otherwise;
}

void shk_show_table(const struct shk_table *table, enum shk_format format)
{
  if (format == SHK_FORMAT_TABLE)
    shk_table_print_text(stdout, table, shk_terminal_width(stdout, 0));
  else
    shk_table_print(stdout, table, format);
}
